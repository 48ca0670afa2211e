import { paramRef, phrase, toolRef } from '../../../model/hints';
import type { Author } from '../../../model/records';
import type { Container, Section } from '../../../work/entities';
import type { WorkItem } from '../../../work/lists';
import { estimateTokens } from '../../shaping';
import type { ToolContext } from '../../tool';
import { textIn } from '../outcome';

type Fields = Readonly<Record<string, unknown>>;

export function authorOf(context: ToolContext): Author {
  return { agentId: context.agentId, sessionId: context.sessionId, key: context.idempotencyKey };
}

/** A feature or task with every field that says something. */
export function entityOf(container: Container): Fields {
  const { type, featureId, ...rest } = container;
  const fields = { ...rest, ...(type === 'task' ? { featureId } : {}) };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

export function sectionRow({ id, containerId, title, content, ordinal, version }: Section): Fields {
  return { id, containerId, title, content, ordinal, version };
}

/** One line of a list. */
export function itemRow(item: Container & Partial<Pick<WorkItem, 'blockedBy'>>): Fields {
  const { id, name, status, priority, featureId, tags, assignedAgentId, version, blockedBy = [] } = item;
  return {
    id,
    name,
    status,
    priority,
    version,
    ...(featureId === null ? {} : { featureId }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(assignedAgentId === null ? {} : { assignedAgentId }),
    ...(blockedBy.length === 0 ? {} : { blockedBy }),
  };
}

/** Share of a budget for what an answer is about; the rest is for the envelope around it. */
const CONTENT_SHARE = 0.6;

/**
 * The entity as it fits: whole, else without its longest text, else its id, status and version. A write that was done is never answered with an error
 * because its answer is long.
 */
export function fitted(context: ToolContext, container: Container): Fields {
  return fittedTo(context.maxTokens * CONTENT_SHARE, container);
}

/** `fitted`, for a number of tokens. */
export function fittedTo(room: number, container: Container): Fields {
  const whole = entityOf(container);
  if (estimateTokens(whole) <= room) return whole;
  const { summary: _, blockedReason: __, ...short } = whole;
  if (estimateTokens(short) <= room) return short;
  return { id: container.id, status: container.status, version: container.version };
}

/** Sections with their text as far as all of them fit, else their titles. */
export function fittedSections(context: ToolContext, sections: readonly Section[]): { readonly rows: readonly Fields[]; readonly isOutline: boolean } {
  const whole = sections.map(sectionRow);
  if (estimateTokens(whole) <= context.maxTokens * CONTENT_SHARE) return { rows: whole, isOutline: false };
  return { rows: sections.map(outlineRow), isOutline: true };
}

/** A section without its text. */
export function outlineRow({ id, title, ordinal, version }: Section): Fields {
  return { id, title, ordinal, version };
}

export const OUTLINE_HINT = phrase`The section texts do not fit. Use ${toolRef('query_sections')} with a title, or ${paramRef('profile', 'debug')}.`;

/** `task::… in_progress high "Name"`. */
export function lineOf(row: Fields): string {
  const blocked = Array.isArray(row['blockedBy']) && row['blockedBy'].length > 0 ? ` blocked by ${row['blockedBy'].join(', ')}` : '';
  const reason = textIn(row, 'reason');
  return `${textIn(row, 'id')} ${textIn(row, 'status')} ${textIn(row, 'priority')} v${textIn(row, 'version')} ${textIn(row, 'name')}${blocked}${reason === '' ? '' : `: ${reason}`}`;
}

/** A feature or task for reading: its line, then its summary. */
export function entityLines(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const row = value as Fields;
  const summary = textIn(row, 'summary');
  return [lineOf(row), ...(summary === '' ? [] : [summary])];
}

export function sectionLines(rows: readonly Fields[]): string[] {
  return rows.flatMap(row => {
    const content = textIn(row, 'content');
    return [`## ${textIn(row, 'title')} (${textIn(row, 'id')} v${textIn(row, 'version')})`, ...(content === '' ? [] : content.split('\n'))];
  });
}
