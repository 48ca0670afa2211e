import { expect, test } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import { ok } from '../../server/src/base/result';
import type { AttachedCheckout } from '../../server/src/session/checkoutHost';
import type { Caller, ToolCall } from '../../server/src/session/gateway';
import { IdempotentCalls } from '../../server/src/session/idempotency';
import { ConnectionLost, LocalGateway } from '../../server/src/session/localGateway';

const caller: Caller = { sessionId: 's', kind: 'agent', agentId: undefined };
const call: ToolCall = { name: 'write', input: {}, caller, idempotencyKey: 'k' };

/** A gateway of an owner that has let go of its store: whatever looks into it fails. */
function without(gone: 'store' | 'engine', mayAnswer: boolean): LocalGateway {
  const fails = (): never => {
    throw new Error('out of memory');
  };
  const checkout = { root: '/w', workspace: gone === 'engine' ? fails : () => ({}), ready: fails, health: fails } as unknown as AttachedCheckout;
  const calls = new IdempotentCalls({ recall: gone === 'store' ? fails : () => undefined, remember: () => Promise.resolve() });
  const answering = { callTool: fails, query: () => Promise.resolve(ok(1)), changes: () => true };
  return new LocalGateway({ checkout, answering, calls, connection: 'local', mayAnswer: () => mayAnswer });
}

test('what a store or an engine that was let go of fails with is no answer: the next owner is asked', async () => {
  await expect(without('store', false).callTool(call, neverCancelled)).rejects.toThrow(ConnectionLost);
  await expect(without('engine', false).callTool(call, neverCancelled)).rejects.toThrow(ConnectionLost);
  await expect(without('engine', false).query('hover', {}, caller, neverCancelled)).rejects.toThrow(ConnectionLost);
  await expect(without('engine', false).ready(neverCancelled)).rejects.toThrow(ConnectionLost);
  await expect(without('engine', false).health()).rejects.toThrow(ConnectionLost);
});

test('what an owner fails with is told as it is', async () => {
  await expect(without('store', true).callTool(call, neverCancelled)).rejects.toThrow('out of memory');
});
