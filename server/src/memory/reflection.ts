import { LEARNING_CONFIDENCE } from '../model/evidence';
import { headOf, type StableId } from '../model/ids';
import type { Author, Decision, RecordDraft, Records } from '../model/records';
import type { CodeAnchor, Episode, Learning, PatternKind } from './entities';
import { anchorsOf, type HashOf, newEpisode } from './episodes';
import { jaccard, wordSimilarity } from './scoring';
import { memoryDrafts } from './tables';
import { MemoryView } from './view';

/** Something that several episodes say together. */
export interface Pattern {
  readonly kind: PatternKind;
  readonly entities: readonly StableId[];
  /** Oldest first. */
  readonly episodeIds: readonly string[];
  readonly count: number;
  /** 0 to 1. */
  readonly confidence: number;
  readonly text: string;
}

/** What a reflection found. */
export interface Reflected {
  /** Null when there was too little to reflect on. */
  readonly reflectionId: string | null;
  readonly insight: string;
  readonly learningsCreated: number;
  readonly patterns: readonly Pattern[];
  /** How many episodes were looked at. */
  readonly sources: number;
}

export interface ReflectRequest {
  readonly taskId?: string | undefined;
  readonly agentId?: string | undefined;
  /** The newest so many episodes. */
  readonly limit: number;
}

/** Fewer episodes say nothing together. */
export const MIN_SOURCES = 3;
/** A pattern from this confidence on becomes a learning. */
const LEARNED_FROM = 0.7;
const REPEATED = 3;
const FOLLOWING = 5;
const SAME_ENTITIES = 0.5;
const SAME_WORDS = 0.85;
const SHARED_FILE = 0.75;
const FAILED_LATER = 0.1;
const SAME_TASK = 0.5;

/** Distils the newest episodes of a task or an agent. The same episodes give the same reflection once; sensitive ones are left out. */
export function reflect(records: Records, author: Author, request: ReflectRequest, hashOf: HashOf): Decision<Reflected> & { readonly reflection?: Episode } {
  const view = new MemoryView(records);
  const types = ['OBSERVATION', 'DECISION', 'EDIT', 'TEST_RESULT', 'ERROR'] as const;
  const sources = [...view.episodes({ agentId: request.agentId, taskId: request.taskId, types }, request.limit)].reverse();
  const nothing: Reflected = { reflectionId: null, insight: '', learningsCreated: 0, patterns: [], sources: sources.length };
  if (sources.length < MIN_SOURCES) return { records: [], result: nothing };
  const patterns = patternsIn(sources, episode => view.after(episode, FOLLOWING));
  const insight = insightOf(sources, patterns);
  const ids = sources.map(({ id }) => id);
  const existing = view.reflectionOf(ids);
  if (existing !== undefined) return { records: [], result: { ...nothing, reflectionId: existing.id, insight: existing.content, patterns } };
  const hotspots = patterns.filter(({ kind }) => kind === 'hotspot').flatMap(({ entities }) => entities);
  const { episode: reflection } = newEpisode(
    records,
    author,
    {
      type: 'REFLECTION',
      content: insight,
      entities: hotspots.slice(0, 50),
      taskId: request.taskId ?? null,
      metadata: {
        sourceEpisodeIds: ids,
        sourceKey: JSON.stringify([...ids].sort()),
        patterns: patterns.map(({ kind, text, confidence }) => ({ kind, text, confidence })),
      },
    },
    hashOf,
  );
  const drafts: RecordDraft[] = [memoryDrafts.episode(reflection)];
  const learned = patterns.filter(({ confidence }) => confidence >= LEARNED_FROM);
  const known = view.learnings();
  for (const pattern of learned) {
    const learning = learningOf(records, reflection, pattern, anchorsOf(pattern.entities, hashOf));
    const before = known.find(({ entities, kind }) => kind === pattern.kind && sameSet(entities, pattern.entities));
    if (before !== undefined) drafts.push(memoryDrafts.learning({ ...before, supersededBy: learning.id }));
    drafts.push(memoryDrafts.learning(learning));
  }
  return { records: drafts, result: { ...nothing, reflectionId: reflection.id, insight, learningsCreated: learned.length, patterns }, reflection };
}

function learningOf(records: Records, reflection: Episode, pattern: Pattern, anchors: readonly CodeAnchor[]): Learning {
  return {
    id: `learning::${records.newId()}`,
    projectId: records.projectId,
    agentId: reflection.agentId,
    taskId: reflection.taskId,
    kind: pattern.kind,
    content: pattern.text,
    confidence: pattern.confidence,
    entities: pattern.entities,
    anchors,
    reflectionId: reflection.id,
    extractedAt: reflection.timestamp,
    supersededBy: null,
  };
}

/** Patterns in episodes, given oldest first; surest first. `following` gives what came next in an episode's own chain. */
export function patternsIn(sources: readonly Episode[], following: (episode: Episode) => readonly Episode[]): readonly Pattern[] {
  const patterns = [...hotspots(sources), ...failedDecisions(sources, following), ...repeatedObservations(sources)];
  return patterns.sort((a, b) => b.confidence - a.confidence || b.count - a.count || (a.text < b.text ? -1 : 1));
}

