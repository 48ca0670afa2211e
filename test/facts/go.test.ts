import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { isInDefaultBuild } from '../../server/src/code/facts/languages/go/buildConstraint';
import { packageNameOf } from '../../server/src/code/facts/languages/go/imports';
import { NO_TEXT, textOf } from '../../server/src/model/facts';
import { danglingRows } from '../helpers/danglingRows';
import { dumpFacts } from '../helpers/dumpFacts';
import { FactsReader } from '../helpers/extract';

const folder = join(import.meta.dirname, '../fixtures/languages/go');
let reader: FactsReader;

beforeAll(async () => {
  reader = await FactsReader.create();
});

describe('facts of whole files', () => {
  test.each(readdirSync(folder).filter(name => name.endsWith('.go')))('%s', async name => {
    const facts = await reader.facts('go', readFileSync(join(folder, name), 'utf8'));
    await expect(dumpFacts(facts)).toMatchFileSnapshot(join(folder, `${name}.facts`));
  });
});

describe('any text', () => {
  const inFunction = (text: string): string => `package a\nfunc f() {\n${text}\n}\n`;
  const texts: readonly (readonly [string, string])[] = [
    ['empty', ''],
    ['only a comment', '// nothing'],
    ['no characters of Go', '\u0000\u0001 ¶ ∆ \u{1F600}'],
    ['deep parentheses', inFunction(`x := ${'('.repeat(3000)}1${')'.repeat(3000)}`)],
    ['deep calls', inFunction(`${'f('.repeat(3000)}1${')'.repeat(3000)}`)],
    ['deep blocks', inFunction(`${'{'.repeat(2000)}a()${'}'.repeat(2000)}`)],
    ['deep literals', inFunction(`x := T${'{'.repeat(2000)}${'}'.repeat(2000)}`)],
    ['deep types', `package a\nvar x ${'[]'.repeat(3000)}int\nvar y ${'map[string]'.repeat(3000)}int\n`],
    ['deep closures', inFunction(`${'func() { '.repeat(1000)}a()${' }'.repeat(1000)}`)],
    ['long chain of operators', inFunction(`x := ${'a && '.repeat(20_000)}a`)],
    ['long chain of members', inFunction(`x := ${'a.'.repeat(5000)}a`)],
    ['long chain of else', inFunction(`${'if a { b() } else '.repeat(3000)}{ c() }`)],
    ['brackets without end', '((((['.repeat(500)],
  ];
  test.each(texts)('%s', async (_, text) => {
    const facts = await reader.facts('go', text);
    expect(danglingRows(facts)).toEqual([]);
    expect(await reader.facts('go', text)).toEqual(facts);
  });

  test('every prefix of a file gives facts', async () => {
    const text = readFileSync(join(folder, 'statements.go'), 'utf8');
    for (let length = 0; length < text.length; length += 13)
      expect({ length, dangling: danglingRows(await reader.facts('go', text.slice(0, length))) }).toEqual({ length, dangling: [] });
  });
});

test('what describes a symbol', async () => {
  const facts = await reader.facts('go', readFileSync(join(folder, 'declarations.go'), 'utf8'));
  const row = facts.symbols.container.findIndex((container, at) => container !== 0 && textOf(facts, facts.symbols.name[at] ?? NO_TEXT) === 'Sell');
  const { signature, doc, firstLine, complexity } = facts.symbols;
  expect(textOf(facts, signature[row] ?? NO_TEXT)).toBe('func (t *Thing) Sell(ctx context.Context, n int) (price float64, err error)');
  expect(textOf(facts, doc[row] ?? NO_TEXT)).toBe('Sell is documented.\n\nIt has two paragraphs.');
  expect(textOf(facts, firstLine[row] ?? NO_TEXT)).toBe('if n > 1 && t != nil || n < 0 {');
  expect(complexity[row]).toBe(5);
});

test.each([
  ['', true],
  ['//go:build linux && !cgo\n', false],
  ['//go:build !windows && (amd64 || arm64)\n', true],
  ['//go:build ignore\n', false],
  ['//go:build go1.20\n', true],
  ['//go:build !go1.20\n', true],
  ['//go:build unix\n// +build ignore\n', true],
  ['// +build darwin linux\n// +build !appengine\n', true],
  ['// +build linux,386\n', false],
  ['//go:build ((((\n', true],
])('build constraint %j', (header, isIn) => {
  expect(isInDefaultBuild(header)).toBe(isIn);
});

test.each([
  ['net/http', 'http'],
  ['github.com/a/b/v2', 'b'],
  ['gopkg.in/yaml.v3', 'yaml'],
  ['github.com/mattn/go-isatty', 'isatty'],
  ['github.com/x/nats.go', 'nats'],
  ['github.com/a/b-c', 'b_c'],
])('a package at %s is called %s', (path, name) => {
  expect(packageNameOf(path)).toBe(name);
});
