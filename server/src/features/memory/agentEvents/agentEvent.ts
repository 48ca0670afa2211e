import { shownText } from '../../../../protocol/shownText';
import type { CancellationToken } from '../../../base/cancellation';
import { ok, type Result } from '../../../base/result';
import { noteSession } from '../../../memory/claims';
import type { Author } from '../../../model/records';
import type { Workspace } from '../../../workspace/snapshot';
import type { FeatureFailure } from '../../shared/failure';
import { feature } from '../../shared/feature';
import { choice, flag, integer, text, texts } from '../../shared/params';
import { object, optional, type Shaped, shape } from '../../shared/shape';
import { claimsOfOthers, endSession } from '../claims';
import { remember } from '../remember';
import { changeMemory, entityId } from '../writing';
import { type AgentSession, namesOf, sessionsOf } from './agentSessions';
import { sessionStart } from './sessionStart';
import { testResultOf } from './testCommands';

/** What happens in an agent's session, as the hooks of its program tell it. */
export const AGENT_EVENTS = ['start', 'prompt', 'beforeEdit', 'afterEdit', 'afterCommand', 'claimed', 'end'] as const;

const agentEventParams = shape(() =>
  object({
    event: choice(AGENT_EVENTS),
    /** Name of the session among agents, as claims and episodes carry it. */
    agentId: text(),
    sessionId: text(),
    /** Files, of `beforeEdit` and `afterEdit`: any spelling inside the workspace. */
    paths: optional(texts()),
    /** The prompt, the command that ran, or the id of a claim that was made. */
    text: optional(text()),
    /** What the command printed. */
    output: optional(text()),
    failed: optional(flag()),
    /** Lines that an edit replaced, and lines it put there. */
    linesBefore: optional(integer()),
    linesAfter: optional(integer()),
  }),
);
type AgentEventParams = Shaped<typeof agentEventParams>;

const agentEventAnswerShape = shape(() =>
  object({
    /** For the agent to read. */
    context: optional(text()),
    /** For the person, before the edit is made: who else is at work there. */
    warning: optional(text()),
    /** The task to brief the agent for: the first prompt of its session. */
    brief: optional(text()),
    /** Episodes that were recorded. */
    episodes: texts(),
  }),
);
export type AgentEventAnswer = Shaped<typeof agentEventAnswerShape>;

/** Files of one event that are looked at. */
const MAX_PATHS = 10;
/** Claims that a warning names. */
const MAX_CLAIMS = 3;
/** Characters of a prompt that a briefing is made for, and of the prompt that stands as the reason of an edit. */
const BRIEF_LENGTH = 2_000;
const REASON_LENGTH = 160;
/** A prompt of fewer words (`yes`, `go on`) names no task. */
const MIN_WORDS = 3;

export const agentEventFeature = feature({
  name: 'agentEvent',
  about: 'Handles an event of the session of an agent: returns context, records edits and test results, releases claims.',
  params: agentEventParams,
  answer: agentEventAnswerShape,
  run: (workspace, params, token) => answerTo[params.event](workspace, params, sessionsOf(workspace.records).of(params.sessionId, params.agentId), token),
});

type Answerer = (
  workspace: Workspace,
  params: AgentEventParams,
  session: AgentSession,
  token: CancellationToken,
) => Promise<Result<AgentEventAnswer, FeatureFailure>>;

const NOTHING: AgentEventAnswer = { episodes: [] };

const answerTo: Readonly<Record<(typeof AGENT_EVENTS)[number], Answerer>> = {
  start: async (workspace, { agentId }) => ok({ context: sessionStart(workspace, agentId), episodes: [] }),
  prompt: async (_workspace, params, session) => ok(briefFor(params.text ?? '', session)),
  beforeEdit: async (workspace, params, session) => ok(warningFor(workspace, params, session)),
  afterEdit,
  afterCommand,
  claimed: async (workspace, { sessionId, text: claimId = '' }) => {
    // Which claims are the session's own must be known after the process has gone: its end may come without one.
    const noted = await changeMemory(workspace, { agentId: undefined, sessionId, key: undefined }, records => noteSession(records, claimId, sessionId));
    return noted.ok ? ok(NOTHING) : noted;
  },
  end: async (workspace, { agentId, sessionId }) => {
    sessionsOf(workspace.records).end(sessionId);
    const released = await endSession(workspace, { agentId, sessionId }, workspace.records.now());
    return released.ok ? ok(NOTHING) : released;
  },
};

