/** A receiver of unknown type is of the one type that has all members which the file takes from things called like it. */
import { expect, test } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import { Interner } from '../../server/src/base/interner';
import { Resolver } from '../../server/src/code/resolve/resolver';
import type { NodeHandle } from '../../server/src/model/ids';
import type { FileResolution } from '../../server/src/model/resolution';
import { linksOf, resolveFiles, resolverFile, testTurn } from '../helpers/resolveFixture';
import { cold, random, spelled } from '../helpers/resolveRuns';

/** Targets of the calls in a file, with their confidence, sorted. */
async function calls(files: Readonly<Record<string, string>>, path: string): Promise<string[]> {
  const { ids, resolutions } = await resolveFiles(new Map(Object.entries(files)));
  return linksOf(ids, resolutions)
    .filter(link => link.relation === 'CALLS' && link.path === path)
    .map(link => `${link.target} ${link.confidence}`)
    .sort();
}

const APP = 'class App:\n  def connection(self): pass\n  def finalize(self): pass\n';

test('an attribute that is only known to be empty', async () => {
  const worker = [
    'class Worker:',
    '  app = None',
    '  def __init__(self, app=None): self.app = app or self.app',
    '  def run(self):',
    '    self.app.connection()',
    '    self.app.finalize()',
  ].join('\n');
  const files = { 'app.py': `${APP}class Pool:\n  def connection(self): pass\n`, 'worker.py': worker };
  expect(await calls(files, 'worker.py')).toEqual(['app.py::App::connection 0.55', 'app.py::App::finalize 0.55']);
});

test('two types that have all members leave it open', async () => {
  const files = { 'a.py': APP, 'b.py': APP, 'run.py': 'def run(thing):\n  thing.connection()\n  thing.finalize()\n' };
  expect((await calls(files, 'run.py')).filter(line => line.endsWith('0.55'))).toEqual([]);
});

test('of types that derive from each other the first is meant', async () => {
  const files = {
    'app.py': `${APP}class Special(App):\n  def finalize(self): pass\n`,
    'run.py': 'def run(thing):\n  thing.connection()\n  thing.finalize()\n',
  };
  expect(await calls(files, 'run.py')).toEqual(['app.py::App::connection 0.55', 'app.py::App::finalize 0.55']);
});

test('a member that the type does not have speaks against it', async () => {
  const files = { 'app.py': APP, 'run.py': 'def run(thing):\n  thing.connection()\n  thing.finalize()\n  thing.elsewhere()\n' };
  expect((await calls(files, 'run.py')).filter(line => line.endsWith('0.55'))).toEqual([]);
});

test('types of tests are not what other code uses', async () => {
  const files = { 'tests/test_app.py': APP, 'run.py': 'def run(thing):\n  thing.connection()\n  thing.finalize()\n' };
  expect((await calls(files, 'run.py')).filter(line => line.endsWith('0.55'))).toEqual([]);
});

test('what a mixin takes from itself is its host’s', async () => {
  const files = { 'a.py': 'class Mixed:\n  def go(self): self.ensure_open()\nclass Host:\n  def ensure_open(self): pass\nclass Full(Mixed, Host): pass\n' };
  expect(await calls(files, 'a.py')).toEqual(['a.py::Host::ensure_open 0.55']);
});

test('in Ruby too', async () => {
  const ruby = {
    'context.rb': 'class Context\n  def evaluate(x); end\n  def interrupt?; end\nend\n',
    'tag.rb': 'class Tag\n  def render(context)\n    context.evaluate(1)\n    context.interrupt?\n  end\nend\n',
  };
  expect(await calls(ruby, 'tag.rb')).toEqual(['context.rb::Context::evaluate 0.55', 'context.rb::Context::interrupt? 0.55']);
});

