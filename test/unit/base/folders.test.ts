import { expect, test } from 'vitest';
import { makeFolders } from '../../../server/src/base/folders';

const fault = (code: string): Error => Object.assign(new Error(code), { code });

/** A file system of folders and files; below a `barren` folder nothing can be made, and it says so as /proc does. */
function disk(
  folders: readonly string[],
  files: readonly string[] = [],
  barren?: string,
): { made: string[]; calls: number } & Parameters<typeof makeFolders>[1] {
  const known = new Set(folders);
  return {
    made: [],
    calls: 0,
    async make(path) {
      this.calls++;
      if (known.has(path) || files.includes(path)) throw fault('EEXIST');
      const parent = path.slice(0, Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'))) || '/';
      if (files.includes(parent)) throw fault('ENOTDIR');
      if (!known.has(parent) || parent === barren) throw fault('ENOENT');
      known.add(path);
      this.made.push(path);
    },
    isFolder: path => Promise.resolve(known.has(path)),
  };
}

test.each([
  { there: ['/', '/a'], path: '/a/b/c', made: ['/a/b', '/a/b/c'] },
  { there: ['/', '/a', '/a/b'], path: '/a/b/', made: ['/a/b/'] },
  { there: ['/', '/a'], path: '/a', made: [] },
  { there: ['C:', 'C:\\Users'], path: 'C:\\Users\\Ann\\Lattice', made: ['C:\\Users\\Ann', 'C:\\Users\\Ann\\Lattice'] },
])('$path is made with what is missing above it', async ({ there, path, made }) => {
  const maker = disk(there);
  await makeFolders(path, maker);
  expect(maker.made).toEqual(made);
});

test.each([
  { path: '/proc/nope/projects', code: 'ENOENT' },
  { path: '/file/below', code: 'ENOTDIR' },
  { path: '/file', code: 'EEXIST' },
  { path: 'Z:\\gone\\Lattice', code: 'ENOENT' },
])('$path fails with $code after a few tries', async ({ path, code }) => {
  const maker = disk(['/', '/proc'], ['/file'], '/proc');
  await expect(makeFolders(path, maker)).rejects.toMatchObject({ code });
  expect(maker.calls).toBeLessThanOrEqual(6);
});
