import { z } from 'zod';
import type { CancellationToken } from '../../base/cancellation';
import { err, ok, type Result } from '../../base/result';
import type { FileChange, NewBase } from '../../knowledge/sync/plan';
import { problem, type SyncProblem } from '../../knowledge/sync/problems';
import { exportOf, noteExported } from '../../knowledge/sync/syncWrites';
import type { KnowledgeFileOutcome } from '../../workspace/knowledgeFiles';
import type { Workspace } from '../../workspace/snapshot';
import type { FeatureFailure } from '../shared/failure';
import { feature } from '../shared/feature';
import { text } from '../shared/params';
import { object, optional, type Shaped, shape } from '../shared/shape';
import { syncConflictShape, syncProblemShape } from './recordShapes';
import { placeOf, readFiles, refusal, serialized, syncFailure } from './syncPlace';

export const exportParams = shape(() =>
  object({
    agentId: optional(text()),
    sessionId: optional(text()),
  }),
);
export type ExportParams = Shaped<typeof exportParams>;

export const exportAnswerShape = shape(() =>
  object({
    /** Workspace paths. */
    written: z.array(z.string()),
    removed: z.array(z.string()),
    /** Entities whose file is newer than what is kept: an import comes first. */
    pending: z.array(z.string()),
    conflicts: z.array(syncConflictShape()),
    problems: z.array(syncProblemShape()),
  }),
);
export type ExportAnswer = Shaped<typeof exportAnswerShape>;

/** Writes the knowledge into files as far as those are not newer. */
export async function exportKnowledge(workspace: Workspace, params: ExportParams, token: CancellationToken): Promise<Result<ExportAnswer, FeatureFailure>> {
  const refused = refusal(workspace, false);
  return refused === undefined ? serialized(workspace, () => exportNow(workspace, params, undefined, token)) : err(refused);
}

/** For callers that have their turn already. */
export async function exportNow(
  workspace: Workspace,
  { agentId, sessionId }: ExportParams,
  only: ReadonlySet<string> | undefined,
  token: CancellationToken,
): Promise<Result<ExportAnswer, FeatureFailure>> {
  const place = placeOf(workspace, token);
  const files = await readFiles(workspace, false, token);
  if (!files.ok) return files;
  const plan = await exportOf(place, files.value, only);
  if (!plan.ok) return err(syncFailure(plan.error));
  const { bases, changes, conflicts, forgotten, pending, problems } = plan.value;
  const outcomes = await workspace.knowledgeFiles.change(changes.map(({ expected, path, text }) => ({ path, text, expected })));
  const byPath = new Map(outcomes.map(outcome => [outcome.path, outcome]));
  const done = changes.filter(({ path }) => byPath.get(path)?.problem === undefined);
  const agreed = done.flatMap(change => baseOf(change, byPath.get(change.path)));
  const noted = await noteExported(
    place,
    { agentId, sessionId, key: undefined },
    { bases: [...bases, ...agreed], forgotten: done.length === changes.length ? forgotten : [] },
  );
  if (!noted.ok) return err(syncFailure(noted.error));
  return ok({
    written: done.flatMap(({ path, text }) => (text === undefined ? [] : [path])),
    removed: done.flatMap(({ path, text }) => (text === undefined ? [path] : [])),
    pending,
    conflicts,
    problems: [...problems, ...outcomes.flatMap(failureOf)],
  });
}

function baseOf({ entity }: FileChange, outcome: KnowledgeFileOutcome | undefined): NewBase[] {
  return entity === undefined || outcome?.hash === undefined ? [] : [{ id: entity.id, entity, fileHash: outcome.hash }];
}

function failureOf({ path, problem: why }: KnowledgeFileOutcome): SyncProblem[] {
  return why === undefined ? [] : [problem(path, 1, why, 'Fix the problem, then export again.')];
}

export const exportKnowledgeFeature = feature({
  name: 'exportKnowledge',
  about: 'Exports knowledge to files.',
  params: exportParams,
  answer: exportAnswerShape,
  run: exportKnowledge,
});
