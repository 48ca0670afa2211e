import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Change } from '../../../server/src/code/files/batcher';
import { FolderWatch } from '../../../server/src/code/files/folderWatch';
import type { EntryKind, FileProblem } from '../../../server/src/code/files/host';
import { nodeHost, nodeKindOf } from '../../../server/src/code/files/nodeHost';
import { PollWatch } from '../../../server/src/code/files/pollWatch';
import { createFileWatcher, type FileWatcher } from '../../../server/src/code/files/watch';
import type { WatchHandle, WatchRequest } from '../../../server/src/code/files/watchHandle';
import { random } from '../../helpers/mutate';
import { tempFolder, writeFiles } from './tempFolder';

/** Resolves with all changes seen once every wanted path was among them. */
function changesOf(watcher: FileWatcher, wanted: readonly string[]): Promise<Change[]> {
  const seen: Change[] = [];
  return new Promise(resolve => {
    watcher.onEvents(batch => {
      seen.push(...batch);
      if (wanted.every(path => seen.some(change => `${change.kind} ${change.path}` === path))) resolve(seen);
    });
  });
}

test('reports real changes and leaves ignored folders alone', async () => {
  const root = tempFolder({ 'a.ts': '1', 'gone.ts': '', 'skip/x.ts': '' });
  const watcher = createFileWatcher({ caseInsensitive: false });
  onTestFinished(() => watcher.stop());
  await watcher.start(root, path => path === 'skip' || path.startsWith('skip/'));
  const changes = changesOf(watcher, ['changed a.ts', 'changed new/b.ts', 'removed gone.ts']);
  writeFiles(root, { 'skip/x.ts': '2', 'a.ts': '22', 'new/b.ts': '' });
  rmSync(join(root, 'gone.ts'));
  expect((await changes).filter(change => change.path.startsWith('skip'))).toEqual([]);
  await watcher.stop();
  expect(watcher.mode).toBe('stopped');
});

/** A watcher of a folder, once it has begun. */
async function watching(root: string, ignore: (path: string, isFolder: boolean) => boolean = () => false): Promise<FileWatcher> {
  const watcher = createFileWatcher({ caseInsensitive: false });
  onTestFinished(() => watcher.stop());
  await watcher.start(root, ignore);
  return watcher;
}

test('a folder that appears, also one moved in, is watched from there on, and its files are told', async () => {
  const base = tempFolder({ 'work/a.ts': '', 'elsewhere/deep/x.ts': '', 'elsewhere/skip/y.ts': '' });
  const root = join(base, 'work');
  const watcher = await watching(root, (path, isFolder) => isFolder && path.endsWith('/skip'));
  const moved = changesOf(watcher, ['changed in/deep/x.ts']);
  renameSync(join(base, 'elsewhere'), join(root, 'in'));
  expect((await moved).some(({ path }) => path.includes('skip'))).toBe(false);
  const edited = changesOf(watcher, ['changed in/deep/x.ts', 'changed in/deep/new.ts']);
  writeFiles(root, { 'in/deep/x.ts': '2', 'in/deep/new.ts': '' });
  await edited;
});

test('a folder that goes is one change, and one that comes back under its name is watched', async () => {
  const root = tempFolder({ 'src/a.ts': '', 'src/deep/b.ts': '' });
  const watcher = await watching(root);
  const gone = changesOf(watcher, ['removed src']);
  rmSync(join(root, 'src'), { recursive: true });
  await gone;
  const back = changesOf(watcher, ['changed src/deep/b.ts']);
  writeFiles(root, { 'src/deep/b.ts': '2' });
  await back;
  const edited = changesOf(watcher, ['changed src/deep/b.ts']);
  writeFiles(root, { 'src/deep/b.ts': '3' });
  await edited;
});

