import { neverCancelled } from '../../server/src/base/cancellation';
import { TOOLS } from '../../server/src/tools/catalogue';
import { invoke } from '../../server/src/tools/invoke';
import { modelOf, type ServicesSketch, servicesOver } from '../helpers/servicesOf';
import { workspaceOf } from '../helpers/workspaceOf';

/** Two services with a contract, events, an entity and a store. */
export const SYSTEM: ServicesSketch = {
  code: {
    'orders/app.ts': {
      symbols: [{ name: 'getOrder' }, { name: 'Order', kind: 'class' }],
      references: [{ from: 'getOrder', relation: 'CALLS', to: 'orders/app.ts::Order' }],
    },
    'orders/lonely.ts': {},
    'web/page.ts': {
      symbols: [{ name: 'show' }],
      references: [
        { from: '', relation: 'IMPORTS', to: 'orders/app.ts' },
        { from: 'show', relation: 'CALLS', to: 'orders/app.ts::getOrder' },
        { from: 'show', relation: 'USES_TYPE', to: 'orders/app.ts::Order' },
      ],
    },
  },
  files: {
    'docker-compose.yml': 'services: {orders: {build: orders}, web: {build: web}, db: {image: postgres}}',
    'orders/openapi.yaml':
      "openapi: 3.0.0\ninfo: {title: Orders}\nsecurity: [{token: []}]\npaths:\n  /orders/{id}:\n    get: {responses: {'200': {content: {j: {schema: {$ref: '#/components/schemas/Order'}}}}}}\ncomponents: {schemas: {Order: {type: object, required: [id], properties: {id: {type: string}}}}}\n",
    'orders/events.yaml':
      'asyncapi: 2.0.0\nchannels: {order.created: {publish: {message: {payload: {type: object, required: [id], properties: {id: {type: string}}}}}}, lost: {publish: {}}}\n',
    'web/events.yaml': 'asyncapi: 2.0.0\nchannels: {order.created: {subscribe: {}}, never: {subscribe: {}}}\n',
  },
  interfaces: { orders: { endpoints: [{ method: 'GET', path: '/orders/:id', handler: 'getOrder', file: 'orders/app.ts', line: 1 }] } },
};

/** Data of a tool over a sketch; of a failure its envelope, as `error`. */
export async function call(name: string, input: object = {}, sketch: ServicesSketch = SYSTEM): Promise<Readonly<Record<string, unknown>>> {
  return callWith(name, { output_format: 'verbose', ...input }, sketch);
}

export async function callWith(
  name: string,
  input: Readonly<Record<string, unknown>>,
  sketch: ServicesSketch = SYSTEM,
): Promise<Readonly<Record<string, unknown>>> {
  const services = servicesOver(await modelOf(sketch), sketch);
  const answer = await invoke(TOOLS, workspaceOf(sketch.code ?? {}, { services }), { name, input, agentId: undefined, sessionId: 's' }, neverCancelled);
  return answer.envelope.ok ? (answer.envelope.data ?? {}) : { error: answer.envelope };
}
