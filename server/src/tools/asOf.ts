import type { CancellationToken } from '../base/cancellation';
import { err, ok, type Result } from '../base/result';
import { namesServices, workspaceAsOf } from '../features/shared/changeSource';
import { type Hint, paramRef, phrase, toolRef } from '../model/hints';
import type { Workspace } from '../workspace/snapshot';
import type { Tool, ToolFailure } from './tool';

/** Tools that do not take it, though they read the graph, with what to do instead. */
const PRESENT_ONLY: Readonly<Record<string, Hint>> = {
  graph_health: phrase`Omit ${paramRef('asOf')}.`,
  graph_diff: phrase`Omit ${paramRef('asOf')}. Name the states to compare in ${paramRef('from')} and ${paramRef('to')}.`,
  diff_since: phrase`Omit ${paramRef('asOf')}. Use ${toolRef('graph_diff')} with from and to to compare two earlier states.`,
};
/** Tools that walk the graph whatever its layers. */
const OF_ALL_LAYERS: ReadonlySet<string> = new Set(['query_graph_neighborhood', 'graph_query', 'graph_traverse', 'find_path']);
/** Tools that read what people and agents wrote, or the machinery. */
const NOT_OF_CODE: ReadonlySet<Tool['group']> = new Set(['knowledge', 'work', 'memory', 'admin']);

/** The workspace that a call with this input is about: of the present, or as it was at `asOf`. */
export async function workspaceOfCall(
  tool: Tool,
  workspace: Workspace,
  { asOf, own }: { readonly asOf: string | undefined; readonly own: Readonly<Record<string, unknown>> },
  token: CancellationToken,
): Promise<Result<Workspace, ToolFailure>> {
  if (asOf === undefined) return ok(workspace);
  const refused = (message: string, hint: Hint): ToolFailure => ({
    code: 'VALIDATION_ERROR',
    message,
    hint,
    data: { field: 'asOf', issues: [{ field: 'asOf', message }] },
  });
  if (tool.effect !== 'read' || NOT_OF_CODE.has(tool.group)) return err(refused(`${tool.name} does not support asOf.`, phrase`Omit ${paramRef('asOf')}.`));
  const instead = PRESENT_ONLY[tool.name];
  if (instead !== undefined) return err(refused(`${tool.name} does not support asOf.`, instead));
  return workspaceAsOf(workspace, asOf, token, { withServices: OF_ALL_LAYERS.has(tool.name) || namesServices(own) });
}
