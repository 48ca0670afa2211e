import type { Records } from '../../../model/records';

/** What is known of an agent's session while the project is open. */
export interface AgentSession {
  /** Names under which it claims; its own first. */
  readonly agentIds: Set<string>;
  /** The latest task that it was given; `''` before the first. */
  prompt: string;
}

/** Sessions that are kept; the one that was heard of longest ago goes first. */
const MAX_SESSIONS = 200;

/** Sessions of agents by id. They are lost with the process: all that must last is an episode or a claim. */
export class AgentSessions {
  readonly #sessions = new Map<string, AgentSession>();

  /** The session, begun when it is new. */
  of(sessionId: string, agentId: string): AgentSession {
    const session = this.#sessions.get(sessionId) ?? { agentIds: new Set([agentId]), prompt: '' };
    this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, session);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MAX_SESSIONS && oldest !== undefined) this.#sessions.delete(oldest);
    return session;
  }

  forget(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }
}

export function sessionsOf(records: Records): AgentSessions {
  return records.companion(makeSessions);
}

function makeSessions(): AgentSessions {
  return new AgentSessions();
}
