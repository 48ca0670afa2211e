import { type CancellationToken, Cancelled, onCancelled } from '../../../base/cancellation';
import type { Disposable } from '../../../base/disposable';
import { err, type Failure, ok, type Result } from '../../../base/result';
import { abandonTree, startTree } from '../../processTree';

/** One run of git. */
export interface GitRun {
  readonly program: string;
  readonly folder: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly input?: string;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
  /** Takes the output as it comes, instead of the result. */
  readonly onOutput?: (chunk: Buffer) => void;
}

export const MAX_MS = 20_000;
export const MAX_BYTES = 64 << 20;
export const MAX_STDERR = 4000;

/**
 * Output of a run of git. At the end of its time, its bytes or the caller's patience it is killed with all it started, and not waited for.
 * `UNAVAILABLE` when it cannot be started, is too slow or says too much; `GIT` with git's own words when it fails. Rejects with `Cancelled`.
 */
export function runGit(run: GitRun, token: CancellationToken): Promise<Result<Buffer, Failure>> {
  return new Promise((resolve, reject) => {
    const child = startTree(run.program, run.args, { cwd: run.folder, env: run.env });
    const chunks: Buffer[] = [];
    const maxBytes = run.maxBytes ?? MAX_BYTES;
    let size = 0;
    let stderr = '';
    let listening: Disposable | undefined;
    const settle = (outcome: () => void): void => {
      clearTimeout(timer);
      listening?.dispose();
      outcome();
    };
    const abandon = (outcome: () => void): void => {
      abandonTree(child);
      settle(outcome);
    };
    const giveUp = (message: string): void => abandon(() => resolve(err({ code: 'UNAVAILABLE', message })));
    const timer = setTimeout(() => giveUp(`git ${run.args[0]} took too long.`), run.timeoutMs ?? MAX_MS);
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) giveUp(tooLarge(maxBytes));
      else if (run.onOutput === undefined) chunks.push(chunk);
      else run.onOutput(chunk);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(0, MAX_STDERR);
    });
    child.once('error', error => settle(() => resolve(err({ code: 'UNAVAILABLE', message: `git cannot be run: ${error.message}` }))));
    child.once('close', exit => settle(() => resolve(exit === 0 ? ok(Buffer.concat(chunks)) : err(gitFailure(stderr, exit)))));
    // git may have ended before it read its input; its exit status says so.
    child.stdin.on('error', () => undefined);
    child.stdin.end(run.input ?? '');
    listening = onCancelled(token, () => abandon(() => reject(new Cancelled())));
  });
}

export function tooLarge(maxBytes: number): string {
  return `The output of git is larger than ${maxBytes >> 20} MB.`;
}

/** In git's own words. */
export function gitFailure(text: string, exit: number | null): Failure {
  const line = text.trim().split('\n')[0] ?? '';
  return { code: 'GIT', message: line === '' ? `git ended with status ${exit}.` : line };
}
