/**
 * Door of the work features: what tools and the editor ask of features and tasks.
 *
 * Does not know: how an answer is budgeted or shown, who holds a claim (see `coordination`).
 * Invariants: a write is decided inside `Records.write`, so that a retry with the same key finds its first answer; nothing here reads the graph but the
 * coverage of a feature.
 */
import { err, ok, type Result } from '../../base/result';
import type { Author, Decision, Records } from '../../model/records';
import type { WorkFailure } from '../../work/failures';
import type { Workspace } from '../../workspace/snapshot';
import { type FeatureFailure, fromStore } from '../shared/failure';

/** Writes what `decide` decides; a retry with the author's key is answered what the first try was. */
export async function changeWork<T>(
  workspace: Workspace,
  author: Author,
  decide: (records: Records, author: Author) => Result<Decision<T>, WorkFailure>,
): Promise<Result<T, FeatureFailure>> {
  const { records } = workspace;
  const written = await records.write(author, () => decide(records, author));
  if (written.ok) return ok(written.value.result);
  const { error } = written;
  return err(isRefusal(error) ? error : fromStore(error));
}

function isRefusal(error: WorkFailure | { readonly code: string }): error is WorkFailure {
  return 'hint' in error;
}
