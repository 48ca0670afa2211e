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
