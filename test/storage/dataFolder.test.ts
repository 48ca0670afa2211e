import { mkdtemp, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  checkoutFolder,
  type DataHost,
  dataRoot,
  listData,
  prepareCheckout,
  prepareProject,
  projectFolder,
  removeData,
} from '../../server/src/store/dataFolder';
import { nodeDisk } from '../../server/src/store/disk';
import { removeFolder } from '../helpers/removeFolder.mjs';

test.each<[string, DataHost, string]>([
  ['Linux', { platform: 'linux', home: '/home/u', env: {} }, '/home/u/.local/share/lattice'],
  ['Linux with XDG', { platform: 'linux', home: '/home/u', env: { XDG_DATA_HOME: '/data' } }, '/data/lattice'],
  ['Linux with a relative XDG, which is to be ignored', { platform: 'linux', home: '/home/u', env: { XDG_DATA_HOME: 'data' } }, '/home/u/.local/share/lattice'],
  ['macOS', { platform: 'darwin', home: '/Users/u', env: { XDG_DATA_HOME: '/data' } }, '/Users/u/Library/Application Support/Lattice'],
  ['Windows', { platform: 'win32', home: 'C:\\Users\\u', env: { LOCALAPPDATA: 'D:\\Local' } }, 'D:\\Local\\Lattice'],
  ['Windows without LOCALAPPDATA', { platform: 'win32', home: 'C:\\Users\\u', env: {} }, 'C:\\Users\\u\\AppData\\Local\\Lattice'],
  ['LATTICE_HOME', { platform: 'linux', home: '/home/u', env: { LATTICE_HOME: '/elsewhere', XDG_DATA_HOME: '/data' } }, '/elsewhere'],
  ['LATTICE_HOME on Windows', { platform: 'win32', home: 'C:\\Users\\u', env: { LATTICE_HOME: 'E:\\lattice' } }, 'E:\\lattice'],
])('the data folder: %s', (_, host, expected) => {
  expect(dataRoot(host)).toBe(expected);
});

test('folders inside it follow the platform that they are on', () => {
  const windows = projectFolder('C:\\Local\\Lattice', 'C:\\code\\.git');
  expect(windows.journal).toMatch(/^C:\\Local\\Lattice\\projects\\[0-9a-f]{20}\\journal$/);
  expect(checkoutFolder(windows, 'C:\\code').graphPack).toMatch(/\\checkouts\\[0-9a-f]{20}\\graph\.pack$/);
  expect(projectFolder('/d', 'a').folder).not.toBe(projectFolder('/d', 'b').folder);
});

test('projects and checkouts are listed with their size; those whose folders are gone can be removed', async () => {
  const disk = nodeDisk();
  const root = await mkdtemp(join(tmpdir(), 'lattice-data-'));
  try {
    const here = join(root, 'code');
    await disk.makeFolder(here);
    const kept = projectFolder(root, here);
    const gone = projectFolder(root, '/nowhere/.git');
    await prepareProject(disk, kept, here, [here]);
    await prepareCheckout(disk, checkoutFolder(kept, here), here);
    await prepareCheckout(disk, checkoutFolder(kept, '/nowhere/tree'), '/nowhere/tree');
    await prepareProject(disk, gone, '/nowhere/.git', ['/nowhere']);
    await disk.write(gone.factsPack, [Buffer.alloc(5000)]);
    const mode = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;
    if (process.platform !== 'win32') expect([await mode(kept.folder), await mode(kept.description)]).toEqual([0o700, 0o600]);
    const entries = await listData(disk, root);
    const shown = entries.map(({ kind, path, vanished }) => [kind, path, vanished]);
    expect(shown).toHaveLength(4);
    expect(shown).toEqual(
      expect.arrayContaining([
        ['project', here, false],
        ['checkout', here, false],
        ['checkout', '/nowhere/tree', true],
        ['project', '/nowhere', true],
      ]),
    );
    expect(entries.find(({ folder }) => folder === gone.folder)?.sizeBytes).toBeGreaterThanOrEqual(5000);
    for (const entry of entries) if (entry.vanished) expect((await removeData(disk, entry)).ok).toBe(true);
    expect((await listData(disk, root)).map(({ path }) => path)).toEqual([here, here]);
  } finally {
    removeFolder(root);
  }
});
