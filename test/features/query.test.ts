import { expect, test } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import type { FeatureName } from '../../server/src/features/catalogue/catalogue';
import { patternQuery } from '../../server/src/features/query/patternQuery';
import { complexityOf, routeOf } from '../../server/src/features/query/routing';
import { extractSubgraph } from '../../server/src/features/search/subgraph';
import { reverseName } from '../../server/src/features/shared/links';
import { askFeature } from '../helpers/askFeature';
import { type FileSketch, graphOf, type WorkspaceSketch } from '../helpers/graphOf';
import { shop } from '../helpers/shop';
import { workspaceOf } from '../helpers/workspaceOf';

const total = 'src/pay.ts::total';
const add = 'src/pay.ts::Till::add';
const checkout = 'src/checkout.ts::checkout';

async function ask(name: FeatureName, params: unknown, sketch: WorkspaceSketch = shop): Promise<Record<string, unknown>> {
  const found = await askFeature(name, workspaceOf(sketch), params);
  if (!found.ok) throw new Error(`${found.error.code}: ${found.error.message}`);
  return found.value as Record<string, unknown>;
}

async function records(query: string, parameters: Readonly<Record<string, unknown>> = {}, timeoutMs = 5000): Promise<unknown> {
  const found = await patternQuery(workspaceOf(shop), { query, parameters, timeoutMs }, neverCancelled);
  return found.ok ? found.value.records.map(record => Object.values(record)) : found.error.code;
}

test.each([
  ["MATCH (a)-[:CALLS]->(b) WHERE b.name = 'total' RETURN a.name ORDER BY a.name", [['add'], ['report'], ['testTotal']]],
  ["MATCH (b:Function {name: 'total'})<-[r:calls]-(a:method) RETURN a.name, r.confidence >= 0.8 AS sure, type(r)", [['add', true, 'calls']]],
  ["MATCH (b {name: 'total'})-[:called_by]->(a) RETURN count(*)", [[3]]],
  ["MATCH (a {name: 'checkout'})-[:CALLS*1..3]->(b) RETURN b.name", [['add'], ['total']]],
  ["MATCH (a {name: 'checkout'})-[:CALLS*2]->(b) RETURN b.name", [['total']]],
  [
    'MATCH (f:file) WHERE f.path STARTS WITH $folder AND NOT f.path CONTAINS "lone" RETURN f.path ORDER BY f.path DESC LIMIT 2',
    [['src/report.ts'], ['src/pay.ts']],
  ],
  ['MATCH (f:file) RETURN f.path ORDER BY f.path SKIP 4 LIMIT 1', [['test/checkout.test.ts']]],
  [
    'MATCH (a)-[:CALLS]->(b) RETURN b.name AS name, count(a) AS users ORDER BY users DESC, name LIMIT 2',
    [
      ['total', 3],
      ['add', 1],
    ],
  ],
  ["MATCH (b {name: 'total'}) OPTIONAL MATCH (b)-[:RAISES]->(e) RETURN b.name, e", [['total', null]]],
  ["MATCH (a)-[:CALLS]->(b {name: 'total'}) RETURN collect(a.name)", [[['add', 'report', 'testTotal']]]],
  ["MATCH (a {name: 'total'})--(b:file) RETURN DISTINCT b.path", [['src/pay.ts']]],
  ["MATCH (a) WHERE a.name IN ['lonely', 'x'] AND a.doc = '' OR a.id = 'src/lonely.ts' RETURN id(a)", [['src/lonely.ts'], ['src/lonely.ts::lonely']]],
  ['MATCH (a {id: "src/lonely.ts"}) RETURN a', [[{ id: 'src/lonely.ts', kind: 'file', line: 1 }]]],
  ["MATCH (a {name: 'nothing'}) RETURN count(a)", [[0]]],
])('%s', async (query, rows) => {
  expect(await records(query, { folder: 'src/' })).toEqual(rows);
});

