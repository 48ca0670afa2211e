import { z } from 'zod';
import { ok } from '../../base/result';
import { rebuild } from '../../features/administration/manage';
import { phrase, toolRef } from '../../model/hints';
import { defineTool } from '../tool';
import { failure } from './outcome';

export const graphRebuild = defineTool({
  name: 'graph_rebuild',
  title: 'Rebuild the index',
  description:
    'Queue a rebuild of the index and return its transaction ID immediately. Rarely needed, because changed files are indexed automatically. incremental checks every file for changes; full parses all files again.',
  group: 'core',
  effect: 'update',
  defaultProfile: 'compact',
  input: z.object({
    mode: z.enum(['incremental', 'full']).default('incremental'),
    scope: z.enum(['all', 'code']).default('all'),
    paths: z.array(z.string()).optional().describe('Only these files or folders'),
  }),
  fields: [
    { key: 'status', priority: 'required', description: 'QUEUED' },
    { key: 'txId', priority: 'required', description: 'ID of the queued transaction' },
  ],

  async handle(context, input, token) {
    const { agentId, sessionId } = context;
    const queued = await rebuild(
      context.workspace,
      { mode: input.mode, paths: input.paths ?? [], sessionId, ...(agentId === undefined ? {} : { agentId }) },
      token,
    );
    if (!queued.ok) return failure(queued.error);
    const stamp = context.workspace.current()?.stamp ?? { revision: 0, head: '', pendingFiles: context.workspace.health().pendingFiles };
    return ok({
      summary: `Queued ${input.mode} rebuild ${queued.value.txId}.`,
      data: { ...queued.value },
      stamp,
      hint: phrase`Use ${toolRef('graph_health')} to see when it is done.`,
    });
  },

  render: () => '',
});
