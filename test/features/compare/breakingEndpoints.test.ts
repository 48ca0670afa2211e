/** An endpoint that goes or asks for more breaks the services that call it, as long as their calls stay as they were. */
import { expect, test } from 'vitest';
import { breakingEndpoints } from '../../../server/src/features/compare/services/breakingEndpoints';
import { modelOfTexts } from '../../helpers/servicesOf';

const CONTRACT = (required: string): string =>
  `openapi: 3.0.0\npaths:\n  /orders:\n    post:\n      requestBody: {content: {application/json: {schema: {type: object, required: [${required}], properties: {sku: {type: string}, count: {type: integer}}}}}}\n`;
const SHOP = {
  'compose.yaml': 'services:\n  orders:\n    build: ./orders\n  web:\n    build: ./web\n    environment:\n      ORDERS_URL: http://orders:3000\n',
  'orders/package.json': '{"name":"orders","dependencies":{"express":"4"}}',
  'orders/openapi.yaml': CONTRACT('sku'),
  'orders/server.js':
    "const express = require('express');\nconst app = express();\nfunction list(req, res) {\n  res.json([]);\n}\nfunction make(req, res) {}\napp.get('/orders/:id', list);\napp.post('/orders', make);\napp.listen(3000);\n",
  'web/package.json': '{"name":"web","dependencies":{"axios":"1"}}',
  'web/client.js':
    "const axios = require('axios');\nfunction show(id) {\n  return axios.get(process.env.ORDERS_URL + '/orders/' + id);\n}\nfunction order() {\n  return axios.post(process.env.ORDERS_URL + '/orders', {});\n}\nmodule.exports = { show, order };\n",
};
type Shop = Readonly<Record<string, string>>;

async function broken(changed: Shop, within: (path: string) => boolean = () => true) {
  const old: Shop = SHOP;
  const fresh: Shop = { ...SHOP, ...changed };
  const read = async (path: string) => ({ before: old[path] ?? '', after: fresh[path] ?? '' });
  return breakingEndpoints({ before: await modelOfTexts(old), after: await modelOfTexts(fresh), read, within });
}

const renamed = { 'orders/server.js': SHOP['orders/server.js'].replace("'/orders/:id'", "'/purchases/:id'") };

test('a route that goes by another path now breaks who still calls the old one', async () => {
  expect(await broken(renamed)).toEqual([
    {
      id: 'endpoint::orders::GET::/orders/:id',
      kind: 'endpoint',
      reason: 'removed',
      uses: [expect.objectContaining({ id: 'web/client.js::show', path: 'web/client.js', line: 3, relation: 'REQUESTS_ENDPOINT', isTest: false })],
      total: 1,
    },
  ]);
  expect(await broken(renamed, path => path.startsWith('web/'))).toEqual([]);
});

test('a handler that is gone breaks callers although the contract still promises the endpoint', async () => {
  const without = { 'orders/server.js': SHOP['orders/server.js'].replace("app.post('/orders', make);\n", '') };
  expect(await broken(without)).toMatchObject([{ id: 'endpoint::orders::POST::/orders', reason: 'removed', uses: [{ line: 6 }] }]);
});

test('a contract that requires more breaks callers, one that requires less does not', async () => {
  expect(await broken({ 'orders/openapi.yaml': CONTRACT('sku, count') })).toMatchObject([
    {
      id: 'endpoint::orders::POST::/orders',
      reason: 'signature',
      oldSignature: 'POST /orders(sku*, count)',
      signature: 'POST /orders(sku*, count*)',
      uses: [{ id: 'web/client.js::order', line: 6 }],
    },
  ]);
  expect(await broken({ 'orders/openapi.yaml': CONTRACT('') })).toEqual([]);
});

test('nothing breaks where the callers changed with it, or a parameter has another name', async () => {
  expect(await broken({ ...renamed, 'web/client.js': SHOP['web/client.js'].replace("'/orders/' + id", "'/purchases/' + id") })).toEqual([]);
  expect(await broken({ 'orders/server.js': SHOP['orders/server.js'].replace(':id', ':order') })).toEqual([]);
});
