import { expect, test } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import { Interner } from '../../server/src/base/interner';
import { Resolver } from '../../server/src/code/resolve/resolver';
import type { NodeHandle } from '../../server/src/model/ids';
import type { FileResolution } from '../../server/src/model/resolution';
import { GLOBAL_FILES, NAMES, type Pick, PY_FILES, python, TS_FILES, typescript, typescriptGlobals } from '../helpers/randomCode';
import { resolverFile, resolverFiles, testTurn } from '../helpers/resolveFixture';
import { cold, random, restarted, spelled } from '../helpers/resolveRuns';

test.each([
  ['TypeScript', TS_FILES, typescript],
  ['global names', GLOBAL_FILES, typescriptGlobals],
  ['Python', PY_FILES, python],
] as const)('any sequence of edits ends where a cold run of the final state does: %s', async (_, paths, write) => {
  // The last are where a class of two bodies overrode itself, and where a decorator was one of two classes.
  for (const seed of [...Array.from({ length: 25 }, (_one, at) => at + 1), 338, 1120]) {
    const next = random(seed);
    const pick: Pick = items => items[Math.floor(next() * items.length)] as (typeof items)[number];
    const ids = new Interner<NodeHandle>();
    const resolver = new Resolver({ ids });
    const files = new Map<string, string>();
    const state = new Map<string, FileResolution>();
    for (let step = 0; step < 14; step++) {
      const path = pick(paths);
      const isRemoval = files.has(path) && next() < 0.2;
      if (isRemoval) files.delete(path);
      else files.set(path, write(path, pick));
      const upserts = isRemoval ? [] : [await resolverFile(path, files.get(path) ?? '')];
      const result = await resolver.update({ upserts, removed: isRemoval ? [path] : [] }, testTurn(), neverCancelled);
      if (isRemoval) state.delete(path);
      for (const resolution of [...result.resolutions, ...result.relinked]) state.set(resolution.path, resolution);
      expect(spelled(ids, state.values()), `seed ${seed} step ${step}`).toEqual(await cold(files));
    }
  }
});

test.each([
  ['TypeScript', TS_FILES, typescript],
  ['global names', GLOBAL_FILES, typescriptGlobals],
  ['Python', PY_FILES, python],
] as const)('an edit after a restart gives what it gives without one, and resolves no other files: %s', async (_, paths, write) => {
  for (let seed = 201; seed <= 225; seed++) {
    const next = random(seed);
    const pick: Pick = items => items[Math.floor(next() * items.length)] as (typeof items)[number];
    const ids = new Interner<NodeHandle>();
    const steady = new Resolver({ ids });
    let resolver = new Resolver({ ids });
    const files = new Map(paths.map(path => [path, write(path, pick)]));
    const state = new Map<string, FileResolution>();
    for (let step = 0; step < 10; step++) {
      const path = pick(paths);
      const isRemoval = step > 0 && files.has(path) && next() < 0.2;
      if (isRemoval) files.delete(path);
      else files.set(path, write(path, pick));
      const upserts = step === 0 ? await resolverFiles(files) : isRemoval ? [] : [await resolverFile(path, files.get(path) ?? '')];
      const update = { upserts, removed: isRemoval ? [path] : [] };
      const result = await resolver.update(update, testTurn(), neverCancelled);
      const without = await steady.update(update, testTurn(), neverCancelled);
      expect(spelled(ids, [...result.resolutions, ...result.relinked]), `seed ${seed} step ${step}`).toEqual(
        spelled(ids, [...without.resolutions, ...without.relinked]),
      );
      expect(result.resolved, `seed ${seed} step ${step}`).toBe(without.resolved);
      if (isRemoval) state.delete(path);
      for (const resolution of [...result.resolutions, ...result.relinked]) state.set(resolution.path, resolution);
      expect(spelled(ids, state.values()), `seed ${seed} step ${step}, cold`).toEqual(await cold(files));
      if (next() < 0.5) resolver = await restarted(ids, resolver, files, state);
    }
  }
});

