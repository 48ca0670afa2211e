import type { CancellationToken } from '../../base/cancellation';
import { err, ok, type Result } from '../../base/result';
import { type ImportOutcome, importFiles, knownFiles } from '../../knowledge/sync/syncWrites';
import type { Workspace } from '../../workspace/snapshot';
import type { FeatureFailure } from '../failure';
import { anchoring } from './anchors';
import { inTurn, placeOf, readFiles, refusal, syncFailure } from './syncPlace';

export interface ImportParams {
  /** The user agreed to many deletions. */
  readonly mayRemoveMany?: boolean;
  readonly agentId?: string;
  readonly sessionId?: string;
}

export interface ImportAnswer extends Partial<ImportOutcome> {
  /** Nothing was done: so many of so many would be deleted, and nobody agreed to that yet. */
  readonly question?: { readonly removed: number; readonly total: number; readonly message: string };
}

/** Reads the files into what is kept, as one transaction. */
export async function importKnowledge(workspace: Workspace, params: ImportParams, token: CancellationToken): Promise<Result<ImportAnswer, FeatureFailure>> {
  const refused = refusal(workspace, true);
  return refused === undefined ? inTurn(workspace, () => importNow(workspace, params, token)) : err(refused);
}

async function importNow(workspace: Workspace, params: ImportParams, token: CancellationToken): Promise<Result<ImportAnswer, FeatureFailure>> {
  const { agentId, mayRemoveMany = false, sessionId } = params;
  const files = await readFiles(workspace, false, token);
  if (!files.ok) return files;
  const known = knownFiles(placeOf(workspace));
  const changed = files.value.flatMap(({ entity, file }) => (known.has(file.hash) ? [] : (entity?.entity?.knowledge ?? [])));
  const anchorsOf = await anchoring(workspace, changed, token);
  const imported = await importFiles(placeOf(workspace), { agentId, sessionId, key: undefined }, { files: files.value, mayRemoveMany, anchorsOf });
  if (imported.ok) return ok(imported.value.result);
  const { error } = imported;
  if (error.code !== 'NEEDS_CONFIRMATION' || !('removed' in error)) return err(syncFailure(error));
  return ok({ question: { removed: error.removed ?? 0, total: error.total ?? 0, message: error.message } });
}
