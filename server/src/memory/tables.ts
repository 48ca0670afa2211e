/**
 * Door of the memory room: what agents did and decided (episodes), what follows from it (learnings), and who is at work on what (claims).
 *
 * Does not know: the code graph (code is named by stable id), search, tools, the editor.
 * Invariants: an episode is written once, and only people change or delete it; credentials are masked before anything is decided;
 * whether a target is free is decided with the claim itself; claims end by events, never by time.
 */
import type { Migration, RecordDraft, RecordKind, SqlValue, Tables } from '../model/records';
import type { Claim, Episode, Learning } from './entities';
import type { Move } from './moves';

/** Numbers 40 to 49 belong to this room. */
export const MEMORY_MIGRATIONS: readonly Migration[] = [
  {
    version: 40,
    name: 'episodes, learnings and claims',
    apply: tables =>
      tables.script(`
        CREATE TABLE episodes (
          id TEXT PRIMARY KEY, project_id TEXT NOT NULL, agent_id TEXT NOT NULL, session_id TEXT NOT NULL, task_id TEXT, type TEXT NOT NULL,
          content TEXT NOT NULL, entities TEXT NOT NULL, outcome TEXT, metadata TEXT NOT NULL, sensitive INTEGER NOT NULL, timestamp INTEGER NOT NULL,
          prev_episode_id TEXT, anchors TEXT NOT NULL, encoding TEXT NOT NULL DEFAULT 'plain'
        ) WITHOUT ROWID;
        CREATE INDEX episodes_time ON episodes (project_id, timestamp);
        CREATE INDEX episodes_chain ON episodes (agent_id, session_id, timestamp);
        CREATE INDEX episodes_task ON episodes (task_id);
        CREATE INDEX episodes_type ON episodes (type, timestamp);
        CREATE TABLE episode_entities (
          project_id TEXT NOT NULL, episode_id TEXT NOT NULL, entity_id TEXT NOT NULL, PRIMARY KEY (episode_id, entity_id)
        ) WITHOUT ROWID;
        CREATE INDEX episode_entities_entity ON episode_entities (entity_id);
        CREATE TABLE learnings (
          id TEXT PRIMARY KEY, project_id TEXT NOT NULL, agent_id TEXT NOT NULL, task_id TEXT, kind TEXT NOT NULL, content TEXT NOT NULL,
          confidence REAL NOT NULL, entities TEXT NOT NULL, anchors TEXT NOT NULL, reflection_id TEXT NOT NULL, extracted_at INTEGER NOT NULL,
          superseded_by TEXT
        ) WITHOUT ROWID;
        CREATE INDEX learnings_current ON learnings (project_id, superseded_by);
        CREATE TABLE claims (
          id TEXT PRIMARY KEY, project_id TEXT NOT NULL, agent_id TEXT NOT NULL, session_id TEXT NOT NULL, task_id TEXT, claim_type TEXT NOT NULL,
          target_id TEXT NOT NULL, intent TEXT NOT NULL, valid_from INTEGER NOT NULL, valid_to INTEGER, target_version TEXT NOT NULL,
          ended_version TEXT, invalidation_reason TEXT, checkout TEXT NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX claims_target ON claims (target_id, valid_to);
        CREATE INDEX claims_active ON claims (project_id, valid_to);
      `),
  },
  {
    version: 41,
    name: 'renames of code that memory names',
    apply: tables =>
      tables.script(`
        CREATE TABLE code_moves (seq INTEGER PRIMARY KEY, project_id TEXT NOT NULL, from_id TEXT NOT NULL, to_id TEXT NOT NULL, at INTEGER NOT NULL);
        CREATE INDEX code_moves_project ON code_moves (project_id, seq);
      `),
  },
];