test.each([
  ['TypeScript', TS_FILES, typescript],
  ['global names', GLOBAL_FILES, typescriptGlobals],
  ['Python', PY_FILES, python],
] as const)('the order in which files come does not matter: %s', async (_, paths, write) => {
  for (let seed = 100; seed < 120; seed++) {
    const next = random(seed);
    const pick: Pick = items => items[Math.floor(next() * items.length)] as (typeof items)[number];
    const entries = paths.map(path => [path, write(path, pick)] as const);
    const expected = await cold(new Map(entries));
    const shuffled = [...entries].sort(() => next() - 0.5);
    const ids = new Interner<NodeHandle>();
    for (const [path] of shuffled) ids.intern(`${path}::${pick(NAMES)}`);
    const resolver = new Resolver({ ids });
    const state = new Map<string, FileResolution>();
    for (const [path, text] of shuffled) {
      const result = await resolver.update({ upserts: [await resolverFile(path, text)], removed: [] }, testTurn(), neverCancelled);
      for (const resolution of [...result.resolutions, ...result.relinked]) state.set(resolution.path, resolution);
    }
    expect(spelled(ids, state.values()), `seed ${seed}`).toEqual(expected);
  }
});

test('a change inside a body touches its own file only', async () => {
  const resolver = new Resolver({ ids: new Interner<NodeHandle>() });
  const before = 'export function f(): number { return 1; }\nexport class A { m(): void { f(); } }\n';
  const user = "import { A, f } from './a';\nf(); new A().m();\n";
  await resolver.update({ upserts: [await resolverFile('a.ts', before), await resolverFile('b.ts', user)], removed: [] }, testTurn(), neverCancelled);
  const after = '\n\nexport function f(): number { const x = 2; return x; }\nexport class A { m(): void { f(); f(); } }\n';
  const result = await resolver.update({ upserts: [await resolverFile('a.ts', after)], removed: [] }, testTurn(), neverCancelled);
  expect(result.resolutions.map(resolution => resolution.path)).toEqual(['a.ts']);
  expect(result.resolved).toBe(1);
});

test('a change of a signature touches the files that asked for it only', async () => {
  const resolver = new Resolver({ ids: new Interner<NodeHandle>() });
  const files = {
    'a.ts': 'export class A { m() {} }\nexport class B { m() {} }\nexport function f() { return new A(); }\nexport function g() {}\n',
    'b.ts': "import { f } from './a';\nf().m();\n",
    'c.ts': "import { g } from './a';\ng();\n",
  };
  await resolver.update({ upserts: await resolverFiles(Object.entries(files)), removed: [] }, testTurn(), neverCancelled);
  const changed = await resolverFile('a.ts', files['a.ts'].replace('new A()', 'new B()'));
  const result = await resolver.update({ upserts: [changed], removed: [] }, testTurn(), neverCancelled);
  expect(result.relinked.map(resolution => resolution.path)).toEqual(['b.ts']);
  expect(result.resolved).toBe(2);
});

test('a fixture of conftest.py that begins to be for every test reaches the tests of files that name nothing of it', async () => {
  const ids = new Interner<NodeHandle>();
  const resolver = new Resolver({ ids });
  const plain = 'import pytest\n\n@pytest.fixture()\ndef guard():\n    return 1\n';
  const files = new Map([
    ['tests/conftest.py', plain],
    ['tests/test_a.py', 'def test_a():\n    pass\n'],
  ]);
  const state = new Map<string, FileResolution>();
  for (const conftest of [plain, plain.replace('()', '(autouse=True)'), plain]) {
    const upserts = state.size === 0 ? await resolverFiles(files) : [await resolverFile('tests/conftest.py', conftest)];
    files.set('tests/conftest.py', conftest);
    const result = await resolver.update({ upserts, removed: [] }, testTurn(), neverCancelled);
    for (const resolution of [...result.resolutions, ...result.relinked]) state.set(resolution.path, resolution);
    expect(spelled(ids, state.values())).toEqual(await cold(files));
  }
});

