import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import { DEFAULT_RETRIEVAL, type RetrievalSettings } from '../../server/src/model/settings';
import type { SearchHealth } from '../../server/src/workspace/snapshot';
import { type Asking, Checkout } from './checkout';

const checkouts: Checkout[] = [];
const servers: Server[] = [];
afterEach(async () => {
  for (const checkout of checkouts.splice(0)) await checkout.dispose();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise(done => server.close(done));
  }
});

/** Two circles of words over enough files to learn from. */
function make(): Checkout {
  const circles = [
    ['invoice', 'bill', 'amount', 'tax', 'customer', 'payment', 'discount', 'total'],
    ['socket', 'packet', 'port', 'header', 'frame', 'stream', 'buffer', 'peer'],
  ];
  const files = circles.flatMap((words, circle) =>
    Array.from({ length: 16 }, (_, at) => {
      const used = words.filter((_word, place) => ((at * 5 + place * 3) % 8) + 1 > 4);
      return [`src/m${circle}${at}.ts`, `export function f${circle}x${at}(): void {\n  // ${used.join(' ')}\n  ${used.join('(); ')}();\n}\n`] as const;
    }),
  );
  const checkout = new Checkout(Object.fromEntries(files));
  checkouts.push(checkout);
  return checkout;
}

async function vectors(asking: Asking): Promise<SearchHealth['vectors']> {
  const { search } = await asking.health();
  if (search === undefined) throw new Error('no health of search');
  return search.vectors;
}

function retrieval(more: Partial<RetrievalSettings>): { readonly settings: { readonly retrieval: RetrievalSettings } } {
  return { settings: { retrieval: { ...DEFAULT_RETRIEVAL, ...more } } };
}

test('a whole index has vectors learned in a thread, the next process takes them over, and answers are the same', async () => {
  const checkout = make();
  const first = await checkout.open();
  expect(await vectors(first)).toMatchObject({ state: 'ready', embedder: 'workspace', done: 64, documents: 64 });
  const answer = await first.find('customer discount');
  const { embedder, packBytes } = await vectors(first);
  expect([embedder, packBytes > 1000]).toEqual(['workspace', true]);
  await first.close();
  const second = await checkout.open();
  expect(await second.find('customer discount')).toEqual(answer);
  expect(await vectors(second)).toMatchObject({ state: 'ready', done: 64, cpuMs: (await vectors(second)).cpuMs });
  expect((await second.call('graph_health', {})).envelope.data).toMatchObject({ search: { words: { done: 32, total: 32 }, vectors: { state: 'ready' } } });
});

test('by words alone there are no vectors, and none are made', async () => {
  const asking = await make().open(retrieval({ mode: 'lexical' }));
  expect(await vectors(asking)).toMatchObject({ state: 'off', done: 0, packBytes: 0 });
});

test('a changed file is found by its new meaning without a new training', async () => {
  const checkout = make();
  const first = await checkout.open();
  await first.close();
  checkout.write({ 'src/m116.ts': 'export function fresh(): void {\n  invoice(); tax(); customer(); payment();\n}\n' });
  const second = await checkout.open();
  expect(await second.find('bill discount amount')).toContain('src/m116.ts::fresh');
  expect(await vectors(second)).toMatchObject({ state: 'ready', done: 66 });
});

/** A service that counts letters, or fails. */
async function service(fails: boolean, onAsked: (model: string) => void = () => undefined): Promise<{ readonly endpoint: string; readonly sizes: number[] }> {
  const sizes: number[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { input, model } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { input: string[]; model: string };
      sizes.push(input.length);
      onAsked(model);
      if (fails) response.writeHead(503).end();
      else
        response.end(
          JSON.stringify({ data: input.map((text, index) => ({ index, embedding: ['a', 'e', 'i', 'o', 'u'].map(letter => text.split(letter).length) })) }),
        );
    });
  });
  servers.push(server);
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, sizes };
}

test('a service gives vectors in batches, once per text: the next process asks for none but that of the query', async () => {
  const { endpoint, sizes } = await service(false);
  const checkout = make();
  const settings = retrieval({ embedder: 'openai', endpoint, model: 'letters' });
  const first = await checkout.open(settings);
  expect(await vectors(first)).toMatchObject({ state: 'ready', embedder: expect.stringMatching(/^openai:127\.0\.0\.1:\d+:letters$/), dimension: 5, done: 64 });
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(64);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(64);
  await first.close();
  sizes.length = 0;
  const second = await checkout.open(settings);
  expect(sizes).toEqual([]);
  expect(await second.find('zebra')).not.toEqual([]);
  await second.find('zebra');
  expect(sizes).toEqual([1]);
});

test('a model that is named while vectors of another are made comes after that one', async () => {
  const asked = new Set<string>();
  const name = (model: string): void => asking.gateway.configure({ retrieval: { ...DEFAULT_RETRIEVAL, embedder: 'openai', endpoint, model } });
  const { endpoint } = await service(false, model => {
    if (model === 'early' && !asked.has('early')) name('late');
    asked.add(model);
  });
  const asking = await make().open({ longLived: true });
  name('early');
  await expect.poll(() => vectors(asking), { timeout: 90_000 }).toMatchObject({ state: 'ready', embedder: expect.stringMatching(/:late$/), done: 64 });
  expect([...asked]).toEqual(['early', 'late']);
});

test('a service that fails is replaced by the words of the workspace, and health says so', async () => {
  const { endpoint } = await service(true);
  const checkout = make();
  const asking = await checkout.open(retrieval({ embedder: 'openai', endpoint, model: 'letters' }));
  expect(await vectors(asking)).toMatchObject({ state: 'ready', embedder: 'workspace', problem: expect.stringMatching(/answered 503/) });
  expect(JSON.stringify((await asking.call('graph_health', {})).envelope.data)).toMatch(/answered 503/);
  expect(checkout.logged.join('\n')).not.toMatch(/Bearer/);
});

test('a hundred questions at once are all answered as each by itself, and a hover does not wait for them', async () => {
  const asking = await make().open();
  const words = ['invoice tax', 'socket port', 'bill amount', 'peer buffer', 'customer'];
  const queries = Array.from({ length: 100 }, (_, at) => `${words[at % words.length]} ${at % 3 === 0 ? 'total' : 'frame'}`);
  const ask = async (query: string): Promise<unknown> => {
    const { envelope } = await asking.call('search_code', { query });
    expect(envelope.ok).toBe(true);
    return envelope.data;
  };
  const alone = new Map<string, unknown>();
  for (const query of new Set(queries)) alone.set(query, await ask(query));
  let answered = 0;
  const all = queries.map(query => ask(query).finally(() => answered++));
  const hover = await asking.gateway.query('hover', { path: 'src/m00.ts', line: 1, column: 17 }, asking.caller('editor'), neverCancelled);
  expect(hover.ok).toBe(true);
  expect(answered).toBeLessThan(50);
  expect(await Promise.all(all)).toEqual(queries.map(query => alone.get(query)));
});
