import { ok, type Result } from '../../base/result';
import { headOf, SEPARATOR } from '../../model/ids';
import type { Snapshot, Workspace } from '../../workspace/snapshot';
import type { FeatureFailure } from '../shared/failure';
import { resolveTarget, type Target } from '../shared/target';
import type { Scene } from './question';

/**
 * What a target of the current code was in the state that is looked at: what has its id, else what alone was called so in another file, because files move.
 * `undefined` when it was not there.
 */
export function targetThen(snapshot: Snapshot, workspace: Pick<Workspace, 'root' | 'name'>, target: string): Result<Target | undefined, FeatureFailure> {
  const found = resolveTarget(snapshot, workspace, target);
  if (found.ok || snapshot.stamp.asOf === undefined || found.error.code !== 'NOT_FOUND') return found;
  const member = target.includes(SEPARATOR) ? target.slice(headOf(target).length + SEPARATOR.length) : '';
  const moved = member === '' ? found : resolveTarget(snapshot, workspace, member);
  return ok(moved.ok && !moved.value.guessed && moved.value.candidates.length === 0 ? moved.value : undefined);
}

/** The picture of what was not there. */
export function emptyScene(target: string): Scene {
  const name = target.split(SEPARATOR).at(-1) ?? target;
  const summary = `${name} is not part of the code in this state.`;
  return { layout: 'sheet', title: name, summary, starts: [], nodes: [], edges: [], groups: [], expanded: [], omitted: { nodes: 0, edges: 0 } };
}
