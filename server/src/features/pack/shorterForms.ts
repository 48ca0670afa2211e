import type { WorkspacePath } from '../../base/path';
import { linesOf } from '../../base/text';
import type { Workspace } from '../../workspace/snapshot';
import type { Lines, PackSymbol } from './contextPack';

/** A unit of code with less in it than its source, and what is left out. Every line that stays is verbatim; `…` stands for bodies. */
export interface ShorterForm {
  readonly code: string;
  readonly omitted: 'comments' | 'comments and inner bodies' | 'what is shown above';
  /** Bodies that `…` stands for. */
  readonly hidden: readonly Lines[];
}

/** Files that are parsed for their comments, in one pack. */
const MAX_FILES = 16;
const INNER_BODY = '…';
const BRACKETS = /^[^\p{L}\p{N}_]*$/u;

/**
 * Gives the shorter forms of symbols, longest first: without the lines that hold only comments or nothing, and also without the bodies of what is declared inside.
 * A file is parsed once, at most 16 in all; behind that, and for what has changed since it was packed, there are none.
 */
export function shorterForms(workspace: Pick<Workspace, 'readText' | 'codeText'>): (symbol: PackSymbol) => Promise<readonly ShorterForm[]> {
  const files = new Map<WorkspacePath, Promise<Texts | undefined>>();
  return async symbol => {
    const { code, inner, path } = symbol;
    if (!files.has(path)) {
      if (files.size >= MAX_FILES) return [];
      files.set(path, textsOf(workspace, path));
    }
    const texts = await files.get(path);
    if (texts === undefined || linesOf(texts.source, symbol.startLine, symbol.endLine) !== code) return [];
    const lines = code.split('\n');
    const says = linesOf(texts.code, symbol.startLine, symbol.endLine).split('\n');
    const keeps = (at: number): boolean => (says[at] ?? '').trim() !== '';
    const plain = lines.filter((_, at) => keeps(at)).join('\n');
    const forms: ShorterForm[] = plain === code ? [] : [{ code: plain, omitted: 'comments', hidden: [] }];
    if (symbol.stale !== true && inner.length > 0) {
      forms.push({ code: withoutBodies(symbol, inner, lines, keeps), omitted: 'comments and inner bodies', hidden: inner });
    }
    return forms;
  };
}

interface Texts {
  readonly source: string;
  /** With its comments blank, line by line. */
  readonly code: string;
}

async function textsOf({ codeText, readText }: Pick<Workspace, 'readText' | 'codeText'>, path: WorkspacePath): Promise<Texts | undefined> {
  const source = await readText(path);
  if (!source.ok) return undefined;
  return { source: source.value, code: (await codeText?.(path, source.value)) ?? source.value };
}

/** Of a unit some of whose inner bodies stand elsewhere in the pack, what is left. */
export function withoutRepeats(symbol: PackSymbol, repeated: readonly Lines[]): ShorterForm {
  return { code: withoutBodies(symbol, repeated, symbol.code.split('\n'), () => true), omitted: 'what is shown above', hidden: repeated };
}

/** Of `bodies`, in order, the first line and closing brackets stay. */
function withoutBodies({ startLine }: PackSymbol, bodies: readonly Lines[], lines: readonly string[], keeps: (at: number) => boolean): string {
  const kept: string[] = [];
  let open = bodies[0];
  let next = 1;
  for (const [at, line] of lines.entries()) {
    const number = startLine + at;
    while (open !== undefined && open.endLine < number) open = bodies[next++];
    const isBody = open !== undefined && number > open.startLine && !(number === open.endLine && BRACKETS.test(line));
    if (!isBody) {
      if (keeps(at)) kept.push(line);
    } else if (kept.at(-1) !== INNER_BODY) kept.push(INNER_BODY);
  }
  return kept.join('\n');
}
