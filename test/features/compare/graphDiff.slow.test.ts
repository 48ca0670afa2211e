import { afterEach, expect, test } from 'vitest';
import { neverCancelled } from '../../../server/src/base/cancellation';
import type { Answer, ParamsOf } from '../../../server/src/features/catalogue/catalogue';
import type { Asking } from '../../engine/checkout';
import { closeAll, repository } from '../../engine/repository';

afterEach(closeAll);

async function diff(asking: Asking, params: ParamsOf<'graphDiff'> = {}): Promise<Answer<'graphDiff'>> {
  const answer = await asking.gateway.query('graphDiff', params, asking.caller(), neverCancelled);
  if (!answer.ok) throw new Error(`${answer.error.code}: ${answer.error.message}`);
  return answer.value as Answer<'graphDiff'>;
}

const TILL = `export class Till {
  total(prices: number[]) {
    return prices.length;
  }
  close() {
    return 'closed';
  }
}
`;
const BEFORE = {
  'package.json': '{"name":"shop"}',
  'src/till.ts': TILL,
  'src/money.ts': `export function add(a: number, b: number) {
  return a + b;
}
export function round(value: number) {
  return Math.round(value * 100) / 100;
}
export function gone() {
  return 'gone';
}
export function wider(a: number) {
  return a;
}
function inner() {
  return 'inner';
}
export const used = () => inner();
`,
  'src/shop.ts': `import { add, gone, wider } from './money';
import { Till } from './till';
export function pay() {
  const till = new Till();
  return till.total([add(1, 2), wider(3)]);
}
export function leave() {
  return gone();
}
`,
  'src/names.ts': `export function first() {
  return ['one', 'two', 'three'].join(' ');
}
export function later() {
  return 1;
}
export function mover(text: string) {
  return text.split(' ').reverse().join(' ');
}
`,
  'src/util/empty.ts': '',
  'test/shop.test.ts': "import { pay } from '../src/shop';\nimport { test } from 'vitest';\ntest('pays', () => {\n  pay();\n});\n",
};

/** Each change once: of a body, a signature, one that takes more, a name, a place, a file's place; what goes, what comes, a circle. */
const AFTER = {
  'src/money.ts': `import { pay } from './shop';
export function add(a: number, b: number, c: number) {
  return a + b + c;
}
export function round(value: number) {
  return Math.round(value * 1000) / 1000;
}
export function wider(a: number, b = 0) {
  return a + b;
}
function inner() {
  return 'inner';
}
export const used = () => inner() + pay();
`,
  'src/names.ts': `export function primary() {
  return ['one', 'two', 'three'].join(' ');
}
export function later() {
  return 1;
}
export function fresh() {
  return later();
}
`,
  'src/util/words.ts': `export function mover(text: string) {
  return text.split(' ').reverse().join(' ');
}
`,
  'lib/till.ts': TILL,
};

