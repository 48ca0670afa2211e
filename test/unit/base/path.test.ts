import { describe, expect, test } from 'vitest';
import { basename, dirname, extname, join, normalize, relativeTo } from '../../../server/src/base/path';

describe('taking paths apart', () => {
  test.each([
    ['a/b/c.ts', 'a/b', 'c.ts', '.ts'],
    ['c.d.ts', '', 'c.d.ts', '.ts'],
    ['a/.gitignore', 'a', '.gitignore', ''],
    ['a/Makefile', 'a', 'Makefile', ''],
    ['UPPER.PY', '', 'UPPER.PY', '.py'],
  ])('%s', (path, folder, name, extension) => {
    expect([dirname(path), basename(path), extname(path)]).toEqual([folder, name, extension]);
  });
});

describe('joining stays inside the workspace', () => {
  test.each([
    ['a/b', './c.ts', 'a/b/c.ts'],
    ['a/b', '../c.ts', 'a/c.ts'],
    ['a', '..', ''],
    ['', './x//y/', 'x/y'],
    ['a', '..\\b', 'b'],
    ['a', '../../c', undefined],
  ])('%s + %s', (folder, relative, joined) => {
    expect(join(folder, relative)).toBe(joined);
  });

  test.each([
    ['./a\\b', 'a/b'],
    ['a/../b', 'b'],
    ['/etc/passwd', undefined],
    ['C:\\Windows', undefined],
    ['c:/x', undefined],
    ['\\\\server\\x', undefined],
    ['../x', undefined],
  ])('normalize %s', (input, path) => {
    expect(normalize(input)).toBe(path);
  });
});

describe('absolute paths become relative ones', () => {
  test.each([
    ['/home/ada/shop', '/home/ada/shop/src/a.ts', false, 'src/a.ts'],
    ['/home/ada/shop/', '/home/ada/shop', false, ''],
    ['/home/ada/shop', '/home/ada/shopping/a.ts', false, undefined],
    ['/home/ada/shop', '/home/ada/Shop/a.ts', false, undefined],
    ['/Users/Ada/Shop', '/users/ada/shop/Src/A.ts', true, 'Src/A.ts'],
    ['C:\\Shop', 'c:\\shop\\Src\\a b.ts', true, 'Src/a b.ts'],
    ['c:/Shop', 'C:\\Shop\\x.ts', false, 'x.ts'],
    ['\\\\server\\share\\shop', '\\\\server\\share\\shop\\x.ts', true, 'x.ts'],
    ['/shop', '/shop/a/../../etc/passwd', false, undefined],
  ])('%s ⊃ %s', (root, absolute, caseInsensitive, path) => {
    expect(relativeTo(root, absolute, caseInsensitive)).toBe(path);
  });
});
