import type { Records, Row, SqlValue } from '../model/records';
import type { Claim, ClaimEnding, ClaimType, CodeAnchor, Episode, EpisodeOutcome, EpisodeType, Learning, Metadata, PatternKind } from './entities';

export type MemoryReader = Pick<Records, 'query' | 'projectId'>;

export interface EpisodeFilter {
  readonly agentId?: string | undefined;
  readonly taskId?: string | undefined;
  /** Any of them; absent means all. */
  readonly types?: readonly EpisodeType[] | undefined;
  /** Epoch milliseconds; that instant included. */
  readonly since?: number | undefined;
  /** Sensitive episodes too. Default: without them. */
  readonly sensitive?: boolean | undefined;
  /** Naming one of these. */
  readonly entities?: readonly string[] | undefined;
}

const NEWEST_FIRST = 'timestamp DESC, id DESC';

/** Reads the memory of one project; nothing of another project is ever seen. */
export class MemoryView {
  constructor(private readonly records: MemoryReader) {}

  /** Sensitive or not. */
  episode(id: string): Episode | undefined {
    const row = this.#all('SELECT * FROM episodes WHERE id = ?', [withPrefix('episode', id)])[0];
    return row && episodeOf(row);
  }

  /** Newest first. */
  episodes(filter: EpisodeFilter, limit: number, offset = 0): readonly Episode[] {
    const { where, params } = conditionOf(filter);
    return this.#all(`SELECT * FROM episodes WHERE ${where} ORDER BY ${NEWEST_FIRST} LIMIT ? OFFSET ?`, [...params, limit, offset]).map(episodeOf);
  }

  countEpisodes(filter: EpisodeFilter): number {
    const { where, params } = conditionOf(filter);
    return Number(this.#all(`SELECT count(*) AS n FROM episodes WHERE ${where}`, params)[0]?.['n'] ?? 0);
  }

  /** In the order of the ids given; those that are gone are left out. */
  episodesOf(ids: readonly string[]): readonly Episode[] {
    const rows = this.#all('SELECT * FROM episodes WHERE id IN (SELECT value FROM json_each(?))', [JSON.stringify(ids)]);
    const byId = new Map(rows.map(row => [String(row['id']), row]));
    return ids.flatMap(id => {
      const row = byId.get(id);
      return row === undefined ? [] : [episodeOf(row)];
    });
  }

  /** The newest of an agent's session. */
  lastOf(agentId: string, sessionId: string): string | null {
    const row = this.#all(`SELECT id FROM episodes WHERE agent_id = ? AND session_id = ? ORDER BY ${NEWEST_FIRST} LIMIT 1`, [agentId, sessionId])[0];
    return row === undefined ? null : String(row['id']);
  }

  /** The chain of an agent's session behind an episode, oldest first. */
  after(episode: Episode, limit: number): readonly Episode[] {
    return this.#all('SELECT * FROM episodes WHERE agent_id = ? AND session_id = ? AND sensitive = 0 AND timestamp > ? ORDER BY timestamp, id LIMIT ?', [
      episode.agentId,
      episode.sessionId,
      episode.timestamp,
      limit,
    ]).map(episodeOf);
  }

  /** The reflection that was made of exactly these episodes. */
  reflectionOf(sourceIds: readonly string[]): Episode | undefined {
    const key = JSON.stringify([...sourceIds].sort());
    const row = this.#all("SELECT * FROM episodes WHERE type = 'REFLECTION' AND json_extract(metadata, '$.sourceKey') = ? LIMIT 1", [key])[0];
    return row && episodeOf(row);
  }

  learning(id: string): Learning | undefined {
    const row = this.#all('SELECT * FROM learnings WHERE id = ?', [withPrefix('learning', id)])[0];
    return row && learningOf(row);
  }

  /** Those that no other took the place of, surest first. */
  learnings(): readonly Learning[] {
    return this.#all('SELECT * FROM learnings WHERE superseded_by IS NULL ORDER BY confidence DESC, extracted_at DESC, id', []).map(learningOf);
  }

  claim(id: string): Claim | undefined {
    const row = this.#all('SELECT * FROM claims WHERE id = ?', [withPrefix('claim', id)])[0];
    return row && claimOf(row);
  }

  /** Oldest first. */
  activeClaims(): readonly Claim[] {
    return this.#all('SELECT * FROM claims WHERE valid_to IS NULL ORDER BY valid_from, id', []).map(claimOf);
  }

  activeClaimsOn(targetIds: readonly string[]): readonly Claim[] {
    return this.#all('SELECT * FROM claims WHERE valid_to IS NULL AND target_id IN (SELECT value FROM json_each(?)) ORDER BY valid_from, id', [
      JSON.stringify(targetIds),
    ]).map(claimOf);
  }

  /** Claims of an agent that a change of code ended, newest first. */
  endedByChange(agentId: string): readonly Claim[] {
    return this.#all("SELECT * FROM claims WHERE agent_id = ? AND invalidation_reason = 'code_changed' ORDER BY valid_to DESC, id LIMIT 50", [agentId]).map(
      claimOf,
    );
  }

  /** Names under which a session has claimed, the one used last at the end. */
  agentsOf(sessionId: string): readonly string[] {
    return this.#all('SELECT agent_id FROM claims WHERE session_id = ? GROUP BY agent_id ORDER BY max(valid_from), agent_id', [sessionId]).map(row =>
      String(row['agent_id']),
    );
  }

  /** Whether anybody claimed a target at a time (epoch milliseconds) or later. */
  isClaimedSince(targetId: string, since: number): boolean {
    return this.#all('SELECT 1 FROM claims WHERE target_id = ? AND valid_from >= ? LIMIT 1', [targetId, since]).length > 0;
  }

  /** When each agent wrote last: an episode, or the beginning or end of a claim. Epoch milliseconds. */
  lastSeen(): ReadonlyMap<string, number> {
    const rows = this.records.query(
      `SELECT agent_id, max(at) AS at FROM (
         SELECT agent_id, timestamp AS at FROM episodes WHERE project_id = ?1
         UNION ALL SELECT agent_id, max(valid_from, coalesce(valid_to, 0)) AS at FROM claims WHERE project_id = ?1
       ) GROUP BY agent_id`,
      [this.records.projectId],
    );
    return new Map(rows.map(row => [String(row['agent_id']), Number(row['at'])]));
  }

  /** Adds the project to the condition: every statement has a WHERE. */
  #all(sql: string, params: readonly SqlValue[]): readonly Row[] {
    return this.records.query(sql.replace(' WHERE ', ' WHERE project_id = ? AND '), [this.records.projectId, ...params]);
  }
}

