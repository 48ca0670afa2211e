import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../helpers/removeFolder.mjs';

const repository = join(import.meta.dirname, '..', '..');
export const DIST = join(repository, 'dist');
export const CLI = join(DIST, 'cli.js');
const SAMPLE = join(repository, 'test', 'fixtures', 'workspaces', 'sample');

export interface Place {
  /** A copy of the sample workspace. */
  readonly workspace: string;
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  remove(): void;
}

/** A workspace and a data folder of its own for one test file. */
export function newPlace(): Place {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lattice-doors-')));
  const workspace = join(folder, 'sample');
  const home = join(folder, 'home');
  cpSync(SAMPLE, workspace, { recursive: true });
  const { NO_COLOR: _, ...rest } = process.env;
  return {
    workspace,
    home,
    env: { ...rest, LATTICE_HOME: home, LATTICE_LOG: 'error' },
    remove: () => removeFolder(folder),
  };
}

export interface Finished {
  readonly exit: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

export function start(place: Place, bundle: string, words: readonly string[]): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [join(DIST, bundle), ...words], { cwd: place.workspace, env: place.env });
}

export async function finished(child: ChildProcessWithoutNullStreams): Promise<Finished> {
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  return new Promise(resolve => {
    child.once('close', (exit, signal) => resolve({ exit, signal, out, err }));
  });
}

export async function lattice(place: Place, ...words: string[]): Promise<Finished> {
  const child = start(place, 'cli.js', words);
  child.stdin.end();
  return finished(child);
}

/** Resolves when the process with this id is gone. */
export async function gone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await new Promise(resolve => setTimeout(resolve, 25));
  }
}
