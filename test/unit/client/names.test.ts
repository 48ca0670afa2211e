import { expect, test } from 'vitest';
import { shortPaths } from '../../../client/src/names';

test('files of one name are told apart by their folders, as few as do it', () => {
  const paths = ['src/helper/cookie/index.ts', 'src/helper/route/index.ts', 'src/jsx/route/index.ts', 'src/types.ts', 'index.ts'];
  expect([...shortPaths(paths)]).toEqual([
    ['src/helper/cookie/index.ts', 'cookie/index.ts'],
    ['src/helper/route/index.ts', 'helper/route/index.ts'],
    ['src/jsx/route/index.ts', 'jsx/route/index.ts'],
    ['src/types.ts', 'types.ts'],
    ['index.ts', 'index.ts'],
  ]);
});
