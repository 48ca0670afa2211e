import { z } from 'zod';
import { err, ok, type Result } from '../base/result';
import { projectIdOf } from '../features/administration/manage';
import { type Hint, hintForAgents, paramRef, phrase, toolRef } from '../model/hints';
import type { Workspace } from '../workspace/snapshot';
import { PROFILES, type Profile } from './envelope';
import type { Tool, ToolFailure } from './tool';

const profileNames = Object.keys(PROFILES) as [Profile, ...Profile[]];

/** Parameters that every tool takes. Only the first three are advertised. */
export const COMMON = {
  profile: z.enum(profileNames).optional().describe('compact 300, balanced 1200 tokens, debug unlimited'),
  maxTokens: z.number().int().min(50).optional().describe('Overrides the profile'),
  cursor: z.string().optional().describe('data.nextCursor of the previous page'),
  agentId: z.string().optional(),
  sessionId: z.string().optional(),
  projectId: z.string().optional(),
  asOf: z.string().optional(),
} as const;

const commonSchema = z.strictObject(COMMON);

/** Characters of a text, and of all texts together, that a question may have: what is searched for is short, and longer texts block other work. */
const MAX_ASKED = 10_000;
const MAX_ASKED_TOGETHER = 500_000;
/** Characters that a write may bring. */
const MAX_WRITTEN = 1_000_000;
const MAX_DEPTH = 32;
const MAX_NAME_LENGTH = 100;

export interface ParsedInput {
  readonly common: z.output<typeof commonSchema>;
  readonly own: Record<string, unknown>;
}

/** Reads what a caller sent: any spelling of a parameter, lists as array, JSON or commas, numbers and booleans as text; then checks it. */
export function parseInput(tool: Tool, raw: Readonly<Record<string, unknown>>): Result<ParsedInput, ToolFailure> {
  const tooLong = oversize(tool, raw);
  if (tooLong !== undefined) return err(tooLong);
  const shape: Readonly<Record<string, z.ZodType>> = { ...COMMON, ...(tool.input.shape as Record<string, z.ZodType>) };
  const spelled = new Map(Object.keys(shape).map(key => [fold(key), key]));
  for (const [alias, key] of Object.entries(tool.aliases ?? {})) spelled.set(fold(alias), key);
  const common: Record<string, unknown> = {};
  const own: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(raw)) {
    if (value === undefined) continue;
    const key = spelled.get(fold(name));
    const schema = key === undefined ? undefined : shape[key];
    if (value === null && !(schema !== undefined && takesNull(schema))) continue;
    if (key === undefined) return err(unknownParameter(tool, name));
    (key in tool.input.shape ? own : common)[key] = schema === undefined ? value : coerce(schema, value);
  }
  const parsedCommon = commonSchema.safeParse(common);
  if (!parsedCommon.success) return err(invalid(tool, parsedCommon.error, common));
  const parsedOwn = tool.input.safeParse(own);
  if (!parsedOwn.success) return err(invalid(tool, parsedOwn.error, own));
  return ok({ common: parsedCommon.data, own: parsedOwn.data });
}

/** Looks at lengths only, before anything is made of the texts. */
function oversize(tool: Tool, raw: Readonly<Record<string, unknown>>): ToolFailure | undefined {
  const [each, together] = tool.effect === 'read' ? [MAX_ASKED, MAX_ASKED_TOGETHER] : [MAX_WRITTEN, MAX_WRITTEN];
  let total = 0;
  for (const [name, value] of Object.entries(raw)) {
    const { longest, sum } = lengthsOf(value, 0);
    total += sum + name.length;
    if (longest > each || total > together || name.length > MAX_NAME_LENGTH) {
      const field = name.slice(0, MAX_NAME_LENGTH);
      const message = `is too long: ${longest > each ? `a text has at most ${each}` : `all parameters together have at most ${together}`} characters`;
      return {
        code: 'VALIDATION_ERROR',
        ...messageFields(phrase`${paramRef(field)} ${message}.`),
        hint: phrase`Call ${toolRef(tool.name)} again with a shorter ${paramRef(field)}.`,
        data: { field, issues: [{ field, message }] },
      };
    }
  }
  return undefined;
}

/** Lengths of the texts in a value; numbers and the like count as one character, what is nested too deeply as too long. */
function lengthsOf(value: unknown, depth: number): { readonly longest: number; readonly sum: number } {
  if (typeof value === 'string') return { longest: value.length, sum: value.length };
  if (typeof value !== 'object' || value === null) return { longest: 0, sum: 1 };
  if (depth === MAX_DEPTH) return { longest: Number.POSITIVE_INFINITY, sum: 0 };
  let longest = 0;
  let sum = 1;
  for (const [name, item] of Object.entries(value)) {
    const inner = lengthsOf(item, depth + 1);
    longest = Math.max(longest, inner.longest, name.length);
    sum += inner.sum + name.length;
  }
  return { longest, sum };
}

/** `projectId` may be the id of the checkout or of its project's records, the folder's name or its absolute path. */
export function checkProject(workspace: Workspace, projectId: string | undefined): Result<void, ToolFailure> {
  if (projectId === undefined || [projectIdOf(workspace), workspace.records.projectId, workspace.name, workspace.root].includes(projectId))
    return ok(undefined);
  return err({
    code: 'FORBIDDEN',
    message: `Project ${projectId} is not open. The workspace of this server is ${workspace.name}.`,
    hint: phrase`Omit ${paramRef('projectId')}, or use ${projectIdOf(workspace)}.`,
  });
}

