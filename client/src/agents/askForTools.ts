import { type QuickPickItem, window } from 'vscode';
import { setting } from '../settings';
import type { McpServerOptions } from './mcpServerArgs';

interface ToolSetRow extends QuickPickItem {
  readonly tools: string;
}

const TOOL_SETS: readonly ToolSetRow[] = [
  { tools: 'core', label: 'Core', detail: 'Task context, search, explanations, source, impact, and knowledge' },
  { tools: 'agent', label: 'Agent', detail: 'Core tools, and tools for agents to report on their work' },
  { tools: 'full', label: 'Full', detail: 'All tools except for administration. Uses more of the context window.' },
];

/** The tools that an agent is to be offered, those of the settings first; `undefined` when the user picks none. */
export async function askForTools(): Promise<McpServerOptions | undefined> {
  const usual = setting<string>('lattice.mcp.toolsets').trim();
  const known = TOOL_SETS.find(row => row.tools === usual);
  const first: ToolSetRow = known === undefined ? { tools: usual, label: usual } : known;
  const rows = [{ ...first, description: 'Current setting' }, ...TOOL_SETS.filter(row => row !== known)];
  const choice = await window.showQuickPick(rows, { title: 'Tools for Agents', placeHolder: 'Select the tools to offer', matchOnDetail: true });
  if (choice === undefined) return undefined;
  return { tools: choice.tools, roots: setting<readonly string[]>('lattice.mcp.roots'), autoClaim: setting<boolean>('lattice.mcp.autoClaim') };
}
