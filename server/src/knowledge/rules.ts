import { utf8Length } from '../base/text';
import { normalizePattern, patternProblem } from './patterns';
import { type EntityType, TASK_MARKERS } from './types';

/** Limits and normal forms of what can be stored. A value is normalized first, and then checked. */

export const MAX_NAME_LENGTH = 255;
export const MAX_KNOWLEDGE_BYTES = 32_768;
export const MAX_SUMMARY_BYTES = 4096;
export const MAX_PATTERNS = 20;
export const MAX_RELATED = 50;

/** What is wrong with a field; the message goes on from its name. */
export interface Issue {
  readonly field: string;
  readonly message: string;
}

/** Line ends are LF, nothing stands before or after the text. */
export function normalizeText(text: string): string {
  return text.replace(/\r\n?/g, '\n').trim();
}

/** Tidy patterns, each once, in order. */
export function normalizePatterns(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.map(normalizePattern))];
}

/** What is wrong with a name: empty, or longer than `MAX_NAME_LENGTH` code points. */
export function nameIssues(name: string): readonly Issue[] {
  if (name === '') return [{ field: 'name', message: 'is empty' }];
  const { length } = Array.from(name);
  return length > MAX_NAME_LENGTH ? [{ field: 'name', message: `has ${length} characters, at most ${MAX_NAME_LENGTH} are allowed` }] : [];
}

/** What is wrong with a text: too many bytes of UTF-8. */
export function knowledgeIssues(knowledge: string): readonly Issue[] {
  const bytes = utf8Length(knowledge);
  return bytes > MAX_KNOWLEDGE_BYTES ? [{ field: 'knowledge', message: `has ${bytes} bytes, at most ${MAX_KNOWLEDGE_BYTES} are allowed` }] : [];
}

/** What is wrong with the summary of a change: empty, or more than `MAX_SUMMARY_BYTES` bytes of UTF-8. */
export function summaryIssues(summary: string): readonly Issue[] {
  if (summary === '') return [{ field: 'summary', message: 'is empty' }];
  const bytes = utf8Length(summary);
  return bytes > MAX_SUMMARY_BYTES ? [{ field: 'summary', message: `has ${bytes} bytes, at most ${MAX_SUMMARY_BYTES} are allowed` }] : [];
}

/** That there must be a pattern at all is an invariant of its own, not one of these bounds. */
export function patternIssues(paths: readonly string[]): readonly Issue[] {
  const count = paths.length > MAX_PATTERNS ? [{ field: 'paths', message: `has ${paths.length} patterns, at most ${MAX_PATTERNS} are allowed` }] : [];
  const each = paths.flatMap((pattern, at) => {
    const problem = patternProblem(pattern);
    return problem === undefined ? [] : [{ field: `paths.${at}`, message: `${JSON.stringify(shortened(pattern))} ${problem}` }];
  });
  return [...count, ...each];
}

/** `targets` are the full ids of a related list of the entity `ownId` (`undefined` for one that is being made). That they exist is not checked here. */
export function relatedIssues(field: 'relatedAtoms' | 'relatedMolecules', targets: readonly string[], ownId: string | undefined): readonly Issue[] {
  const issues: Issue[] = [];
  if (targets.length > MAX_RELATED) issues.push({ field, message: `has ${targets.length} entries, at most ${MAX_RELATED} are allowed` });
  if (ownId !== undefined && targets.includes(ownId)) issues.push({ field, message: 'refers to itself' });
  const repeated = targets.find((target, at) => targets.indexOf(target) !== at);
  if (repeated !== undefined) issues.push({ field, message: `contains ${repeated} twice` });
  return issues;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The full id of an entity from its full id or bare uuid; `undefined` when it is neither. */
export function entityId(kind: EntityType | 'changelog' | 'task', text: string): string | undefined {
  const tidy = text.trim().toLowerCase();
  const uuid = tidy.startsWith(`${kind}::`) ? tidy.slice(kind.length + 2) : tidy;
  return UUID.test(uuid) ? `${kind}::${uuid}` : undefined;
}

/** The id as it is stored from a task's full id, its bare uuid or a marker; `undefined` when it is none. */
export function taskIdOf(text: string): string | undefined {
  const tidy = text.trim().toLowerCase();
  return TASK_MARKERS.includes(tidy) ? tidy : entityId('task', tidy);
}

/** The part of an id that is the same in every spelling: the uuid, or the marker. */
export function bareId(id: string): string {
  return id.slice(id.lastIndexOf(':') + 1);
}

/** What stands between the knowledge there was and what is appended. `at` is ISO-8601. */
export function appendSeparator(at: string, taskId: string): string {
  return `---[${at} task:${bareId(taskId)}]---`;
}

/** Tidy text after appending to tidy knowledge; the bounds apply to it. */
export function appended(knowledge: string, text: string, at: string, taskId: string): string {
  return normalizeText(`${knowledge}\n\n${appendSeparator(at, taskId)}\n${text}`);
}

function shortened(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 79)}…`;
}
