import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import type { Answer } from '../../server/src/features/catalogue/catalogue';
import { type Asking, Checkout } from './checkout';
import { closeAll, cold, exported, open, type Repository, repository } from './repository';

afterEach(closeAll);

const COMPOSE = 'services:\n  orders:\n    build: ./orders\n  web:\n    build: ./web\n    environment:\n      ORDERS_URL: http://orders:3000\n';
const ORDERS =
  "const express = require('express');\nconst app = express();\nfunction list(req, res) {\n  res.json([]);\n}\napp.get('/orders', list);\napp.listen(3000);\n";
const WEB = "const axios = require('axios');\nfunction show() {\n  return axios.get(process.env.ORDERS_URL + '/orders');\n}\nmodule.exports = { show };\n";
const MANIFEST = (name: string): string => `{"name":"${name}","scripts":{"start":"node server.js"},"dependencies":{"express":"4","axios":"1"}}`;

/** One service, then two of which one calls the other, then one with other endpoints. */
function shop(): { readonly made: Repository; readonly commits: readonly string[] } {
  const made = repository();
  const commits = [
    made.commit({
      'docker-compose.yml': 'services:\n  orders:\n    build: ./orders\n',
      'orders/Dockerfile': 'FROM node:20\nCOPY . .\n',
      'orders/package.json': MANIFEST('orders'),
      'orders/server.js': ORDERS,
    }),
    made.commit({
      'docker-compose.yml': COMPOSE,
      'web/Dockerfile': 'FROM node:20\nCOPY . .\n',
      'web/package.json': MANIFEST('web'),
      'web/server.js': WEB,
    }),
    made.commit({ 'orders/server.js': ORDERS.replaceAll("'/orders'", "'/purchases'"), 'docker-compose.yml': 'services:\n  orders:\n    build: ./orders\n' }, [
      'web',
    ]),
  ];
  return { made, commits };
}

async function servicesOf(asking: Asking, params: Readonly<Record<string, unknown>> = {}): Promise<Answer<'services'>> {
  const answer = await asking.gateway.query('services', params, asking.caller(), neverCancelled);
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.value as Answer<'services'>;
}

test('the services of a commit are those that a cold index of it finds, to the byte, also after a restart', async () => {
  const { commits, made } = shop();
  for (let start = 0; start < 2; start++) {
    const asking = await made.checkout.open();
    for (const commit of commits) {
      const expected = await cold(made.checkout.root, commit);
      expect(expected).toContain('"EXPOSES_ENDPOINT"');
      expect(await exported(asking, { asOf: commit })).toBe(expected);
    }
    await asking.close();
  }
});

test('tools of the services answer as of a commit, and the current services stay as they are', async () => {
  const { commits, made } = shop();
  const asking = await made.checkout.open();
  const now = await servicesOf(asking);
  const then = await servicesOf(asking, { asOf: commits[1] });
  expect(then.services.map(({ name }) => name)).toEqual(['orders', 'web']);
  expect(then.calls).toMatchObject([{ source: 'web', target: 'orders' }]);
  expect(now.services.map(({ name }) => name)).toEqual(['orders']);
  expect((await asking.call('get_service_context', { service_name: 'web', asOf: commits[1] })).envelope).toMatchObject({
    ok: true,
    data: { depends_on: ['orders'] },
  });
  expect((await asking.call('get_service_context', { service_name: 'web' })).envelope).toMatchObject({ ok: false, errorCode: 'NOT_FOUND' });
  expect((await asking.call('code_explain', { target: 'GET /orders', asOf: commits[0] })).envelope).toMatchObject({ ok: true });
  const walked = await asking.call('graph_query', { query: 'MATCH (s:service)-[:SERVICE_CALLS]->(t:service) RETURN s.name, t.name', asOf: commits[1] });
  expect(walked.text).toContain('web');
  expect(await servicesOf(asking)).toEqual(now);
  expect((await asking.call('build_knowledge_graph', { asOf: commits[1] })).envelope).toMatchObject({ ok: false, errorCode: 'VALIDATION_ERROR' });
});

test('a comparison lists the calls between services that came and went, the same both ways', async () => {
  const { commits, made } = shop();
  const asking = await made.checkout.open();
  const services = async (params: Readonly<Record<string, unknown>>): Promise<readonly object[]> => {
    const answer = await asking.gateway.query('graphDiff', { include: ['edges'], ...params }, asking.caller(), neverCancelled);
    if (!answer.ok) throw new Error(answer.error.message);
    return (answer.value as Answer<'graphDiff'>).edges.units.filter(({ level }) => level === 'service');
  };
  const call = { level: 'service', from: 'web', to: 'orders' };
  expect(await services({ from: commits[0], to: commits[1] })).toEqual([{ ...call, change: 'added' }]);
  expect(await services({ from: commits[1], to: commits[0] })).toEqual([{ ...call, change: 'removed' }]);
  expect(await services({ from: commits[1] })).toEqual([{ ...call, change: 'removed' }]);
  expect(await services({ from: commits[0] })).toEqual([]);
});

test('a recorded state has its services, read from the log, the disk or git', async () => {
  const { made } = shop();
  const asking = await made.checkout.open();
  const states: { readonly txId: string; readonly rows: string }[] = [];
  const note = async (): Promise<void> => {
    const begun = await asking.gateway.query('rebuild', { mode: 'incremental' }, asking.caller(), neverCancelled);
    if (!begun.ok) throw new Error(begun.error.message);
    const { txId } = begun.value as Answer<'rebuild'>;
    expect(await asking.gateway.query('rebuildEnd', { txId }, asking.caller(), neverCancelled)).toMatchObject({ ok: true });
    const alone = new Checkout({});
    open.push(alone);
    execFileSync('git', ['clone', '-q', made.checkout.root, alone.root], { stdio: 'ignore' });
    alone.write(Object.fromEntries(['docker-compose.yml', 'orders/server.js'].map(path => [path, readFileSync(join(made.checkout.root, path))])));
    states.push({ txId, rows: await exported(await alone.open()) });
  };
  // The compose file is that of the commit, then one that is in none, then again another.
  made.checkout.write({ 'orders/server.js': ORDERS.replaceAll("'/orders'", "'/drafts'") });
  await note();
  made.checkout.write({ 'docker-compose.yml': 'services:\n  shop:\n    build: ./orders\n' });
  await note();
  made.checkout.write({ 'docker-compose.yml': 'services:\n  store:\n    build: ./orders\n' });
  await note();
  expect(new Set(states.map(({ rows }) => rows)).size).toBe(3);
  for (const { rows, txId } of states) expect(await exported(asking, { asOf: `tx::${txId}` })).toBe(rows);
});
