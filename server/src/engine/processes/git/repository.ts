import { rename, writeFile } from 'node:fs/promises';
import { devNull } from 'node:os';
import { join } from 'node:path';
import type { CancellationToken } from '../../../base/cancellation';
import { err, type Failure, ok, type Result } from '../../../base/result';
import type { GitPlace } from '../../../code/files/git';
import { nodeHost } from '../../../code/files/nodeHost';
import { GIT_CALLS, type GitCall, OF_OBJECTS } from './calls';
import { type GitMirror, mirrorOf } from './mirror';
import { GitObjects, type GitObjectsFound } from './objects';
import { type GitRun, runGit } from './process';
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
  /** Objects by hash or another name that git knows, without line breaks. Failures as of `ask`. */
  objects(names: readonly string[]): Promise<Result<GitObjectsFound, Failure>>;
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
  const run: Ask = (call, details, more = {}) =>
    runGit({ program, folder, args: [...GIT_CALLS[call], ...details], env: more.env ?? isolated(mirror), ...more }, token);
  const configured = new Configuration(mirror, run);
  const ask: GitRepository['ask'] = async (call, details, input) => {
    const settings = await configured.for(call);
    return settings.ok ? run(call, details, input === undefined ? {} : { input }) : settings;
  };
  const stream: GitRepository['stream'] = async (call, details, onOutput, limits) => {
    const settings = await configured.for(call);
    return settings.ok ? run(call, details, { onOutput, ...limits }) : settings;
  };
  const { contents } = GIT_CALLS;
  const reader = new GitObjects({ program, folder, args: contents, env: isolated(mirror) }, token);
  const objects: GitRepository['objects'] = async names => {
    const settings = await configured.for('contents');
    return settings.ok ? reader.read(names) : settings;
  };
  try {
    return await read({ ask, objects, stream });
  } finally {
    await reader.close();
    await mirror.dispose().catch(() => undefined);
  }
}

type Ask = (
  call: GitCall,
  details: readonly string[],
  more?: Partial<Pick<GitRun, 'env' | 'input' | 'maxBytes' | 'onOutput' | 'timeoutMs'>>,
) => Promise<Result<Buffer, Failure>>;

const MAX_COMPARED_BYTES = 1 << 20;

/** What git said of the newest text of a repository's configuration. */
const told = { path: '', text: '', settings: '' };

/** The configuration of a mirror, written as far as the calls need it: what the user has set is only read for calls that look at the folder or compare contents. */
class Configuration {
  #repository: Promise<Result<string, Failure>> | undefined;
  #all: Promise<Result<unknown, Failure>> | undefined;

  constructor(
    private readonly mirror: GitMirror,
    private readonly run: Ask,
  ) {}

  for(call: GitCall): Promise<Result<unknown, Failure>> {
    this.#repository ??= this.#ofRepository();
    if (OF_OBJECTS.has(call)) return this.#repository;
    this.#all ??= this.#repository.then(repository => (repository.ok ? this.#withUser(repository.value) : repository));
    return this.#all;
  }

  async #ofRepository(): Promise<Result<string, Failure>> {
    const { repositoryConfig } = this.mirror;
    const settings = repositoryConfig === undefined ? ok('') : await this.#read(repositoryConfig);
    if (settings.ok) await this.#write('', settings.value);
    return settings;
  }

  /** Settings that stand in a file; the same text, which includes nothing, says the same. */
  async #read(path: string): Promise<Result<string, Failure>> {
    const bytes = await nodeHost.read(path, MAX_COMPARED_BYTES).catch(() => undefined);
    const text = bytes === undefined || bytes.length >= MAX_COMPARED_BYTES ? undefined : Buffer.from(bytes).toString('latin1');
    if (text !== undefined && told.path === path && told.text === text) return ok(told.settings);
    const output = await this.run('settingsOf', [path]);
    if (!output.ok) return output;
    const settings = output.value.toString('utf8');
    if (text !== undefined) Object.assign(told, { path, text, settings });
    return ok(settings);
  }

  async #withUser(repository: string): Promise<Result<unknown, Failure>> {
    const user = await this.run('userSettings', [], { env: ofUser(this.mirror) });
    if (user.ok) await this.#write(user.value.toString('utf8'), repository);
    return user;
  }

  /** In one step: a call may be reading it. */
  async #write(user: string, repository: string): Promise<void> {
    const { configFile } = this.mirror;
    const home = process.env['HOME'] ?? process.env['USERPROFILE'];
    const config = process.env['XDG_CONFIG_HOME'] || (home === undefined ? undefined : join(home, '.config'));
    await writeFile(`${configFile}.new`, configText(keptSettings(user, repository, { home, config })));
    await rename(`${configFile}.new`, configFile);
  }
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
