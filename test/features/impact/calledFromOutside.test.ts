import { expect, test } from 'vitest';
import { outcomeOf } from '../../helpers/askFeature';
import type { FileSketch, SymbolSketch, WorkspaceSketch } from '../../helpers/graphOf';
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

const LIBRARY: WorkspaceSketch = {
  'src/client.ts': {
    symbols: [
      { name: 'Client', kind: 'class', modifiers: ['exported'] },
      { name: 'Client.get', kind: 'method' },
      { name: 'Client.put', kind: 'method' },
      { name: 'Client.send', kind: 'method', modifiers: ['private'] },
      { name: 'Client.abandoned', kind: 'method', modifiers: ['private'] },
    ],
    references: [
      { from: 'Client.get', relation: 'CALLS', to: 'src/client.ts::Client::send' },
      { from: 'Client.get', relation: 'CALLS', to: 'src/client.ts::Client::get' },
    ],
  },
  'src/user.ts': {
    symbols: [{ name: 'inside' }],
    references: [{ from: 'inside', relation: 'CALLS', to: 'src/client.ts::Client::put' }],
  },
  'test/client.test.ts': {
    isTest: true,
    symbols: [{ name: 'testGet', modifiers: ['test'] }],
    references: [{ from: 'testGet', relation: 'CALLS', to: 'src/client.ts::Client::get' }],
  },
};

test.each<[string, string, string | undefined, string[], string, string]>([
  ['get', 'unknown', 'anyone', ['src/client.ts::Client::get'], 'medium', 'a public method that only tests use'],
  ['send', 'unknown', 'anyone', ['src/client.ts::Client::get'], 'medium', 'what such a method calls'],
  ['put', 'small', undefined, [], 'medium', 'a public method that the workspace uses'],
  ['abandoned', 'small', undefined, [], 'low', 'a private method'],
])('the reach of the method %s of a library is %s, since %s may use it: %j, risk %s: %s', async (name, reach, outsideUser, outside, risk, _why) => {
  const answer = await outcomeOf('impact', { target: `src/client.ts::Client::${name}` }, workspaceOf(LIBRARY));
  expect({ reach: answer.reach, outsideUser: answer.outsideUser, outside: answer.calledFromOutside, risk: answer.risk }).toEqual({
    reach,
    outsideUser,
    outside,
    risk,
  });
});

test.each<[string, SymbolSketch[], string, string]>([
  ['res.send', [{ name: 'res', kind: 'variable', modifiers: ['exported'] }, { name: 'res.send' }], 'res::send', 'unknown'],
  [
    'api.nested.go',
    [
      { name: 'api', kind: 'constant', modifiers: ['exported'] },
      { name: 'api.nested', kind: 'property' },
      { name: 'api.nested.go', kind: 'method' },
    ],
    'api::nested::go',
    'unknown',
  ],
  [
    'api._go',
    [
      { name: 'api', kind: 'constant', modifiers: ['exported'] },
      { name: 'api._go', kind: 'method' },
    ],
    'api::_go',
    'small',
  ],
  [
    'own.go',
    [
      { name: 'own', kind: 'constant' },
      { name: 'own.go', kind: 'method' },
    ],
    'own::go',
    'small',
  ],
])('who gets an exported object may use its members: %s', async (_what, symbols, id, reach) => {
  expect((await outcomeOf('impact', { target: `lib/api.js::${id}` }, workspaceOf({ 'lib/api.js': { symbols } }))).reach).toBe(reach);
});

test('where every name can be imported, only what another file hands on is public', async () => {
  const sketch = (references: NonNullable<FileSketch['references']>): WorkspaceSketch => ({
    'src/lib/helpers.py': { symbols: [{ name: 'send_file', modifiers: ['exported'] }] },
    'src/lib/__init__.py': { references },
  });
  const reachOf = async (references: NonNullable<FileSketch['references']>) =>
    (await outcomeOf('impact', { target: 'src/lib/helpers.py::send_file' }, workspaceOf(sketch(references)))).reach;
  expect(await reachOf([{ from: '', relation: 'RE_EXPORTS', to: 'src/lib/helpers.py::send_file' }])).toBe('unknown');
  expect(await reachOf([])).toBe('small');
});

test('the reach of what only the workspace calls is a size', async () => {
  expect(await impactOf('plain')).toMatchObject({ reach: 'small', risk: 'medium', riskParts: { raisedBy: ['tests'] }, calledFromOutside: [] });
});
