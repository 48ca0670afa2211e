import { expect, test, vi } from 'vitest';
import type { Uri } from 'vscode';
import type { GraphPanelOptions } from '../../../client/src/graph/graphPanel';
import type { SceneParams } from '../../../server/protocol/features';
import type { ExtensionMessage, PageMessage } from '../../../server/protocol/graphPanel';
import { Address, editor } from '../../helpers/editorStandIn';

vi.mock('vscode', async () => (await import('../../helpers/editorStandIn')).editor);
const { GraphPanel } = await import('../../../client/src/graph/graphPanel');
const { Refusal } = await import('../../../client/src/refusal');

const shop = Address.file('/shop') as unknown as Uri;

/** A panel with its page: what the page was told, and a way to speak for it. */
function opened(ask: (feature: string, params: unknown) => Promise<unknown>, { isSettled = true, whenIndexed = async (): Promise<void> => undefined } = {}) {
  const told: ExtensionMessage[] = [];
  const page = new editor.EventEmitter<PageMessage>();
  const viewState = new editor.EventEmitter<unknown>();
  const panel = {
    title: '',
    visible: true,
    webview: {
      onDidReceiveMessage: page.event,
      postMessage: (message: ExtensionMessage) => told.push(message),
      asWebviewUri: (uri: unknown) => uri,
      cspSource: 'x',
      html: '',
    },
    onDidChangeViewState: viewState.event,
    onDidDispose: () => ({ dispose: () => undefined }),
    reveal: () => undefined,
  };
  const quiet = () => ({ dispose: () => undefined });
  const server = { ask, isSettled, whenIndexed, onRevision: quiet, onRecords: quiet };
  const options = { context: { extensionUri: Address.file('/ext') }, server, saved: {}, panel, folder: shop, violated: () => undefined };
  const made = new GraphPanel(options as unknown as GraphPanelOptions);
  const hide = (): void => {
    panel.visible = false;
    viewState.fire(undefined);
  };
  let number = 0;
  const request = (method: string, params: unknown): number => {
    page.fire({ type: 'request', number: ++number, method, params } as PageMessage);
    return number;
  };
  return { made, panel, told, hide, request, ready: () => page.fire({ type: 'ready' }) };
}

const replyTo = (told: readonly ExtensionMessage[], number: number) => told.find(message => message.type === 'reply' && message.number === number);

test('what is refused before the first index is complete is asked again after it, and the page says so meanwhile', async () => {
  let complete: () => void = () => undefined;
  const index = new Promise<void>(resolve => (complete = resolve));
  let isComplete = false;
  const ask = async (): Promise<unknown> => {
    if (!isComplete) throw new Refusal('Not indexed yet.');
    return { title: 'Flask' };
  };
  const { panel, ready, request, told } = opened(ask, { isSettled: false, whenIndexed: () => index });
  ready();
  const number = request('scene', { start: 'workspace' });
  await vi.waitFor(() => expect(told).toEqual([{ type: 'indexing' }]));
  isComplete = true;
  complete();
  await vi.waitFor(() => expect(replyTo(told, number)).toMatchObject({ answer: { title: 'Flask' } }));
  expect(panel.title).toBe('Graph: Flask');
});

test('what is refused once the index is complete, and what fails otherwise, is told as it is', async () => {
  const failing = (error: Error, isSettled: boolean) =>
    opened(
      async () => {
        throw error;
      },
      { isSettled },
    );
  for (const [error, isSettled] of [
    [new Refusal('There is no symbol of that name.'), true],
    [new Error('The server has ended.'), false],
  ] as const) {
    const { ready, request, told } = failing(error, isSettled);
    ready();
    const number = request('scene', { start: 'focus', target: 'x' });
    await vi.waitFor(() => expect(replyTo(told, number)).toMatchObject({ problem: error.message }));
    expect(told.some(({ type }) => type === 'indexing')).toBe(false);
  }
});

test('the tab is called after the scene that was asked for last, whichever is answered first', async () => {
  const waiting = new Map<string, (scene: unknown) => void>();
  const { panel, ready, request, told } = opened((_feature, params) => new Promise(resolve => waiting.set(String((params as SceneParams).target), resolve)));
  ready();
  const [first, second] = [request('scene', { start: 'focus', target: 'first' }), request('scene', { start: 'focus', target: 'second' })];
  waiting.get('second')?.({ title: 'Second' });
  await vi.waitFor(() => expect(replyTo(told, second)).toBeDefined());
  waiting.get('first')?.({ title: 'First' });
  await vi.waitFor(() => expect(replyTo(told, first)).toBeDefined());
  expect(panel.title).toBe('Graph: Second');
});

test('what is to be shown waits for the page, and again while the panel is hidden', () => {
  const { hide, made, ready, told } = opened(async () => ({}));
  made.show({ start: 'workspace' }, shop);
  expect(told).toEqual([]);
  ready();
  expect(told).toMatchObject([{ type: 'show', query: { start: 'workspace' } }]);
  hide();
  made.show({ start: 'focus', target: 'x' }, shop);
  made.showAtom('atom');
  expect(told).toHaveLength(1);
  ready();
  expect(told.slice(1)).toMatchObject([
    { type: 'show', query: { start: 'focus' } },
    { type: 'atom', id: 'atom' },
  ]);
});
