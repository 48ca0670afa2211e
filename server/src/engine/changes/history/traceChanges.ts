import type { CancellationToken } from '../../../base/cancellation';
import type { WorkspacePath } from '../../../base/path';
import { type Failure, ok, type Result } from '../../../base/result';
import type { Turn } from '../../../base/yield';
import type { GitPlace } from '../../../code/files/git';
import type { GraphView } from '../../../code/graph/graphView';
import type { StableId } from '../../../model/ids';
import type { ChangedFile, Hunk, SymbolSpan } from '../../../workspace/changes';
import { type GitRepository, readRepository } from '../../processes/git/repository';
import { differenceOf } from '../difference';
import type { DiffEntry } from '../diffText';
import type { ChangeColumns, TracedCommit } from './changeColumns';
import { FileTracker } from './fileTracker';
import { type LineChange, type LoggedCommit, type PatchedFile, PatchLogReader } from './patchLog';
import { SpanTracker } from './spanTracker';

/** Commits that are followed, newest first. */
export const MAX_COMMITS = 4_000;
/** Bytes of patches that are read; the commits until there count. */
const MAX_PATCH_BYTES = 512 << 20;
const MAX_MS = 120_000;
/** After so many commits that were added to an earlier run, all are followed anew: names that changed meanwhile get their past back. */
const MAX_ADDED = 200;

export interface TraceRequest {
  readonly folder: string;
  readonly place: GitPlace;
  /** The commit that HEAD is at. */
  readonly head: string;
  readonly graph: GraphView;
  /** Of an earlier run. */
  readonly before: ChangeColumns | undefined;
  readonly turn: Turn;
}

export interface Trace {
  /** Newest first; what there is when the log could not be read to its end. */
  readonly later: readonly TracedCommit[];
  /** What they go on from; `undefined` when they are all. */
  readonly before: ChangeColumns | undefined;
}

/**
 * Which commits changed which symbols and files of the graph: their lines are followed back from the folder as it is, over what is not committed, along the first
 * parents of HEAD. Goes on from an earlier run where HEAD only went ahead. `GIT` or `UNAVAILABLE` when git tells nothing at all.
 */
export function traceChanges({ before, folder, graph, head, place, turn }: TraceRequest, token: CancellationToken): Promise<Result<Trace, Failure>> {
  return readRepository(folder, place, token, async git => {
    const base = before !== undefined && before.added < MAX_ADDED && (await isAncestor(git, before.head, head)) ? before : undefined;
    const uncommitted = await differenceOf(git, head, undefined);
    if (!uncommitted.ok) return uncommitted;
    const symbols = await spansIn(graph, turn, token);
    const trackers = [new SpanTracker(symbols), new FileTracker(symbols.keys())];
    const back = (files: readonly PatchedFile[]): StableId[] => trackers.flatMap(tracker => tracker.back(files));
    back(uncommitted.value.map(asPatched));
    const later: TracedCommit[] = [];
    const reader = new PatchLogReader(commit => later.push({ commit: withoutChanges(commit), changed: back(commit.files) }));
    const range = base === undefined ? head : `${base.head}..${head}`;
    const log = await git.stream('patches', ['-n', `${MAX_COMMITS}`, range, '--', '.'], chunk => reader.push(chunk), {
      maxBytes: MAX_PATCH_BYTES,
      timeoutMs: MAX_MS,
    });
    if (log.ok) reader.end();
    return log.ok || (base === undefined && later.length > 0) ? ok({ later, before: base }) : log;
  });
}

async function isAncestor(git: GitRepository, older: string, newer: string): Promise<boolean> {
  const base = await git.ask('mergeBase', [older, newer]);
  return base.ok && base.value.toString('utf8').trim() === older;
}

/** Of a commit that is kept only the number of its files counts. */
function withoutChanges(commit: LoggedCommit): LoggedCommit {
  return { ...commit, files: commit.files.map(({ oldPath, path }) => ({ path, oldPath, changes: [] })) };
}

async function spansIn(graph: GraphView, turn: Turn, token: CancellationToken): Promise<ReadonlyMap<WorkspacePath, readonly SymbolSpan[]>> {
  const spans = new Map<WorkspacePath, SymbolSpan[]>();
  for (const file of graph.files()) {
    const list: SymbolSpan[] = [];
    for (const symbol of graph.symbolsOf(file)) {
      const { endLine, id, startLine } = graph.node(symbol);
      list.push({ id, start: startLine, end: endLine, nameLine: startLine });
    }
    spans.set(graph.idOf(file), list);
    await turn.check(token);
  }
  return spans;
}

function asPatched({ hunks, oldPath, path, status }: DiffEntry): PatchedFile {
  return { path, oldPath: status === 'added' ? undefined : (oldPath ?? path), changes: lineChanges(hunks) };
}

/** Where lines were only removed, the place follows from what came before. */
function lineChanges(hunks: ChangedFile['hunks']): readonly LineChange[] {
  let shift = 0;
  return (hunks ?? []).map(({ added, removed }: Hunk) => {
    const newCount = added === undefined ? 0 : added.end - added.start + 1;
    const oldCount = removed === undefined ? 0 : removed.end - removed.start + 1;
    const newStart = added?.start ?? (removed?.start ?? 1) - 1 + shift;
    const oldStart = removed?.start ?? newStart - 1 - shift;
    shift += newCount - oldCount;
    return { oldStart, oldCount, newStart, newCount };
  });
}