test('a comparison names each change by what it is, and what breaks by it', async () => {
  const made = repository();
  const first = made.commit(BEFORE);
  const second = made.commit(AFTER, ['src/till.ts']);
  const asking = await made.checkout.open();
  const answer = await diff(asking, { from: first, to: second });
  const rows = answer.nodes.map(({ change, id, oldId }) => [change, id, ...(oldId === undefined ? [] : [oldId])].join(' '));
  expect(rows).toEqual([
    'moved lib/till.ts src/till.ts',
    'body src/money.ts',
    'signature src/money.ts::add',
    'body src/money.ts::round',
    'removed src/money.ts::gone',
    'signature src/money.ts::wider',
    'body src/money.ts::used',
    'body src/names.ts',
    'renamed src/names.ts::primary src/names.ts::first',
    'added src/names.ts::fresh',
    'added src/util/words.ts',
    'moved src/util/words.ts::mover src/names.ts::mover',
  ]);
  expect(answer.counts).toEqual({ added: 1, removed: 1, moved: 1, renamed: 1, signature: 2, body: 2, files: 4 });
  expect(answer.breaking.map(({ id, reason, uses }) => [id, reason, ...uses.map(use => `${use.path}:${use.line}`)])).toEqual([
    ['src/money.ts::add', 'signature', 'src/shop.ts:5'],
    ['src/money.ts::gone', 'removed', 'src/shop.ts:8'],
    ['src/till.ts', 'moved', 'src/shop.ts:2'],
  ]);
  expect(answer.architecture.added).toMatchObject([{ members: ['src/money.ts', 'src/shop.ts'] }]);
  expect(answer.architecture.resolved).toEqual([]);
  expect(answer.edges.units).toContainEqual({ level: 'file', change: 'added', from: 'src/money.ts', to: 'src/shop.ts' });
  expect(answer.edges.added).toContainEqual({ source: 'src/names.ts::fresh', relation: 'CALLS', target: 'src/names.ts::later', certain: true });
  expect(answer.tests).toMatchObject([{ file: 'test/shop.test.ts' }]);
  expect(answer.untested).toContain('src/names.ts::fresh');
  expect(answer.from).toEqual({ name: first, commit: first.slice(0, 12), at: Date.parse('2026-01-01T12:00:00Z') });

  const back = await diff(asking, { from: second, to: first });
  const swapped: Readonly<Record<string, string>> = { added: 'removed', removed: 'added' };
  const turned = (row: (typeof answer.nodes)[number]): string => `${swapped[row.change] ?? row.change} ${row.oldId ?? row.id}`;
  expect(back.nodes.map(row => `${row.change} ${row.id}`).sort()).toEqual(answer.nodes.map(turned).sort());
  expect(back.edges.added).toEqual(answer.edges.removed);
  expect(back.edges.removed).toEqual(answer.edges.added);
  expect(back.architecture.resolved).toHaveLength(1);

  expect((await diff(asking, { from: second, to: second })).nodes).toEqual([]);
  expect((await diff(asking, { from: `${first}..${second}` })).nodes).toEqual(answer.nodes);
  expect((await diff(asking, { from: first })).nodes).toEqual(answer.nodes);
  const scoped = await diff(asking, { from: first, scope: 'src/util', include: ['nodes'] });
  expect(scoped.nodes.map(row => row.id)).toEqual(['src/util/words.ts', 'src/util/words.ts::mover']);
  expect(scoped).toMatchObject({ breaking: [], tests: [], edges: { added: [], units: [] } });
});

test('the default is what a branch and the working tree add to the main branch', async () => {
  const made = repository();
  made.commit(BEFORE);
  made.git('checkout', '-q', '-b', 'work');
  made.commit({ 'src/util/extra.ts': 'export const extra = 1;\n' });
  made.git('checkout', '-q', 'main');
  made.commit({ 'src/other.ts': 'export const other = 1;\n' });
  made.git('checkout', '-q', 'work');
  made.checkout.write({ 'src/util/unsaved.ts': 'export const unsaved = 1;\n' });
  const asking = await made.checkout.open();
  const ids = (answer: Answer<'graphDiff'>): string[] => answer.nodes.map(row => row.id);
  const branch = ['src/util/extra.ts', 'src/util/extra.ts::extra'];
  expect(ids(await diff(asking))).toEqual([...branch, 'src/util/unsaved.ts', 'src/util/unsaved.ts::unsaved']);
  expect(ids(await diff(asking, { from: 'main...HEAD' }))).toEqual(branch);
  expect(ids(await diff(asking, { from: 'main', to: 'HEAD' }))).toEqual(['src/other.ts', 'src/other.ts::other', ...branch]);
  for (const params of [{ from: 'nowhere' }, { to: 'nowhere' }]) await expect(diff(asking, params)).rejects.toThrow('NOT_FOUND');
  await expect(diff(asking, { from: 'main..HEAD', to: 'HEAD' })).rejects.toThrow('VALIDATION_ERROR');
  const tool = await asking.call('graph_diff', {});
  expect(tool.envelope).toMatchObject({ ok: true, data: { counts: { added: 2, files: 2 } } });
  expect(tool.text).toContain('added src/util/extra.ts::extra');
});

test('of several symbols of one name each is compared with the one that it was', async () => {
  const made = repository();
  const one = (text: string): string => `wrap('${text}', () => {\n  const App = () => '${text}';\n  use(App);\n});\n`;
  const first = made.commit({ 'src/app.ts': one('a') + one('b') + one('c') });
  made.commit({ 'src/app.ts': one('a') + one('new') + one('b') + one('c') });
  const asking = await made.checkout.open();
  const { nodes } = await diff(asking, { from: first, to: 'HEAD' });
  expect(nodes.map(({ change, id }) => `${change} ${id.replace(/#\d+/, '')}`)).toEqual(['body src/app.ts', 'added src/app.ts::App']);
});

