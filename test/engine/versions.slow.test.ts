import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import { type Asking, Checkout } from './checkout';
import { closeAll, exported, open, repository } from './repository';

afterEach(closeAll);

/** Brings the index in step with the folder; answers with the transaction. */
async function rebuilt(asking: Asking, mode: 'incremental' | 'full' = 'incremental'): Promise<string> {
  const { envelope } = await asking.call('graph_rebuild', { mode });
  const txId = String(envelope.data?.['txId']);
  // A recorded state is read behind all that is being indexed.
  await asking.call('search_code', { query: 'any', asOf: txId });
  return txId;
}

async function transaction(asking: Asking, id: string): Promise<Readonly<Record<string, unknown>>> {
  const found = await asking.gateway.query('explain', { target: `tx::${id}` }, asking.caller(), neverCancelled);
  if (!found.ok) throw new Error(found.error.message);
  return (found.value as { readonly attributes: Readonly<Record<string, unknown>> }).attributes;
}

const MONEY = 'export function add() {\n  return 1;\n}\nexport class Till {\n  close() {\n    return add();\n  }\n}\n';
const USE = "import { add } from '@m/money';\nexport const twice = () => add();\n";

test('without git, a state is the one that was indexed then, to the byte: nodes and edges, by transaction and by time, before and after a restart', async () => {
  const made = new Checkout({
    'package.json': '{"name":"shop"}',
    'tsconfig.json': '{"compilerOptions":{"paths":{"@m/*":["./src/*"]}}}',
    'src/money.ts': MONEY,
    'use.ts': USE,
    'gone.ts': 'export function gone() {}\n',
    'blob.ts': Uint8Array.from([0, 1, 2, 0, 255]),
  });
  open.push(made);
  const asking = await made.open();
  const states = [{ txId: (await asking.health()).latestTxId, rows: await exported(asking) }];
  const note = async (): Promise<void> => void states.push({ txId: await rebuilt(asking), rows: await exported(asking) });
  made.write({ 'src/money.ts': MONEY.replace('return 1', 'return 2'), 'new.ts': "import { Till } from './src/money';\nnew Till().close();\n" });
  await note();
  made.write({ 'tsconfig.json': '{"compilerOptions":{"paths":{"@m/*":["./lib/*"]}}}', 'lib/money.ts': 'export function add() {}\n' });
  made.remove('gone.ts');
  await note();
  made.write({ 'src/money.ts': `// above\n${MONEY}`, 'gone.ts': 'export function gone() {}\n' });
  await note();
  expect(new Set(states.map(({ rows }) => rows)).size).toBe(4);
  for (const { rows, txId } of states) expect(await exported(asking, { asOf: txId }), txId).toBe(rows);
  const times = await Promise.all(states.map(async ({ txId }) => String((await transaction(asking, txId))['timestamp'])));
  for (const [at, time] of times.entries()) expect(await exported(asking, { asOf: time }), time).toBe(states[at]?.rows);
  expect((await asking.call('search_code', { query: 'gone', asOf: states[1]?.txId })).text).toContain('function gone (gone.ts:1)');
  expect((await asking.call('code_explain', { target: 'add', asOf: '2999-01-01' })).envelope.ok).toBe(true);
  expect((await asking.call('diff_since', { since: states[1]?.txId })).envelope.data).toMatchObject({
    added: [{ scip_id: 'lib/money.ts' }, { scip_id: 'lib/money.ts::add' }],
    modified: [{ scip_id: 'src/money.ts' }, { scip_id: 'src/money.ts::add' }, { scip_id: 'tsconfig.json' }],
  });
  await asking.close();
  const again = await made.open();
  for (const { rows, txId } of states) expect(await exported(again, { asOf: txId }), txId).toBe(rows);
});

