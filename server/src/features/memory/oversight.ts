import { z } from 'zod';
import { err, ok, type Result } from '../../base/result';
import type { Episode, Learning } from '../../memory/entities';
import { deleteMemory, editEpisode, putBack } from '../../memory/episodes';
import { MemoryView, withPrefix } from '../../memory/view';
import { phrase, toolRef } from '../../model/hints';
import type { Author, Records } from '../../model/records';
import type { Workspace } from '../../workspace/snapshot';
import { type FeatureFailure, notFound } from '../shared/failure';
import { feature } from '../shared/feature';
import { flag, idParams, integer, noParams, text } from '../shared/params';
import { object, optional, shape } from '../shared/shape';
import { currentTask } from './agents';
import { coordinationOverview, releaseAll } from './claims';
import { claimRow, episodeRow, learningRow } from './rows';
import { claimRowShape, memoryRowShape } from './shapes';
import { changeMemory } from './writing';

/** What people see of their agents, and take back. */

const agentParams = shape(() => object({ agentId: text() }));
const episodeChangeParams = shape(() => object({ id: text(), content: optional(text()), sensitive: optional(flag()) }));
const claimsAnswerShape = shape(() => object({ claims: z.array(claimRowShape()) }));

const BY_A_PERSON: Author = { agentId: undefined, sessionId: undefined, key: undefined };
/** Newest episodes that a view shows. */
const MAX_EPISODES = 200;

const agentsAnswerShape = shape(() =>
  object({
    /** Those that hold something first, then by when they were last seen. `lastSeen` is ISO-8601. */
    agents: z.array(
      object({
        agentId: z.string(),
        lastSeen: z.string(),
        claims: z.array(claimRowShape()),
        /** The task that it has in progress. */
        task: optional(object({ id: z.string(), name: z.string() })),
      }),
    ),
    /** Newest first, without sensitive ones. */
    episodes: z.array(memoryRowShape()),
    episodeCount: z.number(),
    /** Surest first. */
    learnings: z.array(memoryRowShape()),
  }),
);

export const agentsFeature = feature({
  name: 'agents',
  about: 'Who is working on what, and what was done, decided and learned.',
  params: noParams,
  answer: agentsAnswerShape,
  run: async (workspace, _params, token) => {
    const { activeClaims, agentSummary } = await coordinationOverview(workspace, token);
    const view = new MemoryView(workspace.records);
    const sight = { graph: workspace.current()?.graph, records: workspace.records };
    return ok({
      agents: agentSummary.map(({ agentId, lastSeen }) => {
        const claims = activeClaims.filter(claim => claim.agentId === agentId);
        const task = currentTask(workspace.records, agentId, claims);
        return { agentId, lastSeen, claims, ...(task === undefined ? {} : { task: { id: task.id, name: task.name } }) };
      }),
      episodes: view.episodes({}, MAX_EPISODES).map(episode => episodeRow(episode, sight)),
      episodeCount: view.countEpisodes({}),
      learnings: view.learnings().map(learning => learningRow(learning, sight)),
    });
  },
});

export const claimsFeature = feature({
  name: 'claims',
  about: 'The active claims: who is working on what.',
  params: noParams,
  answer: claimsAnswerShape,
  run: async workspace => ok({ claims: new MemoryView(workspace.records).activeClaims().map(claimRow) }),
});

const latestParams = shape(() => object({ limit: integer() }));

const latestAnswerShape = shape(() =>
  object({
    /** Newest first, without sensitive ones and without what they say. */
    episodes: z.array(object({ id: z.string(), type: z.string(), agentId: z.string(), sessionId: z.string(), entities: z.array(z.string()) })),
  }),
);

export const latestEpisodesFeature = feature({
  name: 'latestEpisodes',
  about: 'The newest episodes: who recorded them, and what code they are about.',
  params: latestParams,
  answer: latestAnswerShape,
  run: async (workspace, { limit }) => {
    const episodes = new MemoryView(workspace.records).episodes({}, limit);
    return ok({ episodes: episodes.map(({ agentId, entities, id, sessionId, type }) => ({ id, type, agentId, sessionId, entities: [...entities] })) });
  },
});

export const releaseAgentFeature = feature({
  name: 'releaseAgent',
  about: 'Ends all claims of an agent, on behalf of a person.',
  params: agentParams,
  answer: claimsAnswerShape,
  run: async (workspace, { agentId }) => {
    const released = await releaseAll(workspace, BY_A_PERSON, agentId);
    return released.ok ? ok({ claims: released.value }) : released;
  },
});

const episodeChangedAnswerShape = shape(() => object({ id: z.string() }));

export const changeEpisodeFeature = feature({
  name: 'changeEpisode',
  about: 'Changes the text of an episode, or whether it is sensitive.',
  params: episodeChangeParams,
  answer: episodeChangedAnswerShape,
  run: async (workspace, params) => idOf(await changeMemory(workspace, BY_A_PERSON, records => editEpisode(records, params))),
});

export const deleteEpisodeFeature = feature({
  name: 'deleteEpisode',
  about: 'Deletes an episode or a learning. It can be restored while the process that owns the project runs.',
  params: idParams,
  answer: episodeChangedAnswerShape,
  run: async (workspace, { id }) => {
    const deleted = await changeMemory(workspace, BY_A_PERSON, records => deleteMemory(records, id));
    if (deleted.ok) binOf(workspace).set(deleted.value.id, deleted.value);
    return idOf(deleted);
  },
});

export const restoreEpisodeFeature = feature({
  name: 'restoreEpisode',
  about: 'Restores a deleted episode or learning.',
  params: idParams,
  answer: episodeChangedAnswerShape,
  run: async (workspace, { id }) => {
    const bin = binOf(workspace);
    const kept = bin.get(id) ?? bin.get(withPrefix('episode', id));
    if (kept === undefined)
      return err({ ...notFound(id, []), hint: phrase`It can no longer be restored here. Backups contain it (${toolRef('graph_restore')}).` });
    const restored = await changeMemory(workspace, BY_A_PERSON, () => putBack(kept));
    if (restored.ok) bin.delete(kept.id);
    return idOf(restored);
  },
});

function idOf(changed: Result<Episode | Learning, FeatureFailure>): Result<{ readonly id: string }, FeatureFailure> {
  return changed.ok ? ok({ id: changed.value.id }) : changed;
}

/** Episodes and learnings that were deleted since the records were opened. */
function binOf({ records }: Pick<Workspace, 'records'>): Map<string, Episode | Learning> {
  return records.companion(makeBin);
}

function makeBin(_records: Records): Map<string, Episode | Learning> {
  return new Map();
}
