import { beforeAll, expect, test } from 'vitest';
import { factsInError, type Parsed, type TypedFacts } from '../../server/src/engine/indexing/factsInError';
import { type FileFacts, qualifiedName, symbolRow } from '../../server/src/model/facts';
import { FactsReader } from '../helpers/extract';

let reader: FactsReader;
beforeAll(async () => {
  reader = await FactsReader.create();
});

const parse = async (text: string): Promise<FileFacts> => reader.factsOfFile('a.ts', text);

async function typed(text: string, basis: Parsed): Promise<TypedFacts> {
  const found = await factsInError(text, await parse(text), basis, parse);
  if (found === undefined) throw new Error('a basis is never lost');
  return found;
}

/** `name first-last` of each symbol, 1-based, in lines of the text. */
function placesIn({ facts }: TypedFacts): string[] {
  const { count, endLine, startLine } = facts.symbols;
  return Array.from({ length: count }, (_, row) => `${qualifiedName(facts, symbolRow(row)).join('.')} ${(startLine[row] ?? 0) + 1}-${(endLine[row] ?? 0) + 1}`);
}

const TEXT = [
  'class A {',
  '  one() {',
  '    return 1;',
  '  }',
  '}',
  '',
  'function two() {',
  '  return 2;',
  '}',
  '',
  'function three() {',
  '  return 3;',
  '}',
  '',
];

test('What parses is taken from the text, what does not from the last one that did, and what is gone by name is gone', async () => {
  const basis = { text: TEXT.join('\n'), facts: await parse(TEXT.join('\n')) };
  // `three` is broken, `two` deleted, `four` new, everything two lines down.
  const text = ['// a', '// b', ...TEXT.slice(0, 5), 'function four() {', '}', 'function three( {', '  return ((3;', '}', ''].join('\n');
  const found = await typed(text, basis);
  expect(found.isStale).toBe(true);
  expect(placesIn(found)).toEqual(expect.arrayContaining(['A 3-7', 'A.one 4-6', 'three 10-12']));
  expect(placesIn(found).join()).not.toContain('two');
});

test('An error that stays does not hold up what is typed elsewhere', async () => {
  let basis: Parsed = { text: TEXT.join('\n'), facts: await parse(TEXT.join('\n')) };
  const lines = [...TEXT];
  lines[6] = 'function two(a: { ((';
  for (const line of ['function four() {}', 'function five() {}']) {
    lines.push(line);
    const found = await typed(lines.join('\n'), basis);
    expect(found.isStale).toBe(true);
    expect(placesIn(found)).toEqual(expect.arrayContaining(['two 7-9', `${line.slice(9, 13)} ${lines.length}-${lines.length}`]));
    basis = found.basis;
  }
});

test('A text without errors counts as it is, and one that never had facts has what parses', async () => {
  const basis = { text: TEXT.join('\n'), facts: await parse(TEXT.join('\n')) };
  const short = await typed('function only() {}\n', basis);
  expect([short.isStale, placesIn(short)]).toEqual([false, ['only 1-1']]);
  expect(await factsInError('(((', undefined, undefined, parse)).toBeUndefined();
});

test('Errors that were there before hold nothing up', async () => {
  const gap = 'interface A { a: string b(((: number }\n';
  const before = `${gap}function one() {}\n`;
  const found = await typed(`${gap}function other() {}\n`, { text: before, facts: await parse(before) });
  expect([found.isStale, placesIn(found).at(-1)]).toEqual([false, 'other 2-2']);
});
