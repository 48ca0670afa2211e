import { expect, test } from 'vitest';
import { FEATURES } from '../../../server/src/features/catalogue/catalogue';
import { readParams } from '../../../server/src/features/shared/params';

const read = (feature: keyof typeof FEATURES, given: unknown): unknown => {
  const found = readParams(FEATURES[feature].params, given);
  return found.ok ? found.value : [found.error.message, found.error.data?.['field']];
};

test.each<[keyof typeof FEATURES, unknown, string, string]>([
  ['explain', {}, 'target is missing.', 'target'],
  ['explain', { target: null }, 'target is missing.', 'target'],
  ['explain', { target: 7 }, 'target must be a string.', 'target'],
  ['explain', { target: 'x', limit: 1.5 }, 'limit must be a non-negative integer.', 'limit'],
  ['explain', { target: 'x', limit: -1 }, 'limit must be a non-negative integer.', 'limit'],
  ['explain', { target: 'x', limit: '3' }, 'limit must be a non-negative integer.', 'limit'],
  ['explain', { target: 'x', extra: 1 }, 'Unknown parameter: extra.', 'extra'],
  ['explain', [], 'params must be an object.', 'params'],
  ['explain', null, 'params must be an object.', 'params'],
  ['impact', { files: 'a.ts' }, 'files must be a list of strings.', 'files'],
  ['impact', { files: ['a.ts', 1] }, 'files must be a list of strings.', 'files'],
  ['impact', { relations: ['CALLS', 'nope'] }, 'relations must be a list of relation names.', 'relations'],
  ['impact', { relations: 'CALLS' }, 'relations must be a list of relation names.', 'relations'],
  ['findPath', { from: 'a', to: 'b', minConfidence: Number.NaN }, 'minConfidence must be a number.', 'minConfidence'],
  ['findPath', { from: 'a', to: 'b', undirected: 'yes' }, 'undirected must be true or false.', 'undirected'],
  ['traverse', { entries: ['a'], direction: 'up' }, 'direction must be one of both, out, in.', 'direction'],
])('%s refuses %j: %s', (feature, given, message, field) => {
  expect(read(feature, given)).toEqual([message, field]);
});

test('absent, undefined and null params are left out, relations are read in any spelling', () => {
  expect(read('impact', { target: 'a', since: undefined, files: null, relations: ['calls', 'CALLS', 'called_by'] })).toEqual({
    target: 'a',
    relations: ['CALLS', 'CALLS', 'CALLS'],
  });
  expect(read('health', {})).toEqual({});
});

test('every feature stands under its name, and says in a sentence what it answers', () => {
  for (const [name, feature] of Object.entries(FEATURES)) {
    expect(feature.name).toBe(name);
    expect(feature.about).toMatch(/^[A-Z].*\.$/);
  }
});
