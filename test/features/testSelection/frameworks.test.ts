import { expect, test } from 'vitest';
import { frameworkOf, frameworksIn } from '../../../server/src/features/testSelection/frameworks';
import { graphOf } from '../../helpers/graphOf';

test('a name makes a test only where a framework looks for it', async () => {
  const { view } = graphOf({
    'src/app.py': {
      symbols: [
        { name: 'App', kind: 'class' },
        { name: 'App.test_client', kind: 'method', modifiers: ['test'] },
      ],
    },
    'tests/test_app.py': { isTest: true, symbols: [{ name: 'test_it', modifiers: ['test'] }, { name: 'make' }] },
    'src/lib.rs': { symbols: [{ name: 'works', modifiers: ['test'] }] },
  });
  const told = [...view.nodes()].map(node => [view.idOf(node), view.isTest(node), view.node(node).isTest, view.runsAsTest(node)]);
  expect(told).toEqual([
    ['src/app.py', false, false, false],
    ['src/app.py::App', false, false, false],
    ['src/app.py::App::test_client', false, false, false],
    ['src/lib.rs', false, false, false],
    ['src/lib.rs::works', true, true, true],
    ['tests/test_app.py', true, true, false],
    ['tests/test_app.py::test_it', true, true, true],
    ['tests/test_app.py::make', true, true, false],
  ]);
});

test.each([
  ["export default { test: { include: ['checks/**/*.check.ts'] } }", 'checks/a/b.check.ts', 'vitest'],
  ["export default { test: { include: ['checks/**/*.check.ts'] } }", 'src/a.test.ts', undefined],
])('globs of the configuration %j win: %s', (config, path, framework) => {
  expect(frameworkOf(path, frameworksIn(new Map([['vitest.config.ts', config]])))?.row.id).toBe(framework);
});
