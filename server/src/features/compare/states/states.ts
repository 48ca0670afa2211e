import type { CancellationToken } from '../../../base/cancellation';
import { err, ok, type Result } from '../../../base/result';
import { paramRef, phrase } from '../../../model/hints';
import type { Snapshot, Workspace } from '../../../workspace/snapshot';
import { workspaceAsOf } from '../../shared/changeSource';
import { type FeatureFailure, fromEngine, invalid } from '../../shared/failure';

/** One side of a comparison. */
export interface State {
  readonly workspace: Workspace;
  readonly snapshot: Snapshot;
  /** What it was asked for by. */
  readonly name: string;
}

/** What stands for the folder as it is. */
export const WORKING = 'working';
/** Where the current branch left the main one. */
export const MERGE_BASE = 'merge-base';

/** Both sides by their words: `A..B` and `A...B` (from their merge base) name both at once. */
export async function statesOf(
  workspace: Workspace,
  from: string,
  to: string,
  token: CancellationToken,
): Promise<Result<readonly [State, State], FeatureFailure>> {
  const range = /^(?<from>.*?)(?<dots>\.{2,3})(?<to>.*)$/.exec(from)?.groups;
  if (range !== undefined && to !== WORKING)
    return err(invalid('to', phrase`${from} has two ends. Omit ${paramRef('to')}.`, phrase`Omit ${paramRef('to')}, or name one state in ${paramRef('from')}.`));
  const [first, second] = range === undefined ? [from, to] : [range['dots'] === '...' ? from : range['from'] || 'HEAD', range['to'] || 'HEAD'];
  const older = await stateOf(workspace, first, 'from', token);
  if (!older.ok) return older;
  const newer = await stateOf(workspace, second, 'to', token);
  return newer.ok ? ok([older.value, newer.value]) : newer;
}

async function stateOf(live: Workspace, word: string, field: string, token: CancellationToken): Promise<Result<State, FeatureFailure>> {
  const workspace = word === WORKING ? ok(live) : await workspaceAsOf(live, word, token, { field });
  if (!workspace.ok) return workspace;
  const snapshot = await workspace.value.snapshot([], token);
  return snapshot.ok ? ok({ workspace: workspace.value, snapshot: snapshot.value, name: word }) : err(fromEngine(snapshot.error));
}
