import { expect, test } from 'vitest';
import { readRules } from '../../../server/src/features/architecture/ruleFile';
import type { SuggestAnswer } from '../../../server/src/features/architecture/suggest';
import { askFeature } from '../../helpers/askFeature';
import type { FileSketch, WorkspaceSketch } from '../../helpers/graphOf';
import { workspaceOf } from '../../helpers/workspaceOf';

const imports = (...to: readonly string[]): FileSketch['references'] =>
  to.map(path => ({ from: '', relation: 'IMPORTS' as const, to: path, source: 'import' as const }));
const file = (name: string, doc: string, ...uses: readonly string[]): FileSketch => ({
  symbols: [{ name, kind: 'class', doc, lines: [1, 3] }],
  references: imports(...uses) ?? [],
});

const SKETCH: WorkspaceSketch = {
  'src/billing/invoice.service.ts': file('InvoiceService', 'Writes an invoice for a paid basket.', 'src/billing/tax.service.ts', 'src/db/rows.ts'),
  'src/billing/tax.service.ts': file('TaxService', 'Finds the tax of an invoice.', 'src/db/rows.ts'),
  'src/billing/dunning.service.ts': file('DunningService', 'Reminds of an invoice that is late.', 'src/billing/invoice.service.ts'),
  'src/db/rows.ts': file('Rows', 'Keeps rows.'),
  'src/db/pool_size.ts': file('PoolSize', 'Sizes the pool.', 'src/db/rows.ts'),
  'src/web/pages.ts': file('Pages', 'Shows pages.', 'src/billing/invoice.service.ts'),
  'test/billing/tax.service.spec.ts': { isTest: true, references: imports('src/billing/tax.service.ts') ?? [] },
};
const RULES =
  'version: 1\nlayers:\n  - {id: web, include: ["src/web/**"], mayDependOn: [billing]}\n  - {id: billing, include: ["src/billing/**"], mayDependOn: [db]}\n  - {id: db, include: ["src/db/**"], mayDependOn: []}\n';

async function suggest(params: object, rules?: string, sketch = SKETCH): Promise<SuggestAnswer> {
  const found = await askFeature(
    'suggestArchitecture',
    workspaceOf(sketch, { texts: rules === undefined ? {} : { '.lattice/architecture.yaml': rules } }),
    params,
  );
  if (!found.ok) throw new Error(`${found.error.code}: ${found.error.message}`);
  return found.value as SuggestAnswer;
}

const REFUND = { description: 'pays an invoice back', name: 'RefundService', kind: 'service' };

test('a place near what is alike, called like its siblings, tested as they are', async () => {
  const { suggestions } = await suggest(REFUND, RULES);
  expect(suggestions[0]).toMatchObject({
    path: 'src/billing/refund.service.ts',
    layer: 'billing',
    allowedImports: ['billing', 'db'],
    testPath: 'test/billing/refund.service.spec.ts',
  });
  expect(suggestions[0]?.score).toBeLessThanOrEqual(1);
  expect(suggestions[0]?.reasons).toContain('declared layer billing');
});

test('a test of the same name elsewhere is not taken for that of the siblings', async () => {
  const beside: WorkspaceSketch = {
    'runtime/edge/index.test.ts': { isTest: true, references: imports('src/limit/index.ts') ?? [] },
    'src/limit/index.ts': file('BodyLimit', 'Limits the size of a body.'),
    'src/limit/index.test.ts': { isTest: true, references: imports('src/limit/index.ts') ?? [] },
  };
  const place = async (sketch: WorkspaceSketch) =>
    (await suggest({ description: 'limits the size of a body', name: 'RateLimit' }, undefined, sketch)).suggestions[0];
  expect((await place(beside))?.testPath).toMatch(/^src\/limit\/.+\.test\.ts$/);
});

test('folders whose layer may not use what is needed are left out', async () => {
  const { dropped, suggestions } = await suggest({ ...REFUND, dependsOn: ['TaxService'] }, RULES);
  expect(dropped).toEqual(['src/db']);
  expect(suggestions.map(row => row.layer)).not.toContain('db');
});

test('without layers it says what the siblings import; limit holds', async () => {
  const { suggestions } = await suggest({ ...REFUND, limit: 1 });
  expect(suggestions).toMatchObject([{ layer: '', allowedImports: ['src/db'] }]);
});

test('a test is put where tests are', async () => {
  expect((await suggest({ ...REFUND, kind: 'test' })).suggestions[0]?.path).toBe('test/billing/refund.service.spec.ts');
});

test('what exists already is told', async () => {
  const { similarExisting } = await suggest({ description: 'Finds the tax of an invoice.', name: 'TaxFinder' });
  expect(similarExisting[0]).toMatchObject({ id: 'src/billing/tax.service.ts::TaxService', duplicate: true });
});