/** The records of this room: rows as they are to be. */
export const memoryDrafts = {
  episode: (episode: Episode): RecordDraft => ({ kind: 'memory.episode', payload: episode }),
  removeEpisode: (id: string): RecordDraft => ({ kind: 'memory.episodeRemoved', payload: { id } }),
  learning: (learning: Learning): RecordDraft => ({ kind: 'memory.learning', payload: learning }),
  removeLearning: (id: string): RecordDraft => ({ kind: 'memory.learningRemoved', payload: { id } }),
  claim: (claim: Claim): RecordDraft => ({ kind: 'memory.claim', payload: claim }),
  moved: (projectId: string, move: Move): RecordDraft => ({ kind: 'memory.moved', payload: { ...move, projectId } }),
} as const;

/** Records of episodes, learnings and claims, and how the view takes them in. */
export const MEMORY_KINDS: readonly RecordKind[] = [
  { kind: 'memory.episode', apply: (tables, payload) => putEpisode(tables, payload as Episode) },
  { kind: 'memory.episodeRemoved', apply: (tables, payload) => removeEpisode(tables, (payload as { readonly id: string }).id) },
  { kind: 'memory.learning', apply: (tables, payload) => putLearning(tables, payload as Learning) },
  { kind: 'memory.learningRemoved', apply: (tables, payload) => tables.run('DELETE FROM learnings WHERE id = ?', [(payload as { readonly id: string }).id]) },
  { kind: 'memory.claim', apply: (tables, payload) => putClaim(tables, payload as Claim) },
  { kind: 'memory.moved', apply: (tables, payload) => putMove(tables, payload as Move & { readonly projectId: string }) },
];

function putEpisode(tables: Tables, episode: Episode): void {
  removeEpisode(tables, episode.id);
  const row: readonly SqlValue[] = [
    episode.id,
    episode.projectId,
    episode.agentId,
    episode.sessionId,
    episode.taskId,
    episode.type,
    episode.content,
    JSON.stringify(episode.entities),
    episode.outcome,
    JSON.stringify(episode.metadata),
    episode.sensitive ? 1 : 0,
    episode.timestamp,
    episode.prevEpisodeId,
    JSON.stringify(episode.anchors),
  ];
  tables.run(
    `INSERT INTO episodes (id, project_id, agent_id, session_id, task_id, type, content, entities, outcome, metadata, sensitive, timestamp,
       prev_episode_id, anchors)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    row,
  );
  for (const entity of episode.entities) {
    tables.run('INSERT OR IGNORE INTO episode_entities (project_id, episode_id, entity_id) VALUES (?, ?, ?)', [episode.projectId, episode.id, entity]);
  }
}

function putMove(tables: Tables, { at, from, projectId, to }: Move & { readonly projectId: string }): void {
  tables.run('INSERT INTO code_moves (project_id, from_id, to_id, at) VALUES (?, ?, ?, ?)', [projectId, from, to, at]);
}

function removeEpisode(tables: Tables, id: string): void {
  tables.run('DELETE FROM episodes WHERE id = ?', [id]);
  tables.run('DELETE FROM episode_entities WHERE episode_id = ?', [id]);
}

function putLearning(tables: Tables, learning: Learning): void {
  tables.run(
    `INSERT OR REPLACE INTO learnings (id, project_id, agent_id, task_id, kind, content, confidence, entities, anchors, reflection_id, extracted_at,
       superseded_by)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      learning.id,
      learning.projectId,
      learning.agentId,
      learning.taskId,
      learning.kind,
      learning.content,
      learning.confidence,
      JSON.stringify(learning.entities),
      JSON.stringify(learning.anchors),
      learning.reflectionId,
      learning.extractedAt,
      learning.supersededBy,
    ],
  );
}

function putClaim(tables: Tables, claim: Claim): void {
  tables.run(
    `INSERT OR REPLACE INTO claims (id, project_id, agent_id, session_id, task_id, claim_type, target_id, intent, valid_from, valid_to, target_version,
       ended_version, invalidation_reason, checkout)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      claim.id,
      claim.projectId,
      claim.agentId,
      claim.sessionId,
      claim.taskId,
      claim.claimType,
      claim.targetId,
      claim.intent,
      claim.validFrom,
      claim.validTo,
      claim.targetVersionSHA,
      claim.endedVersionSHA,
      claim.invalidationReason,
      claim.checkout,
    ],
  );
}
