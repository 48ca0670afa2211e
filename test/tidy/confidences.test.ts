import { expect, test } from 'vitest';

const { confidencesIn } = (await import(new URL('./confidences.mjs', import.meta.url).href)) as {
  readonly confidencesIn: (path: string, text: string) => string[];
};

test('a confidence that a writer of sites spells is found, with its line', () => {
  expect(confidencesIn('server/src/code/resolve/sites/sites.ts', 'const a = 1;\nconst sure = 0.95;')).toEqual(['2: 0.95']);
  expect(confidencesIn('server/src/code/resolve/guesses.ts', 'return { node, confidence: 1, source };')).toEqual(['1: confidence: 1']);
});

test('so is one of a route, a request or a link between services, and one for a row of a view', () => {
  expect(confidencesIn('server/src/services/code/languages/go/mux.ts', "add({ framework: 'gin', confidence: 0.95 });")).toEqual(['1: 0.95']);
  expect(confidencesIn('server/src/services/matching/calls.ts', 'Math.max(0.9, call.confidence)')).toEqual(['1: 0.9']);
  expect(confidencesIn('server/src/features/scene/flowScene.ts', "link({ count, confidence: 1, provenance: '' });")).toEqual(['1: confidence: 1']);
  expect(confidencesIn('server/src/features/scene/focusScene.ts', 'edge({ confidence: isSure ? 1 : 0.5 });')).toEqual(['1: confidence: isSure ? 1']);
});

test('so is one that is worked out from another, and one that has a name', () => {
  expect(confidencesIn('server/src/features/impact/impact.ts', 'const doubt = edge.confidence * 0.9;')).toEqual(['1: confidence * 0.9']);
  expect(confidencesIn('server/src/features/impact/impact.ts', 'const doubt = 0.9 * edge.confidence;')).toEqual(['1: 0.9 * edge.confidence']);
  expect(confidencesIn('server/src/features/testSelection/select.ts', 'const STALE_CONFIDENCE = 0.5;')).toEqual(['1: const STALE_CONFIDENCE = 0.5']);
  expect(confidencesIn('server/src/features/impact/changesWith.ts', 'const MIN_CONFIDENCE = 0.3;')).toEqual([]);
});

test('comments, whole numbers and other rooms are left alone', () => {
  expect(confidencesIn('server/src/code/resolve/sites/sites.ts', '/** At least 0.8. */\nconst few = 3;')).toEqual([]);
  expect(confidencesIn('server/src/features/query/findPath.ts', 'const damping = 0.85;')).toEqual([]);
  expect(confidencesIn('server/src/model/evidence.ts', "{ name: 'type', confidence: 0.9 }")).toEqual([]);
});
