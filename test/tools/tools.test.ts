import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CancellationSource, Cancelled } from '../../server/src/base/cancellation';
import { TOOLS } from '../../server/src/tools/catalogue';
import { type Envelope, forPrograms } from '../../server/src/tools/envelope';
import type { Invoked } from '../../server/src/tools/invoke';
import { describeTool, languageModelTools, pinnedTools, toolsMarkdown } from '../../server/src/tools/manifest';
import { CORE_TOOLS, selectTools } from '../../server/src/tools/profiles';
import { askNamedTool } from '../helpers/askTool';
import type { WorkspaceSketch } from '../helpers/graphOf';
import { shop, shopTexts } from '../helpers/shop';
import { type MemoryWorkspace, workspaceOf } from '../helpers/workspaceOf';

type Input = Readonly<Record<string, unknown>>;

function call(name: string, input: Input, workspace: MemoryWorkspace = workspaceOf(shop, { texts: shopTexts })): Promise<Invoked> {
  return askNamedTool(workspace, { name, input, agentId: undefined, sessionId: 's' });
}

/** A file with `f`, used by `count` functions in files of their own. */
function popular(count: number): WorkspaceSketch {
  const users = Array.from({ length: count }, (_, i) => [
    `src/users/user${i}.ts`,
    {
      symbols: [{ name: `use${i}`, signature: `function use${i}(): void`, doc: 'Uses the thing.', lines: [1, 4] as const }],
      references: [{ from: `use${i}`, relation: 'CALLS' as const, to: 'src/a.ts::f', line: 2 }],
    },
  ]);
  return { 'src/a.ts': { symbols: [{ name: 'f', lines: [1, 2] }] }, ...Object.fromEntries(users) };
}

const happy: readonly (readonly [string, Input, Input])[] = [
  [
    'search_code',
    { query: 'checkout basket' },
    { results: [{ chunk_id: 'src/checkout.ts::checkout', file: 'src/checkout.ts', lines: '3-8', kind: 'function', score: 1 }, {}, {}] },
  ],
  ['code_explain', { target: 'total' }, { type: 'FUNCTION', dependents: [{ rel: 'called_by', line: 3 }, { confidence: 0.4 }] }],
  ['semantic_slice', { symbol: 'Till.add' }, { file: 'src/pay.ts', startLine: 2, endLine: 4, symbolName: 'add' }],
  ['impact_analyze', { target: 'total' }, { blastRadius: 4, risk: 'low', directTests: ['test/pay.test.ts::testTotal'] }],
  ['query_graph_neighborhood', { node_id: 'checkout', radius: 1 }, { center_node: 'src/checkout.ts::checkout', total_nodes_in_neighborhood: 5 }],
  [
    'graph_query',
    { query: 'who calls total?' },
    {
      retrieval_strategy: 'graph_only',
      results: [{ id: 'src/pay.ts::Till::add', via: 'calls line 3' }, {}, { via: expect.stringMatching(/\(possible 0\.4\)$/) }],
    },
  ],
  ['graph_query', { query: "MATCH (a)-[:CALLS]->(b {name: 'checkout'}) RETURN a.id", language: 'cypher' }, { results: [{ 'a.id': 'test/checkout.test.ts' }] }],
  ['graph_query', { query: "match (a)-[:CALLS]->(b {name: 'checkout'}) RETURN a.id" }, { results: [{ 'a.id': 'test/checkout.test.ts' }] }],
  ['graph_query', { query: 'overview of the codebase', mode: 'global' }, { retrieval_strategy: 'global' }],
  ['graph_traverse', { entry_entity_ids: ['checkout'], direction: 'out', max_hops: 1 }, { traversal_depth_reached: 1 }],
  ['find_path', { source: 'checkout', target: 'total' }, { length: 2, path: ['src/checkout.ts::checkout', 'src/pay.ts::Till::add', 'src/pay.ts::total'] }],
  ['hybrid_search', { query: 'checkout basket', anchor_node_id: 'checkout' }, { anchor_node_id: 'src/checkout.ts::checkout' }],
  ['community_list', {}, { communities: [{ label: 'Till', centralNode: 'src/pay.ts::Till' }, {}, {}, {}] }],
  ['graph_health', {}, { watcherState: 'idle', txCount: 1, nodeCount: 13 }],
  ['graph_rebuild', {}, { status: 'QUEUED', txId: 'tx-1' }],
  ['graph_set_workspace', { workspaceRoot: '/home/ada/shop' }, { watcherState: 'idle' }],
];

