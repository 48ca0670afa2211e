import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseSurfaceFixture, surfaceOf, wordsOf } from '../helpers/surfaceOf';

const folder = join(import.meta.dirname, '..', 'fixtures', 'services');

describe.each(readdirSync(folder).filter(name => name.endsWith('.fixture')))('%s', name => {
  const cases = readFileSync(join(folder, name), 'utf8').split(/^=== /m).slice(1);
  test.each(cases.map(text => [text.slice(0, text.indexOf('\n')), text.slice(text.indexOf('\n') + 1)] as const))('%s', async (_, text) => {
    const { expected, files } = parseSurfaceFixture(text);
    expect(wordsOf(await surfaceOf(files))).toEqual(expected);
  });
});

test('files of tests serve nothing', async () => {
  const text = "import express from 'express';\nconst app = express();\napp.get('/x', (req, res) => res.end());\n";
  expect(wordsOf(await surfaceOf(new Map([['src/app.test.ts', text]])))).toEqual([]);
});
