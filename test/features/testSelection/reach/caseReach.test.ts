import { expect, test } from 'vitest';
import { caseReach, wayTo } from '../../../../server/src/features/testSelection/reach/caseReach';
import { testsIn, testsReaching } from '../../../../server/src/features/testSelection/reach/reachedTests';
import { NO_NODE } from '../../../../server/src/model/ids';
import { graphOf, type WorkspaceSketch } from '../../../helpers/graphOf';

const SKETCH: WorkspaceSketch = {
  'src/shop.py': {
    symbols: [
      { name: 'Base', kind: 'class' },
      { name: 'Base.price', kind: 'method' },
      { name: 'Shop', kind: 'class' },
      { name: 'Shop.__init__', kind: 'method' },
      { name: 'Shop.price', kind: 'method' },
      { name: 'Shop.__repr__', kind: 'method' },
      { name: 'wrap' },
      { name: 'wrap.inner' },
      { name: 'configure' },
      { name: 'handler' },
    ],
    references: [
      { from: 'Shop', relation: 'INHERITS', to: 'src/shop.py::Base' },
      { from: 'Shop.price', relation: 'OVERRIDES', to: 'src/shop.py::Base::price' },
    ],
  },
  'src/setup.py': {
    references: [
      { from: '', relation: 'CALLS', to: 'src/shop.py::configure' },
      { from: '', relation: 'READS_FROM', to: 'src/shop.py::handler' },
    ],
  },
  'tests/test_shop.py': {
    isTest: true,
    symbols: [
      { name: 'test_makes', modifiers: ['test'] },
      { name: 'test_names', modifiers: ['test'] },
      { name: 'test_prices', modifiers: ['test'] },
      { name: 'test_wraps', modifiers: ['test'] },
    ],
    references: [
      { from: 'test_makes', relation: 'INSTANTIATES', to: 'src/shop.py::Shop' },
      { from: 'test_names', relation: 'USES_TYPE', to: 'src/shop.py::Shop' },
      { from: 'test_prices', relation: 'CALLS', to: 'src/shop.py::Base::price' },
      { from: 'test_wraps', relation: 'CALLS', to: 'src/shop.py::wrap' },
    ],
  },
  'tests/test_setup.py': {
    isTest: true,
    symbols: [{ name: 'test_loads', modifiers: ['test'] }],
    references: [{ from: '', relation: 'IMPORTS', to: 'src/setup.py' }],
  },
  'test/shop.test.ts': {
    isTest: true,
    symbols: [
      { name: 'a shop' },
      { name: 'a shop.opens', modifiers: ['test'] },
      { name: 'a shop.of two' },
      { name: 'a shop.of two.closes', modifiers: ['test'] },
    ],
    references: [{ from: 'a shop', relation: 'CALLS', to: 'src/shop.py::wrap' }],
  },
};

function casesOf(id: string): Record<string, number> {
  const { view } = graphOf(SKETCH);
  const walk = caseReach(view, [view.find(id) ?? NO_NODE], { maxDepth: 10, nodes: 1000 });
  const cases = walk.nodes.filter(node => view.runsAsTest(node));
  return Object.fromEntries(cases.map(node => [view.node(node).name, Number((walk.confidences[node] ?? 0).toFixed(2))]));
}

test('a constructor is reached by who makes one, not by who names the type', () => {
  expect(casesOf('src/shop.py::Shop::__init__')).toEqual({ test_makes: 0.95 });
});

test('an overriding method is possibly reached by calls of what it overrides; by who makes an object of its class where nobody calls that, else by tests that do, name it, or use a class that does', () => {
  expect(casesOf('src/shop.py::Shop::price')).toEqual({ test_makes: 0.3, test_names: 0.3, test_prices: 0.57 });
  const sketch = (calls: readonly string[]): WorkspaceSketch => ({
    'src/a.py': {
      symbols: ['A', 'B'].flatMap(name => [
        { name, kind: 'class' as const },
        { name: `${name}.run`, kind: 'method' as const },
      ]),
      references: [
        { from: 'B', relation: 'INHERITS', to: 'src/a.py::A' },
        { from: 'B.run', relation: 'OVERRIDES', to: 'src/a.py::A::run' },
      ],
    },
    'src/b.py': { symbols: [{ name: 'make' }], references: [{ from: 'make', relation: 'INSTANTIATES', to: 'src/a.py::B' }] },
    'tests/test_a.py': {
      isTest: true,
      symbols: [
        ...['test_makes', 'test_helped', 'test_runs', 'test_holds'].map(name => ({ name, modifiers: ['test'] as const })),
        { name: 'Holder', kind: 'class' },
      ],
      references: [
        { from: 'Holder', relation: 'INSTANTIATES', to: 'src/a.py::B' },
        { from: 'test_holds', relation: 'INSTANTIATES', to: 'tests/test_a.py::Holder' },
        { from: 'test_makes', relation: 'INSTANTIATES', to: 'src/a.py::B' },
        { from: 'test_helped', relation: 'CALLS', to: 'src/b.py::make' },
        { from: 'test_runs', relation: 'USES_TYPE', to: 'src/a.py::B' },
        ...calls.map(from => ({ from, relation: 'CALLS' as const, to: 'src/a.py::A::run' })),
      ],
    },
  });
  const reaching = (calls: readonly string[]): string[] => {
    const { view } = graphOf(sketch(calls));
    return testsReaching(view, new Set([view.find('src/a.py::B::run') ?? NO_NODE])).tests.map(({ node }) => view.node(node).name);
  };
  expect(reaching([]).sort()).toEqual(['test_helped', 'test_holds', 'test_makes']);
  expect(reaching(['test_runs']).sort()).toEqual(['test_holds', 'test_makes', 'test_runs']);
  expect(reaching(['test_helped']).sort()).toEqual(['test_helped', 'test_holds', 'test_makes', 'test_runs']);
});

