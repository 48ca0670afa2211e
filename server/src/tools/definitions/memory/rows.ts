import { z } from 'zod';
import type { AnchorStates } from '../../../features/knowledge/anchors';
import { textIn } from '../outcome';

type Fields = Readonly<Record<string, unknown>>;

export const limit = z.number().int().min(1).max(100).default(5);

/** `episode::… DECISION 2026-01-01 agent (0.83): content`, then what has changed since. */
export function memoryLine(row: Fields): string {
  const { anchors, confidence, score } = row as { readonly anchors?: AnchorStates; readonly score?: number; readonly confidence?: number };
  const moved = (['changed', 'gone'] as const).flatMap(state => {
    const named = anchors?.[state] ?? [];
    return named.length === 0 ? [] : [`${state}: ${named.join(', ')}`];
  });
  const figures = [score === undefined ? '' : score.toFixed(2), confidence === undefined ? '' : `confidence ${confidence}`].filter(text => text !== '');
  const derived = row['derived'] === true ? ' derived' : '';
  const head = `${textIn(row, 'id')} ${textIn(row, 'type')}${derived} ${textIn(row, 'timestamp').slice(0, 16)} ${textIn(row, 'agentId')}`;
  return `${head}${figures.length === 0 ? '' : ` (${figures.join(', ')})`}: ${textIn(row, 'content').replaceAll('\n', '\n  ')}${moved.length === 0 ? '' : ` [${moved.join('; ')}]`}`;
}

/** `claim::… agent on target: intent`. */
export function claimLine(row: Fields): string {
  const ended = textIn(row, 'invalidationReason');
  return `${textIn(row, 'id') || textIn(row, 'claimId')} ${textIn(row, 'agentId')} on ${textIn(row, 'targetId')}: ${textIn(row, 'intent')}${ended === '' ? '' : ` (ended: ${ended})`}`;
}

/** Rows as small as a list needs them: without what only one looked at alone is asked for. */
export function shortRows(rows: readonly Fields[], isSmall: boolean): readonly Fields[] {
  if (!isSmall) return rows;
  return rows.map(row => {
    const { content, entities } = row;
    const kept = Object.fromEntries(Object.entries(row).filter(([key]) => !ONLY_WHOLE.includes(key)));
    return { ...kept, content: firstLines(String(content)), entities: Array.isArray(entities) ? entities.slice(0, 5) : [] };
  });
}

const ONLY_WHOLE: readonly string[] = ['metadata', 'sessionId', 'prevEpisodeId', 'scores'];

const SHORT = 200;

/** Whole lines up to a length; the first is told in any case, whole as far as it is no longer. */
function firstLines(text: string): string {
  if (text.length <= SHORT) return text;
  const lines = text.split('\n');
  let shown = lines[0] ?? '';
  for (const line of lines.slice(1)) {
    if (shown.length + 1 + line.length > SHORT) break;
    shown += `\n${line}`;
  }
  return shown.length > SHORT ? `${shown.slice(0, SHORT - 1).replace(/\s+\S*$/, '')}…` : shown;
}
