import { expect, test } from 'vitest';
import { neverCancelled } from '../../../server/src/base/cancellation';
import { lensCounts } from '../../../server/src/features/editor/codeLens';
import { FIGURES_DEPTH, impactFigures } from '../../../server/src/features/impact/impactFigures';
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
    const { counts } = impactFigures(graph, node, FIGURES_DEPTH);
    const said = { users: counts.direct, dependents: counts.direct + counts.transitive, tests: counts.directTests + counts.transitiveTests };
    const full = await outcomeOf('impact', { target: id, limit: 1000 }, workspace);
    expect({
      id,
      users: full.directDependents.length,
      dependents: full.directDependents.length + full.transitiveDependents.length,
      tests: full.directTests.length + full.transitiveTests.length,
    }).toEqual({ id, ...said });
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
    const row = graph.node(node);
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
