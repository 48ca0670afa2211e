import { matchLines, sameFilledLines } from '../../base/text';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { KIND_GROUPS } from '../../model/nodes';
import type { ChangedFile, ChangeSet, Hunk, LineRange } from '../../workspace/changes';
import type { Changed } from './nodeChanges';
import type { Pairing } from './pairing';
import { linesIn, type TextPair, type TextPairs } from './textPairs';

/** Changes without those that changed nothing but comments and empty lines. */
export async function codeChanges(pairing: Pairing, changes: readonly Changed[], texts: TextPairs): Promise<Changed[]> {
  const kept = await Promise.all(
    changes.map(async change => {
      const { fresh, old, row } = change;
      if (old === undefined || fresh === undefined || (row.change !== 'body' && row.change !== 'signature')) return true;
      const code = (await texts.of(pairing.before.node(old).path))?.code;
      if (code === undefined) return true;
      if (sameFilledLines(code[0], code[1])) return pairing.before.node(old).isExported !== pairing.after.node(fresh).isExported;
      return row.change === 'signature' || !sameFilledLines(ownLines(pairing.before, old, code[0]), ownLines(pairing.after, fresh, code[1]));
    }),
  );
  return changes.filter((_, at) => kept[at]);
}

const FUNCTIONS: ReadonlySet<string> = new Set(KIND_GROUPS.FUNCTION);

/** Lines of a node; those of its members are theirs, unless it is a function. */
function ownLines(view: GraphView, node: NodeHandle, lines: readonly string[]): readonly string[] {
  if (view.fileNodeOf(node) === node) return lines;
  const { endLine, startLine } = view.node(node);
  const own = lines.slice(startLine - 1, endLine);
  if (FUNCTIONS.has(view.kindOf(node))) return own;
  const members = view.childrenOf(node).map(child => view.node(child));
  if (members.some(member => member.startLine === startLine)) return own;
  return own.filter((_, at) => !members.some(member => member.startLine <= startLine + at && startLine + at <= member.endLine));
}

/** More files than these count as changed as a whole. */
const MAX_READ = 2000;

/** The changed files as a set of changes by lines, for questions that begin at one. */
export async function changeSetOf(pairing: Pairing, changes: readonly Changed[], texts: TextPairs, since: string): Promise<ChangeSet> {
  const files = changes.filter(({ row }) => row.kind === 'file');
  const sets = await Promise.all(files.map((change, at) => changedFile(pairing, change, at < MAX_READ ? texts : undefined)));
  return { since, files: sets, truncated: files.length > MAX_READ };
}

async function changedFile({ after, before }: Pairing, { fresh, old, row }: Changed, texts: TextPairs | undefined): Promise<ChangedFile> {
  if (old === undefined || fresh === undefined)
    return { path: row.path, status: old === undefined ? 'added' : 'deleted', hunks: undefined, before: old === undefined ? [] : spansOf(before, old) };
  const oldPath = before.idOf(old);
  const pair = await texts?.of(oldPath);
  const isMoved = oldPath !== row.path;
  return {
    path: after.idOf(fresh),
    ...(isMoved ? { oldPath } : {}),
    status: isMoved ? 'renamed' : 'modified',
    hunks: pair === undefined ? undefined : hunksOf(pair),
    before: spansOf(before, old),
  };
}

function spansOf(view: GraphView, file: NodeHandle): ChangedFile['before'] {
  return view.symbolsOf(file).map(symbol => {
    const { endLine, id, nameLine, startLine } = view.node(symbol);
    return { id, start: startLine, end: endLine, nameLine };
  });
}

/** Where the code differs, without regard to comments and empty lines. */
function hunksOf({ after, before, code }: TextPair): Hunk[] {
  const [was, is] = code ?? [linesIn(before), linesIn(after)];
  const [old, fresh] = [was, is].map(lines => [...lines.keys()].filter(line => lines[line] !== '')) as [number[], number[]];
  const pairs = matchLines(
    old.map(line => was[line] ?? ''),
    fresh.map(line => is[line] ?? ''),
  );
  const hunks: Hunk[] = [];
  let [i, j] = [0, 0];
  for (const [next, other] of [...pairs, [old.length, fresh.length] as const]) {
    if (next > i || other > j) {
      const [removed, added] = [rangeOf(old, i, next), rangeOf(fresh, j, other)];
      hunks.push({ removed, added, removedText: textsIn(was, removed), addedText: textsIn(is, added) });
    }
    [i, j] = [next + 1, other + 1];
  }
  return hunks;
}

function rangeOf(lines: readonly number[], from: number, to: number): LineRange | undefined {
  const [start, end] = [lines[from], lines[to - 1]];
  return from >= to || start === undefined || end === undefined ? undefined : { start: start + 1, end: end + 1 };
}

function textsIn(lines: readonly string[], range: LineRange | undefined): readonly string[] {
  return range === undefined ? [] : lines.slice(range.start - 1, range.end);
}
