import type { EdgeRow } from '../../../features/neighborhood';
import { textIn } from '../outcome';

/** Links below this are worth a word on how sure they are. */
const SURE = 0.8;

/** A link as answers show it. */
export function linkRow(edge: EdgeRow): Record<string, unknown> {
  return {
    src: edge.source,
    tgt: edge.target,
    rel: edge.relation.toLowerCase(),
    ...(edge.line > 0 ? { line: edge.line } : {}),
    ...(edge.confidence < SURE ? { confidence: edge.confidence } : {}),
  };
}

/** `a calls b:12`. */
export function linkText(row: Readonly<Record<string, unknown>>): string {
  return `${textIn(row, 'src')} ${textIn(row, 'rel')} ${textIn(row, 'tgt')}${row['line'] === undefined ? '' : `:${textIn(row, 'line')}`}`;
}
