import type { CancellationToken } from '../base/cancellation';
import { err, ok, type Result } from '../base/result';
import { workspaceAsOf } from '../features/shared/changeSource';
import type { Workspace } from '../workspace/snapshot';
import type { Tool, ToolFailure } from './tool';

/** Tools that speak of the present only, though they read the graph. */
const PRESENT_ONLY: ReadonlySet<string> = new Set(['semantic_slice', 'context_pack', 'graph_health', 'graph_diff', 'diff_since']);
/** Tools that read what people and agents wrote, or the machinery. */
const NOT_OF_CODE: ReadonlySet<Tool['group']> = new Set(['knowledge', 'work', 'memory', 'admin']);

/** The workspace that a call is about: of the present, or as it was at `asOf`. */
export async function workspaceOfCall(
  tool: Tool,
  workspace: Workspace,
  asOf: string | undefined,
  token: CancellationToken,
): Promise<Result<Workspace, ToolFailure>> {
  if (asOf === undefined) return ok(workspace);
  const refused = (message: string, hint: string): ToolFailure => ({
    code: 'VALIDATION_ERROR',
    message,
    hint,
    data: { field: 'asOf', issues: [{ field: 'asOf', message }] },
  });
  if (tool.effect !== 'read' || NOT_OF_CODE.has(tool.group)) return err(refused(`${tool.name} does not support asOf.`, 'Omit asOf.'));
  if (PRESENT_ONLY.has(tool.name)) return err(refused(`${tool.name} only supports the current code.`, 'Omit asOf. Use code_explain to learn about a symbol.'));
  return workspaceAsOf(workspace, asOf, token);
}
