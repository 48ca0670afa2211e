import { expect, test } from 'vitest';
import { flowOf } from '../../../server/src/features/architecture/services/flow';
import { problemsOf } from '../../../server/src/features/architecture/services/problems';
import { type Endpoint, type EventSide, NO_SERVICES, type ServiceModel } from '../../../server/src/services/model';
import { askFeature } from '../../helpers/askFeature';
import { graphOf } from '../../helpers/graphOf';
import { modelOf, modelOfTexts, type ServicesSketch, servicesOver } from '../../helpers/servicesOf';
import { workspaceOf } from '../../helpers/workspaceOf';

const SYSTEM: ServicesSketch = {
  code: { 'orders/app.ts': { symbols: [{ name: 'getOrder' }] }, 'web/page.ts': { symbols: [{ name: 'show' }] } },
  files: {
    'docker-compose.yml': 'services: {orders: {build: orders}, web: {build: web, environment: {ORDERS_URL: "http://orders:80"}}, db: {image: postgres}}',
    'orders/openapi.yaml': 'openapi: 3.0.0\npaths:\n  /orders/{id}:\n    get: {}\n    delete: {}\n',
  },
  interfaces: { orders: { endpoints: [{ method: 'GET', path: '/orders/:id', handler: 'getOrder', file: 'orders/app.ts', line: 1 }] } },
};

async function ask(params: object): Promise<unknown> {
  const services = servicesOver(await modelOf(SYSTEM), SYSTEM);
  return askFeature('services', workspaceOf(SYSTEM.code ?? {}, { services }), params);
}

test('services are told with endpoints, contracts, calls and problems; one service only with what concerns it', async () => {
  const all = await ask({});
  expect(all).toMatchObject({
    ok: true,
    value: {
      services: [{ name: 'orders', root: 'orders' }, { name: 'web' }],
      endpoints: [
        { method: 'DELETE', path: '/orders/{id}', handler: '', file: 'orders/openapi.yaml' },
        {
          method: 'GET',
          path: '/orders/{id}',
          handler: 'orders/app.ts::getOrder',
          file: 'orders/app.ts',
          contractFile: 'orders/openapi.yaml',
          contractLine: 3,
        },
      ],
      calls: [{ source: 'web', target: 'orders', kinds: ['configuration'] }],
      problems: [{ code: 'missing-handler', severity: 'warning', service: 'orders', file: 'orders/openapi.yaml', line: 3 }],
    },
  });
  expect(await ask({ service: 'web' })).toMatchObject({ ok: true, value: { services: [{ name: 'web' }], endpoints: [], problems: [] } });
  expect(await ask({ service: 'order' })).toMatchObject({ ok: false, error: { code: 'NOT_FOUND', hint: 'Try orders.' } });
  expect(await ask({ endpoint: 'GET /nothing' })).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
});

const endpoint = (service: string, path: string, handler: string, line: number): Endpoint => ({
  id: `endpoint::${service}::GET::${path}`,
  service,
  method: 'GET',
  path,
  contracts: [],
  operationId: '',
  summary: '',
  handler,
  handlerPlace: { file: handler.split('::')[0] ?? '', line },
  place: { file: handler.split('::')[0] ?? '', line },
  framework: 'express',
  confidence: 1,
  request: [],
  response: [],
  security: [],
});
const side = (service: string, handler: string, line: number): EventSide => ({
  service,
  contract: '',
  handler,
  place: { file: handler.split('::')[0] ?? '', line },
  confidence: 1,
});

