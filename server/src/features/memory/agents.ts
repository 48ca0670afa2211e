import type { CancellationToken } from '../../base/cancellation';
import { MemoryView } from '../../memory/view';
import type { Records } from '../../model/records';
import type { Container } from '../../work/entities';
import { listWork } from '../../work/lists';
import { WorkView } from '../../work/view';
import type { Stamp, Workspace } from '../../workspace/snapshot';
import { stampOf } from '../shared/fresh';
import { claimRow, episodeRow } from './rows';
import type { ClaimRow, MemoryRow } from './shapes';

export interface AgentStatus {
  readonly agentId: string;
  readonly activeClaims: readonly ClaimRow[];
  /** The task that it has in progress. */
  readonly currentTask?: { readonly id: string; readonly name: string; readonly status: string };
  /** Newest first. */
  readonly recentEpisodes: readonly MemoryRow[];
  readonly stamp: Stamp;
}

const RECENT = 10;

/** What an agent is at, and what it did last. */
export async function agentStatus(workspace: Workspace, agentId: string, token: CancellationToken): Promise<AgentStatus> {
  const { records } = workspace;
  const view = new MemoryView(records);
  const activeClaims = view.activeClaims().filter(claim => claim.agentId === agentId);
  const task = currentTask(records, agentId, activeClaims);
  const snapshot = await workspace.snapshot([], token);
  const sight = { graph: snapshot.ok ? snapshot.value.graph : undefined, records };
  return {
    agentId,
    activeClaims: activeClaims.map(claimRow),
    ...(task === undefined ? {} : { currentTask: { id: task.id, name: task.name, status: task.status } }),
    recentEpisodes: view.episodes({ agentId }, RECENT).map(episode => episodeRow(episode, sight)),
    stamp: snapshot.ok ? snapshot.value.stamp : stampOf(workspace),
  };
}

/** The task that an agent has in progress, else the one that it claims something for. */
export function currentTask(records: Records, agentId: string, claims: readonly { readonly taskId?: string | null }[]): Container | undefined {
  const assigned = listWork(records, { type: 'task', status: ['in_progress'], agentId }, { limit: 1, offset: 0 }).items[0];
  const claimed = claims.flatMap(({ taskId }) => taskId ?? [])[0];
  return assigned ?? (claimed === undefined ? undefined : new WorkView(records).container(claimed, 'task'));
}
