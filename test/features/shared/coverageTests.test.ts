import { expect, test } from 'vitest';
import { testNames } from '../../../server/src/features/shared/coverage/coverageTests';
import { graphOf } from '../../helpers/graphOf';

const { view } = graphOf({
  'src/app.py': { symbols: [{ name: 'test_me' }] },
  'pkg/tests/test_app.py': {
    isTest: true,
    symbols: [
      { name: 'TestApp', kind: 'class' },
      { name: 'TestApp.test_runs', kind: 'method', modifiers: ['test'] },
      { name: 'test_once', modifiers: ['test'] },
      { name: 'helper' },
    ],
  },
  'pkg/tests/test_other.py': { isTest: true, symbols: [{ name: 'test_once', modifiers: ['test'] }] },
  'pkg/tests/app.test.ts': { isTest: true, symbols: [{ name: 'an app' }, { name: 'an app.runs (fast)', modifiers: ['test'] }] },
});

test.each([
  ['pkg/tests/test_app.py::TestApp::test_runs', 'pkg/tests/test_app.py::TestApp::test_runs'],
  ['tests/test_app.py::TestApp::test_runs', 'pkg/tests/test_app.py::TestApp::test_runs'],
  ['test_app.py::TestApp::test_runs', 'pkg/tests/test_app.py::TestApp::test_runs'],
  ['pkg.tests.test_app.TestApp.test_runs', 'pkg/tests/test_app.py::TestApp::test_runs'],
  ['test_app.TestApp.test_runs', 'pkg/tests/test_app.py::TestApp::test_runs'],
  ['tests.test_app.TestApp.test_runs', 'pkg/tests/test_app.py::TestApp::test_runs'],
  ['tests.test_app.TestApp.test_inherited', 'pkg/tests/test_app.py::TestApp'],
  ['pkg/tests/test_app.py::TestApp::test_inherited', 'pkg/tests/test_app.py::TestApp'],
  ['tests.test_app.gone', undefined],
  ['TestApp.test_runs', 'pkg/tests/test_app.py::TestApp::test_runs'],
  ['test_runs', 'pkg/tests/test_app.py::TestApp::test_runs'],
  ['test_once', undefined],
  ['test_other.test_once', 'pkg/tests/test_other.py::test_once'],
  ['tests_test_app', 'pkg/tests/test_app.py'],
  ['an_app_runs_fast', 'pkg/tests/app.test.ts::an app::runs (fast)'],
  ['runs_fast', 'pkg/tests/app.test.ts::an app::runs (fast)'],
  ['pkg/tests/test_app.py', 'pkg/tests/test_app.py'],
  ['test_app', 'pkg/tests/test_app.py'],
  ['helper', undefined],
  ['src/app.py', undefined],
  ['test_me', undefined],
  ['', undefined],
])('%s names %s', (name, id) => {
  const node = testNames(view)(name);
  expect(node === undefined ? undefined : view.idOf(node)).toBe(id);
});
