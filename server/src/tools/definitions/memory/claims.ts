import { z } from 'zod';
import type { CancellationToken } from '../../../base/cancellation';
import { ok } from '../../../base/result';
import { agentStatus } from '../../../features/memory/agents';
import { claim, coordinationOverview, release } from '../../../features/memory/claims';
import type { ClaimRow } from '../../../features/memory/shapes';
import { stampOf } from '../../../features/shared/fresh';
import { CLAIM_TYPES } from '../../../memory/entities';
import { type Hint, phrase, toolRef } from '../../../model/hints';
import { defineTool, type Tool, type ToolContext } from '../../tool';
import { block, count, failure, given, rowsIn, textIn } from '../outcome';
import { authorOf } from '../work/rows';
import { shortClaim } from './claimsNear';
import { claimLine, memoryLine, shortRows } from './rows';

/** Of a claim that is active, what is not known from where it stands; all of it in the profile debug. */
function activeRows(claims: readonly ClaimRow[], { profile }: ToolContext): readonly Readonly<Record<string, unknown>>[] {
  if (profile === 'debug') return claims;
  return claims.map(({ agentId, claimType, id, intent, targetId, taskId, validFrom }) => ({
    id,
    agentId,
    claimType,
    targetId,
    intent,
    validFrom,
    ...given({ taskId }),
  }));
}

/** Most claims beside a claim that are told. */
const MAX_WARNINGS = 5;
/** Agents that are named in place of one that is not known. */
const MAX_NAMES = 5;

const agentClaim = defineTool({
  name: 'agent_claim',
  title: 'Claim work',
  description:
    'Claim a task, feature, file or symbol that you are working on, so that other agents avoid it. Use before you edit. If another agent holds it, status is CONFLICT and nothing is claimed: choose other work or ask. A claim ends when you release it, when its task is completed, or when someone else changes the code; it does not expire. Returns claimId.',
  group: 'memory',
  effect: 'write',
  defaultProfile: 'compact',
  aliases: { target: 'targetId' },
  input: z.object({
    targetId: z.string().describe('ID, path or path#symbol; ID of a task or feature'),
    claimType: z.enum(CLAIM_TYPES).describe('function is any symbol'),
    intent: z.string().describe('What you are going to do'),
    taskId: z.string().optional(),
  }),
  fields: [
    { key: 'claimId', priority: 'required', description: "ID of the claim; '' on conflict" },
    { key: 'status', priority: 'required', description: 'ok or CONFLICT' },
    { key: 'conflict', priority: 'required', description: 'Who holds it: agentId, intent, since' },
    { key: 'targetVersionSHA', priority: 'high', description: 'Version of the target when it was claimed' },
    {
      key: 'warnings',
      priority: 'required',
      description: 'Up to 5 claims of other agents on code that contains the target or is part of it: claimId, agentId, targetId, intent, since',
    },
    { key: 'targetId', priority: 'low', description: 'ID of the target in the graph' },
  ],

  async handle(context, input, token) {
    const { claimType, intent, targetId, taskId } = input;
    const made = await claim(context.workspace, authorOf(context), { claimType, intent, targetId, ...given({ taskId }) }, token);
    if (!made.ok) return failure(made.error);
    const { conflict, stamp, warnings, ...rest } = made.value;
    const since = conflict === undefined ? '' : new Date(conflict.since).toISOString();
    const beside = warnings.length === 0 ? '' : ` ${count(warnings.length, 'overlapping claim')} of other agents.`;
    return ok({
      summary:
        conflict === undefined
          ? `You hold ${rest.targetId}.${beside}`
          : `${conflict.agentId} has been working on ${rest.targetId} since ${since.slice(0, 16)}: ${conflict.intent}`,
      stamp,
      data: {
        ...rest,
        ...(conflict === undefined ? {} : { conflict: { ...conflict, since } }),
        ...(warnings.length === 0 ? {} : { warnings: warnings.slice(0, MAX_WARNINGS).map(shortClaim) }),
      },
      keepsEmpty: true,
      ...(conflict === undefined ? {} : { hint: phrase`Choose other work (${toolRef('get_next_task')}), or work on a part that is not claimed.` }),
    });
  },

  render: data => [textIn(data, 'claimId'), ...block('Overlapping claims', rowsIn(data, 'warnings').map(claimLine))].filter(line => line !== '').join('\n'),
});

const agentRelease = defineTool({
  name: 'agent_release',
  title: 'Release a claim',
  description:
    'Release a claim of yours when you are done or give up. outcome is stored as an observation about the target. Completing a task releases its claims automatically. Returns the ended claim.',
  group: 'memory',
  effect: 'update',
  defaultProfile: 'compact',
  input: z.object({ claimId: z.string(), outcome: z.string().optional().describe('Result of the work') }),
  fields: [
    { key: 'id', priority: 'required', description: 'ID of the claim' },
    { key: 'invalidationReason', priority: 'required', description: 'Why it ended: released, code_changed, task_completed, expired' },
    { key: 'validTo', priority: 'high', description: 'When it ended' },
    { key: 'targetId', priority: 'high', description: 'What was claimed' },
    { key: 'agentId', priority: 'low', description: 'Who held it' },
    { key: 'intent', priority: 'low', description: 'As claimed' },
  ],

  async handle(context, { claimId, outcome }, token) {
    const released = await release(context.workspace, authorOf(context), { claimId, ...given({ outcome }) }, token);
    if (!released.ok) return failure(released.error);
    const row = released.value;
    return ok({ summary: `The claim on ${row.targetId} has ended (${row.invalidationReason}).`, stamp: stampOf(context.workspace), data: { ...row } });
  },

  render: claimLine,
});

