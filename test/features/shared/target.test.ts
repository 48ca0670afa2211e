import { expect, test } from 'vitest';
import { toolRef } from '../../../server/src/model/hints';
import { askFeature, outcomeOf } from '../../helpers/askFeature';
import { type WorkspaceSketch } from '../../helpers/graphOf';
import { shop } from '../../helpers/shop';
import { workspaceOf } from '../../helpers/workspaceOf';

test.each([
  'src/pay.ts::Till::add',
  'symbol::src/pay.ts::Till::add',
  'src/pay.ts#Till.add',
  './src/pay.ts#add',
  'src\\pay.ts::Till::add',
  '/home/ada/shop/src/pay.ts::Till::add',
  'Till.add',
  'add',
  'ADD',
  'Till::add',
  'Till#add',
  'Till->add',
  'Till@add',
  'Till.add()',
  '(*Till).add',
  'pay.Till.add',
  'src.pay.Till.add',
  'src\\pay\\Till::add',
])('%s means the method', async target => {
  expect(await outcomeOf('explain', { target })).toMatchObject({ symbol: { id: 'src/pay.ts::Till::add' }, guessed: false });
});

test.each(['src/pay.ts', 'file::src/pay.ts', './src/pay.ts', '/home/ada/shop/src/pay.ts', 'pay.ts', 'src\\pay.ts'])('%s means the file', async target => {
  expect(await outcomeOf('explain', { target })).toMatchObject({ symbol: { id: 'src/pay.ts' }, type: 'FILE' });
});

test.each([
  ['../other/a.ts', 'FORBIDDEN'],
  ['/etc/passwd', 'FORBIDDEN'],
  ['src/../../a.ts#x', 'FORBIDDEN'],
  ['src/none.ts', 'NOT_FOUND'],
  ['src/pay.ts#none', 'NOT_FOUND'],
  ['zzz', 'NOT_FOUND'],
  ['  ', 'VALIDATION_ERROR'],
])('%s is refused with %s', async (target, failed) => {
  expect(await outcomeOf('explain', { target })).toMatchObject({ failed });
});

test('an ID above the code that names nothing is answered with how to list such items', async () => {
  const found = await askFeature('explain', workspaceOf(shop), { target: 'tx::gone' });
  expect(found).toMatchObject({
    ok: false,
    error: { code: 'NOT_FOUND', hint: expect.arrayContaining([toolRef('graph_query', { query: expect.stringContaining('MATCH (n:tx) RETURN n.id') })]) },
  });
});

test('words that are no name give the best hit and say so', async () => {
  expect(await outcomeOf('explain', { target: 'sums the lines of a bill' })).toMatchObject({ symbol: { id: 'src/pay.ts::total' }, guessed: true });
});

test('one word that names nothing alike is not found; a slip of the pen is understood', async () => {
  const lone: WorkspaceSketch = { 'a.ts': { symbols: [{ name: 'netAddress', doc: 'Nope, such a thing.' }] } };
  expect(await outcomeOf('explain', { target: 'nope_such' }, workspaceOf(lone))).toMatchObject({ failed: 'NOT_FOUND' });
  expect(await outcomeOf('explain', { target: 'address' }, workspaceOf(lone))).toMatchObject({ symbol: { id: 'a.ts::netAddress' }, guessed: true });
});

test('a Windows root takes paths in any case of letters', async () => {
  const workspace = workspaceOf(shop, { root: 'C:\\shops\\Shop' });
  expect(await outcomeOf('explain', { target: 'c:/Shops/SHOP/src/pay.ts' }, workspace)).toMatchObject({ symbol: { id: 'src/pay.ts' } });
  expect(await outcomeOf('explain', { target: 'D:\\shops\\shop\\src\\pay.ts' }, workspace)).toMatchObject({ failed: 'FORBIDDEN' });
});

test('of several things with a name the most central is taken and the others are told', async () => {
  const twins: WorkspaceSketch = {
    'a.ts': { symbols: [{ name: 'run' }] },
    'b.ts': { symbols: [{ name: 'run' }, { name: 'go' }], references: [{ from: 'go', relation: 'CALLS', to: 'b.ts::run' }] },
  };
  expect(await outcomeOf('explain', { target: 'run' }, workspaceOf(twins))).toMatchObject({ symbol: { id: 'b.ts::run' }, candidates: ['a.ts::run'] });
});

const ancestry: WorkspaceSketch = {
  'base.ts': {
    symbols: [
      { name: 'Top', kind: 'class' },
      { name: 'Top.go', kind: 'method' },
      { name: 'Mid', kind: 'class' },
    ],
    references: [{ from: 'Mid', relation: 'INHERITS', to: 'base.ts::Top' }],
  },
  'app.ts': { symbols: [{ name: 'App', kind: 'class' }], references: [{ from: 'App', relation: 'INHERITS', to: 'base.ts::Mid' }] },
};

test.each([
  ['a.ts:1', 'a.ts'],
  ['a.ts:2', 'a.ts::Box'],
  ['a.ts:4', 'a.ts::Box::open'],
  ['a.ts:4:7', 'a.ts::Box::open'],
  ['./a.ts#L4-L9', 'a.ts::Box::open'],
  ['a.ts:8', 'a.ts::Box'],
])('%s means what is around that line', async (target, id) => {
  const boxes: WorkspaceSketch = {
    'a.ts': {
      lines: 12,
      symbols: [
        { name: 'Box', kind: 'class', lines: [2, 9] },
        { name: 'Box.open', kind: 'method', lines: [3, 7] },
      ],
    },
  };
  expect(await outcomeOf('explain', { target }, workspaceOf(boxes))).toMatchObject({ symbol: { id }, guessed: false });
});

