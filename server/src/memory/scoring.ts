/** How episodes are scored against what is asked. All parts and sums are 0 to 1. */

export interface Weights {
  readonly similarity: number;
  readonly recency: number;
  readonly proximity: number;
}

/** Partial scores of a memory, each from 0 to 1. */
export type Scores = Weights;

/** Weights of `episode_recall`. */
export const RECALL_WEIGHTS: Weights = { similarity: 0.5, recency: 0.3, proximity: 0.2 };
/** Decisions about files: nearness counts half, the others share the rest as before. */
export const DECISION_WEIGHTS: Weights = { similarity: 0.3125, recency: 0.1875, proximity: 0.5 };

const DAY_MS = 86_400_000;
/** Half is gone after about 14 days. */
const DECAY_PER_DAY = 0.05;

/** 1 for now, halved about every 14 days; both times in milliseconds since the epoch. */
export function recencyOf(timestamp: number, now: number): number {
  return Math.exp((-DECAY_PER_DAY * Math.max(0, now - timestamp)) / DAY_MS);
}

/** Jaccard index of two sets of ids; 0 when either is empty. */
export function jaccard(one: Iterable<string>, other: Iterable<string>): number {
  const [a, b] = [new Set(one), new Set(other)];
  if (a.size === 0 || b.size === 0) return 0;
  let shared = 0;
  for (const id of a) if (b.has(id)) shared++;
  return shared / (a.size + b.size - shared);
}

/** Weighted sum of the partial scores, 0 to 1 when the weights add up to 1. */
export function scoreOf(scores: Scores, weights: Weights): number {
  return weights.similarity * scores.similarity + weights.recency * scores.recency + weights.proximity * scores.proximity;
}

/** Cosine of the word counts of two texts. */
export function wordSimilarity(one: string, other: string): number {
  const [a, b] = [wordCounts(one), wordCounts(other)];
  let dot = 0;
  for (const [word, times] of a) dot += times * (b.get(word) ?? 0);
  return dot === 0 ? 0 : dot / (lengthOf(a) * lengthOf(b));
}

function wordCounts(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function lengthOf(counts: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const times of counts.values()) sum += times * times;
  return Math.sqrt(sum);
}
