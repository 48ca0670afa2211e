import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { NO_TEXT, textOf } from '../../server/src/model/facts';
import type { LanguageId } from '../../server/src/model/languages';
import {
  dumpAssignments,
  dumpBindings,
  dumpExports,
  dumpFacts,
  dumpFunctions,
  dumpHeritage,
  dumpImports,
  dumpReferences,
  dumpSymbols,
} from '../helpers/dumpFacts';
import { FactsReader } from '../helpers/extract';

const fixtures = join(import.meta.dirname, '..', 'fixtures', 'languages', 'typescript');
let reader: FactsReader;

beforeAll(async () => {
  reader = await FactsReader.create();
});

const SECTIONS = {
  symbols: dumpSymbols,
  functions: dumpFunctions,
  bindings: dumpBindings,
  references: dumpReferences,
  assignments: dumpAssignments,
  heritage: dumpHeritage,
  imports: dumpImports,
  exports: dumpExports,
} as const;

async function check(section: keyof typeof SECTIONS, source: string, expected: string[], language: LanguageId = 'typescript'): Promise<void> {
  expect(SECTIONS[section](await reader.facts(language, source))).toEqual(expected);
}

test.each(readdirSync(fixtures).filter(file => !file.endsWith('.txt')))('facts of %s', async file => {
  const facts = await reader.factsOfFile(file, readFileSync(join(fixtures, file), 'utf8'));
  expect(facts.syntax.errorNodes).toBe(0);
  await expect(`${dumpFacts(facts)}\n`).toMatchFileSnapshot(join(fixtures, `${file}.txt`));
});

test.each<[string, string, string[]]>([
  [
    'nested functions',
    'function a() { function b() {} const c = () => () => { function d() {} } }',
    ['function a 0:9', 'function a::b 0:24', 'function a::c 0:37', 'function a::c::d 0:64'],
  ],
  [
    'functions of a literal go below what the literal is bound to',
    'function create() { const o = { onExit() {}, deep: { go: () => 1 } }; }',
    ['function create 0:9', 'variable create::o 0:26', 'method create::o::onExit 0:32', 'property create::o::deep 0:45', 'function create::o::deep::go 0:53'],
  ],
  ['a returned literal adds no segment', 'function create() { return { onExit() {} }; }', ['function create 0:9', 'method create::onExit 0:29']],
  ['neither does an argument', 'walk(tree, { enter(node) {} });', ['method enter 0:13']],
  [
    'a key that is no name leaves its function without one',
    'function f() { return { "A > B:exit"() {}, "a-b": () => 1 } }',
    ['function f 0:9', 'function f::a-b 0:43'],
  ],
  ['an anonymous callback has no symbol', 'function f() { g(() => { function h() {} }); }', ['function f 0:9', 'function f::h 0:34']],
  [
    'blocks of tests are symbols called by their titles, cases among them tests',
    'describe("a shop", () => { function make() {} it.each([1])(`sells  %s`, { retry: 1 }, () => {}); test(title, () => {}); it("a::b"); });',
    ['function a shop 0:9', 'function a shop::make 0:36', 'function a shop::sells %s 0:59 test'],
  ],
  [
    'titles that are put together have their values in them',
    `for (const m of methods) it('should include ' + m.name, () => {}); it('the child\\'s', () => {}); it(a + b, () => {});`,
    ['function should include ${m.name} 0:28 test', "function the child's 0:70 test"],
  ],
  ['a named callback has one', 'f(function g() {});', ['function g 0:11']],
  ['assigned functions', 'let f; f = () => 1; known.deep.g = () => 2;', ['variable f 0:4', 'function known.deep.g 0:31']],
  [
    'overloads are one symbol',
    'class A { m(a: 1): 1; m(a: 2): 2; m(a: any) {} get x() { return 1 } set x(v) {} }',
    ['class A 0:6', 'method A::m 0:34', 'method A::x 0:51 getter,setter,property'],
  ],
  [
    'overloads of functions are one symbol',
    'export function f(a: 1): 1;\nexport function f(a: 2): 2;\nexport function f(a: any) {}',
    ['function f 2:16 exported'],
  ],
  ['overloads without implementation collapse to the first', 'declare function f(a: 1): 1;\ndeclare function f(a: 2): 2;', ['function f 0:17 declared']],
  [
    'merged declarations keep their own symbols',
    'interface A {} namespace A { export function is() {} }',
    ['interface A 0:10', 'namespace A#2 0:25', 'function A#2::is 0:45 exported'],
  ],
  [
    'well-known and computed members',
    'class A { [Symbol.iterator]() {} [key]() {} ["a"]() {} [x.y]() {} }',
    ['class A 0:6', 'method A::iterator 0:10', 'method A::key 0:33', 'method A::a 0:44'],
  ],
  [
    'methods of an object type belong to its property',
    'interface A { p: { on(): void; q: 1 } }',
    ['interface A 0:10', 'property A::p 0:14 type={on: (functionType undefined fn#0), q: number}', 'method A::p::on 0:19'],
  ],
  [
    'parameter properties are fields',
    'class A { constructor(private readonly a: B, c: D) {} }',
    ['class A 0:6', 'constructor A::constructor 0:10', 'field A::a 0:39 readonly,private type=B@2'],
  ],
])('symbols: %s', async (_, source, expected) => {
  await check('symbols', source, expected);
});

