import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import { workspaceOfCall } from '../../server/src/tools/asOf';
import { TOOLS } from '../../server/src/tools/catalogue';
import { type Invoked, invoke } from '../../server/src/tools/invoke';
import type { WorkspaceSketch } from '../helpers/graphOf';
import { shop } from '../helpers/shop';
import { workspaceOf } from '../helpers/workspaceOf';

function call(name: string, input: Readonly<Record<string, unknown>>, sketch: WorkspaceSketch = shop): Promise<Invoked> {
  return invoke(TOOLS, workspaceOf(sketch), { name, input, agentId: undefined, sessionId: 's' }, neverCancelled);
}

const READS: readonly (readonly [string, object])[] = [
  ['search_code', { query: 'till' }],
  ['code_explain', { target: 'total' }],
  ['impact_analyze', { target: 'total' }],
  ['query_graph_neighborhood', { node_id: 'total' }],
  ['graph_query', { query: 'till' }],
  ['graph_traverse', { entry_entity_ids: ['total'] }],
  ['find_path', { source: 'total', target: 'Till' }],
  ['hybrid_search', { query: 'till' }],
  ['community_list', {}],
  ['find_pattern', { pattern: 'hub' }],
  ['arch_validate', {}],
  ['arch_suggest', { description: 'till' }],
  ['test_select', { files: ['src/pay.ts'] }],
];

test.each(READS)('%s answers as of another time, or says why it cannot', async (name, input) => {
  const workspace = workspaceOf({}, { past: { v1: shop } });
  const ask = async (asOf: string, spelling = 'asOf'): Promise<Invoked['envelope']> => {
    const call = { name, input: { ...input, [spelling]: asOf }, agentId: undefined, sessionId: 's' };
    return (await invoke(TOOLS, workspace, call, neverCancelled)).envelope;
  };
  const then = await ask('v1');
  expect(then).toMatchObject({ ok: true });
  const timeless = ({ data, ...envelope }: Invoked['envelope']): unknown => ({ ...envelope, data: { ...data, nextCursor: '' } });
  expect(timeless(then)).toEqual(timeless((await call(name, { ...input })).envelope));
  expect(await ask('v1', 'as_of')).toEqual(then);
  expect(await ask('v0')).toMatchObject({ ok: false, errorCode: 'NOT_FOUND', data: { field: 'asOf' }, hint: 'Use HEAD.' });
  expect((await call(name, { ...input, asOf: 'v1' })).envelope).toMatchObject({ ok: false, errorCode: 'UNAVAILABLE' });
});

test('a cursor belongs to the state that it was asked about', async () => {
  const workspace = workspaceOf(shop, { past: { v1: shop } });
  const ask = (input: object): Promise<Invoked> =>
    invoke(TOOLS, workspace, { name: 'search_code', input: { query: 'total', k: 1, ...input }, agentId: undefined, sessionId: 's' }, neverCancelled);
  const cursor = (await ask({ asOf: 'v1' })).envelope.data?.['nextCursor'];
  expect(cursor).toBeTypeOf('string');
  expect((await ask({ asOf: 'v1', cursor })).envelope).toMatchObject({ ok: true });
  expect((await ask({ cursor })).envelope).toMatchObject({ ok: false, data: { field: 'cursor' } });
});

test.each([
  ['semantic_slice', { target: 'src/pay.ts' }],
  ['semantic_slice', { path: 'src/pay.ts' }],
  ['code_explain', { symbol: 'total' }],
  ['impact_analyze', { path: 'src/pay.ts', depth: 1 }],
  ['search_code', { query: 'till', limit: 2 }],
  ['hybrid_search', { query: 'till', near: 'total', k: 3 }],
  ['query_graph_neighborhood', { symbol: 'total', depth: 1, relations: ['calls'] }],
  ['graph_traverse', { start: ['total'], depth: 1 }],
])('%s takes what its neighbors call so: %j', async (name, input) => {
  expect((await call(name, input)).envelope).toMatchObject({ ok: true });
});

test('a path that is not there names what was guessed or left out', async () => {
  const twins: WorkspaceSketch = { 'a.ts': { symbols: [{ name: 'run' }] }, 'b.ts': { symbols: [{ name: 'run' }] }, 'c.ts': { symbols: [{ name: 'end' }] } };
  const { envelope } = await call('find_path', { source: 'run', target: 'end' }, twins);
  expect(envelope.hint).toMatch(/undirected: true.*Several symbols have that name.*b\.ts::run/);
});

