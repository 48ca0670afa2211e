import { expect } from 'vitest';
import { type CancellationToken, neverCancelled } from '../../server/src/base/cancellation';
import type { Result } from '../../server/src/base/result';
import { type Answer, FEATURES, type FeatureName, runFeature } from '../../server/src/features/catalogue/catalogue';
import type { FeatureFailure } from '../../server/src/features/shared/failure';
import type { Workspace } from '../../server/src/workspace/snapshot';

/** Asks a feature as a door does, with whatever came over the wire, and holds its answer against the shape that it promises. */
export async function askFeature<Name extends FeatureName>(
  name: Name,
  workspace: Workspace,
  params: unknown,
  token: CancellationToken = neverCancelled,
): Promise<Result<Answer<Name>, FeatureFailure>> {
  const answer = await runFeature(name, workspace, params, token);
  if (!answer.ok) return answer;
  expect(FEATURES[name].answer().safeParse(answer.value).error?.issues ?? [], `the answer of ${name}`).toEqual([]);
  return { ok: true, value: answer.value as Answer<Name> };
}
