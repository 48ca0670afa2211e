import type { Records } from '../../../model/records';

/** What is known of an agent's session while the project is open. */
export interface AgentSession {
  /** Names under which it claims; its own first. */
  readonly agentIds: Set<string>;
  /** The latest task that it was given; `''` before the first. */
  prompt: string;
  /** Of a subagent, the session of the agent that started it. */
  readonly parent?: AgentSession;
}

/** Sessions that are kept; the one that was heard of longest ago goes first. */
const MAX_SESSIONS = 200;

/** Sessions of agents by id; that of a subagent is the id of the session that started it, a slash and its own. They are lost with the process: all that must last is an episode or a claim. */
export class AgentSessions {
  readonly #sessions = new Map<string, AgentSession>();

  /** The session, begun when it is new. */
  of(sessionId: string, agentId: string): AgentSession {
    const session = this.#sessions.get(sessionId) ?? this.#begun(sessionId, agentId);
    this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, session);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MAX_SESSIONS && oldest !== undefined) this.#sessions.delete(oldest);
    return session;
  }

  /** The session and those of its subagents, of which nothing more is heard. */
  end(sessionId: string): readonly AgentSession[] {
    const ended = [...this.#sessions].filter(([id]) => id === sessionId || id.startsWith(`${sessionId}/`));
    for (const [id] of ended) this.#sessions.delete(id);
    return ended.map(([, session]) => session);
  }

  /** A subagent works on the task of the agent that started it. */
  #begun(sessionId: string, agentId: string): AgentSession {
    const parent = this.#sessions.get(sessionId.slice(0, Math.max(0, sessionId.lastIndexOf('/'))));
    return { agentIds: new Set([agentId]), prompt: parent?.prompt ?? '', ...(parent === undefined ? {} : { parent }) };
  }
}

export function sessionsOf(records: Records): AgentSessions {
  return records.companion(makeSessions);
}

function makeSessions(): AgentSessions {
  return new AgentSessions();
}
