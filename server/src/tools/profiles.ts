import type { Failure } from '../base/result';
import { err, ok, type Result } from '../base/result';
import type { Tool } from './tool';

/** Tools listed by default, at most eight (DESIGN decision 1). */
export const CORE_TOOLS = [
  'search_code',
  'code_explain',
  'semantic_slice',
  'impact_analyze',
  'query_graph_neighborhood',
  'query_graph',
  'manage_graph',
  'graph_health',
] as const;

/**
 * Tools offered for `--tools` or `lattice.mcp.toolsets`: `core`, `full` (all but the `admin` group), names, or a mix with commas; `admin` adds that group.
 * The order is that of the catalogue.
 */
export function selectTools(tools: readonly Tool[], selection: string): Result<readonly Tool[], Failure> {
  const wanted = new Set<string>();
  for (const word of selection
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')) {
    const names = namesOf(tools, word);
    if (names === undefined) {
      return err({
        code: 'VALIDATION_ERROR',
        message: `There is no tool or tool set ${word}. Use core, full, admin or names of tools: ${tools.map(tool => tool.name).join(', ')}.`,
      });
    }
    for (const name of names) wanted.add(name);
  }
  if (wanted.size === 0) for (const name of CORE_TOOLS) wanted.add(name);
  return ok(tools.filter(tool => wanted.has(tool.name)));
}

function namesOf(tools: readonly Tool[], word: string): readonly string[] | undefined {
  if (word === 'core') return CORE_TOOLS;
  if (word === 'full') return tools.filter(tool => tool.group !== 'admin').map(tool => tool.name);
  if (word === 'admin') return tools.filter(tool => tool.group === 'admin').map(tool => tool.name);
  return tools.some(tool => tool.name === word) ? [word] : undefined;
}
