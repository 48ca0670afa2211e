import { homedir } from 'node:os';
import { join } from 'node:path';

/** What an MCP server offers: its tools, and the folders that agents may switch it to. */
export interface McpServerOptions {
  /** A tool set or names of tools, as `--tools` takes them. */
  readonly tools: string;
  /** As in the setting `lattice.mcp.roots`. */
  readonly roots: readonly string[];
  /** As in the setting `lattice.mcp.autoClaim`; true when absent. */
  readonly autoClaim?: boolean;
}

/** Arguments after those that start the server; none where the server's own defaults say the same. */
export function mcpServerArgs({ autoClaim = true, roots, tools }: McpServerOptions, home = homedir()): string[] {
  const folders = foldersOfRoots(roots, home);
  return [
    ...(tools.trim() === '' || tools.trim() === 'core' ? [] : ['--tools', tools.trim()]),
    ...folders.flatMap(root => ['--root', root]),
    ...(autoClaim ? [] : ['--no-auto-claim']),
  ];
}

/** The folders that `lattice.mcp.roots` names. */
export function foldersOfRoots(roots: readonly string[], home = homedir()): string[] {
  return roots.flatMap(root => (root.trim() === '' ? [] : [inHome(root.trim(), home)]));
}

/** A shell expands `~`; a program that is started without one does not. */
function inHome(folder: string, home: string): string {
  return /^~(?=$|[\\/])/.test(folder) ? join(home, folder.slice(1)) : folder;
}
