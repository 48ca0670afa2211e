import { expect, test } from 'vitest';
import { testsReaching } from '../../../../server/src/features/testSelection/reach/reachedTests';
import { NO_NODE } from '../../../../server/src/model/ids';
import { type FileSketch, graphOf, type WorkspaceSketch } from '../../../helpers/graphOf';

/** Names of the tests that a symbol reaches, in order. */
function testsOf(sketch: WorkspaceSketch, id: string): readonly string[] {
  const { view } = graphOf(sketch);
  const start = view.find(id) ?? NO_NODE;
  expect(start, id).not.toBe(NO_NODE);
  return testsReaching(view, new Set([start]))
    .tests.map(({ node }) => view.node(node).name)
    .sort();
}

function testFile(name: string, references: FileSketch['references'] = []): FileSketch {
  return { isTest: true, symbols: [{ name, modifiers: ['test'] }], references };
}

const PACKAGES: WorkspaceSketch = {
  'mode/mode.go': {
    symbols: [{ name: 'init' }, { name: 'set' }, { name: 'other' }],
    references: [{ from: 'init', relation: 'CALLS', to: 'mode/mode.go::set' }],
  },
  'mode/names.go': { symbols: [{ name: 'names' }] },
  'mode/mode_test.go': testFile('TestMode'),
  'mode/main_test.go': {
    isTest: true,
    symbols: [{ name: 'TestMain', modifiers: ['test'] }],
    references: [{ from: 'TestMain', relation: 'CALLS', to: 'mode/names.go::names' }],
  },
  'app/app.go': { references: [{ from: '', relation: 'IMPORTS', to: 'mode/names.go' }] },
  'app/app_test.go': testFile('TestApp'),
};

test('what runs when a package is loaded reaches its tests, and those of packages that import any file of it', () => {
  expect(testsOf(PACKAGES, 'mode/mode.go::set')).toEqual(['TestApp', 'TestMain', 'TestMode']);
  expect(testsOf(PACKAGES, 'mode/mode.go::other')).toEqual([]);
});

test('what sets up the tests of a package reaches them and nobody else', () => {
  expect(testsOf(PACKAGES, 'mode/names.go::names')).toEqual(['TestMain', 'TestMode']);
});

/** A type, a method of it that stands in another file, and a test that uses a type which holds a value of it. */
function served(name: string, signature: string): WorkspaceSketch {
  return {
    'web/engine.go': {
      symbols: [
        { name: 'Engine', kind: 'struct' },
        { name: 'Site', kind: 'struct' },
      ],
      references: [
        { from: 'Site', relation: 'USES_TYPE', to: 'web/engine.go::Engine' },
        { from: 'Engine', relation: 'CONTAINS', to: `web/serve.go::Engine::${name}` },
      ],
    },
    'web/serve.go': {
      symbols: [{ name: `Engine.${name}`, kind: 'method', signature }],
    },
    'web/engine_test.go': testFile('TestSite', [{ from: 'TestSite', relation: 'USES_TYPE', to: 'web/engine.go::Site' }]),
    'web/direct_test.go': testFile('TestDirect', [{ from: 'TestDirect', relation: 'CALLS', to: `web/serve.go::Engine::${name}` }]),
  };
}

test('a method that the standard library calls is possibly reached by who makes its type, or one that holds it, whoever calls it by name', () => {
  expect(testsOf(served('ServeHTTP', 'func (e *Engine) ServeHTTP(w http.ResponseWriter, r *http.Request)'), 'web/serve.go::Engine::ServeHTTP')).toEqual([
    'TestDirect',
    'TestSite',
  ]);
  expect(testsOf(served('String', 'func (e *Engine) String() string'), 'web/serve.go::Engine::String')).toEqual(['TestDirect', 'TestSite']);
  expect(testsOf(served('String', 'func (e *Engine) String(code int, format string)'), 'web/serve.go::Engine::String')).toEqual(['TestDirect']);
  // A method of a context that is called by name is not expected to be called by a library as well.
  expect(testsOf(served('Done', 'func (e *Engine) Done() <-chan struct{}'), 'web/serve.go::Engine::Done')).toEqual(['TestDirect']);
});

