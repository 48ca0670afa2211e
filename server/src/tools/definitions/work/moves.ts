import { z } from 'zod';
import type { CancellationToken } from '../../../base/cancellation';
import { ok, type Result } from '../../../base/result';
import { stampOf } from '../../../features/shared/fresh';
import { type MoveAnswer, moveWork } from '../../../features/work/moves';
import { joinHints, phrase, toolRef } from '../../../model/hints';
import type { Container } from '../../../work/entities';
import { VERBS, type Verb } from '../../../work/flow';
import { defineTool, type FieldRule, type Tool, type ToolContext, type ToolData, type ToolFailure, type ToolSuccess } from '../../tool';
import { failure, given, textIn } from '../outcome';
import { ending, outcome, statusAndOutcomeOf, version } from './inputs';
import { authorOf, entityLines, fitted } from './rows';

const FIELDS: readonly FieldRule[] = [
  { key: 'task', priority: 'required', description: 'The updated task' },
  { key: 'feature', priority: 'required', description: 'The updated feature' },
  {
    key: 'graphHints',
    priority: 'required',
    description: 'After closing a task: message and three suggestedActions for the knowledge about its code',
  },
  { key: 'releasedClaims', priority: 'high', description: 'Claims released with the task' },
  { key: 'reflectionId', priority: 'high', description: 'What was learned from the task' },
];

const ID = z.string().describe('task::uuid, feature::uuid or the bare uuid');
const REASON = z.string().describe('Reason, recorded in the history');

/** A tool for one transition, or for whichever its input names. */
function moveTool<Input extends z.ZodObject>(
  parts: Pick<Tool<Input>, 'name' | 'title' | 'description' | 'input'> & { readonly verb: (input: z.output<Input>) => Verb },
): Tool<Input> {
  const { verb, ...own } = parts;
  return defineTool({
    ...own,
    group: 'work',
    effect: 'write',
    defaultProfile: 'compact',
    aliases: { taskId: 'id' },
    fields: FIELDS,
    handle: (context, input, token) => move(context, verb(input), input as unknown as MoveInput, token),
    render: renderMove,
  });
}

const advance = moveTool({
  name: 'advance',
  title: 'Advance work',
  description:
    'Move a task or feature one stage forward: pending → in_progress → in_review → completed. Fails if it is blocked (data.blockers). Use when a stage is done; task_update can complete a task directly. Returns the item, and graphHints after closing a task: update the knowledge then.',
  input: z.object({
    id: ID,
    version,
    action: z.enum(VERBS).default('advance').describe('Run the tool of that name instead'),
    to: ending.optional().describe('With action terminate: the outcome'),
    reason: REASON.optional().describe('Required for block and terminate'),
    outcome: outcome.optional().describe('Outcome of a closed task, instead of success or failure'),
  }),
  verb: ({ action }) => action,
});

const revert = moveTool({
  name: 'revert',
  title: 'Revert work',
  description:
    'Move a task or feature one stage back, or reopen a completed or terminated one as in_progress. Use when a stage is not done after all; to remove a block use unblock. Returns the item.',
  input: z.object({ id: ID, version, reason: REASON.optional() }),
  verb: () => 'revert',
});

const block = moveTool({
  name: 'block',
  title: 'Block work',
  description:
    'Mark an open task or feature as blocked, with a reason. It cannot move forward until it is unblocked. Use for reasons outside the project; to wait for another task use manage_dependency. Returns the item.',
  input: z.object({ id: ID, version, reason: REASON }),
  verb: () => 'block',
});

const unblock = moveTool({
  name: 'unblock',
  title: 'Unblock work',
  description: 'Unblock a task or feature and restore its previous status. Does not remove dependencies (manage_dependency). Returns the item.',
  input: z.object({ id: ID, version, reason: REASON.optional() }),
  verb: () => 'unblock',
});

const terminate = moveTool({
  name: 'terminate',
  title: 'Terminate work',
  description:
    'Close an open task or feature that will not be completed, with a reason. Tasks that depend on it stay blocked. To complete a task use advance or task_update. Returns the item and graphHints: update the knowledge then.',
  input: z.object({
    id: ID,
    version,
    reason: REASON,
    to: ending.optional().describe('Outcome'),
    outcome: outcome.optional().describe('Instead of failure'),
  }),
  verb: () => 'terminate',
});

export const MOVES: readonly Tool[] = [advance, revert, terminate, block, unblock];

interface MoveInput {
  readonly id: string;
  readonly version: number;
  readonly reason?: string | undefined;
  readonly to?: z.output<typeof ending> | undefined;
  readonly outcome?: z.output<typeof outcome> | undefined;
}

async function move(context: ToolContext, verb: Verb, input: MoveInput, token: CancellationToken): Promise<Result<ToolSuccess, ToolFailure>> {
  const ended = input.outcome ?? (input.to === undefined ? undefined : statusAndOutcomeOf(input.to).outcome);
  const asked = { id: input.id, verb, version: input.version, ...given({ reason: input.reason, outcome: ended }) };
  const answer = await moveWork(context.workspace, authorOf(context), asked, token);
  return answer.ok ? ok(moveSuccess(context, answer.value, movedSentence(answer.value.container))) : failure(answer.error);
}

/** The tools for what `graphHints` suggests. */
const KNOWLEDGE_TOOLS = phrase`Run ${toolRef('query_graph', { operation: 'context' })} to find the atoms, ${toolRef('manage_graph')} to update them, and ${toolRef('manage_changelog')} to add entries.`;

/** The answer of every tool that may move a task. */
export function moveSuccess(context: ToolContext, answer: MoveAnswer, summary: string): ToolSuccess<ToolData & Pick<MoveAnswer, 'graphHints'>> {
  const { container, graphHints, problem, reflectionId, releasedClaims } = answer;
  const hint = joinHints([problem ?? '', graphHints === undefined ? '' : KNOWLEDGE_TOOLS]);
  return {
    summary,
    stamp: stampOf(context.workspace),
    data: {
      [container.type]: fitted(context, container),
      ...(graphHints === undefined ? {} : { graphHints }),
      ...(releasedClaims === undefined ? {} : { releasedClaims }),
      ...(reflectionId === undefined ? {} : { reflectionId }),
    },
    ...(hint === '' ? {} : { hint }),
  };
}

export function movedSentence({ id, status, type, version: at }: Container): string {
  return `${type === 'task' ? 'Task' : 'Feature'} ${id} is ${status} (version ${at}).`;
}

export function renderMove(data: Readonly<Record<string, unknown>>): string {
  const hints = data['graphHints'] as MoveAnswer['graphHints'];
  const lines = [...entityLines(data['task'] ?? data['feature'])];
  if (hints !== undefined) lines.push(hints.message, ...hints.suggestedActions.map(action => `- ${action}`));
  if (textIn(data, 'reflectionId') !== '') lines.push(`Reflection ${textIn(data, 'reflectionId')}`);
  return lines.join('\n');
}
