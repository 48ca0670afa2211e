import { z } from 'zod';
import { ok } from '../../../base/result';
import { object, open, optional, shape } from '../../../features/shared/shape';
import { changeTask } from '../../../features/work/moves';
import { VERBS } from '../../../work/flow';
import { defineTool } from '../../tool';
import { failure, given } from '../outcome';
import { outcome, priority, statusAndOutcomeOf, statusOrEnding, tags, version } from './inputs';
import { movedSentence, moveSuccess, renderMove } from './moves';
import { authorOf } from './rows';

const fields = z.strictObject({
  name: z.string().optional(),
  summary: z.string().optional(),
  priority: priority.optional(),
  order: z.number().int().optional().describe('Lower comes first'),
  tags: tags.optional(),
  featureId: z.string().nullable().optional().describe('null removes the task from its feature'),
  assignedAgentId: z.string().nullable().optional(),
});

const taskUpdateShape = shape(() =>
  open({
    /** After closing the task: what to do for the knowledge about its code. */
    graphHints: optional(object({ message: z.string(), suggestedActions: z.array(z.string()) })),
  }),
);

export const taskUpdate = defineTool({
  name: 'task_update',
  title: 'Update a task',
  description:
    'Update the status of a task, its fields, or both, in one version. status completed or terminated can be set from any open status that is not blocked; transition makes one relative move, like the tool of that name. restoreVersion restores the fields of an earlier version (not its status). Returns the task, and graphHints after closing it: update the knowledge then.',
  group: 'work',
  effect: 'write',
  defaultProfile: 'compact',
  aliases: { id: 'taskId' },
  input: z.object({
    taskId: z.string(),
    status: statusOrEnding.optional().describe('failed and cancelled are the same as terminated'),
    transition: z.enum(VERBS).optional().describe('Instead of status'),
    fields: fields.optional(),
    reason: z.string().optional().describe('Required to block; recorded in the history'),
    outcome: outcome.optional().describe('Outcome of a closed task, instead of success or failure'),
    agentId: z.string().optional().describe('Assignee, if not you'),
    version: version.optional().describe('Checked if given'),
    restoreVersion: z.number().int().min(1).optional(),
  }),
  fields: [
    { key: 'task', priority: 'required', description: 'The updated task' },
    {
      key: 'graphHints',
      priority: 'required',
      description: 'After closing it: message and three suggestedActions for the knowledge about its code',
    },
    { key: 'releasedClaims', priority: 'high', description: 'Claims released with the task' },
    { key: 'reflectionId', priority: 'medium', description: 'What was learned from the task' },
  ],

  answer: taskUpdateShape,

  async handle(context, input, token) {
    const asked = input.status === undefined ? undefined : statusAndOutcomeOf(input.status);
    const ended = input.outcome ?? asked?.outcome;
    const author = { ...authorOf(context), ...(input.agentId === undefined ? {} : { agentId: input.agentId }) };
    const update = {
      taskId: input.taskId,
      ...(asked === undefined ? {} : { status: asked.status }),
      ...given({ transition: input.transition, reason: input.reason, version: input.version, restoreVersion: input.restoreVersion, outcome: ended }),
      ...(input.fields === undefined ? {} : { fields: given(input.fields) }),
    };
    const answer = await changeTask(context.workspace, author, update, token);
    return answer.ok ? ok(moveSuccess(context, answer.value, movedSentence(answer.value.container))) : failure(answer.error);
  },

  render: renderMove,
});
