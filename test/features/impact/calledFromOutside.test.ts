import { expect, test } from 'vitest';
import { outcomeOf } from '../../helpers/askFeature';
import { type WorkspaceSketch } from '../../helpers/graphOf';
import { workspaceOf } from '../../helpers/workspaceOf';

const SKETCH: WorkspaceSketch = {
  'src/app.py': {
    symbols: [
      { name: 'App', kind: 'class' },
      { name: 'App.__call__', kind: 'method' },
      { name: 'App.dispatch', kind: 'method' },
      { name: 'Reader', kind: 'class' },
      { name: 'Reader.readable', kind: 'method' },
      { name: 'route' },
      { name: 'index' },
      { name: 'on_error' },
      { name: 'setup' },
      { name: 'plain' },
    ],
    references: [
      { from: 'App.__call__', relation: 'CALLS', to: 'src/app.py::App::dispatch' },
      { from: 'Reader', relation: 'INHERITS', to: 'external::io.RawIOBase' },
      { from: 'src/app.py::route', relation: 'DECORATES', to: 'src/app.py::index' },
      { from: 'setup', relation: 'READS_FROM', to: 'src/app.py::on_error' },
      { from: 'setup', relation: 'CALLS', to: 'src/app.py::plain' },
    ],
  },
};

const impactOf = (name: string) => outcomeOf('impact', { target: `src/app.py::${name}` }, workspaceOf(SKETCH));

test.each([
  ['App::__call__', 'App::__call__', 'methods of the language'],
  ['App::dispatch', 'App::__call__', 'what those call'],
  ['Reader::readable', 'Reader::readable', 'methods of a type that extends one of a library'],
  ['index', 'index', 'what a decorator registers'],
  ['on_error', 'on_error', 'a function that is handed on'],
])('the reach of %s is unknown since something outside calls %s: %s', async (name, outside) => {
  const { reach, risk, calledFromOutside } = await impactOf(name);
  expect({ reach, risk, calledFromOutside }).toEqual({ reach: 'unknown', risk: 'medium', calledFromOutside: [`src/app.py::${outside}`] });
});

test('the reach of what only the workspace calls is a size', async () => {
  expect(await impactOf('plain')).toMatchObject({ reach: 'small', risk: 'medium', riskParts: { raisedBy: ['tests'] }, calledFromOutside: [] });
});