test('a file that is replaced by a rename is changed, not gone', async () => {
  const root = tempFolder({ 'a.ts': '1', 'b.ts': '' });
  const watcher = await watching(root);
  const changes = changesOf(watcher, ['changed a.ts']);
  writeFiles(root, { '.a.ts.tmp': '2' });
  renameSync(join(root, '.a.ts.tmp'), join(root, 'a.ts'));
  expect(await changes).not.toContainEqual({ path: 'a.ts', kind: 'removed' });
});

/** Files below a folder with their content. */
function contentOf(root: string): Record<string, string> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  return Object.fromEntries(
    files.map(entry => join(entry.parentPath, entry.name)).map(path => [relative(root, path).replaceAll('\\', '/'), readFileSync(path, 'utf8')]),
  );
}

test.each([1, 2, 3, 4, 5, 6])('who follows the events has what is on the disk, whatever happens (seed %i)', async seed => {
  const next = random(seed);
  const pick = (count: number): number => Math.floor(next() * count);
  const folder = (): string => ['', 'a', 'a/b', 'c', 'c/d/e'][pick(5)] ?? '';
  const root = tempFolder({ 'a/b/one.ts': '1', 'c/two.ts': '2' });
  const watcher = await watching(root);
  const followed = contentOf(root);
  watcher.onEvents(batch => {
    for (const { path } of batch) {
      const below = Object.keys(followed).filter(known => known === path || known.startsWith(`${path}/`));
      for (const known of below) if (!existsSync(join(root, known))) delete followed[known];
      const real = join(root, path);
      if (statSync(real, { throwIfNoEntry: false })?.isFile()) followed[path] = readFileSync(real, 'utf8');
    }
  });
  for (let step = 0; step < 120; step++) {
    const at = join(root, folder());
    const what = pick(6);
    if (what <= 2) {
      mkdirSync(at, { recursive: true });
      writeFileSync(join(at, `f${pick(4)}.ts`), `${step}`);
    } else if (what === 3) rmSync(join(at, `f${pick(4)}.ts`), { force: true });
    else if (at !== root && existsSync(at)) {
      if (what === 4) rmSync(at, { recursive: true });
      else renameSync(at, join(root, `moved${step}`));
    }
    if (pick(3) === 0) await new Promise(resolve => setImmediate(resolve));
  }
  await expect.poll(() => followed, { timeout: 10_000 }).toEqual(contentOf(root));
});

test('a file that goes while the new folder around it is not watched yet is not kept', async () => {
  const root = tempFolder({ 'a/b/one.ts': '1' });
  const file = join(root, 'a', 'b', 'one.ts');
  const kindOf = async (path: string): Promise<EntryKind> => {
    const kind = await nodeKindOf(path);
    if (path === join(root, 'a') && kind === 'directory') rmSync(file, { force: true });
    return kind;
  };
  const watch = new FolderWatch({ root, polling: false, ignored: () => false }, { list: nodeHost.list, kindOf });
  onTestFinished(() => watch.close());
  let isKept = true;
  watch.onChange((kind, path) => {
    if (kind === 'removed' && path === join(root, 'a')) writeFiles(root, { 'a/b/one.ts': '2' });
    if (file.startsWith(path)) isKept = existsSync(file);
  });
  await new Promise<void>(resolve => watch.onReady(resolve));
  rmSync(join(root, 'a'), { recursive: true });
  await expect.poll(() => isKept).toBe(false);
});

test('polling finds what changed, came and went', async () => {
  const root = tempFolder({ 'a.ts': '1', 'gone.ts': '', 'skip/x.ts': '' });
  const watcher = createFileWatcher({ caseInsensitive: false, open: request => new PollWatch(request, nodeHost, 1) });
  onTestFinished(() => watcher.stop());
  await watcher.start(root, path => path === 'skip');
  const changes = changesOf(watcher, ['changed a.ts', 'changed new/b.ts', 'removed gone.ts']);
  writeFiles(root, { 'skip/x.ts': '2', 'a.ts': '22', 'new/b.ts': '' });
  rmSync(join(root, 'gone.ts'));
  expect((await changes).filter(change => change.path.startsWith('skip'))).toEqual([]);
});