test('a method that comes or goes in an heir reaches the file that looks methods up by the beginning of their name', async () => {
  const ids = new Interner<NodeHandle>();
  const resolver = new Resolver({ ids });
  const heir = (method: string): string => `from visitor import Visitor\n\nclass Printer(Visitor):\n    def ${method}(self, node): pass\n`;
  const files = new Map([
    ['visitor.py', 'class Visitor:\n    def visit(self, node):\n        return getattr(self, f"visit_{node.kind}")(node)\n'],
    ['printer.py', heir('print')],
  ]);
  const state = new Map<string, FileResolution>();
  for (const method of ['print', 'visit_Name', 'visit_List', 'print']) {
    files.set('printer.py', heir(method));
    const upserts = state.size === 0 ? await resolverFiles(files) : [await resolverFile('printer.py', heir(method))];
    const result = await resolver.update({ upserts, removed: [] }, testTurn(), neverCancelled);
    for (const resolution of [...result.resolutions, ...result.relinked]) state.set(resolution.path, resolution);
    const now = spelled(ids, state.values());
    expect(now).toEqual(await cold(files));
    expect(JSON.stringify(now).includes(`Printer::${method}`)).toBe(method.startsWith('visit'));
  }
});

test('a member that a file gives to a class it requires reaches the files that use the class', async () => {
  const ids = new Interner<NodeHandle>();
  const resolver = new Resolver({ ids });
  const gives = (value: string): string => `const Socket = require('./socket');\nfunction open() {}\nfunction shut() {}\n${value}module.exports = Socket;\n`;
  const files = new Map([
    ['socket.js', 'class Socket {}\nmodule.exports = Socket;\n'],
    ['index.js', gives('')],
    ['user.js', "const Socket = require('./socket');\nSocket.start();\n"],
  ]);
  const state = new Map<string, FileResolution>();
  for (const given of ['', 'open', 'shut', '']) {
    files.set('index.js', gives(given === '' ? '' : `Socket.start = ${given};\n`));
    const upserts = state.size === 0 ? await resolverFiles(files) : [await resolverFile('index.js', files.get('index.js') ?? '')];
    const result = await resolver.update({ upserts, removed: [] }, testTurn(), neverCancelled);
    for (const resolution of [...result.resolutions, ...result.relinked]) state.set(resolution.path, resolution);
    expect(spelled(ids, state.values())).toEqual(await cold(files));
    const called = [...state.values()].filter(({ path }) => path === 'user.js').flatMap(one => spelled(ids, [one]));
    for (const name of ['open', 'shut']) expect(JSON.stringify(called).includes(`index.js::${name}`)).toBe(name === given);
  }
});

test('a module that begins to export a value as a whole reaches those who load it, through another one', async () => {
  const ids = new Interner<NodeHandle>();
  const resolver = new Resolver({ ids });
  const before = 'function make() { return { run() {} }; }\nexports.other = 1;\n';
  const after = `module.exports = make;\n${before}`;
  const files = new Map([
    ['a.js', "const make = require('./index');\nmake().run();\n"],
    ['index.js', "module.exports = require('./make');\n"],
    ['make.js', before],
  ]);
  const state = new Map<string, FileResolution>();
  for (const make of [before, after, before]) {
    const upserts = state.size === 0 ? await resolverFiles(files) : [await resolverFile('make.js', make)];
    files.set('make.js', make);
    const result = await resolver.update({ upserts, removed: [] }, testTurn(), neverCancelled);
    for (const resolution of [...result.resolutions, ...result.relinked]) state.set(resolution.path, resolution);
    expect(spelled(ids, state.values())).toEqual(await cold(files));
  }
});

test('a further export of a module touches nobody who did not ask for its name, not even through a barrel', async () => {
  const resolver = new Resolver({ ids: new Interner<NodeHandle>() });
  const files = {
    'a.ts': 'export class A { m() {} }\nexport function f() { return new A(); }\n',
    'index.ts': "export * from './a';\n",
    'b.ts': "import { f } from './index';\nf().m();\n",
    'c.ts': "import * as all from './a';\nall.f();\n",
    'd.ts': "import { missing } from './a';\nmissing();\n",
  };
  await resolver.update({ upserts: await resolverFiles(Object.entries(files)), removed: [] }, testTurn(), neverCancelled);
  const further = await resolverFile('a.ts', `${files['a.ts']}export function further() {}\n`);
  expect((await resolver.update({ upserts: [further], removed: [] }, testTurn(), neverCancelled)).resolved).toBe(1);
  const found = await resolverFile('a.ts', `${files['a.ts']}export function missing() {}\n`);
  const result = await resolver.update({ upserts: [found], removed: [] }, testTurn(), neverCancelled);
  expect(result.relinked.map(resolution => resolution.path)).toEqual(['d.ts']);
});
