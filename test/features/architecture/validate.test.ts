import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CancellationSource, Cancelled } from '../../../server/src/base/cancellation';
import { ok } from '../../../server/src/base/result';
import { readRules } from '../../../server/src/features/architecture/ruleFile';
import type { ArchitectureAnswer } from '../../../server/src/features/architecture/validate';
import { askFeature } from '../../helpers/askFeature';
import type { FileSketch, WorkspaceSketch } from '../../helpers/graphOf';
import { type WorkspaceOptions, workspaceOf } from '../../helpers/workspaceOf';
import { imports, LAYERS, RULES, SKETCH } from './layeredApp';

async function check(rules: string | undefined, params: object = {}, options: WorkspaceOptions = {}, sketch = SKETCH): Promise<ArchitectureAnswer> {
  const workspace = workspaceOf(sketch, { ...options, texts: { ...(rules === undefined ? {} : { [RULES]: rules }), ...options.texts } });
  const found = await askFeature('architecture', workspace, params);
  if (!found.ok) throw new Error(`${found.error.code}: ${found.error.message}`);
  return found.value as ArchitectureAnswer;
}

const told = ({ violations }: ArchitectureAnswer): string[] =>
  violations.map(({ ruleId, from, edge, to, baseline }) =>
    `${ruleId} ${from.file}:${from.line} ${edge} ${to}${baseline ? ' accepted' : ''}`.replaceAll('  ', ' ').trim(),
  );

const MONEY_CYCLE = 'src/domain/money.ts:2 imports src/domain/rate.ts';

const CASES: readonly [name: string, rules: string | undefined, expected: string[], sketch?: WorkspaceSketch][] = [
  ['layers alone', LAYERS, ['layers src/ui/page.ts:2 imports src/domain/money.ts', 'layers src/ui/page.ts:5 calls src/domain/money.ts::add']],
  ['no-cycle', 'version: 1\nrules:\n  - {id: acyclic, type: no-cycle, scope: file}', [`acyclic ${MONEY_CYCLE}`]],
  [
    'a cycle of layers',
    `${LAYERS.replace('mayDependOn: []', 'mayDependOn: [ui]')}rules:\n  - {id: c, type: no-cycle, scope: layer}\n`,
    [
      'c src/app/cart.ts:1 imports src/domain/money.ts',
      'layers src/ui/page.ts:2 imports src/domain/money.ts',
      'layers src/ui/page.ts:5 calls src/domain/money.ts::add',
    ],
    { ...SKETCH, 'src/domain/up.ts': { references: [imports('src/ui/page.ts')] } },
  ],
  [
    'forbid a package',
    `${LAYERS}rules:\n  - {id: pure, type: forbid, from: {layer: domain}, to: {package: express}, edges: [IMPORTS]}\n`,
    [
      'layers src/ui/page.ts:2 imports src/domain/money.ts',
      'layers src/ui/page.ts:5 calls src/domain/money.ts::add',
      'pure src/domain/money.ts:1 imports express',
    ].sort(),
  ],
  [
    'only-via',
    'version: 1\nrules:\n  - {id: gate, type: only-via, to: {path: "src/db/**"}, via: {path: "src/db/index.ts"}}',
    ['gate src/app/cart.ts:2 imports src/db/pool.ts'],
  ],
  ['naming', 'version: 1\nrules:\n  - {id: n, type: naming, select: {path: "src/app/**", kind: class}, match: "Service$"}', ['n src/app/cart.ts:1']],
  ['max-fan-out', 'version: 1\nrules:\n  - {id: thin, type: max-fan-out, select: {path: src/app}, limit: 1, severity: warning}', ['thin src/app/cart.ts:1']],
  ['nothing declared: cycles only', undefined, [`no-cycle ${MONEY_CYCLE}`]],
];

test.each(CASES.map(([name, rules, expected, sketch]) => [name, rules, expected, sketch] as const))('%s', async (_, rules, expected, sketch) => {
  const answer = await check(rules, {}, {}, sketch);
  expect(told(answer).sort()).toEqual(expected);
  expect(answer.rulesSource).toBe(rules === undefined ? 'builtin' : RULES);
});

test('warnings do not fail, errors do; maybes are no violation', async () => {
  expect(await check('version: 1\nrules:\n  - {id: thin, type: max-fan-out, select: {path: src/app}, limit: 1, severity: warning}')).toMatchObject({
    status: 'pass',
    counts: { error: 0, warning: 1 },
    checkedFiles: 7,
  });
  expect(await check(LAYERS)).toMatchObject({ status: 'fail', counts: { error: 2 }, unassignedFiles: ['src/db/index.ts', 'src/db/pool.ts', 'src/other.ts'] });
  expect((await check('version: 1\nrules:\n  - {id: f, type: forbid, to: {path: src/ui}}')).violations).toEqual([]);
});

