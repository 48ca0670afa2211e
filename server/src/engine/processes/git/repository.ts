import { writeFile } from 'node:fs/promises';
import { devNull } from 'node:os';
import { join } from 'node:path';
import type { CancellationToken } from '../../../base/cancellation';
import { err, type Failure, ok, type Result } from '../../../base/result';
import type { GitPlace } from '../../../code/files/git';
import { GIT_CALLS, type GitCall } from './calls';
import { type GitMirror, mirrorOf } from './mirror';
import { runGit } from './process';
import { findProgram } from './program';
import { configText, keptSettings } from './settings';

/** A repository while it is read. */
export interface GitRepository {
  /**
   * Output of one of the calls with what it is asked for. `UNAVAILABLE` when git is too slow or says too much,
   * `GIT` with its own words when it fails (also for an object that a partial clone lacks: nothing is ever fetched).
   */
  ask(call: GitCall, details: readonly string[], input?: string): Promise<Result<Buffer, Failure>>;
  /** The same for an output too large to be held: `take` gets it as it comes, also what comes before a failure. */
  stream(call: GitCall, details: readonly string[], take: (chunk: Buffer) => void, limits: StreamLimits): Promise<Result<unknown, Failure>>;
}

export interface StreamLimits {
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

/**
 * Reads a repository with git from one of its folders: no shell, no prompt, no lock, no network, and no program but git.
 * Configuration of the repository, the user and the machine counts only as far as `keptSettings` says.
 * `UNAVAILABLE` without git or a temporary folder.
 */
export async function readRepository<T>(
  folder: string,
  place: GitPlace,
  token: CancellationToken,
  read: (git: GitRepository) => Promise<Result<T, Failure>>,
): Promise<Result<T, Failure>> {
  const program = await findProgram('git');
  if (program === undefined) return err({ code: 'UNAVAILABLE', message: 'git is not installed, or not on the PATH.' });
  let mirror: GitMirror;
  try {
    mirror = await mirrorOf(place);
  } catch (error) {
    return err({ code: 'UNAVAILABLE', message: `git cannot be used: ${error instanceof Error ? error.message : String(error)}` });
  }
  const ask = (call: GitCall, details: readonly string[], input?: string, env = isolated(mirror)): Promise<Result<Buffer, Failure>> =>
    runGit({ program, folder, args: [...GIT_CALLS[call], ...details], env, ...(input === undefined ? {} : { input }) }, token);
  const stream: GitRepository['stream'] = (call, details, onOutput, limits) =>
    runGit({ program, folder, args: [...GIT_CALLS[call], ...details], env: isolated(mirror), onOutput, ...limits }, token);
  try {
    const settings = await settingsFor(mirror, ask);
    if (!settings.ok) return settings;
    await writeFile(mirror.configFile, settings.value);
    return await read({ ask, stream });
  } finally {
    await mirror.dispose().catch(() => undefined);
  }
}

type Ask = (call: GitCall, details: readonly string[], input?: string, env?: NodeJS.ProcessEnv) => Promise<Result<Buffer, Failure>>;

async function settingsFor(mirror: GitMirror, ask: Ask): Promise<Result<string, Failure>> {
  const { repositoryConfig } = mirror;
  const [user, repository] = await Promise.all([
    ask('userSettings', [], undefined, ofUser(mirror)),
    repositoryConfig === undefined ? ok(Buffer.of()) : ask('settingsOf', [repositoryConfig]),
  ]);
  if (!user.ok) return user;
  if (!repository.ok) return repository;
  const home = process.env['HOME'] ?? process.env['USERPROFILE'];
  const config = process.env['XDG_CONFIG_HOME'] || (home === undefined ? undefined : join(home, '.config'));
  return ok(configText(keptSettings(user.value.toString('utf8'), repository.value.toString('utf8'), { home, config })));
}

const QUIET = { LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none', GIT_PAGER: 'cat' };

/** Variables of git and of what it could start, which may speak of another repository (a hook has them set), are left out. */
function without(names: RegExp): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !names.test(name)));
}

/** The folder of the mirror stands for the home for versions of git that know no other way to leave out the user's configuration. */
function isolated({ gitDir, variables }: GitMirror): NodeJS.ProcessEnv {
  const nothing = { HOME: gitDir, XDG_CONFIG_HOME: gitDir, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: devNull, GIT_ATTR_NOSYSTEM: '1' };
  return { ...without(/^(?:GIT|SSH)_/i), ...QUIET, ...nothing, ...variables, NoDefaultCurrentDirectoryInExePath: '1' };
}

function ofUser({ variables }: GitMirror): NodeJS.ProcessEnv {
  return { ...without(/^(?:SSH_|GIT_(?!CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)$))/i), ...QUIET, ...variables };
}
