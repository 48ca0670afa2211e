import { z } from 'zod';
import type { WorkspacePath } from '../../base/path';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { SEPARATOR, type StableId } from '../../model/ids';
import type { ChangedFile, ChangeSet, Hunk, LineRange, SymbolSpan } from '../../workspace/changes';
import { object, optional, type Shaped, shape } from './shape';

/** What changed, in words of the graph. */
export const changeReportShape = shape(() =>
  object({
    /** How the older version is called. */
    since: z.string(),
    files: z.array(changedFileRowShape()),
    /** Symbols whose lines were changed or added, innermost ones only. */
    symbols: z.array(z.string()),
    /** Symbols that are gone, under the names they had. */
    deleted: z.array(z.string()),
    /** Changed files that are not in the graph, the deleted ones apart: ignored, binary, too large. */
    notIndexed: z.array(z.string()),
    /** True when there were too many files to look into each: the rest counts as changed as a whole. */
    truncated: z.boolean(),
  }),
);
/** Files and symbols that changed since a state. */
export type ChangeReport = Shaped<typeof changeReportShape>;

export const changedFileRowShape = shape(() =>
  object({
    path: z.string(),
    status: z.enum(['added', 'modified', 'deleted', 'renamed']),
    oldPath: optional(z.string()),
  }),
);

/** What a change is taken as when its impact is asked for. */
export interface ChangedCode {
  /** Where a walk begins: changed symbols, and files of which something outside symbols changed. */
  readonly changed: ReadonlySet<NodeHandle>;
  /** What to name as changed: the symbols, and the files that count as a whole. */
  readonly nodes: readonly NodeHandle[];
  /** Files of the graph that changed in anything but comments and empty lines. */
  readonly files: ReadonlySet<NodeHandle>;
  readonly report: ChangeReport;
}

/** Maps changed lines to the symbols they are in. */
export function codeChanged(graph: GraphView, changes: ChangeSet): ChangedCode {
  const draft: Draft = { graph, changed: new Set(), symbols: new Set(), files: new Set(), deleted: [], notIndexed: [] };
  for (const file of changes.files) lookInto(draft, file);
  const byOrder = (a: NodeHandle, b: NodeHandle): number => graph.orderOf(a) - graph.orderOf(b);
  const nodes = [...draft.changed].filter(node => draft.symbols.has(node) || graph.fileNodeOf(node) === node).sort(byOrder);
  const report: ChangeReport = {
    since: changes.since,
    files: changes.files.map(({ path, status, oldPath }) => ({ path, status, ...(oldPath === undefined ? {} : { oldPath }) })),
    symbols: [...draft.symbols].sort(byOrder).map(node => graph.idOf(node)),
    deleted: draft.deleted,
    notIndexed: draft.notIndexed,
    truncated: changes.truncated,
  };
  return { changed: draft.changed, nodes, files: draft.files, report };
}

interface Draft {
  readonly graph: GraphView;
  readonly changed: Set<NodeHandle>;
  readonly symbols: Set<NodeHandle>;
  readonly files: Set<NodeHandle>;
  readonly deleted: StableId[];
  readonly notIndexed: WorkspacePath[];
}

function lookInto(draft: Draft, file: ChangedFile): void {
  const { graph } = draft;
  const node = file.status === 'deleted' ? undefined : graph.fileOf(file.path);
  if (node === undefined) {
    draft.deleted.push(...file.before.map(span => span.id));
    if (file.status !== 'deleted') draft.notIndexed.push(file.path);
    return;
  }
  if (file.status === 'modified' && file.hunks?.length === 0) return;
  if (file.status === 'modified' && file.hunks?.length === 0) return;
  draft.files.add(node);
  if (file.hunks === undefined) {
    draft.changed.add(node);
    for (const symbol of graph.symbolsOf(node)) mark(draft, symbol);
    return;
  }
  if (file.status === 'renamed') draft.changed.add(node);
  markNew(draft, node, file, file.hunks);
  markOld(draft, node, file, file.hunks);
}

function mark(draft: Draft, symbol: NodeHandle): void {
  draft.changed.add(symbol);
  draft.symbols.add(symbol);
}

