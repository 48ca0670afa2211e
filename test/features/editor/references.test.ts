import { expect, test } from 'vitest';
import { outcomeOf } from '../../helpers/askFeature';
import { shapes } from '../../helpers/shapes';
import { workspaceOf } from '../../helpers/workspaceOf';

test('references are the lines that name a symbol, as many as its lens counts, certain ones first', async () => {
  const workspace = workspaceOf(shapes);
  expect(await outcomeOf('references', { id: 'a.ts::make' }, workspace)).toEqual({
    places: [
      { path: 'a.test.ts', line: 1, possible: false },
      { path: 'a.ts', line: 15, possible: false },
    ],
  });
  expect(await outcomeOf('references', { id: 'a.ts::Circle::area' }, workspace)).toEqual({ places: [{ path: 'a.ts', line: 15, possible: true }] });
  expect(await outcomeOf('references', { id: 'a.ts::gone' }, workspace)).toEqual({ places: [] });
});
