import { expect, test } from 'vitest';
import { neverCancelled } from '../../../server/src/base/cancellation';
import { ok } from '../../../server/src/base/result';
import { diffSince } from '../../../server/src/features/compare/diffSince';
import { compare, type GraphDiffParams } from '../../../server/src/features/compare/graphDiff';
import type { Records } from '../../../server/src/model/records';
import type { Workspace } from '../../../server/src/workspace/snapshot';
import type { WorkspaceSketch } from '../../helpers/graphOf';
import { memoryRecords } from '../../helpers/memoryRecords';
import { type WorkspaceOptions, workspaceOf } from '../../helpers/workspaceOf';

const sketch = (...names: readonly string[]): WorkspaceSketch => ({
  'a.ts': { hash: names.join(), symbols: names.map((name, at) => ({ name, kind: 'function', lines: [at + 1, at + 1] })) },
});
const BEFORE: WorkspaceSketch = sketch('one');
const AFTER: WorkspaceSketch = sketch('one', 'two');

/** A workspace that keeps its past state, as views of the past are kept. */
function workspace(options: WorkspaceOptions = {}): Workspace {
  const past = workspaceOf(BEFORE, { asOf: 1 });
  return { ...workspaceOf(AFTER, options), asOf: async () => ok(past) };
}

async function comparison(of: Workspace, params: GraphDiffParams = {}) {
  const compared = await compare(of, { from: 'v1', ...params }, neverCancelled);
  if (!compared.ok) throw new Error(compared.error.message);
  return compared.value;
}

test('what was compared is not compared again while both states and all else are the same', async () => {
  const texts: Record<string, string> = {};
  const live = workspace({ texts });
  const first = await comparison(live);
  const again = await comparison(live);
  expect(again.pairing).toBe(first.pairing);
  expect(again.answer).toEqual(first.answer);
  const other = await comparison(live, { scope: 'b.ts' });
  expect(other.pairing).not.toBe(first.pairing);
  expect(other.answer.nodes).toEqual([]);
  texts['.lattice/architecture.json'] = '{"rules":[]}';
  const byRules = await comparison(live);
  expect(byRules.pairing).not.toBe(first.pairing);
});

test('another state of the code, and other evidence from outside of it, are compared anew', async () => {
  const past = workspaceOf(BEFORE, { asOf: 1 });
  let now = workspaceOf(AFTER);
  const live = (): Workspace => ({ ...now, asOf: async () => ok(past) });
  const first = await comparison(live());
  now = workspaceOf(sketch('one', 'two', 'three'));
  const later = await comparison(live());
  expect(later.answer.counts.added).toBe(first.answer.counts.added + 1);
  const pastChanges = { ...now, asOf: live().asOf, pastChanges: () => ({}) as NonNullable<ReturnType<NonNullable<Workspace['pastChanges']>>> };
  expect((await comparison({ ...pastChanges, asOf: async () => ok(past) }, { include: ['nodes'] })).pairing).not.toBe(later.pairing);
});

test('with coverage reports nothing is kept: they come, go and age unseen', async () => {
  const coverage = {
    reports: async () => ({ files: [{ path: 'lcov.info', text: 'TN:\n', modifiedAt: 1 }], problems: [] }),
    modifiedAt: async () => 1,
    now: () => 2,
  };
  const live = workspace({ coverage });
  expect((await comparison(live)).pairing).not.toBe((await comparison(live)).pairing);
});

test('what changed since a state is looked up once, not for each transaction', async () => {
  const records = await memoryRecords();
  const asked: string[] = [];
  const counting: Records = {
    ...records,
    query: (sql, params) => {
      asked.push(sql);
      return records.query(sql, params);
    },
  };
  const add = (seq: number): void => {
    records.query(
      `INSERT INTO graph_tx VALUES ('t${seq}', 'p', '/home/ada/shop', ${seq}, 'file_edit', NULL, NULL, NULL, NULL, NULL, ${1000 + seq}, 'incremental', 1, 1, 1, 1, 'committed')`,
    );
    records.query(`INSERT INTO tx_affects VALUES ('t${seq}', 'p', 'a.ts')`);
  };
  const live = workspace({ records: counting });
  const countOf = async (): Promise<number> => {
    asked.length = 0;
    const answer = await diffSince(live, { since: 'v1' }, neverCancelled);
    if (!answer.ok) throw new Error(answer.error.message);
    expect(answer.value.added.map(({ scip_id, validFrom }) => [scip_id, validFrom])).toEqual([['a.ts::two', 1000 + answer.value.txIds.length]]);
    return asked.length;
  };
  add(1);
  await countOf();
  const one = await countOf();
  for (let seq = 2; seq <= 40; seq++) add(seq);
  expect(await countOf()).toBe(one);
});