test.each([
  ['MATCH (n) DELETE n', 'READ_ONLY'],
  ['MATCH (n) set n.name = 1 RETURN n', 'READ_ONLY'],
  ["CREATE (n {name: 'x'})", 'READ_ONLY'],
  ['MATCH (n) WITH n RETURN n', 'VALIDATION_ERROR'],
  ['MATCH (n:Banana) RETURN n', 'VALIDATION_ERROR'],
  ['MATCH (n)-[:EATS]->(m) RETURN n', 'VALIDATION_ERROR'],
  ['MATCH (n)-[*1..9]->(m) RETURN n', 'VALIDATION_ERROR'],
  ['MATCH (n) RETURN m', 'VALIDATION_ERROR'],
  ['MATCH (n) RETURN avg(n.line)', 'VALIDATION_ERROR'],
  ['MATCH (n) WHERE n.name = $missing RETURN n', 'VALIDATION_ERROR'],
  ['MATCH (n RETURN n', 'VALIDATION_ERROR'],
  ['MATCH (n) RETURN n LIMIT -1', 'VALIDATION_ERROR'],
  ['find me the money ~', 'VALIDATION_ERROR'],
])('%s is refused with %s', async (query, code) => {
  expect(await records(query)).toBe(code);
});

test('a query that looks at too much ends', async () => {
  expect(await records('MATCH (a)--(b)--(c)--(d)--(e) RETURN count(*)', {}, 1)).toBe('TIMEOUT');
});

test.each([
  ['who calls total?', 'graph_only', 'in'],
  ['what does checkout call', 'graph_only', 'out'],
  ['where is Till used', 'graph_only', 'in'],
  ['what depends on total indirectly', 'graph_only', 'in'],
  ['what calls the thing that pays', 'hybrid', 'in'],
  ['what tests cover total', 'graph_only', 'in'],
  ['which test covers Till', 'graph_only', 'in'],
  ['where is Till raised', 'graph_only', 'in'],
  ['what does checkout throw', 'graph_only', 'out'],
  ['who writes Till', 'graph_only', 'in'],
  ['where are bills written', 'vector_only', 'in'],
  ['sum of a bill', 'vector_only', 'both'],
  ['how many checkout and total between since last week', 'hybrid', 'both'],
  ['compare checkout and total', 'keyword_boost', 'both'],
])('"%s" is answered by %s, walking %s', (question, route, direction) => {
  expect(routeOf(graphOf(shop).view, question, [])).toMatchObject({ route, direction });
});

test('complexity adds up its parts', () => {
  expect(complexityOf('', 0)).toBe(0);
  expect(complexityOf('how many between a and b since', 2)).toBeCloseTo(0.85 + 0.15 * (7 / 30));
});

test('a question is answered as far as it can be, and says what it left out', async () => {
  const answer = await ask('graphQuery', { query: 'who calls `total` and noSuchThing' });
  expect(answer).toMatchObject({ strategy: 'graph_only', total: 3 });
  expect(answer['warnings']).toEqual(['noSuchThing is not in the graph and was ignored.']);
});

test('the global mode answers from communities, the hybrid one from both', async () => {
  expect(await ask('graphQuery', { query: 'overview of the codebase', mode: 'global' })).toMatchObject({ total: 4, rows: [], strategy: 'global' });
  const chosen = await ask('graphQuery', { query: 'lonely', mode: 'global' });
  expect(chosen).toMatchObject({ total: 1, communities: [{ centralNode: 'src/lonely.ts::lonely' }] });
  const both = await ask('graphQuery', { query: 'who calls total', mode: 'hybrid' });
  expect(both['communities']).not.toEqual([]);
  expect(both['rows']).toHaveLength(3);
});

test('neighbours are not reached by way of a library', () => {
  const uses = (from: string, to: string) => ({ from, relation: 'INHERITS', to }) as const;
  const sketch: WorkspaceSketch = {
    'a.ts': { symbols: [{ name: 'A', kind: 'class' }], references: [uses('A', 'external::Migration'), { from: 'A', relation: 'CALLS', to: 'c.ts::c' }] },
    'b.ts': { symbols: [{ name: 'B', kind: 'class' }], references: [uses('B', 'external::Migration')] },
    'c.ts': { symbols: [{ name: 'c' }, { name: 'd' }], references: [{ from: 'c', relation: 'CALLS', to: 'c.ts::d' }] },
  };
  const { view } = graphOf(sketch);
  const around = (egoHops: number) => extractSubgraph(view, ['a.ts::A'], { egoHops, boundary: true }).neighbours.map(row => row.id);
  expect(around(1)).toEqual(['c.ts::c']);
  expect(around(3)).toEqual(['c.ts::c', 'c.ts::d']);
});

