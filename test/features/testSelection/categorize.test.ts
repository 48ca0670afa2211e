import { expect, test } from 'vitest';
import { type WorkspaceSketch } from '../../helpers/graphOf';
import { askTested, SHOP } from './testedShop';

test.each([
  ['test/a.test.ts', '/** @group e2e */', undefined, 'e2e', 'marked e2e'],
  ['test/unit/a.test.ts', "test('x @integration', f)", undefined, 'integration', 'marked integration'],
  ['test/integration/a.test.ts', '', 'playwright', 'integration', 'path has integration'],
  ['test/a.perf.test.ts', '', undefined, 'performance', 'path has perf'],
  ['test/a.test.ts', '', 'playwright', 'e2e', 'imports playwright'],
  ['test/a.test.ts', '', 'supertest', 'integration', 'imports supertest'],
  ['test/a.test.ts', '', 'vitest', 'unit', 'default'],
  ['test/data.ts', '', undefined, 'unknown', 'no test framework found'],
] as const)('%s with %j that imports %s is %s: %s', async (path, text, imported, category, reason) => {
  const references = imported === undefined ? [] : [{ from: '', relation: 'IMPORTS' as const, to: `external::${imported}` }];
  const sketch: WorkspaceSketch = { 'package.json': {}, [path]: { isTest: true, references } };
  const answer = await askTested('categorizeTests', {}, sketch, { [path]: text });
  expect(answer.tests).toMatchObject([{ file: path, category, reason }]);
  expect(answer.counts[category]).toBe(1);
});

test('tests are filtered by path, category and framework; those that test nothing are told', async () => {
  const sketch: WorkspaceSketch = { ...SHOP, 'test/e2e/idle.test.ts': { isTest: true }, 'lonely.test.ts': { isTest: true } };
  const files = async (params: object): Promise<string[]> => (await askTested('categorizeTests', params, sketch)).tests.map(row => row.file);
  expect(await files({})).toEqual(['lonely.test.ts', 'test/checkout.test.ts', 'test/e2e/idle.test.ts', 'test/pay.test.ts']);
  expect(await files({ paths: ['test'], category: 'unit' })).toEqual(['test/checkout.test.ts', 'test/pay.test.ts']);
  expect(await files({ framework: 'jest' })).toEqual([]);
  expect((await askTested('categorizeTests', {}, sketch)).withoutTargets).toEqual(['test/e2e/idle.test.ts']);
});
