import { expect, test } from 'vitest';
import type { ReportData, SceneDto } from '../../server/protocol/features';
import { HealthPage, type HotspotImpact } from '../../server/src/transports/cli/healthPage';
import { FakeGateway } from './fakeHost';

const EMPTY_OVERVIEW: SceneDto = {
  layout: 'blocks',
  title: 'shop',
  summary: '',
  starts: [],
  nodes: [],
  edges: [],
  groups: [],
  expanded: [],
  omitted: { nodes: 0, edges: 0 },
  facets: { relations: [], kinds: [], languages: [] },
  stamp: { revision: 1, head: '', pendingFiles: 0 },
};

const SPOT = {
  complexity: 1,
  id: 'src/a.ts::route',
  name: 'route',
  kind: 'function',
  file: 'src/a.ts',
  line: 3,
  score: 0,
  callers: 12,
  dependents: 40,
  tests: 0,
  possibleTests: 0,
  summary: '',
};
const REPORT: ReportData = {
  name: 'shop',
  version: '1.2.3',
  madeAt: '2026-01-01T00:00:00Z',
  head: 'abcdef012345',
  totals: { files: 1234, symbols: 9876, edges: 43210, lines: 200_000 },
  languages: [
    { language: 'typescript', files: 1200, symbols: 9000, lines: 180_000, errorShare: 0 },
    { language: 'python', files: 34, symbols: 876, lines: 20_000, errorShare: 0.03 },
  ],
  kinds: [
    { kind: 'function', count: 5000 },
    { kind: 'enum_member', count: 10 },
  ],
  relations: [
    { relation: 'CALLS', facts: 20_000, maybes: 300 },
    { relation: 'IMPORTS', facts: 5000, maybes: 0 },
  ],
  resolution: { resolved: 900, unresolved: 100, external: 5000, rate: 0.9 },
  cycles: [['src/a.ts', 'src/b.ts', 'src/c.ts']],
  hotspots: [SPOT, { ...SPOT, name: 'aVeryLongFunctionNameThatGoesOnAndOn', file: 'packages/core/src/deep/down/in/the/tree/of/folders/file.ts' }],
  activity: [],
  problems: [{ code: 'too_large', count: 2 }],
  overview: EMPTY_OVERVIEW,
  graph: { nodes: [], edges: [], omittedNodes: 0 },
};

const IMPACT: HotspotImpact = {
  reach: 'large',
  counts: { files: 2 },
  impactedFiles: [
    { path: 'src/b.ts', depth: 1 },
    { path: 'src/c.ts', depth: 2 },
  ],
};

async function page(report: ReportData, width = 100, impact: HotspotImpact = IMPACT, bundleFolder = '/opt/lattice/dist'): Promise<string> {
  return new HealthPage((_, text) => text, width).render({
    root: '/work/shop',
    report,
    health: await new FakeGateway('/work/shop').health(),
    impact,
    reportUrl: 'file:///data/reports/shop.html',
    bundleFolder,
  });
}

test('hotspots by change show the score that they are in order of; without changes the users', async () => {
  const scored = [
    { ...SPOT, changes: 6, complexity: 20, score: 1440 },
    { ...SPOT, changes: 0, callers: 99 },
  ];
  const rowsOf = (text: string): string[] => text.split('\n').filter(line => / {2,}(?:score|route) /.test(line));
  const [header, first, second] = rowsOf(await page({ ...REPORT, hotspots: scored }));
  expect(header).toMatch(/changes in a year × complexity × users +score +users +dependents +tests$/);
  expect(first).toMatch(/ 1,440 +12 +40 +–$/);
  expect(second).toMatch(/ – +99 +40 +–$/);
  expect(rowsOf(await page({ ...REPORT, hotspots: scored }, 78))[0]).toMatch(/by change +score +users +tests$/);
  expect(await page(REPORT)).toMatch(/code that most other code depends on +users +dependents +tests\n/);
});

test('the page shows figures, resolution, cycles, hotspots, an impact and how to go on', async () => {
  const text = await page(REPORT);
  for (const part of [
    '1,234 files',
    '43,210 edges',
    'typescript',
    '3.0%',
    'enum member',
    'certain + possible',
    '+ 300',
    '90% of 1,000',
    '↻ src/a.ts → src/b.ts → src/c.ts → src/a.ts',
    'If you change route',
    '12 users · 40 dependents · no tests · reach: large',
    'src/b.ts',
    '2 too large',
    'claude mcp add lattice -- node /opt/lattice/dist/cli.js mcp --workspace /work/shop',
  ]) {
    expect(text).toContain(part);
  }
});

test('no line of the tables is wider than the terminal', async () => {
  for (const width of [80, 100, 120]) {
    const lines = (await page(REPORT, width)).split('\n').filter(line => !/claude mcp|node \/opt|file:\/\/|npm run package/.test(line));
    expect(Math.max(...lines.map(line => Array.from(line).length))).toBeLessThanOrEqual(width);
  }
});

test('an empty folder gives a page without empty tables', async () => {
  const empty: ReportData = {
    ...REPORT,
    totals: { files: 0, symbols: 0, edges: 0, lines: 0 },
    languages: [],
    kinds: [],
    relations: [],
    resolution: { resolved: 0, unresolved: 0, external: 0, rate: 0 },
    cycles: [],
    hotspots: [],
    problems: [],
  };
  const text = await page(empty);
  expect(text).toContain('There are no files in this folder.');
  expect(text).not.toMatch(/Hotspots|Symbols|NaN/);
  const prose = await page({
    ...empty,
    totals: { files: 1, symbols: 0, edges: 0, lines: 0 },
    languages: [{ language: 'other', files: 1, symbols: 0, lines: 0, errorShare: 0 }],
  });
  expect(prose).toContain('1 file ');
  expect(prose).toContain('No files in a supported language');
  expect(prose).not.toMatch(/Edges|NaN/);
});

test('files of an impact that are not listed are counted; what was skipped is named', async () => {
  const text = await page(
    {
      ...REPORT,
      problems: [
        { code: 'symlink_outside', count: 1 },
        { code: 'symlink_cycle', count: 2 },
      ],
    },
    100,
    { ...IMPACT, counts: { files: 400 }, impactedFiles: Array.from({ length: 40 }, (_, at) => ({ path: `src/f${at}.ts`, depth: 1 })) },
  );
  expect(text).toContain('src/f0.ts');
  expect(text).toContain('and 394 more files');
  expect(text).toContain('1 broken link or link to outside the folder, 2 circular links.');
});

test('the commands that it names are those of the installation', async () => {
  const installed = await page(REPORT, 100, IMPACT, '/usr/lib/node_modules/lattice-graph/dist');
  expect(installed).toContain('claude mcp add lattice -- lattice mcp --workspace /work/shop');
  expect(installed).toContain('lattice search --workspace /work/shop WORDS');
  expect(installed).not.toContain('npm run package');
  const withNpx = await page(REPORT, 100, IMPACT, 'C:\\Users\\me\\npm-cache\\_npx\\1f\\node_modules\\lattice-graph\\dist');
  expect(withNpx).toContain('claude mcp add lattice -- npx -y lattice-graph mcp --workspace /work/shop');
});