test('a walk takes the surest paths first and tells them', async () => {
  const answer = await ask('traverse', { entries: [total], maxHops: 2, direction: 'in', relations: ['calls'], minConfidence: 0 });
  expect((answer['nodes'] as { id: string }[]).map(({ id }) => id)).toEqual([add, 'test/pay.test.ts::testTotal', checkout, 'src/report.ts::report']);
  expect(answer).toMatchObject({
    depthReached: 2,
    truncated: false,
    nodes: [{ hops: 1 }, {}, { hops: 2, steps: [{ source: add }, { source: checkout }] }, { confidence: expect.any(Number) }],
  });
  const sure = await ask('traverse', { entries: [total], maxHops: 1, direction: 'in', relations: ['calls'], minConfidence: 0.5 });
  expect(sure['nodes']).toHaveLength(2);
});

test('a walk is capped, filtered, and names entries it does not know', async () => {
  expect(await ask('traverse', { entries: [total], maxResults: 1 })).toMatchObject({ truncated: true, nodes: [{}] });
  const files = await ask('traverse', { entries: [total, 'nowhere/x.ts'], nodeTypes: ['FILE'], maxHops: 1 });
  expect(files).toMatchObject({ missing: ['nowhere/x.ts'], nodes: [{ id: 'src/pay.ts' }] });
});

test.each([
  [checkout, total, false, [checkout, add, total]],
  [total, checkout, false, []],
  [total, checkout, true, [total, add, checkout]],
  [total, total, false, [total]],
  ['lonely', total, true, []],
])('the path from %s to %s (undirected: %s)', async (from, to, undirected, path) => {
  const answer = await ask('findPath', { from, to, undirected, relations: ['calls'] });
  expect((answer['nodes'] as { id: string }[]).map(({ id }) => id)).toEqual(path);
  expect(answer['edges']).toHaveLength(Math.max(0, path.length - 1));
});

test('nearness to an anchor decides between hits alike; without one centrality does', async () => {
  const anchored = (await ask('hybridSearch', { query: 'till bill basket', anchor: 'report' }))['hits'] as { id: string; distance: number; score: number }[];
  const distance = new Map(anchored.map(hit => [hit.id, hit.distance]));
  expect(distance.get(total)).toBe(1);
  expect(anchored.map(hit => hit.score)).toEqual(anchored.map(hit => hit.score).toSorted((a, b) => b - a));
  expect(anchored.find(hit => hit.id === total)).toMatchObject({ semanticScore: expect.any(Number), graphScore: expect.any(Number) });
  const plain = (await ask('hybridSearch', { query: 'till' }))['hits'] as { distance: number; graphScore: number; centrality: number }[];
  expect(plain.every(hit => hit.distance === -1 && hit.graphScore === hit.centrality)).toBe(true);
});

test('the combined score is the weighted sum', async () => {
  const hits = (await ask('hybridSearch', { query: 'till', semanticWeight: 0.7, graphWeight: 0.2 }))['hits'] as Record<
    'score' | 'semanticScore' | 'graphScore',
    number
  >[];
  for (const hit of hits) expect(hit.score).toBeCloseTo(0.7 * hit.semanticScore + 0.2 * hit.graphScore, 3);
  expect(hits.length).toBeGreaterThan(0);
});

const options = { egoHops: 0, boundary: true };

test('the subgraph has typed links, dependencies first, and communities with a label and a count', () => {
  const { view } = graphOf(shop);
  const found = extractSubgraph(view, [checkout, add, total, 'no::such'], options);
  expect(found.nodes.map(({ id }) => id)).toEqual([checkout, add, total]);
  expect(found.edges.filter(edge => !edge.boundary).map(edge => `${edge.source} ${edge.relation} ${edge.target}`)).toEqual([
    `${checkout} calls ${add}`,
    `${add} calls ${total}`,
  ]);
  expect(found.edges.filter(edge => edge.boundary)).toMatchObject([{ source: checkout, relation: 'instantiates', target: 'src/pay.ts::Till' }]);
  expect(found.order).toEqual([total, add, checkout]);
  expect(Object.values(found.communities).reduce((sum, { count }) => sum + count, 0)).toBe(3);
  expect(found.nodes.every(node => node.community !== undefined)).toBe(true);
  expect(found.degraded).toEqual([]);
});

