import { expect, test } from 'vitest';
import { CancellationSource, Cancelled, neverCancelled } from '../../../server/src/base/cancellation';
import { Interner } from '../../../server/src/base/interner';
import { runAtOnce } from '../../../server/src/base/steps';
import { Turn } from '../../../server/src/base/yield';
import { CodeGraph } from '../../../server/src/code/graph/codeGraph';
import { fromColumns, toColumns } from '../../../server/src/code/graph/graphColumns';
import type { GraphView } from '../../../server/src/code/graph/graphView';
import { NO_NODE, type NodeHandle } from '../../../server/src/model/ids';
import { deltaOf, type FileSketch, graphOf, type WorkspaceSketch } from '../../helpers/graphOf';

const shop: WorkspaceSketch = {
  'src/pay.ts': {
    symbols: [
      { name: 'Till', kind: 'class', lines: [1, 9], doc: 'Takes money. Gives change.' },
      { name: 'Till.add', kind: 'method', lines: [2, 4], modifiers: ['async', 'exported'] },
      { name: 'total', lines: [11, 13], firstLine: 'return sum(lines);' },
    ],
    references: [
      { from: 'Till.add', relation: 'CALLS', to: 'src/pay.ts::total', line: 3, column: 10 },
      { from: 'Till.add', relation: 'CALLS', to: 'src/pay.ts::total', line: 2 },
      { from: '', relation: 'IMPORTS', to: 'external::fs', source: 'import' },
    ],
    unresolved: { total: 2 },
    external: { '': 1 },
  },
  'src/log.ts': { symbols: [{ name: 'log' }] },
  'src/app.ts': {
    symbols: [{ name: 'run', lines: [2, 5] }],
    references: [
      { from: '', relation: 'IMPORTS', to: 'src/pay.ts', source: 'import' },
      { from: 'run', relation: 'CALLS', to: { 'src/pay.ts::total': 0.6, 'src/pay.ts::Till::add': 0.3 }, line: 4, source: 'heuristic' },
      { from: 'src/log.ts::log', relation: 'DECORATES', to: 'src/app.ts::run', line: 1 },
    ],
  },
};

/** Everything a view says, in words that mean the same in every process. */
function told(view: GraphView): string[] {
  const rows: string[] = [`${view.nodeCount} nodes ${view.edgeCount} edges ${view.fileCount} files`];
  for (const handle of view.nodes()) {
    const { handle: _, ...node } = view.node(handle);
    rows.push(JSON.stringify([node, view.countsOf(handle)]));
    for (const edge of view.out(handle))
      rows.push(`${view.idOf(edge.source)} ${edge.relation} ${view.idOf(edge.target)} ${JSON.stringify({ ...edge, source: 0, target: 0 })}`);
    for (const edge of view.in(handle)) rows.push(`${view.idOf(edge.target)} <${edge.relation} ${view.idOf(edge.source)}`);
  }
  return rows;
}

const edgesOf = (view: GraphView, id: string): string[] =>
  view
    .out(view.find(id) ?? NO_NODE)
    .map(edge => `${edge.relation} ${view.idOf(edge.target)} ${edge.confidence} ${edge.provenance} ${edge.count} ${edge.lines.join('+')}`);

test('an edge gathers its sites', () => {
  const { view } = graphOf(shop);
  expect(edgesOf(view, 'src/pay.ts::Till::add')).toEqual(['CALLS src/pay.ts::total 0.95 scope 2 2+3']);
});

test('candidates are edges of their own', () => {
  const { view } = graphOf(shop);
  expect(edgesOf(view, 'src/app.ts::run')).toEqual(['CALLS src/pay.ts::Till::add 0.3 heuristic 1 4', 'CALLS src/pay.ts::total 0.6 heuristic 1 4']);
});

test('a decorator points at what it decorates', () => {
  const { view } = graphOf(shop);
  expect(edgesOf(view, 'src/log.ts::log')).toContain('DECORATES src/app.ts::run 0.95 scope 1 1');
  expect(view.in(view.find('src/app.ts::run') ?? NO_NODE).map(edge => edge.relation)).toEqual(['DECORATES', 'DEFINES_SYMBOL']);
});

