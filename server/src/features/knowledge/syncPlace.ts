import { type CancellationToken, throwIfCancelled } from '../../base/cancellation';
import { err, type Failure, ok, type Result } from '../../base/result';
import { runSteps } from '../../base/steps';
import { type ReadFile, readFolderFile } from '../../knowledge/sync/sharedFolder';
import { readBases, type SyncFailure, type SyncPlace } from '../../knowledge/sync/syncWrites';
import type { Records } from '../../model/records';
import type { Workspace } from '../../workspace/snapshot';
import { type FeatureFailure, fromEngine } from '../shared/failure';

/** Files read between two turns of the event loop. */
const FILES_PER_TURN = 20;

export function placeOf(workspace: Workspace, token: CancellationToken): SyncPlace {
  const pause = (): Promise<void> | undefined => workspace.pause?.();
  return { records: workspace.records, checkout: workspace.root, run: steps => runSteps(steps, pause, token) };
}

/** The knowledge files as they are on disk. With `all`, each is read anew, else only those that are not as they were last agreed on. */
export async function readFiles(workspace: Workspace, all: boolean, token: CancellationToken): Promise<Result<readonly ReadFile[], FeatureFailure>> {
  const found = await workspace.knowledgeFiles.read();
  if (!found.ok) return err(fromEngine(found.error));
  const place = placeOf(workspace, token);
  const known = all ? undefined : (await place.run(readBases(place))).byHash;
  const files: ReadFile[] = [];
  for (const [index, file] of found.value.entries()) {
    if (index % FILES_PER_TURN === FILES_PER_TURN - 1) await workspace.pause?.();
    throwIfCancelled(token);
    files.push(readFolderFile(file, known?.get(file.hash)));
  }
  return ok(files);
}

/** Exports, imports and resolutions of one checkout, one after another. */
export function serialized<T>(workspace: Workspace, work: () => Promise<T>): Promise<T> {
  const turns = workspace.records.companion(makeTurns);
  const outcome = (turns.get(workspace.root) ?? Promise.resolve()).then(work);
  turns.set(
    workspace.root,
    outcome.catch(() => undefined),
  );
  return outcome;
}

function makeTurns(_records: Records): Map<string, Promise<unknown>> {
  return new Map();
}

export function syncFailure(failure: SyncFailure | Failure): FeatureFailure {
  switch (failure.code) {
    case 'VALIDATION_ERROR':
      return { code: 'VALIDATION_ERROR', message: failure.message, hint: 'Run `lattice knowledge check` to list all problems in the files.' };
    case 'CONFLICT':
      return { code: 'CONFLICT', message: failure.message, hint: 'Compare both versions again, then resolve the conflict.' };
    case 'NOT_FOUND':
      return { code: 'NOT_FOUND', message: failure.message, hint: 'List the conflicts to see which exist.' };
    default:
      return fromEngine(failure);
  }
}

/** Sharing may be switched off; what would write rows also wants a workspace that its user trusts. */
export function refusal(workspace: Workspace, writesRows: boolean): FeatureFailure | undefined {
  const { sync, trusted } = workspace.knowledgeFiles.settings();
  if (sync === 'off')
    return {
      code: 'FORBIDDEN',
      message: 'Knowledge is not synchronized with files, because lattice.knowledge.sync is off.',
      hint: 'Set it to manual or auto.',
    };
  if (writesRows && !trusted)
    return {
      code: 'FORBIDDEN',
      message: 'Knowledge files are not imported, because this workspace is not trusted.',
      hint: 'Trust the workspace in the editor.',
    };
  return undefined;
}
