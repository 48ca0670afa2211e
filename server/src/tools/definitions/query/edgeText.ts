import { type EdgeRow } from '../../../features/query/edgeRows';
import { FACT_CONFIDENCE } from '../../../model/evidence';
import { RELATIONS } from '../../../model/relations';
import { textIn } from '../outcome';

/** A link as answers show it. */
export function linkRow(edge: EdgeRow): Record<string, unknown> {
  return {
    src: edge.source,
    tgt: edge.target,
    rel: edge.relation.toLowerCase(),
    ...(edge.line > 0 ? { line: edge.line } : {}),
    ...(edge.confidence < FACT_CONFIDENCE ? { confidence: edge.confidence } : {}),
  };
}

/** `a calls b:12`, and how sure that is when it is no fact: `a calls b:12 (maybe 0.5)`. */
export function linkText(row: Readonly<Record<string, unknown>>): string {
  const sure = row['confidence'] === undefined ? '' : ` (possible ${textIn(row, 'confidence')})`;
  return `${textIn(row, 'src')} ${textIn(row, 'rel')} ${textIn(row, 'tgt')}${row['line'] === undefined ? '' : `:${textIn(row, 'line')}`}${sure}`;
}

/** What leads to a row, told from it: `calls b line 12`; without the other end where that is what was asked about. */
export function viaText({ source, relation, target, line, confidence }: EdgeRow, id: string, asked: readonly string[]): string {
  const isOut = source === id;
  const other = isOut ? target : source;
  const name = isOut ? relation.toLowerCase() : (RELATIONS.find(row => row.name === relation)?.reverse ?? relation.toLowerCase());
  const end = asked.length === 1 && asked[0] === other ? '' : ` ${other}`;
  return `${name}${end}${line > 0 ? ` line ${line}` : ''}${confidence < FACT_CONFIDENCE ? ` (possible ${confidence})` : ''}`;
}
