import { expect, test } from 'vitest';
import { type CodeSurface, joinSurfaces } from '../../server/src/services/surface';

test('surfaces of several checkouts are joined in order; of none there is an empty one', () => {
  const empty = joinSurfaces([]);
  expect(empty).toEqual({ routes: [], calls: [], events: [], rpcs: [], stores: [], starts: [], skipped: [], hosted: [], bindings: [] });
  const at = (file: string): CodeSurface => ({ ...empty, starts: [{ file, line: 1 }], skipped: [{ reason: 'path is computed', place: { file, line: 2 } }] });
  const joined = joinSurfaces([at('a/main.go'), empty, at('b/main.go')]);
  expect(joined.starts.map(place => place.file)).toEqual(['a/main.go', 'b/main.go']);
  expect(joined.skipped.map(({ place }) => place.file)).toEqual(['a/main.go', 'b/main.go']);
});
