import { expect, test } from 'vitest';
import type { GraphTxStart } from '../../server/src/store/transactions';
import { MemoryDisk } from './memoryDisk';
import { openStore } from './storeHost';

function started(id: string, more: Partial<GraphTxStart> = {}): GraphTxStart {
  return { id, checkout: '/repository', type: 'full_rebuild', agentId: null, sessionId: null, gitCommit: null, gitBranch: null, gitDirty: null, ...more };
}

const END = { filesAffected: ['b.ts', 'a.ts'], nodeCount: 5, edgeCount: 7, filesParsed: 2, durationMs: 12.4 };

test('a transaction is open, then committed with its files, and all fields come back after a restart', async () => {
  const disk = new MemoryDisk();
  const store = await openStore(disk);
  expect(await store.transactions.begin(started('t1', { agentId: 'me', sessionId: 's', gitCommit: 'abc', gitBranch: 'main', gitDirty: true }))).toMatchObject({
    ok: true,
    value: { status: 'open' },
  });
  await store.transactions.commit('t1', END);
  const expected = {
    id: 't1',
    projectId: 'p',
    checkout: '/repository',
    seq: 1,
    type: 'full_rebuild',
    agentId: 'me',
    sessionId: 's',
    gitCommit: 'abc',
    gitBranch: 'main',
    gitDirty: true,
    timestamp: 1_000_000,
    mode: 'full',
    nodeCount: 5,
    edgeCount: 7,
    filesParsed: 2,
    durationMs: 12,
    status: 'committed',
  };
  expect(store.transactions.find('t1')).toEqual(expected);
  const again = await openStore(disk.survivor('killed'));
  expect(again.transactions.find('t1')).toEqual(expected);
  expect(again.transactions.filesAffected('t1')).toEqual(['a.ts', 'b.ts']);
});

test('a transaction that was open when the process died is aborted', async () => {
  const disk = new MemoryDisk();
  const store = await openStore(disk);
  await store.transactions.begin(started('t1'));
  await store.transactions.begin(started('t2'));
  await store.transactions.abort('t2');
  const again = await openStore(disk.survivor('killed'));
  expect(again.transactions.list({ limit: 10 }).map(({ id, status }) => [id, status])).toEqual([
    ['t2', 'aborted'],
    ['t1', 'aborted'],
  ]);
});

test('finished work is one record; lists are newest first and filtered', async () => {
  const store = await openStore(new MemoryDisk());
  await store.transactions.record({ ...started('t1', { type: 'file_change' }), ...END });
  await store.transactions.record({ ...started('t2', { type: 'file_change', checkout: '/other', agentId: 'me' }), ...END });
  const ids = (filter: { limit: number; checkout?: string; agentId?: string }) => store.transactions.list(filter).map(({ id }) => id);
  expect([ids({ limit: 9 }), ids({ limit: 1 }), ids({ limit: 9, checkout: '/repository' }), ids({ limit: 9, agentId: 'me' })]).toEqual([
    ['t2', 't1'],
    ['t2'],
    ['t1'],
    ['t2'],
  ]);
  expect([store.transactions.latest('/repository')?.mode, store.transactions.count(), store.transactions.count('/other')]).toEqual(['incremental', 2, 1]);
});

test('the newest transaction is the newest that is committed, and a commit tells what git said of the files that were found', async () => {
  const disk = new MemoryDisk();
  const store = await openStore(disk);
  await store.transactions.record({ ...started('t1'), ...END });
  await store.transactions.begin(started('t2', { gitCommit: 'a'.repeat(40), gitDirty: false }));
  expect(store.transactions.latest()?.id).toBe('t1');
  const git = { gitCommit: 'b'.repeat(40), gitBranch: 'next', gitDirty: true };
  await store.transactions.commit('t2', { ...END, git });
  expect(store.transactions.latest()).toMatchObject({ id: 't2', status: 'committed', ...git });
  const again = await openStore(disk.survivor('killed'));
  expect(again.transactions.find('t2')).toMatchObject(git);
});

test('what was never begun cannot be committed', async () => {
  const store = await openStore(new MemoryDisk());
  expect(await store.transactions.commit('none', END)).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
});

test('names of tables and columns that are on the disk of users', async () => {
  const store = await openStore(new MemoryDisk());
  const columns = store.query(
    `SELECT m.name || '(' || group_concat(c.name) || ')' AS text FROM sqlite_master AS m, pragma_table_info(m.name) AS c WHERE m.type = 'table' GROUP BY m.name ORDER BY m.name`,
  );
  expect(columns.map(row => row['text'])).toEqual([
    'applied_key(key,seq,result)',
    'graph_tx(id,project_id,checkout,seq,type,agent_id,session_id,git_commit,git_branch,git_dirty,timestamp,mode,node_count,edge_count,files_parsed,duration_ms,status)',
    'journal_position(segment,seq)',
    'note(seq,text)',
    'store_meta(name,value)',
    'store_recovery(seq,position,timestamp,message)',
    'tx_affects(tx_id,project_id,file_id)',
    'unapplied_record(segment,seq,record,reason)',
  ]);
});

test('of a pruned transaction a stub stays, without its files; of a checkout at most 5,000 do', async () => {
  const disk = new MemoryDisk();
  const store = await openStore(disk);
  for (let n = 0; n < 5_003; n++)
    await store.transactions.record({ ...started(`t${n}`, { type: 'file_change' }), ...END, filesAffected: n < 5 ? ['a.ts'] : [] });
  await store.transactions.record({ ...started('other', { checkout: '/elsewhere' }), ...END });
  expect(await store.transactions.prune('/repository', ['t0', 't1', 't2', 't3'])).toMatchObject({ ok: true });
  const again = await openStore(disk.survivor('killed'));
  expect(again.transactions.count('/repository')).toBe(5_000);
  expect(again.transactions.find('t2')).toBeUndefined();
  expect(again.transactions.find('t3')).toMatchObject({ status: 'committed', nodeCount: 5 });
  expect(again.transactions.filesAffected('t3')).toEqual([]);
  expect(again.transactions.filesAffected('t4')).toEqual(['a.ts']);
  expect(again.transactions.filesAffected('other')).toEqual(['a.ts', 'b.ts']);
});