test.each(happy)('%s answers %j', async (name, input, data) => {
  const { envelope, text } = await call(name, input);
  expect(envelope).toMatchObject({ ok: true, data });
  expect(text.split('\n')[0]).toBe(envelope.summary);
  expect(text.split('\n').pop()).toMatch(/^\[rev 1 · abc123def456/);
});

test.each([
  ['search_code', {}, 'VALIDATION_ERROR'],
  ['search_code', { query: 'x', k: 51 }, 'VALIDATION_ERROR'],
  ['code_explain', { target: 'zzz' }, 'NOT_FOUND'],
  ['code_explain', { target: '../x.ts' }, 'FORBIDDEN'],
  ['semantic_slice', {}, 'VALIDATION_ERROR'],
  ['semantic_slice', { file: '/etc/passwd' }, 'FORBIDDEN'],
  ['impact_analyze', { target: 'total', relations: ['nope'] }, 'VALIDATION_ERROR'],
  ['impact_analyze', { target: 'total', maxDepth: 7 }, 'VALIDATION_ERROR'],
  ['query_graph_neighborhood', { node_id: 'zzz' }, 'NOT_FOUND'],
  ['graph_health', { verbose: true }, 'VALIDATION_ERROR'],
  ['graph_rebuild', { mode: 'half' }, 'VALIDATION_ERROR'],
  ['graph_set_workspace', { workspaceRoot: '/etc' }, 'FORBIDDEN'],
  ['no_such_tool', {}, 'NOT_FOUND'],
  ['code_explain', { target: 'total', projectId: 'other' }, 'FORBIDDEN'],
])('%s of %j fails with %s and says what to do', async (name, input, errorCode) => {
  const { envelope, text } = await call(name, input);
  expect(envelope).toMatchObject({ ok: false, errorCode, profile: 'compact', hint: expect.stringMatching(/\w/) });
  expect(envelope._tokenEstimate).toBe(Math.ceil((envelope.summary + (envelope.hint ?? '')).length / 4));
  expect(text).toContain(errorCode);
});

test('before the first index is done the answer is an error, not an empty list', async () => {
  expect((await call('search_code', { query: 'x' }, workspaceOf(shop, { notReady: true }))).envelope).toMatchObject({ ok: false, errorCode: 'NOT_READY' });
});

test('a fault is caught once and told; a stopped call throws', async () => {
  const broken = {
    ...workspaceOf(shop),
    health: () => {
      throw new TypeError('boom');
    },
  };
  expect((await call('graph_health', {}, broken)).envelope).toMatchObject({ ok: false, errorCode: 'INTERNAL', summary: 'graph_health failed: boom' });
  const source = new CancellationSource();
  const stopping: MemoryWorkspace = { ...workspaceOf(shop), snapshot: () => Promise.reject(new Cancelled()) };
  await expect(askNamedTool(stopping, { name: 'search_code', input: { query: 'x' }, agentId: undefined, sessionId: 's' }, source.token)).rejects.toBeInstanceOf(
    Cancelled,
  );
});

const spellings: readonly Input[] = [
  { files: ['src/pay.ts', 'src/report.ts'], max_depth: 1, relations: ['CALLS', 'imports'] },
  { files: 'src/pay.ts, src/report.ts', maxDepth: '1', relations: 'calls,imported_by' },
  { FILES: '["src/pay.ts","src/report.ts"]', maxdepth: 1, relations: '["Calls","IMPORTS"]', profile: 'COMPACT' },
];

test('parameters are read in any spelling', async () => {
  const answers = await Promise.all(spellings.map(async input => (await call('impact_analyze', input)).envelope));
  expect(answers[0]).toMatchObject({ ok: true, data: { blastRadius: 3 } });
  expect(answers[1]?.data?.['directDependents']).toEqual(answers[0]?.data?.['directDependents']);
  expect(answers[2]?.data?.['directDependents']).toEqual(answers[0]?.data?.['directDependents']);
});

test('element is target', async () => {
  expect((await call('code_explain', { element: 'total' })).envelope.ok).toBe(true);
});

const estimate = (envelope: Envelope): number => Math.ceil(JSON.stringify({ ...forPrograms(envelope), _tokenEstimate: undefined }).length / 4);
const budgets = { compact: 300, balanced: 1200, debug: 25_600 } as const;
const questions: readonly (readonly [string, Input])[] = [
  ['code_explain', { target: 'src/a.ts::f' }],
  ['impact_analyze', { target: 'src/a.ts::f' }],
  ['query_graph_neighborhood', { node_id: 'src/a.ts::f' }],
  ['search_code', { query: 'uses thing', k: 3 }],
  ['graph_health', {}],
];

test.each(questions.flatMap(([name, input]) => (['compact', 'balanced', 'debug'] as const).map(profile => [name, profile, input] as const)))(
  '%s in %s fits its budget and counts itself right',
  async (name, profile, input) => {
    const { envelope, text } = await call(name, { ...input, profile }, workspaceOf(popular(400)));
    const budget = name === 'search_code' && profile === 'balanced' ? 2500 : budgets[profile];
    expect(envelope).toMatchObject({ ok: true, profile });
    expect(envelope._tokenEstimate).toBe(estimate(envelope));
    expect(envelope._tokenEstimate).toBeLessThanOrEqual(budget);
    expect(Math.ceil(text.length / 4)).toBeLessThanOrEqual(budget);
  },
);

test('nothing found where files have no known language says what was not searched', async () => {
  const { envelope } = await call('search_code', { query: 'zebra' }, workspaceOf({ 'notes.md': {}, 'a.ts': { symbols: [{ name: 'f' }] } }));
  expect(envelope.hint).toContain('The contents of 1 file in other formats (Markdown, JSON, …) are not searched. Use grep for those.');
  const coded = await call('search_code', { query: 'zebra' }, workspaceOf({ 'a.ts': { symbols: [{ name: 'f' }] } }));
  expect(coded.envelope.hint).not.toContain('grep');
});

test('a required list is shortened, not dropped; what was left out is named', async () => {
  const { envelope } = await call('impact_analyze', { target: 'src/a.ts::f' }, workspaceOf(popular(400)));
  // A word costs less than saying that it is left out.
  expect(envelope.data).toMatchObject({ blastRadius: 400, truncated: true, total: 400, risk: 'high' });
  expect(envelope.data).toHaveProperty('directDependents.1');
  expect(envelope.hint).toContain('Omitted to fit in 300 tokens');
});

test('what cannot fit is an error that names the wider profile', async () => {
  expect((await call('graph_health', { maxTokens: 50 })).envelope).toMatchObject({ errorCode: 'BUDGET_EXCEEDED', hint: expect.stringContaining('balanced') });
});

test('source that does not fit is given as its signature, with the budget it needs', async () => {
  const { envelope } = await call('semantic_slice', { symbol: 'Till', maxTokens: 130 });
  expect(envelope).toMatchObject({ ok: true, data: { code: 'export class Till', elided: true }, hint: expect.stringContaining('maxTokens 200') });
  const wider = await call('semantic_slice', { symbol: 'Till', maxTokens: 200 });
  expect(wider.envelope.data?.['code']).toBe(shopTexts['src/pay.ts']?.split('\n').slice(0, 9).join('\n'));
});

test.each([
  ['search_code', { query: 'uses', k: 7 }, 'results', 'chunk_id'],
  ['search_code', { query: 'uses', k: 7, ego_graph_enabled: true, profile: 'debug' }, 'results', 'chunk_id'],
  ['code_explain', { target: 'src/a.ts::f' }, 'dependents', 'id'],
  ['impact_analyze', { target: 'src/a.ts::f' }, 'impactedSymbols', 'id'],
  ['query_graph_neighborhood', { node_id: 'src/a.ts::f', max_nodes: 60, radius: 1 }, 'nodes', 'id'],
] as const)('%s %j pages to the end without gap or repeat', async (name, input, key, id) => {
  const workspace = workspaceOf(popular(45));
  const seen: unknown[] = [];
  let cursor: unknown;
  for (let page = 0; page < 100; page++) {
    const { envelope } = await call(name, cursor === undefined ? input : { ...input, cursor }, workspace);
    expect(envelope).toMatchObject({ ok: true });
    const rows = (envelope.data?.[key] ?? []) as readonly Input[];
    seen.push(...rows.filter(row => row['source'] !== 'ego_graph').map(row => row[id]));
    cursor = envelope.data?.['nextCursor'];
    if (cursor === undefined) break;
  }
  const users = seen.filter(each => /::use\d+$/.test(String(each)));
  expect(new Set(users).size).toBe(45);
  expect(seen).toHaveLength(new Set(seen).size);
});

test('a cursor of another question is refused', async () => {
  const workspace = workspaceOf(popular(45));
  const { envelope } = await call('search_code', { query: 'thing', k: 5 }, workspace);
  const cursor = envelope.data?.['nextCursor'];
  expect((await call('search_code', { query: 'uses', k: 5, cursor }, workspace)).envelope).toMatchObject({
    errorCode: 'VALIDATION_ERROR',
    data: { field: 'cursor' },
  });
  expect((await call('search_code', { query: 'thing', k: 5, cursor: 'x' }, workspace)).envelope).toMatchObject({ errorCode: 'VALIDATION_ERROR' });
  expect((await call('graph_health', { cursor }, workspace)).envelope).toMatchObject({ errorCode: 'VALIDATION_ERROR' });
});

test.each(questions)('%s says the same twice', async (name, input) => {
  const [first, second] = [await call(name, input, workspaceOf(popular(30))), await call(name, input, workspaceOf(popular(30)))];
  expect(second).toEqual(first);
});

test('search gives relation lists, the links that join the hits, and their order', async () => {
  const { envelope } = await call('search_code', { query: 'checkout basket' });
  expect(envelope.data).toMatchObject({
    results: [{ graph: { calls: ['src/pay.ts::Till::add'], instantiates: ['src/pay.ts::Till'], called_by: ['test/checkout.test.ts'] } }, {}, {}],
    subgraph_order: ['src/checkout.ts', 'src/checkout.ts::checkout', 'test/checkout.test.ts'],
  });
  expect(envelope.data?.['subgraph_edges']).toContainEqual({
    src: 'src/checkout.ts::checkout',
    tgt: 'src/pay.ts::Till',
    rel: 'instantiates',
    line: 4,
    boundary: true,
  });
});

test('neighbors of the hits are marked and have no relations of their own', async () => {
  const { envelope } = await call('search_code', { query: 'report', ego_graph_enabled: true, ego_graph_k_hops: 1 });
  const rows = envelope.data?.['results'] as readonly Input[];
  expect(rows.filter(row => row['source'] === 'ego_graph')).toEqual([
    { chunk_id: 'src/pay.ts::total', file: 'src/pay.ts', lines: '11-13', kind: 'function', centrality: 1, source: 'ego_graph' },
  ]);
});

test('verbose keeps empty fields, compact leaves them out', async () => {
  const keys = async (output_format: string): Promise<string[]> =>
    Object.keys((await call('search_code', { query: 'lonely', chunk_type: 'function', output_format })).envelope.data ?? {});
  expect(await keys('verbose')).toContain('subgraph_edges');
  expect(await keys('compact')).not.toContain('subgraph_edges');
});

test('an answer from search says what the background has not brought yet', async () => {
  const vectors = { state: 'training', embedder: '', dimension: 0, documents: 0, done: 0, cpuMs: 0, packBytes: 0 } as const;
  const health = { words: { done: 1, total: 3 }, history: 'pending', vectors } as const;
  const early = { ...workspaceOf(shop), searchHealth: () => health };
  const ask = (name: string, input: Input): Promise<Invoked> => askNamedTool(early, { name, input, agentId: undefined, sessionId: 's' });
  for (const name of ['search_code', 'hybrid_search', 'graph_query']) {
    const { envelope, text } = await ask(name, { query: 'checkout basket' });
    expect([name, envelope.stamp?.degraded]).toEqual([name, ['contents', 'history', 'vectors']]);
    expect(text).toContain('contents, history, vectors not ready');
  }
  expect((await ask('code_explain', { target: 'checkout' })).envelope.stamp?.degraded).toBeUndefined();
  const behind = {
    ...early,
    searchHealth: () => ({ words: { done: 3, total: 3 }, history: 'unreadable' as const, vectors: { ...vectors, state: 'ready' as const } }),
  };
  const { envelope } = await askNamedTool(behind, { name: 'search_code', input: { query: 'basket' }, agentId: undefined, sessionId: 's' });
  expect(envelope.stamp?.degraded).toEqual(['history']);
  expect((await call('search_code', { query: 'checkout' })).envelope.stamp?.degraded).toBeUndefined();
});

test('verbose is JSON, ultra says names once, compact is a row per hit', async () => {
  const text = async (output_format: string): Promise<string[]> =>
    (await call('search_code', { query: 'checkout basket', k: 2, output_format })).text.split('\n');
  expect(JSON.parse((await text('verbose'))[1] ?? '')).toMatchObject({ query: 'checkout basket' });
  expect((await text('ultra'))[2]).toBe('results[2]{blended_score,centrality,chunk_id,graph,kind,lines,score}');
  expect((await text('compact')).slice(1, 3)).toEqual(['src/checkout.ts:3-8 function checkout  ← test/checkout.test.ts', 'src/checkout.ts:1-9 file']);
});

test('unresolved references at the symbol asked about are in the stamp', async () => {
  expect((await call('code_explain', { target: 'checkout' })).envelope.stamp?.unresolved).toBe(2);
});

const described = TOOLS.map(describeTool);
const tokensOf = (value: unknown): number => Math.ceil(JSON.stringify(value).length / 4);

test('the default list is small', () => {
  const core = selectTools(TOOLS, 'core');
  const listed = core.ok ? core.value.map(describeTool) : [];
  expect(listed.map(tool => tool.name)).toEqual([...CORE_TOOLS]);
  expect(listed.length).toBeLessThanOrEqual(8);
  expect(tokensOf(listed.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })))).toBeLessThanOrEqual(2500);
  expect(tokensOf(listed)).toBeLessThanOrEqual(4500);
});