test('the way round a cycle begins at a file that was asked about', async () => {
  const { violations } = await check(undefined, { files: ['src/domain/rate.ts'] });
  expect(violations.map(row => row.message)).toEqual([
    'Rule no-cycle: cyclic dependency between files: src/domain/rate.ts → src/domain/money.ts → src/domain/rate.ts.',
  ]);
  expect(violations[0]).toMatchObject({ from: { file: 'src/domain/rate.ts', line: 4 }, members: ['src/domain/money.ts', 'src/domain/rate.ts'] });
});

test.each([
  ['unknown keys', 'version: 1\nlayers:\n  - {id: a, include: [x], mayDependsOn: [b]}', '3 warning Unknown key "mayDependsOn" in a layer.'],
  ['an unknown layer', 'version: 1\nlayers:\n  - {id: a, include: [x], mayDependOn: [b]}', '3 error Layer a may depend on b'],
  ['a missing field', 'version: 1\nrules:\n  - id: f\n    type: forbid', '3 error Rule f (forbid) requires to.'],
  ['an unknown type', 'version: 1\nrules:\n  - id: f\n    type: forbids', '4 error type must be one of'],
  [
    'a wrong pattern',
    'version: 1\nrules:\n  - {id: f, type: naming, select: {kind: class}, match: "("}',
    '3 error match of rule f is not a valid regular expression',
  ],
  [
    'a slow pattern',
    'version: 1\nrules:\n  - {id: f, type: naming, select: {kind: class}, match: "(a+)+$"}',
    '3 error match of rule f has repetitions or alternatives inside a repetition',
  ],
  ['a wrong relation', 'version: 1\nrules:\n  - {id: f, type: forbid, to: {path: x}, edges: [EATS]}', '3 error edges of rule f must be relations'],
  ['a wrong kind', 'version: 1\nrules:\n  - {id: f, type: forbid, to: {kind: klass}}', '3 error to of rule f has the unknown kind klass'],
  ['twice the same id', 'version: 1\nrules:\n  - {id: f, type: no-cycle}\n  - {id: f, type: no-cycle}', '4 error There is already a rule with the ID f.'],
  ['no version', 'rules: []', '1 warning version is missing'],
  ['another version', 'version: 2', '1 error version must be 1.'],
  ['no YAML', 'version: 1\nrules: [', '2 error Invalid YAML'],
  ['a list instead of a mapping', '- a', '1 error the rule file must be a mapping'],
  ['a baseline elsewhere', 'version: 1\nbaseline: ../x.json', '2 error baseline must be a .json file in .lattice'],
  [
    'an exception that ran out',
    'version: 1\nrules:\n  - {id: f, type: no-cycle}\nexceptions:\n  - {rule: f, from: src/domain/money.ts, reason: old, until: 2026-05-31}',
    '5 warning The exception for src/domain/money.ts from f expired on 2026-05-31',
  ],
  ['an exception for nothing', 'version: 1\nexceptions:\n  - {rule: g, from: x, reason: y}', '3 warning The exception is for g, which is not a rule.'],
  [
    'a day that is none',
    'version: 1\nrules:\n  - {id: f, type: no-cycle}\nexceptions:\n  - {rule: f, from: x, reason: y, until: soon}',
    '5 error until must be a date',
  ],
])('%s is told with its line', async (_, rules, expected) => {
  const { violations } = await check(rules);
  const findings = violations.filter(row => row.ruleId === 'rules-file').map(row => `${row.from.line} ${row.severity} ${row.message}`);
  expect(findings.some(finding => finding.startsWith(expected))).toBe(true);
  expect(violations.find(row => row.ruleId === 'rules-file')?.from.file).toBe(RULES);
});

test.each([
  ['until a later day', 'until: 2026-06-01', 0],
  ['until an earlier day', 'until: 2026-05-31', 2],
  ['to something else', 'to: src/app/cart.ts', 2],
])('an exception %s', async (_, more, errors) => {
  const rules = `${LAYERS}exceptions:\n  - {rule: layers, from: src/ui/page.ts, reason: "until replaced", ${more}}\n`;
  expect((await check(rules)).counts).toMatchObject({ error: errors, excepted: 2 - errors });
});

