import type { RefusalData } from '../../../protocol/refusals';
import type { CancellationToken } from '../../base/cancellation';
import { err, type Result } from '../../base/result';
import type { ChangeSet } from '../../workspace/changes';
import type { Workspace } from '../../workspace/snapshot';
import type { FeatureFailure } from './failure';

/** What changed since a version, or why nobody can tell. */
export async function changesOf(workspace: Workspace, since: string, token: CancellationToken): Promise<Result<ChangeSet, FeatureFailure>> {
  const changes = await workspace.changes(since === '' ? undefined : since, token);
  if (changes.ok) return changes;
  const { code, message } = changes.error;
  if (code === 'VALIDATION_ERROR') {
    const hint = 'Use a revision such as HEAD~1 or main, a range A..B, a time (2026-01-31), or a transaction ID.';
    return err({ code, message, hint, data: { field: 'since', issues: [{ field: 'since', message }] } });
  }
  const noGit: RefusalData['noGit'] = { reason: 'noGit' };
  return err({ code: 'UNAVAILABLE', message, hint: 'Use files for changed files, or target for a symbol.', ...(code === 'NO_GIT' ? { data: noGit } : {}) });
}
