import { beforeEach, expect, test, vi } from 'vitest';
import type { LogOutputChannel, Memento, Uri } from 'vscode';
import { SavedViews } from '../../../client/src/graph/savedViews';
import type { SceneParams } from '../../../server/protocol/features';
import type { PanelState } from '../../../server/protocol/graphPanel';
import { Address, editor, person, registered } from '../../helpers/editorStandIn';

vi.mock('vscode', async () => (await import('../../helpers/editorStandIn')).editor);
const { registerGraphCommands } = await import('../../../client/src/graph/graphCommands');

const shop = Address.file('/shop');
const shown: [SceneParams, string][] = [];
const answers: Record<string, unknown> = {};
const log = { error: () => undefined, warn: () => undefined } as unknown as LogOutputChannel;

beforeEach(() => {
  shown.length = 0;
  person.will();
  editor.workspace.workspaceFolders = [{ name: 'shop', uri: shop, index: 0 }];
  editor.window.activeTextEditor = undefined;
  const server = { whenIndexed: async () => undefined, ask: async (feature: string) => answers[feature], request: async () => null };
  const graphs = { show: (query: SceneParams, folder: Uri) => shown.push([query, folder.toString()]) };
  registerGraphCommands({ server, graphs, log } as never);
});

const run = (id: string, argument?: unknown): Promise<unknown> => Promise.resolve(registered.get(`lattice.${id}`)?.(argument));
const told = (): readonly string[] => person.asked.filter(({ kind }) => kind === 'message').map(({ text }) => text);

test('endpoints of the open file come before all others, that of the cursor first', async () => {
  const endpoint = (path: string, file: string, line: number) => ({ id: path, method: 'GET', path, service: 'shop', file, line });
  answers['services'] = {
    services: [],
    endpoints: [endpoint('/a', 'src/deep/other.go', 3), endpoint('/b', 'main.go', 5), endpoint('/c', 'main.go', 20), endpoint('/d', '', 0)],
  };
  editor.window.activeTextEditor = { document: { uri: Address.joinPath(shop, 'main.go') }, selection: { active: { line: 21, character: 0 } } };
  person.will('GET /c');
  await run('openFlowGraph');
  expect(person.asked[0]?.rows.map(({ label, detail }) => [label, detail])).toEqual([
    ['GET /c', 'main.go:20 • .'],
    ['GET /b', 'main.go:5 • .'],
    ['GET /a', 'other.go:3 • src/deep'],
    ['GET /d', ''],
  ]);
  expect(shown).toEqual([[{ start: 'flow', target: '/c' }, 'file:///shop']]);
});

test('where there are no endpoints nothing is asked, and it is said; leaving the question shows nothing', async () => {
  answers['services'] = { services: [], endpoints: [] };
  await run('openFlowGraph');
  expect(told()).toEqual(['No endpoints were found in this folder.']);
  await run('openServiceGraph');
  expect(told().at(-1)).toBe('No services were found in this folder.');
  answers['communities'] = { communities: [{ id: 4, label: 'pay', summary: '8 members', memberCount: 8 }] };
  person.will(undefined);
  await run('openCommunityGraph');
  expect(shown).toEqual([]);
  // A row of a view names its community: nothing is asked.
  person.will();
  await run('openCommunityGraph', { folder: shop, community: 4 });
  expect(shown).toEqual([[{ start: 'community', target: '4' }, 'file:///shop']]);
});

test.each([
  ['openSearchGraph', '  taxes ', { start: 'search', target: 'taxes' }],
  ['openRangeGraph', ' main..HEAD ', { start: 'changes', target: 'main..HEAD' }],
])('%s takes the words without the spaces around them, and nothing where there are none', async (id, typed, query) => {
  person.will(typed);
  await run(id);
  expect(shown).toEqual([[query, 'file:///shop']]);
  for (const nothing of ['  ', undefined]) {
    person.will(nothing);
    await run(id);
  }
  expect(shown).toHaveLength(1);
});

test('without a folder nothing is shown, and it is said', async () => {
  editor.workspace.workspaceFolders = [];
  await run('openWorkspaceGraph');
  expect([shown, told()]).toEqual([[], ['Open a folder to show its graph.']]);
});

test('a saved graph takes the place of the one of that name; the newest is offered first, the oldest goes', async () => {
  const kept = new Map<string, unknown>();
  const storage = { get: (key: string, none: unknown) => kept.get(key) ?? none, update: async (key: string, value: unknown) => kept.set(key, value) };
  const views = new SavedViews(storage as unknown as Memento);
  const state = (start: string): PanelState => ({ history: [{ start }], place: 0 }) as unknown as PanelState;
  person.will(undefined);
  await views.choose();
  expect(person.asked).toMatchObject([{ text: 'No saved views', rows: [] }]);
  for (let at = 0; at < 52; at++) {
    person.will(` View ${at} `);
    expect(await views.keep(state('focus'), '')).toBe(`View ${at}`);
  }
  person.will('View 7');
  await views.keep(state('impact'), '');
  for (const nothing of ['  ', undefined]) {
    person.will(nothing);
    expect(await views.keep(state('flow'), 'Flow')).toBe('');
  }
  person.will('View 7');
  expect(await views.choose()).toEqual(state('impact'));
  const labels = person.asked[0]?.rows.map(({ label }) => label) ?? [];
  expect([labels.length, labels[0], labels[1], labels.at(-1)]).toEqual([50, 'View 7', 'View 51', 'View 2']);
});
