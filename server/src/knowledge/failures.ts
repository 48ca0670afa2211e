import type { Failure } from '../base/result';
import { type Hint, paramRef, phrase, toolRef } from '../model/hints';
import type { Issue } from './rules';
import type { EntityType } from './types';

/** Why knowledge cannot be read or written; `hint` is one concrete next step. */
export interface KnowledgeFailure extends Failure {
  readonly code: 'VALIDATION_ERROR' | 'NOT_FOUND' | 'CONFLICT' | 'INVARIANT_VIOLATION';
  readonly hint: Hint;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** At least one issue. */
export function refused(issues: readonly Issue[]): KnowledgeFailure {
  const [first] = issues;
  return {
    code: 'VALIDATION_ERROR',
    message: `${issues.map(issue => `${issue.field} ${issue.message}`).join('; ')}.`,
    hint: phrase`Call again with a valid ${paramRef((first?.field ?? 'value').split('.')[0] ?? '')}.`,
    data: { field: first?.field ?? '', issues },
  };
}

/** No atom or molecule has the id. */
export function unknownEntity(kind: EntityType, id: string): KnowledgeFailure {
  return {
    code: 'NOT_FOUND',
    message: `The ${kind} ${id} does not exist in this project.`,
    hint: phrase`Use ${toolRef('query_graph', { operation: 'search', entityType: kind })} to find it.`,
    data: { suggestions: [] },
  };
}

/** Gone, but in the history. */
export function deletedEntity(kind: EntityType, id: string, at: string): KnowledgeFailure {
  return {
    code: 'NOT_FOUND',
    message: `The ${kind} ${id} was deleted at ${at}.`,
    hint: phrase`Use ${toolRef('query_graph', { operation: 'get', history: true })} to read its versions. To restore one, use ${toolRef('manage_graph', { operation: 'update' })} and restoreVersion.`,
    data: { suggestions: [], deletedAt: at },
  };
}

/** `known` are the versions in the history, newest first. */
export function unknownVersion(id: string, version: number, known: readonly number[]): KnowledgeFailure {
  const suggestions = known.slice(0, 5);
  const use = suggestions.length === 0 ? 'No versions of it are available.' : `Use one of ${suggestions.join(', ')}.`;
  return { code: 'NOT_FOUND', message: `${id} has no version ${version} in its history.`, hint: use, data: { suggestions } };
}

export function unknownTask(id: string): KnowledgeFailure {
  return {
    code: 'NOT_FOUND',
    message: `The task ${id} does not exist in this project.`,
    hint: "Use the ID of an existing task, or 'manual' for a change without a task.",
    data: { suggestions: ['manual'] },
  };
}

export function outdated(kind: EntityType, name: string, version: number, currentVersion: number): KnowledgeFailure {
  return {
    code: 'CONFLICT',
    message: `The ${kind} ${shortName(name)} has version ${currentVersion}, not ${version}. It was changed by someone else.`,
    hint: phrase`Read it with ${toolRef('query_graph')}, merge your change, and try again with ${paramRef('version', currentVersion)}.`,
    data: { currentVersion },
  };
}

export function violated(message: string, hint: Hint): KnowledgeFailure {
  return { code: 'INVARIANT_VIOLATION', message, hint };
}

/** A name for a sentence: on one line, and short. */
export function shortName(name: string): string {
  const line = name.replace(/\s+/g, ' ');
  return line.length <= 60 ? line : `${line.slice(0, 59)}…`;
}
