import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { type ImpactReport, impactMarkdown } from '../../server/src/transports/cli/impactMarkdown';
import { removeFolder } from '../helpers/removeFolder.mjs';
import { cli, FakeHost } from './fakeHost';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lattice-impact-')));
const checkout = join(folder, 'shop');
mkdirSync(join(checkout, '.git'), { recursive: true });
afterAll(() => removeFolder(folder));

const ROW = {
  id: 'src/till.ts::Till::add',
  kind: 'method',
  path: 'src/till.ts',
  isTest: false,
  startLine: 9,
  depth: 1,
  relation: 'CALLS',
  line: 12,
  confidence: 1,
  via: ['src/pay.ts::total', 'src/till.ts::Till::add'],
} as const;
const REPORT: ImpactReport = {
  targets: ['src/pay.ts::total'],
  risk: 'medium',
  riskParts: { reach: 'small', tests: 1, changes: 14, uncovered: 0.25, raisedBy: ['changes'] },
  blastRadius: 12,
  counts: { impacted: 32, possibleTests: 0, direct: 1, transitive: 30, maybe: 1, directTests: 1, transitiveTests: 0, files: 11 },
  directDependents: [ROW],
  transitiveDependents: Array.from({ length: 30 }, (_, at) => ({
    ...ROW,
    id: `src/u${at}.ts::use`,
    depth: 2,
    via: ['src/pay.ts::total', ROW.id, `src/u${at}.ts::use`],
  })),
  directTests: [{ ...ROW, id: 'test/a|b.test.ts', path: 'test/a|b.test.ts', line: 0, startLine: 1 }],
  transitiveTests: [],
  maybe: [{ ...ROW, confidence: 0.4 }],
  changes: {
    since: 'HEAD~1 (abc1234)',
    files: [
      { path: 'src/pay.ts', status: 'modified' },
      { path: 'src/new.ts', status: 'renamed', oldPath: 'src/old.ts' },
      { path: 'yarn.lock', status: 'modified' },
    ],
    symbols: ['src/pay.ts::total'],
    deleted: ['src/old.ts::Box::open'],
    notIndexed: ['yarn.lock'],
    truncated: false,
  },
  stamp: { revision: 7, head: 'abcdef012345', pendingFiles: 0 },
};

let host: FakeHost;
beforeEach(() => {
  host = new FakeHost(folder);
  host.prepare = gateway => {
    gateway.answers = { impact: () => REPORT };
  };
});

test('the comment says the verdict first, then what changed, who depends and why', () => {
  const text = impactMarkdown(REPORT);
  const lines = text.split('\n');
  expect(lines[0]).toBe('### Impact since `HEAD~1 (abc1234)`');
  expect(lines[2]).toBe(
    '**Risk: medium** (small reach, 1 test reaches it, *14 changes in a year*, 25% of its lines not covered) · 31 dependents in 11 files, 1 test, 1 possible.',
  );
  for (const part of [
    '- `src/pay.ts`: `total`',
    '- `src/new.ts` (was `src/old.ts`): ~~`Box.open`~~',
    'Not indexed: `yarn.lock`',
    '<details open><summary>Direct dependents (1)</summary>',
    '| `Till.add` | `src/till.ts:12` | calls `total` |',
    '| `use` | `src/till.ts:12` | calls `Till.add` ← `total` |',
    '…and 5 more.',
    '`test/a\\|b.test.ts:1`',
    'calls `total` (40%) |',
    '<sub>Lattice, revision 7, commit abcdef012345</sub>',
  ])
    expect(text).toContain(part);
  expect(text).not.toContain('Tests that use the changed code indirectly');
  for (const line of lines.filter(each => each.startsWith('|'))) expect(line.match(/(?<!\\)\|/g)).toHaveLength(4);
});

test('figures are grouped by thousands', () => {
  const text = impactMarkdown({ ...REPORT, counts: { ...REPORT.counts, direct: 1234, maybe: 2345, directTests: 4321, possibleTests: 3456 } });
  for (const part of ['4,321 tests (3,456 possible), 2,345 possible.', 'dependents (1,234)</summary>', '…and 1,209 more.']) expect(text).toContain(part);
});

test('nothing changed, and nothing that depends, are said', () => {
  const counts = { impacted: 0, possibleTests: 0, direct: 0, transitive: 0, maybe: 0, directTests: 0, transitiveTests: 0, files: 0 };
  const lists = {
    directDependents: [],
    transitiveDependents: [],
    directTests: [],
    transitiveTests: [],
    maybe: [],
    counts,
    blastRadius: 0,
    risk: 'low',
    riskParts: { reach: 'small', tests: 0, raisedBy: [] },
  } as const;
  const changes = { since: 'HEAD', files: [], symbols: [], deleted: [], notIndexed: [], truncated: false };
  expect(impactMarkdown({ ...REPORT, ...lists, changes })).toContain('Nothing changed.');
  const { changes: _, ...target } = REPORT;
  expect(impactMarkdown({ ...target, ...lists })).toMatch(
    /^### Impact of `src\/pay\.ts::total`\n\n\*\*Risk: low\*\* \(small reach, no test reaches it\) · no dependents and no tests found/,
  );
});

test.each([
  [['--fail-on', 'high'], 0],
  [['--fail-on', 'medium'], 5],
  [[], 0],
  [['--fail-on', 'always'], 2],
  [['--format', 'xml'], 2],
])('%j ends with %i', async (words, exit) => {
  const answer = await cli(host, checkout, ['impact', '--since', 'HEAD~1', '--format', 'markdown', ...words]);
  expect(answer.exit).toBe(exit);
  if (exit === 5) expect(answer.err).toContain('Risk: medium (small reach,');
  if (exit !== 2) expect(host.gateway.queries[0]).toMatchObject({ feature: 'impact', params: { since: 'HEAD~1' } });
});

test('text and json ask the tool, and may end with 5 too', async () => {
  const text = await cli(host, checkout, ['impact', '--since', 'HEAD', '--depth', '2', '--fail-on', 'medium']);
  expect(text.exit).toBe(5);
  expect(host.gateway.calls[0]).toMatchObject({ name: 'impact_analyze', input: { since: 'HEAD', maxDepth: 2, profile: 'balanced' } });
  const json = await cli(host, checkout, ['impact', 'total', '--format', 'json']);
  expect([json.exit, JSON.parse(json.out)]).toMatchObject([0, { ok: true }]);
});

test('what cannot be told ends with its own exit', async () => {
  host.prepare = gateway => {
    gateway.answers = {};
  };
  const { exit, err, out } = await cli(host, checkout, ['impact', '--since', 'nope', '--format', 'markdown']);
  expect([exit, out]).toEqual([2, '']);
  expect(err).toContain('error:');
});
