import { expect, test } from 'vitest';
import { askFeature, outcomeOf } from '../../helpers/askFeature';
import { workspaceOf } from '../../helpers/workspaceOf';

const call = (from: string, to: string) => ({ from, relation: 'CALLS' as const, to: `src/all.ts::${to}`, line: 1 });

/** `hub` is called by `a`, `z` (which others are reached through) and possibly by `m`. */
const sketch = {
  'src/all.ts': {
    symbols: ['hub', 'a', 'z', 'm', 'far', 'farther'].map(name => ({ name })),
    references: [call('a', 'hub'), call('z', 'hub'), call('far', 'z'), call('farther', 'z'), { ...call('m', 'hub'), to: { 'src/all.ts::hub': 0.5 } }],
  },
};

test('dependents are listed by path, or those that are closest to the change first, as the graph shows them', async () => {
  const workspace = workspaceOf(sketch);
  const ids = (rows: readonly { readonly id: string }[]): string[] => rows.map(row => row.id.split('::')[1] ?? '');
  const byPath = await outcomeOf('impact', { target: 'hub' }, workspace);
  expect(ids(byPath.directDependents)).toEqual(['a', 'z']);
  const closest = await outcomeOf('impact', { target: 'hub', order: 'closeness' }, workspace);
  expect(ids(closest.directDependents)).toEqual(['z', 'a']);
  expect(ids(closest.maybe)).toEqual(['m']);
  expect(closest.counts).toEqual(byPath.counts);
  const scene = await askFeature('graphScene', workspace, { start: 'impact', target: 'hub' });
  if (!scene.ok) throw new Error(scene.error.message);
  const shown = ids((scene.value as { readonly nodes: readonly { readonly id: string; readonly column: number }[] }).nodes.filter(node => node.column === 1));
  expect(shown.filter(name => name !== 'm')).toEqual(['z', 'a']);
});
