import { z } from 'zod';
import { ok } from '../../../base/result';
import { setWorkspace } from '../../../features/administration/manage';
import { defineTool } from '../../tool';
import { failure } from '../outcome';

export const graphSetWorkspace = defineTool({
  name: 'graph_set_workspace',
  title: 'Set workspace folder',
  description:
    'Switch to another folder, or confirm which folder this server answers questions about. Only needed if this is unclear. A folder outside the allowed roots is refused. Returns its project ID and the state of its watcher.',
  group: 'core',
  effect: 'update',
  defaultProfile: 'compact',
  input: z.object({
    workspaceRoot: z.string().min(1).describe('Absolute path'),
    sourceDir: z.string().optional().describe('Folder within it'),
  }),
  fields: [
    { key: 'projectId', priority: 'required', description: 'Project ID for other calls' },
    { key: 'watcherState', priority: 'required', description: 'State of the watcher' },
  ],

  async handle(context, input, token) {
    const bound = await setWorkspace(context.workspace, { workspaceRoot: input.workspaceRoot }, token);
    if (!bound.ok) return failure(bound.error);
    const { projectId, watcherState, root } = bound.value;
    const stamp = context.workspace.current()?.stamp ?? { revision: 0, head: '', pendingFiles: context.workspace.health().pendingFiles };
    return ok({ summary: `Workspace: ${root}. Watcher ${watcherState}.`, data: { projectId, watcherState }, stamp });
  },

  render: () => '',
});
