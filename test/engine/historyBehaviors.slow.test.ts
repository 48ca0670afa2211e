/**
 * What is promised of transactions, past states and the watcher, and the tests that prove it. Those without a place of their own are below.
 *
 * | Promise | Proven in |
 * |---|---|
 * | a version has all four times; one of an id is current; a successor begins where its predecessor ends | here, `versions.slow.test.ts`; of knowledge `unit/knowledge/versions.test.ts` |
 * | an edited body has a new version and so has its file, neighbours and the class have none | `versions.slow.test.ts`, `unit/versions.test.ts` |
 * | a line above makes no version, moves positions and ends no claim | `versions.slow.test.ts`, `tools/claimTools.test.ts`, here |
 * | what returns after it was deleted supersedes nothing | `versions.slow.test.ts` |
 * | `asOf` is the first of two states, nodes and edges, by transaction and by time; what is gone is found; the future, before the start, before the horizon | `versions.slow.test.ts`, `past.slow.test.ts` |
 * | `diff_since` in all its forms, exact, without what came and went; what is not known of each form; types | `features/compare/diffSince.slow.test.ts`, `gitChanges.test.ts` (what a word is read as), agents here |
 * | a commit without edits can be asked since | `liveCommits.slow.test.ts` |
 * | a full rebuild without changes writes nothing and ends no claim | here |
 * | of 1,000 files two are parsed, and others have no rows | here |
 * | five quick saves are one run; steady saves run after the longest wait | `unit/files/batcher.test.ts` |
 * | what changes during a run is in the next one, and counts as pending throughout | `unit/files/batcher.test.ts`, `changedWhileRead.test.ts` |
 * | ignored paths never queue; a new pattern takes files out, without it they are back | `unit/files/batcher.test.ts`, `engine.slow.test.ts` |
 * | a kill at any step loses nothing acknowledged and leaves no half transaction; a torn tail is tolerated | `storage/projectStore.test.ts`, `storage/kill.test.ts`, `kill.slow.test.ts` |
 * | what was open when the process died is aborted, and its files are indexed | `storage/transactions.test.ts`, `kill.slow.test.ts` |
 * | compaction: what is outside goes, answers inside stay, pins stay, `HISTORY_PRUNED`, the size falls | `versions.slow.test.ts`, `unit/versions.test.ts` |
 * | a clock that is set back changes no order and no interval | `storage/projectStore.test.ts`, here |
 * | two projects share no row, transaction or diff | here |
 * | a branch switch of 300 files is one transaction; a save is visible within 1.5 s | `liveCommits.slow.test.ts`, `node test/bench/languageServer.mjs` |
 * | unsaved text with syntax errors keeps the last good symbols; a file on disk is what a first index makes of it | `factsInError.test.ts`, `engine.slow.test.ts` |
 */
import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import { type Asking, Checkout } from './checkout';
import { closeAll, open } from './repository';

afterEach(closeAll);

type Row = Readonly<Record<string, unknown>>;

function checkout(files: Readonly<Record<string, string>>): Checkout {
  const made = new Checkout(files);
  open.push(made);
  return made;
}

/** Brings the index in step with the folder, in the name of an agent if one is given; answers with the transaction. */
async function rebuilt(asking: Asking, mode: 'incremental' | 'full' = 'incremental', agentId?: string): Promise<string> {
  const caller = { ...asking.caller(), agentId };
  const { envelope } = await asking.gateway.callTool({ name: 'graph_rebuild', input: { mode }, caller, idempotencyKey: randomUUID() }, neverCancelled);
  const txId = String(envelope.data?.['txId']);
  // A recorded state is read behind all that is being indexed.
  await asking.call('search_code', { query: 'any', asOf: txId });
  return txId;
}

async function transaction(asking: Asking, id: string): Promise<Row> {
  const found = await asking.gateway.query('explain', { target: `tx::${id}` }, asking.caller(), neverCancelled);
  if (!found.ok) throw new Error(found.error.message);
  return (found.value as { readonly attributes: Row }).attributes;
}

async function versionsOf(asking: Asking, target: string): Promise<readonly Row[]> {
  const { envelope } = await asking.call('code_explain', { target, history: true });
  return (envelope.data?.['recorded'] ?? []) as readonly Row[];
}

async function since(asking: Asking, word: string): Promise<unknown> {
  const { envelope } = await asking.call('diff_since', { since: word });
  const ids = (key: string): string[] => ((envelope.data?.[key] ?? []) as readonly { readonly scip_id: string }[]).map(row => row.scip_id);
  return envelope.ok ? [ids('added'), ids('removed'), ids('modified')] : envelope.errorCode;
}

test('whatever is edited in whatever order, the versions of a symbol follow each other without gap or overlap, and one is current', async () => {
  const made = checkout({ 'a.ts': '' });
  const asking = await made.open();
  const bodies = [1, 1, 1];
  const text = (): string => bodies.map((value, at) => (value < 0 ? '' : `export function f${at}() {\n  return ${value};\n}\n`)).join('');
  // Values of three functions, one step after another; -1 is none.
  for (const [at, value] of [
    [0, 2],
    [1, 2],
    [0, -1],
    [2, 5],
    [0, 2],
    [1, 3],
    [0, 4],
    [1, 4],
  ] as const) {
    bodies[at] = value;
    made.write({ 'a.ts': text() });
    await rebuilt(asking);
  }
  for (const id of ['a.ts', 'a.ts::f0', 'a.ts::f1', 'a.ts::f2']) {
    const versions = await versionsOf(asking, id);
    expect(versions.length, id).toBeGreaterThan(1);
    for (const [place, version] of versions.entries()) {
      expect(version, id).toMatchObject({ validFrom: expect.any(Number), createdAt: expect.any(Number), txId: expect.any(String) });
      const successor = versions[place - 1];
      // Of what was away in between, one ends before the next begins.
      if (successor === undefined) expect(version, id).not.toHaveProperty('validTo');
      else if (successor['supersedes'] === version['versionId']) expect(version['validTo'], id).toBe(successor['validFrom']);
      else expect(Number(version['validTo']), id).toBeLessThan(Number(successor['validFrom']));
    }
  }
  expect((await versionsOf(asking, 'a.ts::f0')).map(version => 'supersedes' in version)).toEqual([true, false, false]);
});

