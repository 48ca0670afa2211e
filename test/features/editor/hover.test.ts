import { expect, test } from 'vitest';
import { type SymbolRow } from '../../../server/src/features/shared/rows';
import { outcomeOf } from '../../helpers/askFeature';
import { type WorkspaceSketch } from '../../helpers/graphOf';
import { workspaceOf } from '../../helpers/workspaceOf';

test('a hover says in few lines what a change would reach', async () => {
  const answer = await outcomeOf('hover', { path: 'src/pay.ts', line: 11, column: 12 });
  expect(answer.id).toBe('src/pay.ts::total');
  expect(answer.lines).toEqual([
    '**function `total`** — Sums all lines of a bill',
    '[1 user](lattice:impact) · [2 dependents in 2 files](lattice:impact) · uses 0',
    'Tested by `testTotal` in pay.test.ts and [1 more](lattice:tests)',
    'Reach **small**: [2 files](lattice:impact) within 3 steps, [2 tests](lattice:tests)',
    '[1 possible](lattice:impact)',
  ]);
});

test('below the hover of the language it does not say again what the symbol is', async () => {
  const alone = await outcomeOf('hover', { path: 'src/pay.ts', line: 11, column: 12 });
  const beside = await outcomeOf('hover', { path: 'src/pay.ts', line: 11, column: 12, beside: true });
  expect(beside).toEqual({ ...alone, lines: alone.lines.slice(1) });
});

test.each([
  ['an external', 1, 9, 'lodash'],
  ['a local', 3, 9, 'src/local.ts::run::count'],
])('below the hover of the language nothing is said of %s', async (_, line, column, id) => {
  const workspace = workspaceOf({
    'src/local.ts': {
      symbols: [
        { name: 'run', lines: [2, 5] },
        { name: 'run.count', kind: 'variable', lines: [3, 3] },
      ],
      references: [{ from: '', relation: 'IMPORTS', to: 'external::lodash', line: 1, column: 9 }],
    },
  });
  const place = { path: 'src/local.ts', line, column };
  expect((await outcomeOf('hover', place, workspace))?.id).toContain(id);
  expect(await outcomeOf('hover', { ...place, beside: true }, workspace)).toBeNull();
});

test('a hover over a use speaks of what is used, over nothing it is null', async () => {
  expect(await outcomeOf('hover', { path: 'src/pay.ts', line: 3, column: 11 })).toMatchObject({ id: 'src/pay.ts::total' });
  expect(await outcomeOf('hover', { path: 'src/pay.ts', line: 10, column: 0 })).toBeNull();
});

const hoverAt = async (sketch: WorkspaceSketch): Promise<readonly string[]> => {
  return (await outcomeOf('hover', { path: 'a.ts', line: 1, column: 9 }, workspaceOf(sketch))).lines as readonly string[];
};

test('text of the workspace cannot become Markdown in a hover', async () => {
  const lines = await hoverAt({ 'a.ts': { symbols: [{ name: 'f', lines: [1, 3], doc: 'See [me](command:x) <b>now</b>.' }] } });
  expect(lines[0]).toContain('\\[me\\](command:x) \\<b\\>now');
});

test.each([
  ['Sums a `Bill` | x.', ' — Sums a `Bill` \\| x'],
  ['Like {@link Cart.add} and {@link Cart | a cart}.', ' — Like `Cart.add` and `a cart`'],
  ['Raise an :exc:`~shop.errors.Broke` for the given\n:class:`Cart` of :ref:`this kind <kinds>`.', ' — Raise an `Broke` for the given `Cart` of `this kind`'],
  ['@returns a sum', ''],
  [':param x: a sum', ''],
])('a hover reads %j as%s', async (doc, shown) => {
  const [first] = await hoverAt({ 'a.ts': { symbols: [{ name: 'f', lines: [1, 3], doc, firstLine: 'return sum(x);' }] } });
  expect(first).toBe(`**function \`f\`**${shown}`);
});

const used: WorkspaceSketch = {
  'cart/index.ts': {
    symbols: [
      { name: 'Cart', kind: 'class', lines: [1, 1] },
      { name: 'add', lines: [2, 2] },
      { name: 'twice', lines: [3, 3] },
    ],
  },
  'app.ts': {
    symbols: [{ name: 'app' }],
    references: [
      { from: 'app', relation: 'INSTANTIATES', to: 'cart/index.ts::Cart' },
      { from: 'app', relation: 'CALLS', to: 'cart/index.ts::add' },
    ],
  },
  ...Object.fromEntries(
    ['all/app.test.ts', 'all/index.test.ts', 'cart/index.test.ts', 'cart/other.test.ts'].map(path => [
      path,
      {
        isTest: true,
        symbols: [{ name: 'works', modifiers: ['test'] as const }],
        references: ['add', 'twice'].map(name => ({ from: 'works', relation: 'CALLS' as const, to: `cart/index.ts::${name}` })),
      },
    ]),
  ),
};

test.each([
  ['Cart', '[1 user](lattice:impact) · [1 dependent in 1 file](lattice:impact) · uses 0', 'No tests'],
  ['add', '[1 user](lattice:impact) · [1 dependent in 1 file](lattice:impact) · uses 0', 'Tested by `works` in index.test.ts and [3 more](lattice:tests)'],
  ['twice', '0 users · 0 dependents · uses 0', 'Tested by `works` in index.test.ts and [3 more](lattice:tests)'],
])('a hover on %s tells users and tests apart', async (name, users, tests) => {
  const workspace = workspaceOf(used);
  const [row] = (await outcomeOf('nodesById', { ids: [`cart/index.ts::${name}`] }, workspace)).nodes as readonly SymbolRow[];
  const answer = await outcomeOf('hover', { path: 'cart/index.ts', line: row?.nameLine, column: row?.nameColumn }, workspace);
  expect((answer.lines as readonly string[]).slice(1, 3)).toEqual([users, tests]);
});

test.each([
  ['__call__', '', 'Reach **unknown**: `__call__` is called by a framework'],
  ['run', 'main.py::start', 'Reach **unknown**: `__call__` is called by a framework · at least [2 files](lattice:impact) within 3 steps, 0 tests'],
])('a hover on %s says how far it reaches at least only where that is something', async (name, user, line) => {
  const workspace = workspaceOf({
    'app.py': {
      symbols: [
        { name: 'App', kind: 'class', lines: [1, 9] },
        { name: 'App.__call__', kind: 'method', lines: [2, 4] },
        { name: 'run', lines: [11, 13] },
      ],
      references: [{ from: 'App.__call__', relation: 'CALLS', to: 'app.py::run' }],
    },
    'main.py': { symbols: [{ name: 'start' }], references: user === '' ? [] : [{ from: 'start', relation: 'CALLS', to: 'app.py::run' }] },
  });
  const id = name === 'run' ? 'app.py::run' : 'app.py::App::__call__';
  const [row] = (await outcomeOf('nodesById', { ids: [id] }, workspace)).nodes as readonly SymbolRow[];
  const answer = await outcomeOf('hover', { path: 'app.py', line: row?.nameLine, column: row?.nameColumn }, workspace);
  expect(answer.lines).toContain(line);
});
