import { join } from 'node:path';
import { expect, test } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import { KNOWLEDGE_KINDS, KNOWLEDGE_MIGRATIONS } from '../../server/src/knowledge/tables';
import { MEMORY_KINDS, MEMORY_MIGRATIONS } from '../../server/src/memory/tables';
import { IdempotentCalls } from '../../server/src/session/idempotency';
import { ProjectRecords } from '../../server/src/store/projectRecords';
import type { ProjectStore } from '../../server/src/store/projectStore';
import { TOOLS } from '../../server/src/tools/catalogue';
import type { Envelope } from '../../server/src/tools/envelope';
import { invoke } from '../../server/src/tools/invoke';
import { WORK_KINDS, WORK_MIGRATIONS } from '../../server/src/work/tables';
import { shop } from '../helpers/shop';
import { workspaceOf } from '../helpers/workspaceOf';
import { Died, MemoryDisk } from './memoryDisk';
import { ManualClock, openStore, PROJECT } from './storeHost';

const ANSWERED = 'session.answered';
let ids = 0;

/** An owner of the project: its store, and its tools as the session calls them, each write under a key. */
async function ownerOf(
  disk: MemoryDisk,
  clock = new ManualClock(),
): Promise<{ readonly store: ProjectStore; call(name: string, input: object, key?: string): Promise<Envelope> }> {
  const store = await openStore(disk, {
    clock,
    kinds: [{ kind: ANSWERED, apply: () => undefined }, ...KNOWLEDGE_KINDS, ...WORK_KINDS, ...MEMORY_KINDS],
    migrations: [...KNOWLEDGE_MIGRATIONS, ...WORK_MIGRATIONS, ...MEMORY_MIGRATIONS],
  });
  const newId = (): string => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`;
  const records = new ProjectRecords({ store, projectId: 'p', newId, checkout: '/shop' });
  const workspace = workspaceOf(shop, { records });
  const calls = new IdempotentCalls({
    recall: key => {
      const known = store.resultOf(key)?.result;
      return typeof known === 'string' ? known : undefined;
    },
    remember: async (key, answer) => void (await store.append({ kind: ANSWERED, payload: {}, key, result: answer })),
  });
  return {
    store,
    call: async (name, input, key = `key ${++ids}`) => {
      const invocation = { name, input: { profile: 'debug', ...input }, agentId: undefined, sessionId: 's', idempotencyKey: key };
      return (await calls.run(key, () => invoke(TOOLS, workspace, invocation, neverCancelled))).envelope;
    },
  };
}

const newTask = (name: string): object => ({ operation: 'create', containerType: 'task', name });
const idOf = (envelope: Envelope): string => ((envelope.data ?? {})['task'] as { readonly id: string }).id;
const namesIn = (store: ProjectStore): unknown[] => store.query('SELECT name FROM work_containers ORDER BY name').map(row => row['name']);

test.each([
  ['ENOSPC', 'append', 'UNAVAILABLE', /disk is full/, /free some disk space/i],
  ['ENOSPC', 'sync', 'UNAVAILABLE', /disk is full/, /free some disk space/i],
  ['EDQUOT', 'append', 'UNAVAILABLE', /quota/, /free some disk space/i],
  ['EROFS', 'openAppend', 'READ_ONLY', /read-only file system/, /LATTICE_HOME/],
  ['EACCES', 'openAppend', 'READ_ONLY', /is not writable/, /LATTICE_HOME/],
  ['EIO', 'sync', 'UNAVAILABLE', /could not save/, /lattice doctor/],
])(
  '%s at %s: the agent is told %s, nothing is changed or acknowledged, reading goes on, and later writes work',
  async (code, operation, errorCode, message, hint) => {
    const disk = new MemoryDisk();
    const { call, store } = await ownerOf(disk);
    const id = idOf(await call('manage_container', newTask('before')));
    await store.snapshot();
    disk.fault = (name, path) => (name === operation && path.startsWith(PROJECT.journal) ? code : undefined);
    const refused = await call('task_update', { taskId: id, status: 'completed' });
    expect(refused).toMatchObject({ ok: false, errorCode, summary: expect.stringMatching(message), hint: expect.stringMatching(hint) });
    expect((await call('query_container', { operation: 'get', id })).data?.['task']).toMatchObject({ status: 'pending', version: 1 });
    disk.fault = () => undefined;
    expect(await call('task_update', { taskId: id, status: 'completed' })).toMatchObject({ ok: true, data: { task: { version: 2 } } });
    const next = await ownerOf(disk.survivor('powerLoss'));
    expect((await next.call('query_container', { operation: 'get', id, history: true })).data).toMatchObject({
      task: { status: 'completed' },
      history: [{ version: 2 }, { version: 1 }],
    });
  },
);

test('an acknowledged write costs one sync, its retry none, and the next owner answers the retry as the first did', async () => {
  const disk = new MemoryDisk();
  const { call, store } = await ownerOf(disk);
  await call('manage_container', newTask('first'));
  const before = disk.syncs;
  const made = await call('manage_container', newTask('one'), 'same');
  expect(disk.syncs - before).toBe(1);
  expect(await call('manage_container', newTask('one'), 'same')).toEqual(made);
  expect(disk.syncs - before).toBe(1);
  const next = await ownerOf(disk.survivor('killed'));
  const again = await next.call('manage_container', newTask('one'), 'same');
  expect(again.data).toEqual(made.data);
  expect(namesIn(next.store)).toEqual(['first', 'one']);
  await store.close();
});

test('a clock that is set back reorders nothing', async () => {
  const disk = new MemoryDisk();
  const clock = new ManualClock();
  const { call, store } = await ownerOf(disk, clock);
  const first = idOf(await call('manage_container', newTask('first')));
  clock.time -= 500_000;
  await call('manage_container', newTask('second'));
  await call('task_update', { taskId: first, fields: { summary: 'x' } });
  const next = (((await call('get_next_task', { limit: 2 })).data ?? {})['items'] as readonly { readonly name: string }[]).map(item => item.name);
  expect(next).toEqual(['first', 'second']);
  const times = store.query('SELECT at FROM work_versions ORDER BY seq').map(row => Number(row['at']));
  expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
  const [row] = store.query('SELECT created_at, updated_at FROM work_containers WHERE id = ?', [first]);
  expect(String(row?.['updated_at']) > String(row?.['created_at'])).toBe(true);
});

test.each([
  ['a flipped bit in the newest snapshot', 'view', /^view-00000002\.db$/, (bytes: Buffer) => flipped(bytes, bytes.length >> 1)],
  ['a truncated newest snapshot', 'view', /^view-00000002\.db$/, (bytes: Buffer) => bytes.subarray(0, 1000)],
  ['an empty newest snapshot', 'view', /^view-00000002\.db$/, () => Buffer.alloc(0)],
  ['a flipped bit in a journal that both snapshots contain', 'journal', /^journal-00000001-/, (bytes: Buffer) => flipped(bytes, bytes.length >> 1)],
  ['a truncated journal that both snapshots contain', 'journal', /^journal-00000001-/, (bytes: Buffer) => bytes.subarray(0, 10)],
])('%s: everything acknowledged is there', async (_, folder, name, damage) => {
  const disk = new MemoryDisk();
  const { call, store } = await ownerOf(disk);
  for (const text of ['one', 'two']) {
    await call('manage_container', newTask(text));
    const kept = folder === 'journal' && text === 'two' ? disk.survivor('killed') : undefined;
    await store.snapshot();
    for (const [path, file] of kept?.files ?? []) if (!disk.files.has(path) && path.startsWith(join(PROJECT.journal))) disk.files.set(path, file);
  }
  await call('manage_container', newTask('three'));
  const after = disk.survivor('powerLoss');
  after.change(after.find(name), damage);
  const next = await ownerOf(after);
  expect(namesIn(next.store)).toEqual(['one', 'three', 'two']);
  expect(next.store.query('SELECT * FROM unapplied_record')).toEqual([]);
});

function flipped(bytes: Buffer, at: number): Buffer {
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes;
}

test.each(['killed', 'powerLoss'] as const)('whatever the moment of death (%s), a task is there with all its sections or not at all', async how => {
  for (let dieAt = 1; ; dieAt++) {
    const disk = new MemoryDisk();
    const { call, store } = await ownerOf(disk);
    const { id } = ((await call('manage_template', { operation: 'create', name: 't', sections: [{ title: 'a' }, { title: 'b' }] })).data ?? {})['template'] as {
      id: string;
    };
    const acknowledged: string[] = [];
    disk.dieAt = disk.operations + dieAt;
    let died = false;
    try {
      for (const name of ['one', 'two', 'three']) {
        if ((await call('manage_container', { ...newTask(name), templateId: id })).ok) acknowledged.push(name);
        if (name === 'two') await store.snapshot();
      }
    } catch (error) {
      if (!(error instanceof Died)) throw error;
    }
    died = disk.operations >= disk.dieAt;
    const next = await ownerOf(disk.survivor(how));
    const names = namesIn(next.store);
    expect(acknowledged.filter(name => !names.includes(name))).toEqual([]);
    expect(next.store.query('SELECT count(*) AS n FROM work_sections')).toEqual([{ n: names.length * 2 }]);
    if (!died) break;
  }
});