test.each(['BaseApp.save', 'db.ts#BaseApp.save'])('%s means the member that is declared away from its type, not that of its interface', async target => {
  const sketch: WorkspaceSketch = {
    'app.ts': {
      symbols: [
        { name: 'App', kind: 'interface' },
        { name: 'App.save', kind: 'method' },
      ],
    },
    'base.ts': { symbols: [{ name: 'BaseApp', kind: 'struct' }], references: [{ from: 'BaseApp', relation: 'IMPLEMENTS', to: 'app.ts::App' }] },
    'db.ts': { symbols: [{ name: 'BaseApp.save', kind: 'method' }] },
  };
  expect(await outcomeOf('explain', { target }, workspaceOf(sketch))).toMatchObject({ symbol: { id: 'db.ts::BaseApp::save' }, guessed: false });
});

test('a type of the workspace is meant before what a library calls alike', async () => {
  const sketch: WorkspaceSketch = {
    'user.ts': { symbols: [{ name: 'User', kind: 'class' }] },
    'auth.ts': { symbols: [{ name: 'auth' }], references: [{ from: 'auth', relation: 'USES_TYPE', to: 'external::User' }] },
  };
  expect(await outcomeOf('explain', { target: 'User' }, workspaceOf(sketch))).toMatchObject({ symbol: { id: 'user.ts::User' } });
});

test('a member that a known type has not is not found, and its like in that type are named', async () => {
  const sketch: WorkspaceSketch = {
    'story.ts': {
      symbols: [
        { name: 'Story', kind: 'class' },
        { name: 'Story.hotnes', kind: 'method' },
        { name: 'Story.title', kind: 'method' },
      ],
    },
    'old.ts': { symbols: [{ name: 'StoryHotness', kind: 'class' }, { name: 'hotness' }] },
  };
  const answer = await askFeature('explain', workspaceOf(sketch), { target: 'Story.hotness' });
  const suggestions = expect.objectContaining({ 0: 'story.ts::Story::hotnes' });
  expect(answer).toMatchObject({ ok: false, error: { code: 'NOT_FOUND', data: { suggestions } } });
});

test.each(['App.go', 'App::go', 'app.ts::App::go', 'app.ts#App.go', 'Mid.go'])('%s means the member that the type inherits', async target => {
  expect(await outcomeOf('explain', { target }, workspaceOf(ancestry))).toMatchObject({ symbol: { id: 'base.ts::Top::go' }, guessed: false });
});

test('a member that no ancestor has is not made up', async () => {
  expect(await outcomeOf('explain', { target: 'app.ts::App::stop' }, workspaceOf(ancestry))).toMatchObject({ failed: 'NOT_FOUND' });
});

test('a column on a line outside of every symbol means the name there, that of an import the symbol before the file', async () => {
  const sketch: WorkspaceSketch = {
    'url.ts': { symbols: [{ name: 'getPath', lines: [1, 2] }] },
    'app.ts': {
      symbols: [{ name: 'run', lines: [3, 5] }],
      references: [
        { from: '', relation: 'IMPORTS', to: 'url.ts', source: 'import', line: 1 },
        { from: '', relation: 'NAMES', to: 'url.ts::getPath', source: 'import', line: 1 },
        { from: 'run', relation: 'CALLS', to: 'url.ts::getPath', source: 'import', line: 4 },
      ],
    },
  };
  const meant = async (target: string): Promise<unknown> => (await outcomeOf('explain', { target }, workspaceOf(sketch))).symbol.id;
  expect(await meant('app.ts:1:1')).toBe('url.ts::getPath');
  expect(await meant('app.ts:1')).toBe('app.ts');
  expect(await meant('app.ts:2:1')).toBe('app.ts');
  expect(await meant('app.ts:4:1')).toBe('app.ts::run');
  expect(await outcomeOf('symbolAt', { path: 'app.ts', line: 1, column: 0 }, workspaceOf(sketch))).toMatchObject({ id: 'url.ts::getPath' });
  expect(await outcomeOf('hover', { path: 'app.ts', line: 1, column: 0 }, workspaceOf(sketch))).toMatchObject({ id: 'url.ts::getPath' });
});

const TWINS: WorkspaceSketch = {
  'a.test.ts': { isTest: true, symbols: [{ name: 'verify' }, { name: 'verifyTokenExpired' }] },
  'a.ts': { symbols: [{ name: 'Options.verify', kind: 'property' }] },
  'b.ts': { symbols: [{ name: 'verify' }] },
  'c.ts': { symbols: [{ name: 'verifies' }], references: [{ from: 'verifies', relation: 'CALLS', to: 'b.ts::verify', line: 1 }] },
};

test('a slip of the finger means the name that is most alike: the most central of those, and no test where there is another', async () => {
  expect(await outcomeOf('explain', { target: 'verifyy' }, workspaceOf(TWINS))).toMatchObject({ symbol: { id: 'b.ts::verify' }, guessed: true });
});

test('for a name that a file does not have, its own names come first among the suggestions', async () => {
  const found = await askFeature('explain', workspaceOf(TWINS), { target: 'c.ts#verifie' });
  expect(found).toMatchObject({
    ok: false,
    error: {
      code: 'NOT_FOUND',
      data: { suggestions: ['c.ts::verifies', 'b.ts::verify', 'a.ts::Options::verify', 'a.test.ts::verify', 'a.test.ts::verifyTokenExpired'] },
    },
  });
});
