/**
 * The only way to run a tool, whatever the door: reads and checks the input, finds the page, calls the handler, makes the answer fit,
 * renders it, and turns every failure into an answer.
 * This room knows no transport and no protocol: an answer is an envelope and a text.
 *
 * Invariants: it throws nothing but `Cancelled`; an answer never exceeds its budget; the same question on the same revision gets the same bytes.
 */

import { shownText } from '../../protocol/shownText';
import { type CancellationToken, Cancelled } from '../base/cancellation';
import { err, ok, type Result } from '../base/result';
import { type Hint, hintForAgents, joinHints, paramRef, phrase, toolRef } from '../model/hints';
import { withSearches } from '../workspace/laterSearch';
import type { Stamp, Workspace } from '../workspace/snapshot';
import { answerText, failureText } from './answerText';
import { workspaceOfCall } from './asOf';
import { decodeCursor, encodeCursor, questionOf } from './cursor';
import { type Envelope, hintFields, PROFILES } from './envelope';
import { checkProject, type ParsedInput, parseInput } from './inputs';
import { shape, type Unshaped } from './shaping';
import { StaleFiles } from './staleRows';
import type { Tool, ToolContext, ToolFailure } from './tool';

export interface Invocation {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly agentId: string | undefined;
  readonly sessionId: string;
  readonly idempotencyKey?: string;
  /** See `ToolContext.isAdmin`; false when absent. */
  readonly isAdmin?: boolean;
  /** See `ToolContext.mayClaim`; false when absent. */
  readonly mayClaim?: boolean;
}

/** The answer of a tool for programs and for reading. */
export interface Invoked {
  readonly envelope: Envelope;
  /** The same answer for reading, ending with the stamp. */
  readonly text: string;
}

/** Runs the tool named. Throws `Cancelled` only. */
export async function invoke(tools: readonly Tool[], workspace: Workspace, invocation: Invocation, token: CancellationToken): Promise<Invoked> {
  try {
    const tool = tools.find(candidate => candidate.name === invocation.name);
    if (tool === undefined) return failed(workspace.current()?.stamp, unknownTool(tools, invocation.name));
    const answer = await run(tool, workspace, invocation, token);
    return answer.ok ? answer.value : failed(workspace.current()?.stamp, answer.error);
  } catch (error) {
    if (error instanceof Cancelled) throw error;
    return failed(workspace.current()?.stamp, internal(invocation.name, error));
  }
}

/** The answer to a call that is wrong whatever the workspace holds, without a stamp; `undefined` when only the workspace can tell. */
export function refusalOf(tools: readonly Tool[], name: string, input: Readonly<Record<string, unknown>>): Invoked | undefined {
  const tool = tools.find(candidate => candidate.name === name);
  if (tool === undefined) return failed(undefined, unknownTool(tools, name));
  const checked = checkedInput(tool, input);
  return checked.ok ? undefined : failed(undefined, checked.error);
}

function checkedInput(tool: Tool, input: Readonly<Record<string, unknown>>): Result<ParsedInput, ToolFailure> {
  const parsed = parseInput(tool, input);
  if (!parsed.ok) return parsed;
  const problem = tool.check?.(parsed.value.own);
  return problem === undefined ? parsed : err(problem);
}

async function run(tool: Tool, workspace: Workspace, invocation: Invocation, token: CancellationToken): Promise<Result<Invoked, ToolFailure>> {
  const parsed = checkedInput(tool, invocation.input);
  if (!parsed.ok) return parsed;
  const project = checkProject(workspace, parsed.value.common.projectId);
  if (!project.ok) return project;
  const { asOf } = parsed.value.common;
  const spokenOf = await workspaceOfCall(tool, workspace, { asOf, own: parsed.value.own }, token);
  if (!spokenOf.ok) return spokenOf;
  const question = questionOf(tool.name, { ...parsed.value.own, ...(asOf === undefined ? {} : { asOf }) });
  const stale = new StaleFiles(spokenOf.value);
  const context = contextOf(tool, stale.workspace, invocation, parsed.value, question);
  if (!context.ok) return context;
  const { value: asked } = context;
  const handled = await (tool.effect === 'read'
    ? withSearches(() => tool.handle(asked, parsed.value.own, token))
    : tool.handle(asked, parsed.value.own, token));
  if (!handled.ok) return err(withMissing(inPast(handled.error, spokenOf.value), spokenOf.value));
  const { summary, keepsEmpty = false, page } = handled.value;
  const hint = isBeforeAll(spokenOf.value) ? joinHints([...(handled.value.hint === undefined ? [] : [handled.value.hint]), BEFORE_ALL]) : handled.value.hint;
  const { data, stamp } = stale.marked(handled.value.data, handled.value.stamp);
  const { profile, maxTokens } = context.value;
  const unshaped: Unshaped = {
    summary: shownText(summary),
    profile,
    maxTokens,
    stamp,
    data,
    hint,
    fields: tool.fields,
    page,
    keepsEmpty,
    isContinued: context.value.cursor !== undefined,
    cursorAt: offset => encodeCursor(question, offset),
  };
  const envelope = shape(unshaped) ?? (tool.effect === 'read' ? undefined : shape(confirmation(unshaped)));
  if (envelope === undefined) return err(tooBig(tool, maxTokens, profile === 'compact' ? 'balanced' : 'debug', parsed.value.common.maxTokens !== undefined));
  return ok({ envelope, text: answerText(tool, envelope, parsed.value.own, maxTokens) });
}

