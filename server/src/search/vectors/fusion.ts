import type { SearchSettings } from '../settings';

/** `scores` become the weighted mean of both, each over its best. Where one list says nothing the other decides alone. */
export function fuseLinear(scores: Float64Array, near: Float64Array, share: number): void {
  const bestScore = highest(scores);
  const bestNear = highest(near);
  const nearFactor = bestNear === 0 ? 0 : (bestScore === 0 ? 1 : share) / bestNear;
  const scoreFactor = bestScore === 0 ? 0 : (bestNear === 0 ? 1 : 1 - share) / bestScore;
  for (let at = 0; at < scores.length; at++) scores[at] = scoreFactor * (scores[at] as number) + nearFactor * (near[at] as number);
}

/** Ranks beyond this are not told apart by reciprocal rank fusion. */
const MAX_RANK = 1000;

/** `scores` become sums of weighted reciprocal ranks, 1-based; what has no rank keeps the order of its score below all that have one. */
export function fuseReciprocalRanks(
  scores: Float64Array,
  near: Float64Array,
  isBefore: (a: number, b: number) => boolean,
  { rrfK, rrfWeights }: Pick<SearchSettings, 'rrfK' | 'rrfWeights'>,
): void {
  const fused = new Float64Array(scores.length);
  for (const [list, weight] of [
    [scores, rrfWeights.lexical],
    [near, rrfWeights.vector],
  ] as const) {
    const order = Array.from(list.keys())
      .filter(at => (list[at] as number) > 0)
      .sort((a, b) => (list[b] as number) - (list[a] as number) || (isBefore(a, b) ? -1 : 1));
    for (const [rank, at] of order.slice(0, MAX_RANK).entries()) fused[at] = (fused[at] as number) + weight / (rrfK + rank + 1);
  }
  const best = highest(scores) || 1;
  const least = Math.min(rrfWeights.lexical, rrfWeights.vector) / (rrfK + MAX_RANK);
  for (let at = 0; at < scores.length; at++) scores[at] = (fused[at] as number) > 0 ? (fused[at] as number) : (least / 2) * ((scores[at] as number) / best);
}

function highest(scores: Float64Array): number {
  let most = 0;
  for (const score of scores) if (score > most) most = score;
  return most;
}
