/** `npm run law`: every import of the sources against law.cjs and .dependency-cruiser.cjs. Prints each violation; exit status 1 when there is one. */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { roomViolations } from './roomLaw.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const law = createRequire(import.meta.url)('../../law.cjs');
const cruiser = join(root, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs');
// Its exit status counts the violations, which are in the output too.
const { stdout, stderr } = spawnSync(
  process.execPath,
  [cruiser, '--config', '.dependency-cruiser.cjs', '--output-type', 'json', 'server', 'client', 'webview'],
  {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  },
);
if (!stdout.startsWith('{')) throw new Error(`dependency-cruiser: ${stderr}${stdout}`);
const { modules, summary } = JSON.parse(stdout);

const libraryOf = path => /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? '';
const imports = modules.flatMap(({ source, dependencies }) =>
  dependencies.map(({ resolved, dependencyTypes }) => ({
    from: source,
    to: resolved,
    core: dependencyTypes.includes('core'),
    library: libraryOf(resolved),
  })),
);
// A checker that looks at nothing is green too.
if (imports.length < 1000) throw new Error(`only ${imports.length} imports were found`);

const violations = [
  ...roomViolations(law, imports),
  ...summary.violations.map(({ rule, from, to, cycle }) => `${from} → ${cycle?.map(({ name }) => name).join(' → ') ?? to}: ${rule.name}`),
];
for (const line of violations) console.log(line);
process.exitCode = violations.length === 0 ? 0 : 1;
