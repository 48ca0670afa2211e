import type { GraphView } from '../../code/graph/graphView';
import type { Claim, CodeAnchor, Episode, Learning } from '../../memory/entities';
import type { StableId } from '../../model/ids';
import type { Records } from '../../model/records';
import { type AnchorStates, anchorStates } from '../knowledge/anchors';
import { filePatternsOf } from '../knowledge/filePatterns';
import { placesIn } from './places';
import type { ClaimRow, MemoryRow } from './shapes';

/** How the code that records name is judged; without an index nothing is said of it. */
export interface RowSources {
  readonly graph: GraphView | undefined;
  readonly records: Records;
}

export function episodeRow(episode: Episode, sight: RowSources): MemoryRow {
  const { agentId, content, entities, id, metadata, outcome, prevEpisodeId, sensitive, sessionId, taskId, timestamp, type } = episode;
  const { sourceKey: _, ...said } = metadata;
  return {
    id,
    type,
    content,
    agentId,
    ...(sessionId === '' ? {} : { sessionId }),
    ...(taskId === null ? {} : { taskId }),
    ...(outcome === null ? {} : { outcome }),
    timestamp: new Date(timestamp).toISOString(),
    ...placed(entities, timestamp, sight),
    ...(Object.keys(said).length === 0 ? {} : { metadata: said }),
    ...statesOf(episode.anchors, timestamp, sight),
    ...(sensitive ? { sensitive: true as const } : {}),
    ...(type === 'REFLECTION' ? { derived: true as const } : {}),
    ...(prevEpisodeId === null ? {} : { prevEpisodeId }),
  };
}

export function learningRow(learning: Learning, sight: RowSources): MemoryRow {
  const { agentId, anchors, confidence, content, entities, extractedAt, id, kind, taskId } = learning;
  const states = statesOf(anchors, extractedAt, sight);
  const places = placed(entities, extractedAt, sight);
  return {
    id,
    type: 'LEARNING',
    content,
    agentId,
    ...(taskId === null ? {} : { taskId }),
    timestamp: new Date(extractedAt).toISOString(),
    ...places,
    ...states,
    derived: true,
    kind,
    confidence,
    staleCode: [...(states.anchors?.changed ?? []), ...(states.anchors?.gone ?? [])].length > 0 || places.renamedFrom !== undefined,
  };
}

/** What is named, as it is called now. */
function placed(entities: readonly StableId[], since: number, { graph, records }: RowSources): Pick<MemoryRow, 'entities' | 'renamedFrom'> {
  const placeOf = placesIn(graph, records);
  const pairs = entities.map(id => [placeOf(id, since), id] as const);
  const renamed = pairs.filter(([now, id]) => now !== id);
  return { entities: [...new Set(pairs.map(([now]) => now))], ...(renamed.length === 0 ? {} : { renamedFrom: Object.fromEntries(renamed) }) };
}

function statesOf(anchors: readonly CodeAnchor[], since: number, { graph, records }: RowSources): { readonly anchors?: AnchorStates } {
  if (graph === undefined) return {};
  const placeOf = placesIn(graph, records);
  const now = anchors.map(({ hash, ref }) => ({ ref: placeOf(ref, since), hash }));
  const states = anchorStates(graph, filePatternsOf(records), now);
  return states === undefined ? {} : { anchors: states };
}

export function claimRow(claim: Claim): ClaimRow {
  const { agentId, claimType, id, intent, invalidationReason, sessionId, targetId, targetVersionSHA, taskId, validFrom, validTo } = claim;
  return {
    id,
    agentId,
    sessionId,
    claimType,
    targetId,
    intent,
    ...(taskId === null ? {} : { taskId }),
    validFrom: new Date(validFrom).toISOString(),
    validTo: validTo === null ? null : new Date(validTo).toISOString(),
    targetVersionSHA,
    invalidationReason,
  };
}