test('schemas are inline and every effect is said', () => {
  expect(JSON.stringify(described)).not.toContain('$ref');
  for (const tool of described) expect(Object.keys(tool.annotations)).toEqual(['title', 'readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']);
});

/** Only who names that group gets its tools. */
const ADMIN = TOOLS.filter(tool => tool.group === 'admin').length;

test.each([
  ['agent', CORE_TOOLS.length + 5],
  ['agent,graph_backup', CORE_TOOLS.length + 6],
  ['full', TOOLS.length - ADMIN],
  ['full,admin', TOOLS.length],
  ['admin', ADMIN],
  ['search_code, graph_health', 2],
  ['core,full', TOOLS.length - ADMIN],
  ['', CORE_TOOLS.length],
])('the selection "%s" has %i tools', (selection, count) => {
  const selected = selectTools(TOOLS, selection);
  expect(selected.ok && selected.value.length).toBe(count);
});

test('agents are offered the core and what they report on their work with', () => {
  const selected = selectTools(TOOLS, 'agent');
  const beside = selected.ok && selected.value.map(tool => tool.name).filter(name => !(CORE_TOOLS as readonly string[]).includes(name));
  expect(beside).toEqual(['task_update', 'episode_add', 'episode_recall', 'agent_claim', 'agent_release']);
});

