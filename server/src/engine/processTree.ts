import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { join } from 'node:path';

export interface TreeOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** A program of `startTree`. */
export type RunningProcess = ChildProcessWithoutNullStreams;

const running = new Set<number>();

/**
 * Starts a program without a shell, with pipes, in a process group of its own, so that it can be ended with all it started.
 * What still runs when this process exits is ended with it.
 */
export function startTree(program: string, args: readonly string[], { cwd, env }: TreeOptions): RunningProcess {
  const child = spawn(program, args, { cwd, env, shell: false, windowsHide: true, detached: process.platform !== 'win32', stdio: 'pipe' });
  const { pid } = child;
  if (pid === undefined) return child;
  if (running.size === 0) process.once('exit', endTrees);
  running.add(pid);
  child.once('exit', () => {
    running.delete(pid);
    if (running.size === 0) process.off('exit', endTrees);
  });
  return child;
}

/** Ends a program of `startTree` and what it started, as far as it stayed in its group. */
export function endTree({ pid }: Pick<ChildProcess, 'pid'>, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid !== undefined) end(pid, signal);
}

/** Ends a program with all it started, and does not wait for it. */
export function abandonTree(child: RunningProcess): void {
  endTree(child, 'SIGKILL');
  // What has left the group may hold the pipes open.
  for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.destroy();
  child.unref();
}

/** Ends all that still run, for a process that leaves without its `exit` event. */
export function endTrees(): void {
  for (const pid of running) end(pid, 'SIGKILL');
}

function end(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    if (process.platform === 'win32') spawn(taskkill(), ['/T', '/F', '/PID', String(pid)], { stdio: 'ignore', windowsHide: true }).on('error', () => undefined);
    else process.kill(-pid, signal);
  } catch {
    // It has ended by itself.
  }
}

/** By its full path: Windows would look for a bare name in the current folder first. */
function taskkill(): string {
  return join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'taskkill.exe');
}
