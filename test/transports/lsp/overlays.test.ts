import { expect, onTestFinished, test, vi } from 'vitest';
import type { OverlayChange } from '../../../server/src/session/gateway';
import type { Folders } from '../../../server/src/transports/lsp/folders';
import { Overlays } from '../../../server/src/transports/lsp/overlays';
import { file, lspServer, place, uriOf } from './lspServer';

const server = lspServer();

const open = (text: string): Promise<void> =>
  server.current.client.sendNotification('textDocument/didOpen', { textDocument: { uri: uriOf(file), languageId: 'typescript', version: 1, text } });
const edit = (version: number, text: string): Promise<void> =>
  server.current.client.sendNotification('textDocument/didChange', {
    textDocument: { uri: uriOf(file), version },
    contentChanges: [{ range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, text }],
  });

test('a document that differs from the disk is an overlay until it is saved', async () => {
  const { client, host } = server.current;
  await server.current.initialize();
  await open('export function a() {}\n');
  await client.sendRequest('textDocument/hover', place);
  expect(host.gateway.overlays).toEqual([]);
  standStill();
  await edit(2, '// one\n');
  await edit(3, '// two\n');
  await client.sendRequest('textDocument/hover', place);
  expect(host.gateway.overlays).toEqual([{ path: 'src/a b.ts', version: 3, text: '// two\n// one\nexport function a() {}\n' }]);
  await client.sendNotification('textDocument/didSave', { textDocument: { uri: uriOf(file) } });
  await client.sendRequest('textDocument/hover', place);
  expect(host.gateway.overlays.at(-1)).toEqual({ path: 'src/a b.ts', version: 3, text: undefined });
  expect(host.gateway.fileEvents).toEqual([{ path: 'src/a b.ts', kind: 'changed' }]);
});

test.each([
  ['its text is compared with the disk', 1, [1]],
  ['one that was edited and saved while the disk was read is left alone', 2, []],
])('of a document that is opened, %s', async (_, versionAfterReading, versions) => {
  const told: OverlayChange[] = [];
  const folder = { gateway: { overlay: (changes: readonly OverlayChange[]) => told.push(...changes) } };
  const overlays = new Overlays(
    { locate: () => ({ folder, path: 'src/a b.ts' }) } as unknown as Folders,
    { agentId: undefined, sessionId: 's', kind: 'editor' },
    'posix',
  );
  onTestFinished(() => overlays.dispose());
  let version = 1;
  const opening = overlays.opened(uriOf(file), () => ({ uri: uriOf(file), version, getText: () => 'other text' }));
  version = versionAfterReading;
  await opening;
  overlays.flush();
  expect(told.map(change => change.version)).toEqual(versions);
});

test('changes are gathered and sent without being asked for', async () => {
  const { client, host } = server.current;
  await server.current.initialize();
  await open('export function a() {}\n');
  const { overlays } = host.gateway;
  standStill();
  await edit(2, '// one\n');
  await edit(3, '// two\n');
  // Answered once both have arrived; what is asked about a document would send them.
  await expect(client.sendRequest('no/such')).rejects.toMatchObject({ code: -32601 });
  expect(overlays).toEqual([]);
  vi.advanceTimersByTime(1000);
  expect(overlays.map(change => change.version)).toEqual([3]);
});

test.each([
  ['workspace/symbol', { query: 'a' }],
  ['textDocument/prepareCallHierarchy', place],
  ['textDocument/prepareTypeHierarchy', place],
  ['textDocument/hover', place],
  ['lattice/query', { feature: 'none', params: {}, uri: uriOf(file) }],
])('%s is answered from what was typed, without a pause', async (method, params) => {
  const { client, host } = server.current;
  await server.current.initialize();
  await open('export function a() {}\n');
  void edit(2, '// one\n');
  await client.sendRequest(method, params).catch(() => undefined);
  expect(host.gateway.overlays.map(change => change.version)).toEqual([2]);
});

test('a document restored unsaved is an overlay from the start, and closing it ends that', async () => {
  const { client, host } = server.current;
  await server.current.initialize();
  await open('restored\n');
  const { overlays } = host.gateway;
  await expect.poll(() => overlays).toEqual([{ path: 'src/a b.ts', version: 1, text: 'restored\n' }]);
  await client.sendNotification('textDocument/didClose', { textDocument: { uri: uriOf(file) } });
  await expect.poll(() => overlays.at(-1)?.text).toBeUndefined();
});

/** For the rest of the test no time goes by unless the test says so: between two messages a busy machine may take a break of any length. */
function standStill(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}
