import { beforeEach, expect, test } from 'vitest';
import { neverCancelled } from '../../../server/src/base/cancellation';
import { Emitter } from '../../../server/src/base/emitter';
import { recall, recallDecisions } from '../../../server/src/features/memory/recall';
import type { MemoryRow } from '../../../server/src/features/memory/shapes';
import { MemoryKeeper } from '../../../server/src/main/upkeep/memoryKeeper';
import { movesOf } from '../../../server/src/memory/moves';
import { TOOLS } from '../../../server/src/tools/catalogue';
import { invoke } from '../../../server/src/tools/invoke';
import type { IndexProgress } from '../../../server/src/workspace/snapshot';
import { askFeature } from '../../helpers/askFeature';
import type { WorkspaceSketch } from '../../helpers/graphOf';
import { type MemoryRecords, memoryRecords } from '../../helpers/memoryRecords';
import { workspaceOf } from '../../helpers/workspaceOf';

const PAY: WorkspaceSketch[string] = {
  hash: 'pay',
  symbols: [
    { name: 'total', lines: [1, 4], signature: 'function total(items)', hash: 'sum of items' },
    { name: 'rate', lines: [6, 9], signature: 'function rate()', hash: 'the rate' },
  ],
  references: [{ from: 'total', relation: 'CALLS', to: 'src/pay.ts::rate', line: 2 }],
};
const BEFORE: WorkspaceSketch = { 'src/pay.ts': PAY, 'src/other.ts': { symbols: [{ name: 'other' }] } };
/** Moved, and edited on the way: its hash is another. */
const FILE_MOVED: WorkspaceSketch = {
  'src/money/pay.ts': { ...PAY, hash: 'edited', references: [{ from: 'total', relation: 'CALLS', to: 'src/money/pay.ts::rate', line: 2 }] },
  'src/other.ts': { symbols: [{ name: 'other' }] },
};
const SYMBOL_RENAMED: WorkspaceSketch = {
  ...BEFORE,
  'src/pay.ts': {
    hash: 'edited',
    symbols: [
      { name: 'sum', lines: [1, 4], signature: 'function sum(items)', hash: 'sum of items, renamed' },
      { name: 'rate', lines: [6, 9], signature: 'function rate()', hash: 'the rate' },
    ],
    references: [{ from: 'sum', relation: 'CALLS', to: 'src/pay.ts::rate', line: 2 }],
  },
};

const READY: IndexProgress = { phase: 'ready', done: 1, total: 1 };
let records: MemoryRecords;

beforeEach(async () => {
  records = await memoryRecords();
});

/** Has a keeper see states of the code, one after the other; the first is what is there when it begins. */
async function seen(...states: readonly WorkspaceSketch[]): Promise<void> {
  let current = workspaceOf(states[0] ?? {}, { records });
  const revision = new Emitter<unknown>();
  const problems: string[] = [];
  const code = { onRevision: revision.event, onProgress: new Emitter<IndexProgress>().event, progress: READY, workspace: () => current };
  const keeper = new MemoryKeeper(code, { write: (_level, message) => void problems.push(message) });
  for (const state of states) {
    current = workspaceOf(state, { records });
    revision.fire(undefined);
    await keeper.settled();
  }
  await keeper.close();
  expect(problems).toEqual([]);
}

async function add(code: WorkspaceSketch, entity: string): Promise<void> {
  const metadata = { title: 'Pay in cents', rationale: 'no rounding', tradeoffs: [], affectedFiles: [entity.split('::', 1)[0]] };
  const input = { type: 'DECISION', content: 'Amounts are cents.', entities: [entity], metadata };
  const asked = { name: 'episode_add', input, agentId: 'ada', sessionId: 's' };
  expect((await invoke(TOOLS, workspaceOf(code, { records }), asked, neverCancelled)).envelope).toMatchObject({ ok: true });
}

async function decision(code: WorkspaceSketch, file: string): Promise<MemoryRow | undefined> {
  const found = await recallDecisions(workspaceOf(code, { records }), { query: 'zzz', affectedFiles: [file], limit: 1 }, neverCancelled);
  return found.ok ? found.value.episodes[0] : undefined;
}