test.each<[string, string, string[]]>([
  [
    'module.exports adds no segment',
    'module.exports = { meta: {}, create(context) { return { onExit() {} } } };',
    ['constant meta 0:19 exported', 'method create 0:29 exported', 'method create::onExit 0:56'],
  ],
  [
    'an unnamed default export is called default',
    'module.exports = function (a) { function b() {} };',
    ['function default 0:7 exported', 'function default::b 0:41'],
  ],
  ['a named one keeps its name', 'module.exports = function f() {};', ['function f 0:7 exported']],
  [
    'exports.foo',
    'exports.foo = function () {}; exports.Bar = class { m() {} };',
    ['function foo 0:8 exported', 'class Bar 0:38 exported', 'method Bar::m 0:52'],
  ],
  ['a literal that is exported by its name', 'const api = { go() {} }; module.exports = api;', ['constant api 0:6 exported,readonly', 'method api::go 0:14']],
  [
    'data that is exported',
    "exports.a = 1; exports.b = { c: 2, d: a, e: require('x') }; exports.f = a.b; exports.a = 3; module.exports.g = exports.h = [];",
    ['variable a 0:8 exported', 'constant b 0:23 exported', 'property b::c 0:29', 'constant h 0:119 exported'],
  ],
  [
    'data of literals that are exported by their name',
    "const api = { 'a-b': 1, c: 2, [d]: 3, e: f }; const own = { g: 1 }; module.exports = { api };",
    ['constant api 0:6 exported,readonly', 'property api::c 0:24', 'constant own 0:52 readonly'],
  ],
  ['exports in a function may be those of another module', '(function (exports) { exports.a = 1; module.exports = { b: 2 }; })({});', []],
  ['tables have none', `module.exports = { ${'abcdefghijklmnopqrst'.repeat(11).replace(/./g, (letter, at) => `${letter}${at}: 1, `)} };`, []],
  ['accessors', 'module.exports = { get path() { return 1; } };', ['method path 0:23 exported,getter,property']],
  [
    'a name that is exported where it is not declared',
    'function a() { function b() {} } function b() {} exports.x = a;',
    ['function a 0:9 exported', 'function a::b 0:24', 'function b 0:42'],
  ],
  [
    'prototypes',
    'function A() { this.x = 1; } A.prototype.m = function () {}; A.s = () => 1;',
    ['function A 0:9', 'field A::x 0:20', 'method A::m 0:41', 'function A::s 0:63'],
  ],
  ['required modules are bindings only', "const a = require('a'); const { b } = require('b');", []],
])('symbols of JavaScript: %s', async (_, source, expected) => {
  await check('symbols', source, expected, 'javascript');
});

