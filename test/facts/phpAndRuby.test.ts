import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ColumnOf } from '../../server/src/base/branded';
import { NO_TEXT, type StringIndex, textOf } from '../../server/src/model/facts';
import type { LanguageId } from '../../server/src/model/languages';
import { MODIFIERS } from '../../server/src/model/nodes';
import { danglingRows } from '../helpers/danglingRows';
import { dumpFacts } from '../helpers/dumpFacts';
import { FactsReader } from '../helpers/extract';

const folder = join(import.meta.dirname, '../fixtures/languages');
let reader: FactsReader;

beforeAll(async () => {
  reader = await FactsReader.create();
});

const FILES = (['php', 'ruby'] as const).flatMap(language =>
  readdirSync(join(folder, language))
    .filter(name => /\.(?:php|rb)$/.test(name))
    .map(name => [language, name] as const),
);

describe('facts of whole files', () => {
  test.each(FILES)('%s %s', async (language, name) => {
    const facts = await reader.facts(language, readFileSync(join(folder, language, name), 'utf8'));
    expect(danglingRows(facts)).toEqual([]);
    await expect(dumpFacts(facts)).toMatchFileSnapshot(join(folder, language, `${name}.facts`));
  });
});

describe('any text', () => {
  const texts: readonly (readonly [LanguageId, string, string])[] = [
    ['php', 'nothing', ''],
    ['php', 'no code at all', '<html></html>'],
    ['php', 'no characters of PHP', '<?php \u0000\u0001 ¶ ∆ \u{1F600}'],
    ['php', 'deep parentheses', `<?php $x = ${'('.repeat(3000)}1${')'.repeat(3000)};`],
    ['php', 'deep arrays', `<?php $x = ${'['.repeat(3000)}${']'.repeat(3000)};`],
    ['php', 'deep calls', `<?php ${'f('.repeat(3000)}1${')'.repeat(3000)};`],
    ['php', 'deep blocks', `<?php ${'{'.repeat(3000)}a();${'}'.repeat(3000)}`],
    ['php', 'deep closures', `<?php $x = ${'function() { return '.repeat(1000)}1${'; }'.repeat(1000)};`],
    ['php', 'deep conditions', `<?php if (${'!('.repeat(2000)}$a${')'.repeat(2000)}) {}`],
    ['php', 'a long chain of operators', `<?php $x = ${'$a && '.repeat(20_000)}$a;`],
    ['php', 'a long chain of calls', `<?php $x${'->b()'.repeat(5000)};`],
    ['php', 'a long chain of properties', `<?php $x${'->b'.repeat(5000)};`],
    ['php', 'a deep type in a comment', `<?php /** @var ${'array<'.repeat(2000)}int */ class A {}`],
    ['php', 'a comment that never ends', '<?php /** @param array{a: array{b: '],
    ['ruby', 'nothing', ''],
    ['ruby', 'no characters of Ruby', '\u0000\u0001 ¶ ∆ \u{1F600}'],
    ['ruby', 'deep parentheses', `x = ${'('.repeat(3000)}1${')'.repeat(3000)}`],
    ['ruby', 'deep arrays', `x = ${'['.repeat(3000)}${']'.repeat(3000)}`],
    ['ruby', 'deep blocks', `${'f { '.repeat(1500)}a${' }'.repeat(1500)}`],
    ['ruby', 'deep classes', `${'class A\n'.repeat(1000)}${'end\n'.repeat(1000)}`],
    ['ruby', 'deep conditions', `${'if a\n'.repeat(1000)}${'end\n'.repeat(1000)}`],
    ['ruby', 'a long chain of operators', `x = ${'a && '.repeat(20_000)}a`],
    ['ruby', 'a long chain of calls', `x${'.b'.repeat(5000)}`],
    ['ruby', 'a long chain of alternatives', `if a\n${'elsif b\n  c\n'.repeat(2000)}end`],
    ['ruby', 'a deep type in a comment', `# @param x [${'Array<'.repeat(2000)}]\ndef f(x); end`],
    ['ruby', 'a deep pattern', `case x\nin ${'['.repeat(1000)}${']'.repeat(1000)}\nend`],
  ];
  test.each(texts)('%s: %s', async (language, _, text) => {
    const facts = await reader.facts(language, text);
    expect(danglingRows(facts)).toEqual([]);
    expect(await reader.facts(language, text)).toEqual(facts);
  });

  test.each([
    ['php', 'declarations.php'],
    ['ruby', 'classes.rb'],
  ] as const)('every prefix of a file gives facts: %s', async (language, name) => {
    const text = readFileSync(join(folder, language, name), 'utf8');
    for (let length = 0; length < text.length; length += 17)
      expect({ length, dangling: danglingRows(await reader.facts(language, text.slice(0, length))) }).toEqual({ length, dangling: [] });
  });
});

