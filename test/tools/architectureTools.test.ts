import { expect, test } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import { TOOLS } from '../../server/src/tools/catalogue';
import { type Invoked, invoke } from '../../server/src/tools/invoke';
import type { WorkspaceSketch } from '../helpers/graphOf';
import { shop } from '../helpers/shop';
import { type WorkspaceOptions, workspaceOf } from '../helpers/workspaceOf';

const RULES = 'version: 1\nlayers:\n  - {id: till, include: ["src/checkout.ts"], mayDependOn: []}\n  - {id: money, include: ["src/pay.ts"]}\n';
const DECLARED: WorkspaceOptions = { texts: { '.lattice/architecture.yaml': RULES } };

function call(name: string, input: Readonly<Record<string, unknown>>, sketch: WorkspaceSketch = shop, options: WorkspaceOptions = DECLARED): Promise<Invoked> {
  return invoke(TOOLS, workspaceOf(sketch, options), { name, input, agentId: undefined, sessionId: 's' }, neverCancelled);
}

test.each([
  [
    'arch_validate',
    {},
    {
      status: 'fail',
      violations: [
        {
          ruleId: 'layers',
          severity: 'error',
          from: { file: 'src/checkout.ts', line: 1 },
          to: 'src/pay.ts',
          edge: 'imports',
          layerFrom: 'till',
          layerTo: 'money',
        },
        {},
      ],
      summary: { error: 2 },
      rulesSource: '.lattice/architecture.yaml',
    },
  ],
  ['arch_validate', { min_severity: 'ERROR', files: 'src/pay.ts' }, { status: 'pass', violations: [] }],
  ['arch_suggest', { description: 'pays for a basket', depends_on: 'src/pay.ts' }, { suggestions: [{ path: 'src/paysBasket.ts' }] }],
  ['arch_suggest', { mode: 'rules' }, { rulesYaml: 'version: 1\nrules:\n  - {id: acyclic, type: no-cycle, scope: file, edges: [IMPORTS]}\n' }],
  [
    'find_pattern',
    { pattern: 'sums lines of a bill' },
    { groups: [{ patternId: 'search', matches: [{ id: 'src/pay.ts::total', file: 'src/pay.ts', lines: '11-13' }, {}] }] },
  ],
  ['find_pattern', { pattern: 'orphan-event' }, { total: 0, degraded: ['services'] }],
])('%s of %j', async (name, input, data) => {
  const { envelope, text } = await call(name, { ...input, profile: 'balanced' });
  expect(envelope).toMatchObject({ ok: true, data });
  expect(text).toContain(envelope.summary);
});

test.each([
  ['arch_validate', { rules: ['x'] }, 'VALIDATION_ERROR'],
  ['arch_validate', { minSeverity: 'loud' }, 'VALIDATION_ERROR'],
  ['arch_validate', { files: ['/etc'] }, 'FORBIDDEN'],
  ['arch_validate', { since: 'HEAD' }, 'UNAVAILABLE'],
  ['arch_suggest', {}, 'VALIDATION_ERROR'],
  ['arch_suggest', { description: 'x', limit: 11 }, 'VALIDATION_ERROR'],
  ['arch_suggest', { description: 'x', kind: 'planet' }, 'VALIDATION_ERROR'],
  ['arch_suggest', { description: 'x', dependsOn: ['zzz'] }, 'NOT_FOUND'],
  ['find_pattern', {}, 'VALIDATION_ERROR'],
  ['find_pattern', { pattern: 'hub', limit: 0 }, 'VALIDATION_ERROR'],
  ['find_pattern', { pattern: 'MATCH (a) SET a.x = 1 RETURN a' }, 'READ_ONLY'],
])('%s of %j fails with %s', async (name, input, errorCode) => {
  expect((await call(name, input)).envelope).toMatchObject({ ok: false, errorCode });
});

test.each([
  ['arch_validate', {}],
  ['arch_suggest', { description: 'x' }],
  ['find_pattern', { pattern: 'hub' }],
])('%s waits for the first index', async (name, input) => {
  expect((await call(name, input, shop, { notReady: true })).envelope).toMatchObject({ ok: false, errorCode: 'NOT_READY' });
});

test.each([
  [{ description: 'x', limit: 11 }, /^limit must be at most 10\.$/],
  [{ description: 'x', limit: 0 }, /^limit must be at least 1\.$/],
  [{ description: 'x', kind: 'planet' }, /^kind must be one of class, function, /],
])('%j: what is wrong is said in plain words', async (input, message) => {
  expect((await call('arch_suggest', input)).envelope.summary).toMatch(message);
});

test('a suggested rule file keeps its lines in the text', async () => {
  const { text } = await call('arch_suggest', { mode: 'rules' });
  expect(text).toContain('version: 1\nrules:\n  - {id: acyclic');
});

test('without rules the hint proposes some', async () => {
  const { envelope } = await call('arch_validate', {}, shop, {});
  expect(envelope).toMatchObject({ ok: true, data: { status: 'pass', rulesSource: 'builtin' } });
  expect(envelope.hint).toContain('arch_suggest with mode rules');
});

const MANY: WorkspaceSketch = {
  'src/hub/index.ts': {},
  ...Object.fromEntries(
    Array.from({ length: 90 }, (_, at) => [
      `src/ui/f${at}.ts`,
      {
        symbols: [{ name: `wide${at}`, signature: `function wide${at}(a, b, c, d, e, f)` }],
        references: [{ from: '', relation: 'IMPORTS' as const, to: 'src/hub/index.ts', source: 'import' as const }],
      },
    ]),
  ),
};
const FORBIDDEN: WorkspaceOptions = {
  texts: { '.lattice/architecture.yaml': 'version: 1\nrules:\n  - {id: no-hub, type: forbid, from: {path: src/ui}, to: {path: src/hub}}\n' },
};

test.each([
  ['arch_validate', {}, (data: Readonly<Record<string, unknown>>) => data['violations']],
  [
    'find_pattern',
    { pattern: 'long-parameter-list', limit: 200 },
    (data: Readonly<Record<string, unknown>>) => (data['groups'] as readonly { readonly matches: unknown }[] | undefined)?.[0]?.matches,
  ],
  [
    'find_pattern',
    { pattern: 'long-parameter-list' },
    (data: Readonly<Record<string, unknown>>) => (data['groups'] as readonly { readonly matches: unknown }[] | undefined)?.[0]?.matches,
  ],
])('%s of %j pages to the end, each page within its budget', async (name, input, rowsOf) => {
  const seen: string[] = [];
  let cursor: unknown;
  for (let page = 0; page < 100; page++) {
    const { envelope } = await call(name, { ...input, ...(cursor === undefined ? {} : { cursor }) }, MANY, FORBIDDEN);
    expect(envelope).toMatchObject({ ok: true });
    expect(envelope._tokenEstimate).toBeLessThanOrEqual(300);
    seen.push(...((rowsOf(envelope.data ?? {}) ?? []) as readonly object[]).map(row => JSON.stringify('from' in row ? row.from : row)));
    cursor = envelope.data?.['nextCursor'];
    if (cursor === undefined) break;
  }
  expect(cursor).toBeUndefined();
  expect(new Set(seen).size).toBe(90);
  expect(seen).toHaveLength(90);
});

test('a pattern that is none is answered with those there are', async () => {
  expect((await call('find_pattern', { pattern: 'zzz' })).envelope.hint).toMatch(/^No pattern with this ID.*circular-dependency.*observer/);
  expect((await call('find_pattern', { pattern: 'singleton' })).envelope.hint).toMatch(/^No matches/);
});
