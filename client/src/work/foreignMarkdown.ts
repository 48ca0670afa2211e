const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/**
 * Markdown of people and agents for a page of ours: it keeps its headings, lists and code, and loses links, images and HTML,
 * so that nothing in it can run a command or load anything.
 */
export function unlinked(markdown: string): string {
  let fence: string | undefined;
  return markdown
    .split(/\r\n|\r|\n/)
    .map(line => {
      const marks = FENCE.exec(line)?.[1];
      if (fence !== undefined) {
        if (marks?.startsWith(fence) === true && line.trim() === marks) fence = undefined;
        return line;
      }
      if (marks !== undefined && /^[\w+-]*$/.test(line.trim().slice(marks.length))) {
        fence = marks;
        return line;
      }
      return escaped(line);
    })
    .join('\n');
}

/** Escapes what begins a link, an image or a tag, but not inside a code span of the line, where a backslash means nothing. */
function escaped(line: string): string {
  let text = '';
  for (let at = 0; at < line.length; ) {
    const [part] = /^(?:\\.|`+|[^\\`]|\\)/.exec(line.slice(at)) ?? [line.charAt(at)];
    const span = part.startsWith('`') ? spanLength(line, at, part.length) : 0;
    text += span > 0 ? line.slice(at, at + span) : /^[[\]<]$/.test(part) ? `\\${part}` : part;
    at += Math.max(span, part.length);
  }
  return text;
}

/** Length of the code span that a run of backticks opens, up to the next run as long; 0 when there is none. */
function spanLength(line: string, at: number, length: number): number {
  const rest = line.slice(at + length);
  for (const run of rest.matchAll(/`+/g)) if (run[0].length === length) return length + run.index + length;
  return 0;
}
