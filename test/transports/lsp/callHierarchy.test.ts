import { expect, test } from 'vitest';
import { file, lspServer, place, SYMBOL, uriOf } from './lspServer';

const server = lspServer();

test('calls are followed in both directions', async () => {
  const { client, host } = server.current;
  const caller = { ...SYMBOL, id: 'src/b.ts::b', name: 'b', path: 'src/b.ts', startLine: 3, endLine: 9, nameLine: 3, nameColumn: 9 };
  host.prepare = gateway => {
    gateway.answers = {
      callHierarchyItem: () => ({ item: SYMBOL }),
      incomingCalls: () => ({ calls: [{ item: caller, lines: [5], confidence: 1 }] }),
      outgoingCalls: () => ({ calls: [] }),
    };
  };
  await server.current.initialize();
  const [item] = await client.sendRequest<object[]>('textDocument/prepareCallHierarchy', place);
  expect(item).toMatchObject({ name: 'a', uri: uriOf(file), selectionRange: { start: { line: 0, character: 16 } } });
  expect(await client.sendRequest('callHierarchy/incomingCalls', { item })).toMatchObject([{ from: { name: 'b' }, fromRanges: [{ start: { line: 4 } }] }]);
  expect(await client.sendRequest('callHierarchy/outgoingCalls', { item })).toEqual([]);
});
