import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { removeFolder } from '../helpers/removeFolder.mjs';
import { cli, FakeHost } from './fakeHost';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lattice-arch-')));
const checkout = join(folder, 'shop');
mkdirSync(join(checkout, '.git'), { recursive: true });
afterAll(() => removeFolder(folder));

const violation = (severity: string, baseline = false): object => ({
  ruleId: 'pure',
  severity,
  from: { id: 'src/a.ts', file: 'src/a.ts', line: 3 },
  message: 'Rule pure forbids this: a | b.',
  suggestion: 'Move it.',
  baseline,
});
const REPORT = {
  violations: [violation('warning'), violation('error', true)],
  status: 'pass',
  counts: { error: 0, warning: 1, baseline: 1 },
  checkedFiles: 2,
  rulesSource: '.lattice/architecture.yaml',
  fixed: 0,
  stamp: { revision: 1, head: '', pendingFiles: 0 },
};

let host: FakeHost;
let answer: object;
beforeEach(() => {
  answer = REPORT;
  host = new FakeHost(folder);
  host.prepare = gateway => {
    gateway.answers = {
      architecture: () => answer,
      architectureEdit: () => ({ path: '.lattice/architecture-baseline.json', after: '{}\n', count: 3 }),
    };
  };
});

const run = (...words: readonly string[]) => cli(host, checkout, ['arch', ...words]);

test.each([
  [[], 'pass', 0],
  [['--fail-on', 'warning'], 'pass', 5],
  [['--fail-on', 'never'], 'fail', 0],
  [[], 'fail', 5],
] as const)('arch %j of a workspace that must %s exits %i', async (words, status, exit) => {
  if (status === 'fail') answer = { ...REPORT, status, violations: [violation('error')] };
  expect((await run(...words)).exit).toBe(exit);
});

test('each violation is one line that names its location', async () => {
  const { out: stdout } = await run();
  expect(stdout.split('\n').slice(0, 3)).toEqual([
    'src/a.ts:3: warning pure: Rule pure forbids this: a | b.',
    'src/a.ts:3: accepted pure: Rule pure forbids this: a | b.',
    'pass: 1 warning, 1 accepted in 2 files (rules: .lattice/architecture.yaml).',
  ]);
});

test('Markdown shows what is not accepted', async () => {
  const { out: stdout } = await run('--format', 'markdown');
  expect(stdout).toContain('| warning | `pure` | `src/a.ts:3` | Rule pure forbids this: a \\| b. |');
  expect(stdout).not.toContain('| error |');
});

test('paths and flags go to the check', async () => {
  await run('src/ui', '--since', 'HEAD', '--min-severity', 'error');
  expect(host.gateways.get(checkout)?.queries.at(-1)).toMatchObject({
    feature: 'architecture',
    params: { files: ['src/ui'], since: 'HEAD', minSeverity: 'error' },
  });
});

test.each([
  ['a folder that is a link to outside', () => symlinkSync(join(folder, 'outside'), join(checkout, '.lattice'), 'junction')],
  ['a folder that is a link to nothing', () => symlinkSync(join(folder, 'nothing'), join(checkout, '.lattice'), 'junction')],
  [
    'a file that is a link to nothing outside',
    () => {
      mkdirSync(join(checkout, '.lattice'));
      symlinkSync(join(folder, 'outside', 'new.json'), join(checkout, '.lattice', 'architecture-baseline.json'));
    },
  ],
])('the baseline is not written through %s', async (_, make) => {
  mkdirSync(join(folder, 'outside'), { recursive: true });
  make();
  const { err: stderr, exit } = await run('--accept-baseline');
  removeFolder(join(checkout, '.lattice'));
  expect([exit, stderr]).toEqual([1, expect.stringMatching(/is a symbolic link to a location .* Nothing was written\./)]);
  expect(readdirSync(join(folder, 'outside'))).toEqual([]);
  expect(existsSync(join(folder, 'nothing'))).toBe(false);
});

test('a baseline that the disk refuses is told in a sentence', async () => {
  const path = `.lattice/${'x'.repeat(300)}.json`;
  host.prepare = gateway => {
    gateway.answers = { architectureEdit: () => ({ path, after: '{}\n', count: 3 }) };
  };
  const { err: stderr, exit } = await run('--accept-baseline');
  removeFolder(join(checkout, '.lattice'));
  expect([exit, stderr]).toEqual([1, expect.stringMatching(/^error: \.lattice\/x+\.json cannot be written \(\w+\)\. Nothing was written\.\n$/)]);
});

test('the baseline is written when asked for', async () => {
  const { out: stdout, exit } = await run('--accept-baseline');
  expect([exit, stdout]).toEqual([0, '3 violations in .lattice/architecture-baseline.json.\n']);
  expect(readFileSync(join(checkout, '.lattice', 'architecture-baseline.json'), 'utf8')).toBe('{}\n');
});
