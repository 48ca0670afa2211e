import { mkdir, mkdtemp, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodeHost } from '../../server/src/code/files/nodeHost';
import { coverageFiles } from '../../server/src/engine/view/coverageFiles';
import { removeFolder } from '../helpers/removeFolder.mjs';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lattice-coverage-'));
});
afterEach(() => removeFolder(folder));

const portOf = () => coverageFiles({ root: join(folder, 'shop'), host: nodeHost, caseInsensitive: false, clock: { now: () => 7, monotonic: () => 7 } });

test('reports are read from the usual places, newest first, and again only when they change', async () => {
  await mkdir(join(folder, 'shop', 'coverage'), { recursive: true });
  await writeFile(join(folder, 'shop', 'coverage', 'lcov.info'), 'SF:a.ts\n');
  await writeFile(join(folder, 'shop', 'coverage.xml'), '<coverage/>');
  await utimes(join(folder, 'shop', 'coverage.xml'), 100, 100);
  const port = portOf();
  const { files, problems } = await port.reports();
  expect(files.map(file => file.path)).toEqual(['coverage/lcov.info', 'coverage.xml']);
  expect(files[1]?.modifiedAt).toBe(100_000);
  expect(problems).toEqual([]);
  expect((await port.reports()).files[0]).toBe(files[0]);
  await writeFile(join(folder, 'shop', 'coverage', 'lcov.info'), 'SF:a.ts\nDA:1,1\n');
  expect((await port.reports()).files.find(file => file.path === 'coverage/lcov.info')?.text).toBe('SF:a.ts\nDA:1,1\n');
  expect([await port.modifiedAt('coverage.xml'), await port.modifiedAt('gone.ts'), port.now()]).toEqual([100_000, undefined, 7]);
});

test('links that lead out of the workspace, folders and huge files are told, not read', async () => {
  await mkdir(join(folder, 'shop', 'coverage.json'), { recursive: true });
  await writeFile(join(folder, 'secret'), 'SF:a.ts\n');
  await symlink(join(folder, 'secret'), join(folder, 'shop', 'lcov.info'));
  await writeFile(join(folder, 'shop', 'cover.out'), 'mode: set\n');
  await truncate(join(folder, 'shop', 'cover.out'), 17 << 20);
  const { files, problems } = await portOf().reports();
  expect(files).toEqual([]);
  expect([...problems].sort()).toEqual([
    'cover.out is larger than 16 MB.',
    expect.stringMatching(/^coverage\.json (?:cannot be read|is no file)/),
    'lcov.info is a link to a path outside the workspace.',
  ]);
});
