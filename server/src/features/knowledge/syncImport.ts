import type { CancellationToken } from '../../base/cancellation';
import { err, ok, type Result } from '../../base/result';
import type { RemovalQuestion } from '../../knowledge/sync/syncTables';
import { agreedOn, type ImportOutcome, importFiles } from '../../knowledge/sync/syncWrites';
import type { Workspace } from '../../workspace/snapshot';
import type { FeatureFailure } from '../shared/failure';
import { anchoring } from './anchors';
import { inTurn, placeOf, readFiles, refusal, syncFailure } from './syncPlace';

export interface ImportParams {
  /** The user agreed to many deletions. */
  readonly mayRemoveMany?: boolean;
  /** Entities whose files are gone stay; the next export writes their files again. */
  readonly keepRemoved?: boolean;
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
  const { agentId, keepRemoved, mayRemoveMany, sessionId } = params;
  const files = await readFiles(workspace, false, token);
  if (!files.ok) return files;
  const place = placeOf(workspace, token);
  const known = (await place.run(agreedOn(place))).byHash;
  const changed = files.value.flatMap(({ entity, file }) => (known.has(file.hash) ? [] : (entity?.entity?.knowledge ?? [])));
  const gone = keepRemoved === true ? 'keep' : mayRemoveMany === true ? 'remove' : 'ask';
  const anchorsOf = await anchoring(workspace, changed, token);
  const imported = await importFiles(place, { agentId, sessionId, key: undefined }, { files: files.value, gone, anchorsOf });
  if (!imported.ok) return err(syncFailure(imported.error));
  const { result } = imported.value;
  return ok('question' in result ? { question: questionFor(result.question) } : result);
}

export function questionFor({ removed, total }: RemovalQuestion): NonNullable<ImportAnswer['question']> {
  return { removed, total, message: `The files of ${removed} of ${total} atoms and molecules are gone; importing would delete them.` };
}