test('in JavaScript below the cut where declared types may say otherwise', async () => {
  const context = 'class Context { attachment(name) {} goElsewhere(to) {} }';
  const app = "ctx.attachment('a'); ctx.goElsewhere('/'); }";
  const targets = (path: string, confidence: number): string[] => ['attachment', 'goElsewhere'].map(name => `${path}::Context::${name} ${confidence}`);
  const handle = `export function handle(ctx) { ${app}`;
  expect(await calls({ 'context.js': `export ${context}`, 'app.js': handle }, 'app.js')).toEqual(targets('context.js', 0.55));
  expect(await calls({ 'context.ts': `export ${context}`, 'app.js': handle }, 'app.js')).toEqual(targets('context.ts', 0.45));
  const typed = `/** @type {import('./types').Handler} */\nmodule.exports = function handle(ctx) { ${app}`;
  expect(await calls({ 'context.js': `export ${context}`, 'app.js': typed }, 'app.js')).toEqual(targets('context.js', 0.45));
});

test('what is given to a constructor is known from however many calls, and a call on it may run the method of each type that is given', async () => {
  const parts = ['One', 'Two', 'Three'].map(name => `class ${name}\n  def call(env); end\nend\n`).join('');
  const given = ['One', 'Two', 'Three'].map(name => `Outer.new(${name}.new)\n`).join('');
  const ruby = {
    'outer.rb': 'class Outer\n  def initialize(app)\n    @app = app\n  end\n  def run(env)\n    @app.call(env)\n  end\nend\n',
    'parts.rb': parts,
    'test/outer_test.rb': given.repeat(20),
  };
  expect(await calls(ruby, 'outer.rb')).toEqual(['parts.rb::One::call 0.6', 'parts.rb::Three::call 0.6', 'parts.rb::Two::call 0.6']);
});

test('what a wrapper gets in the project’s own calls leaves it open what others have it wrap', async () => {
  const ruby = {
    'a.rb': [
      'class Outer\n  def initialize(app)\n    @app = app\n  end\n  def call(env)\n    @app.call(env)\n  end\nend',
      'class Inner\n  def call(env); end\nend',
      'class Other\n  def call(env); end\nend',
      'Outer.new(Inner.new)',
    ].join('\n'),
  };
  expect((await calls(ruby, 'a.rb')).filter(line => line.includes('::call '))).toEqual([
    'a.rb::Inner::call 0.6',
    'a.rb::Other::call 0.25',
    'a.rb::Outer::call 0.25',
  ]);
});

test('the types that have all members which are taken from a variable are possible, few members of common names suffice', async () => {
  const files = {
    'streams.py': 'class File:\n  def write(self, x): pass\n  def flush(self): pass\nclass Sink:\n  def write(self, x): pass\n',
    'echo.py': 'def echo(out):\n  out.write(1)\n  out.flush()\ndef once(out):\n  out.write(1)\n',
  };
  expect(await calls(files, 'echo.py')).toEqual(['streams.py::File::flush 0.25', 'streams.py::File::write 0.25']);
});

test('edits give what a first index gives', async () => {
  for (let seed = 1; seed <= 20; seed++) {
    const next = random(seed);
    const pick = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T;
    const method = (): string => pick(['alpha', 'beta', 'gamma', 'delta']);
    const write = (): string =>
      [
        `from ${pick(['a', 'b', 'c'])} import ${pick(['One', 'Two'])}`,
        `class ${pick(['One', 'Two', 'Three'])}(${pick(['One', 'Two', 'Outside'])}):\n    def ${method()}(self): self.${method()}()\n    def ${method()}(self): pass`,
        `def taken(x):\n    x.${method()}()\n    x.${method()}()`,
      ].join('\n');
    const ids = new Interner<NodeHandle>();
    const resolver = new Resolver({ ids });
    const files = new Map<string, string>();
    const state = new Map<string, FileResolution>();
    for (let step = 0; step < 8; step++) {
      const path = pick(['a.py', 'b.py', 'c.py']);
      files.set(path, write());
      const upserts = [await resolverFile(path, files.get(path) ?? '')];
      const result = await resolver.update({ upserts, removed: [] }, testTurn(), neverCancelled);
      for (const resolution of [...result.resolutions, ...result.relinked]) state.set(resolution.path, resolution);
      expect(spelled(ids, state.values()), `seed ${seed} step ${step}`).toEqual(await cold(files));
    }
  }
});