test('uncommitted work is part of the state of a transaction, and a commit after it of the state of a later time', async () => {
  const made = repository();
  made.commit({ 'a.ts': MONEY });
  const asking = await made.checkout.open();
  made.checkout.write({ 'a.ts': MONEY.replace('return 1', 'return 2') });
  const dirty = await rebuilt(asking);
  const then = await exported(asking);
  made.checkout.write({ 'a.ts': MONEY.replace('return 1', 'return 3') });
  await rebuilt(asking);
  expect(await exported(asking, { asOf: dirty })).toBe(then);
  expect((await asking.call('diff_since', { since: dirty })).envelope.data).toMatchObject({
    added: [],
    removed: [],
    modified: [{ scip_id: 'a.ts' }, { scip_id: 'a.ts::add' }],
  });
  expect((await asking.call('graph_diff', { from: dirty })).envelope).toMatchObject({ ok: true });
});

test('versions: what changed has a new one that supersedes the old; neighbours, the class and shifted lines have none', async () => {
  const made = new Checkout({ 'a.ts': MONEY });
  open.push(made);
  const asking = await made.open();
  const versions = async (target: string) => {
    const { envelope } = await asking.call('code_explain', { target, history: true });
    return (envelope.data?.['recorded'] ?? []) as readonly Readonly<Record<string, unknown>>[];
  };
  made.write({ 'a.ts': MONEY.replace('return add()', 'return add() + 1') });
  const second = await rebuilt(asking);
  expect(await versions('a.ts::add')).toEqual([]);
  expect(await versions('a.ts::Till')).toEqual([]);
  made.write({ 'a.ts': `// above\n${MONEY.replace('return add()', 'return add() + 2')}` });
  const third = await rebuilt(asking);
  const [newest, older] = await versions('a.ts::Till::close');
  expect(older).toMatchObject({ versionId: `a.ts::Till::close#${second}`, txId: second, validTo: newest?.['validFrom'] });
  expect(newest).toMatchObject({ versionId: `a.ts::Till::close#${third}`, supersedes: older?.['versionId'] });
  expect(newest).not.toHaveProperty('validTo');
  expect([newest, older].every(row => typeof row?.['createdAt'] === 'number' && typeof row['validFrom'] === 'number')).toBe(true);
  expect(await versions('a.ts::add')).toEqual([]);
  expect((await versions('a.ts')).map(row => row['txId'])).toEqual([third, second]);

  made.write({ 'a.ts': '' });
  await rebuilt(asking);
  made.write({ 'a.ts': `// above\n${MONEY.replace('return add()', 'return add() + 2')}` });
  const back = await rebuilt(asking);
  const [returned] = await versions('a.ts::Till::close');
  expect(returned).toMatchObject({ txId: back });
  expect(returned).not.toHaveProperty('supersedes');
});

test('a moved symbol says where it was; a full rebuild without changes writes no version', async () => {
  const made = new Checkout({ 'a.ts': 'export function moved() {\n  return 42;\n}\n' });
  open.push(made);
  const asking = await made.open();
  made.remove('a.ts');
  made.write({ 'b.ts': 'export function moved() {\n  return 42;\n}\n' });
  await rebuilt(asking);
  const { envelope } = await asking.call('code_explain', { target: 'b.ts::moved', history: true });
  expect(envelope.data?.['recorded']).toMatchObject([{ renamedFrom: 'a.ts::moved' }]);
  await rebuilt(asking, 'full');
  const again = await asking.call('code_explain', { target: 'b.ts::moved', history: true });
  expect(again.envelope.data?.['recorded']).toEqual(envelope.data?.['recorded']);
});

const limits = (keepTransactions: number) => ({ history: { keepDays: 0, keepTransactions, maxMegabytes: 0 } });

