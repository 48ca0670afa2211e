import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { LanguageId } from '../../server/src/model/languages';
import { danglingRows } from '../helpers/danglingRows';
import { dumpFacts } from '../helpers/dumpFacts';
import { FactsReader } from '../helpers/extract';

const folder = join(import.meta.dirname, '../fixtures/languages');
let reader: FactsReader;

beforeAll(async () => {
  reader = await FactsReader.create();
});

const LANGUAGES = ['bash', 'lua', 'scala'] as const satisfies readonly LanguageId[];
const FILES = LANGUAGES.flatMap(language =>
  readdirSync(join(folder, language))
    .filter(name => name.startsWith('everything.') && !name.endsWith('.facts'))
    .map(name => ({ language, path: join(folder, language, name) })),
);

test.each(FILES)('facts of $path', async ({ language, path }) => {
  const facts = await reader.facts(language, readFileSync(path, 'utf8'));
  await expect(dumpFacts(facts)).toMatchFileSnapshot(`${path}.facts`);
});

test.each(FILES)('every prefix of $path gives facts', async ({ language, path }) => {
  const text = readFileSync(path, 'utf8');
  for (let length = 0; length < text.length; length += 37)
    expect({ length, dangling: danglingRows(await reader.facts(language, text.slice(0, length))) }).toEqual({ length, dangling: [] });
});

describe.each(LANGUAGES)('deep %s', language => {
  test.each([
    ['parentheses', `${'('.repeat(1000)}1${')'.repeat(1000)}`],
    ['braces', `${'{ '.repeat(800)}a${' }'.repeat(800)}`],
    ['calls', `${'f('.repeat(1000)}1${')'.repeat(1000)}`],
    ['substitutions', `${'$('.repeat(1000)}a${')'.repeat(1000)}`],
    ['members', `x = ${'a.'.repeat(5000)}a`],
    ['operators', `x = ${'a + '.repeat(1000)}a`],
    ['choices', `x = ${'a and '.repeat(1000)}a\n${'a && '.repeat(300)}a`],
  ])('%s', async (_, text) => {
    const facts = await reader.facts(language, text);
    expect(danglingRows(facts)).toEqual([]);
    expect(await reader.facts(language, text)).toEqual(facts);
  });
});