test.each<[string, string, string[]]>([
  [
    'if',
    'function f(x: any) { if (x instanceof A && typeof y === "string") { g(); } }',
    [
      'block@2 narrowed x type=A@1 value=(valueOfType A@1)',
      'block@3 narrowed y type=string value=(valueOfType string)',
      'block@3 narrowed x type=A@1 value=(valueOfType A@1)',
    ],
  ],
  ['early return', 'function f(x: any) { if (!(x instanceof A)) return; x.m(); }', ['block@2 narrowed x type=A@1 value=(valueOfType A@1)']],
  ['&&', 'function f(x: any) { return x instanceof A && x.m(); }', ['block@2 narrowed x type=A@1 value=(valueOfType A@1)']],
  ['else', 'function f(x: any) { if (!(x instanceof A)) g(); else x.m(); }', ['block@2 narrowed x type=A@1 value=(valueOfType A@1)']],
])('narrowing: %s', async (_, source, expected) => {
  const bindings = dumpBindings(await reader.facts('typescript', source));
  expect(bindings.filter(line => line.includes('narrowed'))).toEqual(expected);
});

test.each<[string, string, string[]]>([
  [
    'ESM',
    "import a, { b as c, type D } from 'm'; import * as n from 'n'; import 's'; import type E from 'e';",
    ["default 'm' default as a", "named 'm' b as c", "named 'm' D as D (type)", "namespace 'n' * as n", "sideEffect 's'", "default 'e' default as E (type)"],
  ],
  ['others', "import r = require('r'); const l = await import('l'); require('q').x();", ["require 'r' r", "dynamic 'l'", "require 'q'"]],
])('imports: %s', async (_, source, expected) => {
  await check('imports', source, expected);
});

test.each<[string, string, string[]]>([
  [
    'declarations',
    'export const a = 1, { b } = a; export class C {} export default function d() {}',
    ['local as=a local=a', 'local as=b local=b', 'local as=C local=C', 'local as=default local=d'],
  ],
  [
    'lists',
    "export { a as b, c as default }; export * from 'x'; export * as n from 'y'; export { d as e } from 'z';",
    ['local as=b local=a', 'local as=default local=c', "star from='x'", "namespace as=n from='y'", "reexport as=e imported=d from='z'"],
  ],
  ['whole', 'export = a;', ['whole value=a@0']],
  ['default expression', 'export default f();', ['value as=default value=(call f@0)']],
])('exports: %s', async (_, source, expected) => {
  await check('exports', source, expected);
});

test.each<[string, LanguageId, string]>([
  [
    'call signatures without semicolons',
    'typescript',
    "interface Get<E> {\n  <K extends keyof E['V']>(key: K): E['V'][K]\n  // any other\n  <K extends string>(\n    key: K\n  ): [K, E]\n  <T>(): T\n}",
  ],
  [
    'call signatures in a type literal of a component',
    'tsx',
    'type Hook = {\n  <T>(initial: T): [T, () => void]\n  <T = undefined>(): T\n}\nconst page = (a: T) => (\n  <ul>\n    <li>(a): {a}</li>\n    <b>(b)</b>\n  </ul>\n)',
  ],
  ['type arguments that go on in the next line', 'typescript', 'interface A {\n  f: Map<\n    <T>(x: T) => T,\n    string\n  >\n  g:\n    | B\n}'],
])('%s are read without errors', async (_, language, source) => {
  const { syntax } = await reader.facts(language, source);
  expect([syntax.errorNodes, syntax.lines]).toEqual([0, source.split('\n').length]);
});

