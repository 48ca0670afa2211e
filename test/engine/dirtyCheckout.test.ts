import { execFileSync } from 'node:child_process';
import { appendFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findGit } from '../../server/src/code/files/git';
import { parseGitIndex } from '../../server/src/code/files/gitIndex';
import { nodeHost } from '../../server/src/code/files/nodeHost';
import { FileTable } from '../../server/src/engine/indexing/fileTable';
import { DirtyCheckout } from '../../server/src/engine/watching/dirtyCheckout';
import { tempFolder, writeFiles } from '../unit/files/tempFolder';

const FILES = { 'src/a.ts': 'a\n', 'src/ab.ts': 'b\n', 'src/été.ts': 'c\n', 'other/x.ts': 'x\n', 'notes.txt': 'n\n' };
const IDENTITY = ['-c', 'user.name=T', '-c', 'user.email=t@example.invalid', '-c', 'commit.gpgsign=false', '-c', 'core.autocrlf=false'];

function repository(version: string) {
  const root = tempFolder(FILES);
  const git = (...args: string[]): void => void execFileSync('git', [...IDENTITY, '-c', `index.version=${version}`, ...args], { cwd: root, stdio: 'ignore' });
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'one');
  return { root, git };
}

/** What is said with the files that are on the disk in the table, and with none. */
async function ask(root: string, folder = ''): Promise<readonly (boolean | null)[]> {
  const top = folder === '' ? root : join(root, folder);
  const place = await findGit(top, nodeHost);
  const table = new FileTable();
  for (const path of Object.keys(FILES)) {
    const inside = folder === '' ? path : path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : undefined;
    const stat = inside === undefined ? undefined : statSync(join(top, inside), { throwIfNoEntry: false });
    if (inside === undefined || stat === undefined) continue;
    const record = { path: inside, language: undefined, contentHash: '', sizeBytes: stat.size, isTest: false, isGenerated: false };
    const signature = { sizeBytes: stat.size, mtimeMs: stat.mtimeMs, inode: stat.ino };
    table.set({ record, signature, factsKey: undefined, syntax: undefined, symbols: 0, isMinified: false, problem: undefined });
  }
  return [await new DirtyCheckout(place, nodeHost, table, top).ask(), await new DirtyCheckout(place, nodeHost, new FileTable(), top).ask()];
}

const CLEAN = [false, false];
const DIRTY = [true, true];

test.each(['2', '3', '4'])('A checkout is dirty when its tracked files differ from the commit (index version %s)', async version => {
  const { root, git } = repository(version);
  expect(await ask(root)).toEqual(CLEAN);
  writeFiles(root, { 'untracked.ts': 'u\n' });
  expect(await ask(root)).toEqual(CLEAN);
  const later = new Date(Date.now() + 5_000);
  utimesSync(join(root, 'src/a.ts'), later, later);
  expect(await ask(root)).toEqual(CLEAN);
  appendFileSync(join(root, 'src/été.ts'), 'more\n');
  expect(await ask(root)).toEqual(DIRTY);
  expect(await ask(root, 'src')).toEqual(DIRTY);
  expect(await ask(root, 'other')).toEqual(CLEAN);
  git('add', 'src');
  expect(await ask(root)).toEqual(DIRTY);
  git('commit', '-q', '-m', 'two');
  expect(await ask(root)).toEqual(CLEAN);
  rmSync(join(root, 'src/a.ts'));
  expect(await ask(root)).toEqual(DIRTY);
  git('checkout', '--', 'src/a.ts');
  expect(await ask(root)).toEqual(CLEAN);
});

/** A file and git's index as they stand when both were written within the same second of a file system that keeps no less. */
function atSecond(root: string, second: number, ...paths: readonly string[]): void {
  for (const path of paths) utimesSync(join(root, path), second, second);
}