test('an unknown tool in the selection is told', () => {
  expect(selectTools(TOOLS, 'core,nope')).toMatchObject({ ok: false, error: { message: expect.stringContaining('nope') } });
});

test('the documentation names every tool and parameter', () => {
  const text = toolsMarkdown();
  for (const tool of TOOLS) for (const name of [tool.name, ...Object.keys(tool.input.shape)]) expect(text).toContain(name);
  expect(languageModelTools()[0]).toMatchObject({ name: 'lattice_context_pack', toolReferenceName: 'latticeContextPack' });
});

test('names and schemas are as pinned; npm run update writes the pin anew', () => {
  const pinned: unknown = JSON.parse(readFileSync(new URL('../pins/tools.json', import.meta.url), 'utf8'));
  expect(JSON.parse(JSON.stringify(pinnedTools()))).toEqual(pinned);
});

test.each([
  ['impact_analyze', { target: 'src/pay.ts::total', relations: ['calls', 'nope'] }, 'relations'],
  ['query_graph_neighborhood', { node_id: 'src/pay.ts::total', filter_edge_types: ['nope'] }, 'filter_edge_types'],
])('%s says which name is no relation and which there are', async (name, input, field) => {
  const { envelope } = await call(name, input);
  expect(envelope).toMatchObject({ ok: false, errorCode: 'VALIDATION_ERROR', summary: 'Unknown relation: nope.', data: { field } });
  expect(envelope.hint).toContain('calls, inherits');
});