test('what code outside cannot name breaks nothing, and a use that may mean one of two copies breaks once', async () => {
  const made = repository();
  const context = (methods: string): string => `export class Context {\n${methods}  text() {\n    return 'text';\n  }\n}\n`;
  const stream = '  stream() {\n    return 1;\n  }\n';
  const first = made.commit({
    'go.mod': 'module shop\n',
    'tree.go':
      'package shop\n\ntype node struct{}\n\nfunc (n *node) Find(path string) string {\n\treturn path\n}\n\ntype Mux struct{}\n\nfunc (m *Mux) Match(path string) string {\n\treturn path\n}\n',
    'tree_test.go': 'package shop\n\nimport "testing"\n\nfunc TestFind(t *testing.T) {\n\tn := &node{}\n\tn.Find("a")\n\tm := &Mux{}\n\tm.Match("a")\n}\n',
    'copy/context.ts': context(stream),
    'src/context.ts': context(stream),
    'src/app.ts': "import { Context } from './context';\nexport const start = (handler: any) => handler(new Context());\n",
    'test/app.ts': "import { start } from '../src/app';\nstart((c: any) => c.stream());\n",
  });
  const tree =
    'package shop\n\ntype node struct{}\n\nfunc (n *node) Find(path string) (*node, string) {\n\treturn n, path\n}\n\ntype Mux struct{}\n\nfunc (m *Mux) Match(path string) (*Mux, string) {\n\treturn m, path\n}\n';
  made.commit({ 'tree.go': tree, 'copy/context.ts': context(''), 'src/context.ts': context('') });
  const asking = await made.checkout.open();
  const { breaking } = await diff(asking, { from: first, to: 'HEAD' });
  expect(breaking.map(({ id, reason, uses }) => [id, reason, ...new Set(uses.map(use => `${use.path}:${use.line} ${use.possible ?? false}`))])).toEqual([
    ['src/context.ts::Context::stream', 'removed', 'test/app.ts:2 true'],
    ['tree.go::Mux::Match', 'signature', 'tree_test.go:9 false'],
  ]);
});

test('what unchanged code of the same file still uses breaks, too', async () => {
  const made = repository();
  const money = (parameters: string, sum: string): string =>
    `export function add(${parameters}) {\n  return ${sum};\n}\n\nexport function double(a: number) {\n  return add(a, a);\n}\n\nexport const four = double(2);\n`;
  const first = made.commit({ 'src/money.ts': money('a: number, b: number', 'a + b') });
  made.commit({ 'src/money.ts': money('a: number, b: number, c: number', 'a + b + c') });
  const asking = await made.checkout.open();
  const { breaking } = await diff(asking, { from: first, to: 'HEAD' });
  expect(breaking).toMatchObject([{ id: 'src/money.ts::add', reason: 'signature', uses: [{ id: 'src/money.ts::double', line: 6 }] }]);
  made.commit({ 'src/money.ts': money('a: number, b: number', 'a + b').replace('return add(a, a)', 'return a + a') });
  expect((await diff(asking, { from: first, to: 'HEAD' })).breaking).toEqual([]);
});

test('what breaks is in every answer, with the first uses of each change and the number of all', async () => {
  const made = repository();
  const names = Array.from({ length: 40 }, (_, at) => `step${at}`);
  const steps = (parameters: string): string => names.map(name => `export function ${name}(${parameters}) {\n  return a;\n}\n`).join('');
  const users = (at: number): string =>
    `import { ${names.join(', ')} } from './steps';\nexport const use${at} = () => [${names.map(name => `${name}(1)`).join(', ')}];\n`;
  const first = made.commit({ 'src/steps.ts': steps('a: number'), ...Object.fromEntries(names.slice(0, 8).map((_, at) => [`src/use${at}.ts`, users(at)])) });
  made.commit({ 'src/steps.ts': steps('a: number, b: number') });
  const asking = await made.checkout.open();
  const { envelope, text } = await asking.call('graph_diff', { from: first, to: 'HEAD', profile: 'balanced' });
  const breaking = envelope.data?.['breaking'] as readonly { readonly total: number; readonly uses: readonly unknown[] }[];
  expect(breaking.length).toBeGreaterThan(1);
  for (const { total, uses } of breaking) expect([uses.length, total > uses.length]).toEqual([5, true]);
  expect(text).toContain('signature src/steps.ts::step0, still used by');
  expect(text).toMatch(/and \d+ more/);
  const debug = (await asking.call('graph_diff', { from: first, to: 'HEAD', scope: 'src/steps.ts', include: ['api'], profile: 'debug' })).envelope.data;
  const [whole] = (debug?.['breaking'] ?? []) as typeof breaking;
  expect(whole?.uses.length).toBe(whole?.total);
});

