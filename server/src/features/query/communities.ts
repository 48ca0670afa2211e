import { z } from 'zod';
import type { CancellationToken } from '../../base/cancellation';
import { ok, type Result } from '../../base/result';
import { runSteps } from '../../base/steps';
import { compareText } from '../../base/text';
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
    const services = isNarrow ? undefined : servicesOf(workspace, graph);
    const rows = shown
      .map(community => communityRow(graph, community, services))
      .map(row => (current === undefined ? row : { ...row, computedAt: current.revision }));
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

export function communityRow(graph: GraphView, community: Community, services?: ReadonlyMap<number, string>): CommunityRow {
  const { id, label, memberCount, centralNode } = community;
  const summary = [community.summary, services?.get(id) ?? ''].filter(part => part !== '').join(' ');
  return { id, label, summary, memberCount, centralNode: graph.idOf(centralNode), computedAt: graph.communities().revision };
}

/** Services that are named of one community. */
const MAX_SERVICES = 5;

/** By community, in words: the services that its files belong to, those with most files first. Of one that is not a system of several services, nothing. */
export function servicesOf(workspace: Workspace, graph: GraphView): ReadonlyMap<number, string> | undefined {
  const model = workspace.services?.current;
  if (model === undefined || model.services.length < 2) return undefined;
  const { of } = graph.communities();
  const counts = new Map<number, Map<string, number>>();
  for (const file of graph.files()) {
    const [community, service] = [of[file] ?? -1, model.serviceOf(graph.idOf(file))];
    if (community < 0 || service === '') continue;
    const known = counts.get(community) ?? new Map<string, number>();
    counts.set(community, known.set(service, (known.get(service) ?? 0) + 1));
  }
  return new Map(
    [...counts].map(([community, services]) => {
      const names = [...services].sort(([a, x], [b, y]) => y - x || compareText(a, b)).map(([name]) => name);
      const more = names.length > MAX_SERVICES ? `, ${names.length - MAX_SERVICES} more` : '';
      return [community, `${names.length === 1 ? 'Service' : 'Services'}: ${names.slice(0, MAX_SERVICES).join(', ')}${more}.`];
    }),
  );
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
