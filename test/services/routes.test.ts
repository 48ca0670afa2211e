import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CodeSurfaces } from '../../server/src/services/code/codeSurface';
import { parseSurfaceFixture, readTexts, surfaceOf, wordsOf } from '../helpers/surfaceOf';

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

test('many calls are read in steps, so that others can run in between', async () => {
  const lines = Array.from({ length: 200 }, (_, at) => `app.get('/x${at}', (req, res) => res.end());`);
  const files = new Map([['src/app.ts', `import express from 'express';\nconst app = express();\n${lines.join('\n')}\n`]]);
  const steps = new CodeSurfaces().read({ ...(await readTexts(files)), configurations: files });
  let stops = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) stops++;
  expect(step.value.routes).toHaveLength(200);
  expect(stops).toBeGreaterThan(30);
});
