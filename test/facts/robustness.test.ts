import { beforeAll, expect, test } from 'vitest';
import type { FileFacts } from '../../server/src/model/facts';
import { LANGUAGES, type LanguageId } from '../../server/src/model/languages';
import { FactsReader } from '../helpers/extract';
import { brokenRules } from '../helpers/soundFacts';

const isSoak = process.env['LATTICE_SOAK'] === '1';

/** Repetitions in the languages a piece belongs to; nesting beyond 1,200 levels is left out of the facts. */
const TIMES = isSoak ? 20_000 : 2000;
/** Repetitions in the others, where most pieces are one long error. */
const FOREIGN_TIMES = isSoak ? 1000 : 100;
/** So many are parsed in any case. */
const MIN_TIMES = 200;
/** What the parser may take for one text, by the clock, on a busy machine. */
const PARSE_MS = 10_000;
/** Deep generics that nobody closes take more than the parser's stack in Java; the parse worker is replaced then. */
const SHALLOW: Readonly<Record<string, number>> = { 'type A=B<': 500, 'A<': 500 };

/** Pieces that nest, and the families they belong to; all when none is named. */
const NESTED: readonly (readonly [string, string])[] = [
  ['(', ''],
  ['[', ''],
  ['{', ''],
  ['a(', ''],
  ['!', ''],
  ['x=', 'typescript python java csharp cpp'],
  ['if(a){', 'typescript java csharp cpp php kotlin scala'],
  ['if a {', 'go rust'],
  ['f(function(){', 'typescript php'],
  ['f(func(){', 'go'],
  ['f(() => {', 'csharp scala'],
  ['f(|x| {', 'rust'],
  ['f { x ->', 'kotlin'],
  ['f do |x|', 'ruby'],
  ['f(function() ', 'lua'],
  ['class A{m(){', 'typescript java'],
  ['class A { void m() {', 'java csharp cpp'],
  ['`${', 'typescript'],
  ['"#{', 'ruby'],
  ['"${', 'kotlin'],
  ['$(', 'bash'],
  ['if x then ', 'lua ruby'],
  ['begin ', 'ruby'],
  ['match x { _ =>', 'rust'],
  ['vec![', 'rust'],
  ['#if A\n', 'cpp csharp'],
  ['(a=>', 'typescript csharp scala'],
  ['a?b:', 'typescript php'],
  ['<a>', 'typescript'],
  ['var {', 'typescript'],
  ['var [', 'typescript'],
  ['namespace A{', 'typescript csharp cpp php'],
  ['mod a {', 'rust'],
  ['module A;', 'ruby'],
  ['type A=B<', 'typescript'],
  ['A<', 'typescript java csharp cpp kotlin rust'],
  ['def f():\n ', 'python'],
  ['lambda:', 'python'],
  ['a if b else ', 'python'],
];
const CHAINED: readonly (readonly [string, string])[] = [
  ['a.b().', ''],
  ['a+', ''],
  ['a&&', ''],
  ["typeof a==='string'&&", 'typescript'],
  ['a|', 'typescript python'],
  ['a,', ''],
  ['else if(a){}', 'typescript java csharp cpp'],
  ['function f();', 'typescript php'],
  ['void f();', 'java csharp cpp'],
  ['fun f();', 'kotlin'],
  ['def f(): pass\n', 'python'],
  ['/*', ''],
  ["'", ''],
  ['@', ''],
  ['#', ''],
  ['::', ''],
  ['<<A\n', 'ruby bash php cpp'],
  ['export ', 'typescript'],
  ['\u{1F600}', ''],
  ['\0', ''],
  ['\r', ''],
];

let reader: FactsReader;

beforeAll(async () => {
  reader = await FactsReader.create({ timeoutMs: PARSE_MS });
});

function expectSound(facts: FileFacts): void {
  expect(brokenRules(facts)).toEqual([]);
}

async function repeated(part: string, families: string, before: string, after: string): Promise<void> {
  for (const { id, family } of LANGUAGES) {
    const isOwn = families === '' || families.split(' ').includes(family);
    const times = Math.min(isOwn ? TIMES : FOREIGN_TIMES, SHALLOW[part] ?? TIMES);
    expectSound(await factsOfMost(id, times, count => `${before}${part.repeat(count)}${after}`));
  }
}

/** Some grammars take ever longer with the length of an error; what the parser gives up is listed by name. Then half as many are tried. */
async function factsOfMost(id: LanguageId, times: number, text: (count: number) => string): Promise<FileFacts> {
  for (let count = times; ; count = Math.floor(count / 2)) {
    try {
      return await reader.facts(id, text(count));
    } catch (fault) {
      const isGivenUp = fault instanceof Error && fault.message.startsWith('Parsing took longer');
      if (!isGivenUp || count < MIN_TIMES) throw fault;
    }
  }
}

test.each(NESTED)('%j nested many thousand times', { timeout: 1_200_000 }, (part, families) => repeated(part, families, '', ''));

test.each(CHAINED)('%j many thousand times', { timeout: 1_200_000 }, (part, families) => repeated(part, families, 'type A = ', 'b'));

test('empty files and very long lines', async () => {
  for (const { id } of LANGUAGES) {
    const empty = await reader.facts(id, '');
    // A component file is a component, even without a script.
    const isComponent = id === 'vue' || id === 'svelte';
    expect([empty.symbols.count, empty.references.count, empty.syntax.lines]).toEqual([isComponent ? 1 : 0, 0, 1]);
    expectSound(await reader.facts(id, `x = "${'y'.repeat(isSoak || id === 'typescript' ? 10_000_000 : 500_000)}"`));
  }
});
