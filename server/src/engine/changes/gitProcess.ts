import { spawn } from 'node:child_process';
import { type CancellationToken, Cancelled } from '../../base/cancellation';
import { err, type Failure, ok, type Result } from '../../base/result';

/** What a git command may take. */
interface GitLimits {
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

const LIMITS: GitLimits = { timeoutMs: 20_000, maxBytes: 64 << 20 };
const CANCEL_POLL_MS = 50;

/** Nothing of the repository's configuration may start a program or write. */
const SAFE = ['-c', 'core.fsmonitor=false', '-c', 'core.quotePath=false', '-c', 'core.pager=cat', '-c', 'diff.external='];

/** Variables that would point git at another repository than the folder's (a hook has them set). */
const MISLEADING = /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|NAMESPACE|PREFIX|EXTERNAL_DIFF|PAGER)$/;

/**
 * Output of a git command in a folder. No shell, no prompt, no lock taken.
 * `UNAVAILABLE` when git is missing or too slow, `FORBIDDEN` when it distrusts the folder, `GIT` with git's own words otherwise.
 */
export async function runGit(folder: string, args: readonly string[], token: CancellationToken, input?: string): Promise<Result<Buffer, Failure>> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', [...SAFE, ...args], { cwd: folder, env: gitEnvironment(), stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true, shell: false });
    const chunks: Buffer[] = [];
    let size = 0;
    let complaint = '';
    let stopped: Failure | undefined;
    const stop = (failure: Failure): void => {
      stopped ??= failure;
      child.kill('SIGKILL');
    };
    const timer = setTimeout(() => stop({ code: 'UNAVAILABLE', message: `git ${args[0]} took too long.` }), LIMITS.timeoutMs);
    const poll = setInterval(() => {
      if (token.isCancellationRequested) stop({ code: 'CANCELLED', message: '' });
    }, CANCEL_POLL_MS);
    const done = (result: Result<Buffer, Failure>): void => {
      clearTimeout(timer);
      clearInterval(poll);
      if (stopped?.code === 'CANCELLED') reject(new Cancelled());
      else resolve(stopped === undefined ? result : err(stopped));
    };
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > LIMITS.maxBytes) stop({ code: 'UNAVAILABLE', message: 'The difference is larger than 64 MB.' });
      else chunks.push(chunk);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(0, 4000);
    });
    child.once('error', error => {
      const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      done(err({ code: 'UNAVAILABLE', message: missing ? 'git is not installed, or not on the PATH.' : `git cannot be run: ${error.message}` }));
    });
    child.once('close', exit => done(exit === 0 ? ok(Buffer.concat(chunks)) : err(complaintOf(complaint, exit))));
    // git may have ended before it read its input; its exit status says so.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input ?? '');
  });
}

function complaintOf(text: string, exit: number | null): Failure {
  const line = text.trim().split('\n')[0] ?? '';
  if (text.includes('safe.directory')) return { code: 'FORBIDDEN', message: `git does not trust this folder: ${line}` };
  return { code: 'GIT', message: line === '' ? `git ended with status ${exit}.` : line };
}

function gitEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !MISLEADING.test(name));
  return { ...Object.fromEntries(kept), LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', GIT_PAGER: 'cat' };
}
