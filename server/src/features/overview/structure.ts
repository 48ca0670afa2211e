import { z } from 'zod';
import type { CancellationToken } from '../../base/cancellation';
import { ok, type Result } from '../../base/result';
import type { Workspace } from '../../workspace/snapshot';
import { communitiesReady } from '../query/communities';
import type { FeatureFailure } from '../shared/failure';
import { feature } from '../shared/feature';
import { answerFresh, type Stamped } from '../shared/fresh';
import { importCycles } from '../shared/links';
import { integer } from '../shared/params';
import { byRank, rowOf, symbolRowShape } from '../shared/rows';
import { object, optional, type Shaped, shape, stamped } from '../shared/shape';
import { activityOf, activityShape } from './activity';
import { hotspotShape, hotspotsOf } from './hotspots';

export const structureParams = shape(() =>
  object({
    /** Most rows of each list, 30 when absent. */
    limit: optional(integer()),
    /** Most members of a community, 20 when absent. */
    members: optional(integer()),
  }),
);
export type StructureParams = Shaped<typeof structureParams>;

export const structureAnswerShape = shape(() =>
  object({
    /** Groups of code that hang together, largest first. */
    communities: z.array(
      object({
        id: z.number(),
        /** The folder that most of it is in; where several share one, with what is most central in each. */
        label: z.string(),
        summary: z.string(),
        memberCount: z.number(),
        /** The most central ones. */
        members: z.array(symbolRowShape()),
      }),
    ),
    communityCount: z.number(),
    /** Files that import each other, largest group first. */
    cycles: z.array(z.array(z.string())),
    cycleCount: z.number(),
    /** Functions and types that more than one node depends on. */
    hotspots: z.array(hotspotShape()),
    /** Empty where past commits are not known. */
    activity: z.array(activityShape()),
  }),
);
export type StructureAnswer = Shaped<typeof structureAnswerShape>;

/** Communities of one node say nothing. */
const MIN_MEMBERS = 3;
const DEFAULT_LIMIT = 30;
const HOTSPOTS = 15;
const MEMBERS = 20;

/** How the workspace is built and where it changes: communities, import cycles, hotspots, commits by folder and week. */
export async function structure(
  workspace: Workspace,
  params: StructureParams,
  token: CancellationToken,
): Promise<Result<Stamped<StructureAnswer>, FeatureFailure>> {
  await communitiesReady(workspace);
  return answerFresh(workspace, [], token, ({ graph }) => {
    const limit = params.limit ?? DEFAULT_LIMIT;
    const rank = byRank(graph);
    const found = graph.describedCommunities().filter(community => community.memberCount >= MIN_MEMBERS);
    const cycles = importCycles(graph);
    const value: StructureAnswer = {
      communities: found.slice(0, limit).map(({ id, label, summary, memberCount }) => ({
        id,
        label,
        summary,
        memberCount,
        members: [...graph.membersOf(id)]
          .sort(rank)
          .slice(0, params.members ?? MEMBERS)
          .map(member => rowOf(graph.node(member))),
      })),
      communityCount: found.length,
      cycles: cycles.slice(0, limit),
      cycleCount: cycles.length,
      hotspots: hotspotsOf(graph, Math.min(limit, HOTSPOTS), workspace.pastChanges?.()),
      activity: activityOf(workspace.pastChanges?.(), workspace.records.now()),
    };
    return ok({ value, touched: [] });
  });
}

export const structureFeature = feature({
  name: 'structure',
  about: 'Communities, import cycles, hotspots, and commits by folder and week.',
  params: structureParams,
  answer: stamped(structureAnswerShape),
  run: structure,
});
