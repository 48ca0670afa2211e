import { z } from 'zod';
import type { CancellationToken } from '../../base/cancellation';
import { err, ok, type Result } from '../../base/result';
import type { RemovalQuestion } from '../../knowledge/sync/syncTables';
import { importFiles, readBases } from '../../knowledge/sync/syncWrites';
import type { Workspace } from '../../workspace/snapshot';
import type { FeatureFailure } from '../shared/failure';
import { feature } from '../shared/feature';
import { flag, text } from '../shared/params';
import { object, optional, type Shaped, shape } from '../shared/shape';
import { anchoring } from './anchors';
import { syncConflictShape, syncProblemShape } from './recordShapes';
import { placeOf, readFiles, refusal, serialized, syncFailure } from './syncPlace';

export const importParams = shape(() =>
  object({
    /** The user agreed to many deletions. */
    mayRemoveMany: optional(flag()),
    /** Entities whose files are gone stay; the next export writes their files again. */
    keepRemoved: optional(flag()),
    agentId: optional(text()),
    sessionId: optional(text()),
  }),
);
export type ImportParams = Shaped<typeof importParams>;

export const removalQuestionShape = shape(() => object({ removed: z.number(), total: z.number(), message: z.string() }));

export const importAnswerShape = shape(() =>
  object({
    created: optional(z.number()),
    updated: optional(z.number()),
    merged: optional(z.number()),
    removed: optional(z.number()),
    entries: optional(z.number()),
    conflicts: optional(z.array(syncConflictShape())),
    problems: optional(z.array(syncProblemShape())),
    /** Nothing was done: so many of so many would be deleted, and nobody agreed to that yet. */
    question: optional(removalQuestionShape()),
  }),
);
export type ImportAnswer = Shaped<typeof importAnswerShape>;

/** Reads the files into what is kept, as one transaction. */
export async function importKnowledge(workspace: Workspace, params: ImportParams, token: CancellationToken): Promise<Result<ImportAnswer, FeatureFailure>> {
  const refused = refusal(workspace, true);
  return refused === undefined ? serialized(workspace, () => importNow(workspace, params, token)) : err(refused);
}

async function importNow(workspace: Workspace, params: ImportParams, token: CancellationToken): Promise<Result<ImportAnswer, FeatureFailure>> {
  const { agentId, keepRemoved, mayRemoveMany, sessionId } = params;
  const files = await readFiles(workspace, false, token);
  if (!files.ok) return files;
  const place = placeOf(workspace, token);
  const known = (await place.run(readBases(place))).byHash;
  const changed = files.value.flatMap(({ entity, file }) => (known.has(file.hash) ? [] : (entity?.entity?.knowledge ?? [])));
  const gone = keepRemoved === true ? 'keep' : mayRemoveMany === true ? 'remove' : 'ask';
  const anchorsOf = await anchoring(workspace, changed, token);
  const imported = await importFiles(place, { agentId, sessionId, key: undefined }, { files: files.value, gone, anchorsOf });
  if (!imported.ok) return err(syncFailure(imported.error));
  const { result } = imported.value;
  return ok('question' in result ? { question: questionFor(result.question) } : result);
}

export function questionFor({ removed, total }: RemovalQuestion): NonNullable<ImportAnswer['question']> {
  return { removed, total, message: `The files of ${removed} of ${total} atoms and molecules were deleted. Importing would delete these atoms and molecules.` };
}

export const importKnowledgeFeature = feature({
  name: 'importKnowledge',
  about: 'Imports knowledge from files.',
  params: importParams,
  answer: importAnswerShape,
  run: importKnowledge,
});
