import { expect, test } from 'vitest';
import { impactFrom } from '../../../client/src/views/impact';
import { neverCancelled } from '../../../server/src/base/cancellation';
import { ok } from '../../../server/src/base/result';
import { lensCounts } from '../../../server/src/features/editor/codeLens';
import { FIGURES_DEPTH, impactFigures } from '../../../server/src/features/impact/impactFigures';
import { TOOLS } from '../../../server/src/tools/catalogue';
import { invoke } from '../../../server/src/tools/invoke';
import { impactMarkdown } from '../../../server/src/transports/cli/impactMarkdown';
import type { ChangedFile } from '../../../server/src/workspace/changes';
import { outcomeOf } from '../../helpers/askFeature';
import { type FileSketch, type WorkspaceSketch } from '../../helpers/graphOf';
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

test.each([[7], [11]])('users, dependents and tests are the same numbers through every door, and as many rows (repository %i)', async seed => {
  const workspace = workspaceOf(repository(seed));
  const graph = workspace.current()?.graph;
  if (graph === undefined) throw new Error('no graph');
  const { hotspots } = await outcomeOf('report', {}, workspace);
  const structure = await outcomeOf('structure', {}, workspace);
  const symbols = [...graph.nodes()].filter(node => graph.node(node).nodeType === 'symbol');
  expect(symbols).toHaveLength(200);
  for (const node of symbols) {
    const id = graph.idOf(node);
    const row = graph.node(node);
    const { counts } = impactFigures(graph, node, FIGURES_DEPTH);
    const said = { users: counts.direct, dependents: counts.direct + counts.transitive, tests: counts.directTests + counts.transitiveTests };
    const full = await outcomeOf('impact', { target: id, limit: 1000 }, workspace);
    expect({
      id,
      users: full.directDependents.length,
      dependents: full.directDependents.length + full.transitiveDependents.length,
      tests: full.directTests.length + full.transitiveTests.length,
    }).toEqual({ id, ...said });
    const scene = await outcomeOf('graphScene', { start: 'impact', target: id, groupBy: 'folder' }, workspace);
    const [users, dependents, tests] = [said.users, said.dependents, said.tests];
    if (dependents + counts.maybe + tests > 0)
      expect(scene.summary).toContain(
        `${dependents} dependent${dependents === 1 ? '' : 's'} in ${counts.files} file${counts.files === 1 ? '' : 's'}, ${tests} test`,
      );
    // The tree of the Impact view: each dependent, test and possible dependent has a row.
    const tree = impactFrom({ id, name: row.name, folder: undefined as never }, full, []);
    expect([tree.dependents.length, tree.tests.length, tree.maybe.length]).toEqual([dependents, tests, counts.maybe]);
    if (dependents + tests + counts.maybe > 0) expect(tree.summary).toContain(tests === 0 ? 'no tests' : `${tests} test`);
    expect(impactMarkdown(full)).toContain(tests + dependents === 0 ? 'no dependents' : tests === 0 ? 'no tests' : `, ${tests} test`);
    const told = await invoke(TOOLS, workspace, { name: 'impact_analyze', input: { target: id }, agentId: undefined, sessionId: 's' }, neverCancelled);
    if (dependents + tests > 0) expect(told.envelope.summary).toContain(`affects ${users} direct dependent`);
    if (dependents + tests > 0) expect(told.envelope.summary).toContain(`; ${tests} test`);
    const explained = await invoke(TOOLS, workspace, { name: 'code_explain', input: { target: id }, agentId: undefined, sessionId: 's' }, neverCancelled);
    expect(explained.envelope.summary).toContain(tests === 0 ? 'no tests' : `${tests} test`);
    const peek = await outcomeOf('impact', { target: id, limit: 1000, maxDepth: 1 }, workspace);
    const lens = await lensCounts(workspace, { id }, neverCancelled);
    expect(lens.ok && lens.value && { id, users: lens.value.callers, tests: lens.value.tests }).toEqual({
      id,
      users: peek.directDependents.length,
      tests: said.tests,
    });
    const { places } = await outcomeOf('references', { id }, workspace);
    expect(lens.ok && lens.value && lens.value.refs + lens.value.maybe).toBe(places.length);
    expect((await outcomeOf('explain', { target: id }, workspace)).counts).toMatchObject({ users: said.users, tests: said.tests });
    const hover = await outcomeOf('hover', { path: row.path, line: row.nameLine, column: row.nameColumn }, workspace);
    if (hover.id === id && said.dependents + said.tests > 0)
      expect(hover.lines.join('\n').replace(/\[([^\]]*)\]\(lattice:\w+\)/g, '$1')).toContain(
        `${said.users} user${said.users === 1 ? '' : 's'} · ${said.dependents} dependent`,
      );
    const spot = hotspots.find(each => each.id === id);
    if (spot !== undefined) expect({ users: spot.callers, dependents: spot.dependents, tests: spot.tests }).toEqual(said);
    const listed = structure.hotspots.find(each => each.id === id);
    if (listed !== undefined) expect(listed.dependents).toBe(said.users);
  }
  const shown = structure.hotspots.map(spot => spot.dependents);
  expect(shown).toEqual([...shown].sort((a, b) => b - a));
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