test.runIf(process.platform === 'linux')('reading a folder with many files does not block others', async () => {
  const root = tempFolder({});
  const names = Array.from({ length: 20_000 }, (_, at) => ({ name: `f${at}.ts`, kind: 'file' as const }));
  const watch = new FolderWatch({ root, polling: false, ignored: () => false }, { list: async () => names, kindOf: async () => 'file' });
  onTestFinished(() => watch.close());
  let isReady = false;
  watch.onReady(() => (isReady = true));
  let turns = 0;
  while (!isReady) {
    await new Promise(resolve => setImmediate(resolve));
    turns++;
  }
  expect(turns).toBeGreaterThan(20_000 / 500);
});

/** A watch whose events and faults the test produces. */
class ScriptedWatch implements WatchHandle {
  readonly changes: ((kind: 'changed' | 'removed', path: string) => void)[] = [];
  readonly errors: ((error: unknown) => void)[] = [];
  readonly ready: (() => void)[] = [];
  closed = false;

  constructor(readonly request: WatchRequest) {}

  onChange(listener: (kind: 'changed' | 'removed', path: string) => void): void {
    this.changes.push(listener);
  }

  onError(listener: (error: unknown) => void): void {
    this.errors.push(listener);
  }

  onReady(listener: () => void): void {
    this.ready.push(listener);
  }

  async close(): Promise<void> {
    this.closed = true;
  }

  fail(code: string): void {
    for (const listener of this.errors) listener(Object.assign(new Error(code), { code }));
  }
}

function scripted() {
  const opened: ScriptedWatch[] = [];
  const problems: FileProblem[] = [];
  const watcher = createFileWatcher({
    caseInsensitive: false,
    open: request => {
      const handle = new ScriptedWatch(request);
      opened.push(handle);
      return handle;
    },
  });
  watcher.onProblem(problem => problems.push(problem));
  const last = (): ScriptedWatch => {
    const handle = opened.at(-1);
    if (handle === undefined) throw new Error('nothing was opened');
    return handle;
  };
  return { watcher, opened, problems, last };
}

test.each(['ENOSPC', 'EMFILE'])('%s: polls instead and says so', async code => {
  const { watcher, opened, problems, last } = scripted();
  const started = watcher.start('/r', () => false);
  last().fail(code);
  for (const ready of last().ready) ready();
  await started;
  expect(opened.map(handle => [handle.request.polling, handle.closed])).toEqual([
    [false, true],
    [true, false],
  ]);
  expect([watcher.mode, problems.map(problem => problem.code)]).toEqual(['polling', ['WATCH_LIMIT']]);
});

test('another fault is said once and watching goes on', async () => {
  const { watcher, problems, last } = scripted();
  const started = watcher.start('/r', () => false);
  last().fail('EIO');
  last().fail('EIO');
  await started;
  expect([watcher.mode, problems.map(problem => problem.code)]).toEqual(['events', ['WATCH_FAILED']]);
});

test('one turn of the event loop gives one batch of workspace paths', async () => {
  const { watcher, last } = scripted();
  const started = watcher.start('C:\\work', path => path === 'skip');
  for (const ready of last().ready) ready();
  await started;
  const batch = new Promise<readonly Change[]>(resolve => watcher.onEvents(resolve));
  const emit = (kind: 'changed' | 'removed', path: string): void => last().changes.forEach(listener => listener(kind, path));
  emit('removed', 'C:\\work\\src\\a.ts');
  emit('changed', 'C:\\work\\src\\a.ts');
  emit('removed', 'c:\\work\\old');
  emit('changed', 'D:\\else\\b.ts');
  expect(await batch).toEqual([
    { path: 'src/a.ts', kind: 'changed' },
    { path: 'old', kind: 'removed' },
  ]);
  expect([last().request.ignored('C:\\work\\skip', true), last().request.ignored('C:\\work', true), last().request.ignored('D:\\x', undefined)]).toEqual([
    true,
    false,
    true,
  ]);
});
