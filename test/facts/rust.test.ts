import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { NO_TEXT, textOf } from '../../server/src/model/facts';
import { danglingRows } from '../helpers/danglingRows';
import { dumpFacts } from '../helpers/dumpFacts';
import { FactsReader } from '../helpers/extract';

const folder = join(import.meta.dirname, '../fixtures/languages/rust');
let reader: FactsReader;

beforeAll(async () => {
  reader = await FactsReader.create();
});

describe('facts of whole files', () => {
  test.each(readdirSync(folder).filter(name => name.endsWith('.rs')))('%s', async name => {
    const facts = await reader.facts('rust', readFileSync(join(folder, name), 'utf8'));
    await expect(dumpFacts(facts)).toMatchFileSnapshot(join(folder, `${name}.facts`));
  });
});

describe('any text', () => {
  const inFunction = (text: string): string => `fn f() {\n${text}\n}\n`;
  const texts: readonly (readonly [string, string])[] = [
    ['empty', ''],
    ['only a comment', '// nothing'],
    ['no characters of Rust', '\u0000\u0001 ¶ ∆ \u{1F600}'],
    ['deep parentheses', inFunction(`let x = ${'('.repeat(3000)}1${')'.repeat(3000)};`)],
    ['deep calls', inFunction(`${'f('.repeat(3000)}1${')'.repeat(3000)}`)],
    ['deep blocks', inFunction(`${'{'.repeat(2000)}a()${'}'.repeat(2000)}`)],
    ['deep types', `type X = ${'Vec<'.repeat(3000)}u8${'>'.repeat(3000)};`],
    ['deep patterns', inFunction(`let ${'Some('.repeat(2000)}x${')'.repeat(2000)} = y;`)],
    ['deep use', `use ${'a::{'.repeat(2000)}b${'}'.repeat(2000)};`],
    ['deep closures', inFunction(`${'|| { '.repeat(1000)}a()${' }'.repeat(1000)}`)],
    ['deep tokens', inFunction(`m!${'('.repeat(3000)}a${')'.repeat(3000)};`)],
    ['deep macro', `macro_rules! m { (${'$('.repeat(500)}$a:ident${')*'.repeat(500)}) => { ${'{'.repeat(500)}${'}'.repeat(500)} } }\nm!(a b c);`],
    ['many matches of a macro', `macro_rules! m { ($($a:ident $(, $b:tt)*);*) => { $(struct $a;)* } }\nm!(${'a, b, c; '.repeat(3000)});`],
    ['long chain of operators', inFunction(`let x = ${'a && '.repeat(20_000)}a;`)],
    ['long chain of members', inFunction(`x${'.a()'.repeat(5000)};`)],
    ['long path', `use ${'a::'.repeat(5000)}b;`],
    ['long chain of else', inFunction(`${'if a { b() } else '.repeat(3000)}{ c() }`)],
    ['brackets without end', '((((['.repeat(500)],
  ];
  test.each(texts)('%s', async (_, text) => {
    const facts = await reader.facts('rust', text);
    expect(danglingRows(facts)).toEqual([]);
    expect(await reader.facts('rust', text)).toEqual(facts);
  });

  test('every prefix of a file gives facts', async () => {
    for (const name of ['everything.rs', 'macros.rs', 'items.rs']) {
      const text = readFileSync(join(folder, name), 'utf8');
      for (let length = 0; length < text.length; length += 13)
        expect({ name, length, dangling: danglingRows(await reader.facts('rust', text.slice(0, length))) }).toEqual({ name, length, dangling: [] });
    }
  });
});

test('what describes a symbol', async () => {
  const facts = await reader.facts('rust', readFileSync(join(folder, 'items.rs'), 'utf8'));
  const { name, signature, doc, firstLine, complexity } = facts.symbols;
  const rowOf = (text: string): number => name.findIndex(word => textOf(facts, word) === text);
  expect(textOf(facts, doc[rowOf('LARGEST')] ?? NO_TEXT)).toBe('The largest one.\n\nIt has two paragraphs.\nNot shown as one.');
  expect(textOf(facts, signature[rowOf('LARGEST')] ?? NO_TEXT)).toBe('pub const LARGEST: usize');
  expect(textOf(facts, doc[rowOf('Raw')] ?? NO_TEXT)).toBe('A block of documentation.');
  expect(textOf(facts, signature[rowOf('wait')] ?? NO_TEXT)).toBe(
    'pub async unsafe fn wait(&mut self, limit: impl Into<u64>) -> Result<T::Out, Box<dyn std::error::Error>> where T: Named',
  );
  expect(textOf(facts, firstLine[rowOf('wait')] ?? NO_TEXT)).toBe('self.0.name();');
  expect(complexity[rowOf('fmt')]).toBe(7);
});