test('a parameter with another name breaks who gives it by its name', async () => {
  const made = repository();
  const users =
    "from conn import connect\n\n\ndef one():\n    connect('a', 1)\n\n\ndef two():\n    connect(server='a')\n\n\ndef three(options):\n    connect(**options)\n";
  const first = made.commit({ 'conn.py': 'def connect(server, port=1):\n    return (server, port)\n', 'users.py': users });
  made.commit({ 'conn.py': 'def connect(host, port=1):\n    return (host, port)\n' });
  const asking = await made.checkout.open();
  const { breaking } = await diff(asking, { from: first, to: 'HEAD' });
  expect(breaking.map(({ id, reason, uses }) => [id, reason, uses.map(use => use.id)])).toEqual([
    ['conn.py::connect', 'signature', ['users.py::two', 'users.py::three']],
  ]);
});

test('an answer too short for all changes has the first, code before tests, and the rest by its cursor', async () => {
  const made = repository();
  const functions = (count: number, body: number): string =>
    Array.from({ length: count }, (_, at) => `export function step${at}() {\n  return ${body};\n}\n`).join('');
  const files = (body: number): Record<string, string> => ({
    'src/steps.ts': functions(30, body),
    'a.test.ts': Array.from({ length: 120 }, (_, at) => `test('case ${at}', () => {\n  expect(${body}).toBe(1);\n});\n`).join(''),
  });
  const first = made.commit(files(1));
  made.commit(files(2));
  const asking = await made.checkout.open();
  const input = { from: first, to: 'HEAD', profile: 'balanced' };
  const { envelope, text } = await asking.call('graph_diff', input);
  const rowsOf = (data: typeof envelope.data): readonly string[] => ((data?.['nodes'] ?? []) as readonly { readonly id: string }[]).map(({ id }) => id);
  const shown = rowsOf(envelope.data);
  expect(shown.length).toBeGreaterThanOrEqual(10);
  expect(shown.slice(0, 10).every(id => id.startsWith('src/steps.ts::step'))).toBe(true);
  expect(text).toContain('changed src/steps.ts::step0');
  const seen = [...shown];
  for (let cursor = envelope.data?.['nextCursor']; cursor !== undefined; ) {
    const { data } = (await asking.call('graph_diff', { ...input, cursor })).envelope;
    seen.push(...rowsOf(data));
    cursor = data?.['nextCursor'];
  }
  expect(seen.length).toBe(new Set(seen).size);
  expect(seen.length).toBe(30 + 120 + 2);
});

test('each line that breaks is listed once, where it is in the code that uses it', async () => {
  const made = repository();
  const test = (name: string, lines: readonly string[]): string =>
    `func ${name}(t *testing.T) {\n\tc := &Context{}\n${lines.map(line => `\t${line}\n`).join('')}}\n`;
  const form = 'println(c.Form("a"))';
  const tests = (...more: readonly string[]): string =>
    `package shop\n\nimport "testing"\n\n${test('TestFirst', [form, 'println(c.Form("b"))'])}\n${test('TestSecond', [...more, form, form])}`;
  const context = (name: string): string => `package shop\n\ntype Context struct{}\n\nfunc (c *Context) ${name}(key string) string {\n\treturn key\n}\n`;
  const first = made.commit({ 'go.mod': 'module shop\n', 'context.go': context('Form'), 'context_test.go': tests() });
  made.commit({ 'context.go': context('Posted').replace('return key', 'return key + key'), 'context_test.go': tests('println("more")') });
  const asking = await made.checkout.open();
  const { breaking } = await diff(asking, { from: first, to: 'HEAD' });
  expect(breaking).toMatchObject([{ id: 'context.go::Context::Form', reason: 'removed', total: 4 }]);
  expect(breaking[0]?.uses.map(({ id, line, relation }) => `${id.slice(id.lastIndexOf(':') + 1)} ${relation} ${line}`)).toEqual([
    'TestFirst CALLS 7',
    'TestFirst CALLS 8',
    'TestSecond CALLS 14',
    'TestSecond CALLS 15',
  ]);
});

