import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type FileFacts, NO_TEXT, textOf } from '../../server/src/model/facts';
import { type LanguageId, languageOfExtension } from '../../server/src/model/languages';
import { dumpAssignments, dumpBindings, dumpFunctions, dumpHeritage, dumpImports, dumpReferences, dumpSymbols } from '../helpers/dumpFacts';
import { FactsReader } from '../helpers/extract';

const folder = join(import.meta.dirname, '../fixtures/languages');
let reader: FactsReader;

beforeAll(async () => {
  reader = await FactsReader.create();
});

const SECTIONS: Readonly<Record<string, (facts: FileFacts) => string[]>> = {
  package: facts => [textOf(facts, facts.scopes.package[0] ?? NO_TEXT)].filter(name => name !== ''),
  symbols: dumpSymbols,
  functions: dumpFunctions,
  bindings: dumpBindings,
  imports: dumpImports,
  heritage: dumpHeritage,
  assignments: dumpAssignments,
  references: dumpReferences,
};

function dump(facts: FileFacts): string {
  const sections = Object.entries(SECTIONS).map(([name, lines]) => [name, lines(facts)] as const);
  return sections.flatMap(([name, lines]) => (lines.length === 0 ? [] : [`${name}\n${lines.map(line => `  ${line}\n`).join('')}`])).join('\n');
}

const EXTENSIONS: readonly (readonly [string, string])[] = [
  ['java', '.java'],
  ['kotlin', '.kt'],
];
const FILES = EXTENSIONS.flatMap(([family, extension]) =>
  readdirSync(join(folder, family))
    .filter(name => name.endsWith(extension))
    .map(name => join(family, name)),
);

test.each(FILES)('facts of %s', async name => {
  const text = readFileSync(join(folder, name), 'utf8');
  const facts = await reader.facts(languageOfExtension(name.slice(name.lastIndexOf('.'))) ?? 'java', text);
  await expect(dump(facts)).toMatchFileSnapshot(join(folder, `${name}.facts`));
});

test.each(FILES)('every prefix of %s gives facts', async name => {
  const text = readFileSync(join(folder, name), 'utf8');
  const language = languageOfExtension(name.slice(name.lastIndexOf('.'))) ?? 'java';
  for (let length = 0; length < text.length; length += 41) {
    const facts = await reader.facts(language, text.slice(0, length));
    expect(facts.references.expression.every(row => row >= 0 && row < facts.expressions.count)).toBe(true);
  }
});

describe('complexity', () => {
  const complexityOf = async (language: LanguageId, text: string): Promise<number> => {
    const facts = await reader.facts(language, text);
    return facts.symbols.complexity[facts.symbols.name.findIndex(word => textOf(facts, word) === 'f')] ?? 0;
  };

  test.each([
    ['straight', 'return;', 1],
    ['branches', 'if (a) {} else if (b) {} else {}', 3],
    ['loops and guards', 'for (;;) while (a && b || c) {} do {} while (d);', 6],
    ['cases', 'switch (a) { case 1: case 2: break; default: }', 3],
    ['handlers and conditions', 'try {} catch (A e) {} catch (B e) {} x = a ? b : c;', 4],
    ['lambdas count, classes do not', 'g(() -> a && b); new A() { void g() { if (c) {} } };', 2],
  ])('Java: %s', async (_, body, expected) => {
    expect(await complexityOf('java', `class A { void f() { ${body} } }`)).toBe(expected);
  });

  test.each([
    ['straight', 'return', 1],
    ['branches', 'if (a) {} else if (b) {} else {}', 3],
    ['loops and guards', 'for (x in y) while (a && b || c) {}; do {} while (d)', 6],
    ['cases', 'when (a) { 1 -> b\n 2, 3 -> c\n else -> d }', 4],
    ['handlers and defaults', 'try {} catch (e: A) {}; val x = a ?: b', 3],
    ['lambdas count, local functions do not', 'g { a && b }; fun h() { if (c) {} }', 2],
  ])('Kotlin: %s', async (_, body, expected) => {
    expect(await complexityOf('kotlin', `fun f() { ${body} }`)).toBe(expected);
  });
});
