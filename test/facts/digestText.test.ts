import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Digest, wordsIn } from '../../server/src/model/digest';
import { digestOfText, textOfDigest } from '../../server/src/model/digestText';
import { parseSurfaceFixture, readTexts } from '../helpers/surfaceOf';

const fixtures = join(import.meta.dirname, '..', 'fixtures', 'services');

const sample: Digest = {
  package: 'shop',
  steps: [
    { kind: 'import', from: 'express', name: 'default', as: 'express', position: 7 },
    {
      kind: 'class',
      cls: {
        name: 'Orders',
        position: 1030,
        bases: [{ kind: 'generic', base: { kind: 'name', name: 'Api', position: 1040 }, args: [0] }],
        isInterface: true,
        body: [
          {
            kind: 'fn',
            fn: {
              name: 'list',
              position: 2050,
              parameters: [{ name: 'page', initial: { kind: 'text', text: '1' } }],
              body: [
                {
                  kind: 'return',
                  value: { kind: 'call', callee: { kind: 'name', name: 'Page', position: 3080 }, args: [], isConstruction: true, position: 3080 },
                },
              ],
            },
          },
        ],
      },
    },
    { kind: 'export', as: 'all', from: './orders', name: '*', position: 4096 },
  ],
};

test('a digest is written with short keys and read back with its names', () => {
  const text = textOfDigest(sample);
  expect(digestOfText(text)).toEqual(sample);
  expect(text).toContain('{"s":"import","from":"express","name":"default","as":"express","p":7}');
  expect(text).toContain('{"k":"call","f":{"k":"n","v":"Page","p":3080},"a":[],"n":1,"p":3080}');
  expect(text).not.toContain('"kind"');
});

test('a text with something that no digest has is refused', () => {
  expect(() => digestOfText('{"package":"","steps":[{"s":"jump"}]}')).toThrow('No digest has jump.');
});

test.each(readdirSync(fixtures))('digests of %s are the same when they are read and written again', async name => {
  const { digests } = await readTexts(parseSurfaceFixture(readFileSync(join(fixtures, name), 'utf8')).files);
  const texts = digests.map(([, digest]) => digest).filter(digest => digest !== '');
  expect(texts.length).toBeGreaterThan(0);
  for (const text of texts) expect(textOfDigest(digestOfText(text))).toBe(text);
});

test('words are the texts and names inside terms, not the names of our properties', () => {
  expect(wordsIn(sample.steps)).toEqual(['express', 'default', 'express', 'Orders', 'Api', 'list', 'page', '1', 'Page', 'all', './orders', '*']);
});
