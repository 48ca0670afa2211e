import type { Failure } from '../base/result';
import { err, ok, type Result } from '../base/result';
import type { Tool } from './tool';

/** Tools listed by default: at most eight, because every tool costs its clients tokens before the first question. */
export const CORE_TOOLS = [
  'context_pack',
  'search_code',
  'code_explain',
  'semantic_slice',
  'impact_analyze',
  'diff_since',
  'query_graph',
  'manage_graph',
] as const;

/** What agents need beside the core to report on their work. */
const AGENT_TOOLS: readonly string[] = [...CORE_TOOLS, 'episode_add', 'episode_recall', 'task_update', 'agent_claim', 'agent_release'];

const SETS: Readonly<Record<string, (tool: Tool) => boolean>> = {
  core: tool => (CORE_TOOLS as readonly string[]).includes(tool.name),
  agent: tool => AGENT_TOOLS.includes(tool.name),
  full: tool => tool.group !== 'admin',
  admin: tool => tool.group === 'admin',
};

/**
 * Tools offered for `--tools` or `lattice.mcp.toolsets`: `core`, `agent`, `full` (all but the `admin` group), `admin`, names, or a mix with commas.
 * The order is that of the catalogue; `core` when nothing is named.
 */
export function selectTools(tools: readonly Tool[], selection: string): Result<readonly Tool[], Failure> {
  const words = selection
    .split(',')
    .map(word => word.trim())
    .filter(word => word !== '');
  const unknown = words.find(word => !Object.hasOwn(SETS, word) && !tools.some(tool => tool.name === word));
  if (unknown !== undefined) {
    const message = `Unknown tool or tool set: ${unknown}. Use ${Object.keys(SETS).join(', ')}, or names of tools: ${tools.map(tool => tool.name).join(', ')}.`;
    return err({ code: 'VALIDATION_ERROR', message });
  }
  const wanted = words.length === 0 ? ['core'] : words;
  return ok(tools.filter(tool => wanted.some(word => (Object.hasOwn(SETS, word) ? SETS[word]?.(tool) : tool.name === word))));
}
