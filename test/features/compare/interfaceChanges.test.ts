/** What services offer and share and that came or went is told, whoever uses it. */
import { expect, test } from 'vitest';
import type { InterfaceChange } from '../../../server/src/features/compare/linkChanges';
import { interfaceChanges } from '../../../server/src/features/compare/services/interfaceChanges';
import { modelOfTexts } from '../../helpers/servicesOf';

type Texts = Readonly<Record<string, string>>;

const server = (...lines: readonly string[]): string =>
  `const express = require('express');\nconst app = express();\nfunction show(req, res) {\n  res.json([]);\n}\n${lines.join('\n')}\napp.listen(3000);\n`;
const ALONE = {
  'package.json': '{"name":"shop","dependencies":{"express":"4"}}',
  'server.js': server("app.get('/orders/:id', show);", "app.post('/orders', show);"),
};

const words = ({ change, line, name, path, role, service }: InterfaceChange): string => `${change} ${name} ${service} ${role ?? ''} ${path}:${line}`;

async function changed(before: Texts, after: Texts, within: (path: string) => boolean = () => true): Promise<readonly string[]> {
  return interfaceChanges(await modelOfTexts(before), await modelOfTexts(after), within).map(words);
}

test('routes that nobody in the workspace calls, in the only service of a repository', async () => {
  const fresh = { ...ALONE, 'server.js': server("app.get('/orders/:id', show);", "app.get('/bills', show);") };
  expect(await changed(ALONE, fresh)).toEqual(['added GET /bills shop  server.js:3', 'removed POST /orders shop  server.js:3']);
  expect(await changed(fresh, ALONE)).toEqual(['removed GET /bills shop  server.js:3', 'added POST /orders shop  server.js:3']);
  expect(await changed(ALONE, fresh, path => path.startsWith('web/'))).toEqual([]);
  expect(await changed(ALONE, ALONE)).toEqual([]);
});

test('another name of a parameter, of the handler, or of the service is no other endpoint', async () => {
  expect(await changed(ALONE, { ...ALONE, 'server.js': ALONE['server.js'].replace(':id', ':order').replaceAll('show', 'display') })).toEqual([]);
  expect(await changed(ALONE, { ...ALONE, 'package.json': ALONE['package.json'].replace('shop', 'store') })).toEqual([]);
});

test('what moves from one service to another leaves the first', async () => {
  const compose = 'services:\n  orders:\n    build: ./orders\n  bills:\n    build: ./bills\n';
  const part = (name: string, ...lines: readonly string[]): Texts => ({
    [`${name}/package.json`]: `{"name":"${name}","dependencies":{"express":"4"}}`,
    [`${name}/server.js`]: server(...lines),
  });
  const before = { 'compose.yaml': compose, ...part('orders', "app.get('/a', show);", "app.get('/b', show);"), ...part('bills', "app.get('/c', show);") };
  const after = { 'compose.yaml': compose, ...part('orders', "app.get('/a', show);"), ...part('bills', "app.get('/c', show);", "app.get('/b', show);") };
  expect(await changed(before, after)).toEqual(['added GET /b bills  bills/server.js:3', 'removed GET /b orders  orders/server.js:3']);
});

test('an endpoint that only its contract still promises is gone, one that code answers now is new', async () => {
  const contract = 'openapi: 3.0.0\npaths:\n  /orders:\n    post:\n      responses: {"200": {description: ok}}\n';
  const handled = { ...ALONE, 'openapi.yaml': contract };
  const promised = { ...handled, 'server.js': server("app.get('/orders/:id', show);") };
  expect(await changed(handled, promised)).toEqual(['removed POST /orders shop  server.js:3']);
  expect(await changed(promised, handled)).toEqual(['added POST /orders shop  server.js:3']);
});

test('events by who publishes and consumes them, and entities', async () => {
  const publisher = "const amqp = require('amqplib');\nasync function run() {\n  const channel = await (await amqp.connect('amqp://mq')).createChannel();\n";
  const before = { ...ALONE, 'events.js': `${publisher}  channel.sendToQueue('order.placed', Buffer.from(''));\n}\n` };
  const after = {
    ...ALONE,
    'events.js': `${publisher}  channel.sendToQueue('order.paid', Buffer.from(''));\n  channel.consume('order.placed', () => undefined);\n}\n`,
  };
  expect(await changed(before, after)).toEqual([
    'added order.paid shop publishes events.js:4',
    'added order.placed shop consumes events.js:5',
    'removed order.placed shop publishes events.js:4',
  ]);
  const schema = '{"$schema":"https://json-schema.org/draft/2020-12/schema","title":"Order","type":"object","properties":{"id":{"type":"string"}}}';
  expect(await changed(ALONE, { ...ALONE, 'schemas/order.schema.json': schema })).toEqual([expect.stringMatching(/^added Order /)]);
});