test('a symbol has the imports it uses and the files that import it for itself', () => {
  const { view } = graphOf(shop);
  const { relations } = extractSubgraph(view, [checkout, total, 'src/pay.ts::Till'], options);
  expect(relations.get(checkout)?.['imports']).toEqual(['src/pay.ts']);
  expect(relations.get(total)?.['imported_by']).toEqual(['test/pay.test.ts']);
  expect(relations.get('src/pay.ts::Till')?.['imported_by']).toEqual(['src/checkout.ts']);
});

test('ten callers give five, neighbours are capped, and boundary links are three a node', () => {
  const users = Array.from({ length: 30 }, (_, i): [string, WorkspaceSketch[string]] => [
    `u${i}.ts`,
    { symbols: [{ name: `u${i}` }], references: [{ from: `u${i}`, relation: 'CALLS', to: 'a.ts::f' }] },
  ]);
  const uses = users.map(([path], i) => ({ from: 'g', relation: 'CALLS' as const, to: `${path}::u${i}` }));
  const { view } = graphOf({ ...Object.fromEntries(users), 'a.ts': { symbols: [{ name: 'f' }, { name: 'g' }], references: uses } });
  const found = extractSubgraph(view, ['a.ts::f', 'a.ts::g'], { egoHops: 1, boundary: true });
  expect(found.relations.get('a.ts::f')?.['called_by']).toHaveLength(5);
  expect(found.neighbours).toHaveLength(20);
  expect(found.nodes.filter(node => !node.isResult)).toHaveLength(10);
  expect(found.edges.filter(edge => edge.boundary)).toHaveLength(3);
  expect(new Set(found.nodes.map(({ id }) => id)).size).toBe(found.nodes.length);
});

