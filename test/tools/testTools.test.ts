import { expect, test } from 'vitest';
import { ok } from '../../server/src/base/result';
import type { Invoked } from '../../server/src/tools/invoke';
import { askNamedTool } from '../helpers/askTool';
import type { WorkspaceSketch } from '../helpers/graphOf';
import { shop } from '../helpers/shop';
import { type WorkspaceOptions, workspaceOf } from '../helpers/workspaceOf';

const SHOP: WorkspaceSketch = { ...shop, 'package.json': {} };
const OPTIONS: WorkspaceOptions = {
  texts: { 'package.json': '{"devDependencies":{"vitest":"4"}}' },
  changes: () => ok({ since: 'HEAD', files: [], truncated: false }),
};

function call(name: string, input: Readonly<Record<string, unknown>>, sketch = SHOP, options = OPTIONS): Promise<Invoked> {
  return askNamedTool(workspaceOf(sketch, options), { name, input, agentId: undefined, sessionId: 's' });
}

test.each([
  [
    'test_select',
    { files: ['src/pay.ts'] },
    { tests: [{ id: 'test/pay.test.ts::testTotal' }, {}], commands: ['npx vitest run test/pay.test.ts test/checkout.test.ts'] },
  ],
  ['test_select', { files: 'src/pay.ts', include_transitive: 'false' }, { tests: [{ id: 'test/pay.test.ts::testTotal' }] }],
  ['test_categorize', {}, { counts: { unit: 2, e2e: 0 }, tests: [{ file: 'test/checkout.test.ts', framework: 'vitest' }, {}] }],
  ['test_categorize', { paths: ['test/pay.test.ts'] }, { tests: [{ file: 'test/pay.test.ts' }] }],
  ['impact_analyze', { since: 'HEAD' }, { blastRadius: 0 }],
])('%s of %j', async (name, input, data) => {
  const { envelope, text } = await call(name, { ...input, profile: 'balanced' });
  expect(envelope).toMatchObject({ ok: true, data });
  expect(text).toContain(envelope.summary);
});

test.each([
  ['test_select', { depth: 11 }, 'VALIDATION_ERROR'],
  ['test_select', { categories: ['nice'] }, 'VALIDATION_ERROR'],
  ['test_select', { files: ['../x'] }, 'FORBIDDEN'],
  ['test_categorize', { category: 'nice' }, 'VALIDATION_ERROR'],
  ['test_categorize', { paths: ['/etc'] }, 'FORBIDDEN'],
])('%s of %j fails with %s', async (name, input, errorCode) => {
  expect((await call(name, input)).envelope).toMatchObject({ ok: false, errorCode });
});

test.each(['test_select', 'impact_analyze'])('%s says that nothing changed, and when nobody can tell', async name => {
  expect((await call(name, { since: 'HEAD' })).envelope.summary).toBe('Nothing changed since HEAD.');
  const { changes: _, ...noGit } = OPTIONS;
  expect((await call(name, { since: 'HEAD' }, SHOP, noGit)).envelope).toMatchObject({ ok: false, errorCode: 'UNAVAILABLE' });
});

const MANY: WorkspaceSketch = {
  'package.json': {},
  'src/a.ts': { symbols: [{ name: 'f' }] },
  'src/m.ts': { symbols: [{ name: 'g' }], references: [{ from: 'g', relation: 'CALLS', to: 'src/a.ts::f', source: 'heuristic' }] },
  ...Object.fromEntries(
    Array.from({ length: 120 }, (_, at) => [
      `test/t${at}.test.ts`,
      { isTest: true, symbols: [{ name: 'works' }], references: [{ from: 'works', relation: 'TESTS' as const, to: 'src/a.ts::f', source: 'import' as const }] },
    ]),
  ),
};

test.each([
  ['test_select', { files: ['src/a.ts'] }, 'tests', 120],
  ['test_categorize', {}, 'tests', 120],
  ['impact_analyze', { target: 'src/a.ts::f' }, 'impactedSymbols', 120],
])('%s pages to the end, each page within its budget', async (name, input, key, total) => {
  const seen: string[] = [];
  const others: string[] = [];
  let cursor: unknown;
  for (let page = 0; page < 200; page++) {
    const { envelope } = await call(name, { ...input, ...(cursor === undefined ? {} : { cursor }) }, MANY);
    expect(envelope).toMatchObject({ ok: true });
    expect(envelope._tokenEstimate).toBeLessThanOrEqual(300);
    const rows = (envelope.data?.[key] ?? []) as readonly { readonly id: string }[];
    seen.push(...rows.map(row => row.id));
    others.push(...((envelope.data?.['maybe'] ?? []) as readonly { readonly id: string }[]).map(row => row.id));
    cursor = envelope.data?.['nextCursor'];
    if (cursor === undefined) break;
  }
  expect(new Set(seen).size).toBe(total);
  expect(seen).toHaveLength(total);
  if (name === 'impact_analyze') expect(others).toEqual(['src/m.ts::g']);
});

test('the same question on the same revision gets the same bytes', async () => {
  const ask = async (): Promise<string> => JSON.stringify(await call('test_select', { files: ['src/a.ts'], profile: 'debug' }, MANY));
  expect(await ask()).toBe(await ask());
});

test('the cursor leads past maxTests, so that a cut list of tests has an end', async () => {
  const seen: unknown[] = [];
  for (let cursor: unknown, more = true; more; ) {
    const input = { files: ['src/a.ts'], maxTests: 50, profile: 'debug', ...(cursor === undefined ? {} : { cursor }) };
    const { envelope } = await call('test_select', input, MANY);
    seen.push(...((envelope.data?.['tests'] ?? []) as readonly { readonly id: unknown }[]).map(row => row.id));
    if (cursor === undefined) expect(envelope.data).toMatchObject({ truncated: true, total: 120 });
    cursor = envelope.data?.['nextCursor'];
    more = cursor !== undefined;
  }
  expect([seen.length, new Set(seen).size]).toEqual([120, 120]);
});