/** The name by which the session claimed last, so that its edits do not end its own claims. */
function authorOf({ records }: Workspace, session: AgentSession): Author {
  return { agentId: [...namesOf(records, session)].at(-1), sessionId: session.sessionId, key: undefined };
}

/** Whether a session of that name is what started this one: what that has claimed, it has claimed for its subagents too. */
function isParent({ records }: Workspace, { parent }: AgentSession, agentId: string): boolean {
  return parent !== undefined && namesOf(records, parent).has(agentId);
}

/** Only the first prompt that names a task is briefed for; a command (`/clear`) is none. */
function briefFor(prompt: string, session: AgentSession): AgentEventAnswer {
  const task = prompt.trim();
  if (task.startsWith('/') || task.split(/\s+/).length < MIN_WORDS) return NOTHING;
  const isFirst = session.prompt === '';
  session.prompt = task;
  return isFirst ? { brief: task.slice(0, BRIEF_LENGTH), episodes: [] } : NOTHING;
}

function warningFor(workspace: Workspace, { paths = [] }: AgentEventParams, session: AgentSession): AgentEventAnswer {
  const ids = paths.slice(0, MAX_PATHS).map(path => entityId(workspace, path));
  const names = namesOf(workspace.records, session);
  const held = claimsOfOthers(workspace, ids, undefined).filter(({ agentId }) => !names.has(agentId) && !isParent(workspace, session, agentId));
  if (held.length === 0) return NOTHING;
  const named = held
    .slice(0, MAX_CLAIMS)
    .map(claim => shownText(`${claim.targetId} is claimed by ${claim.agentId} since ${claim.validFrom.slice(0, 16)}Z: ${claim.intent}`));
  const more = held.length > MAX_CLAIMS ? [`More claims: ${held.length - MAX_CLAIMS}`] : [];
  return { warning: [...named, ...more].join('\n'), episodes: [] };
}

async function afterEdit(
  workspace: Workspace,
  params: AgentEventParams,
  session: AgentSession,
  token: CancellationToken,
): Promise<Result<AgentEventAnswer, FeatureFailure>> {
  const { linesAfter = 0, linesBefore = 0, paths = [] } = params;
  const episodes: string[] = [];
  for (const path of paths.slice(0, MAX_PATHS)) {
    const file = entityId(workspace, path);
    const diffSummary = `${linesBefore} ${linesBefore === 1 ? 'line' : 'lines'} replaced by ${linesAfter}`;
    const asked = firstLine(session.prompt);
    const metadata = { file, diffSummary, linesBefore, linesAfter, reason: asked || 'not given' };
    const content = `Edited ${file}: ${diffSummary}.${asked === '' ? '' : ` For: ${asked}`}`;
    // Written under the name that holds the claim, so that a subagent's edit does not end the claim of the agent that started it.
    const holder = claimsOfOthers(workspace, [file], undefined).find(claim => isParent(workspace, session, claim.agentId))?.agentId;
    const author = authorOf(workspace, session);
    const by = holder === undefined ? author : { ...author, agentId: holder };
    const added = await remember(workspace, by, { type: 'EDIT', content, metadata }, token);
    if (!added.ok) return added;
    episodes.push(added.value.episode.id);
  }
  return ok({ episodes });
}

async function afterCommand(
  workspace: Workspace,
  params: AgentEventParams,
  session: AgentSession,
  token: CancellationToken,
): Promise<Result<AgentEventAnswer, FeatureFailure>> {
  const result = testResultOf(params.text ?? '', params.output ?? '', params.failed === true);
  if (result === undefined) return ok(NOTHING);
  const { command, failed, passed } = result;
  const testFiles = result.files.map(path => entityId(workspace, path));
  const content = `${command}: ${passed} passed, ${failed} failed.`;
  const request = { type: 'TEST_RESULT', content, metadata: { passed, failed, testFiles }, outcome: failed > 0 ? 'failure' : 'success' } as const;
  const added = await remember(workspace, authorOf(workspace, session), request, token);
  return added.ok ? ok({ episodes: [added.value.episode.id] }) : added;
}

function firstLine(prompt: string): string {
  const [line = ''] = prompt.split('\n', 1);
  return line.length <= REASON_LENGTH ? line : `${line.slice(0, REASON_LENGTH).replace(/\s+\S*$/, '')}…`;
}
