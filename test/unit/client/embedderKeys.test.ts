import { expect, test } from 'vitest';
import { addressOf, EmbedderKeys } from '../../../client/src/languageClient/embedderKeys';

const NONE = { dispose: () => undefined };

/** The editor's storage of secrets, in memory. */
function secrets() {
  const kept = new Map<string, string>();
  const storage = {
    get: async (name: string) => kept.get(name),
    store: async (name: string, value: string) => void kept.set(name, value),
    delete: async (name: string) => void kept.delete(name),
    keys: async () => [...kept.keys()],
    onDidChange: () => NONE,
  };
  return { kept, storage };
}

const service = (endpoint: string, embedder = 'openai') => ({ embedder, endpoint, keyVariable: 'LATTICE_EMBEDDER_KEY' });

test.each([
  ['openai', 'https://api.example.org/v1', 'https://api.example.org'],
  ['openai', '', undefined],
  ['openai', 'ftp://api.example.org', undefined],
  ['ollama', '', 'http://127.0.0.1:11434'],
  ['workspace', 'https://api.example.org/v1', undefined],
])('%s at %j is %s', (embedder, endpoint, address) => {
  expect(addressOf(service(endpoint, embedder))).toBe(address);
});

test('a server is started with the key of the address in the settings, and with no other', async () => {
  let choice = service('https://api.example.org/v1');
  const { kept, storage } = secrets();
  const keys = new EmbedderKeys(storage, () => choice);
  expect(await keys.environment()).toEqual({});
  await keys.set('https://api.example.org', 'secret-1');
  expect(await keys.isMissing()).toBe(true);
  expect(await keys.environment()).toEqual({ LATTICE_EMBEDDER_KEY: 'secret-1' });
  expect([keys.mustRestart, await keys.isMissing()]).toEqual([false, false]);

  choice = service('https://elsewhere.example.org/v1');
  expect(keys.mustRestart).toBe(true);
  expect(await keys.environment()).toEqual({});
  expect(keys.mustRestart).toBe(false);

  choice = { ...service('https://api.example.org/v2'), keyVariable: '' };
  expect(await keys.environment()).toEqual({});
  await keys.remove('https://api.example.org');
  expect(kept.size).toBe(0);
});
