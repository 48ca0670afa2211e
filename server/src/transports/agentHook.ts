import type { ToolInput } from '../../protocol/requests';
import { shownLines } from '../../protocol/shownText';
import type { CancellationToken } from '../base/cancellation';
import type { Gateway } from '../session/gateway';
import type { HookEvent } from './hooks/hookInput';

export { type HookEvent, readHookInput } from './hooks/hookInput';

/**
 * Door of the hooks: one event of an agent's session in, one JSON object (or nothing) for its program out.
 *
 * Invariants: asks only an owner that is there, starts nothing; what goes wrong is silent, because a hook must not get in the agent's way.
 */
export type HookGateway = Pick<Gateway, 'query' | 'callTool'>;

/** What the program is told. */
export type HookOutput = Readonly<Record<string, unknown>>;

interface EventAnswer {
  readonly context?: string;
  readonly warning?: string;
  readonly brief?: string;
}

/** Tokens of the briefing for a first prompt. */
const BRIEF_TOKENS = 1_200;

/** `undefined` when the owner did not take the event. */
export async function answerHook(
  asked: HookGateway,
  hook: HookEvent,
  key: string,
  token: CancellationToken,
): Promise<{ readonly output: HookOutput | undefined } | undefined> {
  const { folder: _folder, name, ...params } = hook;
  const { agentId, sessionId } = params;
  const caller = { kind: 'agent', agentId, sessionId } as const;
  const answer = await asked.query('agentEvent', params, caller, token);
  if (!answer.ok) return undefined;
  const { brief, context, warning } = answer.value as EventAnswer;
  if (warning !== undefined) return { output: ask(name, `${shownLines(warning)}\nDo you want to make this edit anyway?`) };
  if (brief === undefined) return { output: context === undefined ? undefined : addContext(name, context) };
  const input = { task: brief, maxTokens: BRIEF_TOKENS } satisfies ToolInput<'context_pack'>;
  const pack = await asked.callTool({ name: 'context_pack', input, caller, idempotencyKey: key }, token);
  return { output: pack.envelope.ok ? addContext(name, `Context for this task, from Lattice (context_pack):\n${pack.text}`) : undefined };
}

function addContext(hookEventName: string, additionalContext: string): HookOutput {
  return { hookSpecificOutput: { hookEventName, additionalContext: shownLines(additionalContext) } };
}

/** The person decides; the agent reads the reason. */
function ask(hookEventName: string, permissionDecisionReason: string): HookOutput {
  return { hookSpecificOutput: { hookEventName, permissionDecision: 'ask', permissionDecisionReason } };
}
