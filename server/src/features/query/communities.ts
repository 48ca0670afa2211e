import type { CancellationToken } from '../../base/cancellation';
import { ok, type Result } from '../../base/result';
import type { GraphView } from '../../code/graph/graphView';
import type { Community } from '../../code/graph/metricTypes';
import type { StableId } from '../../model/ids';
import type { Workspace } from '../../workspace/snapshot';
import type { FeatureFailure } from '../failure';
import { answerFresh, type Stamped } from '../fresh';

export interface CommunitiesParams {
  /** Smaller communities are left out. */
  readonly minMembers?: number;
  readonly limit?: number;
  readonly offset?: number;
}

export interface CommunityRow {
  readonly id: number;
  readonly label: string;
  readonly summary: string;
  readonly memberCount: number;
  /** Its most central member. */
  readonly centralNode: StableId;
  /** Revision whose links were clustered. */
  readonly computedAt: number;
}

export interface CommunitiesAnswer {
  /** Largest first. */
  readonly communities: readonly CommunityRow[];
  readonly total: number;
}

/** Groups of code that hang together (graph spec section 7). */
export async function communities(
  workspace: Workspace,
  params: CommunitiesParams,
  token: CancellationToken,
): Promise<Result<Stamped<CommunitiesAnswer>, FeatureFailure>> {
  await communitiesReady(workspace);
  return answerFresh(workspace, [], token, ({ graph }) => {
    const found = graph.describedCommunities().filter(community => community.memberCount >= (params.minMembers ?? 1));
    const offset = params.offset ?? 0;
    const shown = found.slice(offset, offset + (params.limit ?? 20));
    return ok({ value: { communities: shown.map(community => communityRow(graph, community)), total: found.length }, touched: [] });
  });
}

export function communityRow(graph: GraphView, { id, label, summary, memberCount, centralNode }: Community): CommunityRow {
  return { id, label, summary, memberCount, centralNode: graph.idOf(centralNode), computedAt: graph.communities().revision };
}

/** Has the communities of a large graph computed without holding others up. */
export async function communitiesReady(workspace: Workspace): Promise<void> {
  const graph = workspace.current()?.graph;
  if (graph !== undefined && !graph.hasQuickCommunities) await graph.prepareCommunities(() => workspace.pause?.());
}