test('links that are no facts say so in the text', async () => {
  const sketch: WorkspaceSketch = {
    'a.ts': { symbols: [{ name: 'f' }, { name: 'g' }], references: [{ from: 'f', relation: 'CALLS', to: { 'a.ts::g': 0.5 }, line: 3 }] },
  };
  for (const [name, input] of [
    ['query_graph_neighborhood', { node_id: 'f' }],
    ['find_path', { source: 'f', target: 'g' }],
    ['graph_traverse', { entry_entity_ids: ['f'] }],
  ] as const)
    expect((await call(name, input, sketch)).text).toContain('a.ts::f calls a.ts::g:3 (possible 0.5)');
});

/** Tools that read the graph of the code and do not take it; those that read what people and agents wrote, or change something, do not either. */
const PRESENT_ONLY = ['diff_since', 'graph_diff', 'graph_health'];
const NOT_OF_CODE = new Set(['knowledge', 'work', 'memory', 'admin']);

test('every tool that reads the graph answers as of another time, those that are documented so and no others', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/past-states.md'), 'utf8');
  const documented = [...(/Agents pass `asOf` to (?<names>.*?)\. /.exec(page)?.groups?.['names'] ?? '').matchAll(/`(?<name>\w+)`/g)].map(match => match[1]);
  const present = workspaceOf({}, { past: { v1: shop } });
  const taking: string[] = [];
  for (const tool of TOOLS) {
    const then = await workspaceOfCall(tool, present, { asOf: 'v1', own: {} }, neverCancelled);
    const reads = tool.effect === 'read' && !NOT_OF_CODE.has(tool.group) && !PRESENT_ONLY.includes(tool.name);
    expect(then.ok, tool.name).toBe(reads);
    if (then.ok) taking.push(tool.name);
    else expect(then.error, tool.name).toMatchObject({ code: 'VALIDATION_ERROR', message: `${tool.name} does not support asOf.`, data: { field: 'asOf' } });
    if (then.ok) expect(then.value.current()?.graph.find('src/pay.ts'), tool.name).toBeDefined();
  }
  expect(new Set(documented)).toEqual(new Set(taking));
});

test.each([
  ['graph_health', {}],
  ['query_container', { operation: 'overview' }],
  ['graph_rebuild', {}],
])('%s refuses asOf', async (name, input) => {
  expect((await call(name, { ...input, asOf: '2026-01-01' })).envelope).toMatchObject({ ok: false, errorCode: 'VALIDATION_ERROR', data: { field: 'asOf' } });
});

test('impact on services is refused where there are none', async () => {
  expect((await call('impact_analyze', { target: 'total', scope: 'services' })).envelope).toMatchObject({ ok: false, errorCode: 'UNAVAILABLE' });
  expect((await call('impact_analyze', { target: 'total', scope: 'code' })).envelope).toMatchObject({ ok: true, data: { blastRadius: 4 } });
});

const SERVICES: WorkspaceSketch = {
  'services/pay/a.ts': { symbols: [{ name: 'refund' }] },
  'apps/shop/b.ts': { symbols: [{ name: 'refund' }] },
  'lib/c.ts': { symbols: [{ name: 'refund' }] },
};

test.each([
  ['pay', ['services/pay/a.ts::refund']],
  ['shop', ['apps/shop/b.ts::refund']],
  ['lib', []],
])('hybrid_search in the service %s', async (service_name, ids) => {
  const { envelope } = await call('hybrid_search', { query: 'refund', service_name, node_types: ['function'] }, SERVICES);
  expect(((envelope.data?.['results'] ?? []) as readonly { readonly node_id: string }[]).map(row => row.node_id)).toEqual(ids);
});

test('a service with the worst of many results has its own', async () => {
  const others = Object.fromEntries(Array.from({ length: 70 }, (_, at) => [`services/pay/p${at}.ts`, { symbols: [{ name: 'refund' }] }]));
  const sketch: WorkspaceSketch = { ...others, 'apps/shop/b.ts': { symbols: [{ name: 'requestLaterRefundOfOneSingleOrderLine' }] } };
  const { envelope } = await call('hybrid_search', { query: 'refund', service_name: 'shop', node_types: ['function'], n_results: 1 }, sketch);
  expect(envelope.data?.['results']).toMatchObject([{ node_id: 'apps/shop/b.ts::requestLaterRefundOfOneSingleOrderLine' }]);
});

