import { err, ok, type Result } from '../base/result';
import { maskCredentials, SECRET_MASK } from '../base/secretText';
import { utf8Length } from '../base/text';
import { phrase, toolRef } from '../model/hints';
import { headOf, type StableId } from '../model/ids';
import type { Author, Decision, RecordDraft, Records } from '../model/records';
import { refreshed } from './claims';
import { contractIssues, filesIn } from './contracts';
import { type CodeAnchor, type Episode, type EpisodeOutcome, type EpisodeType, type Learning, MAX_SIZES, type Metadata, PERSON } from './entities';
import { type Issue, invalidFields, type MemoryFailure, missing } from './failures';
import { memoryDrafts } from './tables';
import { MemoryView } from './view';

/** Content hashes of what ids name in the code as it is; ids that name nothing have none. */
export type HashOf = (id: StableId) => string | undefined;

export interface NewEpisode {
  readonly type: EpisodeType;
  readonly content: string;
  /** Ids as they are stored: completed by the caller, which knows the workspace. */
  readonly entities?: readonly StableId[];
  readonly taskId?: string | null;
  readonly outcome?: EpisodeOutcome | null;
  readonly metadata?: Metadata;
  readonly sensitive?: boolean;
}

/** An episode as it was recorded. */
export interface EpisodeAdded {
  readonly episode: Episode;
  /** Something in it looked like a credential: it was masked, and the episode is sensitive. */
  readonly masked: boolean;
}

/** Where and over which code an episode is written. */
export interface CurrentCode {
  readonly hashOf: HashOf;
  readonly checkout: string;
}

const RECALL_HINT = phrase`Use ${toolRef('episode_recall')} to find its ID.`;

/** Checks a request against the contract of its type and the limits. */
export function episodeIssues({ content, entities = [], metadata = {}, type }: NewEpisode): readonly Issue[] {
  const all = [...entities, ...filesIn(type, metadata)];
  return [
    ...(content.trim() === '' ? [{ field: 'content', message: 'must not be empty' }] : []),
    ...bytesIssue('content', content.trim(), MAX_SIZES.contentBytes),
    ...bytesIssue('metadata', JSON.stringify(metadata), MAX_SIZES.metadataBytes),
    ...(new Set(all).size > MAX_SIZES.entities
      ? [{ field: 'entities', message: `has ${new Set(all).size} entries with those of metadata; at most ${MAX_SIZES.entities} are allowed` }]
      : []),
    ...(all.some(id => id.length > MAX_SIZES.entityCharacters)
      ? [{ field: 'entities', message: `has an entry of more than ${MAX_SIZES.entityCharacters} characters` }]
      : []),
    ...contractIssues(type, metadata),
  ];
}

/** Adds an episode to the chain of its agent and session. An EDIT keeps the claims of its agent on what it changed. */
export function addEpisode(records: Records, author: Author, request: NewEpisode, code: CurrentCode): Result<Decision<EpisodeAdded>, MemoryFailure> {
  const issues = episodeIssues(request);
  if (issues.length > 0) return err(invalidFields(issues));
  const added = newEpisode(records, author, request, code.hashOf);
  const drafts: RecordDraft[] = [memoryDrafts.episode(added.episode)];
  if (request.type === 'EDIT') drafts.push(...refreshed(records, added.episode.agentId, filesOf(added.episode), code).map(memoryDrafts.claim));
  return ok({ records: drafts, result: added });
}

/** An episode that is not written yet. `before` is the one it follows when that is not written either. */
export function newEpisode(records: Records, author: Author, request: NewEpisode, hashOf: HashOf, before?: Episode): EpisodeAdded {
  const agentId = author.agentId ?? PERSON;
  const sessionId = author.sessionId ?? '';
  const content = maskCredentials(request.content.trim());
  const metadata = maskedIn(request.metadata ?? {}) as Metadata;
  const masked = content !== request.content.trim() || JSON.stringify(metadata) !== JSON.stringify(request.metadata ?? {});
  const entities = [...new Set([...(request.entities ?? []), ...filesIn(request.type, metadata)])];
  const episode: Episode = {
    id: `episode::${records.newId()}`,
    projectId: records.projectId,
    agentId,
    sessionId,
    taskId: request.taskId ?? null,
    type: request.type,
    content,
    entities,
    outcome: request.outcome ?? null,
    metadata,
    sensitive: masked || request.sensitive === true,
    timestamp: records.now(),
    prevEpisodeId: before?.id ?? new MemoryView(records).lastOf(agentId, sessionId),
    anchors: anchorsOf(entities, hashOf),
  };
  return { episode, masked };
}

export function anchorsOf(ids: readonly StableId[], hashOf: HashOf): readonly CodeAnchor[] {
  return ids.flatMap(ref => {
    const hash = hashOf(ref);
    return hash === undefined ? [] : [{ ref, hash }];
  });
}

export interface EpisodeEdit {
  readonly id: string;
  readonly content?: string;
  readonly sensitive?: boolean;
}

/** What people may do to an episode. A credential that comes in is masked as when it is recorded, and makes it sensitive. */
export function editEpisode(records: Records, request: EpisodeEdit): Result<Decision<Episode>, MemoryFailure> {
  const found = new MemoryView(records).episode(request.id);
  if (found === undefined) return err(missing('episode', request.id, RECALL_HINT));
  const given = request.content?.trim() ?? found.content;
  const issues = episodeIssues({ ...found, content: given });
  if (issues.length > 0) return err(invalidFields(issues));
  const content = maskCredentials(given);
  const episode = { ...found, content, sensitive: content !== given || (request.sensitive ?? found.sensitive) };
  return ok({ records: [memoryDrafts.episode(episode)], result: episode });
}

/** Deletes an episode or a learning. Gives back what was deleted, for putting it back. */
export function deleteMemory(records: Records, id: string): Result<Decision<Episode | Learning>, MemoryFailure> {
  const view = new MemoryView(records);
  const learning = view.learning(id);
  if (learning !== undefined) return ok({ records: [memoryDrafts.removeLearning(learning.id)], result: learning });
  const episode = view.episode(id);
  if (episode === undefined) return err(missing('episode', id, RECALL_HINT));
  return ok({ records: [memoryDrafts.removeEpisode(episode.id)], result: episode });
}

/** Writes what was deleted again, as it was. */
export function putBack(memory: Episode | Learning): Result<Decision<Episode | Learning>, MemoryFailure> {
  return ok({ records: ['type' in memory ? memoryDrafts.episode(memory) : memoryDrafts.learning(memory)], result: memory });
}

/** Files that an episode is about, symbols by theirs. */
export function filesOf({ entities }: Pick<Episode, 'entities'>): readonly string[] {
  return [...new Set(entities.map(headOf))];
}

function bytesIssue(field: string, text: string, most: number): readonly Issue[] {
  const bytes = utf8Length(text);
  return bytes > most ? [{ field, message: `has ${bytes} bytes; at most ${most} are allowed` }] : [];
}

/** Strings anywhere in plain JSON, masked; the value of a key that is named like a credential is masked whole. */
function maskedIn(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return SECRET_KEY.test(key) && value !== '' ? SECRET_MASK : maskCredentials(value);
  if (Array.isArray(value)) return value.map(item => maskedIn(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, maskedIn(item, name)]));
}

const SECRET_KEY = /^(?:[\w-]*(?:password|passwd|secret|api[_-]?key)|[\w-]*token)$/i;
