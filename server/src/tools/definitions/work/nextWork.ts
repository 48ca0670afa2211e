import { z } from 'zod';
import { ok, type Result } from '../../../base/result';
import { stampOf } from '../../../features/shared/fresh';
import { nextWork } from '../../../features/work/reading';
import { phrase, toolRef } from '../../../model/hints';
import type { ContainerType } from '../../../work/entities';
import type { NextItem } from '../../../work/lists';
import { defineTool, type ToolContext, type ToolFailure, type ToolSuccess } from '../../tool';
import { failure, given, rowsIn } from '../outcome';
import { itemRow, lineOf } from './rows';

const limit = z.number().int().min(1).max(100).default(1);

export const getNextTask = defineTool({
  name: 'get_next_task',
  title: 'Find the next task',
  description:
    'Find the next task to work on: pending, not blocked, and not claimed by others. Tasks of features in progress come first, then by priority, order, number of dependent tasks, and age. Returns items with the reason. Then use query_container get with includeGraphContext.',
  group: 'work',
  effect: 'read',
  defaultProfile: 'compact',
  input: z.object({ featureId: z.string().optional().describe('Only tasks of this feature'), limit }),
  fields: [{ key: 'items', priority: 'required', description: 'Best first: id, name, status, priority, version, featureId, reason' }],
  handle: (context, asked) => answer(context, 'task', asked),
  render: data => rowsIn(data, 'items').map(lineOf).join('\n'),
});

export const getNextFeature = defineTool({
  name: 'get_next_feature',
  title: 'Find the next feature',
  description:
    'Find the next feature to work on: features in progress with a task that can be started, then pending ones, by priority, order, number of such tasks, and age. Returns items with the reason. Then use get_next_task with its featureId.',
  group: 'work',
  effect: 'read',
  defaultProfile: 'compact',
  input: z.object({ limit }),
  fields: [{ key: 'items', priority: 'required', description: 'Best first: id, name, status, priority, version, reason' }],
  handle: (context, asked) => answer(context, 'feature', asked),
  render: data => rowsIn(data, 'items').map(lineOf).join('\n'),
});

async function answer(
  context: ToolContext,
  type: ContainerType,
  asked: { readonly featureId?: string | undefined; readonly limit: number },
): Promise<Result<ToolSuccess, ToolFailure>> {
  const found = nextWork(context.workspace, { type, limit: asked.limit, agentId: context.agentId, ...given({ featureId: asked.featureId }) });
  if (!found.ok) return failure(found.error);
  const items = found.value.map(rowOf);
  const first = found.value[0];
  return ok({
    summary: first === undefined ? `There is no ${type} to start.` : `Next: ${first.container.name.replace(/\s+/g, ' ').slice(0, 80)} (${first.reason}).`,
    stamp: stampOf(context.workspace),
    data: { items },
    ...(first === undefined ? { hint: phrase`Use ${toolRef('blocking_issues')} to see what is blocked, and why.` } : {}),
  });
}

function rowOf({ container, feature, reason }: NextItem): Readonly<Record<string, unknown>> {
  return { ...itemRow(container), ...(feature === undefined ? {} : { featureName: feature.name }), reason };
}
