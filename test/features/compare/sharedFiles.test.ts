import { expect, test } from 'vitest';
import { Interner } from '../../../server/src/base/interner';
import { runAtOnce } from '../../../server/src/base/steps';
import { CodeGraph } from '../../../server/src/code/graph/codeGraph';
import type { GraphView, NodeHandle } from '../../../server/src/code/graph/graphView';
import { linkChanges } from '../../../server/src/features/compare/linkChanges';
import { nodeChanges } from '../../../server/src/features/compare/nodeChanges';
import { type Pairing, pairNodes } from '../../../server/src/features/compare/pairing';
import { deltaOf, type FileSketch, graphOf, type WorkspaceSketch } from '../../helpers/graphOf';

const file = (hash: string, names: readonly string[], calls: readonly string[] = []): FileSketch => ({
  hash,
  symbols: names.map((name, at) => ({ name, kind: 'function', lines: [at + 2, at + 2], hash: `${name} in full length` })),
  references: calls.map((to, at) => ({ from: names[at % names.length] ?? '', relation: 'CALLS', to, line: at + 2 })),
});

const OLD: WorkspaceSketch = {
  'a/edited.ts': file('1', ['kept', 'gone'], ['b/moved.ts::carried']),
  'b/moved.ts': file('2', ['carried', 'other']),
  'b/removed.ts': file('3', ['lost'], ['external::left']),
  'c/same.ts': file('4', ['f', 'g', 'h'], ['a/edited.ts::kept', 'b/moved.ts::carried', 'b/removed.ts::lost', 'external::fs', 'a/edited.ts::gone']),
  'd/same.ts': file('5', ['x'], ['c/same.ts::f']),
};
const CHANGED: WorkspaceSketch = {
  'a/edited.ts': file('6', ['kept', 'fresh'], ['b/carried.ts::carried', 'd/same.ts::x']),
  'b/carried.ts': file('2', ['carried', 'other'], ['external::came']),
};
const REMOVED = ['b/moved.ts', 'b/removed.ts'];
const NEW: WorkspaceSketch = { 'c/same.ts': OLD['c/same.ts'] as FileSketch, 'd/same.ts': OLD['d/same.ts'] as FileSketch, ...CHANGED };

/** Two states of one graph: files that are in both are the same objects. */
function states(): readonly [GraphView, GraphView] {
  const interner = new Interner<NodeHandle>();
  const graph = new CodeGraph(interner);
  graph.apply(deltaOf(OLD, interner));
  const fork = graph.fork();
  fork.apply(deltaOf(CHANGED, interner, REMOVED));
  return [graph.view, fork.view];
}

function told(before: GraphView, after: GraphView): { readonly pairing: Pairing; readonly words: unknown } {
  const pairing = runAtOnce(pairNodes(before, after));
  const pairs = [...before.nodes()].map(node => {
    const next = pairing.successors.get(node);
    return `${before.idOf(node)} ${next === undefined ? '' : after.idOf(next)} ${next !== undefined && pairing.predecessors.get(next) === node}`;
  });
  const rows = runAtOnce(nodeChanges(pairing)).map(({ row }) => row);
  return { pairing, words: { pairs, rows, links: runAtOnce(linkChanges(pairing)) } };
}

test('two states that share files differ as two states do that share nothing, in both directions', () => {
  const [before, after] = states();
  const [old, now] = [graphOf(OLD).view, graphOf(NEW).view];
  const there = told(before, after);
  expect(there.words).toEqual(told(old, now).words);
  expect(told(after, before).words).toEqual(told(now, old).words);
  expect(there.words).toMatchObject({
    links: {
      removed: expect.arrayContaining([
        expect.objectContaining({ source: 'c/same.ts::h', target: 'b/removed.ts::lost' }),
        expect.objectContaining({ source: 'c/same.ts::g', target: 'a/edited.ts::gone' }),
      ]),
    },
  });
});

test('only nodes of files that differ are looked at', () => {
  const [before, after] = states();
  const { own } = told(before, after).pairing;
  expect(own.before.map(node => before.idOf(node).split('::')[0])).not.toContain('c/same.ts');
  expect([...new Set(own.before.map(node => before.idOf(node).split('::')[0]))]).toEqual(['a/edited.ts', 'b/moved.ts', 'b/removed.ts']);
  expect([...new Set(own.after.map(node => after.idOf(node).split('::')[0]))]).toEqual(['a/edited.ts', 'b/carried.ts']);
  expect(told(before, before).pairing.own).toEqual({ before: [], after: [] });
});
