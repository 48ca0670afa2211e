import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { neverCancelled } from '../../../server/src/base/cancellation';
import type { Asking } from '../../engine/checkout';
import { closeAll, repository } from '../../engine/repository';

afterEach(closeAll);

interface Delta {
  readonly scip_id: string;
  readonly type: string;
  readonly renamedFrom?: string;
  readonly validFrom?: number;
}

async function since(asking: Asking, word: string, more: object = {}) {
  const { envelope } = await asking.call('diff_since', { since: word, ...more });
  if (!envelope.ok) return { code: envelope.errorCode, hint: envelope.hint };
  const ids = (key: string): string[] => ((envelope.data?.[key] ?? []) as readonly Delta[]).map(row => row.scip_id);
  return { added: ids('added'), removed: ids('removed'), modified: ids('modified'), data: envelope.data, summary: envelope.summary, hint: envelope.hint };
}

const MONEY = 'export function add() {\n  return 1;\n}\nexport function half() {\n  return 2;\n}\nexport class Till {\n  close() {\n    return 3;\n  }\n}\n';

test('the difference of two states: by commit, tag, time and transaction, whatever came and went in between', async () => {
  const made = repository();
  const first = made.commit({ 'a.ts': MONEY, 'old/kept.ts': 'export const kept = () => "the very same text";\n', 'gone.ts': 'export function gone() {}\n' });
  made.git('tag', 'v1');
  const before = await made.checkout.open();
  const { latestTxId } = await before.health();
  made.commit({ 'between.ts': 'export function between() {}\n' });
  const head = made.commit(
    {
      'a.ts': `// one more line\n${MONEY.replace('return 3', 'return 4')}`,
      'new/kept.ts': 'export const kept = () => "the very same text";\n',
      'b.ts': 'export function b() {}\n',
    },
    ['between.ts', 'old', 'gone.ts'],
  );
  await before.close();
  const asking = await made.checkout.open();
  const expected = {
    added: ['b.ts', 'b.ts::b', 'new/kept.ts', 'new/kept.ts::kept'],
    removed: ['gone.ts', 'gone.ts::gone', 'old/kept.ts', 'old/kept.ts::kept'],
    modified: ['a.ts', 'a.ts::Till::close'],
  };
  for (const word of [first, first.slice(0, 7), 'v1', 'HEAD~2', '2026-01-02', `tx::${latestTxId}`, latestTxId])
    expect(await since(asking, word), word).toMatchObject(expected);
  const { data, summary } = await since(asking, 'v1');
  expect(summary).toBe(`Since v1 (${first.slice(0, 7)}): 4 added (2 files, 2 functions); 4 removed (2 files, 2 functions); 2 modified (1 file, 1 function).`);
  const added = (data?.['added'] ?? []) as readonly Delta[];
  expect(added.map(row => row.renamedFrom)).toEqual([undefined, undefined, 'old/kept.ts', 'old/kept.ts::kept']);
  expect(added[0]?.validFrom).toBeGreaterThan(Date.parse('2026-01-03'));
  expect(await since(asking, 'v1', { types: ['CLASS'] })).toMatchObject({ added: [], removed: [], modified: [] });
  expect(await since(asking, 'v1', { types: 'FILE' })).toMatchObject({ modified: ['a.ts'] });
  for (const word of [head, 'HEAD', '2999-01-01']) expect(await since(asking, word), word).toMatchObject({ added: [], removed: [], modified: [] });
  expect((await since(asking, 'HEAD')).summary).toMatch(/^Nothing changed since HEAD/);

  const unknown = await since(asking, 'deadbee');
  expect(unknown).toMatchObject({ code: 'NOT_FOUND', hint: expect.stringContaining('tx::') });
  for (const word of ['2020-13-45', 'nobody', 'agent:nobody', '11111111-2222-3333-4444-555555555555'])
    expect(await since(asking, word), word).toMatchObject({ code: 'NOT_FOUND' });
});

test('of an agent that has only recorded, no state is its last work: it is told when it was last seen', async () => {
  const made = repository();
  made.commit({ 'a.ts': MONEY });
  const asking = await made.checkout.open();
  await asking.call('episode_add', { type: 'OBSERVATION', content: 'Tills close late', agentId: 'reader:1' });
  const answer = (await asking.call('diff_since', { since: 'reader:1' })).envelope;
  expect(answer).toMatchObject({ errorCode: 'NOT_FOUND', summary: expect.stringContaining('No change of code by reader:1 is recorded') });
  const time = /last seen at (\S+Z)/.exec(String(answer.hint))?.[1] ?? '';
  expect(await since(asking, time)).toMatchObject({ added: [], removed: [], modified: [] });
});

test('a difference that is larger than an answer comes in pages, each with some of every list', async () => {
  const made = repository();
  const functions = (from: number, result: number): string =>
    Array.from({ length: 150 }, (_, at) => `export function of${from + at}() {\n  return ${result + at};\n}\n`).join('');
  made.commit({ 'gone.ts': functions(0, 0), 'kept.ts': functions(200, 0) });
  made.git('tag', 'v1');
  made.commit({ 'kept.ts': functions(200, 1000), 'new.ts': functions(400, 5000) }, ['gone.ts']);
  const asking = await made.checkout.open();
  const all = { added: [] as string[], removed: [] as string[], modified: [] as string[] };
  let cursor: unknown;
  do {
    const page = await since(asking, 'v1', cursor === undefined ? {} : { cursor });
    if (cursor === undefined) for (const list of ['added', 'removed', 'modified'] as const) expect(page[list]?.length, list).toBeGreaterThan(1);
    for (const list of ['added', 'removed', 'modified'] as const) all[list].push(...(page[list] ?? []));
    cursor = page.data?.['nextCursor'];
  } while (cursor !== undefined);
  const named = (path: string, from: number): string[] => [path, ...Array.from({ length: 150 }, (_, at) => `${path}::of${from + at}`)];
  expect(all).toEqual({ added: named('new.ts', 400), removed: named('gone.ts', 0), modified: named('kept.ts', 200) });
});

test('a state with uncommitted files is the baseline it was; once history is cleared, nobody can tell, and the answer says so', async () => {
  const made = repository();
  made.commit({ 'a.ts': MONEY, 'b.ts': 'export function b() {}\n' });
  made.checkout.write({ 'a.ts': MONEY.replace('return 1', 'return 4000') });
  const before = await made.checkout.open();
  const { latestTxId } = await before.health();
  await before.close();
  made.checkout.write({ 'a.ts': MONEY.replace('return 1', 'return 5'), 'c.ts': 'export function c() {}\n' });
  rmSync(join(made.checkout.root, 'b.ts'));
  const asking = await made.checkout.open();
  expect(await since(asking, latestTxId)).toMatchObject({
    added: ['c.ts', 'c.ts::c'],
    removed: ['b.ts', 'b.ts::b'],
    modified: ['a.ts', 'a.ts::add'],
  });
  await asking.gateway.query('clearHistory', {}, asking.caller('editor'), neverCancelled);
  expect(await since(asking, latestTxId)).toMatchObject({ code: 'HISTORY_PRUNED', hint: expect.stringContaining('commit') });
  expect((await asking.call('impact_analyze', { since: latestTxId })).envelope).toMatchObject({ ok: false, errorCode: 'HISTORY_PRUNED' });
});