test('compaction: what is outside the limits goes, checkpoints stay, the states inside are the same, and a pruned one says so', async () => {
  const made = new Checkout({ 'a.ts': 'export const n = 0;\n' });
  open.push(made);
  const asking = await made.open({ settings: limits(21) });
  const states: { txId: string; rows: string }[] = [];
  for (let n = 1; n <= 30; n++) {
    made.write({ 'a.ts': `export const n = ${n};\nexport function f${n}() {\n  return ${n};\n}\n` });
    states.push({ txId: await rebuilt(asking), rows: await exported(asking) });
    if (n === 3) expect((await asking.gateway.query('markCheckpoint', { name: 'early' }, asking.caller('editor'), neverCancelled)).ok).toBe(true);
  }
  const before = (await asking.health()).history;
  await rebuilt(asking, 'full');
  await expect.poll(async () => (await asking.health()).history?.compactedAt ?? 0, { timeout: 30_000 }).toBeGreaterThan(0);
  const { history } = await asking.health();
  expect(history?.horizon).toBeGreaterThan(before?.horizon ?? 0);
  expect(history?.transactions).toBeLessThan(before?.transactions ?? 0);
  const [pinned, kept] = [states[2], states.slice(12)];
  for (const { rows, txId } of [pinned, ...kept].filter(state => state !== undefined)) expect(await exported(asking, { asOf: txId }), txId).toBe(rows);
  const pruned = (await asking.call('code_explain', { target: 'n', asOf: states[5]?.txId })).envelope;
  expect(pruned).toMatchObject({ ok: false, errorCode: 'HISTORY_PRUNED', data: { horizon: history?.horizon } });
  await asking.close();
  const again = await made.open();
  expect(await exported(again, { asOf: pinned?.txId })).toBe(pinned?.rows);
  expect(await exported(again, { asOf: kept[0]?.txId })).toBe(kept[0]?.rows);
  expect((await again.call('code_explain', { target: 'n', asOf: states[5]?.txId })).envelope.errorCode).toBe('HISTORY_PRUNED');

  expect((await again.gateway.query('clearHistory', {}, again.caller('editor'), neverCancelled)).ok).toBe(true);
  expect((await again.call('code_explain', { target: 'n', asOf: kept.at(-1)?.txId })).envelope.errorCode).toBe('HISTORY_PRUNED');
  made.write({ 'a.ts': 'export const after = 1;\n' });
  const cleared = await exported(again);
  await rebuilt(again);
  expect(cleared).not.toBe(await exported(again));
  const packs = readdirSync(made.data, { recursive: true, encoding: 'utf8' }).filter(path => path.endsWith('versions.pack'));
  expect(packs).toHaveLength(1);
  for (const pack of packs) {
    const path = join(made.data, pack);
    expect(existsSync(path) && readFileSync(path, 'latin1').includes(states[2]?.txId ?? '-')).toBe(false);
  }
});

test('the history of a symbol has its dependencies that came and went, and the decisions and edits that name it', async () => {
  const made = new Checkout({ 'a.ts': MONEY });
  open.push(made);
  const asking = await made.open();
  made.write({ 'a.ts': MONEY.replace('return add()', 'return 2') });
  const without = await rebuilt(asking);
  made.write({ 'a.ts': MONEY });
  const again = await rebuilt(asking);
  await asking.call('episode_add', {
    type: 'DECISION',
    content: 'Till closes by adding.',
    entities: ['a.ts::Till::close'],
    agentId: 'ada',
    metadata: { title: 'Close by adding', rationale: 'Simple', tradeoffs: [], affectedFiles: ['a.ts'] },
  });
  const { envelope } = await asking.call('code_explain', { target: 'a.ts::Till::close', history: true, profile: 'debug' });
  const edges = envelope.data?.['recordedEdges'] as readonly Readonly<Record<string, unknown>>[];
  expect(edges).toMatchObject([
    { relation: 'CALLS', target: 'a.ts::add', txId: again },
    { relation: 'CALLS', target: 'a.ts::add', endedTxId: without },
  ]);
  expect(edges[0]).not.toHaveProperty('validTo');
  expect(edges[1]).not.toHaveProperty('validFrom');
  expect(Number(edges[1]?.['validTo'])).toBeLessThan(Number(edges[0]?.['validFrom']));
  expect(envelope.data?.['episodes']).toMatchObject([{ type: 'DECISION', title: 'Close by adding', agentId: 'ada' }]);
  const plain = await asking.call('code_explain', { target: 'a.ts::Till::close', profile: 'debug' });
  expect(plain.envelope.data).not.toHaveProperty('recordedEdges');
});
