import { MemoryView } from '../../../memory/view';
import type { Records } from '../../../model/records';

/** What is known of an agent's session while the project is open. */
export interface AgentSession {
  readonly sessionId: string;
  /** As its program calls it; it may claim under other names. */
  readonly agentId: string;
  /** The latest task that it was given; `''` before the first. */
  prompt: string;
  /** Of a subagent, the session of the agent that started it. */
  readonly parent?: Pick<AgentSession, 'sessionId' | 'agentId'>;
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

  /** Nothing more is heard of the session and those of its subagents. */
  end(sessionId: string): void {
    for (const id of this.#sessions.keys()) if (id === sessionId || id.startsWith(`${sessionId}/`)) this.#sessions.delete(id);
  }

  /** A subagent works on the task of the agent that started it. */
  #begun(sessionId: string, agentId: string): AgentSession {
    const parentId = sessionId.slice(0, Math.max(0, sessionId.lastIndexOf('/')));
    if (parentId === '') return { sessionId, agentId, prompt: '' };
    const parent = { sessionId: parentId, agentId: agentId.slice(0, Math.max(0, agentId.lastIndexOf(':'))) };
    return { sessionId, agentId, prompt: this.#sessions.get(parentId)?.prompt ?? '', parent };
  }
}

export function sessionsOf(records: Records): AgentSessions {
  return records.companion(makeSessions);
}

/** Names under which a session claims: its own first, the one it used last at the end. Those that it claimed under are known after a restart too. */
export function namesOf(records: Records, { agentId, sessionId }: Pick<AgentSession, 'sessionId' | 'agentId'>): ReadonlySet<string> {
  return new Set([agentId, ...new MemoryView(records).agentsOf(sessionId).filter(name => name !== agentId)]);
}

function makeSessions(): AgentSessions {
  return new AgentSessions();
}
