import { expect, test } from 'vitest';
import { absolutePath, pathToUri, uriToPath } from '../../server/src/transports/lsp/uri';

test.each([
  ['posix', 'file:///home/me/a.ts', '/home/me/a.ts'],
  ['posix', 'file:///home/me/sp%20ace/%C3%A9%23%3F%25.ts', '/home/me/sp ace/é#?%.ts'],
  ['posix', 'file:///', '/'],
  ['posix', 'file://localhost/etc', '/etc'],
  ['posix', 'file:///a%5Cb.ts', '/a\\b.ts'],
  ['windows', 'file:///c%3A/Users/me/a.ts', 'c:\\Users\\me\\a.ts'],
  ['windows', 'file:///C:/Users/me/a.ts', 'c:\\Users\\me\\a.ts'],
  ['windows', 'file:///c%3A/', 'c:\\'],
  ['windows', 'file://server/share/a%20b.ts', '\\\\server\\share\\a b.ts'],
] as const)('%s: %s is %s', (style, uri, path) => {
  expect(uriToPath(uri, style)).toBe(path);
});

test.each([
  ['posix', 'untitled:Untitled-1'],
  ['posix', 'vscode-remote://host/home'],
  ['posix', 'file://server/share'],
  ['posix', 'file:///bad%E9escape'],
  ['posix', 'file:///nul%00'],
  ['posix', ''],
  ['windows', 'file:///home/me'],
] as const)('%s: %s is no path', (style, uri) => {
  expect(uriToPath(uri, style)).toBeUndefined();
});

test.each([
  ['posix', '/home/me/a.ts', 'file:///home/me/a.ts'],
  ['posix', '/a b/é#?%[1].ts', 'file:///a%20b/%C3%A9%23%3F%25%5B1%5D.ts'],
  ['posix', '/lone\uD800.ts', 'file:///lone%EF%BF%BD.ts'],
  ['windows', 'C:\\Users\\a.ts', 'file:///c%3A/Users/a.ts'],
  ['windows', '\\\\Server\\share\\a.ts', 'file://server/share/a.ts'],
] as const)('%s: %s becomes %s', (style, path, uri) => {
  expect(pathToUri(path, style)).toBe(uri);
});

test('what becomes a URI comes back, whatever the name', () => {
  for (const name of ['a.ts', "it's (1)*!.ts", '日本.py', 'a%20b', '#', 'c:d']) {
    expect(uriToPath(pathToUri(`/w/${name}`, 'posix'), 'posix')).toBe(`/w/${name}`);
    if (name === 'c:d') continue;
    expect(uriToPath(pathToUri(`d:\\w\\${name}`, 'windows'), 'windows')).toBe(`d:\\w\\${name}`);
  }
});

test('a workspace path is put below its root in the spelling of the platform', () => {
  expect(absolutePath('/w', 'src/a.ts', 'posix')).toBe('/w/src/a.ts');
  expect(absolutePath('/', 'a.ts', 'posix')).toBe('/a.ts');
  expect(absolutePath('c:\\', 'src/a.ts', 'windows')).toBe('c:\\src\\a.ts');
  expect(absolutePath('/w', '', 'posix')).toBe('/w');
});
