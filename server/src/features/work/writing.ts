/** Writing of features and tasks. A write is decided inside `Records.write`, so that a retry with the same key finds its first answer. */
import { err, ok, type Result } from '../../base/result';
import type { Author, Decision, Records } from '../../model/records';
import type { WorkFailure } from '../../work/failures';
import type { Workspace } from '../../workspace/snapshot';
import { type FeatureFailure, fromStore } from '../shared/failure';

/** Writes what `decide` decides; a retry with the author's key returns the result of the first attempt. */
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
