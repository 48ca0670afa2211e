import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { refuseUnsafePlace, writeInWorkspace } from '../../../client/src/writeInWorkspace';
import { tempFolder } from '../files/tempFolder';

test('a file is written whole, with the folders above it, keeps its permissions, and a link inside the folder leads to its file', async () => {
  const folder = tempFolder({ 'inside/': '', 'script.sh': '' });
  symlinkSync(join(folder, 'inside'), join(folder, 'linked'), 'junction');
  await writeInWorkspace(folder, 'a/b/c.json', '{}');
  await writeInWorkspace(folder, 'linked/d/e.json', '[]');
  expect(readFileSync(join(folder, 'a/b/c.json'), 'utf8') + readFileSync(join(folder, 'inside/d/e.json'), 'utf8')).toBe('{}[]');
  writeFileSync(join(folder, 'script.sh'), 'x', { mode: 0o644 });
  const { mode } = statSync(join(folder, 'script.sh'));
  await writeInWorkspace(folder, 'script.sh', 'y');
  expect([readFileSync(join(folder, 'script.sh'), 'utf8'), statSync(join(folder, 'script.sh')).mode]).toEqual(['y', mode]);
  expect(readdirSync(join(folder, 'a/b'))).toEqual(['c.json']);
});

test.each(['../x.json', 'a/../../x.json', '/x.json', 'a//x.json', './x.json', 'a\\x.json', 'C:x.json', 'a\0.json', ''])(
  '%j is no place in a folder',
  async path => {
    const folder = tempFolder({ 'work/': '' });
    await expect(writeInWorkspace(join(folder, 'work'), path, '')).rejects.toThrow('not a path in the workspace');
    expect(readdirSync(folder)).toEqual(['work']);
  },
);

test.each([
  ['a folder that leads outside', '.vscode', '../outside', '.vscode/mcp.json'],
  ['a folder that leads to nothing', '.vscode', '../nothing', '.vscode/mcp.json'],
  ['a file that leads outside', '.mcp.json', '../outside/there.json', '.mcp.json'],
  ['a file that leads to nothing', '.mcp.json', '../outside/new.json', '.mcp.json'],
  ['a folder further down', 'a/b/c', '../../../outside', 'a/b/c/d/e.json'],
  ['a circle', 'loop', 'loop', 'loop/x.json'],
])('nothing is written through %s', async (_, link, target, path) => {
  const base = tempFolder({ 'work/a/b/': '', 'outside/there.json': 'kept' });
  const folder = join(base, 'work');
  symlinkSync(join(folder, link, '..', target), join(folder, link));
  await expect(refuseUnsafePlace(folder, path)).rejects.toThrow(/is a symbolic link to a location/);
  await expect(writeInWorkspace(folder, path, 'x')).rejects.toThrow(/is a symbolic link to a location .* Nothing was written\./);
  expect(readFileSync(join(base, 'outside/there.json'), 'utf8')).toBe('kept');
  expect([readdirSync(base), readdirSync(join(base, 'outside')), existsSync(join(base, 'nothing'))]).toEqual([['outside', 'work'], ['there.json'], false]);
});

test('a folder in place of the file, and a file in place of a folder, are refused', async () => {
  const folder = tempFolder({ 'taken.json/': '', file: '' });
  mkdirSync(join(folder, 'x'));
  await expect(writeInWorkspace(folder, 'taken.json', '')).rejects.toThrow('taken.json is not a file.');
  await expect(writeInWorkspace(folder, 'file/x.json', '')).rejects.toThrow('file is not a folder.');
});
