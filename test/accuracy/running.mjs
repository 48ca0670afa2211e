/** Programs that runners start, and what a run of a suite comes to. */
import { spawnSync } from 'node:child_process';
import { env } from 'node:process';

/** Of one run of a suite. */
export const LIMIT_MS = 180_000;

export function run(folder, program, args, more = {}) {
  return spawnSync(program, args, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 29, timeout: LIMIT_MS, env: { ...env, CI: '1', NO_COLOR: '1', ...more } });
}

export function firstProblem(folder, commands) {
  for (const [program, ...args] of commands) {
    const ran = run(folder, program, args);
    if (ran.status !== 0) return `${program} ${args.join(' ')}: ${ran.error?.message ?? ran.stderr.slice(-400)}`;
  }
  return undefined;
}

/** `cases` ended, and all but the `failed` ones passed. `ran` is the process that ran the suite, or several: `cut` if the time limit ended one. */
export function outcome(ran, cases, failed) {
  const fails = new Set(failed);
  return { passed: new Set(cases.filter(id => !fails.has(id))), cut: [ran].flat().some(({ error }) => error?.code === 'ETIMEDOUT') };
}
