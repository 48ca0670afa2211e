import { afterEach, expect, test } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import type { Answer } from '../../server/src/features/catalogue/catalogue';
import { type Asking, Checkout } from './checkout';

let checkout: Checkout;
afterEach(() => checkout.dispose());

const SERVER = `const express = require('express');
const app = express();
function list(req, res) {
  res.json([]);
}
function show(req, res) {
  res.json({});
}
app.get('/orders', list);
app.get('/orders/:id', show);
app.listen(3000);
`;
const WEB = `const axios = require('axios');
function show(id) {
  return axios.get(\`\${process.env.ORDERS_URL}/orders/\${id}\`);
}
function create(order) {
  return axios.post(\`\${process.env.ORDERS_URL}/orders\`, order);
}
module.exports = { show, create };
`;
const CONTRACT = `openapi: 3.0.0
info: {title: Orders, version: '1'}
paths:
  /orders:
    post:
      requestBody:
        content:
          application/json:
            schema:
              type: object
              required: [sku]
              properties: {sku: {type: string}, count: {type: integer}}
`;
const manifest = (name: string): string => `{"name":"${name}","scripts":{"start":"node server.js"},"dependencies":{"express":"4","axios":"1"}}`;

async function opened(): Promise<Asking> {
  checkout = new Checkout({
    'docker-compose.yml': 'services:\n  orders:\n    build: ./orders\n  web:\n    build: ./web\n    environment:\n      ORDERS_URL: http://orders:3000\n',
    'orders/package.json': manifest('orders'),
    'orders/server.js': SERVER,
    'orders/openapi.yaml': CONTRACT,
    'web/package.json': manifest('web'),
    'web/server.js': WEB,
    'README.md': '# Shop\n',
  });
  return checkout.open();
}

async function servicesFor(asking: Asking, kind: 'editor' | 'agent'): Promise<Answer<'services'>> {
  const answer = await asking.gateway.query('services', {}, asking.caller(kind), neverCancelled);
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.value as Answer<'services'>;
}

async function editsOf(asking: Asking, kind: 'editor' | 'agent' = 'editor'): Promise<readonly string[]> {
  const { problems } = await servicesFor(asking, kind);
  return problems
    .filter(({ code }) => code === 'breaking-edit')
    .map(({ file, line, message, related }) => `${file}:${line} ${message} ${related.map(place => `${place.name} ${place.file}:${place.line}`).join()}`);
}

function type(asking: Asking, path: string, version: number, text: string | undefined): void {
  asking.gateway.overlay([{ path, version, text }], asking.caller('editor'));
}

test('unsaved text that removes a route names who calls it, in the window alone and until it is taken back', async () => {
  const asking = await opened();
  expect(await editsOf(asking)).toEqual([]);
  type(asking, 'orders/server.js', 1, `// A comment.\n${SERVER.replace("app.get('/orders/:id', show);\n", '')}`);
  expect(await editsOf(asking)).toEqual([
    'orders/server.js:7 If this change is saved, orders no longer serves GET /orders/:id. Called by web. call by web web/server.js:3',
  ]);
  expect(await editsOf(asking, 'agent')).toEqual([]);
  const agents = await servicesFor(asking, 'agent');
  expect(agents.endpoints.map(({ path }) => path)).toContain('/orders/:id');
  type(asking, 'orders/server.js', 2, undefined);
  expect(await editsOf(asking)).toEqual([]);
});

test('a route that is spelled otherwise is told once, at the route; half a statement changes nothing', async () => {
  const asking = await opened();
  type(asking, 'orders/server.js', 1, SERVER.replace("'/orders/:id'", "'/order/:id'"));
  const { problems } = await servicesFor(asking, 'editor');
  expect(problems.filter(({ file }) => file === 'orders/server.js').map(({ message }) => message)).toEqual([
    'If this change is saved, orders no longer serves GET /orders/:id. Called by web.',
  ]);
  type(asking, 'orders/server.js', 2, SERVER.replace("app.get('/orders/:id', show);", "app.get('/order/:id', sho"));
  expect(await editsOf(asking)).toHaveLength(1);
});

test('a contract that is being edited names the callers of what it asks for in addition, at its line; broken text takes nothing away', async () => {
  const asking = await opened();
  type(asking, 'orders/openapi.yaml', 1, CONTRACT.replace('required: [sku]', 'required: [sku, count]'));
  expect(await editsOf(asking)).toEqual([
    'orders/openapi.yaml:4 If this change is saved, POST /orders of orders requires count. Called by web. call by web web/server.js:6',
  ]);
  type(asking, 'orders/openapi.yaml', 2, CONTRACT.replace('required: [sku]', 'required: [sku'));
  expect(await editsOf(asking)).toEqual([]);
  expect((await servicesFor(asking, 'editor')).endpoints.map(({ path }) => path)).toContain('/orders');
});

test('a caller that is edited as well is not told of, and text without routes leaves the services as they are', async () => {
  const asking = await opened();
  const before = await servicesFor(asking, 'agent');
  type(asking, 'README.md', 1, '# The shop\n');
  expect((await servicesFor(asking, 'editor')).problems).toEqual(before.problems);
  type(asking, 'orders/server.js', 1, SERVER.replace("'/orders/:id'", "'/order/:id'"));
  type(asking, 'web/server.js', 1, WEB.replace('/orders/$', '/order/$'));
  expect(await editsOf(asking)).toEqual([]);
});