test('a method that nothing calls is possibly reached by who makes an object of its class', () => {
  expect(casesOf('src/shop.py::Shop::__repr__')).toEqual({ test_makes: 0.28 });
});

test('a method that nothing calls and no library knows is reached by no case, nor what runs when a class is made', () => {
  const methods = ['price', '__init_subclass__', 'invoke'];
  const sketch: WorkspaceSketch = {
    'src/a.py': {
      symbols: [{ name: 'A', kind: 'class' }, ...methods.map(name => ({ name: `A.${name}`, kind: 'method' as const }))],
    },
    'src/b.py': {
      symbols: [
        { name: 'B', kind: 'class' },
        { name: 'B.invoke', kind: 'method' },
      ],
      references: [{ from: 'B', relation: 'INHERITS', to: 'external::click.Command' }],
    },
    'tests/test_a.py': {
      isTest: true,
      symbols: [{ name: 'test_makes', modifiers: ['test'] }],
      references: ['a.py::A', 'b.py::B'].map(to => ({ from: 'test_makes', relation: 'INSTANTIATES', to: `src/${to}` })),
    },
  };
  const { view } = graphOf(sketch);
  const testsOf = (id: string): number => testsReaching(view, new Set([view.find(id) ?? NO_NODE])).tests.length;
  expect(methods.map(name => testsOf(`src/a.py::A::${name}`))).toEqual([0, 0, 0]);
  expect(testsOf('src/b.py::B::invoke')).toBe(1);
});

test('a way of many possible steps ends where it says nothing any more', () => {
  const names = Array.from({ length: 6 }, (_, at) => `f${at}`);
  const sketch: WorkspaceSketch = {
    'src/a.py': {
      symbols: names.map(name => ({ name })),
      references: names.slice(1).map((from, at) => ({ from, relation: 'CALLS', to: `src/a.py::f${at}`, source: 'heuristic' })),
    },
    'tests/test_a.py': {
      isTest: true,
      symbols: names.map(name => ({ name: `test_${name}`, modifiers: ['test'] as const })),
      references: names.map(name => ({ from: `test_${name}`, relation: 'CALLS', to: `src/a.py::${name}` })),
    },
  };
  const { view } = graphOf(sketch);
  const { tests } = testsReaching(view, new Set([view.find('src/a.py::f0') ?? NO_NODE]));
  expect(tests.map(({ node }) => view.node(node).name)).toEqual(['test_f0', 'test_f1', 'test_f2', 'test_f3']);
});

test('a function inside another is reached through that, and what a group of tests sets up by each case in it', () => {
  expect(casesOf('src/shop.py::wrap::inner')).toEqual({ test_wraps: 0.9, opens: 0.9, closes: 0.9 });
});

test('what is called when a file is loaded reaches every case of those that import it; what is only kept there reaches them as files', () => {
  expect(casesOf('src/shop.py::configure')).toEqual({ test_loads: 0.9 });
  expect(casesOf('src/shop.py::handler')).toEqual({});
});

test('what changes for a class of tests, each case in it runs', () => {
  const sketch: WorkspaceSketch = {
    'src/a.py': { symbols: [{ name: 'Base', kind: 'class' }] },
    'tests/test_a.py': {
      isTest: true,
      symbols: [
        { name: 'TestA', kind: 'class' },
        { name: 'TestA.test_one', kind: 'method', modifiers: ['test'] },
        { name: 'TestA.helper', kind: 'method' },
      ],
      references: [{ from: 'TestA', relation: 'INHERITS', to: 'src/a.py::Base' }],
    },
  };
  const { view } = graphOf(sketch);
  const walk = caseReach(view, [view.find('src/a.py::Base') ?? NO_NODE], { maxDepth: 10, nodes: 1000 });
  expect(testsIn(view, walk).map(test => view.idOf(test.node))).toEqual(['tests/test_a.py::TestA::test_one']);
});

