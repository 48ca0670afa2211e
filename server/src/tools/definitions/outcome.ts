import { err, type Result } from '../../base/result';
import type { FeatureFailure } from '../../features/shared/failure';
import { relationsOf } from '../../features/shared/params';
import { paramRef, phrase } from '../../model/hints';
import { KIND_GROUPS, NODE_TYPES, SYMBOL_KINDS } from '../../model/nodes';
import { RELATIONS } from '../../model/relations';
import type { ToolFailure } from '../tool';

/** A feature's failure as a tool's. */
export function failure(error: FeatureFailure): Result<never, ToolFailure> {
  const { code, message, messageParts, hint, data } = error;
  return err({ code, message, ...(messageParts === undefined ? {} : { messageParts }), hint, ...(data === undefined ? {} : { data }) });
}

/** Says which of the names is no relation, and which there are; `undefined` when all are. */
export function unknownRelation(field: string, names: readonly string[] = []): ToolFailure | undefined {
  const wrong = names.filter(name => relationsOf([name]) === undefined);
  if (wrong.length === 0) return undefined;
  const known = RELATIONS.map(row => row.name.toLowerCase());
  return { code: 'VALIDATION_ERROR', message: `Unknown relation: ${wrong.join(', ')}.`, hint: `Use one of ${known.join(', ')}.`, data: { field } };
}

const KINDS: readonly string[] = [...Object.keys(KIND_GROUPS), ...NODE_TYPES, ...SYMBOL_KINDS];

/** Says which of the names is no kind of node, and which there are; `undefined` when all are. */
export function unknownKind(field: string, names: readonly string[] = []): ToolFailure | undefined {
  const wrong = names.filter(name => !KINDS.some(kind => kind.toLowerCase() === name.toLowerCase()));
  if (wrong.length === 0) return undefined;
  const message = `Unknown kind: ${wrong.join(', ')}.`;
  return { code: 'VALIDATION_ERROR', message, hint: `Use one of ${KINDS.join(', ')}.`, data: { field, issues: [{ field, message }] } };
}

/** The first of the parameters that is missing, as a failure; `undefined` when all are there. */
export function missingFields<Input extends object>(input: Input, fields: readonly (keyof Input & string)[]): ToolFailure | undefined {
  const field = fields.find(name => input[name] === undefined);
  if (field === undefined) return undefined;
  return {
    code: 'VALIDATION_ERROR',
    message: `${field} is required for this operation.`,
    hint: phrase`Call again with ${paramRef(field)}${field.endsWith('TaskId') || field === 'taskId' ? ": the id of your task, or 'manual'" : ''}.`,
    data: { field, issues: [{ field, message: 'is missing' }] },
  };
}

/** A parameter that the tool's `check` has found to be there. */
export function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('A required parameter is missing.');
  return value;
}

/** `1 file`, `2 files`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`;
}

/** A note for answers whose target was guessed or had rivals; `undefined` when there is nothing to say. */
export function candidateHint(guessed: boolean, id: string, candidates: readonly string[]): string | undefined {
  if (candidates.length === 0) return guessed ? `No exact match for that name. This is the best search result, ${id}.` : undefined;
  const lead = guessed ? 'No exact match for that name. This is the best search result.' : 'Several symbols have that name.';
  return `${lead} To choose another one, use its ID: ${[...new Set(candidates)].slice(0, 5).join(', ')}.`;
}

/** Rows of a list in `data`, whatever came of it. */
export function rowsIn(data: Readonly<Record<string, unknown>>, key: string): readonly Readonly<Record<string, unknown>>[] {
  const list = data[key];
  return Array.isArray(list) ? (list as Readonly<Record<string, unknown>>[]) : [];
}

/** Marks a row whose file has changed since what is said of it was true. */
export function staleMark(row: { readonly stale?: true }): { readonly stale?: true } {
  return row.stale === true ? { stale: true } : {};
}

/** A block of lines under a heading; nothing when there are none. */
export function block(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [heading, ...lines.map(line => `  ${line}`)];
}

export function textIn(row: Readonly<Record<string, unknown>>, key: string): string {
  const value = row[key];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Parameters without those that were left out, as features take them. */
export function given<T extends object>(input: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as { [Key in keyof T]: Exclude<T[Key], undefined> };
}
