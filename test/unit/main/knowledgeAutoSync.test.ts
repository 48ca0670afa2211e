import { beforeEach, expect, test } from 'vitest';
import { Emitter } from '../../../server/src/base/emitter';
import type { Change } from '../../../server/src/code/files/batcher';
import type { FileProblem } from '../../../server/src/code/files/host';
import type { FileWatcher } from '../../../server/src/code/files/watch';
import { KnowledgeAutoSync } from '../../../server/src/main/upkeep/knowledgeAutoSync';
import type { KnowledgeSettings } from '../../../server/src/model/settings';
import { memoryRecords } from '../../helpers/memoryRecords';

interface Timer {
  readonly at: number;
  readonly action: () => void;
}

let now: number;
let timers: Set<Timer>;
let done: string[];
let settings: KnowledgeSettings;
let isBusy: boolean;
let isOwner: boolean;
let watchers: {
  readonly events: Emitter<readonly Change[]>;
  root: string | undefined;
  ignores: (path: string, isFolder: boolean) => boolean;
  stopped: boolean;
}[];
let written: Emitter<readonly string[]>;
let inStep: KnowledgeAutoSync;

beforeEach(async () => {
  now = 0;
  timers = new Set();
  done = [];
  settings = { sync: 'auto', trusted: true };
  isBusy = false;
  isOwner = true;
  watchers = [];
  written = new Emitter();
  inStep = new KnowledgeAutoSync({
    root: '/shop',
    records: { ...(await memoryRecords()), onWritten: written.event },
    timers: {
      after: (ms, action) => {
        const timer = { at: now + ms, action };
        timers.add(timer);
        return { dispose: () => void timers.delete(timer) };
      },
    },
    log: { write: (_, message) => void done.push(message) },
    settings: () => settings,
    mayWrite: () => isOwner,
    watcher: fakeWatcher,
    isGitBusy: async () => isBusy,
    exportFiles: async () => void done.push(`export at ${now}`),
    importFiles: async () => void done.push(`import at ${now}`),
  });
});

function fakeWatcher(): FileWatcher {
  const watcher: (typeof watchers)[number] = { events: new Emitter(), root: undefined, ignores: () => false, stopped: false };
  watchers.push(watcher);
  return {
    mode: 'events',
    onEvents: watcher.events.event,
    onProblem: new Emitter<FileProblem>().event,
    start: async (root, ignores) => {
      watcher.root = root;
      watcher.ignores = ignores;
    },
    stop: async () => {
      watcher.stopped = true;
    },
  };
}

/** Lets time pass, with everything that falls due in it. */
async function pass(ms: number): Promise<void> {
  const until = now + ms;
  await new Promise(setImmediate);
  for (;;) {
    const [due] = [...timers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
    if (due === undefined) break;
    timers.delete(due);
    now = Math.max(now, due.at);
    due.action();
    await inStep.settled();
    await new Promise(setImmediate);
  }
  now = until;
}

async function begun(): Promise<void> {
  inStep.update(true);
  await pass(5_000);
  done.splice(0);
}

test('begins with an import, then an export, and watches the folder alone', async () => {
  inStep.update(true);
  await pass(5_000);
  expect(done).toEqual(['import at 500', 'export at 2000']);
  expect(watchers.map(({ root }) => root?.replaceAll('\\', '/'))).toEqual(['/shop']);
  expect(
    ['.lattice', '.lattice/knowledge/atoms/a.md', '.lattice/architecture.yaml', '.lattice/knowledgeable', 'src'].map(path => watchers[0]?.ignores(path, false)),
  ).toEqual([false, false, true, true, true]);
});

test('writes 2 s after a write, once for many', async () => {
  await begun();
  for (let n = 0; n < 5; n++) {
    written.fire(['work', 'knowledge']);
    await pass(300);
  }
  await pass(5_000);
  expect(done).toEqual(['export at 7000']);
  written.fire(['work', 'knowledgeSync']);
  await pass(5_000);
  expect(done).toHaveLength(1);
});

test('reads after a change of the files, once they are quiet', async () => {
  await begun();
  for (let n = 0; n < 5; n++) {
    watchers[0]?.events.fire([{ path: 'knowledge/atoms/a.md', kind: 'changed' }]);
    await pass(300);
  }
  await pass(5_000);
  expect(done).toEqual(['import at 6700']);
});

test('waits while git is at work', async () => {
  await begun();
  isBusy = true;
  watchers[0]?.events.fire([{ path: 'knowledge/atoms/a.md', kind: 'removed' }]);
  written.fire(['knowledge']);
  await pass(10_000);
  expect(done).toEqual([]);
  isBusy = false;
  await pass(2_000);
  expect(new Set(done.map(line => line.split(' ')[0]))).toEqual(new Set(['export', 'import']));
});

test.each<[string, () => void]>([
  ['manual', () => void (settings = { sync: 'manual', trusted: true })],
  ['off', () => void (settings = { sync: 'off', trusted: true })],
  ['not trusted', () => void (settings = { sync: 'auto', trusted: false })],
  ['not the owner any more', () => void (isOwner = false)],
])('does nothing when %s, also when it becomes so', async (_, change) => {
  await begun();
  written.fire(['knowledge']);
  watchers[0]?.events.fire([{ path: 'knowledge/atoms/a.md', kind: 'changed' }]);
  change();
  inStep.update(true);
  written.fire(['knowledge']);
  await pass(10_000);
  expect([done, watchers[0]?.stopped]).toEqual([[], true]);
});

test('begins when it is switched on, ends when nobody stays', async () => {
  settings = { sync: 'manual', trusted: true };
  await begun();
  expect(watchers).toEqual([]);
  settings = { sync: 'auto', trusted: true };
  inStep.update(true);
  await pass(1_000);
  expect(done).toEqual(['import at 5500']);
  inStep.update(false);
  await pass(10_000);
  expect([done.length, watchers[0]?.stopped]).toEqual([1, true]);
  inStep.dispose();
  written.fire(['knowledge']);
  await pass(10_000);
  expect(done).toHaveLength(1);
});
