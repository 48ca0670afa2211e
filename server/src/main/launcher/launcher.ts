/**
 * Writes the launchers: small scripts in the data folder that start the MCP server, or the agent hook, of the newest Lattice that is still installed.
 * Configurations of agents name them, because the folder of the extension changes with every update.
 * The scripts know nothing of Lattice but the list of installations beside them.
 */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { err, type Failure, ok, type Result } from '../../base/result';
import { nodeDisk } from '../../store/disk';
import { AGENT_HOOK, batchScript, type Launched, launcherScript, MCP_SERVER, quoteForShell, shellScript } from './launcherScripts';

export interface LauncherParts {
  /** Absolute path of the per-user data folder. */
  readonly dataFolder: string;
  /** Absolute path of the folder that holds `mcp.js`. */
  readonly bundleFolder: string;
  readonly version: string;
  /** The editor's own runtime, which runs as Node with `ELECTRON_RUN_AS_NODE=1`; `undefined` when there is no editor. */
  readonly editorRuntime: string | undefined;
  /** `process.platform`. */
  readonly platform: string;
  readonly nowMs: number;
}

/** What an MCP client starts. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** What a program for agents runs as a hook: a line for the shell that does nothing and succeeds once the launcher is gone. */
  readonly hook: string;
}

interface Installation {
  readonly version: string;
  readonly bundleFolder: string;
  readonly editorRuntime: string | undefined;
  readonly writtenAt: number;
}

const KEPT = 12;

/** Records this installation and refreshes the scripts; safe to call from several processes at once (each file is replaced whole). */
export async function writeLauncher(parts: LauncherParts): Promise<Result<Launch, Failure>> {
  const bin = join(parts.dataFolder, 'bin');
  const list = join(bin, 'installations.json');
  try {
    await nodeDisk().makeFolder(bin);
    const installations = withThis(await readInstallations(list), parts);
    await replace(list, `${JSON.stringify(installations, undefined, 2)}\n`, 0o600);
    // The wrappers read the newest runtimes first; a runtime that is gone is skipped when they run.
    const runtimes = [...new Set(installations.flatMap(each => each.editorRuntime ?? []))];
    for (const launched of [MCP_SERVER, AGENT_HOOK]) {
      const paths = pathsOf(bin, launched);
      await replace(paths.script, launcherScript(launched), 0o644);
      await replace(paths.shell, shellScript(runtimes, launched), 0o755);
      await replace(paths.command, batchScript(runtimes, launched), 0o644);
    }
  } catch (error) {
    return err({
      code: 'LAUNCHER_NOT_WRITTEN',
      message: `The launcher in ${bin} could not be written: ${error instanceof Error ? error.message : String(error)}`,
    });
  }
  return ok({ ...launchOf(bin, parts), hook: hookOf(bin, parts) });
}

function pathsOf(bin: string, { name }: Launched): { readonly script: string; readonly shell: string; readonly command: string } {
  return { script: join(bin, `${name}.js`), shell: join(bin, name), command: join(bin, `${name}.cmd`) };
}

/** Some programs on Windows lose the streams of a `.cmd`; there the runtime is named itself. */
function launchOf(bin: string, parts: LauncherParts): Omit<Launch, 'hook'> {
  const { script, shell } = pathsOf(bin, MCP_SERVER);
  if (parts.platform !== 'win32') return { command: shell, args: [], env: {} };
  if (parts.editorRuntime === undefined) return { command: 'node', args: [script], env: {} };
  return { command: parts.editorRuntime, args: [script], env: { ELECTRON_RUN_AS_NODE: '1' } };
}

/** On Windows both `cmd` and the POSIX shell of Git take a batch file by its path with forward slashes. */
function hookOf(bin: string, { platform }: LauncherParts): string {
  const { command, shell } = pathsOf(bin, AGENT_HOOK);
  if (platform === 'win32') return `"${command.replaceAll('\\', '/')}"`;
  return `test ! -x ${quoteForShell(shell)} || ${quoteForShell(shell)}`;
}

function withThis(known: readonly Installation[], parts: LauncherParts): Installation[] {
  const mine: Installation = { version: parts.version, bundleFolder: parts.bundleFolder, editorRuntime: parts.editorRuntime, writtenAt: parts.nowMs };
  const others = known.filter(each => each.bundleFolder !== mine.bundleFolder && existsSync(join(each.bundleFolder, 'mcp.js')));
  return [mine, ...others].sort((a, b) => b.writtenAt - a.writtenAt).slice(0, KEPT);
}

async function readInstallations(path: string): Promise<readonly Installation[]> {
  try {
    const parsed: unknown = JSON.parse(await readFile(path, 'utf8'));
    return Array.isArray(parsed) ? parsed.filter(isInstallation) : [];
  } catch {
    // Missing or damaged: this installation starts the list anew, others add themselves when they run.
    return [];
  }
}

function isInstallation(value: unknown): value is Installation {
  if (typeof value !== 'object' || value === null) return false;
  const row = value as Partial<Record<keyof Installation, unknown>>;
  return typeof row.version === 'string' && typeof row.bundleFolder === 'string' && typeof row.writtenAt === 'number';
}

async function replace(path: string, text: string, mode: number): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(temporary, text, { mode });
    await chmod(temporary, mode);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
