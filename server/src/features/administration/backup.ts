import { err, type Failure, ok, type Result } from '../../base/result';
import type { BackupInfo, RestoreReport } from '../../model/backups';
import { type Hint, paramRef, phrase, toolRef } from '../../model/hints';
import type { Author } from '../../model/records';
import type { Workspace } from '../../workspace/snapshot';
import { type FeatureFailure, fromEngine } from '../shared/failure';

/** Keeps a checked copy of what people and agents wrote in the project. */
export async function backup(workspace: Workspace, label: string | undefined): Promise<Result<BackupInfo, FeatureFailure>> {
  if (workspace.backups === undefined) return err(NOTHING_KEPT);
  const made = await workspace.backups.create(label);
  return made.ok ? made : err(backupFailure(made.error));
}

/** Checks a backup and says what restoring it would undo; unless `verifyOnly`, restores it. */
export async function restore(
  workspace: Workspace,
  { backupId, verifyOnly }: { readonly backupId: string; readonly verifyOnly: boolean },
  author: Author,
): Promise<Result<RestoreReport, FeatureFailure>> {
  const { backups } = workspace;
  if (backups === undefined) return err(NOTHING_KEPT);
  const restored = await backups.restore(backupId, verifyOnly, author);
  if (restored.ok) return ok(restored.value);
  const known = restored.error.code === 'NOT_FOUND' ? await backups.list() : undefined;
  const suggestions = known?.ok === true ? known.value.slice(0, 10).map(one => one.backupId) : undefined;
  return err({ ...backupFailure(restored.error), ...(suggestions === undefined ? {} : { data: { suggestions } }) });
}

const NOTHING_KEPT: FeatureFailure = {
  code: 'UNAVAILABLE',
  message: 'This workspace has no data to back up.',
  hint: 'Use the workspace of a project.',
};

const HINTS: Readonly<Record<string, Hint>> = {
  NOT_FOUND: phrase`Use a ${paramRef('backupId')} from ${toolRef('graph_backup')}. data.suggestions lists the latest ones.`,
  CONFLICT: 'Verify the backup again, then retry the restore.',
  STORE_DAMAGED: 'Use another backup. Nothing was changed.',
  STORE_NEWER: 'Update Lattice.',
};

function backupFailure(failure: Failure): FeatureFailure {
  const hint = HINTS[failure.code];
  if (failure.code === 'STORE_DAMAGED' || failure.code === 'STORE_NEWER') return { code: 'UNAVAILABLE', message: failure.message, hint: hint ?? '' };
  const known = fromEngine(failure);
  return hint === undefined ? { ...known, hint: 'Run `lattice doctor`.' } : { ...known, hint };
}
