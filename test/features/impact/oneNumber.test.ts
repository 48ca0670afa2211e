import { expect, test } from 'vitest';
import { neverCancelled } from '../../../server/src/base/cancellation';
import { ok } from '../../../server/src/base/result';
import { FIGURES_DEPTH, impactFigures } from '../../../server/src/features/impact/impactFigures';
import { TOOLS } from '../../../server/src/tools/catalogue';
import { invoke } from '../../../server/src/tools/invoke';
import type { ChangedFile } from '../../../server/src/workspace/changes';
import type { Workspace } from '../../../server/src/workspace/snapshot';
import { outcomeOf } from '../../helpers/askFeature';
import { type Doors, doorDifferences, hotspotsOfAll } from '../../helpers/doors';
import { type FileSketch, type WorkspaceSketch } from '../../helpers/graphOf';
import { LITERAL, LITERAL_TEXTS } from '../../helpers/literalMembers';
import { workspaceOf } from '../../helpers/workspaceOf';

/** Two hundred symbols in files that use each other, in a shape of its own for each seed: every fifth file holds tests. */
function repository(seed: number): WorkspaceSketch {
  let state = seed;
  const random = (below: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  const pathOf = (file: number): string => (file % 5 === 4 ? `test/f${file}.test.ts` : `src/f${file}.ts`);
  const file = (number: number): [string, FileSketch] => {
    const isTest = number % 5 === 4;
    const names = ['Shop', 'Shop.pay', 'Shop.price', 'make', 'run', 'read', 'log', 'last'];
    return [
      pathOf(number),
      {
        isTest,
        symbols: names.map(name => ({
          name,
          kind: name === 'Shop' ? 'class' : name.includes('.') ? 'method' : 'function',
          ...(isTest && name === 'run' ? { modifiers: ['test'] as const } : {}),
        })),
        references: names.flatMap(from =>
          Array.from({ length: 1 + random(2) }, () => {
            const target = names[random(names.length)] ?? 'make';
            const at = pathOf(isTest ? random(25) : random(5) * 5 + random(4));
            const to = `${at}::${target.replace('.', '::')}`;
            return {
              from,
              to,
              relation: target === 'Shop' ? ('INSTANTIATES' as const) : ('CALLS' as const),
              ...(random(6) === 0 ? { source: 'heuristic' as const } : {}),
            };
          }),
        ),
      },
    ];
  };
  return Object.fromEntries(Array.from({ length: 25 }, (_, number) => file(number)));
}

function doorsOf(workspace: Workspace): Doors {
  return {
    ask: (name, params) => outcomeOf(name, params, workspace),
    summary: async (name, input) => (await invoke(TOOLS, workspace, { name, input, agentId: undefined, sessionId: 's' }, neverCancelled)).envelope.summary,
  };
}

test.each([[7], [11]])('users, dependents and tests are the same numbers through every door, and as many rows (repository %i)', async seed => {
  const workspace = workspaceOf(repository(seed));
  const graph = workspace.current()?.graph;
  if (graph === undefined) throw new Error('no graph');
  const doors = doorsOf(workspace);
  const hotspots = await hotspotsOfAll(doors);
  const symbols = [...graph.nodes()].filter(node => graph.node(node).nodeType === 'symbol');
  expect(symbols).toHaveLength(200);
  for (const node of symbols) {
    const id = graph.idOf(node);
    expect(await doorDifferences(doors, id, hotspots, graph.isTest(node))).toEqual([]);
    const { counts } = impactFigures(graph, node, FIGURES_DEPTH);
    expect(await doors.ask('lensCounts', { id })).toMatchObject({ callers: counts.direct, tests: counts.directTests + counts.transitiveTests });
  }
});

test.each([
  ['type', ['lists', 'types']],
  ['lost', ['ends', 'lists', 'types']],
  ['toJSON', ['lists']],
])('every door knows the tests of %s, a member of a literal that code only mentions', async (name, tests) => {
  const id = `src/request.js::${name}`;
  // Whatever door is asked first.
  for (const first of ['lensCounts', 'hover', 'impact', 'explain', 'graphScene', 'report'] as const) {
    const workspace = workspaceOf(LITERAL, { texts: LITERAL_TEXTS });
    const graph = workspace.current()?.graph;
    const { nameColumn, nameLine } = graph?.node(graph.find(id)!) ?? {};
    await outcomeOf(first, { id, target: id, start: 'focus', path: 'src/request.js', line: nameLine, column: nameColumn }, workspace);
    const doors = doorsOf(workspace);
    expect(await doorDifferences(doors, id, await hotspotsOfAll(doors))).toEqual([]);
    const { directTests, transitiveTests } = await doors.ask('impact', { target: id });
    expect([...directTests, ...transitiveTests].map(row => row.id.slice(row.id.lastIndexOf(':') + 1)).sort()).toEqual(tests);
  }
});

test('each door says at once how many tests a member of a literal has', async () => {
  const id = 'src/request.js::toJSON';
  const fresh = (): Doors => doorsOf(workspaceOf(LITERAL, { texts: LITERAL_TEXTS }));
  const node = workspaceOf(LITERAL).current()?.graph;
  const { nameColumn, nameLine } = node?.node(node.find(id)!) ?? {};
  expect(await fresh().ask('lensCounts', { id })).toMatchObject({ tests: 1 });
  expect((await fresh().ask('hover', { path: 'src/request.js', line: nameLine, column: nameColumn }))?.lines.join(' ')).toMatch(/[Tt]ested by (?:\[)?`?lists/);
  expect((await fresh().ask('impact', { target: id })).counts).toMatchObject({ directTests: 1, transitiveTests: 0 });
  expect((await fresh().ask('explain', { target: id })).counts).toMatchObject({ tests: 1 });
  expect((await fresh().ask('graphScene', { start: 'focus', target: id })).summary).toContain('1 test;');
});

test('of a past state texts are read to select tests, not to explain', async () => {
  const id = 'src/request.js::toJSON';
  const past = workspaceOf(LITERAL, { texts: LITERAL_TEXTS, asOf: 1 });
  expect((await outcomeOf('explain', { target: id }, past)).counts).toMatchObject({ tests: 3 });
  const hunks = [{ added: undefined, removed: { start: 4, end: 4 }, addedText: [], removedText: ['x'] }];
  const files: ChangedFile[] = [{ path: 'src/request.js', status: 'modified', hunks, before: [{ id, start: 4, end: 4, nameLine: 4 }] }];
  const workspace = workspaceOf(LITERAL, { texts: LITERAL_TEXTS, asOf: 1, changes: () => ok({ since: 'HEAD', files, truncated: false }) });
  const { tests } = await outcomeOf('selectTests', {}, workspace);
  expect(tests.filter(row => row.reason === undefined).map(row => row.id)).toEqual(['test/request.test.js::lists']);
});

test('the tests of a symbol are those that are selected when it changes', async () => {
  const sketch = repository(7);
  const graph = workspaceOf(sketch).current()?.graph;
  if (graph === undefined) throw new Error('no graph');
  for (const node of graph.nodes()) {
    const { id, nodeType, path, isTest, nameLine } = graph.node(node);
    if (nodeType !== 'symbol' || isTest) continue;
    const before = [{ id, start: nameLine, end: nameLine, nameLine }];
    const hunks = [{ added: undefined, removed: { start: nameLine, end: nameLine }, addedText: [], removedText: ['x'] }];
    const files: ChangedFile[] = [{ path, status: 'modified', hunks, before }];
    const workspace = workspaceOf(sketch, { changes: () => ok({ since: 'HEAD', files, truncated: false }) });
    const impact = await outcomeOf('impact', { since: 'HEAD', limit: 1000 }, workspace);
    const selected = await outcomeOf('selectTests', { maxTests: 1000 }, workspace);
    const reached = selected.tests.filter(row => row.reason === undefined).map(row => row.id);
    expect({ id, tests: reached.sort() }).toEqual({ id, tests: [...impact.directTests, ...impact.transitiveTests].map(row => row.id).sort() });
  }
});
