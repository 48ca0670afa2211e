import { randomUUID } from 'node:crypto';
import type { Caller } from '../session/gateway';

/** A fresh key per call: a retry of the same call by the session room keeps it. */
export function newIdempotencyKey(): string {
  return randomUUID();
}

export function newSessionId(): string {
  return randomUUID();
}

export function cliCaller(agentId: string | undefined): Caller {
  return { kind: 'cli', agentId, sessionId: newSessionId(), isAdmin: true };
}
