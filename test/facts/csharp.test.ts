import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { withoutBrokenConditionals } from '../../server/src/code/facts/languages/csharp/conditionals';
import { danglingRows } from '../helpers/danglingRows';
import { dumpFacts } from '../helpers/dumpFacts';
import { FactsReader } from '../helpers/extract';

const folder = join(import.meta.dirname, '../fixtures/languages/csharp');
let reader: FactsReader;

beforeAll(async () => {
  reader = await FactsReader.create();
});

describe('facts of whole files', () => {
  test.each(readdirSync(folder).filter(name => name.endsWith('.cs')))('%s', async name => {
    const facts = await reader.facts('csharp', readFileSync(join(folder, name), 'utf8'));
    await expect(dumpFacts(facts)).toMatchFileSnapshot(join(folder, `${name}.facts`));
  });
});

describe('any text', () => {
  const inMethod = (text: string): string => `class A { void M() {\n${text}\n} }\n`;
  const texts: readonly (readonly [string, string])[] = [
    ['empty', ''],
    ['only a comment', '// nothing'],
    ['no characters of C#', '\u0000\u0001 ¶ ∆ \u{1F600}'],
    ['deep parentheses', inMethod(`var x = ${'('.repeat(2000)}1${')'.repeat(2000)};`)],
    ['deep calls', inMethod(`${'f('.repeat(2000)}1${')'.repeat(2000)};`)],
    ['deep blocks', inMethod(`${'{'.repeat(2000)}a();${'}'.repeat(2000)}`)],
    ['deep types', `class A { ${'List<'.repeat(1000)}int${'>'.repeat(1000)} x; int${'[]'.repeat(1000)} y; }`],
    ['deep lambdas', inMethod(`var f = ${'x => '.repeat(1000)}1;`)],
    ['deep patterns', inMethod(`if (x is ${'{ P: '.repeat(600)}1${' }'.repeat(600)}) {}`)],
    ['deep tuples', inMethod(`var ${'(a, '.repeat(600)}b${')'.repeat(600)} = x;`)],
    ['deep nested types', `${'class A { '.repeat(600)}${'}'.repeat(600)}`],
    ['long chain of operators', inMethod(`var x = ${'a && '.repeat(10_000)}a;`)],
    ['long chain of members', inMethod(`var x = ${'a.'.repeat(3000)}a;`)],
    ['long chain of else', inMethod(`${'if (a) { b(); } else '.repeat(2000)}{ c(); }`)],
    ['brackets without end', '((((['.repeat(500)],
    ['conditionals without end', '#if A\nclass B\n#elif C\n'.repeat(50)],
  ];
  test.each(texts)('%s', async (_, text) => {
    const facts = await reader.facts('csharp', text);
    expect(danglingRows(facts)).toEqual([]);
    expect(await reader.facts('csharp', text)).toEqual(facts);
  });

  test('every prefix of a file gives facts', async () => {
    const text = readFileSync(join(folder, 'expressions.cs'), 'utf8');
    for (let length = 0; length < text.length; length += 37) expect(danglingRows(await reader.facts('csharp', text.slice(0, length)))).toEqual([]);
  });
});

describe('conditional compilation', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['whole members stay', 'class A {\n#if X\n int a;\n#else\n int b;\n#endif\n}', 'class A {\n#if X\n int a;\n#else\n int b;\n#endif\n}'],
    ['the first branch of a cut declaration', 'void M()\n#if X\n=> a;\n#else\n{ }\n#endif\nint b;', 'void M()\n     \n=> a;\n     \n   \n      \nint b;'],
    ['symbols of old frameworks are not set', 'f(\n#if NETFRAMEWORK && X\n1\n#else\n2\n#endif\n);', 'f(\n                     \n \n     \n2\n      \n);'],
    ['negated and joined conditions', 'f(\n#if !(NET45 || X)\n1\n#elif true\n2\n#endif\n);', 'f(\n                 \n \n          \n2\n      \n);'],
    ['literals and comments do not count', 'var a = "{"; // (\n#if X\nint b;\n#endif', 'var a = "{"; // (\n#if X\nint b;\n#endif'],
  ];
  test.each(cases)('%s', (_, text, expected) => {
    expect(withoutBrokenConditionals(text)).toBe(expected);
  });
});
