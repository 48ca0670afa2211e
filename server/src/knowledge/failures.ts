import type { Failure } from '../base/result';
import type { Issue } from './rules';
import type { EntityType } from './types';

/** Why knowledge cannot be read or written; `hint` is one concrete next step. */
export interface KnowledgeFailure extends Failure {
  readonly code: 'VALIDATION_ERROR' | 'NOT_FOUND' | 'CONFLICT' | 'INVARIANT_VIOLATION';
  readonly hint: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** At least one issue. */
export function refused(issues: readonly Issue[]): KnowledgeFailure {
  const [first] = issues;
  return {
    code: 'VALIDATION_ERROR',
    message: `${issues.map(issue => `${issue.field} ${issue.message}`).join('; ')}.`,
    hint: `Call again with a valid ${(first?.field ?? 'value').split('.')[0] ?? ''}.`,
    data: { field: first?.field ?? '', issues },
  };
}

export function unknownEntity(kind: EntityType, id: string): KnowledgeFailure {
  return {
    code: 'NOT_FOUND',
    message: `There is no ${kind} ${id} in this project.`,
    hint: `Find the ${kind} with query_graph, operation search, entityType ${kind}.`,
    data: { suggestions: [] },
  };
}

/** Gone, but in the history. */
export function deletedEntity(kind: EntityType, id: string, at: string): KnowledgeFailure {
  return {
    code: 'NOT_FOUND',
    message: `The ${kind} ${id} was deleted at ${at}.`,
    hint: 'Read its versions with query_graph, operation get, history true; manage_graph, operation update, restoreVersion brings one back.',
    data: { suggestions: [], deletedAt: at },
  };
}

/** `known` are the versions in the history, newest first. */
export function unknownVersion(id: string, version: number, known: readonly number[]): KnowledgeFailure {
  const suggestions = known.slice(0, 5);
  const use = suggestions.length === 0 ? 'None of its versions is kept.' : `Use one of ${suggestions.join(', ')}.`;
  return { code: 'NOT_FOUND', message: `${id} has no version ${version} in its history.`, hint: use, data: { suggestions } };
}

export function unknownTask(id: string): KnowledgeFailure {
  return {
    code: 'NOT_FOUND',
    message: `There is no task ${id} in this project.`,
    hint: "Pass the id of an existing task, or 'manual' for a change without one.",
    data: { suggestions: ['manual'] },
  };
}

export function outdated(kind: EntityType, name: string, version: number, currentVersion: number): KnowledgeFailure {
  return {
    code: 'CONFLICT',
    message: `The ${kind} ${shortName(name)} has version ${currentVersion}, not ${version}: somebody else wrote it.`,
    hint: `Get it with query_graph, merge your change, and try again with version ${currentVersion}.`,
    data: { currentVersion },
  };
}

export function violated(message: string, hint: string): KnowledgeFailure {
  return { code: 'INVARIANT_VIOLATION', message, hint };
}

/** A name for a sentence: on one line, and short. */
export function shortName(name: string): string {
  const line = name.replace(/\s+/g, ' ');
  return line.length <= 60 ? line : `${line.slice(0, 59)}…`;
}