function repeatedConfidence(count: number): number {
  return Math.min(LEARNING_CONFIDENCE.atMost, Math.round((LEARNING_CONFIDENCE.first + LEARNING_CONFIDENCE.perEpisode * count) * 100) / 100);
}

function hotspots(sources: readonly Episode[]): readonly Pattern[] {
  const edits = new Map<string, Episode[]>();
  for (const episode of sources) {
    const file = episode.type === 'EDIT' ? episode.metadata['file'] : undefined;
    if (typeof file === 'string') edits.set(file, [...(edits.get(file) ?? []), episode]);
  }
  return [...edits].flatMap(([file, episodes]): Pattern[] => {
    const count = episodes.length;
    if (count < REPEATED) return [];
    const reasons = [...new Set(episodes.map(({ metadata }) => shortText(metadata['reason'])))].filter(text => text !== '').slice(-3);
    const why = reasons.length === 0 ? '' : `: ${reasons.join('; ')}`;
    return [
      {
        kind: 'hotspot',
        entities: [file],
        episodeIds: episodes.map(({ id }) => id),
        count,
        confidence: repeatedConfidence(count),
        text: `${file} was edited ${count} times${why}.`,
      },
    ];
  });
}

function failedDecisions(sources: readonly Episode[], following: (episode: Episode) => readonly Episode[]): readonly Pattern[] {
  return sources.flatMap((decision): Pattern[] => {
    if (decision.type !== 'DECISION') return [];
    const next = following(decision);
    const failed = next.filter(isFailure);
    const files = new Set(decision.entities.map(headOf));
    const onFile = failed.find(({ entities }) => entities.some(id => files.has(headOf(id))));
    const onTask = decision.taskId === null ? undefined : failed.find(({ taskId }) => taskId === decision.taskId);
    const failure = onFile ?? onTask;
    if (failure === undefined) return [];
    const later = next.some(({ outcome, timestamp }) => outcome === 'failure' && timestamp >= failure.timestamp);
    const shared = onFile === undefined ? [] : failure.entities.filter(id => files.has(headOf(id)));
    return [
      {
        kind: 'decision_failure',
        entities: onFile === undefined ? decision.entities : shared,
        episodeIds: [decision.id, failure.id],
        count: 1,
        confidence: onFile === undefined ? SAME_TASK : SHARED_FILE + (later ? FAILED_LATER : 0),
        text: `The decision "${shortText(decision.metadata['title'])}" was followed by ${failureText(failure)}.`,
      },
    ];
  });
}

function isFailure({ metadata, type }: Episode): boolean {
  return type === 'ERROR' || (type === 'TEST_RESULT' && Number(metadata['failed']) > 0);
}

function failureText({ metadata, type }: Episode): string {
  return type === 'ERROR'
    ? `an error (${shortText(metadata['errorType'])})`
    : Number(metadata['failed']) === 1
      ? 'a failed test'
      : `${Number(metadata['failed'])} failed tests`;
}

function repeatedObservations(sources: readonly Episode[]): readonly Pattern[] {
  const groups: Episode[][] = [];
  for (const episode of sources) {
    if (episode.type !== 'OBSERVATION') continue;
    const group = groups.find(([first]) => first !== undefined && isAlike(first, episode));
    if (group === undefined) groups.push([episode]);
    else group.push(episode);
  }
  return groups.flatMap((group): Pattern[] => {
    const [first] = group;
    if (first === undefined || group.length < REPEATED) return [];
    const entities = first.entities.filter(id => group.every(episode => episode.entities.includes(id)));
    return [
      {
        kind: 'repeated_observation',
        entities: entities.length > 0 ? entities : first.entities,
        episodeIds: group.map(({ id }) => id),
        count: group.length,
        confidence: repeatedConfidence(group.length),
        text: `The same information was looked up ${group.length} times: ${shortText(group.at(-1)?.content)}`,
      },
    ];
  });
}

function isAlike(one: Episode, other: Episode): boolean {
  return jaccard(one.entities, other.entities) >= SAME_ENTITIES || wordSimilarity(one.content, other.content) >= SAME_WORDS;
}

function insightOf(sources: readonly Episode[], patterns: readonly Pattern[]): string {
  const counts = new Map<string, number>();
  for (const { type } of sources) counts.set(type, (counts.get(type) ?? 0) + 1);
  const parts = [...counts].map(([type, count]) => `${count} ${type}`).join(', ');
  const findings = patterns.length === 0 ? 'No patterns found.' : patterns.map(({ text }) => text).join(' ');
  return `${sources.length} episodes (${parts}). ${findings}`.slice(0, 4_000);
}

/** The first line, at most 120 characters. */
function shortText(value: unknown): string {
  const line = (typeof value === 'string' ? value : '').split('\n', 1)[0]?.trim() ?? '';
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}

function sameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every(id => other.includes(id));
}
