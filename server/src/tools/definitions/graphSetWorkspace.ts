import { z } from 'zod';
import { ok } from '../../base/result';
import { setWorkspace } from '../../features/administration/manage';
import { defineTool } from '../tool';
import { failure } from './outcome';

export const graphSetWorkspace = defineTool({
  name: 'graph_set_workspace',
  title: 'Bind to a workspace folder',
  description:
    'Confirms which folder this server answers for and that it is watched. Only needed when a client is unsure; a folder outside the granted roots is refused.',
  group: 'core',
  effect: 'update',
  defaultProfile: 'compact',
  input: z.object({
    workspaceRoot: z.string().min(1).describe('Absolute path'),
    sourceDir: z.string().optional().describe('Folder inside it, for orientation'),
  }),
  fields: [
    { key: 'projectId', priority: 'required', description: 'Name of the project for other calls' },
    { key: 'watcherState', priority: 'required', description: 'State of the watcher' },
  ],

  async handle(context, input, token) {
    const bound = await setWorkspace(context.workspace, { workspaceRoot: input.workspaceRoot }, token);
    if (!bound.ok) return failure(bound.error);
    const { projectId, watcherState, root } = bound.value;
    const stamp = context.workspace.current()?.stamp ?? { revision: 0, head: '', pendingFiles: context.workspace.health().pendingFiles };
    return ok({ summary: `Answering for ${root}; watcher ${watcherState}.`, data: { projectId, watcherState }, stamp });
  },

  render: () => '',
});
