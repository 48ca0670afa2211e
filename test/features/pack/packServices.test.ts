import { expect, test } from 'vitest';
import { neverCancelled } from '../../../server/src/base/cancellation';
import { TOOLS } from '../../../server/src/tools/catalogue';
import { invoke } from '../../../server/src/tools/invoke';
import { modelOf, type ServicesSketch, servicesOver } from '../../helpers/servicesOf';
import { workspaceOf } from '../../helpers/workspaceOf';

const SYSTEM: ServicesSketch = {
  code: {
    'orders/app.ts': { symbols: [{ name: 'read', lines: [1, 2] }] },
    'orders/money.ts': { symbols: [{ name: 'round', lines: [1, 2] }] },
    'web/page.ts': {
      symbols: [{ name: 'show', lines: [1, 2] }],
      references: [
        { from: '', relation: 'IMPORTS', to: 'orders/app.ts' },
        { from: 'show', relation: 'CALLS', to: 'orders/app.ts::read' },
      ],
    },
  },
  files: {
    'docker-compose.yml': 'services: {orders: {build: orders}, web: {build: web}}',
    'orders/openapi.yaml': 'openapi: 3.0.0\ninfo: {title: Orders}\npaths:\n  /orders/{id}:\n    get: {}\n',
  },
  interfaces: { orders: { endpoints: [{ method: 'GET', path: '/orders/:id', handler: 'read', file: 'orders/app.ts', line: 1 }] } },
};
const TEXTS = Object.fromEntries(Object.keys(SYSTEM.code ?? {}).map(path => [path, 'export function x() {\n}\n']));

async function packed(task: string, sketch: ServicesSketch = SYSTEM) {
  const workspace = workspaceOf(sketch.code ?? {}, { texts: TEXTS, services: servicesOver(await modelOf(sketch), sketch) });
  const asked = { name: 'context_pack', input: { task }, agentId: undefined, sessionId: 's' };
  const { envelope, text } = await invoke(TOOLS, workspace, asked, neverCancelled);
  const data = (envelope.data ?? {}) as {
    entryPoint?: string;
    services?: readonly string[];
    coreSymbols?: readonly { symbolName: string; why: readonly string[] }[];
  };
  return { ...data, text };
}

test('a pack says which services its code is in, and what it serves them', async () => {
  const { services, text } = await packed('read');
  expect(services).toContain('Service orders (orders) · called by web');
  expect(services).toContainEqual(expect.stringMatching(/^read: Serves GET \/orders\/\{id\}/));
  expect(text).toContain('Services');
});

test('the code that serves what the task spells is where to start, whatever its parameter is called', async () => {
  const { coreSymbols, entryPoint } = await packed('Round amounts in /orders/{orderId}.');
  expect(entryPoint).toBe('orders/app.ts::read');
  expect(coreSymbols?.find(({ symbolName }) => symbolName === 'read')?.why).toEqual(expect.arrayContaining(['serves']));
  expect((await packed('Round amounts in /invoices/{orderId}.')).coreSymbols?.find(({ symbolName }) => symbolName === 'read')?.why ?? []).not.toContain(
    'serves',
  );
});

test('a workspace that is one service is told nothing of services', async () => {
  const { 'web/page.ts': _, ...code } = SYSTEM.code ?? {};
  expect(await packed('read', { code })).not.toHaveProperty('services');
});
