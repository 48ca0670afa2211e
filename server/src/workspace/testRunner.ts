import type { CancellationToken } from '../base/cancellation';
import type { WorkspacePath } from '../base/path';
import type { Failure, Result } from '../base/result';

/** Whether and how tests may be run here; from the user's own settings, never from the workspace. */
export interface TestPolicy {
  /** `lattice.tests.allowRun`. */
  readonly allowRun: boolean;
  /** The editor's user trusts the workspace. */
  readonly trusted: boolean;
  /** Further commands of the user; one that names a framework takes the place of the built-in one. */
  readonly commands: readonly (readonly string[])[];
  /** Commands that were approved, word by word. */
  readonly approved: readonly (readonly string[])[];
}

/** A test command to run, without a shell. */
export interface TestProcess {
  readonly argv: readonly string[];
  /** Folder to run in, inside the workspace. */
  readonly folder: WorkspacePath;
  readonly timeoutMs: number;
  readonly environment?: TestEnvironment | undefined;
}

/**
 * Where a project keeps an environment of its own for its programs, as a shell has it once it is activated. The nearest one is used, of the folder that the
 * command runs in or of one above it in the workspace, unless the user's shell has activated one.
 */
export interface TestEnvironment {
  /** What it is called by convention. */
  readonly folders: readonly string[];
  /** A file that each has. */
  readonly marker: string;
  /** The variable that names the active one. */
  readonly variable: string;
}

/** How it ended. */
export interface TestProcessResult {
  /** `undefined` when it was ended. */
  readonly exit: number | undefined;
  readonly timedOut: boolean;
  readonly durationMs: number;
  /** Both streams as they came, without colors and secrets; the last mebibyte. */
  readonly output: string;
}

/** Runs test commands, one at a time. */
export interface TestRunner {
  policy(): TestPolicy;
  /** The real path of a file is inside the workspace. */
  isInside(path: WorkspacePath): Promise<boolean>;
  /** The environment that a run in this folder would have, but leaves out because it is a symbolic link that leads out of the workspace. */
  ignoredEnvironment?(folder: WorkspacePath, environment: TestEnvironment): Promise<WorkspacePath | undefined>;
  /** `CONFLICT` while another run is under way, `NO_PROGRAM` when there is no program of that name, `NOT_STARTED` when it cannot be started. */
  run(process: TestProcess, token: CancellationToken): Promise<Result<TestProcessResult, Failure>>;
}
