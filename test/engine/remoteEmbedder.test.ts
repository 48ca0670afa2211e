import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type RemoteEmbedder, remoteEmbedderOf } from '../../server/src/engine/vectors/remoteEmbedder';

interface Asked {
  readonly url: string;
  readonly authorization: string | undefined;
  readonly body: { readonly model: string; readonly input: readonly string[] };
}

const open: Server[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    await new Promise(done => server.close(done));
  }
});

/** A service on this machine that answers as told, and what it was asked. */
async function service(reply: (asked: Asked, response: ServerResponse) => void): Promise<{ readonly url: string; readonly asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one = {
        url: request.url ?? '',
        authorization: request.headers.authorization,
        body: JSON.parse(Buffer.concat(chunks).toString('utf8')) as Asked['body'],
      };
      asked.push(one);
      reply(one, response);
    });
  });
  open.push(server);
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked };
}

function embedder(kind: 'openai' | 'ollama', endpoint: string, key?: string): RemoteEmbedder {
  const made = remoteEmbedderOf({ embedder: kind, endpoint, model: 'small' }, key);
  if ('problem' in made) throw new Error(made.problem);
  return made;
}

test('an OpenAI-compatible service is asked with its key, and rows are put in the order of the texts', async () => {
  const { asked, url } = await service(({ body }, response) => {
    const data = body.input.map((text, index) => ({ index, embedding: [text.length, 1] })).reverse();
    response.end(JSON.stringify({ data }));
  });
  const vectors = await embedder('openai', url, 'secret').embed(['a', 'abc'], 60_000);
  expect(vectors.map(vector => [...vector])).toEqual([
    [1, 1],
    [3, 1],
  ]);
  expect(asked).toEqual([{ url: '/v1/embeddings', authorization: 'Bearer secret', body: { model: 'small', input: ['a', 'abc'] } }]);
});

test('Ollama is asked in its own way, without a key', async () => {
  const { asked, url } = await service(({ body }, response) => response.end(JSON.stringify({ embeddings: body.input.map(() => [0.5, 0.5]) })));
  expect(await embedder('ollama', url).embed(['a'], 60_000)).toHaveLength(1);
  expect(asked[0]).toMatchObject({ url: '/v1/api/embed', authorization: undefined });
});

test.each([
  ['an error', (response: ServerResponse) => response.writeHead(500).end('key=secret'), /answered 500$/],
  ['no JSON', (response: ServerResponse) => response.end('<html>'), /an invalid response/],
  ['too few rows', (response: ServerResponse) => response.end('{"data":[{"index":0,"embedding":[1]}]}'), /an invalid response/],
  ['rows of several lengths', (response: ServerResponse) => response.end('{"data":[{"embedding":[1]},{"embedding":[1,2]}]}'), /an invalid response/],
  ['numbers that are none', (response: ServerResponse) => response.end('{"data":[{"embedding":["x"]},{"embedding":["y"]}]}'), /an invalid response/],
  ['another address', (response: ServerResponse) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(), /cannot be reached/],
])('a service that answers with %s is refused in one sentence without the key', async (_, reply, message) => {
  const { url } = await service((_asked, response) => reply(response));
  const failure = await embedder('openai', url, 'secret')
    .embed(['a', 'b'], 60_000)
    .then(
      () => 'answered',
      (error: unknown) => String(error),
    );
  expect(failure).toMatch(message);
  expect(failure).not.toContain('secret');
});

test('a service that is silent is given up', async () => {
  const { url } = await service(() => undefined);
  await expect(embedder('openai', url).embed(['a'], 60)).rejects.toThrow(/did not answer in 60 ms/);
});

test.each([
  [{ embedder: 'openai', endpoint: '', model: 'm' }, undefined, /[eE]ndpoint is not set/],
  [{ embedder: 'openai', endpoint: 'https://example.org', model: '' }, undefined, /[mM]odel is not set/],
  [{ embedder: 'openai', endpoint: 'file:///etc/passwd', model: 'm' }, undefined, /not an HTTP/],
  [{ embedder: 'openai', endpoint: 'https://user:pass@example.org', model: 'm' }, undefined, /not an HTTP/],
  [{ embedder: 'openai', endpoint: 'http://example.org', model: 'm' }, 'secret', /over HTTPS or to this machine/],
] as const)('%j cannot be asked', (settings, key, problem) => {
  expect(remoteEmbedderOf(settings, key)).toEqual({ problem: expect.stringMatching(problem) });
});

test('Ollama on this machine needs no address', () => {
  expect(remoteEmbedderOf({ embedder: 'ollama', endpoint: '', model: 'm' }, undefined)).toMatchObject({ id: 'ollama:127.0.0.1:11434:m' });
});
