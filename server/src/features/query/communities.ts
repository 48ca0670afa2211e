import { z } from 'zod';
import type { CancellationToken } from '../../base/cancellation';
import { ok, type Result } from '../../base/result';
import { runSteps } from '../../base/steps';
import { CLUSTERING, type ClusterOptions, clusterSteps, describeSteps } from '../../code/graph/communities';
import type { GraphView } from '../../code/graph/graphView';
import type { Community } from '../../code/graph/metricTypes';
import { nodeColumn } from '../../model/ids';
import type { Workspace } from '../../workspace/snapshot';
import type { FeatureFailure } from '../shared/failure';
import { feature } from '../shared/feature';
import { answerFresh, type Stamped } from '../shared/fresh';
import { choice, integer } from '../shared/params';
import { object, optional, type Shaped, shape, stamped } from '../shared/shape';

/** Default for the size of a community: a node that nothing joins is a community of its own, which tells nobody anything. */
export const MIN_MEMBERS = 2;

/** What joins communities; `communitiesParams` describes them. */
export const CLUSTERINGS = ['all', 'calls-imports'] as const;

export const communitiesParams = shape(() =>
  object({
    limit: optional(integer()),
    offset: optional(integer()),
    /** Smaller communities are left out. Default: 2. */
    minMembers: optional(integer()),
    /** `calls-imports` clusters anew by calls and imports alone; `all` gives the communities that everything else speaks of. */
    clustering: optional(choice(CLUSTERINGS)),
  }),
);
export type CommunitiesParams = Shaped<typeof communitiesParams>;

export const communityRowShape = shape(() =>
  object({
    id: z.number(),
    label: z.string(),
    summary: z.string(),
    memberCount: z.number(),
    /** Its most central member. */
    centralNode: z.string(),
    /** Revision whose links were clustered. */
    computedAt: z.number(),
  }),
);
export type CommunityRow = Shaped<typeof communityRowShape>;

export const communitiesAnswerShape = shape(() =>
  object({
    /** Largest first. */
    communities: z.array(communityRowShape()),
    total: z.number(),
  }),
);
export type CommunitiesAnswer = Shaped<typeof communitiesAnswerShape>;

/** Groups of code that hang together. */
export async function communities(
  workspace: Workspace,
  params: CommunitiesParams,
  token: CancellationToken,
): Promise<Result<Stamped<CommunitiesAnswer>, FeatureFailure>> {
  const isNarrow = params.clustering === 'calls-imports';
  if (!isNarrow) await communitiesReady(workspace);
  const current = isNarrow ? workspace.current() : undefined;
  const narrow = current === undefined ? undefined : await clusteredByCalls(current.graph, () => workspace.pause?.());
  return answerFresh(workspace, [], token, ({ graph }) => {
    const all = isNarrow ? (narrow ?? []) : graph.describedCommunities();
    const found = all.filter(community => community.memberCount >= (params.minMembers ?? MIN_MEMBERS) && graph.isLive(community.centralNode));
    const offset = params.offset ?? 0;
    const shown = found.slice(offset, offset + (params.limit ?? 20));
    const rows = shown.map(community => communityRow(graph, community)).map(row => (current === undefined ? row : { ...row, computedAt: current.revision }));
    return ok({ value: { communities: rows, total: found.length }, touched: [] });
  });
}

/** Communities by calls and imports alone (option `calls-imports`). */
async function clusteredByCalls(graph: GraphView, pause: () => Promise<void> | undefined): Promise<readonly Community[]> {
  const nodes = nodeColumn(Int32Array.from(graph.nodes()));
  const options: ClusterOptions = { ...CLUSTERING, relations: ['CALLS', 'IMPORTS'] };
  const membership = await runSteps(clusterSteps(graph, nodes, options), pause);
  return runSteps(describeSteps(graph, membership, nodes, options), pause);
}

export function communityRow(graph: GraphView, { id, label, summary, memberCount, centralNode }: Community): CommunityRow {
  return { id, label, summary, memberCount, centralNode: graph.idOf(centralNode), computedAt: graph.communities().revision };
}

/** Has the communities of a large graph computed without holding others up. */
export async function communitiesReady(workspace: Workspace): Promise<void> {
  const graph = workspace.current()?.graph;
  if (graph !== undefined && !graph.hasQuickCommunities) await graph.prepareCommunities(() => workspace.pause?.());
}

export const communitiesFeature = feature({
  name: 'communities',
  about: 'The communities of the code, largest first.',
  params: communitiesParams,
  answer: stamped(communitiesAnswerShape),
  run: communities,
});
