import { join } from 'node:path';
import { expect, test } from 'vitest';
import { file, inner, lspServer, SYMBOL, shop, uriOf } from './lspServer';

const server = lspServer();

test('workspace symbols come from every folder, lazily where the editor can resolve them', async () => {
  const { client, host } = server.current;
  host.prepare = gateway => {
    gateway.answers = { workspaceSymbols: () => ({ symbols: [SYMBOL] }) };
  };
  await server.current.initialize([shop, inner], {
    capabilities: { workspace: { workspaceFolders: true, symbol: { resolveSupport: { properties: ['location.range'] } } } },
  });
  const symbols = await client.sendRequest<{ location: { uri: string; range?: object } }[]>('workspace/symbol', { query: 'a' });
  expect(symbols.map(symbol => symbol.location)).toEqual([{ uri: uriOf(file) }, { uri: uriOf(join(inner, 'src', 'a b.ts')) }]);
  const resolved = await client.sendRequest<{ location: object }>('workspaceSymbol/resolve', symbols[0]);
  expect(resolved.location).toEqual({ uri: uriOf(file), range: { start: { line: 0, character: 16 }, end: { line: 0, character: 17 } } });
});

test('workspace symbols leave to others the languages that they list, unless the setting says otherwise', async () => {
  const { client, host } = server.current;
  host.prepare = gateway => {
    gateway.answers = { workspaceSymbols: () => ({ symbols: [SYMBOL] }) };
  };
  const asked = (): unknown => host.gateway.queries.at(-1)?.params;
  await server.current.initialize([shop]);
  await client.sendRequest('workspace/symbol', { query: 'a' });
  expect(asked()).toEqual({ query: 'a', limit: 200 });
  await client.sendNotification('lattice/languagesWithoutProvider', { calls: [], types: [], symbols: ['python'], hovers: [] });
  await client.sendRequest('workspace/symbol', { query: 'b' });
  expect(asked()).toEqual({ query: 'b', limit: 200, languages: ['python'] });
  await client.sendNotification('lattice/settingsChanged', { settings: { 'lattice.workspaceSymbols.enable': 'always' } });
  await client.sendRequest('workspace/symbol', { query: 'c' });
  expect(asked()).toEqual({ query: 'c', limit: 200 });
  await client.sendNotification('lattice/settingsChanged', { settings: { 'lattice.workspaceSymbols.enable': 'never' } });
  expect(await client.sendRequest('workspace/symbol', { query: 'd' })).toEqual([]);
});
