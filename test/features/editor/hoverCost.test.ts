import { expect, test } from 'vitest';
import { neverCancelled } from '../../../server/src/base/cancellation';
import type { GraphView } from '../../../server/src/code/graph/graphView';
import { hover } from '../../../server/src/features/editor/hover';
import { impactFigures, MAX_NODES } from '../../../server/src/features/impact/impactFigures';
import { graphScene } from '../../../server/src/features/scene/graphScene';
import { NO_NODE } from '../../../server/src/model/ids';
import type { Modifier } from '../../../server/src/model/nodes';
import type { FileSketch, WorkspaceSketch } from '../../helpers/graphOf';
import { graphOf } from '../../helpers/graphOf';
import { workspaceOf } from '../../helpers/workspaceOf';

const PER_FILE = 25;

/** A class with `Hub.use`, which `dependents` functions call, every fifth file of them a test. */
function hubWith(dependents: number): WorkspaceSketch {
  const users = Array.from({ length: dependents / PER_FILE }, (_, file): [string, FileSketch] => {
    const isTest = file % 5 === 0;
    const modifiers: readonly Modifier[] = isTest ? ['test'] : [];
    const symbols = Array.from({ length: PER_FILE }, (_, at) => ({ name: `f${at}`, lines: [at * 4 + 1, at * 4 + 3] as [number, number], modifiers }));
    const references = symbols.map(({ name }) => ({ from: name, relation: 'CALLS' as const, to: 'hub.ts::Hub::use' }));
    return [`src/user${file}${isTest ? '.test' : ''}.ts`, { isTest, symbols, references }];
  });
  const hub: FileSketch = {
    symbols: [
      { name: 'Hub', kind: 'class', lines: [1, 9] },
      { name: 'Hub.use', kind: 'method', lines: [2, 3] },
    ],
  };
  return Object.fromEntries([['hub.ts', hub], ...users]);
}

/** The view, and how often it was asked for what costs most: nodes and edges as objects. */
function counted(view: GraphView): { readonly view: GraphView; readonly asked: Map<string, number> } {
  const asked = new Map<string, number>();
  const handler: ProxyHandler<GraphView> = {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        asked.set(String(name), (asked.get(String(name)) ?? 0) + 1);
        return Reflect.apply(value, target, given);
      };
    },
  };
  return { view: new Proxy(view, handler), asked };
}

test('a hover on what ten thousand depend on counts them all, and makes objects of next to none', async () => {
  const workspace = workspaceOf(hubWith(10_000));
  const snapshot = workspace.current();
  if (snapshot === undefined) throw new Error('no snapshot');
  const { view, asked } = counted(snapshot.graph);
  const answer = await hover({ ...workspace, current: () => ({ ...snapshot, graph: view }) }, { path: 'hub.ts', line: 2, column: 9 }, neverCancelled);
  expect(answer.ok && answer.value?.lines.slice(1)).toEqual([
    '[8,000 users](lattice:impact) · [8,000 dependents in 320 files](lattice:impact) · uses 0',
    'Tested by `f0` in user0.test.ts and [1,999 more](lattice:tests)',
    'Reach **large**: [320 files](lattice:impact) within 3 steps, [2,000 tests](lattice:tests)',
  ]);
  expect([asked.get('in') ?? 0, asked.get('out') ?? 0, asked.get('edge') ?? 0]).toEqual([0, 0, 0]);
  expect(asked.get('node')).toBeLessThan(20);
});

test('figures end after a bounded number of nodes and say so', () => {
  const { view } = graphOf(hubWith(MAX_NODES + 1000));
  const hub = view.find('hub.ts::Hub::use') ?? NO_NODE;
  const figures = impactFigures(view, hub, 3);
  expect(figures).toMatchObject({ complete: false, reach: 'large' });
  expect(figures.visited).toBeLessThanOrEqual(3 * MAX_NODES);
  expect(figures.counts.direct + figures.counts.directTests).toBeGreaterThan(MAX_NODES - 2);
});

test('a count that was cut is shown as one', async () => {
  const answer = await hover(workspaceOf(hubWith(MAX_NODES + 1000)), { path: 'hub.ts', line: 2, column: 9 }, neverCancelled);
  expect(answer.ok && answer.value?.lines[1]).toMatch(/^\[1\d,\d{3}\+ users\]\(lattice:impact\) · \[1\d,\d{3}\+ dependents/);
});

test('the focus of the graph counts all, as its impact does', async () => {
  const workspace = workspaceOf(hubWith(MAX_NODES + 1000));
  const summaries = await Promise.all(
    (['focus', 'impact'] as const).map(async start => {
      const answer = await graphScene(workspace, { start, target: 'hub.ts::Hub::use' }, neverCancelled);
      return answer.ok ? answer.value.summary : '';
    }),
  );
  expect(summaries).toEqual([
    expect.stringMatching(/^16,800 users, 4,200 tests; uses 0\.$/),
    expect.stringMatching(/^16,800 dependents in 672 files, 4,200 tests\. /),
  ]);
});
