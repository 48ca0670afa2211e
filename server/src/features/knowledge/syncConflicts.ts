import { z } from 'zod';
import type { CancellationToken } from '../../base/cancellation';
import { err, ok, type Result } from '../../base/result';
import { readEntityFile } from '../../knowledge/sync/entityFile';
import type { SharedEntity } from '../../knowledge/sync/sharedState';
import { conflictsOf, questionOf, type Resolution, readFolder, resolveConflict, rowOf, sidesOf } from '../../knowledge/sync/syncWrites';
import { entityText } from '../../knowledge/sync/textFiles';
import type { Workspace } from '../../workspace/snapshot';
import { type FeatureFailure, invalid } from '../shared/failure';
import { feature } from '../shared/feature';
import { idParams, integer, noParams, text } from '../shared/params';
import { object, optional, type Shaped, shape } from '../shared/shape';
import { anchoring } from './anchors';
import { syncConflictShape } from './recordShapes';
import { type ExportAnswer, exportAnswerShape, exportNow } from './syncExport';
import { questionFor, removalQuestionShape } from './syncImport';
import { placeOf, readFiles, refusal, serialized, syncFailure } from './syncPlace';

export const conflictsAnswerShape = shape(() =>
  object({
    conflicts: z.array(syncConflictShape()),
    /** Asked by the last import, and not answered yet. */
    question: optional(removalQuestionShape()),
  }),
);
export type ConflictsAnswer = Shaped<typeof conflictsAnswerShape>;

/** What rows and files of this checkout could not agree on. */
export async function knowledgeConflicts(workspace: Workspace, _params: object, token: CancellationToken): Promise<Result<ConflictsAnswer, FeatureFailure>> {
  const place = placeOf(workspace, token);
  const question = questionOf(place);
  return ok({ conflicts: conflictsOf(place), ...(question === undefined ? {} : { question: questionFor(question) }) });
}

export const conflictAnswerShape = shape(() =>
  object({
    conflict: syncConflictShape(),
    /** Version of the row; absent when it is gone. */
    version: optional(z.number()),
    /** Hash of the file; absent when it is gone. */
    fileHash: optional(z.string()),
    /** Each side as a file would say it; `''` when there is none. */
    base: z.string(),
    local: z.string(),
    file: z.string(),
  }),
);
export type ConflictAnswer = Shaped<typeof conflictAnswerShape>;

/** One conflict with its three sides, for a merge editor. */
export async function knowledgeConflict(
  workspace: Workspace,
  { id }: { readonly id: string },
  token: CancellationToken,
): Promise<Result<ConflictAnswer, FeatureFailure>> {
  const place = placeOf(workspace, token);
  const conflict = conflictsOf(place).find(one => one.id === id);
  if (conflict === undefined) return err(noConflict(id));
  const files = await readFiles(workspace, false, token);
  if (!files.ok) return files;
  const folder = await place.run(readFolder(place, files.value));
  if (!folder.ok) return err(syncFailure(folder.error));
  const { base, file, local } = sidesOf(place, folder.value, id);
  const version = rowOf(workspace.records, id)?.version;
  const fileHash = folder.value.entities.get(id)?.hash;
  return ok({
    conflict,
    ...(version === undefined ? {} : { version }),
    ...(fileHash === undefined ? {} : { fileHash }),
    base: textOf(base),
    local: textOf(local),
    file: textOf(file),
  });
}

export const resolveParams = shape(() =>
  object({
    id: text(),
    /** `local` keeps the row, `file` takes the file; a side that is gone means deletion. */
    side: optional(text()),
    /** What both sides become, as a file. */
    text: optional(text()),
    /** As `knowledgeConflict` gave them. */
    version: optional(integer()),
    fileHash: optional(text()),
    agentId: optional(text()),
    sessionId: optional(text()),
  }),
);
export type ResolveParams = Shaped<typeof resolveParams>;

/** Ends a conflict by one side or by a text, and writes the entity's file. */
export async function resolveKnowledge(workspace: Workspace, params: ResolveParams, token: CancellationToken): Promise<Result<ExportAnswer, FeatureFailure>> {
  const refused = refusal(workspace, true);
  if (refused !== undefined) return err(refused);
  const resolution = resolutionOf(params);
  if (!resolution.ok) return resolution;
  return serialized(workspace, async () => {
    const { agentId, fileHash, id, sessionId, version } = params;
    const files = await readFiles(workspace, false, token);
    if (!files.ok) return files;
    const texts = 'entity' in resolution.value ? [resolution.value.entity.knowledge] : [];
    const anchorsOf = await anchoring(workspace, texts, token);
    const author = { agentId, sessionId, key: undefined };
    const request = { id, resolution: resolution.value, files: files.value, version, fileHash, anchorsOf };
    const resolved = await resolveConflict(placeOf(workspace, token), author, request);
    return resolved.ok ? exportNow(workspace, params, new Set([id]), token) : err(syncFailure(resolved.error));
  });
}

function resolutionOf({ id, side, text }: ResolveParams): Result<Resolution, FeatureFailure> {
  if (side === 'local' || side === 'file') return ok({ side });
  if (side !== undefined || text === undefined) return err(invalid('side', 'side must be local or file, or text must be specified.'));
  const folder = id.startsWith('molecule::') ? 'molecules' : 'atoms';
  const { entity, problems } = readEntityFile(`.lattice/knowledge/${folder}/resolved.md`, text);
  const [first] = problems;
  if (entity === undefined) return err(invalid('text', `Line ${first?.line ?? 1}: ${first?.message ?? 'not readable.'} ${first?.fix ?? ''}`));
  return entity.id === id ? ok({ entity }) : err(invalid('text', `The text belongs to ${entity.id}, not to ${id}.`));
}

function textOf(entity: SharedEntity | undefined): string {
  return entity === undefined ? '' : entityText(entity);
}

function noConflict(id: string): FeatureFailure {
  return { code: 'NOT_FOUND', message: `There is no conflict for ${id}.`, hint: 'List the conflicts to see which exist.' };
}

export const knowledgeConflictsFeature = feature({
  name: 'knowledgeConflicts',
  about: 'Conflicts between stored knowledge and knowledge files.',
  params: noParams,
  answer: conflictsAnswerShape,
  run: knowledgeConflicts,
});

export const knowledgeConflictFeature = feature({
  name: 'knowledgeConflict',
  about: 'One conflict: base, stored and file text.',
  params: idParams,
  answer: conflictAnswerShape,
  run: knowledgeConflict,
});

export const resolveKnowledgeFeature = feature({
  name: 'resolveKnowledge',
  about: 'Resolves a conflict with one side or with a merged text.',
  params: resolveParams,
  answer: exportAnswerShape,
  run: resolveKnowledge,
});
