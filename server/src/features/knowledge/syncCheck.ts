import { z } from 'zod';
import type { CancellationToken } from '../../base/cancellation';
import { err, ok, type Result } from '../../base/result';
import { planImport } from '../../knowledge/sync/plan';
import type { SyncProblem } from '../../knowledge/sync/problems';
import { sharedFolder } from '../../knowledge/sync/sharedFolder';
import type { Workspace } from '../../workspace/snapshot';
import type { FeatureFailure } from '../shared/failure';
import { feature } from '../shared/feature';
import { noParams } from '../shared/params';
import { object, type Shaped, shape } from '../shared/shape';
import { syncProblemShape } from './recordShapes';
import { placeOf, readFiles } from './syncPlace';

export const checkAnswerShape = shape(() =>
  object({
    atoms: z.number(),
    molecules: z.number(),
    entries: z.number(),
    /** In order of path and line. */
    problems: z.array(syncProblemShape()),
  }),
);
export type CheckAnswer = Shaped<typeof checkAnswerShape>;

/** Looks at the files alone, as a machine that has none of their knowledge would. Changes nothing. */
export async function checkKnowledge(workspace: Workspace, _params: object, token: CancellationToken): Promise<Result<CheckAnswer, FeatureFailure>> {
  const files = await readFiles(workspace, true, token);
  if (!files.ok) return err(files.error);
  const { run } = placeOf(workspace, token);
  const folder = await run(sharedFolder(files.value, []));
  if ('refusal' in folder) return ok({ atoms: 0, molecules: 0, entries: 0, problems: [folder.refusal] });
  const { created, entries, problems } = await run(planImport({ entities: new Map(), entriesOf: () => [] }, new Map(), folder));
  const atoms = created.filter(({ kind }) => kind === 'atom').length;
  return ok({ atoms, molecules: created.length - atoms, entries: entries.length, problems: [...problems].sort(byPlace) });
}

function byPlace(a: SyncProblem, b: SyncProblem): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.line - b.line;
}

export const checkKnowledgeFeature = feature({
  name: 'checkKnowledge',
  about: 'Validates the knowledge files.',
  params: noParams,
  answer: checkAnswerShape,
  run: checkKnowledge,
});
