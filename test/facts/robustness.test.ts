import { beforeAll, expect, test } from 'vitest';
import { decodeFacts, encodeFacts } from '../../server/src/engine/parse/factsCodec';
import type { FileFacts } from '../../server/src/model/facts';
import { LANGUAGES } from '../../server/src/model/languages';
import { FactsReader } from '../helpers/extract';

const isSoak = process.env['LATTICE_SOAK'] === '1';

/** Repetitions of each piece; nesting beyond 1,200 levels is left out of the facts. */
const TIMES = isSoak ? 50_000 : 3000;

const NESTED = [
  '(',
  '[',
  '{',
  'a(',
  '!',
  'x=',
  'if(a){',
  'f(function(){',
  'class A{m(){',
  '`${',
  '(a=>',
  'a?b:',
  '<a>',
  'var {',
  'var [',
  'namespace A{',
  'type A=B<',
  'def f():\n ',
  'lambda:',
  'a if b else ',
].map(part => [part, part.repeat(TIMES)] as const);
const CHAINED = [
  'a.b().',
  'a+',
  'a&&',
  "typeof a==='string'&&",
  'a|',
  'a,',
  'else if(a){}',
  'function f();',
  'def f(): pass\n',
  '/*',
  "'",
  '@',
  'export ',
  '\u{1F600}',
  '\0',
  '\r',
].map(part => [part, `type A = ${part.repeat(TIMES)}b`] as const);

let reader: FactsReader;

beforeAll(async () => {
  reader = await FactsReader.create();
});

test.each([...NESTED, ...CHAINED])('%j many thousand times', { timeout: 120_000 }, async (_, text) => {
  for (const { id } of LANGUAGES) expectSound(await reader.facts(id, text));
});

test('empty files and very long lines', { timeout: 120_000 }, async () => {
  for (const { id } of LANGUAGES) {
    const empty = await reader.facts(id, '');
    expect([empty.symbols.count, empty.references.count, empty.syntax.lines]).toEqual([0, 0, 1]);
    expectSound(await reader.facts(id, `x = "${'y'.repeat(10_000_000)}"`));
  }
});

const SEEDS: readonly string[] = [
  'export class A<T> extends B implements C { static #x?: number = 1; constructor(private y: D) { super(); this.z = y; } @d async *m({ a, b: [c] }: E, ...r) { for (const e of r) await e?.f(`x${a}`); } }',
  "import a, { b as c } from 'd'; module.exports = { f() {}, g: () => c }; A.prototype.m = function () {}; if (!(x instanceof A)) return; try { throw new E() } catch (e) {}",
  'class A(B, metaclass=C):\n    x: int = 1\n    @p\n    def f(self, a: "T", *b, **c) -> D[E]:\n        with open(a) as g, h:\n            return [i for i in self.x if isinstance(i, F)]\n',
  '/** @param {Array<{a: B}>} x @returns {import("c").D} */ function f(x) { return <E a={x}>{y}</E> } declare module "m" { export = f } type G = { [K in keyof H]: H[K] } | (() => void);',
];
const PIECES = [
  '(',
  ')',
  '{',
  '}',
  '[',
  ']',
  '=>',
  ' = ',
  ';',
  ',',
  '.',
  '?',
  ':',
  '\n',
  '  ',
  '"',
  "'",
  '`',
  '${',
  '/*',
  '*/',
  '//',
  '@',
  '#',
  '<',
  '>',
  'function ',
  'class ',
  'def ',
  'import ',
  'export ',
  'default ',
  'async ',
  'return ',
  'this',
  'x',
  '0',
  'é',
  '\u{1F600}',
  '\0',
];

/** mulberry32: small, fixed, good enough to shuffle with. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function mutated(source: string, next: () => number): string {
  let text = source;
  for (let edits = 1 + Math.floor(next() * 8); edits > 0; edits--) {
    const at = Math.floor(next() * text.length);
    const length = Math.floor(next() * 12);
    const piece = PIECES[Math.floor(next() * PIECES.length)] ?? '';
    text = next() < 0.4 ? text.slice(0, at) + text.slice(at + length) : text.slice(0, at) + piece + text.slice(at + Math.floor(next() * 2));
  }
  return text;
}

test('mutated sources give sound facts, the same every time', { timeout: isSoak ? 1_800_000 : 60_000 }, async () => {
  const rounds = isSoak ? 50_000 : 400;
  for (let seed = 1; seed <= rounds; seed++) {
    const next = random(seed);
    const text = mutated(SEEDS[seed % SEEDS.length] ?? '', next);
    const { id } = LANGUAGES[Math.floor(next() * LANGUAGES.length)] ?? LANGUAGES[0];
    const facts = await reader.facts(id, text);
    expectSound(facts);
    const packed = encodeFacts(facts);
    expect(decodeFacts(packed)).toEqual(facts);
    if (seed % 10 === 0) expect(Buffer.compare(encodeFacts(await reader.facts(id, text)), packed)).toBe(0);
  }
});

/** Every index points into its table, containers come first, positions are ordered. */
function expectSound(facts: FileFacts): void {
  const { symbols, functions, scopes, bindings, expressions, references, imports, assignments, lists } = facts;
  const within = (column: ArrayLike<number>, limit: number, least = -1): boolean => {
    for (let i = 0; i < column.length; i++) if ((column[i] as number) < least || (column[i] as number) >= limit) return false;
    return true;
  };
  const strings = facts.strings.length;
  const checks = {
    names: within(symbols.name, strings, 0) && within(bindings.name, strings, 0) && within(references.name, strings, 0) && within(expressions.text, strings, 0),
    symbols:
      within(symbols.parent, symbols.count) &&
      within(functions.symbol, symbols.count) &&
      within(references.owner, symbols.count) &&
      within(scopes.symbol, symbols.count),
    parentsFirst: symbols.parent.every((parent, row) => parent < row),
    scopes:
      within(symbols.scope, scopes.count) &&
      within(bindings.scope, scopes.count, 0) &&
      within(functions.scope, scopes.count, 0) &&
      scopes.parent.every((parent, row) => parent < row),
    expressions:
      within(references.expression, expressions.count, 0) && within(bindings.value, expressions.count) && within(assignments.target, expressions.count),
    imports: within(bindings.import, imports.count) && within(imports.binding, bindings.count),
    lists: expressions.listStart.every((start, row) => start + (expressions.listCount[row] ?? 0) <= lists.length),
    positions: symbols.startLine.every((line, row) => line <= (symbols.endLine[row] ?? 0) && line <= (symbols.nameLine[row] ?? 0)),
    lines: within(references.line, facts.syntax.lines, 0),
    health: facts.syntax.errorNodes <= facts.syntax.nodes,
  };
  expect(checks).toEqual(Object.fromEntries(Object.keys(checks).map(key => [key, true])));
}