/** Symbols around lines of the new version. A container whose own name line changed is changed with its members. */
function markNew(draft: Draft, file: NodeHandle, change: ChangedFile, hunks: readonly Hunk[]): void {
  const { graph } = draft;
  const spans = change.after ?? spansIn(graph, file);
  const owners = ownersByLine(spans);
  for (const { added, addedText } of hunks) {
    if (added === undefined) continue;
    for (let line = added.start; line <= added.end; line++) {
      const text = addedText[line - added.start] ?? '';
      if (text === '') continue;
      const span = spans[owners[line] ?? -1];
      if (span === undefined) {
        if (isInformative(text)) draft.changed.add(file);
        continue;
      }
      const symbol = graph.find(span.id);
      if (symbol === undefined) continue;
      mark(draft, symbol);
      if (span.nameLine === line) markMembers(draft, symbol);
    }
  }
}

function markMembers(draft: Draft, container: NodeHandle): void {
  const members = [...draft.graph.childrenOf(container)];
  for (let at = 0; at < members.length; at++) {
    draft.changed.add(members[at] ?? container);
    members.push(...draft.graph.childrenOf(members[at] ?? container));
  }
}

/** Symbols around lines that went: still there, they are changed; gone, they are named and what held them is changed. */
function markOld(draft: Draft, file: NodeHandle, change: ChangedFile, hunks: readonly Hunk[]): void {
  const { graph } = draft;
  const owners = ownersByLine(change.before);
  const left = change.after === undefined ? undefined : new Set(change.after.map(span => span.id));
  const seen = new Set<StableId>();
  for (const { removed, removedText } of hunks) {
    if (removed === undefined) continue;
    for (let line = removed.start; line <= removed.end; line++) {
      const text = removedText[line - removed.start] ?? '';
      if (text === '') continue;
      const span = change.before[owners[line] ?? -1];
      if (span === undefined) {
        if (isInformative(text)) draft.changed.add(file);
        continue;
      }
      if (seen.has(span.id)) continue;
      seen.add(span.id);
      const id = change.path + span.id.slice((change.oldPath ?? change.path).length);
      const symbol = left === undefined || left.has(id) ? graph.find(id) : undefined;
      if (symbol !== undefined) {
        mark(draft, symbol);
        continue;
      }
      if (left?.has(id) === true) continue;
      draft.deleted.push(span.id);
      draft.changed.add(holderOf(graph, id) ?? file);
    }
  }
}

/** The nearest container of a symbol that is gone, which is still there. */
function holderOf(graph: GraphView, id: StableId): NodeHandle | undefined {
  for (let at = id.lastIndexOf(SEPARATOR); at > 0; at = id.lastIndexOf(SEPARATOR, at - 1)) {
    const holder = graph.find(id.slice(0, at));
    if (holder !== undefined) return holder;
  }
  return undefined;
}

function spansIn(graph: GraphView, file: NodeHandle): SymbolSpan[] {
  return graph.symbolsOf(file).map(symbol => {
    const { id, startLine, endLine, nameLine } = graph.node(symbol);
    return { id, start: startLine, end: endLine, nameLine };
  });
}

/** For each line the row of the innermost symbol around it, -1 where there is none. */
function ownersByLine(spans: readonly LineRange[]): Int32Array {
  const owners = new Int32Array(spans.reduce((last, span) => Math.max(last, span.end), 0) + 1).fill(-1);
  const rows = spans.map((_, row) => row).sort((a, b) => lengthOf(spans[b]) - lengthOf(spans[a]) || a - b);
  for (const row of rows) owners.fill(row, spans[row]?.start ?? 0, (spans[row]?.end ?? 0) + 1);
  return owners;
}

function lengthOf(span: LineRange | undefined): number {
  return span === undefined ? 0 : span.end - span.start;
}

/** Lines outside symbols that change nothing for those who use the file: empty ones, comments, brackets, imports and names in lists of imports. */
const SILENT =
  /^\s*(?:$|\/\/|\/\*|\*|#(?!\s*define\b)|--|import\b|from\b.*\bimport\b|use\b|using\b|package\b|(?:const|let|var)\b.*\brequire\(|require\b|[\]})\s;,]+$|\}?\s*from\b|(?:type\s+)?[\w$]+(?:\s+as\s+[\w$]+)?,?\s*$)/;

function isInformative(line: string): boolean {
  return !SILENT.test(line);
}