test.each([
  [
    'php',
    'declarations.php',
    'sell',
    'public function sell($buyer, callable $done): iterable',
    'Sells it.',
    'if ($buyer instanceof Company && $this->price > 1) {',
    5,
  ],
  [
    'ruby',
    'classes.rb',
    'initialize',
    'def initialize(store, price = LIMIT, *rest, tag:, note: nil, **more, &block)',
    'Makes it.',
    '@store, @price = store, price',
    1,
  ],
] as const)('what describes a symbol: %s', async (language, file, name, signature, doc, firstLine, complexity) => {
  const facts = await reader.facts(language, readFileSync(join(folder, language, file), 'utf8'));
  const row = facts.symbols.name.findIndex(word => textOf(facts, word) === name);
  const text = (column: ColumnOf<StringIndex>): string => textOf(facts, column[row] ?? NO_TEXT);
  expect(text(facts.symbols.signature)).toBe(signature);
  expect(text(facts.symbols.doc).split('\n', 1)[0]).toBe(doc);
  expect(text(facts.symbols.firstLine)).toBe(firstLine);
  expect(facts.symbols.complexity[row]).toBe(complexity);
});

test('groups and examples of Ruby are symbols named by their titles; other calls with a block are none', async () => {
  const facts = await reader.facts(
    'ruby',
    [
      "RSpec.describe Shop::Cart, 'with a coupon' do",
      '  let(:cart) { Shop::Cart.new }',
      "  context 'when empty' do",
      "    it('costs nothing') { cart.price }",
      '    it { is_expected.to be_empty }',
      '  end',
      '  [1, 2].each { |n| it("holds #{n} things") { cart.add(n) } }',
      'end',
      'class CartTest < ActiveSupport::TestCase',
      "  test 'a::b' do",
      '  end',
      'end',
      'def check',
      "  it('is no example') { 1 }",
      'end',
      "client.test('ping') { 1 }",
      "config.describe('x') { 2 }",
    ].join('\n'),
  );
  const { name, parent, modifiers } = facts.symbols;
  const idOf = (row: number): string => `${(parent[row] ?? -1) >= 0 ? `${idOf(parent[row] ?? 0)} > ` : ''}${textOf(facts, name[row] ?? NO_TEXT)}`;
  const rows = Array.from({ length: facts.symbols.count }, (_, row) => `${idOf(row)}${((modifiers[row] ?? 0) & MODIFIERS.test) === 0 ? '' : ' (case)'}`);
  expect(rows).toEqual([
    'Shop:Cart with a coupon',
    'Shop:Cart with a coupon > cart',
    'Shop:Cart with a coupon > when empty',
    'Shop:Cart with a coupon > when empty > costs nothing (case)',
    'Shop:Cart with a coupon > when empty > it (case)',
    'Shop:Cart with a coupon > holds #{n} things (case)',
    'CartTest',
    'CartTest > a:b (case)',
    'check',
  ]);
});

/** Cuts and repeats pieces of a text; equal seeds give equal texts. */
function mutant(text: string, seed: number): string {
  let state = seed;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  let out = text;
  for (let edits = next(8); edits >= 0; edits--) {
    const at = next(out.length);
    const from = next(text.length);
    out = out.slice(0, at) + (next(2) === 0 ? '' : text.slice(from, from + next(30))) + out.slice(at + next(30));
  }
  return out;
}

test.each(FILES)('mutants of a file give facts: %s %s', async (language, name) => {
  const text = readFileSync(join(folder, language, name), 'utf8');
  for (let seed = 0; seed < (process.env['LATTICE_SOAK'] === '1' ? 3000 : 30); seed++)
    expect({ seed, dangling: danglingRows(await reader.facts(language, mutant(text, seed))) }).toEqual({ seed, dangling: [] });
});
