import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type DiffReport, diffMarkdown } from '../../server/src/transports/diffMarkdown';
import { removeFolder } from '../helpers/removeFolder.mjs';
import { cli, FakeHost } from './fakeHost';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lattice-diff-')));
const checkout = join(folder, 'shop');
mkdirSync(join(checkout, '.git'), { recursive: true });
afterAll(() => removeFolder(folder));

const USE = { id: 'src/use|d.ts::use', path: 'src/use|d.ts', line: 4, relation: 'CALLS', isTest: false } as const;
const NODE = { id: 'src/a.ts::f', kind: 'function', path: 'src/a.ts', line: 3, change: 'signature', isTest: false, isExported: true } as const;
const VIOLATION = {
  ruleId: 'no-cycles',
  severity: 'error',
  from: { id: 'src/a.ts', file: 'src/a.ts', line: 2 },
  to: 'src/b.ts',
  edge: 'imports',
  layerFrom: '',
  layerTo: '',
  message: 'A circle <b>.',
  suggestion: '',
  baseline: false,
  ruleLine: 0,
  members: ['src/a.ts', 'src/b.ts'],
} as const;

function report(size: number): DiffReport {
  const many = <T>(row: T): T[] => Array.from({ length: size }, () => row);
  return {
    from: { name: 'origin/main...HEAD', commit: 'abcdef012345', at: 1 },
    to: { name: 'working', commit: '123456789012' },
    nodes: [...many({ ...NODE, oldSignature: 'f(a)', signature: 'f(a, b)' }), ...many({ ...NODE, id: 'test/a.ts::t', isTest: true })],
    counts: { added: 0, removed: 0, moved: 0, renamed: 0, signature: size, body: 0, files: size },
    edges: { added: [], removed: [], units: many({ level: 'file', change: 'added', from: 'src/a.ts', to: 'src/b.ts' }) },
    breaking: Array.from({ length: size }, (_, at) => ({
      id: `src/a.ts::f${at}`,
      kind: 'function',
      reason: 'signature',
      oldSignature: 'f(a)',
      signature: 'f(a, b)',
      uses: [USE, USE, { ...USE, line: 9, possible: true }],
      total: 3,
    })),
    interfaces: many({ change: 'added', kind: 'endpoint', id: 'endpoint::shop::GET::/a', name: 'GET /a|b', service: 'shop', path: 'src/a.ts', line: 3 }),
    architecture: { added: many(VIOLATION), resolved: many(VIOLATION) },
    tests: many({ id: 'test/a.ts', file: 'test/a.ts' }),
    commands: many('npx vitest run'),
    untested: Array.from({ length: size }, (_, at) => `src/a.ts::g${at}`),
    risk: 'high',
    riskParts: { reach: 'large', tests: 0, raisedBy: ['tests'] },
    notes: [],
    stamp: { revision: 7, head: 'abcdef012345', pendingFiles: 0 },
  };
}

/** What is read before anything folded is opened. */
function open(markdown: string): string[] {
  return markdown
    .replaceAll(/<details>(<summary>.*?<\/summary>).*?<\/details>/gs, '$1')
    .trimEnd()
    .split('\n');
}

test('the comment says what breaks and where, and folds the rest', () => {
  const text = diffMarkdown(report(1));
  for (const part of [
    '### Changes in the graph from `origin/main...HEAD` (abcdef0) to the current code',
    '**Risk: high** (large reach, *no test reaches it*) · **1 breaking change** · 1 new in architecture · 1 changed without tests.',
    '- `src/a.ts::f0` signature changed: `f(a)` → `f(a, b)`. Still used at `src/use\\|d.ts:4`, `src/use\\|d.ts:9` (possible).',
    '- added endpoint `GET /a|b` of `shop`, `src/a.ts:3`',
    'Services: 1 endpoint added.',
    '- error: `src/a.ts:2` A circle \\<b\\>.',
    '<details><summary>Changed in tests (1)</summary>',
    'Run: `npx vitest run`',
  ])
    expect(text).toContain(part);
  expect(open(diffMarkdown(report(500))).length).toBeLessThanOrEqual(60);
  expect(diffMarkdown(report(1234))).toContain('**1,234 breaking changes** · 1,234 new in architecture · 1,234 changed without tests.');
  expect(diffMarkdown(report(1234))).toContain('<summary>Tests that cover the change (1,234)</summary>');
  expect(diffMarkdown({ ...report(0), risk: 'low' })).toContain('Nothing changed.');
});

test.each([
  [[], 1, 0],
  [['--fail-on', 'breaking'], 1, 5],
  [['--fail-on', 'cycle'], 1, 5],
  [['--fail-on', 'architecture'], 1, 5],
  [['--fail-on', 'risk'], 1, 5],
  [['--fail-on', 'breaking,cycle,architecture'], 0, 0],
  [['--fail-on', 'everything'], 1, 2],
  [['--format', 'markdown'], 1, 0],
  [['--format', 'json', '--fail-on', 'breaking'], 1, 5],
] as const)('%j on %i of each ends with %i', async (words, size, exit) => {
  const host = new FakeHost(folder);
  host.prepare = gateway => {
    gateway.answers = { graphDiff: () => report(size) };
  };
  const answer = await cli(host, checkout, ['diff', 'v1', 'v2', ...words]);
  expect(answer.exit).toBe(exit);
  const asked = host.gateways.size === 0 ? [] : [...host.gateway.queries.map(query => query.params), ...host.gateway.calls.map(call => call.input)];
  for (const params of asked) expect(params).toMatchObject({ from: 'v1', to: 'v2' });
  if (words[1] === 'json') expect(JSON.parse(answer.out)).toMatchObject({ breaking: [{ reason: 'signature' }] });
});