test('an answer before the communities are known says that they are missing', () => {
  const { view } = graphOf(shop);
  const early = new Proxy(view, {
    get: (target, key) => {
      if (key === 'hasQuickCommunities') return false;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const [before, after] = [early, view].map(graph => extractSubgraph(graph, [checkout, add], options));
  expect(before?.degraded).toEqual(['communities']);
  expect(before?.communities).toEqual({});
  expect(after?.nodes.map(node => ({ ...node, community: undefined }))).toEqual(before?.nodes);
  expect([after?.edges, after?.order, after?.degraded]).toEqual([before?.edges, before?.order, []]);
});

test('relation lists, boundary and order are those of the sorted edges, also at a hub', () => {
  const user = (at: number): WorkspaceSketch => ({
    [`c${(at * 11) % 40}.ts`]: {
      symbols: [{ name: `use${(at * 7) % 40}` }],
      references: [
        { from: '', relation: 'IMPORTS', to: 'hub.ts' },
        { from: `use${(at * 7) % 40}`, relation: 'CALLS', to: 'hub.ts::hub' },
        { from: `use${(at * 7) % 40}`, relation: 'USES_TYPE', to: 'hub.ts::Hub' },
        { from: 'hub.ts::mark', relation: 'DECORATES', to: `c${(at * 11) % 40}.ts::use${(at * 7) % 40}` },
      ],
    },
  });
  const hub: FileSketch = {
    symbols: [{ name: 'Hub', kind: 'interface' }, { name: 'hub' }, { name: 'mark' }, { name: 'other' }],
    references: ['other', 'mark', 'Hub'].map(name => ({ from: 'hub', relation: name === 'Hub' ? 'USES_TYPE' : 'CALLS', to: `hub.ts::${name}` })),
  };
  const { view } = graphOf({ 'hub.ts': hub, ...Object.assign({}, ...Array.from({ length: 40 }, (_, at) => user(at))) });
  for (const id of ['hub.ts::hub', 'hub.ts::Hub', 'hub.ts::mark', 'c3.ts', 'hub.ts']) {
    const node = view.find(id) ?? -1;
    const expected: Record<string, string[]> = {};
    const firstFive = (name: string, other: number): void => {
      const list = (expected[name] ??= []);
      if (list.length < 5) list.push(view.idOf(other));
    };
    const isShown = (relation: string): boolean => relation !== 'CONTAINS' && relation !== 'DEFINES_SYMBOL';
    for (const edge of view.out(node)) if (isShown(edge.relation)) firstFive(edge.relation.toLowerCase(), edge.target);
    for (const edge of view.in(node)) if (isShown(edge.relation)) firstFive(reverseName(edge.relation), edge.source);
    const lists = { ...extractSubgraph(view, [id], options).relations.get(id) };
    if (id.includes('::')) delete lists['imported_by'];
    expect([id, lists]).toEqual([id, expected]);
    expect(Object.keys(lists)).toEqual(Object.keys(expected));
  }
  expect(extractSubgraph(view, ['hub.ts::hub'], options).relations.get('hub.ts::hub')?.['imported_by']).toEqual([
    'c0.ts',
    'c1.ts',
    'c10.ts',
    'c11.ts',
    'c12.ts',
  ]);
});

test('a part that fails is named and leaves the others', () => {
  const { view } = graphOf(shop);
  const broken = new Proxy(view, {
    get: (target, key) => {
      if (key === 'fileNodeOf') throw new Error('no files');
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const found = extractSubgraph(broken, [checkout, add], { ...options, egoHops: 0 });
  expect(found.degraded).toEqual(['relations']);
  expect(found.relations.size).toBe(0);
  expect(found.nodes).toHaveLength(2);
});

test('features over a wire refuse unknown words', async () => {
  const codes = await Promise.all(
    [['graphQuery', { query: 'x', mode: 'sideways' }] as const, ['traverse', { entries: [total], direction: 'up' }] as const, ['traverse', {}] as const].map(
      async ([name, params]) => {
        const found = await askFeature(name, workspaceOf(shop), params);
        return found.ok ? 'ok' : found.error.code;
      },
    ),
  );
  expect(codes).toEqual(['VALIDATION_ERROR', 'VALIDATION_ERROR', 'VALIDATION_ERROR']);
});

test('who calls a type calls its members, wherever they are declared; what imports it imports its file; each row tells its link', async () => {
  const calls = (from: string, to: string, line: number) => ({ from, relation: 'CALLS', to, line, source: 'import' }) as const;
  const sketch: WorkspaceSketch = {
    'src/a.ts': {
      symbols: [
        { name: 'Box', kind: 'class' },
        { name: 'Box.open', kind: 'method' },
      ],
      references: [{ from: 'Box', relation: 'CONTAINS', to: 'src/b.ts::Box::shut' }, calls('Box.open', 'src/b.ts::Box::shut', 2)],
    },
    'src/b.ts': { symbols: [{ name: 'Box.shut', kind: 'method' }] },
    'src/c.ts': {
      symbols: [{ name: 'one' }, { name: 'two' }],
      references: [
        { from: '', relation: 'IMPORTS', to: 'src/a.ts', line: 1 },
        calls('one', 'src/a.ts::Box::open', 4),
        { from: 'two', relation: 'CALLS', to: { 'src/b.ts::Box::shut': 0.5 }, line: 6 },
      ],
    },
  };
  const rows = async (query: string) => {
    const found = await askFeature('graphQuery', workspaceOf(sketch), { query });
    return found.ok ? (found.value as { readonly rows: readonly { readonly id: string }[] }).rows.map(row => row.id) : [];
  };
  expect(await rows('who calls Box')).toEqual(['src/c.ts::one', 'src/c.ts::two']);
  expect(await rows('who calls Box.shut')).toEqual(['src/a.ts::Box::open', 'src/c.ts::two']);
  expect(await rows('which files import Box')).toEqual(['src/c.ts']);
});

test('a relation asked of a name that several things have is answered for all of them, and says so', async () => {
  const calls = (from: string, to: string) => ({ from, relation: 'CALLS', to, source: 'import' }) as const;
  const sketch: WorkspaceSketch = {
    'src/a.ts': { symbols: [{ name: 'make_reply' }, { name: 'one' }], references: [calls('one', 'src/a.ts::make_reply')] },
    'src/b.ts': { symbols: [{ name: 'make_reply' }, { name: 'two' }], references: [calls('two', 'src/b.ts::make_reply')] },
    'test/c.ts': { isTest: true, symbols: [{ name: 'make_reply' }, { name: 'three' }], references: [calls('three', 'test/c.ts::make_reply')] },
  };
  const found = await askFeature('graphQuery', workspaceOf(sketch), { query: 'what calls make_reply' });
  expect(found).toMatchObject({
    ok: true,
    value: {
      strategy: 'graph_only',
      rows: [{ id: 'src/a.ts::one' }, { id: 'src/b.ts::two' }],
      warnings: ['There are several symbols named make_reply. The answer includes all of them.'],
    },
  });
  const unknown = await askFeature('graphQuery', workspaceOf(sketch), { query: 'what calls Frobnicator?' });
  expect(unknown).toMatchObject({ ok: true, value: { warnings: ['Frobnicator is not in the graph and was ignored.'] } });
});
