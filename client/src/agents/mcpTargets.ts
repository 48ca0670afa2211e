import { homedir } from 'node:os';
import { join } from 'node:path';
import { hasInJson, type JsonValue, removeFromJson, setInJson } from './jsonText';
import { type McpServerOptions, mcpServerArgs } from './mcpServerArgs';
import { hasInToml, removeFromToml, setInToml } from './tomlText';

/** How an MCP server is started, as a configuration file says it. */
export interface McpEntry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** A file that programs for agents read, with entries of Lattice or without. */
export interface ConfigurationFile {
  readonly label: string;
  /** File below the workspace folder, or below the home folder when `inHome`. */
  readonly file: string;
  readonly inHome: boolean;
  /** Whether the file has the entries. Throws `JsonProblem` or `TomlProblem`. */
  has(text: string): boolean;
  /** New text without the entries; `''` when nothing else is left. Throws like `has`. */
  remove(text: string): string;
}

/** One program that reads a configuration of MCP servers. */
export interface McpTarget extends ConfigurationFile {
  readonly id: 'claude' | 'cursor' | 'vscode' | 'codex';
  /** Arguments after those of the launcher. A program that starts servers in the project's folder needs no path, so that one file serves every worktree. */
  readonly workspaceArgs: readonly string[];
  /** New text of the file; every other entry, comment and key stays. Throws `JsonProblem` or `TomlProblem`. */
  merge(text: string, entry: McpEntry): string;
}

const NAME = 'lattice';

const inJson = (list: string): Pick<McpTarget, 'has' | 'remove'> => ({
  has: text => hasInJson(text, [list, NAME]),
  remove: text => removeFromJson(text, [list, NAME]),
});

export const MCP_TARGETS: readonly McpTarget[] = [
  {
    id: 'claude',
    label: 'Claude Code',
    file: '.mcp.json',
    inHome: false,
    workspaceArgs: [],
    merge: (text, entry) => mergeJson(text, ['mcpServers', NAME], entry, true),
    ...inJson('mcpServers'),
  },
  {
    id: 'cursor',
    label: 'Cursor',
    file: '.cursor/mcp.json',
    inHome: false,
    workspaceArgs: ['--workspace', '${workspaceFolder}'],
    merge: (text, entry) => mergeJson(text, ['mcpServers', NAME], entry, false),
    ...inJson('mcpServers'),
  },
  {
    id: 'vscode',
    label: 'VS Code',
    file: '.vscode/mcp.json',
    inHome: false,
    workspaceArgs: ['--workspace', '${workspaceFolder}'],
    merge: (text, entry) => mergeJson(text, ['servers', NAME], entry, true),
    ...inJson('servers'),
  },
  {
    id: 'codex',
    label: 'Codex',
    file: '.codex/config.toml',
    inHome: true,
    workspaceArgs: [],
    merge: (text, entry) => {
      const withEntry = setInToml(text, `mcp_servers.${NAME}`, { command: entry.command, args: entry.args });
      return Object.keys(entry.env).length === 0 ? withEntry : setInToml(withEntry, `mcp_servers.${NAME}.env`, entry.env);
    },
    has: text => hasInToml(text, `mcp_servers.${NAME}`),
    remove: text => removeFromToml(text, `mcp_servers.${NAME}`),
  },
];

export function entryFor(target: McpTarget, launcher: McpEntry, offer: McpServerOptions): McpEntry {
  return { command: launcher.command, args: [...launcher.args, ...target.workspaceArgs, ...mcpServerArgs(offer)], env: launcher.env };
}

export function fileOf(target: ConfigurationFile, workspaceFolder: string): string {
  return join(target.inHome ? homedir() : workspaceFolder, ...target.file.split('/'));
}

/** What is put on the clipboard: the shape that most programs read. */
export function clipboardText(launcher: McpEntry, workspaceFolder: string, offer: McpServerOptions): string {
  const entry: McpEntry = { ...launcher, args: [...launcher.args, '--workspace', workspaceFolder, ...mcpServerArgs(offer)] };
  return mergeJson('', ['mcpServers', NAME], entry, true);
}

/** Sets the keys of the entry one by one, so that keys and comments the user added to it stay. */
function mergeJson(text: string, path: readonly string[], entry: McpEntry, withType: boolean): string {
  const values: (readonly [string, JsonValue])[] = [
    ...(withType ? [['type', 'stdio'] as const] : []),
    ['command', entry.command],
    ['args', entry.args],
    ...Object.entries(entry.env).map(([key, value]) => [`env.${key}`, value] as const),
  ];
  return values.reduce((merged, [key, value]) => setInJson(merged, [...path, ...key.split('.')], value), text);
}
