/** The context of a service inside an agent's instruction file: between two markers, outside of which nothing is ever changed. */

const BEGIN = '<!-- lattice:service-context -->';
const END = '<!-- /lattice:service-context -->';

/** Instruction files that agents read, relative to the folder that they are about. */
export const CONTEXT_FILES = ['CLAUDE.md', 'AGENTS.md', '.github/copilot-instructions.md'] as const;

/**
 * A file with this context in place of what it has, at its end where it has none; an empty context removes it with its markers.
 * `text` is `undefined` for a file that there is not. Returns `undefined` when the markers do not pair up: such a file is left to its author.
 * Writing the same context twice gives the same text.
 */
export function withContextBlock(text: string | undefined, context: string): string | undefined {
  const own = text ?? '';
  const lineEnd = own.includes('\r\n') ? '\r\n' : '\n';
  const [begin, end] = [own.indexOf(BEGIN), own.indexOf(END)];
  if (begin < 0 !== end < 0 || end < begin || own.indexOf(BEGIN, begin + 1) > begin || own.indexOf(END, end + 1) > end) return undefined;
  // What the workspace says of itself must not end the block.
  const inner = context.trim().replaceAll('<!--', '&lt;!--').split(/\r?\n/).join(lineEnd);
  const block = inner === '' ? '' : `${BEGIN}${lineEnd}${inner}${lineEnd}${END}`;
  if (begin >= 0) {
    const before = own.slice(0, begin);
    const after = own.slice(end + END.length);
    if (block !== '') return `${before}${block}${after}`;
    // The empty line before the block came with it, and so did the end of its last line.
    const left = before.endsWith(lineEnd + lineEnd) ? before.slice(0, -lineEnd.length) : before;
    return `${left}${after.startsWith(lineEnd) ? after.slice(lineEnd.length) : after}`;
  }
  if (block === '') return own;
  const gap = own === '' ? '' : own.endsWith(lineEnd) ? lineEnd : lineEnd + lineEnd;
  return `${own}${gap}${block}${lineEnd}`;
}