function conditionOf({ agentId, entities, sensitive = false, since, taskId, types }: EpisodeFilter): {
  readonly where: string;
  readonly params: readonly SqlValue[];
} {
  const parts: string[] = ['1'];
  const params: SqlValue[] = [];
  const add = (part: string, value: SqlValue): void => {
    parts.push(part);
    params.push(value);
  };
  if (agentId !== undefined) add('agent_id = ?', agentId);
  if (taskId !== undefined) add('task_id = ?', taskId);
  if (types !== undefined) add('type IN (SELECT value FROM json_each(?))', JSON.stringify(types));
  if (since !== undefined) add('timestamp >= ?', since);
  if (entities !== undefined)
    add('id IN (SELECT episode_id FROM episode_entities AS named JOIN json_each(?) AS wanted ON named.entity_id = wanted.value)', JSON.stringify(entities));
  if (!sensitive) parts.push('sensitive = 0');
  return { where: parts.join(' AND '), params };
}

/** `episode::uuid` from either spelling. */
export function withPrefix(kind: 'episode' | 'learning' | 'claim', id: string): string {
  const bare = id.trim();
  return bare.startsWith(`${kind}::`) ? bare : `${kind}::${bare}`;
}

function episodeOf(row: Row): Episode {
  return {
    id: textOf(row, 'id'),
    projectId: textOf(row, 'project_id'),
    agentId: textOf(row, 'agent_id'),
    sessionId: textOf(row, 'session_id'),
    taskId: textOrNull(row, 'task_id'),
    type: textOf(row, 'type') as EpisodeType,
    content: textOf(row, 'content'),
    entities: JSON.parse(textOf(row, 'entities')) as string[],
    outcome: textOrNull(row, 'outcome') as EpisodeOutcome | null,
    metadata: JSON.parse(textOf(row, 'metadata')) as Metadata,
    sensitive: Number(row['sensitive']) === 1,
    timestamp: Number(row['timestamp']),
    prevEpisodeId: textOrNull(row, 'prev_episode_id'),
    anchors: JSON.parse(textOf(row, 'anchors')) as CodeAnchor[],
  };
}

function learningOf(row: Row): Learning {
  return {
    id: textOf(row, 'id'),
    projectId: textOf(row, 'project_id'),
    agentId: textOf(row, 'agent_id'),
    taskId: textOrNull(row, 'task_id'),
    kind: textOf(row, 'kind') as PatternKind,
    content: textOf(row, 'content'),
    confidence: Number(row['confidence']),
    entities: JSON.parse(textOf(row, 'entities')) as string[],
    anchors: JSON.parse(textOf(row, 'anchors')) as CodeAnchor[],
    reflectionId: textOf(row, 'reflection_id'),
    extractedAt: Number(row['extracted_at']),
    supersededBy: textOrNull(row, 'superseded_by'),
  };
}

function claimOf(row: Row): Claim {
  return {
    id: textOf(row, 'id'),
    projectId: textOf(row, 'project_id'),
    agentId: textOf(row, 'agent_id'),
    sessionId: textOf(row, 'session_id'),
    taskId: textOrNull(row, 'task_id'),
    claimType: textOf(row, 'claim_type') as ClaimType,
    targetId: textOf(row, 'target_id'),
    intent: textOf(row, 'intent'),
    validFrom: Number(row['valid_from']),
    validTo: row['valid_to'] === null ? null : Number(row['valid_to']),
    targetVersionSHA: textOf(row, 'target_version'),
    endedVersionSHA: textOrNull(row, 'ended_version'),
    invalidationReason: textOrNull(row, 'invalidation_reason') as ClaimEnding | null,
    checkout: textOf(row, 'checkout'),
  };
}

function textOf(row: Row, column: string): string {
  return String(row[column] ?? '');
}

function textOrNull(row: Row, column: string): string | null {
  const value = row[column];
  return value === null || value === undefined ? null : String(value);
}
