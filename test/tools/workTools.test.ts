import { beforeEach, expect, test } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import type { Envelope } from '../../server/src/tools/envelope';
import { TOOLS } from '../../server/src/tools/catalogue';
import { invoke } from '../../server/src/tools/invoke';
import { type MemoryRecords, memoryRecords } from '../helpers/memoryRecords';
import { shop } from '../helpers/shop';
import { workspaceOf } from '../helpers/workspaceOf';

let records: MemoryRecords;
beforeEach(async () => {
  records = await memoryRecords();
});

interface Asked extends Readonly<Record<string, unknown>> {}

async function call(name: string, input: Asked, asker: { readonly agentId?: string; readonly key?: string } = {}): Promise<Envelope> {
  const invocation = { name, input, agentId: asker.agentId, sessionId: 's', ...(asker.key === undefined ? {} : { idempotencyKey: asker.key }) };
  return (await invoke(TOOLS, workspaceOf(shop, { records }), invocation, neverCancelled)).envelope;
}

type Item = Readonly<Record<string, unknown>> & { readonly id: string; readonly version: number };

async function done(name: string, input: Asked, asker = {}): Promise<Readonly<Record<string, unknown>>> {
  const envelope = await call(name, { profile: 'debug', ...input }, asker);
  expect(envelope).toMatchObject({ ok: true });
  return envelope.data ?? {};
}

async function task(name = 'Pay by card', fields: Asked = {}): Promise<Item> {
  return (await done('manage_container', { operation: 'create', containerType: 'task', name, ...fields }))['task'] as Item;
}

async function feature(name = 'Checkout', fields: Asked = {}): Promise<Item> {
  return (await done('manage_container', { operation: 'create', containerType: 'feature', name, ...fields }))['feature'] as Item;
}

test('a task is what was written, with the defaults of the spec', async () => {
  const made = await task('  Pay by card ', { tags: ['Money', 'money', 'soon'], summary: ' Cards only ' });
  expect(made).toEqual({
    id: 'task::00000000-0000-4000-8000-000000000001',
    projectId: 'p',
    name: 'Pay by card',
    summary: 'Cards only',
    status: 'pending',
    priority: 'medium',
    tags: ['Money', 'soon'],
    order: 0,
    version: 1,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
  });
  expect((await done('query_container', { operation: 'get', id: made.id }))['task']).toEqual(made);
  expect((await done('query_container', { operation: 'get', id: made.id.slice(6) }))['task']).toEqual(made);
});
