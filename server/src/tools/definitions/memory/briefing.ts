import type { Briefing, Remembered } from '../../../features/memory/briefing';
import { estimateTokens } from '../../shaping';
import { block, rowsIn, textIn } from '../outcome';
import { shortClaim } from './claimsNear';

type Fields = Readonly<Record<string, unknown>>;

/** Shares of a pack's room: decisions and learnings together, plan and blockers, episodes. What a slot does not use stays with the code. */
const SHARES = { decisions: 0.14, learnings: 0.06, plan: 0.1, episodes: 0.05 } as const;
const LINE_LENGTH = 240;

export interface FittedBriefing {
  readonly data: Fields;
  readonly used: number;
}

/** What is remembered, as far as each slot carries it; lists without items are left out. */
export function fitBriefing({ blockers, decisions, episodes, learnings, plan }: Briefing, room: number): FittedBriefing {
  const data: Record<string, unknown> = {};
  let used = 0;
  const put = (key: string, rows: readonly unknown[], share: number, fewest = 0): void => {
    const fitting: unknown[] = [];
    let cost = 0;
    for (const row of rows) {
      const tokens = estimateTokens(row) + 1;
      if (cost + tokens > room * share && fitting.length >= fewest) break;
      fitting.push(row);
      cost += tokens;
    }
    if (fitting.length === 0) return;
    data[key] = fitting;
    used += cost + estimateTokens(key);
  };
  put('activeBlockers', blockers.map(shortClaim), SHARES.plan, 1);
  if (plan !== undefined) {
    const { contextFiles, text, ...head } = plan;
    const lines = linesWithin(text, room * SHARES.plan);
    data['plan'] = { ...head, ...(contextFiles.length === 0 ? {} : { contextFiles: contextFiles.slice(0, 10) }), ...(lines === '' ? {} : { text: lines }) };
    used += estimateTokens(data['plan']);
  }
  put('decisions', decisions.map(rowOf), SHARES.decisions);
  put('learnings', learnings.map(rowOf), SHARES.learnings);
  put('episodes', episodes.map(rowOf), SHARES.episodes);
  return { data, used };
}

function rowOf({ row, why }: Remembered): Fields {
  const { anchors, confidence, content, id, metadata, timestamp, type } = row;
  const title = typeof metadata?.['title'] === 'string' ? metadata['title'] : '';
  const line = firstLine(content);
  const isMoved = [...(anchors?.changed ?? []), ...(anchors?.gone ?? [])].length > 0;
  return {
    id,
    ...(type === 'DECISION' || type === 'LEARNING' ? {} : { type }),
    content: title === '' || line.includes(title) ? line : `${title}: ${line}`,
    at: timestamp.slice(0, 10),
    why,
    ...(confidence === undefined ? {} : { confidence }),
    ...(isMoved ? { changed: true } : {}),
  };
}

/** The first line; one that is longer than a row carries ends at a word. */
function firstLine(text: string): string {
  const line = text.split('\n', 1)[0] ?? '';
  return line.length <= LINE_LENGTH ? line : `${line.slice(0, LINE_LENGTH).replace(/\s+\S*$/, '')}…`;
}

/** Whole lines from the beginning, as many as there is room for. */
function linesWithin(text: string, room: number): string {
  const lines: string[] = [];
  let used = 0;
  for (const line of text.split('\n')) {
    used += estimateTokens(line);
    if (used > room) break;
    lines.push(line);
  }
  return lines.join('\n').trim();
}

/** For reading: who is there and what is planned first, since it decides whether to begin. */
export function briefingLines(data: Fields): string[] {
  const plan = data['plan'] as { readonly task?: Fields; readonly blockers?: readonly string[]; readonly text?: string } | undefined;
  const memories = ['decisions', 'learnings', 'episodes'].flatMap(key =>
    block(
      { decisions: 'Decisions', learnings: 'Learnings', episodes: 'Episodes' }[key] ?? key,
      rowsIn(data, key).map(
        row => `${textIn(row, 'id')} ${textIn(row, 'at')}: ${textIn(row, 'content')}${row['changed'] === true ? ' (its code has changed since)' : ''}`,
      ),
    ),
  );
  return [
    ...block(
      'Other agents are working on this',
      rowsIn(data, 'activeBlockers').map(row => `${textIn(row, 'agentId')} on ${textIn(row, 'targetId')}: ${textIn(row, 'intent')}`),
    ),
    ...(plan === undefined
      ? []
      : block(`Plan: ${textIn(plan.task ?? {}, 'name')} (${textIn(plan.task ?? {}, 'status')})`, [
          ...(plan.blockers ?? []),
          ...(plan.text ?? '').split('\n').filter(line => line !== ''),
        ])),
    ...memories,
  ];
}
