/**
 * What sets the possible apart from the certain, in every picture and list: the confidence from which something is certain, and the class, dashes and words of what is not.
 * Possible edges have no color of their own: they are dashed in the color of their state (`edgePainter.ts`, `sheet.css`). `--maybe` of the theme outlines possible tests.
 */
import { FACT_CONFIDENCE } from '../../../server/protocol/certainty';

/** Class of nodes and edges that are possible. */
export const POSSIBLE = 'maybe';

/** Lengths of dashes and gaps in pixels: of possible edges, of the borders of possible nodes. */
export const POSSIBLE_EDGE_DASHES: readonly number[] = [6, 4];
export const POSSIBLE_BORDER_DASHES: readonly number[] = [5, 3];

export function isPossible(confidence: number): boolean {
  return confidence < FACT_CONFIDENCE;
}

/** Classes that a confidence gives. */
export function certaintyClasses(confidence: number): readonly string[] {
  return isPossible(confidence) ? [POSSIBLE] : [];
}

/** `possible (40%)`; empty for what is certain. */
export function possibleWords(confidence: number): string {
  return isPossible(confidence) ? `possible (${Math.round(confidence * 100)}%)` : '';
}