/** Two groups that only a type joins. */
const GROUPS: WorkspaceSketch = Object.fromEntries(
  ['x', 'y'].flatMap(side =>
    ['a', 'b', 'c'].map(name => [
      `${side}/${name}.ts`,
      {
        symbols: [{ name: 'f' }, { name: 'T', kind: 'class' as const }],
        references: [
          ...['a', 'b', 'c']
            .filter(other => other !== name)
            .map(other => ({ from: 'f', relation: 'CALLS' as const, to: `${side}/${other}.ts::f`, source: 'import' as const })),
          ...['x', 'y'].flatMap(to =>
            ['a', 'b', 'c'].map(other => ({ from: 'f', relation: 'USES_TYPE' as const, to: `${to}/${other}.ts::T`, source: 'import' as const })),
          ),
        ],
      },
    ]),
  ),
);

test('communities by calls and imports alone keep apart what only types join', async () => {
  const sizes = async (clustering: string): Promise<number[]> => {
    const { envelope } = await call('community_list', { clustering, profile: 'debug', minMembers: 2 }, GROUPS);
    return ((envelope.data?.['communities'] ?? []) as readonly { readonly memberCount: number }[]).map(row => row.memberCount);
  };
  expect(await sizes('calls-imports')).toEqual([3, 3]);
  expect(await sizes('all')).not.toEqual([3, 3]);
  expect((await call('community_list', { clustering: 'x' })).envelope).toMatchObject({ ok: false, errorCode: 'VALIDATION_ERROR' });
});

test.each<[string, Readonly<Record<string, unknown>>, string]>([
  ['search_code', { query: 'total', chunk_type: ['function', 'banana'] }, 'chunk_type'],
  ['hybrid_search', { query: 'total', node_types: 'banana' }, 'node_types'],
  ['graph_query', { query: 'total', types: ['banana'] }, 'types'],
  ['graph_traverse', { entry_entity_ids: ['total'], entity_types: ['banana'] }, 'entity_types'],
  ['query_graph_neighborhood', { node_id: 'total', filter_node_types: ['banana'] }, 'filter_node_types'],
])('%s names the kinds there are instead of finding nothing of a kind that is none', async (name, input, field) => {
  expect((await call(name, input)).envelope).toMatchObject({
    errorCode: 'VALIDATION_ERROR',
    summary: 'Unknown kind: banana.',
    hint: expect.stringContaining('function, method'),
    data: { field },
  });
});

test('a missing parameter is called missing, and the hint says what it means', async () => {
  expect((await call('search_code', {})).envelope).toMatchObject({
    summary: 'query is missing.',
    hint: 'Call search_code again with query (Keywords or identifiers).',
  });
  expect((await call('search_code', { query: '  ' })).envelope).toMatchObject({ errorCode: 'VALIDATION_ERROR', data: { field: 'query' } });
});

test('a path that is almost right gets the file it may mean', async () => {
  for (const [name, input] of [
    ['code_explain', { target: 'src/pai.ts' }],
    ['impact_analyze', { files: ['src/pai.ts'] }],
    ['arch_validate', { files: ['src/pai.ts'] }],
  ] as const) {
    const { data, errorCode } = (await call(name, input)).envelope;
    expect([name, errorCode, (data?.['suggestions'] as readonly string[] | undefined)?.every(id => !id.includes('::'))]).toEqual([name, 'NOT_FOUND', true]);
  }
});

test.each<[string, Readonly<Record<string, unknown>>, string]>([
  ['search_code', { query: 'x'.repeat(10_001) }, 'query is too long: a text has at most 10000 characters.'],
  ['search_code', { query: 'x', ['y'.repeat(20_000)]: [] }, 'is too long'],
  ['test_select', { files: Array.from({ length: 60 }, () => 'x'.repeat(9000)) }, 'files is too long: all parameters together'],
  ['test_select', { files: ['x'.repeat(10_001)] }, 'files is too long: a text'],
  ['graph_query', { query: JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`) }, 'query is too long'],
  ['graph_rebuild', { paths: ['x'.repeat(1_000_001)] }, 'paths is too long'],
])('%s refuses texts that are too long before it does anything with them', async (name, input, message) => {
  const { envelope } = await call(name, input);
  expect(envelope).toMatchObject({ ok: false, errorCode: 'VALIDATION_ERROR' });
  expect(envelope.summary).toContain(message);
  expect(envelope.summary.length + (envelope.hint?.length ?? 0)).toBeLessThan(500);
});
