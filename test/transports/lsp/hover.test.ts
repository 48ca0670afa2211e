import { expect, test } from 'vitest';
import { lspServer, place, shop, uriOf } from './lspServer';

const server = lspServer();

test('hover asks for the place and shows at most eight lines', async () => {
  const { client, host } = server.current;
  host.prepare = gateway => {
    gateway.answers = { hover: () => ({ lines: Array.from({ length: 12 }, (_, at) => `line ${at}`), id: 'x', name: 'x', atoms: [], path: '' }) };
  };
  await server.current.initialize();
  const hover = await client.sendRequest<{ contents: { kind: string; value: string } }>('textDocument/hover', place);
  expect(hover.contents.kind).toBe('markdown');
  expect(hover.contents.value.split('\n')).toHaveLength(8);
  expect(host.gateway.queries.at(-1)).toMatchObject({ feature: 'hover', params: { path: 'src/a b.ts', line: 1, column: 16 }, caller: { kind: 'editor' } });
});

test('hover is silent where nothing is known, outside the folders, and when switched off', async () => {
  const { client, host } = server.current;
  host.prepare = gateway => {
    gateway.answers = { hover: () => null };
  };
  await server.current.initialize();
  expect(await client.sendRequest('textDocument/hover', place)).toBeNull();
  expect(await client.sendRequest('textDocument/hover', { ...place, textDocument: { uri: 'untitled:Untitled-1' } })).toBeNull();
  const asked = host.gateway.queries.length;
  await client.sendNotification('lattice/settingsChanged', {
    settings: {},
    folders: [{ uri: uriOf(shop), settings: { 'lattice.hover.enable': false }, exclude: [] }],
  });
  expect(await client.sendRequest('textDocument/hover', place)).toBeNull();
  expect(host.gateway.queries).toHaveLength(asked);
});

test('hover answers while the first index runs', async () => {
  const { client, host } = server.current;
  host.prepare = gateway => {
    gateway.indexing();
    gateway.answers = { hover: () => ({ lines: ['**a**'], id: 'x', name: 'a', atoms: [], path: '' }) };
  };
  await server.current.initialize();
  expect(await client.sendRequest('textDocument/hover', place)).toMatchObject({ contents: { value: '**a**' } });
});
