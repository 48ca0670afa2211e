import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { defaultDataFolder } from '../../../server/src/main/platform';

const nobody = (): string => {
  throw new Error('uv_os_homedir returned ENOENT');
};

test('a user without a home has the data where LATTICE_HOME says, else below the root', () => {
  expect(defaultDataFolder({ LATTICE_HOME: resolve('/data') }, nobody)).toBe(resolve('/data'));
  expect(defaultDataFolder({}, nobody).startsWith(resolve('/'))).toBe(true);
});