test('the flow of an endpoint goes through its handler, helpers in the order of the calls, other services and their handlers, to stores', () => {
  const { view } = graphOf({
    'web/a.ts': {
      symbols: [{ name: 'show' }, { name: 'load' }, { name: 'tell' }],
      references: [
        { from: 'show', relation: 'CALLS', to: 'web/a.ts::load', line: 2 },
        { from: 'show', relation: 'CALLS', to: 'web/a.ts::tell', line: 3 },
      ],
    },
    'orders/b.ts': { symbols: [{ name: 'one' }] },
  });
  const [start, next] = [endpoint('web', '/', 'web/a.ts::show', 1), endpoint('orders', '/orders/{id}', 'orders/b.ts::one', 7)];
  const request = { endpoint: next.id, source: 'web', caller: 'web/a.ts::load', place: { file: 'web/a.ts', line: 12 }, confidence: 1 };
  const event = { id: 'event::shown', name: 'shown', channel: '', aliases: [], payload: [], publishers: [side('web', 'web/a.ts::tell', 20)], consumers: [] };
  const model: ServiceModel = { ...NO_SERVICES, endpoints: [start, next], requests: [request], events: [event], storeUses: new Map([['orders', ['db']]]) };
  expect(flowOf(model, view, start).map(({ depth, kind, name, service }) => [depth, kind, name, service])).toEqual([
    [0, 'endpoint', 'GET /', 'web'],
    [1, 'handler', 'show', 'web'],
    [2, 'function', 'load', 'web'],
    [3, 'endpoint', 'GET /orders/{id}', 'orders'],
    [4, 'handler', 'one', 'orders'],
    [5, 'store', 'db', 'orders'],
    [2, 'function', 'tell', 'web'],
    [3, 'publish', 'shown', 'web'],
  ]);
});

test('the flow of a handler without a name follows what its lines call, up to the next handler', () => {
  const { view } = graphOf({
    'web/a.ts': {
      symbols: [{ name: 'load' }, { name: 'other' }],
      references: [
        { from: '', relation: 'CALLS', to: 'web/a.ts::load', line: 4 },
        { from: '', relation: 'CALLS', to: 'web/a.ts::other', line: 8 },
      ],
    },
  });
  const unnamed = (path: string, line: number): Endpoint => ({ ...endpoint('web', path, 'web/a.ts::', line), handler: undefined });
  const [start, behind] = [unnamed('/', 3), unnamed('/behind', 7)];
  const published = ['load', 'other'].map(name => ({
    id: `event::${name}`,
    name,
    channel: '',
    aliases: [],
    payload: [],
    consumers: [],
    publishers: [side('web', `web/a.ts::${name}`, 20)],
  }));
  const model: ServiceModel = { ...NO_SERVICES, endpoints: [start, behind], events: published };
  expect(flowOf(model, view, start).map(({ kind, name }) => [kind, name])).toEqual([
    ['endpoint', 'GET /'],
    ['handler', 'function without a name'],
    ['function', 'load'],
    ['publish', 'load'],
  ]);
});

test('problems are sorted by severity; cycles of requests are told once; requests without an endpoint name both sides', () => {
  const call = (source: string, target: string): ServiceModel['calls'][number] => ({
    source,
    target,
    importCount: 0,
    viaEndpoints: [],
    kinds: ['http'],
    places: [{ file: `${source}/a.ts`, line: 1 }],
    confidence: 1,
    callers: [],
  });
  const lonely = { id: 'event::x', name: 'x', channel: '', aliases: [], payload: [], publishers: [], consumers: [side('web', 'web/a.ts::show', 3)] };
  const model: ServiceModel = {
    ...NO_SERVICES,
    // An address that a service is given may be one that it tells others.
    calls: [call('a', 'b'), call('b', 'c'), call('c', 'a'), call('web', 'a'), { ...call('a', 'web'), kinds: ['configuration'] }],
    events: [lonely],
    unanswered: [{ source: 'web', target: 'orders', method: 'GET', path: '/old', caller: undefined, place: { file: 'web/a.ts', line: 9 } }],
    problems: [{ file: 'x.yaml', line: 2, message: 'Not YAML.' }],
  };
  expect(problemsOf(model).map(({ code, message }) => `${code}: ${message}`)).toEqual([
    'unreadable: Not YAML.',
    'unpublished-event: No service publishes the event x, which web consumes.',
    'missing-endpoint: web calls GET /old, which orders does not serve.',
    'call-cycle: These services call each other: a → b → c → a.',
  ]);
});