test('a full rebuild without changes writes no rows; neither it nor a line above ends a claim, a change of the code does', async () => {
  const text = 'export function add() {\n  return 1;\n}\n';
  const made = checkout({ 'a.ts': text });
  const asking = await made.open();
  await asking.call('agent_claim', { agentId: 'ada', targetId: 'a.ts::add', claimType: 'function', intent: 'round' });
  const claims = async (): Promise<number> => {
    const { envelope } = await asking.call('coordination_overview', {});
    return ((envelope.data?.['activeClaims'] ?? []) as readonly unknown[]).length;
  };
  expect(await claims()).toBe(1);
  const full = await rebuilt(asking, 'full');
  expect(await transaction(asking, full)).toMatchObject({ nodeCount: 0, edgeCount: 0 });
  made.write({ 'a.ts': `// above\n${text}` });
  await rebuilt(asking);
  expect(await claims()).toBe(1);
  made.write({ 'a.ts': text.replace('1', '2') });
  await rebuilt(asking);
  await expect.poll(claims).toBe(0);
});

test('of a thousand files two are parsed when two have changed, and no other has a row', async () => {
  const name = (at: number): string => `src/f${at}.ts`;
  const code = (at: number, value: number): string => `export function f${at}() {\n  return ${value};\n}\n`;
  const made = checkout(Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [name(at), code(at, 1)])));
  const asking = await made.open();
  made.write({ [name(7)]: code(7, 2), [name(500)]: code(500, 2) });
  const txId = await rebuilt(asking);
  // Of two files and two functions one version ended and one began.
  expect(await transaction(asking, txId)).toMatchObject({ filesParsed: 2, nodeCount: 8, edgeCount: 0 });
  expect(await since(asking, txId)).toEqual([[], [], []]);
  expect(await versionsOf(asking, 'src/f8.ts::f8')).toEqual([]);
  expect((await versionsOf(asking, 'src/f7.ts::f7')).map(version => version['txId'])).toEqual([txId]);
});

test('what changed since an agent was there is what came after its last transaction', async () => {
  const made = checkout({ 'a.ts': 'export const a = () => 1;\n' });
  const asking = await made.open();
  made.write({ 'b.ts': 'export const b = () => 1;\n' });
  await rebuilt(asking, 'incremental', 'ada');
  made.write({ 'c.ts': 'export const c = () => 1;\n' });
  await rebuilt(asking, 'incremental', 'bob');
  for (const word of ['ada', 'agent:ada']) expect(await since(asking, word), word).toEqual([['c.ts', 'c.ts::c'], [], []]);
  expect(await since(asking, 'bob')).toEqual([[], [], []]);
  expect(await since(asking, 'eve')).toBe('NOT_FOUND');
  const unknown = (await asking.call('code_explain', { target: 'a', asOf: 'eve' })).envelope;
  expect(unknown).toMatchObject({ ok: false, errorCode: 'NOT_FOUND', hint: expect.stringContaining('tx::') });
});

test('a clock that is set back by an hour changes no order: states and versions are those of their transactions', async () => {
  const made = checkout({ 'a.ts': 'export function a() {\n  return 0;\n}\n' });
  const asking = await made.open();
  const write = async (value: number): Promise<string> => {
    made.write({ 'a.ts': `export function a() {\n  return ${value};\n}\n` });
    return rebuilt(asking);
  };
  const early = await write(1);
  const now = Date.now;
  try {
    Date.now = () => now() - 3_600_000;
    const late = await write(2);
    const [newest, older] = await versionsOf(asking, 'a.ts::a');
    expect([newest?.['txId'], older?.['txId']]).toEqual([late, early]);
    expect(Number(newest?.['validFrom'])).toBeGreaterThan(Number(older?.['validFrom']));
    expect(older?.['validTo']).toBe(newest?.['validFrom']);
    expect(await since(asking, early)).toEqual([[], [], ['a.ts', 'a.ts::a']]);
  } finally {
    Date.now = now;
  }
});

test('of two projects with one data folder, none knows transactions, states or differences of the other', async () => {
  const one = checkout({ 'a.ts': 'export const a = () => 1;\n' });
  const other = checkout({ 'a.ts': 'export const a = () => 2;\n' });
  const [first, second] = [await one.open(), await other.open({ dataFolder: one.data })];
  one.write({ 'b.ts': 'export const b = () => 1;\n' });
  const txId = await rebuilt(first);
  expect(await since(second, txId)).toBe('NOT_FOUND');
  expect((await second.call('code_explain', { target: 'a.ts::a', asOf: txId })).envelope).toMatchObject({ ok: false, errorCode: 'NOT_FOUND' });
  expect((await second.health()).txCount).toBe(1);
  expect(await second.find('b')).not.toContain('b.ts::b');
  other.write({ 'c.ts': 'export const c = () => 1;\n' });
  const { latestTxId } = await second.health();
  await rebuilt(second);
  expect(await since(second, latestTxId)).toEqual([['c.ts', 'c.ts::c'], [], []]);
  expect(await since(first, txId)).toEqual([[], [], []]);
});