function fold(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}

/** Null means something to it; elsewhere it is the same as leaving the parameter out. */
function takesNull(schema: z.ZodType): boolean {
  if (schema instanceof z.ZodNullable) return true;
  return (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) && takesNull(schema.unwrap() as z.ZodType);
}

/** The schema beneath `optional` and `default`. */
function bare(schema: z.ZodType): z.ZodType {
  let inner = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault || inner instanceof z.ZodNullable) inner = inner.unwrap() as z.ZodType;
  return inner;
}

function coerce(schema: z.ZodType, value: unknown): unknown {
  const inner = bare(schema);
  if (inner instanceof z.ZodArray) {
    const list = typeof value === 'string' ? listOf(value) : value;
    return Array.isArray(list) ? list.map(item => coerce(inner.element as z.ZodType, item)) : list;
  }
  if (typeof value !== 'string') return value;
  const text = value.trim();
  if (inner instanceof z.ZodNumber && text !== '' && Number.isFinite(Number(text))) return Number(text);
  if (inner instanceof z.ZodBoolean && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  if (inner instanceof z.ZodEnum) return inner.options.find(option => String(option).toLowerCase() === text.toLowerCase()) ?? value;
  return value;
}

function listOf(text: string): unknown {
  if (text.trim().startsWith('[')) {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      return text;
    }
  }
  return splitOutsideBraces(text)
    .map(item => item.trim())
    .filter(item => item !== '');
}

/** At commas, but not at those of a glob such as `src/{a,b}/**`. */
function splitOutsideBraces(text: string): readonly string[] {
  const items: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '{') depth++;
    else if (text[at] === '}') depth--;
    else if (text[at] === ',' && depth <= 0) {
      items.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...items, text.slice(start)];
}

function unknownParameter(tool: Tool, name: string): ToolFailure {
  const known = Object.keys(tool.input.shape);
  return {
    code: 'VALIDATION_ERROR',
    message: `${tool.name} does not have a parameter ${name}.`,
    hint: tool.foreign?.[name] ?? `Use ${[...known, 'profile', 'maxTokens', ...(tool.paged === true ? ['cursor'] : [])].join(', ')}.`,
    data: { field: name, issues: [{ field: name, message: 'unknown parameter' }] },
  };
}

function invalid(tool: Tool, error: z.ZodError, given: Readonly<Record<string, unknown>>): ToolFailure {
  const issues = error.issues.map(issue => issueOf(issue, given));
  const [first = { field: '', message: 'invalid input' }] = issues;
  const [name = '', ...inner] = first.field.split('.');
  if (name === '') {
    return {
      code: 'VALIDATION_ERROR',
      message: `${tool.name}: ${first.message}.`,
      hint: phrase`Call ${toolRef(tool.name)} again with valid parameters.`,
      data: { field: '', issues: issues.map(({ field, message }) => ({ field, message })) },
    };
  }
  const mention = phrase`${paramRef(name)}${inner.map(key => `.${key}`).join('')}`;
  const schema = tool.input.shape[name] as z.ZodType | undefined;
  const meaning = schema?.description === undefined ? '' : ` (${schema.description})`;
  return {
    code: 'VALIDATION_ERROR',
    ...messageFields(first.isMissing === true ? phrase`${mention} is missing.` : phrase`${mention}${first.isRemark === true ? ':' : ''} ${first.message}.`),
    hint: phrase`Call ${toolRef(tool.name)} again with ${first.isMissing === true ? '' : 'a valid '}${mention}${meaning}.`,
    data: { field: first.field, ...(first.isMissing === true ? { isMissing: true } : {}), issues: issues.map(({ field, message }) => ({ field, message })) },
  };
}

function messageFields(told: Hint): Pick<ToolFailure, 'message' | 'messageParts'> {
  return { message: hintForAgents(told), ...(typeof told === 'string' ? {} : { messageParts: told }) };
}

interface InputIssue {
  readonly field: string;
  /** What is wrong with the field: a predicate, or a remark. */
  readonly message: string;
  readonly isRemark?: true;
  readonly isMissing?: boolean;
}

function issueOf(issue: z.core.$ZodIssue, given: Readonly<Record<string, unknown>>): InputIssue {
  const { code, path } = issue;
  const isMissing = code !== 'custom' && path.length > 0 && path.reduce<unknown>((at, key) => Reflect.get(Object(at), key), given) === undefined;
  const predicate = predicateOf(issue);
  return { field: path.join('.'), isMissing, ...(predicate === undefined ? { message: issue.message, isRemark: true } : { message: predicate }) };
}

/** What is wrong, in our own words; `undefined` for what is rare, which zod tells. */
function predicateOf(issue: z.core.$ZodIssue): string | undefined {
  const unit =
    issue.code !== 'too_big' && issue.code !== 'too_small' ? '' : issue.origin === 'string' ? ' characters' : issue.origin === 'array' ? ' entries' : '';
  const verb = unit === '' ? 'be' : 'have';
  switch (issue.code) {
    case 'too_big':
      return `must ${verb} at most ${String(issue.maximum)}${unit}`;
    case 'too_small':
      return unit !== '' && issue.minimum === 1 ? 'must not be empty' : `must ${verb} at least ${String(issue.minimum)}${unit}`;
    case 'invalid_value':
      return issue.values.length === 1 ? `must be ${String(issue.values[0])}` : `must be one of ${issue.values.map(String).join(', ')}`;
    default:
      return undefined;
  }
}
