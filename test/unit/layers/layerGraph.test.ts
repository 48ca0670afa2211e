import { expect, test } from 'vitest';
import { Interner } from '../../../server/src/base/interner';
import type { LayerEdge, LayerNode } from '../../../server/src/layers/layer';
import { LayerGraph } from '../../../server/src/layers/layerGraph';
import type { NodeHandle } from '../../../server/src/model/ids';
import { relationCode } from '../../../server/src/model/relations';

const task = (id: string): LayerNode => ({ id, kind: 'task', name: id, summary: '', doc: '', attributes: { status: 'pending' } });
const touches = (source: string, target: string): LayerEdge => ({ source, relation: 'TOUCHES', target, provenance: 'human' });
const NOTHING = { upserts: [], removed: [], linked: [], unlinked: [] };

test('an edge whose ends do not fit its relation is refused, and nothing of the delta is applied', () => {
  const graph = new LayerGraph();
  const wrong = { ...NOTHING, upserts: [{ node: task('task::1'), edges: [{ ...touches('task::1', 'atom::1') }] }] };
  expect(() => graph.apply(wrong)).toThrow('TOUCHES cannot join task to atom');
  expect(graph.isEmpty).toBe(true);
  expect(() => graph.apply({ ...NOTHING, linked: [{ ...touches('src/a.ts', 'src/b.ts'), relation: 'IMPORTS' }] })).toThrow('IMPORTS is an edge of the code');
});

test('an attribute that is in no table, or of another type, is refused', () => {
  const graph = new LayerGraph();
  const apply = (attributes: LayerNode['attributes']): void => graph.apply({ ...NOTHING, upserts: [{ node: { ...task('task::1'), attributes }, edges: [] }] });
  expect(() => apply({ color: 'red' })).toThrow('color');
  expect(() => apply({ version: 'one' })).toThrow('version');
  expect(() => apply({ version: 1, outcome: null, tags: ['a'] })).not.toThrow();
});

test('an upsert replaces the edges that begin at its node; what nothing ends at any more is gone', () => {
  const graph = new LayerGraph();
  graph.apply({ ...NOTHING, upserts: [{ node: task('task::1'), edges: [touches('task::1', 'src/a.ts'), touches('task::1', 'src/b.ts')] }] });
  graph.apply({ ...NOTHING, upserts: [{ node: task('task::1'), edges: [touches('task::1', 'src/b.ts')] }] });
  expect(graph.edgesFrom('task::1').map(edge => edge.target)).toEqual(['src/b.ts']);
  expect(graph.edgesTo('src/a.ts')).toEqual([]);
  graph.apply({ ...NOTHING, removed: ['task::1'] });
  expect(graph.isEmpty).toBe(true);
});

test('frozen columns have each edge in both directions, and are made anew by a delta alone', () => {
  const interner = new Interner<NodeHandle>();
  const intern = (id: string): NodeHandle => interner.intern(id);
  const graph = new LayerGraph();
  graph.apply({
    ...NOTHING,
    upserts: [
      { node: task('task::2'), edges: [touches('task::2', 'src/a.ts')] },
      { node: task('task::1'), edges: [touches('task::1', 'src/a.ts')] },
    ],
  });
  const frozen = graph.frozen(intern);
  expect(graph.frozen(intern)).toBe(frozen);
  const file = intern('src/a.ts');
  const { ends, relations, starts, targets } = frozen.backward;
  const row = [...targets.subarray(starts[file], ends[file])].map(handle => interner.text(handle));
  expect(row).toEqual(['task::1', 'task::2']);
  expect(relations[starts[file] ?? 0]).toBe(relationCode.TOUCHES);
  graph.apply({ ...NOTHING, unlinked: [touches('task::1', 'src/a.ts')] });
  const later = graph.frozen(intern);
  expect(later).not.toBe(frozen);
  expect((later.backward.ends[file] ?? 0) - (later.backward.starts[file] ?? 0)).toBe(1);
});