test('a helper inside a group of tests leads to the cases that use it, not to all of the group', () => {
  const { view } = graphOf({
    'src/a.rb': { symbols: [{ name: 'a' }] },
    'spec/a_spec.rb': {
      isTest: true,
      symbols: [{ name: 'a group' }, { name: 'a group.made' }, { name: 'a group.uses', modifiers: ['test'] }, { name: 'a group.other', modifiers: ['test'] }],
      references: [
        { from: 'a group.made', relation: 'CALLS', to: 'src/a.rb::a' },
        { from: 'a group.uses', relation: 'CALLS', to: 'spec/a_spec.rb::a group::made' },
      ],
    },
  });
  const { tests } = testsReaching(view, new Set([view.find('src/a.rb::a') ?? NO_NODE]));
  expect(tests.map(({ node }) => view.node(node).name)).toEqual(['uses']);
});

test('certain ways are found before shorter possible ones', () => {
  const sketch: WorkspaceSketch = {
    'src/a.py': { symbols: [{ name: 'a' }, { name: 'b' }], references: [{ from: 'b', relation: 'CALLS', to: 'src/a.py::a' }] },
    'tests/test_a.py': {
      isTest: true,
      symbols: [
        { name: 'test_sure', modifiers: ['test'] },
        { name: 'test_maybe', modifiers: ['test'] },
      ],
      references: [
        { from: 'test_sure', relation: 'CALLS', to: 'src/a.py::a', source: 'heuristic' },
        { from: 'test_sure', relation: 'CALLS', to: 'src/a.py::b' },
        { from: 'test_maybe', relation: 'CALLS', to: 'src/a.py::a', source: 'heuristic' },
      ],
    },
  };
  const { view } = graphOf(sketch);
  const { walk, tests } = testsReaching(view, new Set([view.find('src/a.py::a') ?? NO_NODE]));
  expect(tests.map(({ node }) => [view.node(node).name, walk.certain[node], walk.depths[node]])).toEqual([
    ['test_sure', 1, 2],
    ['test_maybe', 0, 1],
  ]);
});

test('a way leads from the change to the case, and bounds end the walk', () => {
  const { view } = graphOf(SKETCH);
  const start = view.find('src/shop.py::wrap::inner') ?? NO_NODE;
  const walk = caseReach(view, [start], { maxDepth: 10, nodes: 1000 });
  const end = view.find('test/shop.test.ts::a shop::of two::closes') ?? NO_NODE;
  expect(wayTo(walk, end).map(node => view.idOf(node))).toEqual([
    'src/shop.py::wrap::inner',
    'src/shop.py::wrap',
    'test/shop.test.ts::a shop',
    'test/shop.test.ts::a shop::of two',
    'test/shop.test.ts::a shop::of two::closes',
  ]);
  expect(walk.complete).toBe(true);
  expect(caseReach(view, [start], { maxDepth: 10, nodes: 1 }).complete).toBe(false);
});

test('a walk may end at the first node of a kind, and says that it did', () => {
  const { view } = graphOf(SKETCH);
  const start = view.find('src/shop.py::wrap::inner') ?? NO_NODE;
  const whole = caseReach(view, [start], { maxDepth: 10, nodes: 1000 });
  const { complete, nodes } = caseReach(view, [start], { maxDepth: 10, nodes: 1000, until: node => view.isTest(node) });
  expect([whole.complete, complete]).toEqual([true, false]);
  expect(nodes.slice(0, 3).map(node => view.isTest(node))).toEqual([false, false, true]);
  expect(nodes.length).toBeLessThan(whole.nodes.length);
});

test('a call that may run several methods of a name counts less for each of them', () => {
  const worthWith = (count: number): number => {
    const names = Array.from({ length: count }, (_, at) => `Part${at}`);
    const { view } = graphOf({
      'src/parts.py': {
        symbols: [
          ...names.flatMap(name => [
            { name, kind: 'class' as const },
            { name: `${name}.call`, kind: 'method' as const },
          ]),
          { name: 'hand_on' },
        ],
        references: [{ from: 'hand_on', relation: 'CALLS', to: Object.fromEntries(names.map(name => [`src/parts.py::${name}::call`, 0.4])) }],
      },
      'tests/test_parts.py': {
        isTest: true,
        symbols: [{ name: 'test_hands_on', modifiers: ['test'] }],
        references: [{ from: 'test_hands_on', relation: 'CALLS', to: { 'src/parts.py::hand_on': 1 } }],
      },
    });
    const walk = caseReach(view, [view.find('src/parts.py::Part0::call') ?? NO_NODE], { maxDepth: 10, nodes: 1000 });
    return walk.confidences[view.find('tests/test_parts.py::test_hands_on') ?? NO_NODE] ?? 0;
  };
  expect(worthWith(1)).toBeCloseTo(0.4);
  expect(worthWith(4)).toBeCloseTo(0.2);
});
