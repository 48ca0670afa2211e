/**
 * How tests are debugged where no extension of their framework is there: by the command that runs them, under a debugger that the editor has.
 * Plain data; knows nothing of the editor.
 */

/** What runs the tests: the program with its arguments, and the folder to run it in. */
export interface TestCommand {
  readonly command: readonly string[];
  readonly cwd: string;
}

/** A debugger and what it is to start. */
export interface DebugPlan {
  readonly type: string;
  readonly request: 'launch';
  readonly [setting: string]: unknown;
}

interface Debugger {
  readonly type: string;
  /** The extension that has it; editors come with the others. */
  readonly extension?: { readonly id: string; readonly name: string };
  readonly plan: (command: TestCommand) => Readonly<Record<string, unknown>>;
}

/** Arguments after which a test waits as long as its reader does, all in one process. */
const PATIENT: Readonly<Record<string, readonly string[]>> = {
  vitest: ['--no-file-parallelism', '--testTimeout=0', '--hookTimeout=0'],
  jest: ['--runInBand', '--testTimeout=86400000'],
  mocha: ['--no-parallel', '--timeout=0'],
  playwright: ['--workers=1', '--timeout=0'],
  node: [],
};

/** Follows the processes that the command starts. */
function nodeDebugger(framework: string): Debugger {
  return {
    type: 'node',
    plan: ({ command: [program = '', ...args], cwd }) => ({
      runtimeExecutable: program,
      runtimeArgs: [...args, ...(PATIENT[framework] ?? [])],
      cwd,
      console: 'integratedTerminal',
      smartStep: true,
      skipFiles: ['<node_internals>/**', '**/node_modules/**'],
    }),
  };
}

const PYTEST: Debugger = {
  type: 'debugpy',
  extension: { id: 'ms-python.debugpy', name: 'Python Debugger' },
  plan: ({ command, cwd }) => ({
    module: 'pytest',
    args: command.slice(command.findIndex(word => /(?:^|[\\/])(?:pytest|py\.test)(?:\.exe)?$/.test(word)) + 1),
    cwd,
    console: 'integratedTerminal',
    // Its own switch for tests: steps stay in the user's code.
    purpose: ['debug-test'],
  }),
};

/** The debugger of a framework; `undefined` when none is known that could follow its command. */
export function debuggerOf(framework: string): Debugger | undefined {
  if (Object.hasOwn(PATIENT, framework)) return nodeDebugger(framework);
  return framework === 'pytest' ? PYTEST : undefined;
}

/** What a debugger is asked to start. */
export function debugPlan({ plan, type }: Debugger, command: TestCommand): DebugPlan {
  return { type, request: 'launch', ...plan(command) };
}
