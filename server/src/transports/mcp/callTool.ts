import { type CallToolResult, ProtocolError, ProtocolErrorCode, type ServerContext } from '@modelcontextprotocol/server';
import { shownText } from '../../../protocol/shownText';
import { type CancellationToken, orCancelled } from '../../base/cancellation';
import type { Disposable } from '../../base/disposable';
import type { Caller, Gateway } from '../../session/gateway';
import { type Envelope, forPrograms } from '../../tools/envelope';
import type { IndexProgress } from '../../workspace/snapshot';
import { newIdempotencyKey } from '../callers';
import type { ToolRow, TransportHost } from '../host';
import { within } from '../waiting';
import { ProgressSteps } from './progress';
import type { WorkspaceSession } from './workspaceSession';

/** How long a call waits for the first index before it answers `NOT_READY`, in milliseconds. */
const MAX_FIRST_INDEX_MS = 20_000;
/** Tools that speak of the machinery and therefore answer before the first index. */
const ANSWER_BEFORE_INDEX: readonly string[] = ['graph_health', 'graph_rebuild', 'graph_set_workspace'];
/** Parameters that name a past state, which may have to be read first. */
const PAST_STATES: readonly string[] = ['asOf', 'as_of', 'from', 'to', 'since'];

export interface ToolCaller {
  readonly host: TransportHost;
  readonly tools: readonly ToolRow[];
  readonly session: WorkspaceSession;
  readonly sessionId: string;
  /** `context_pack` claims for an agent that names itself. */
  readonly autoClaim: boolean;
  /** Who asks, where the call does not say it. */
  readonly askerOf: (context: ServerContext) => { readonly agentId: string; readonly sessionId: string };
  readonly now: () => number;
  readonly firstIndexLimitMs?: number;
}

/** Answers `tools/call`. Throws `ProtocolError` for a tool that is not offered; all else is a result, if need be one with `isError`. */
export async function callTool(caller: ToolCaller, name: string, input: Readonly<Record<string, unknown>>, context: ServerContext): Promise<CallToolResult> {
  requireOffered(caller, name);
  return executeTool(caller, name, input, context);
}

/** Runs any tool of the catalogue, offered or not: what resources and prompts stand on. */
export async function executeTool(caller: ToolCaller, name: string, input: Readonly<Record<string, unknown>>, context: ServerContext): Promise<CallToolResult> {
  const token = tokenOf(context.mcpReq.signal);
  // A call that is wrong in any workspace neither switches to one nor waits for its index.
  const isRefused = caller.host.refusalOf(name, input) !== undefined;
  const opened = await orCancelled(name === 'graph_set_workspace' && !isRefused ? bind(caller, input) : caller.session.gateway, token);
  if (!opened.ok)
    return failure(
      opened.error.code as NonNullable<Envelope['errorCode']>,
      opened.error.message,
      opened.error.code === 'FORBIDDEN'
        ? 'Use an allowed root, or ask the user to allow this folder: with --root FOLDER, or in VS Code with the setting lattice.mcp.roots.'
        : 'Check the folder given with --workspace, or run lattice doctor.',
    );
  const gateway = opened.value;
  if (!isRefused && !ANSWER_BEFORE_INDEX.includes(name)) {
    const waiting = await waitForIndex(caller, gateway, context, token);
    if (waiting !== undefined) return waiting;
  }
  const listening = PAST_STATES.some(key => input[key] !== undefined) ? tellProgress(caller, gateway, context) : undefined;
  try {
    const answer = await gateway.callTool({ name, input, caller: callerOf(caller, input, context), idempotencyKey: newIdempotencyKey() }, token);
    return resultOf(answer.envelope, answer.text);
  } finally {
    listening?.dispose();
  }
}

