import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Change } from '../../../server/src/code/files/batcher';
import type { FileProblem } from '../../../server/src/code/files/host';
import { createFileWatcher, type FileWatcher, type WatchHandle, type WatchRequest } from '../../../server/src/code/files/watch';
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

/** A watch whose events and faults the test produces. */
class ScriptedWatch implements WatchHandle {
  readonly any: ((event: string, path: string) => void)[] = [];
  readonly errors: ((error: unknown) => void)[] = [];
  readonly ready: (() => void)[] = [];
  closed = false;

  constructor(readonly request: WatchRequest) {}

  onAny(listener: (event: string, path: string) => void): void {
    this.any.push(listener);
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
  const emit = (event: string, path: string): void => last().any.forEach(listener => listener(event, path));
  emit('add', 'C:\\work\\src\\a.ts');
  emit('change', 'C:\\work\\src\\a.ts');
  emit('addDir', 'C:\\work\\src');
  emit('unlinkDir', 'c:\\work\\old');
  emit('change', 'D:\\else\\b.ts');
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