test('methods of a type that extends one of a library are possibly reached by who makes it, also when something calls them', () => {
  const sketch: WorkspaceSketch = {
    'src/client.py': {
      symbols: [
        { name: 'Client', kind: 'class' },
        { name: 'Client.open', kind: 'method' },
      ],
      references: [{ from: 'Client', relation: 'INHERITS', to: 'external::werkzeug.Client' }],
    },
    'tests/test_client.py': testFile('test_gets', [{ from: 'test_gets', relation: 'INSTANTIATES', to: 'src/client.py::Client' }]),
    'tests/test_open.py': testFile('test_opens', [{ from: 'test_opens', relation: 'CALLS', to: 'src/client.py::Client::open' }]),
  };
  expect(testsOf(sketch, 'src/client.py::Client::open')).toEqual(['test_gets', 'test_opens']);
});

test('cases run in classes that inherit them: such a class is a test, reached by the case or by what it sets up itself', () => {
  const sketch: WorkspaceSketch = {
    'src/a.py': { symbols: [{ name: 'load' }, { name: 'loadTimed' }] },
    'tests/test_plain.py': {
      isTest: true,
      symbols: [
        { name: 'TestPlain', kind: 'class' },
        { name: 'TestPlain.test_loads', kind: 'method', modifiers: ['test'] },
      ],
      references: [{ from: 'TestPlain.test_loads', relation: 'CALLS', to: 'src/a.py::load' }],
    },
    'tests/test_timed.py': {
      isTest: true,
      symbols: [
        { name: 'TestTimed', kind: 'class' },
        { name: 'TestTimed.factory', kind: 'method' },
        { name: 'TestTimed.test_age', kind: 'method', modifiers: ['test'] },
      ],
      references: [
        { from: 'TestTimed', relation: 'INHERITS', to: 'tests/test_plain.py::TestPlain' },
        { from: 'TestTimed.factory', relation: 'CALLS', to: 'src/a.py::loadTimed' },
      ],
    },
  };
  expect(testsOf(sketch, 'src/a.py::load')).toEqual(['TestTimed', 'test_loads']);
  expect(testsOf(sketch, 'src/a.py::loadTimed')).toEqual(['TestTimed']);
});

test('a decorator runs when the file of what it decorates is loaded; what is only named there does not', () => {
  const sketch: WorkspaceSketch = {
    'src/cli.py': {
      symbols: [{ name: 'command' }, { name: 'run' }, { name: 'helper' }, { name: 'Group', kind: 'class' }, { name: 'Group.__init__', kind: 'constructor' }],
      references: [
        { from: 'src/cli.py::command', relation: 'DECORATES', to: 'src/cli.py::run' },
        { from: 'run', relation: 'CALLS', to: 'src/cli.py::helper' },
        { from: 'Group.__init__', relation: 'READS_FROM', to: 'src/cli.py::run' },
        { from: '', relation: 'INSTANTIATES', to: 'src/cli.py::Group' },
      ],
    },
    'tests/test_cli.py': testFile('test_loads', [{ from: '', relation: 'IMPORTS', to: 'src/cli.py' }]),
  };
  expect(testsOf(sketch, 'src/cli.py::command')).toEqual(['test_loads']);
  expect(testsOf(sketch, 'src/cli.py::Group::__init__')).toEqual(['test_loads']);
  expect(testsOf(sketch, 'src/cli.py::helper')).toEqual(['test_cli.py']);
});

test('of possible ways the surest counts, however long it is', () => {
  const sketch: WorkspaceSketch = {
    'src/a.py': {
      symbols: [{ name: 'a' }, { name: 'b' }, { name: 'c' }, { name: 'd' }],
      references: [
        { from: 'c', relation: 'CALLS', to: { 'src/a.py::a': 0.06 } },
        { from: 'b', relation: 'CALLS', to: { 'src/a.py::a': 0.6 } },
        { from: 'c', relation: 'CALLS', to: { 'src/a.py::b': 0.6 } },
        { from: 'd', relation: 'CALLS', to: { 'src/a.py::c': 0.6 } },
      ],
    },
    'tests/test_a.py': testFile('test_d', [{ from: 'test_d', relation: 'CALLS', to: 'src/a.py::d' }]),
  };
  expect(testsOf(sketch, 'src/a.py::a')).toEqual(['test_d']);
});