/** Sends what the index does to a client that asked for it, until disposed. */
function tellProgress(caller: ToolCaller, gateway: Gateway, context: ServerContext): Disposable {
  const steps = new ProgressSteps(caller.now);
  const progressToken = context.mcpReq._meta?.progressToken;
  return gateway.onProgress(progress => {
    const step = progressToken === undefined ? undefined : steps.next(progress);
    if (step === undefined || progressToken === undefined) return;
    void context.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, ...step } }).catch(() => undefined);
  });
}

function requireOffered(caller: ToolCaller, name: string): void {
  if (caller.tools.some(tool => tool.name === name)) return;
  const exists = caller.host.tools.some(tool => tool.name === name);
  const full = caller.host.selectTools('full');
  const isInFull = full.ok && full.value.some(tool => tool.name === name);
  const message = exists
    ? `Tool ${name} is not offered by this server. Start it with --tools ${isInFull ? 'full' : 'full,admin'}, or with --tools and a list of names that contains ${name}.`
    : `Unknown tool ${name}. Offered: ${caller.tools.map(tool => tool.name).join(', ')}. Use the flag --tools to offer others.`;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, shownText(message));
}

async function bind(caller: ToolCaller, input: Readonly<Record<string, unknown>>): ReturnType<WorkspaceSession['switchTo']> {
  const folder = input['workspaceRoot'] ?? input['workspace_root'];
  return typeof folder === 'string' ? caller.session.switchTo(folder) : caller.session.gateway;
}

async function waitForIndex(caller: ToolCaller, gateway: Gateway, context: ServerContext, token: CancellationToken): Promise<CallToolResult | undefined> {
  const listening = tellProgress(caller, gateway, context);
  try {
    const ready = await orCancelled(within(gateway.ready(token), caller.firstIndexLimitMs ?? MAX_FIRST_INDEX_MS), token);
    if (ready) return undefined;
    const { progress } = await gateway.health();
    return notReady(progress);
  } finally {
    listening.dispose();
  }
}

function notReady(progress: IndexProgress): CallToolResult {
  const counted = progress.total > 0 ? `, ${progress.done} of ${progress.total}` : '';
  return failure('NOT_READY', `The first index is still running (${progress.phase}${counted}).`, 'Try again in a few seconds.', {
    phase: progress.phase,
    done: progress.done,
    total: progress.total,
  });
}

function callerOf(caller: ToolCaller, input: Readonly<Record<string, unknown>>, context: ServerContext): Caller {
  const agentId = input['agentId'] ?? input['agent_id'];
  const sessionId = input['sessionId'] ?? input['session_id'];
  const admin = caller.host.selectTools('admin');
  const asker = caller.askerOf(context);
  return {
    isAdmin: admin.ok && admin.value.some(({ name }) => caller.tools.some(tool => tool.name === name)),
    mayClaim: caller.autoClaim,
    kind: 'agent',
    agentId: typeof agentId === 'string' && agentId !== '' ? agentId : asker.agentId,
    sessionId: typeof sessionId === 'string' && sessionId !== '' ? sessionId : asker.sessionId,
  };
}

export function resultOf(envelope: Envelope, text: string): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent: { ...forPrograms(envelope) }, isError: !envelope.ok };
}

export function failure(
  errorCode: NonNullable<Envelope['errorCode']>,
  message: string,
  hint: string,
  data?: Readonly<Record<string, unknown>>,
): CallToolResult {
  const estimate = Math.ceil((message.length + hint.length) / 4);
  const summary = shownText(message);
  const envelope: Envelope = { ok: false, summary, profile: 'compact', _tokenEstimate: estimate, hint, errorCode, ...(data === undefined ? {} : { data }) };
  return resultOf(envelope, `${errorCode}: ${summary}\nhint: ${hint}`);
}

function tokenOf(signal: AbortSignal): CancellationToken {
  return {
    get isCancellationRequested(): boolean {
      return signal.aborted;
    },
    onCancellationRequested: listener => {
      const listening = (): void => listener(undefined);
      signal.addEventListener('abort', listening, { once: true });
      return { dispose: () => signal.removeEventListener('abort', listening) };
    },
  };
}