const BEFORE_ALL: Hint = 'There were no files at that time. It is before the first commit and the first recorded state.';

/** Whether the answer is about a past without files. */
function isBeforeAll({ current }: Pick<Workspace, 'current'>): boolean {
  const snapshot = current();
  return snapshot?.stamp.asOf !== undefined && snapshot.graph.fileCount === 0;
}

/** What is not there may have come later, or gone before. */
function inPast(failure: ToolFailure, workspace: Pick<Workspace, 'current'>): ToolFailure {
  if (failure.code !== 'NOT_FOUND' || workspace.current()?.stamp.asOf === undefined) return failure;
  const why = isBeforeAll(workspace)
    ? BEFORE_ALL
    : phrase`This answer is about a past state, which may have had it elsewhere or not at all: omit ${paramRef('asOf')}, or name another state.`;
  return { ...failure, hint: joinHints([failure.hint, why]) };
}

/** In a partial clone, what is said not to exist may be in a file whose content nobody has fetched. */
function withMissing(failure: ToolFailure, { current }: Pick<Workspace, 'current'>): ToolFailure {
  const { missingFiles = 0 } = current()?.stamp ?? {};
  if (missingFiles === 0) return failure;
  return {
    ...failure,
    hint: phrase`${failure.hint} The content of ${missingFiles === 1 ? '1 file' : `${missingFiles} files`} of that commit is not in this clone, so the symbols are not known.`,
  };
}

/** What was written is written: its answer keeps the required fields whatever the budget. */
function confirmation(answer: Unshaped): Unshaped {
  const required = answer.fields.filter(field => field.priority === 'required' && field.key in answer.data);
  return { ...answer, maxTokens: Number.POSITIVE_INFINITY, data: Object.fromEntries(required.map(({ key }) => [key, answer.data[key]])) };
}

function contextOf(tool: Tool, workspace: Workspace, invocation: Invocation, input: ParsedInput, question: string): Result<ToolContext, ToolFailure> {
  const { common } = input;
  const profile = common.profile ?? tool.defaultProfile;
  const offset = common.cursor === undefined ? undefined : decodeCursor(question, common.cursor);
  if (common.cursor !== undefined && (offset === undefined || tool.paged !== true)) return err(wrongCursor(tool));
  return ok({
    workspace,
    profile,
    maxTokens: common.maxTokens ?? tool.budgetTokens?.(profile, input.own) ?? PROFILES[profile],
    cursor: offset === undefined ? undefined : { offset },
    agentId: common.agentId ?? invocation.agentId,
    namesAgent: common.agentId !== undefined,
    sessionId: common.sessionId ?? invocation.sessionId,
    idempotencyKey: invocation.idempotencyKey,
    isAdmin: invocation.isAdmin === true,
    mayClaim: invocation.mayClaim === true && common.agentId !== undefined && common.asOf === undefined,
  });
}

function failed(stamp: Stamp | undefined, failure: ToolFailure): Invoked {
  const envelope: Envelope = {
    ok: false,
    summary: shownText(failure.message),
    profile: 'compact',
    _tokenEstimate: Math.ceil((failure.message + hintForAgents(failure.hint)).length / 4),
    ...(stamp === undefined ? {} : { stamp }),
    ...(failure.data === undefined ? {} : { data: failure.data }),
    ...hintFields(failure.hint),
    ...(failure.messageParts === undefined ? {} : { summaryParts: failure.messageParts }),
    errorCode: failure.code,
  };
  return { envelope, text: failureText(envelope) };
}

function unknownTool(tools: readonly Tool[], name: string): ToolFailure {
  return {
    code: 'NOT_FOUND',
    message: `Unknown tool: ${name}.`,
    hint: `Use one of ${tools.map(tool => tool.name).join(', ')}.`,
    data: { suggestions: tools.slice(0, 5).map(tool => tool.name) },
  };
}

function wrongCursor(tool: Tool): ToolFailure {
  return {
    code: 'VALIDATION_ERROR',
    message: 'The cursor does not belong to this query.',
    hint:
      tool.paged === true
        ? phrase`Repeat the parameters of the call that returned the cursor, or omit ${paramRef('cursor')} to start over.`
        : phrase`${tool.name} does not return pages. Omit ${paramRef('cursor')}.`,
    data: { field: 'cursor', issues: [{ field: 'cursor', message: 'of another query' }] },
  };
}

/** `isAsked`: the caller set the limit. */
function tooBig(tool: Tool, maxTokens: number, profile: string, isAsked: boolean): ToolFailure {
  return {
    code: 'BUDGET_EXCEEDED',
    message: `The required part of the answer of ${tool.name} does not fit in ${maxTokens} tokens.`,
    hint: isAsked
      ? phrase`Use a larger ${paramRef('maxTokens')}, or omit it and use ${paramRef('profile', profile)}.`
      : phrase`Use ${paramRef('profile', profile)}.`,
  };
}

function internal(name: string, error: unknown): ToolFailure {
  return {
    code: 'INTERNAL',
    message: `${name} failed: ${error instanceof Error ? error.message : String(error)}`,
    hint: phrase`This is an internal error. Run ${toolRef('graph_health')}. If it happens again, run ${toolRef('graph_rebuild', { mode: 'full' })}.`,
  };
}