test('a misspelled path or event comes with what may have been meant, a contract without a handler with who calls it', () => {
  const orders = endpoint('orders', '/orders/{id}', 'orders/a.ts::get', 3);
  const declared: Endpoint = {
    ...endpoint('orders', '/carts', 'x', 1),
    id: 'declared',
    handler: undefined,
    handlerPlace: undefined,
    place: { file: 'o.yaml', line: 4 },
  };
  const event = (name: string, publishers: EventSide[], consumers: EventSide[]): ServiceModel['events'][number] => ({
    id: `event::${name}`,
    name,
    channel: '',
    aliases: [],
    payload: [],
    publishers,
    consumers,
  });
  const model: ServiceModel = {
    ...NO_SERVICES,
    endpoints: [orders, declared],
    events: [
      event('order.created', [side('orders', 'orders/a.ts::get', 8)], [side('mail', 'mail/a.ts::on', 1)]),
      event('order.create', [], [side('web', 'web/a.ts::show', 3)]),
    ],
    requests: [{ endpoint: 'declared', source: 'web', caller: undefined, place: { file: 'web/a.ts', line: 7 }, confidence: 1 }],
    unanswered: [{ source: 'web', target: 'orders', method: 'GET', path: '/order/{}', caller: undefined, place: { file: 'web/a.ts', line: 9 } }],
  };
  const found = problemsOf(model);
  expect(found.map(({ code, fix, related }) => ({ code, fix, related: related.map(({ name }) => name) }))).toEqual(
    expect.arrayContaining([
      { code: 'missing-endpoint', fix: { from: '/order', to: '/orders' }, related: ['GET /orders/{id} of orders'] },
      { code: 'missing-handler', fix: undefined, related: ['call by web', 'GET /orders/{id} of orders'] },
      { code: 'unpublished-event', fix: { from: 'order.create', to: 'order.created' }, related: ['publisher of order.created'] },
    ]),
  );
  expect(found.find(({ code }) => code === 'missing-handler')?.message).toBe('No code in orders handles GET /carts of its contract, which web calls.');
});

test('a contract of a protocol that no code of the service is read to answer is no problem', () => {
  const declared = (method: string, id: string): Endpoint => ({
    ...endpoint('orders', '/x', 'x', 1),
    id,
    method,
    path: id,
    handler: undefined,
    handlerPlace: undefined,
    place: { file: 'schema.graphql', line: 4 },
  });
  const missing = (endpoints: readonly Endpoint[]): readonly string[] =>
    problemsOf({ ...NO_SERVICES, endpoints: [endpoint('orders', '/orders/{id}', 'orders/a.ts::get', 3), ...endpoints] })
      .filter(({ code }) => code === 'missing-handler')
      .map(({ message }) => message);
  const unread = [declared('QUERY', 'products'), declared('MUTATION', 'pay'), declared('GRPC', '/shop.Orders/Get')];
  expect(missing(unread)).toEqual([]);
  const answered: Endpoint = { ...endpoint('orders', 'orders', 'orders/b.ts::orders', 2), id: 'orders', method: 'QUERY' };
  expect(missing([...unread, answered])).toHaveLength(2);
});

test('a route that others still call as it was is a problem at its handler, with the calls', async () => {
  const model = await modelOfTexts({
    'compose.yaml': 'services:\n  orders:\n    build: ./orders\n  web:\n    build: ./web\n    environment:\n      ORDERS_URL: http://orders:3000\n',
    'orders/package.json': '{"name":"orders","dependencies":{"express":"4"}}',
    'orders/server.js':
      "const express = require('express');\nconst app = express();\nfunction list(req, res) {\n  res.json([]);\n}\napp.get('/orders2', list);\napp.listen(3000);\n",
    'web/package.json': '{"name":"web","dependencies":{"axios":"1"}}',
    'web/client.js':
      "const axios = require('axios');\nfunction show() {\n  return axios.get(process.env.ORDERS_URL + '/orders');\n}\nmodule.exports = { show };\n",
  });
  expect(problemsOf(model).filter(({ service }) => service === 'orders')).toMatchObject([
    {
      code: 'missing-endpoint',
      message: 'web calls GET /orders, but this handler serves GET /orders2.',
      file: 'orders/server.js',
      line: 3,
      related: [{ name: 'call by web', file: 'web/client.js', line: 3 }],
    },
  ]);
});