test('a decorator with arguments that was adapted is no use of what it was, whatever class the method is in', async () => {
  const made = repository();
  const older = 'def validator(raw=False):\n    return tag(raw)\n';
  const newer = 'def validates(raw=False):\n    def mark(f):\n        print(raw)\n        return f\n    return mark\n';
  const rest = '\ndef tag(raw):\n    return raw\n';
  const users = (first: string, second: string): string =>
    `from hooks import *\n\ndef make():\n    class Schema:\n        @${first}(raw=True)\n        def one(self):\n            return 1\n\n        @${second}(raw=True)\n        def two(self):\n            return 2\n`;
  const first = made.commit({ 'hooks.py': `${older}${rest}`, 'users.py': users('validator', 'validator') });
  const second = made.commit({ 'hooks.py': `${newer}${rest}`, 'users.py': users('validates', 'validates') });
  made.commit({ 'users.py': users('validates', 'validator') });
  const asking = await made.checkout.open();
  expect((await diff(asking, { from: first, to: second })).breaking).toEqual([]);
  const { breaking } = await diff(asking, { from: first, to: 'HEAD' });
  expect(breaking.map(({ id, reason, uses }) => [id, reason, ...new Set(uses.map(({ line }) => line))])).toEqual([['hooks.py::validator', 'removed', 9]]);
});

test('a constructor that takes less breaks whoever makes an instance; one of a class that is not for others breaks nobody', async () => {
  const made = repository();
  const types = (parameters: string): string =>
    ['Headers', '_Hidden']
      .map(name => `class ${name}:\n    def __init__(self, ${parameters}):\n        self.a = a\n    def _own(self, ${parameters}):\n        return a\n`)
      .join('\n');
  const php = (parameters: string): string => `<?php\nclass Box {\n    public function __construct(${parameters}) {\n    }\n}\n`;
  const first = made.commit({
    'types.py': types('a=None, b=None'),
    'use.py': 'from types import Headers, _Hidden\n\ndef use():\n    h = Headers(1)\n    h._own(1)\n    return h, _Hidden(1)\n',
    'Box.php': php('$a, $b = 1'),
    'use.php': "<?php\nrequire 'Box.php';\nfunction useBox() {\n    return new Box(1);\n}\n",
  });
  made.commit({ 'types.py': types('a=None'), 'Box.php': php('$a') });
  const asking = await made.checkout.open();
  const { breaking } = await diff(asking, { from: first, to: 'HEAD' });
  expect(breaking.map(({ id, uses }) => [id, ...uses.map(({ line }) => line)])).toEqual([
    ['Box.php::Box::__construct', 4],
    ['types.py::Headers::__init__', 4],
  ]);
});

test('a member of an object literal breaks the other files that use it, whether or not the literal has a name', async () => {
  const made = repository();
  const named = 'const api = { get(url) { return url; }, nested: { deep(a) { return a; } }, own(a) { return a; } };\napi.own(1);\nmodule.exports = api;\n';
  const nameless = 'module.exports = { accepts(...args) { return args; } };\n';
  const typed = 'export const client = { fetch(url: string) { return url; } };\n';
  const first = made.commit({
    'named.js': named,
    'nameless.js': nameless,
    'typed.ts': typed,
    'use.js': "const api = require('./named');\nconst nameless = require('./nameless');\napi.get('x');\nnameless.accepts(1);\napi.nested.deep(1);\n",
    'use.ts': "import { client } from './typed';\nclient.fetch('x');\n",
  });
  made.commit({
    'named.js': named.replace('get(url)', 'load(url)').replace('deep(a)', 'deep(a, b)').replace('own(a)', 'own(a, b)'),
    'nameless.js': nameless.replace('accepts', 'takes'),
    'typed.ts': typed.replace('url: string', 'url: string, options: object'),
  });
  const asking = await made.checkout.open();
  const { breaking } = await diff(asking, { from: first, to: 'HEAD' });
  expect(breaking.map(({ id, reason, uses }) => [id, reason, ...uses.map(use => `${use.path}:${use.line}`)])).toEqual([
    ['named.js::api::get', 'removed', 'use.js:3'],
    ['named.js::api::nested::deep', 'signature', 'use.js:5'],
    ['named.js::api::own', 'signature', 'named.js:2'],
    ['nameless.js::accepts', 'renamed', 'use.js:4'],
    ['typed.ts::client::fetch', 'signature', 'use.ts:2'],
  ]);
});

