import { expect } from 'vitest';
import { type CancellationToken, neverCancelled } from '../../server/src/base/cancellation';
import type { Result } from '../../server/src/base/result';
import { type Answer, FEATURES, type FeatureName, runFeature } from '../../server/src/features/catalogue/catalogue';
import type { FeatureFailure } from '../../server/src/features/shared/failure';
import type { Workspace } from '../../server/src/workspace/snapshot';
import { shop, shopTexts } from './shop';
import { workspaceOf } from './workspaceOf';

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

/** What a feature answers over the shop; of a failure its code, as `failed`, with its data. */
export async function outcomeOf<Name extends FeatureName>(
  name: Name,
  params: unknown,
  workspace: Workspace = workspaceOf(shop, { texts: shopTexts }),
): Promise<Answer<Name> & { readonly failed?: FeatureFailure['code'] }> {
  const answer = await askFeature(name, workspace, params);
  return (answer.ok ? answer.value : { failed: answer.error.code, ...answer.error.data }) as Answer<Name> & { readonly failed?: FeatureFailure['code'] };
}