test('structure comes from the symbols', () => {
  const { view } = graphOf(shop);
  expect(edgesOf(view, 'src/pay.ts')).toEqual([
    'IMPORTS external::fs 0.95 import 1 1',
    'DEFINES_SYMBOL src/pay.ts::Till 1 syntax 1 ',
    'DEFINES_SYMBOL src/pay.ts::Till::add 1 syntax 1 ',
    'DEFINES_SYMBOL src/pay.ts::total 1 syntax 1 ',
  ]);
  expect(edgesOf(view, 'src/pay.ts::Till')).toContain('CONTAINS src/pay.ts::Till::add 1 syntax 1 ');
});

test('nodes carry what the symbol table says', () => {
  const { view } = graphOf(shop);
  const add = view.node(view.find('src/pay.ts::Till::add') ?? NO_NODE);
  expect(add).toMatchObject({ name: 'add', kind: 'method', startLine: 2, endLine: 4, modifiers: ['exported', 'async'], isExported: true, path: 'src/pay.ts' });
  expect(['Till', 'total', 'Till::add'].map(name => view.node(view.find(`src/pay.ts::${name}`) ?? NO_NODE).summary)).toEqual([
    'Takes money',
    'return sum(lines);',
    'add implementation',
  ]);
  expect(view.node(view.find('src/pay.ts') ?? NO_NODE).summary).toBe('defines class Till, function total');
  expect(view.node(view.find('external::fs') ?? NO_NODE)).toMatchObject({ nodeType: 'external', name: 'fs' });
});

test('a reference whose relation may not join such ends makes no edge and is counted', () => {
  const references: FileSketch['references'] = [
    { from: 'run', relation: 'CALLS', to: 'src/pay.ts' },
    { from: 'run', relation: 'CALLS', to: 'external::fs' },
    { from: '', relation: 'OVERRIDES', to: 'src/pay.ts::total' },
    { from: 'run', relation: 'USES_TYPE', to: 'external::fs' },
    { from: 'external::fs', relation: 'DECORATES', to: 'src/app.ts::run' },
    { from: 'run', relation: 'CALLS', to: { 'src/pay.ts::total': 0.6, 'src/pay.ts': 0.3 } },
  ];
  const { view } = graphOf({ ...shop, 'src/app.ts': { symbols: [{ name: 'run' }], references } });
  const joined = edgesOf(view, 'src/app.ts::run').map(edge => edge.split(' ').slice(0, 2).join(' '));
  expect(joined).toEqual(['CALLS src/pay.ts::total', 'USES_TYPE external::fs']);
  expect(view.in(view.find('src/app.ts::run') ?? NO_NODE).map(({ relation, source }) => `${view.idOf(source)} ${relation}`)).toEqual([
    'external::fs DECORATES',
    'src/app.ts DEFINES_SYMBOL',
  ]);
  expect(view.tally().refused).toBe(4);
});

test.each([
  ['Takes money. Gives change.', 'Takes money'],
  ['Implements a WSGI application and acts as the central\nobject.  It is passed the name.', 'Implements a WSGI application and acts as the central object'],
  ['Is it so? Yes.', 'Is it so?'],
  ['Short\n\nLonger text.', 'Short'],
  ['Adds two\n@param a the first', 'Adds two'],
  ['Adds two\n:param a: the first', 'Adds two'],
  ['Adds two\nArgs:\n  a: the first', 'Adds two'],
  ['\n  Starts below.', 'Starts below'],
  ['Version 1.2 of it, e.g. this', 'Version 1.2 of it, e.g. this'],
  ['@param a the first', 'return sum(lines);'],
  ['', 'return sum(lines);'],
  [`${'word '.repeat(60)}end.`, `${'word '.repeat(32).trim()}…`],
])('of the doc comment %j the summary is %j', (doc, summary) => {
  const { view } = graphOf({ 'a.ts': { symbols: [{ name: 'f', doc, firstLine: 'return sum(lines);' }] } });
  expect(view.node(view.find('a.ts::f') ?? NO_NODE).summary).toBe(summary);
});

test('counts are per symbol and per file', () => {
  const { view } = graphOf(shop);
  expect(view.countsOf(view.find('src/pay.ts::total') ?? NO_NODE)).toEqual({ unresolved: 2, external: 0, resolved: 0 });
  expect(view.countsOf(view.find('src/pay.ts') ?? NO_NODE)).toEqual({ unresolved: 2, external: 1, resolved: 3 });
});

test.each([
  [1, 0, 'Till'],
  [3, 5, 'Till::add'],
  [8, 0, 'Till'],
  [12, 0, 'total'],
])('the innermost symbol at %i:%i is %s', (line, column, name) => {
  const { view } = graphOf(shop);
  expect(view.idOf(view.symbolAt('src/pay.ts', line, column) ?? NO_NODE)).toBe(`src/pay.ts::${name}`);
});

