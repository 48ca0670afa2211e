import type { CancellationToken } from '../../base/cancellation';
import type { WorkspacePath } from '../../base/path';
import { err, ok, type Result } from '../../base/result';
import type { SearchHealth, SearchLack, Snapshot, Stamp, Workspace } from '../../workspace/snapshot';
import { type FeatureFailure, fromEngine } from './failure';

/** What a feature computed from one snapshot. */
export interface Draft<T> {
  readonly value: T;
  /** Files the answer speaks of, most important first. */
  readonly touched: Iterable<WorkspacePath>;
  /** Unresolved references at the symbols asked about. */
  readonly unresolved?: number;
  /** What it was searched for without. */
  readonly degraded?: readonly SearchLack[];
}

/** An answer with what it is based on. */
export type Stamped<T> = T & { readonly stamp: Stamp };

/** Files compared with the disk before an answer goes out. */
const MAX_TOUCHED = 50;

/**
 * Computes an answer, has the files it speaks of compared with the disk, and computes it again when they had changed.
 * `known` are files that are sure to matter before anything is computed. `isRanked`: whether it may order something by rank, as almost every answer does; ranks of a past
 * state are not there yet, and cost as much as most answers.
 */
export async function answerFresh<T>(
  workspace: Workspace,
  known: readonly WorkspacePath[],
  token: CancellationToken,
  compute: (snapshot: Snapshot) => Result<Draft<T>, FeatureFailure> | Promise<Result<Draft<T>, FeatureFailure>>,
  { isRanked = true }: { readonly isRanked?: boolean | ((snapshot: Snapshot) => boolean) } = {},
): Promise<Result<Stamped<T>, FeatureFailure>> {
  const first = await workspace.snapshot(known.slice(0, MAX_TOUCHED), token);
  if (!first.ok) return err(fromEngine(first.error));
  const mayRank = (snapshot: Snapshot): boolean => (typeof isRanked === 'boolean' ? isRanked : isRanked(snapshot));
  if (mayRank(first.value)) await prepareRanks(workspace, first.value);
  let draft = await compute(first.value);
  if (!draft.ok) return draft;
  let { stamp } = first.value;
  const touched = [...new Set(draft.value.touched)].filter(path => path !== '' && !known.includes(path)).slice(0, MAX_TOUCHED);
  if (touched.length > 0) {
    const second = await workspace.snapshot(touched, token);
    if (!second.ok) return err(fromEngine(second.error));
    stamp = second.value.stamp;
    if (second.value.revision !== first.value.revision) {
      if (mayRank(second.value)) await prepareRanks(workspace, second.value);
      draft = await compute(second.value);
    }
    if (!draft.ok) return draft;
  }
  const { degraded = [], unresolved = 0, value } = draft.value;
  return ok({ ...value, stamp: { ...stamp, ...(unresolved > 0 ? { unresolved } : {}), ...(degraded.length > 0 ? { degraded } : {}) } });
}

/** Computed in steps, once for each revision, because a large graph takes a while. */
async function prepareRanks(workspace: Workspace, { graph }: Snapshot): Promise<void> {
  await graph.preparePageRank(() => workspace.pause?.());
}

/** What a search does without while the background is still at work; ranks may change when it is done. */
export function searchLacks(workspace: Pick<Workspace, 'searchHealth'>): readonly SearchLack[] {
  const health = workspace.searchHealth?.();
  if (health === undefined) return [];
  const { history = 'current', vectors, words } = health;
  const lacks: SearchLack[] = [];
  if (words.done < words.total) lacks.push('contents');
  if (history !== 'current') lacks.push('history');
  if (UNFINISHED.has(vectors.state)) lacks.push('vectors');
  return lacks;
}

const UNFINISHED: ReadonlySet<SearchHealth['vectors']['state']> = new Set(['waiting', 'training', 'embedding', 'failed']);

/** The stamp of an answer about knowledge, which is there before the first index is. */
export function stampOf(workspace: Workspace): Stamp {
  return workspace.current()?.stamp ?? NOT_INDEXED;
}

/** Stamp of answers that are given before there is an index. */
export const NOT_INDEXED: Stamp = { revision: 0, head: '', pendingFiles: 0 };