test('a file that moves takes its memories along, also when it is edited on the way', async () => {
  await seen(BEFORE);
  await add(BEFORE, 'src/pay.ts::total');
  await seen(BEFORE, FILE_MOVED);
  expect(await decision(FILE_MOVED, 'src/money/pay.ts')).toMatchObject({
    entities: ['src/money/pay.ts::total', 'src/money/pay.ts'],
    renamedFrom: { 'src/money/pay.ts::total': 'src/pay.ts::total', 'src/money/pay.ts': 'src/pay.ts' },
    anchors: { current: ['src/money/pay.ts::total'], changed: ['src/money/pay.ts'] },
  });
  const hover = await askFeature('history', workspaceOf(FILE_MOVED, { records }), { id: 'src/money/pay.ts::total' });
  expect(hover).toMatchObject({ ok: true, value: { items: expect.arrayContaining([expect.objectContaining({ kind: 'decision', title: 'Pay in cents' })]) } });
});

test.each([
  ['goes before it comes', { 'src/other.ts': { symbols: [{ name: 'other' }] } }],
  ['comes before it goes', { ...BEFORE, ...FILE_MOVED }],
])('a file that %s is followed once', async (_, between) => {
  await add(BEFORE, 'src/pay.ts::total');
  await seen(BEFORE, between, FILE_MOVED, { ...FILE_MOVED, 'src/more.ts': {} });
  expect(await decision(FILE_MOVED, 'src/money/pay.ts')).toMatchObject({ entities: ['src/money/pay.ts::total', 'src/money/pay.ts'] });
  expect(records.kinds.filter(kind => kind === 'memory.moved')).toHaveLength(1);
});

test('a symbol that is given another name keeps what was decided about it', async () => {
  await add(BEFORE, 'src/pay.ts::total');
  await seen(BEFORE, SYMBOL_RENAMED);
  expect((await decision(SYMBOL_RENAMED, 'src/pay.ts'))?.renamedFrom).toEqual({ 'src/pay.ts::sum': 'src/pay.ts::total' });
  const graph = workspaceOf(SYMBOL_RENAMED, { records }).current()?.graph;
  const node = graph?.find('src/pay.ts::sum');
  expect(node !== undefined && graph?.in(node).some(({ relation }) => relation === 'INVOLVES')).toBe(true);
});

test('a symbol that is replaced by another one is gone, not renamed', async () => {
  await add(BEFORE, 'src/pay.ts::total');
  const replaced: WorkspaceSketch = {
    ...BEFORE,
    'src/pay.ts': { hash: 'edited', symbols: [{ name: 'average', lines: [1, 9], signature: 'function average(items, weights)' }] },
  };
  await seen(BEFORE, replaced);
  expect(movesOf(records).isEmpty).toBe(true);
  expect((await decision(replaced, 'src/pay.ts'))?.anchors).toMatchObject({ gone: ['src/pay.ts::total'] });
});

test('what moved while nobody looked is found by its content', async () => {
  await add(BEFORE, 'src/pay.ts::total');
  await seen(FILE_MOVED);
  expect(await decision(FILE_MOVED, 'src/money/pay.ts')).toMatchObject({ entities: ['src/money/pay.ts::total', 'src/money/pay.ts'] });
});

test('a branch that still has the old name finds the memory by it, and back and forth leads back', async () => {
  await add(BEFORE, 'src/pay.ts::total');
  await seen(BEFORE, FILE_MOVED);
  expect(await decision(BEFORE, 'src/pay.ts')).toMatchObject({ entities: ['src/pay.ts::total', 'src/pay.ts'] });
  await seen(FILE_MOVED, BEFORE);
  expect(await decision(BEFORE, 'src/pay.ts')).not.toHaveProperty('renamedFrom');
});

test('a file that takes an old name later has not the memories of the one that left it', async () => {
  await add(BEFORE, 'src/pay.ts::total');
  await seen(BEFORE, FILE_MOVED);
  const both: WorkspaceSketch = { ...FILE_MOVED, 'src/pay.ts': { symbols: [{ name: 'total', lines: [1, 2] }] } };
  const found = await recall(workspaceOf(both, { records }), { query: 'zzz', entities: ['src/pay.ts::total'], limit: 5 }, neverCancelled);
  expect(found).toMatchObject({ ok: true, value: { episodes: [] } });
});