test('the same question gets the same answer', async () => {
  expect(await suggest(REFUND, RULES)).toEqual(await suggest(REFUND, RULES));
});

test('the code follows the rules that are proposed as it is, tests left out', async () => {
  const many = (folder: string, ...uses: readonly string[]): WorkspaceSketch =>
    Object.fromEntries(Array.from({ length: 5 }, (_, at) => [`src/${folder}/f${at}.ts`, { references: imports(...uses) ?? [] }]));
  const sketch = {
    ...many('app', 'src/lib/f0.ts'),
    ...many('lib'),
    ...many('base'),
    'src/lib/f1.ts': { references: imports('src/app/f0.ts') ?? [] },
    'src/few/a.ts': {},
    'src/base/f0.test.ts': { isTest: true, references: imports('src/app/f0.ts') ?? [] },
  };
  const { rulesYaml } = await suggest({ mode: 'rules' }, undefined, sketch);
  const { findings, layers, rules } = readRules('x.yaml', rulesYaml ?? '');
  expect(findings).toEqual([]);
  expect(layers.map(({ exclude, id, include, mayDependOn }) => ({ exclude, id, include, mayDependOn }))).toEqual([
    { id: 'app', include: ['src/app/**'], exclude: [], mayDependOn: ['lib'] },
    { id: 'base', include: ['src/base/**'], exclude: ['**/*.test.*'], mayDependOn: [] },
    { id: 'lib', include: ['src/lib/**'], exclude: [], mayDependOn: ['app'] },
  ]);
  expect(rules.map(rule => rule.type)).toEqual(['no-cycle']);
  const circular = {
    ...sketch,
    'src/lib/f2.ts': { references: imports('src/lib/f3.ts') ?? [] },
    'src/lib/f3.ts': { references: imports('src/lib/f2.ts') ?? [] },
  };
  const fitting = await suggest({ mode: 'rules' }, undefined, circular);
  expect(readRules('x.yaml', fitting.rulesYaml ?? '').rules).toEqual([]);
  const checked = workspaceOf({ ...circular, '.lattice/architecture.yaml': {} }, { texts: { '.lattice/architecture.yaml': fitting.rulesYaml ?? '' } });
  const answer = await askFeature('architecture', checked, {});
  expect(answer).toMatchObject({ ok: true, value: { violations: [] } });
});

test('a single folder with code is no layer: those inside of it are, or none', async () => {
  const files = (folder: string, count: number): WorkspaceSketch => Object.fromEntries(Array.from({ length: count }, (_, at) => [`${folder}/f${at}.ts`, {}]));
  const layersOf = async (sketch: WorkspaceSketch): Promise<readonly string[]> => {
    const { rulesYaml } = await suggest({ mode: 'rules' }, undefined, sketch);
    return readRules('x.yaml', rulesYaml ?? '').layers.flatMap(({ include }) => include);
  };
  const flat = { ...files('src/shop', 9), ...files('examples', 4) };
  expect(await layersOf(flat)).toEqual([]);
  expect(await layersOf({ ...flat, ...files('src/shop/cart', 3), ...files('src/shop/pay', 2) })).toEqual(['src/shop/cart/**', 'src/shop/pay/**']);
  expect(await layersOf({ ...files('src/cart', 3), ...files('src/pay', 2) })).toEqual(['src/cart/**', 'src/pay/**']);
});

test.each([
  [{}, 'VALIDATION_ERROR'],
  [{ description: 'x', kind: 'planet' }, 'VALIDATION_ERROR'],
  [{ description: 'x', dependsOn: ['Nowhere'] }, 'NOT_FOUND'],
])('%j fails with %s', async (params, code) => {
  expect(await askFeature('suggestArchitecture', workspaceOf(SKETCH), params)).toMatchObject({ ok: false, error: { code } });
});

test('where tests stand beside what they test, so does a new one, whatever its own folder has', async () => {
  const beside = ['src/a/one', 'src/b/two', 'src/c/three'].flatMap((stem): [string, FileSketch][] => [
    [`${stem}.ts`, file('X', 'Something.')],
    [`${stem}.test.ts`, { isTest: true, references: imports(`${stem}.ts`) ?? [] }],
  ]);
  const sketch = {
    ...Object.fromEntries(beside),
    'src/pay/refunds.ts': file('Refunds', 'Pays an invoice back.'),
    'e2e/site.test.ts': { isTest: true },
    'e2e/shop.test.ts': { isTest: true },
  };
  const { suggestions } = await suggest({ description: 'pays an invoice back', name: 'refundLimits', kind: 'function' }, undefined, sketch);
  const inPay = suggestions.find(row => row.path.startsWith('src/pay/'));
  expect(inPay?.testPath).toBe('src/pay/refundLimits.test.ts');
});