test('outside every symbol there is none', () => {
  const { view } = graphOf(shop);
  expect([view.symbolAt('src/pay.ts', 10, 0), view.symbolAt('src/pay.ts', 99, 0), view.symbolAt('src/none.ts', 1, 0)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('a use tells its candidates, most likely first', () => {
  const { view } = graphOf(shop);
  expect(view.targetsAt('src/pay.ts', 3, 12).map(({ target, confidence }) => [view.idOf(target), confidence])).toEqual([['src/pay.ts::total', 0.95]]);
  expect(view.targetsAt('src/app.ts', 4, 2).map(({ target }) => view.idOf(target))).toEqual(['src/pay.ts::total', 'src/pay.ts::Till::add']);
});

test('names are found as written, else whatever the case', () => {
  const { view } = graphOf({ 'a.ts': { symbols: [{ name: 'Run' }, { name: 'run' }] }, 'b.ts': { symbols: [{ name: 'run' }, { name: 'Stop' }] } });
  expect(view.named('run').map(handle => view.idOf(handle))).toEqual(['a.ts::run', 'b.ts::run']);
  expect(view.named('stop').map(handle => view.idOf(handle))).toEqual(['b.ts::Stop']);
  expect(view.named('a.ts').map(handle => view.idOf(handle))).toEqual(['a.ts']);
});

test('an older view does not see what a newer one brings', () => {
  const { graph, view, interner } = graphOf(shop);
  const before = told(view);
  graph.apply(deltaOf({ 'src/pay.ts': { symbols: [{ name: 'sum' }] }, 'src/new.ts': { symbols: [{ name: 'fresh' }] } }, interner, ['src/app.ts']));
  expect(told(view)).toEqual(before);
});

test('a removed file takes its nodes along and leaves edges to it unseen', () => {
  const { graph, interner } = graphOf(shop);
  const view = graph.apply(deltaOf({}, interner, ['src/pay.ts']));
  expect(view.find('src/pay.ts::total')).toBeUndefined();
  expect(view.find('external::fs')).toBeUndefined();
  expect(edgesOf(view, 'src/app.ts::run')).toEqual([]);
  expect(told(view)).toEqual(told(graphOf({ 'src/app.ts': { ...shop['src/app.ts'] }, 'src/log.ts': { ...shop['src/log.ts'] } }).view));
});

test('relinking moves the edges and keeps the nodes', () => {
  const { graph, view, interner } = graphOf(shop);
  const moved: FileSketch = { ...shop['src/app.ts'], references: [{ from: 'run', relation: 'CALLS', to: 'src/pay.ts::total' }] };
  const resolution = deltaOf({ 'src/app.ts': moved }, interner).upserts[0]?.resolution;
  const next = graph.apply({ upserts: [], removed: [], relinked: resolution === undefined ? [] : [resolution] });
  expect(edgesOf(next, 'src/app.ts::run')).toEqual(['CALLS src/pay.ts::total 0.95 scope 1 1']);
  expect(next.nodeCount).toBe(view.nodeCount);
});

/** Reproducible numbers below `below` (mulberry32). */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

test.each([1, 2, 3, 4])('edits in any order end where a fresh graph starts (seed %i)', seed => {
  const random = generator(seed);
  const paths = Array.from({ length: 12 }, (_, i) => `src/file${i}.ts`);
  const sketch = (path: string): FileSketch => {
    const symbols = Array.from({ length: random(4) }, (_, i) => ({ name: `s${i}`, lines: [i + 1, i + 1] as const }));
    return {
      symbols,
      references: Array.from({ length: random(6) }, (_, line) => ({
        from: symbols.length === 0 ? '' : `s${random(symbols.length)}`,
        relation: 'CALLS' as const,
        to: random(5) === 0 ? `external::lib${random(3)}` : `${paths[random(paths.length)] ?? path}::s${random(4)}`,
        line: line + 1,
      })),
    };
  };
  const interner = new Interner<NodeHandle>();
  const graph = new CodeGraph(interner);
  const now: Record<string, FileSketch> = Object.fromEntries(paths.map(path => [path, sketch(path)]));
  graph.apply(deltaOf(now, interner));
  for (let step = 0; step < 40; step++) {
    const path = paths[random(paths.length)] ?? '';
    const gone = random(3) === 0;
    if (gone) delete now[path];
    else now[path] = sketch(path);
    graph.apply(deltaOf(gone ? {} : { [path]: now[path] ?? {} }, interner, gone ? [path] : []));
  }
  const fresh = graphOf(now).view;
  expect(told(graph.view)).toEqual(told(fresh));
  const other = new Interner<NodeHandle>();
  const reread = new CodeGraph(other);
  runAtOnce(fromColumns(reread, structuredClone(toColumns(graph, interner)), other));
  expect(told(reread.view)).toEqual(told(fresh));
});

/** A clock that says each step took too long, so that every check gives others a turn. */
const slow = (): { readonly now: () => number; readonly monotonic: () => number } => {
  let time = 0;
  return { now: () => 0, monotonic: () => (time += 1000) };
};

test('a change applied in turns is whole: before its end nothing of it is seen', async () => {
  const { graph, view, interner } = graphOf(shop);
  const before = told(view);
  const seen: string[][] = [];
  const turn = new Turn(slow(), async () => {
    seen.push(told(graph.view));
  });
  const next: WorkspaceSketch = { ...shop, 'src/pay.ts': { symbols: [{ name: 'sum' }] }, 'src/new.ts': { symbols: [{ name: 'fresh' }] } };
  const after = await graph.applyInTurns(deltaOf(next, interner), turn, neverCancelled);
  expect(seen.length).toBeGreaterThan(3);
  for (const rows of seen) expect(rows).toEqual(before);
  expect(told(after)).toEqual(told(graphOf(next).view));
});

test('a change stopped on the way leaves no trace', async () => {
  const { graph, view, interner } = graphOf(shop);
  const before = told(view);
  const source = new CancellationSource();
  const turn = new Turn(slow(), async () => source.cancel());
  await expect(graph.applyInTurns(deltaOf({ 'src/pay.ts': {}, 'src/new.ts': {} }, interner, ['src/app.ts']), turn, source.token)).rejects.toBeInstanceOf(
    Cancelled,
  );
  expect(told(graph.view)).toEqual(before);
  expect(told(graph.apply(deltaOf({}, interner, ['src/log.ts'])))).toEqual(
    told(graphOf({ 'src/pay.ts': shop['src/pay.ts'] ?? {}, 'src/app.ts': shop['src/app.ts'] ?? {} }).view),
  );
});

test('a graph that was read again ranks as the one that was saved, computed or not', () => {
  const { graph, view, interner } = graphOf(shop);
  expect(toColumns(graph, interner).ranks).toBeUndefined();
  const ranked = (of: GraphView): Record<string, number> => Object.fromEntries([...of.nodes()].map(node => [of.idOf(node), of.pageRank()[node] ?? 0]));
  const expected = ranked(view);
  const other = new Interner<NodeHandle>();
  other.intern('something before');
  const reread = new CodeGraph(other);
  runAtOnce(fromColumns(reread, structuredClone(toColumns(graph, interner)), other));
  expect(reread.view.knownPageRank).toBeDefined();
  expect(ranked(reread.view)).toEqual(expected);
});

test('a saved graph is loaded in steps and becomes visible after the last one', () => {
  const { graph, interner } = graphOf(Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`f${at}.ts`, { symbols: [{ name: 'x' }] }])));
  const other = new Interner<NodeHandle>();
  const reread = new CodeGraph(other);
  const steps = fromColumns(reread, toColumns(graph, interner), other);
  let count = 0;
  while (steps.next().done !== true && reread.view.fileCount === 0) count++;
  expect(reread.view.fileCount).toBe(50);
  // Each file is unpacked by itself, and laid out by itself.
  expect(count).toBeGreaterThan(2 * 50);
});

test('columns of another format or with holes are not read', () => {
  const { graph, interner } = graphOf(shop);
  const columns = toColumns(graph, interner);
  const read = (changed: typeof columns): unknown => runAtOnce(fromColumns(new CodeGraph(new Interner<NodeHandle>()), changed, new Interner<NodeHandle>()));
  expect(read({ ...columns, format: 0 })).toBeUndefined();
  expect(read({ ...columns, ids: columns.ids.map(column => ({ ...column, ends: column.ends.slice(0, 1) })) })).toBeUndefined();
  expect(read({ ...columns, ranks: new Float64Array(1) })).toBeUndefined();
  expect(read(columns)).toBeDefined();
});
