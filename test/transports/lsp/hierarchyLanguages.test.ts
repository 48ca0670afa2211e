import { expect, test } from 'vitest';
import { lspServer, shop } from './lspServer';

const server = lspServer();

test('call and type hierarchy are registered only for the languages that nobody else serves', async () => {
  const { client } = server.current;
  const registrations: string[] = [];
  client.onRequest(
    'client/registerCapability',
    (params: { registrations: { method: string; registerOptions: { documentSelector: { language: string }[] } }[] }) => {
      for (const each of params.registrations)
        registrations.push(`${each.method} ${each.registerOptions.documentSelector.map(filter => filter.language).join()}`);
    },
  );
  client.onRequest('client/unregisterCapability', () => registrations.push('unregistered'));
  await server.current.initialize([shop], { initializationOptions: { settings: { 'lattice.callHierarchy.enable': 'auto' } } });
  expect(registrations).toEqual([]);
  await client.sendNotification('lattice/languagesWithoutProvider', { calls: ['python', 'cobol'], types: ['go', 'typescript'], symbols: [], hovers: [] });
  await expect.poll(() => registrations).toEqual(['textDocument/prepareCallHierarchy python', 'textDocument/prepareTypeHierarchy typescript,go']);
  await client.sendNotification('lattice/settingsChanged', { settings: { 'lattice.callHierarchy.enable': 'never', 'lattice.typeHierarchy.enable': 'never' } });
  await expect.poll(() => registrations.slice(2)).toEqual(['unregistered', 'unregistered']);
});