test('a baseline accepts what it names; cycles as long as nothing joins them', async () => {
  const workspace = (texts: Readonly<Record<string, string>>) => workspaceOf(SKETCH, { texts });
  const edit = await askFeature('architectureEdit', workspace({ [RULES]: LAYERS }), { kind: 'acceptAll' });
  if (!edit.ok) throw new Error(edit.error.message);
  const { path, before, after } = edit.value as { path: string; before?: string; after: string };
  expect([path, before]).toEqual(['.lattice/architecture-baseline.json', undefined]);
  const accepted = await check(LAYERS, {}, { texts: { [path]: after } });
  expect(accepted).toMatchObject({ status: 'pass', counts: { error: 0, baseline: 2 }, fixed: 0 });
  expect(accepted.violations.every(row => row.baseline)).toBe(true);

  const knot = {
    texts: {
      [path]: '{"version":1,"violations":[{"rule":"no-cycle","members":["src/domain/money.ts","src/domain/rate.ts"]},{"rule":"no-cycle","from":"gone"}]}',
    },
  };
  expect(await check(undefined, {}, knot)).toMatchObject({ status: 'pass', fixed: 1 });
  const wider = {
    ...SKETCH,
    'src/app/cart.ts': { references: [imports('src/domain/money.ts')] },
    'src/domain/rate.ts': { references: [imports('src/domain/money.ts'), imports('src/app/cart.ts')] },
  };
  expect(await check(undefined, {}, knot, wider)).toMatchObject({ status: 'fail' });
});

test('a broken baseline is told and accepts nothing', async () => {
  const answer = await check(LAYERS, {}, { texts: { '.lattice/architecture-baseline.json': '{}' } });
  expect(answer.counts).toMatchObject({ error: 3, baseline: 0 });
});

test.each([
  [{ rules: ['layers'] }, 2],
  [{ files: ['src/ui'] }, 2],
  [{ files: ['src/domain'] }, 1],
  [{ since: 'HEAD' }, 1],
  [{ minSeverity: 'error' }, 3],
  [{ query: 'which imports break the layers?' }, 2],
  [{ query: 'domain' }, 3],
  [{ query: 'acyclic' }, 1],
  [{ query: 'rate' }, 0],
] as const)('%j limits what is told', async (params, count) => {
  const changes: WorkspaceOptions['changes'] = () =>
    ok({ since: 'HEAD', files: [{ path: 'src/domain/money.ts', status: 'modified', hunks: undefined, before: [] }], truncated: false });
  expect((await check(`${LAYERS}rules:\n  - {id: acyclic, type: no-cycle}\n`, params, { changes })).violations).toHaveLength(count);
});

test.each([
  [{ rules: ['nope'] }, 'VALIDATION_ERROR'],
  [{ minSeverity: 'loud' }, 'VALIDATION_ERROR'],
  [{ files: ['src/nothing.ts'] }, 'NOT_FOUND'],
  [{ files: ['../../x'] }, 'FORBIDDEN'],
  [{ since: 'HEAD' }, 'UNAVAILABLE'],
])('%j fails with %s', async (params, code) => {
  expect(await askFeature('architecture', workspaceOf(SKETCH), params)).toMatchObject({ ok: false, error: { code } });
});

test('imports that are gone at run time close no cycles unless a rule says so, and do not count elsewhere where one does', async () => {
  const types = (to: string): NonNullable<FileSketch['references']>[number] => ({ from: '', relation: 'IMPORTS_TYPES', to, source: 'import', line: 2 });
  const money = SKETCH['src/domain/money.ts'];
  const erased: WorkspaceSketch = { ...SKETCH, 'src/domain/money.ts': { ...money, references: [...(money?.references ?? []), types('src/domain/rate.ts')] } };
  const violations = async (rules: string, sketch: WorkspaceSketch): Promise<number> => (await check(`version: 1\n${rules}`, {}, {}, sketch)).violations.length;
  const acyclic = (flag: string): string => `rules:\n  - {id: acyclic, type: no-cycle${flag}}`;
  expect(await violations(acyclic(''), SKETCH)).toBe(1);
  expect(await violations(acyclic(''), erased)).toBe(0);
  expect(await violations(acyclic(', ignoreTypeOnly: false'), erased)).toBe(1);
  expect(await violations(`ignoreTypeOnly: false\n${acyclic('')}`, erased)).toBe(1);
  expect((await check(undefined, {}, {}, erased)).violations).toEqual([]);
  const forbid = (flag: string): string =>
    `rules:\n  - {id: apart, type: forbid, from: {path: [src/domain/money.ts]}, to: {path: [src/domain/rate.ts]}${flag}}`;
  expect(await violations(forbid(''), erased)).toBe(1);
  expect(await violations(forbid(', ignoreTypeOnly: true'), erased)).toBe(0);
});

