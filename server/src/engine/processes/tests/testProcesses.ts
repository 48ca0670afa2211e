import { access, realpath } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { type CancellationToken, Cancelled, onCancelled } from '../../../base/cancellation';
import { relativeTo } from '../../../base/path';
import { err, type Failure, ok, type Result } from '../../../base/result';
import type { TestSettings } from '../../../model/settings';
import { TOOL_VARIABLES } from '../../../model/toolchains';
import type { TestEnvironment, TestPolicy, TestProcess, TestProcessResult, TestRunner } from '../../../workspace/testRunner';
import { endTree, startTree } from '../../processTree';
import { maskSecrets } from './secrets';

export interface TestProcessesOptions {
  readonly root: string;
  readonly caseInsensitive: boolean;
  readonly settings: () => TestSettings;
  /** Milliseconds between asking a run to end and killing it. */
  readonly graceMs?: number;
}

const MAX_OUTPUT = 1 << 20;
const GRACE_MS = 5_000;
/** What a test is given of the environment, beside `lattice.tests.env`; Windows needs more to start anything. */
const PASSED = [
  'PATH',
  'HOME',
  'LANG',
  'TMPDIR',
  ...TOOL_VARIABLES,
  ...(process.platform === 'win32' ? ['Path', 'PATHEXT', 'SystemRoot', 'SystemDrive', 'TEMP', 'TMP', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA', 'ComSpec'] : []),
];
const COLORS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[A-Za-z]`, 'g');

/** Runs test commands in the workspace: no shell, few variables, one at a time; at the end of its time the whole process tree goes. */
export class TestProcesses implements TestRunner {
  #busy = false;

  constructor(private readonly options: TestProcessesOptions) {}

  policy(): TestPolicy {
    const { allowRun, trusted, commands, approved } = this.options.settings();
    return { allowRun, trusted, commands, approved };
  }

  async isInside(path: string): Promise<boolean> {
    try {
      return relativeTo(this.options.root, await realpath(join(this.options.root, path)), this.options.caseInsensitive) !== undefined;
    } catch {
      return false;
    }
  }

  async run(request: TestProcess, token: CancellationToken): Promise<Result<TestProcessResult, Failure>> {
    if (this.#busy) return err({ code: 'CONFLICT', message: 'Tests are already running.' });
    this.#busy = true;
    try {
      return await this.#run(request, await this.#activated(request), token);
    } finally {
      this.#busy = false;
    }
  }

  /** What the nearest environment of the project adds to the variables; nothing where there is none, or the user's shell has one. */
  async #activated({ environment, folder }: TestProcess): Promise<Readonly<Record<string, string>>> {
    const { env } = this.options.settings();
    if (environment === undefined || (env[environment.variable] ?? process.env[environment.variable]) !== undefined) return {};
    const path = await this.#environmentAt(folder, environment, true);
    if (path === undefined) return {};
    const place = join(this.options.root, path);
    const before = env['PATH'] ?? process.env['PATH'] ?? '';
    return { [environment.variable]: place, PATH: [join(place, process.platform === 'win32' ? 'Scripts' : 'bin'), before].join(delimiter) };
  }

  async ignoredEnvironment(folder: string, environment: TestEnvironment): Promise<string | undefined> {
    const { env } = this.options.settings();
    if ((env[environment.variable] ?? process.env[environment.variable]) !== undefined) return undefined;
    const isUsed = (await this.#environmentAt(folder, environment, true)) !== undefined;
    return isUsed ? undefined : this.#environmentAt(folder, environment, false);
  }

  /** The path of the nearest one whose real path is inside the workspace, or is not. Nothing of the latter is run or read. */
  async #environmentAt(folder: string, environment: TestEnvironment, inside: boolean): Promise<string | undefined> {
    for (const name of environment.folders) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if ((await isThere(join(this.options.root, path, environment.marker))) && (await this.isInside(path)) === inside) return path;
    }
    return folder === '' ? undefined : this.#environmentAt(folder.includes('/') ? dirname(folder) : '', environment, inside);
  }

  #run(
    { argv, folder, timeoutMs }: TestProcess,
    activated: Readonly<Record<string, string>>,
    token: CancellationToken,
  ): Promise<Result<TestProcessResult, Failure>> {
    const began = performance.now();
    const passed = PASSED.flatMap(name => (process.env[name] === undefined ? [] : [[name, process.env[name]] as const]));
    const env: Record<string, string | undefined> = { ...Object.fromEntries(passed), CI: '1', ...this.options.settings().env, ...activated };
    const [program = '', ...rest] = startable(argv);
    return new Promise((resolve, reject) => {
      const child = startTree(program, rest, { cwd: join(this.options.root, folder), env });
      child.stdin.on('error', () => undefined).end();
      let output = '';
      let timedOut = false;
      let cancelled = false;
      let killer: NodeJS.Timeout | undefined;
      const take = (text: string): void => {
        output += text;
        if (output.length > 2 * MAX_OUTPUT) output = output.slice(-MAX_OUTPUT);
      };
      child.stdout.setEncoding('utf8').on('data', take);
      child.stderr.setEncoding('utf8').on('data', take);
      const end = (): void => {
        if (killer !== undefined) return;
        endTree(child, 'SIGTERM');
        killer = setTimeout(() => endTree(child, 'SIGKILL'), this.options.graceMs ?? GRACE_MS);
      };
      const timer = setTimeout(() => {
        timedOut = true;
        end();
      }, timeoutMs);
      const listening = onCancelled(token, () => {
        cancelled = true;
        end();
      });
      const settle = (result: Result<TestProcessResult, Failure>): void => {
        for (const each of [timer, killer]) clearTimeout(each);
        listening.dispose();
        // What the command left running goes with it.
        if (timedOut || cancelled) endTree(child, 'SIGKILL');
        if (cancelled) reject(new Cancelled());
        else resolve(result);
      };
      child.once('error', (error: NodeJS.ErrnoException) =>
        settle(err({ code: error.code === 'ENOENT' ? 'NO_PROGRAM' : 'NOT_STARTED', message: `${argv[0]} cannot be started: ${error.message}` })),
      );
      child.once('close', exit => {
        const text = maskSecrets(output.slice(-MAX_OUTPUT).replace(COLORS, ''), { ...process.env, ...env });
        settle(ok({ exit: exit ?? undefined, timedOut, durationMs: Math.round(performance.now() - began), output: text }));
      });
      // What left the process group may hold the pipes after the command is gone: it is not waited for.
      child.once('exit', () => {
        if (!timedOut && !cancelled) return;
        endTree(child, 'SIGKILL');
        setTimeout(() => {
          child.stdout.destroy();
          child.stderr.destroy();
        }, this.options.graceMs ?? GRACE_MS).unref();
      });
    });
  }
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Scripts cannot be started without a shell on Windows: `npx` is run by Node itself there. */
function startable(argv: readonly string[]): readonly string[] {
  if (process.platform !== 'win32' || argv[0] !== 'npx') return argv;
  return [process.execPath, join(dirname(process.execPath), 'node_modules', 'npm', 'bin', 'npx-cli.js'), ...argv.slice(1)];
}
