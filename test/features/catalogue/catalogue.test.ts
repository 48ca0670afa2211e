import { expect, test } from 'vitest';
import { neverCancelled } from '../../../server/src/base/cancellation';
import { type FeatureName, featureNames, type ParamsOf, runFeature } from '../../../server/src/features/catalogue/catalogue';
import { outcomeOf } from '../../helpers/askFeature';
import { shop } from '../../helpers/shop';
import { workspaceOf } from '../../helpers/workspaceOf';

test.each(['none', 'toString'])('there is no feature %s', async name => {
  expect(await runFeature(name, workspaceOf(shop), {}, neverCancelled)).toMatchObject({ ok: false, error: { code: 'VALIDATION_ERROR' } });
});

test.each<[FeatureName, unknown, string]>([
  ['explain', {}, 'VALIDATION_ERROR'],
  ['explain', { target: 7 }, 'VALIDATION_ERROR'],
  ['explain', { target: 'x', extra: 1 }, 'VALIDATION_ERROR'],
  ['explain', null, 'VALIDATION_ERROR'],
  ['impact', {}, 'VALIDATION_ERROR'],
  ['impact', { target: 'total', relations: ['nope'] }, 'VALIDATION_ERROR'],
  ['slice', {}, 'VALIDATION_ERROR'],
  ['slice', { symbol: 'x', context: 'all' }, 'VALIDATION_ERROR'],
  ['hover', { path: '../x', line: 1, column: 0 }, 'FORBIDDEN'],
  ['setWorkspace', { workspaceRoot: '/etc' }, 'FORBIDDEN'],
])('%s of %j fails with %s', async (name, params, failed) => {
  expect(await outcomeOf(name, params)).toMatchObject({ failed });
});

const asking: { readonly [Name in FeatureName]?: ParamsOf<Name> } = {
  explain: { target: 'x' },
  search: { query: 'x' },
  impact: { target: 'x' },
  slice: { symbol: 'x' },
  neighborhood: { target: 'x' },
  exportGraph: {},
  graphScene: { start: 'workspace' },
};

test.each(Object.entries(asking) as [FeatureName, unknown][])('%s says when the first index is not done', async (name, params) => {
  expect(await outcomeOf(name, params, workspaceOf(shop, { notReady: true }))).toMatchObject({ failed: 'NOT_READY' });
});

test('state is told before the first index is done', async () => {
  const starting = workspaceOf(shop, { notReady: true });
  expect(await outcomeOf('indexStatus', {}, starting)).toMatchObject({ progress: { phase: 'parsing' }, nodes: 0 });
  expect(await outcomeOf('health', {}, starting)).toMatchObject({ engine: { watcherState: 'not_started' } });
  expect(await outcomeOf('hover', { path: 'a.ts', line: 1, column: 0 }, starting)).toBeNull();
});

test('every feature is named once', () => {
  expect(new Set(featureNames).size).toBe(featureNames.length);
});