const agentStatusTool = defineTool({
  name: 'agent_status',
  title: 'Show an agent',
  description:
    'Show what an agent has claimed, its task in progress and its last 10 episodes. Use to resume work or before taking over. For all agents use coordination_overview.',
  group: 'memory',
  effect: 'read',
  defaultProfile: 'compact',
  input: z.object({ agentId: z.string() }),
  fields: [
    { key: 'agentId', priority: 'required', description: 'As requested' },
    { key: 'activeClaims', priority: 'required', description: 'id, claimType, targetId, intent, validFrom; with debug also sessionId, targetVersionSHA' },
    { key: 'currentTask', priority: 'high', description: 'id, name, status' },
    { key: 'recentEpisodes', priority: 'medium', description: 'The last 10, newest first' },
  ],

  async handle(context, { agentId }, token) {
    const { stamp, ...data } = await agentStatus(context.workspace, agentId, token);
    const { activeClaims, currentTask, recentEpisodes } = data;
    const task = currentTask === undefined ? '' : `, working on ${currentTask.name}`;
    const isUnknown = currentTask === undefined && activeClaims.length + recentEpisodes.length === 0;
    return ok({
      summary: `${agentId}: ${count(activeClaims.length, 'active claim')}, ${count(recentEpisodes.length, 'recent episode')}${task}.`,
      stamp,
      data: { ...data, activeClaims: activeRows(activeClaims, context), recentEpisodes: shortRows(recentEpisodes, context.profile !== 'debug') },
      keepsEmpty: true,
      ...(isUnknown ? { hint: await knownAgents(context, agentId, token) } : {}),
    });
  },

  render: data =>
    [...block('Claims', rowsIn(data, 'activeClaims').map(claimLine)), ...block('Episodes', rowsIn(data, 'recentEpisodes').map(memoryLine))].join('\n'),
});

/** Who else is meant: agents are often called by the name of their program alone, which lacks the session. */
async function knownAgents({ workspace }: ToolContext, agentId: string, token: CancellationToken): Promise<Hint> {
  const { agentSummary } = await coordinationOverview(workspace, token);
  const names = agentSummary.map(agent => agent.agentId);
  const alike = names.filter(name => name.startsWith(agentId) || agentId.startsWith(name));
  const told = (alike.length > 0 ? alike : names).slice(0, MAX_NAMES);
  if (told.length === 0) return 'No agent has claimed or recorded anything in this project yet.';
  return phrase`Nothing is known of this agent. ${alike.length > 0 ? 'Alike' : 'Known'}: ${told.join(', ')}. ${toolRef('coordination_overview')} lists all agents.`;
}

const coordinationOverviewTool = defineTool({
  name: 'coordination_overview',
  title: 'Show who is working on what',
  description:
    'List all active claims, those whose code has changed, conflicts, and all agents with when they were last seen. Use before you divide or take over work. Returns activeClaims and totalClaims.',
  group: 'memory',
  effect: 'read',
  defaultProfile: 'compact',
  input: z.object({}),
  fields: [
    {
      key: 'activeClaims',
      priority: 'required',
      description: 'id, agentId, claimType, targetId, intent, validFrom; oldest first. With debug also sessionId, targetVersionSHA',
    },
    { key: 'conflicts', priority: 'required', description: 'Targets that several agents hold' },
    { key: 'totalClaims', priority: 'high', description: 'Number of active claims' },
    { key: 'staleClaims', priority: 'high', description: 'Active claims on code that has changed since' },
    { key: 'agentSummary', priority: 'medium', description: 'agentId, claimCount, lastSeen' },
  ],

  async handle(context, _input, token) {
    const { stamp, ...data } = await coordinationOverview(context.workspace, token);
    return ok({
      summary: `${count(data.totalClaims, 'active claim')} of ${count(data.agentSummary.filter(agent => agent.claimCount > 0).length, 'agent')}, ${count(data.conflicts.length, 'conflict')}.`,
      stamp,
      data: { ...data, activeClaims: activeRows(data.activeClaims, context), staleClaims: activeRows(data.staleClaims, context) },
      keepsEmpty: true,
    });
  },

  render: data =>
    [
      ...block('Claims', rowsIn(data, 'activeClaims').map(claimLine)),
      ...block(
        'Agents',
        rowsIn(data, 'agentSummary').map(
          row => `${textIn(row, 'agentId')}: ${count(Number(row['claimCount']), 'claim')}, last seen ${textIn(row, 'lastSeen')}`,
        ),
      ),
    ].join('\n'),
});

export const CLAIM_TOOLS: readonly Tool[] = [agentClaim, agentRelease, agentStatusTool, coordinationOverviewTool];