test('An edit of the same size within the same second makes a checkout dirty', async () => {
  const { root } = repository('2');
  expect(await ask(root)).toEqual(CLEAN);
  const { mtimeMs } = statSync(join(root, 'src/a.ts'));
  writeFileSync(join(root, 'src/a.ts'), 'A\n');
  const second = Math.floor(mtimeMs / 1000);
  utimesSync(join(root, 'src/a.ts'), second, second + (mtimeMs - second * 1000 > 500 ? 0.25 : 0.75));
  expect(await ask(root)).toEqual(DIRTY);
});

test('A file that was written in the second of the index is compared by its content', async () => {
  const { root, git } = repository('2');
  const second = Math.floor(Date.now() / 1000) - 100;
  atSecond(root, second, ...Object.keys(FILES));
  git('update-index', '--refresh');
  atSecond(root, second, '.git/index');
  expect(await ask(root)).toEqual(CLEAN);
  writeFileSync(join(root, 'src/a.ts'), 'A\n');
  atSecond(root, second, 'src/a.ts');
  expect(await ask(root)).toEqual(DIRTY);
});

test.runIf(process.platform !== 'win32')('A file replaced by another of the same size and time makes a checkout dirty', async () => {
  const { root, git } = repository('2');
  const second = Math.floor(Date.now() / 1000) - 100;
  atSecond(root, second, ...Object.keys(FILES));
  git('update-index', '--refresh');
  expect(await ask(root)).toEqual(CLEAN);
  writeFiles(root, { 'other/new.ts': 'A\n' });
  renameSync(join(root, 'other/new.ts'), join(root, 'src/a.ts'));
  atSecond(root, second, 'src/a.ts');
  expect(await ask(root)).toEqual(DIRTY);
});

test('Line ends that git replaced on their way to the disk are no difference', async () => {
  const { root, git } = repository('2');
  git('config', 'core.autocrlf', 'true');
  rmSync(join(root, 'src/a.ts'));
  git('-c', 'core.autocrlf=true', 'checkout', '--', 'src/a.ts');
  expect(statSync(join(root, 'src/a.ts')).size).toBe(3);
  const later = new Date(Date.now() + 5_000);
  utimesSync(join(root, 'src/a.ts'), later, later);
  expect(await ask(root)).toEqual(CLEAN);
});

test('Contents that were found the same are not read again', async () => {
  const { root } = repository('2');
  const later = new Date(Date.now() + 5_000);
  for (const path of Object.keys(FILES)) utimesSync(join(root, path), later, later);
  const read: string[] = [];
  const host = { ...nodeHost, read: (path: string, limit?: number) => (read.push(path), nodeHost.read(path, limit)) };
  const dirty = new DirtyCheckout(await findGit(root, nodeHost), host, new FileTable(), root);
  expect(await dirty.ask()).toBe(false);
  expect(read).toHaveLength(Object.keys(FILES).length + 1);
  expect(await dirty.ask()).toBe(false);
  expect(read).toHaveLength(Object.keys(FILES).length + 1);
});

test('Without git, and with an index that cannot be read, nothing is said', async () => {
  expect(await ask(tempFolder(FILES))).toEqual([null, null]);
  const { root } = repository('2');
  writeFileSync(join(root, '.git/index'), 'DIRC and nothing more');
  expect(await ask(root)).toEqual([null, null]);
});

test('No bytes break the reader', async () => {
  const { root } = repository('4');
  const whole = Buffer.from(await nodeHost.read(join(root, '.git/index')));
  expect(parseGitIndex(whole)?.entries.map(({ path }) => path)).toEqual(Object.keys(FILES).sort());
  for (let at = 0; at < whole.length; at++) {
    const flipped = Buffer.from(whole);
    flipped[at] = (flipped[at] ?? 0) ^ 0xff;
    for (const bytes of [flipped, whole.subarray(0, at)]) expect(typeof parseGitIndex(bytes)).toMatch(/undefined|object/);
  }
});
