import { beforeEach, expect } from 'vitest';
import type { ToolInput, ToolName } from '../../server/protocol/requests';
import type { Envelope } from '../../server/src/tools/envelope';
import { askNamedTool } from '../helpers/askTool';
import type { WorkspaceSketch } from '../helpers/graphOf';
import { type MemoryRecords, memoryRecords } from '../helpers/memoryRecords';
import { shop } from '../helpers/shop';
import { workspaceOf } from '../helpers/workspaceOf';

const SHOP: WorkspaceSketch = {
  ...shop,
  'test/total.test.ts': {
    isTest: true,
    symbols: [{ name: 'works' }],
    references: [{ from: 'works', relation: 'TESTS', to: 'src/pay.ts::total', source: 'import' }],
  },
};

export let records: MemoryRecords;
beforeEach(async () => {
  records = await memoryRecords();
});

export interface Asked extends Readonly<Record<string, unknown>> {}

export async function call(name: string, input: Asked, asker: { readonly agentId?: string; readonly key?: string } = {}): Promise<Envelope> {
  const invocation = { name, input, agentId: asker.agentId, sessionId: 's', ...(asker.key === undefined ? {} : { idempotencyKey: asker.key }) };
  return (await askNamedTool(workspaceOf(SHOP, { records }), invocation)).envelope;
}

export type Item = Readonly<Record<string, unknown>> & { readonly id: string; readonly version: number };

export function done<Name extends ToolName>(name: Name, input: ToolInput<Name>, asker = {}): Promise<Readonly<Record<string, unknown>>> {
  return doneAsSpelled(name, input, asker);
}

/** The same in spellings that the schema does not have, or by a name that is not known beforehand. */
export async function doneAsSpelled(name: string, input: object, asker = {}): Promise<Readonly<Record<string, unknown>>> {
  const envelope = await call(name, { profile: 'debug', ...input }, asker);
  expect(envelope, envelope.summary).toMatchObject({ ok: true });
  return envelope.data ?? {};
}

export async function task(name = 'Pay by card', fields: Asked = {}): Promise<Item> {
  return (await done('manage_container', { operation: 'create', containerType: 'task', name, ...fields }))['task'] as Item;
}

export async function feature(name = 'Checkout', fields: Asked = {}): Promise<Item> {
  return (await done('manage_container', { operation: 'create', containerType: 'feature', name, ...fields }))['feature'] as Item;
}