test('the export of a function is no use that another signature breaks, but one that its removal does', async () => {
  const made = repository();
  const run = "'use strict';\nmodule.exports = run;\nfunction run(a, b) { return a + b; }\n";
  const first = made.commit({ 'run.js': run });
  const second = made.commit({ 'run.js': run.replace('(a, b)', '(options)') });
  made.commit({ 'run.js': run.replace('function run(a, b)', 'function walk(a, b)') });
  const asking = await made.checkout.open();
  expect((await diff(asking, { from: first, to: second })).breaking).toEqual([]);
  const { breaking } = await diff(asking, { from: first, to: 'HEAD' });
  expect(breaking.map(({ id, uses }) => [id, ...uses.map(({ line }) => line)])).toEqual([['run.js::run', 2]]);
});

test('what may use one of several members of a name on an unknown object is no use that breaks', async () => {
  const made = repository();
  const one = 'export class One { get headers() { return 1; } get other() { return 1; } }\n';
  const first = made.commit({
    'one.ts': one,
    'two.ts': 'export class Two { get headers() { return 2; } }\n',
    'use.ts': 'export function use(given: any) { return given.get("metrics").headers; }\n',
  });
  made.commit({ 'one.ts': one.replace('get headers() { return 1; } ', '') });
  const asking = await made.checkout.open();
  const { edges } = await diff(asking, { from: first, to: 'HEAD' });
  expect(edges.removed).toContainEqual(expect.objectContaining({ source: 'use.ts::use', target: 'one.ts::One::headers', certain: false }));
  expect((await diff(asking, { from: first, to: 'HEAD' })).breaking).toEqual([]);
});

test('decorated code breaks by its decorator, and not the other way round', async () => {
  const made = repository();
  const setup = 'def setup(f):\n    return f\n';
  const marked = 'from setup import setup\n\n@setup\ndef marked():\n    return 1\n';
  const first = made.commit({ 'setup.py': setup, 'marked.py': `${marked}\n@setup\ndef other():\n    return 2\n` });
  const second = made.commit({ 'marked.py': marked });
  made.commit({ 'setup.py': setup.replace('(f)', '(f, g)').replace('return f', 'return g') });
  const asking = await made.checkout.open();
  expect((await diff(asking, { from: first, to: second })).breaking).toEqual([]);
  const { breaking } = await diff(asking, { from: second, to: 'HEAD' });
  expect(breaking.map(({ id, uses }) => [id, ...uses.map(use => `${use.relation} ${use.id}:${use.line}`)])).toEqual([
    ['setup.py::setup', expect.stringMatching(/^DECORATES marked\.py::marked:3$/)],
  ]);
});

test('another name of the same type breaks nobody, in parameters, results and fields; another type does', async () => {
  const made = repository();
  const code = (types: string, parameter: string, result: string, handler: string, field: string, several: string): Record<string, string> => ({
    'go.mod': 'module a\n\ngo 1.22\n',
    'lib/lib.go': `package lib\n\n${types}\n\ntype Options struct {\n\tValues ${field}\n}\n\nfunc Take(value ${parameter}) ${result} { return nil }\n\nfunc On(name string, run ${handler}) {}\n\nfunc Each(all ${several}) {}\n`,
    'main.go':
      'package main\n\nimport "a/lib"\n\nfunc main() {\n\to := lib.Options{Values: []string{}}\n\tlib.Take("a")\n\tlib.On("a", nil)\n\tlib.Each(nil)\n\t_ = o.Values\n}\n',
  });
  const older = made.commit(code('', 'string', '[]string', 'func(key string, values []string) error', '[]string', 'func(func(int))'));
  const types = 'type Value = string\n\ntype Handler func(string, []Value) error\n\ntype Step func(int)\n\ntype Id string';
  const newer = made.commit(code(types, 'Value', '[]Value', 'Handler', '[]Value', 'func(func(int))'));
  const others = made.commit(code(types, 'Id', '[]Value', 'Handler', '[]Id', 'func(Step)'));
  const asking = await made.checkout.open();
  for (const [from, to] of [
    [older, newer],
    [newer, older],
  ] as const)
    expect((await diff(asking, { from, to, include: ['api'] })).breaking).toEqual([]);
  const { breaking } = await diff(asking, { from: newer, to: others, include: ['api'] });
  expect(breaking.map(({ id, reason }) => [id, reason])).toEqual([
    ['lib/lib.go::Each', 'signature'],
    ['lib/lib.go::Options::Values', 'signature'],
    ['lib/lib.go::Take', 'signature'],
  ]);
});

