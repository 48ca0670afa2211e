import { expect, test } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import { TOOLS } from '../../server/src/tools/catalogue';
import { type Invoked, invoke } from '../../server/src/tools/invoke';
import type { WorkspaceSketch } from '../helpers/graphOf';
import { workspaceOf } from '../helpers/workspaceOf';

const use = (from: string, to: string): { from: string; relation: 'CALLS'; to: string; line: number } => ({ from, relation: 'CALLS', to, line: 2 });

const SHOP: WorkspaceSketch = {
  'src/cart.ts': { symbols: [{ name: 'total', lines: [1, 4] }], references: [use('total', 'src/pay.ts::charge')] },
  'src/pay.ts': { symbols: [{ name: 'charge', lines: [1, 4] }], references: [use('charge', 'src/log.ts::write')] },
  'src/log.ts': { symbols: [{ name: 'write', lines: [1, 4] }] },
  'test/cart.test.ts': { symbols: [{ name: 'totals', lines: [1, 4] }], references: [use('totals', 'src/cart.ts::total')] },
};

const CALLS: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['impact_analyze', { target: 'src/log.ts::write' }],
  ['query_graph_neighborhood', { node_id: 'src/log.ts::write', radius: 2 }],
  ['graph_traverse', { entry_entity_ids: ['src/log.ts::write'], direction: 'in', max_hops: 3 }],
  ['graph_query', { query: 'charge' }],
  ['search_code', { query: 'charge' }],
  ['hybrid_search', { query: 'charge' }],
  ['code_explain', { target: 'src/log.ts::write' }],
  ['context_pack', { task: 'charge a card' }],
  ['test_select', { files: ['src/pay.ts'] }],
];

async function answer(name: string, input: Readonly<Record<string, unknown>>, stale: readonly string[] | undefined): Promise<Invoked> {
  const texts = Object.fromEntries(Object.keys(SHOP).map(path => [path, 'function charge() {\n  write();\n  return 1;\n}\n']));
  const workspace = workspaceOf(SHOP, { texts, ...(stale === undefined ? {} : { stale }) });
  return invoke(TOOLS, workspace, { name, input: { ...input, profile: 'debug' }, agentId: undefined, sessionId: 's' }, neverCancelled);
}

/** Rows that name something in a file themselves, not only in a list inside. */
function rowsAbout(value: unknown, path: string): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap(item => rowsAbout(item, path));
  if (typeof value !== 'object' || value === null) return [];
  const parts = Object.values(value);
  const own = parts.some(part => typeof part === 'string' && (part === path || part.startsWith(`${path}::`)));
  return [...(own ? [value as Record<string, unknown>] : []), ...parts.flatMap(part => rowsAbout(part, path))];
}

test.each(CALLS)('%s marks every row about a file that has changed since it was indexed, and names the file', async (name, input) => {
  const { envelope, text } = await answer(name, input, ['src/pay.ts']);
  expect(envelope).toMatchObject({ ok: true, stamp: { stale: ['src/pay.ts'] } });
  const { data = {} } = envelope;
  const lists = Object.values(data);
  expect(rowsAbout(lists, 'src/pay.ts').filter(row => row['stale'] !== true)).toEqual([]);
  expect(rowsAbout(lists, 'src/log.ts').filter(row => row['stale'] === true && !JSON.stringify(row).includes('src/pay.ts'))).toEqual([]);
  expect(text).toContain('Changed since indexed, so lines about them may be out of date: src/pay.ts');
});

test('a folder that is gone stands for all in it; what is not in the answer is not named', async () => {
  expect((await answer('search_code', { query: 'charge' }, ['src'])).envelope).toMatchObject({ stamp: { stale: ['src/cart.ts', 'src/log.ts', 'src/pay.ts'] } });
  const { envelope } = await answer('search_code', { query: 'charge' }, ['test/cart.test.ts', 'src/pay.tsx']);
  expect(envelope.stamp?.stale).toBeUndefined();
  expect(envelope).toEqual((await answer('search_code', { query: 'charge' }, undefined)).envelope);
});
