import { afterEach, expect, test } from 'vitest';
import type { CodeAction } from 'vscode-languageserver/node';
import { type LspDoor, lspDoor } from './lspDoor';

const PROBLEM = {
  code: 'missing-endpoint',
  severity: 'warning',
  message: 'web calls GET /order/{}, which orders does not serve.',
  service: 'web',
  file: 'src/a.ts',
  line: 1,
  related: [{ name: 'GET /orders/{id} of orders', file: 'orders/app.py', line: 9 }],
  fix: { from: '/order', to: '/orders' },
};
const INFO = { ...PROBLEM, code: 'unconsumed-event', severity: 'info', message: 'No service consumes it.', related: [], fix: undefined };
const BREACH = {
  ruleId: 'pure',
  severity: 'error',
  from: { id: 'src/a.ts', file: 'src/a.ts', line: 1 },
  to: 'express',
  edge: 'imports',
  message: 'Rule pure forbids this.',
  suggestion: 'Move it.',
  baseline: false,
  ruleLine: 7,
};

let door: LspDoor;
let published: { readonly uri: string; readonly diagnostics: readonly { readonly message: string }[] }[];
afterEach(() => door.close());

async function begin(settings: object, problems: readonly object[] = [PROBLEM, INFO], violations: readonly object[] = []): Promise<void> {
  published = [];
  door = lspDoor({ services: () => ({ problems, calls: [], events: [] }), architecture: () => ({ violations, rulesSource: '.lattice/architecture.yaml' }) });
  door.client.onNotification('textDocument/publishDiagnostics', (params: (typeof published)[number]) => void published.push(params));
  await door.initialize({ folders: [{ uri: door.folder, settings }], commands: ['lattice.showServicePlaces'] });
  await door.client.sendNotification('textDocument/didOpen', {
    textDocument: { uri: door.file, languageId: 'typescript', version: 1, text: '  fetch(`${base}/order/${id}`);\n' },
  });
  door.host.gateway.revisions.fire({ revision: 8, changed: ['src/a.ts'] });
}

const messages = (): readonly string[] | undefined => published.at(-1)?.diagnostics.map(({ message }) => message);

test('problems between services stand at their line beside those of the architecture, with places that they are about', async () => {
  await begin({}, [PROBLEM, INFO], [BREACH]);
  await expect.poll(messages, { timeout: 20_000 }).toEqual(['Rule pure forbids this.\nMove it.', PROBLEM.message]);
  expect(published.at(-1)?.diagnostics[1]).toMatchObject({
    range: { start: { line: 0, character: 2 }, end: { line: 0, character: 31 } },
    severity: 2,
    source: 'Lattice',
    code: 'missing-endpoint',
    relatedInformation: [{ message: 'GET /orders/{id} of orders', location: { uri: `${door.folder}/orders/app.py`, range: { start: { line: 8 } } } }],
  });
});

test('the fix replaces the one segment that is spelled differently, and leads to what may have been meant', async () => {
  await begin({});
  await expect.poll(messages, { timeout: 20_000 }).toEqual([PROBLEM.message]);
  const actions = await door.client.sendRequest<CodeAction[]>('textDocument/codeAction', {
    textDocument: { uri: door.file },
    range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } },
    context: { diagnostics: published.at(-1)?.diagnostics },
  });
  expect(actions.map(({ title }) => title)).toEqual(['Change to /orders', 'Go to GET /orders/{id} of orders']);
  expect(actions[0]?.edit).toEqual({
    changes: { [door.file]: [{ range: { start: { line: 0, character: 16 }, end: { line: 0, character: 22 } }, newText: '/orders' }] },
  });
  expect(actions[1]?.command).toMatchObject({ command: 'lattice.showServicePlaces', arguments: [{ places: [{ file: 'orders/app.py', line: 9 }] }] });
});

test('all problems are shown when asked for, and none when switched off', async () => {
  await begin({ 'lattice.services.diagnostics': 'all' });
  await expect.poll(messages, { timeout: 20_000 }).toEqual([PROBLEM.message, INFO.message]);
  await door.settings({ 'lattice.services.diagnostics': 'off' });
  await expect.poll(messages, { timeout: 20_000 }).toEqual([]);
});

test('an edit is checked when the writer pauses, with its text, and again when the document is closed; where no service uses another it is not', async () => {
  const EDIT = { ...PROBLEM, code: 'breaking-edit', message: 'If this change is saved, orders no longer serves GET /orders.' };
  const typed = (): string | undefined => door.host.gateway.overlays.at(-1)?.text;
  let calls: readonly object[] = [{}];
  let asked = 0;
  published = [];
  door = lspDoor({
    services: () => {
      asked++;
      return { calls, events: [], problems: typed() === undefined ? [] : [EDIT] };
    },
  });
  door.client.onNotification('textDocument/publishDiagnostics', (params: (typeof published)[number]) => void published.push(params));
  await door.initialize();
  const change = (version: number): Promise<void> =>
    door.client.sendNotification('textDocument/didChange', { textDocument: { uri: door.file, version }, contentChanges: [{ text: `// ${version}\n` }] });
  await door.client.sendNotification('textDocument/didOpen', {
    textDocument: { uri: door.file, languageId: 'typescript', version: 1, text: 'export function a() {}\n' },
  });
  door.host.gateway.revisions.fire({ revision: 8, changed: [] });
  await expect.poll(() => asked, { timeout: 20_000 }).toBe(1);
  await change(2);
  await expect.poll(messages, { timeout: 20_000 }).toEqual([EDIT.message]);
  calls = [];
  await door.client.sendNotification('textDocument/didClose', { textDocument: { uri: door.file } });
  await expect.poll(messages, { timeout: 20_000 }).toEqual([]);
  const before = asked;
  await change(3);
  await door.client.sendRequest('textDocument/hover', { textDocument: { uri: door.file }, position: { line: 0, character: 0 } });
  expect(asked).toBe(before);
});