test('what a type alias stands for is compared, alone and as a part of another type', async () => {
  const made = repository();
  const code = (types: string, one: string, many: string): Record<string, string> => ({
    'lib.ts': `${types}export function one(id: ${one}): void {}\nexport function many(ids: ${many}): void {}\n`,
    'use.ts': "import { many, one } from './lib';\nexport function use(): void {\n  one('a');\n  many([]);\n}\n",
  });
  const older = made.commit(code('', 'string | number', '(string | number)[]'));
  const newer = made.commit(code('export type Id = string | number;\n', 'Id', 'Id[]'));
  const narrower = made.commit(code('export type Id = string;\n', 'Id', 'string[]'));
  const asking = await made.checkout.open();
  expect((await diff(asking, { from: older, to: newer, include: ['api'] })).breaking).toEqual([]);
  const { breaking } = await diff(asking, { from: older, to: narrower, include: ['api'] });
  expect(breaking.map(({ id }) => id)).toEqual(['lib.ts::many', 'lib.ts::one']);
});

test('routes of the only service of a repository that came or went are told, in the tool and for the changed code', async () => {
  const made = repository();
  const app = (path: string): string => `from flask import Flask\n\napp = Flask(__name__)\n\n\n@app.get('${path}')\ndef show():\n    return ''\n`;
  const first = made.commit({ 'pyproject.toml': '[project]\nname = "shop"\n', 'shop/app.py': app('/orders') });
  made.commit({ 'shop/app.py': app('/bills') });
  const asking = await made.checkout.open();
  const rows = [
    { change: 'added', kind: 'endpoint', name: 'GET /bills', service: 'shop', path: 'shop/app.py', line: 7 },
    { change: 'removed', kind: 'endpoint', name: 'GET /orders', service: 'shop', path: 'shop/app.py', line: 7 },
  ];
  expect((await diff(asking, { from: first, to: 'HEAD' })).interfaces).toMatchObject(rows);
  expect((await diff(asking, { from: first, to: 'HEAD', include: ['nodes'] })).interfaces).toEqual([]);
  expect((await diff(asking, { from: first, to: 'HEAD', scope: 'other' })).interfaces).toEqual([]);
  const { envelope, text } = await asking.call('graph_diff', { from: first });
  expect(envelope).toMatchObject({ data: { interfaces: rows } });
  expect(envelope.summary).toContain('1 endpoint added, 1 endpoint removed');
  expect(text).toContain('removed endpoint GET /orders of shop, shop/app.py:7');
  // The graph of the comparison lists them too, but not where only what breaks is asked for.
  const drawn = async (more: Partial<ParamsOf<'graphScene'>>): Promise<Answer<'graphScene'>['interfaces']> => {
    const scene = await asking.gateway.query('graphScene', { start: 'compare', target: first, ...more }, asking.caller(), neverCancelled);
    return scene.ok ? (scene.value as Answer<'graphScene'>).interfaces : [];
  };
  expect(await drawn({})).toMatchObject(rows);
  expect(await drawn({ breaking: true })).toBeUndefined();
});

test('the last route of a repository is told when it goes, though nothing is served any more', async () => {
  const made = repository();
  const served = "from flask import Flask\n\napp = Flask(__name__)\n\n\n@app.get('/orders')\ndef show():\n    return ''\n";
  const first = made.commit({ 'pyproject.toml': '[project]\nname = "shop"\n', 'shop/app.py': served });
  made.commit({ 'shop/app.py': "def show():\n    return ''\n" });
  const asking = await made.checkout.open();
  const { interfaces } = await diff(asking, { from: first, to: 'HEAD' });
  expect(interfaces).toMatchObject([{ change: 'removed', kind: 'endpoint', name: 'GET /orders', service: 'shop', path: 'shop/app.py', line: 7 }]);
});
