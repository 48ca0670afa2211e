/**
 * `npm run check`: types, lint, format, import law, dead code, generated files, tidy. Runs them side by side and prints what failed.
 * Exit status 0 only when all are clean.
 */
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const bin = (name, file) => join(root, 'node_modules', name, file);

const steps = [
  { name: 'types', args: [bin('typescript', 'bin/tsc'), '-b'] },
  { name: 'lint', args: [bin('oxlint', 'bin/oxlint'), '--type-aware', '--deny-warnings'] },
  { name: 'format', args: [bin('@biomejs/biome', 'bin/biome'), 'check', '--error-on-warnings', '.'] },
  { name: 'law', args: [join(root, 'test', 'tidy', 'law.mjs')] },
  { name: 'dead code', args: [bin('knip', 'bin/knip.js'), '--no-progress'] },
  { name: 'generated', args: [join(root, 'test', 'tidy', 'update.mjs'), '--check'] },
  { name: 'tidy', args: [join(root, 'test', 'tidy', 'tidy.mjs')] },
];

function run(step) {
  return new Promise(resolve => {
    const started = performance.now();
    let text = '';
    const child = spawn(process.execPath, step.args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.on('data', chunk => (text += chunk));
    child.stderr.on('data', chunk => (text += chunk));
    child.on('close', status => resolve({ ...step, status, text, seconds: (performance.now() - started) / 1000 }));
  });
}

const wanted = process.argv.slice(2);
const chosen = steps.filter(step => wanted.length === 0 || wanted.includes(step.name));
// Two at a time: more only fight over the cores.
const queue = [...chosen];
const results = [];
await Promise.all(
  [0, 1].map(async () => {
    for (let step = queue.shift(); step !== undefined; step = queue.shift()) results.push(await run(step));
  }),
);
let failed = 0;
for (const { name } of chosen) {
  const result = results.find(candidate => candidate.name === name);
  console.log(`${result.status === 0 ? '✓' : '✗'} ${name} (${result.seconds.toFixed(1)} s)`);
  if (result.status !== 0) {
    failed++;
    console.log(result.text.trimEnd());
  }
}
process.exitCode = failed === 0 ? 0 : 1;