test('a list of types that is passed on whole is no import at run time', async () => {
  const facts = await reader.facts('typescript', "export type * from './a'\nexport type * as b from './b'\nexport * from './c'");
  expect(facts.syntax.errorNodes).toBe(0);
  expect(Array.from({ length: facts.imports.count }, (_, row) => facts.imports.typeOnly[row] !== 0)).toEqual([true, true, false]);
});

test('reads are recorded for names that other code can reach, and for members of all but globals', async () => {
  const references = dumpReferences(
    await reader.facts(
      'typescript',
      "import { i } from 'm'; const M = 1; enum E { A } function g() {} function f(p: any) { const l = p; h(g, i, M, l, p, E.A, l.x, Math.PI, ''.length); }",
    ),
  );
  expect(references.filter(line => line.includes(' read '))).toEqual([
    '0:101 read g@3 in f',
    '0:104 read i@3 in f',
    '0:107 read M@3 in f',
    '0:116 read E@3 in f',
    '0:118 read E@3.A in f',
    '0:123 read l@3.x in f',
  ]);
});

test('a decorator belongs to what it decorates', async () => {
  const references = dumpReferences(await reader.facts('typescript', '@a export class C { @b.c(1) m() {} constructor(@d() x: X) {} }'));
  expect(references.filter(line => line.includes('decorator'))).toEqual([
    '0:1 decorator a@0 in C',
    '0:23 decorator (call b@1.c number) in C::m',
    '0:48 decorator (call d@3) in C::constructor',
  ]);
});

test('documentation, signature, first line, complexity', async () => {
  const facts = await reader.facts(
    'typescript',
    '/**\n * Says hello.\n *\n * @param a who\n */\n@dec\nexport async function hello(\n  a: string,\n): Promise<void> {\n  // nothing\n  if (a && b) return;\n  for (const c of d) e ||= c ? 1 : 2;\n}',
  );
  const { symbols } = facts;
  expect(textOf(facts, symbols.doc[0] ?? NO_TEXT)).toBe('Says hello.\n\n@param a who');
  expect(textOf(facts, symbols.signature[0] ?? NO_TEXT)).toBe('async function hello(a: string): Promise<void>');
  expect(textOf(facts, symbols.firstLine[0] ?? NO_TEXT)).toBe('if (a && b) return;');
  expect(symbols.complexity[0]).toBe(5);
});

test.each([
  ['/**\n * @module\n * Kinds of mail.\n */\n\nexport const a = 1', ''],
  ['/** Kinds of mail. @see b\n * @packageDocumentation\n */\nexport function a() {}', ''],
  ['/** What a @module is. */\nexport const a = 1', 'What a @module is.'],
])('a comment on the file is not that of its first symbol: %#', async (source, doc) => {
  const facts = await reader.facts('typescript', source);
  expect(textOf(facts, facts.symbols.doc[0] ?? NO_TEXT)).toBe(doc);
});

test.each([
  ['class A<\n  // what surrounds it\n  E extends Env = any,\n  I /* in */ = {},\n> {}', 'class A<E extends Env = any, I = {}>'],
  ["function a(url = 'https://x.y/*', // where\n  b = `//`) {}", "function a(url = 'https://x.y/*', b = `//`)"],
])('a signature is without comments: %#', async (source, signature) => {
  const facts = await reader.facts('typescript', source);
  expect(textOf(facts, facts.symbols.signature[0] ?? NO_TEXT)).toBe(signature);
});

test('the hash of a class changes with its members, not with their bodies', async () => {
  const hashOf = async (source: string): Promise<string> => {
    const facts = await reader.facts('typescript', source);
    return textOf(facts, facts.symbols.hash[0] ?? NO_TEXT);
  };
  const before = await hashOf('class A { m() { return 1 } }');
  expect(await hashOf('class A { m() { return 2 } }')).toBe(before);
  expect(await hashOf('class A { m(a) { return 1 } }')).not.toBe(before);
});