test('a file that hangs together with another layer is told on request', async () => {
  const crowd = Object.fromEntries(
    ['a', 'b', 'c'].map(name => [
      `src/ui/${name}.ts`,
      { references: ['a', 'b', 'c'].filter(other => other !== name).map(other => imports(`src/ui/${other}.ts`)) },
    ]),
  );
  const sketch: WorkspaceSketch = { ...crowd, 'src/app/lost.ts': { references: Object.keys(crowd).map(path => imports(path)) } };
  const rules = 'version: 1\nlayers:\n  - {id: ui, include: ["src/ui/**"]}\n  - {id: app, include: ["src/app/**"]}\n';
  expect((await check(rules, {}, {}, sketch)).violations).toEqual([]);
  expect((await check(rules, { includeBoundaries: true }, {}, sketch)).violations).toMatchObject([
    { ruleId: 'community', severity: 'info', from: { file: 'src/app/lost.ts' } },
  ]);
});

test('the samples of the documentation are read without a fault', () => {
  const text = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'architecture-rules.md'), 'utf8');
  const samples = [...text.matchAll(/```yaml\n([\s\S]*?)```/g)].map(match => match[1] ?? '');
  expect(samples).toHaveLength(1);
  for (const sample of samples)
    expect(readRules(RULES, sample)).toMatchObject({ findings: [], layers: [{}, {}, {}], rules: [{}, {}, {}, {}, {}], exceptions: [{}] });
});

/** Every `properties` of a schema, however deep. */
function propertiesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = 'properties' in schema && typeof schema.properties === 'object' && schema.properties !== null ? Object.keys(schema.properties) : [];
  return [...own, ...Object.values(schema).flatMap(propertiesIn)];
}

test('the schema for the editor knows the keys that are read', () => {
  const known = new Set(propertiesIn(JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', '..', 'syntaxes', 'architecture.schema.json'), 'utf8'))));
  const told = ['x: 1', 'layers: [{x: 1}]', 'rules: [{x: 1}]', 'rules: [{id: a, type: forbid, to: {x: 1}}]', 'exceptions: [{x: 1}]'].flatMap(text =>
    readRules(RULES, text).findings.flatMap(finding => /Use one of (.*)\.$/.exec(finding.message)?.[1]?.split(', ') ?? []),
  );
  expect(told.length).toBeGreaterThan(20);
  expect(told.filter(key => !known.has(key))).toEqual([]);
});

test('over a large graph others run between the steps of a check, each of some thousand links', async () => {
  const FILES = 3000;
  const path = (at: number): string => `src/${at % 2 === 0 ? 'even' : 'odd'}/f${at}.ts`;
  const sketch: WorkspaceSketch = Object.fromEntries(
    Array.from({ length: FILES }, (_, at) => [path(at), { references: [1, 2, 3].map(step => imports(path((at + step) % FILES))) }]),
  );
  let pauses = 0;
  const rules =
    'version: 1\nlayers:\n  - {id: even, include: ["src/even/**"], mayDependOn: []}\n  - {id: odd, include: ["src/odd/**"]}\nrules:\n  - {id: acyclic, type: no-cycle, scope: file}\n  - {id: pure, type: forbid, from: {layer: even}, to: {package: express}}\n  - {id: thin, type: max-fan-out, select: {layer: odd}, limit: 15}\n';
  const workspace = { ...workspaceOf(sketch, { texts: { [RULES]: rules } }), pause: async () => void pauses++ };
  const found = await askFeature('architecture', workspace, {});
  expect(found).toMatchObject({ ok: true, value: { checkedEdges: 3 * FILES, status: 'fail' } });
  // Every pass over the 9,000 links (collecting, layers, two for the cycle, two more rules) and over the violations stops each 2,000.
  expect(pauses).toBeGreaterThan(20);
});

test('a check that nobody waits for any more ends at the next step', async () => {
  const sketch: WorkspaceSketch = Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`src/f${at}.ts`, { references: [imports('src/f0.ts')] }]));
  const source = new CancellationSource();
  const workspace = { ...workspaceOf(sketch), pause: async () => source.cancel() };
  await expect(askFeature('architecture', workspace, {}, source.token)).rejects.toThrow(Cancelled);
});
