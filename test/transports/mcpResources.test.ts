import { mkdtempSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { TOOLS as CATALOGUE } from '../../server/src/tools/catalogue';
import { parseInput } from '../../server/src/tools/inputs';
import { PROMPTS } from '../../server/src/transports/mcp/prompts';
import { RESOURCES } from '../../server/src/transports/mcp/resources';
import { removeFolder } from '../helpers/removeFolder.mjs';
import { answerOf, FakeHost, refusalOf } from './fakeHost';
import { META, RawClient } from './rawClient';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'lattice-mcp-')));
afterAll(() => removeFolder(root));

let host: FakeHost;
let client: RawClient;
beforeEach(async () => {
  host = new FakeHost(root);
  client = new RawClient(host, root);
  await client.handshake();
});

test('the guide names every resource and prompt', () => {
  const guide = readFileSync(new URL('../../docs/mcp.md', import.meta.url), 'utf8');
  expect([...RESOURCES.map(row => row.uri), ...PROMPTS.map(row => row.name)].filter(name => !guide.includes(`\`${name}\``))).toEqual([]);
});

const VALUES = { task: 'add a coupon', taskId: 'task::1', path: 'src/a.ts', description: 'coupons', since: 'HEAD~1', goal: 'fix a bug' };

test.each(RESOURCES.map(row => [row.name, row] as const))('resource %s asks its tool what the tool understands', (_, row) => {
  const tool = CATALOGUE.find(candidate => candidate.name === row.tool);
  expect(tool?.effect).toBe('read');
  expect(tool === undefined ? undefined : parseInput(tool, row.input('src/a.ts::a')).ok).toBe(true);
});

test.each(PROMPTS.map(row => [row.name, row] as const))('prompt %s gives along what tools understand', (_, row) => {
  for (const values of [VALUES, Object.fromEntries(row.arguments.filter(argument => argument.isRequired).map(({ name }) => [name, 'x']))]) {
    for (const { tool: name, input } of row.given(values)) {
      const tool = CATALOGUE.find(candidate => candidate.name === name);
      expect(tool?.effect).toBe('read');
      expect(tool === undefined ? undefined : parseInput(tool, input)).toMatchObject({ ok: true });
    }
  }
});

test('resources and templates are listed, in a fixed order', async () => {
  const fixed = await client.request('resources/list');
  const templates = await client.request('resources/templates/list');
  expect(fixed.result?.['resources']).toMatchObject([
    { uri: 'lattice://episodes' },
    { uri: 'lattice://decisions' },
    { uri: 'lattice://coordination' },
    { uri: 'lattice://communities' },
    { uri: 'lattice://health' },
    { uri: 'lattice://architecture/rules' },
    { uri: 'ui://lattice/graph' },
  ]);
  expect((templates.result?.['resourceTemplates'] as { uriTemplate: string }[] | undefined)?.map(row => row.uriTemplate)).toEqual([
    ...RESOURCES.filter(row => row.uri.includes('{')).map(row => row.uri),
    'lattice://view/{view}/{question}',
  ]);
});

test('a resource is the answer of its tool about the decoded id, also of a tool that is not offered', async () => {
  const { result } = await client.request('resources/read', { uri: `lattice://graph/node/${encodeURIComponent('src/Ä b.ts::Store::save')}` });
  expect(host.gateway.calls.at(-1)).toMatchObject({ name: 'code_explain', input: { target: 'src/Ä b.ts::Store::save' }, caller: { kind: 'agent' } });
  expect(result?.['contents']).toEqual([
    { uri: 'lattice://graph/node/src%2F%C3%84%20b.ts%3A%3AStore%3A%3Asave', mimeType: 'text/markdown', text: expect.stringContaining('function a') },
  ]);
  await client.request('resources/read', { uri: 'lattice://atom/atom%3A%3A1' });
  expect(host.gateway.calls.at(-1)).toMatchObject({ name: 'query_graph', input: { operation: 'get', entityType: 'atom', id: 'atom::1' } });
});

test('what is not there is an error that says so', async () => {
  host.gateway.onCall = () => refusalOf('NOT_FOUND');
  expect((await client.request('resources/read', { uri: 'lattice://graph/node/foo' })).error).toMatchObject({
    code: -32602,
    message: expect.stringContaining('There is no foo.'),
  });
  host.gateway.onCall = () => refusalOf('INTERNAL');
  expect((await client.request('resources/read', { uri: 'lattice://health' })).error).toMatchObject({ code: -32603 });
  expect((await client.request('resources/read', { uri: 'lattice://nonsense/1' })).error).toMatchObject({ code: -32602 });
});

test('values of a variable are completed, percent-encoded as the uri needs them', async () => {
  host.gateway.answers = {
    workspaceSymbols: () => ({
      symbols: [
        { id: 'src/a.ts::save', path: 'src/a.ts' },
        { id: 'src/a.ts::safe', path: 'src/a.ts' },
      ],
    }),
    knowledgeSearch: () => ({ items: [{ id: 'atom::1', name: 'Safe' }] }),
    workSearch: () => ({ items: [{ id: 'task::1', name: 'Save', status: 'pending' }] }),
    agents: () => ({
      agents: [{ agentId: 'Sally:1234' }, { agentId: 'ben:5678' }].map(agent => ({ ...agent, claims: [], lastSeen: '' })),
      episodes: [],
      episodeCount: 0,
      learnings: [],
    }),
  };
  const ask = (uri: string, name: string): Promise<unknown> =>
    client
      .request('completion/complete', { ref: { type: 'ref/resource', uri }, argument: { name, value: 'sa' } })
      .then(message => message.result?.['completion']);
  expect(await ask('lattice://graph/node/{id}', 'id')).toMatchObject({ values: ['src%2Fa.ts%3A%3Asave', 'src%2Fa.ts%3A%3Asafe'] });
  expect(await ask('lattice://file/{path}/outline', 'path')).toMatchObject({ values: ['src%2Fa.ts'] });
  expect(await ask('lattice://atom/{id}', 'id')).toMatchObject({ values: ['atom%3A%3A1'] });
  const prompt = { ref: { type: 'ref/prompt', name: 'update_knowledge' }, argument: { name: 'taskId', value: 'sa' } };
  expect((await client.request('completion/complete', prompt)).result?.['completion']).toMatchObject({ values: ['task::1'] });
  const agent = { ref: { type: 'ref/prompt', name: 'hand_off' }, argument: { name: 'agentId', value: 'sa' } };
  expect((await client.request('completion/complete', agent)).result?.['completion']).toMatchObject({ values: ['Sally:1234'] });
});

test('a prompt is its task and what it gives along', async () => {
  const list = await client.request('prompts/list');
  expect((list.result?.['prompts'] as { name: string }[] | undefined)?.map(prompt => prompt.name)).toEqual(PROMPTS.map(prompt => prompt.name));
  const { result } = await client.request('prompts/get', { name: 'explain_area', arguments: { path: 'src/a.ts' } });
  const texts = (result?.['messages'] as { content: { text: string } }[] | undefined)?.map(message => message.content.text);
  expect(texts).toMatchObject([
    expect.stringContaining('Explain src/a.ts'),
    expect.stringContaining('## code_explain\n'),
    expect.stringContaining('## query_graph\n'),
  ]);
  expect((await client.request('prompts/get', { name: 'explain_area', arguments: {} })).error).toMatchObject({
    code: -32602,
    message: 'Invalid arguments for prompt explain_area: path: is missing. Path of a file, or ID of a symbol.',
  });
});

test('work is handed off with what changed since the agent, and the plan of each of its open tasks', async () => {
  host.gateway.onCall = ({ input, name }) => answerOf(name === 'progress_query' ? { items: [{ id: 'task::1' }, { id: 'task::2' }] } : { input });
  await client.request('prompts/get', { name: 'hand_off', arguments: { agentId: 'ada' } });
  expect(host.gateway.calls.map(({ name, input }) => [name, input['since'] ?? input['id'] ?? input['agentId']])).toEqual([
    ['agent_status', 'ada'],
    ['episode_recall', 'ada'],
    ['diff_since', 'ada'],
    ['impact_analyze', 'HEAD'],
    ['progress_query', 'ada'],
    ['query_container', 'task::1'],
    ['query_container', 'task::2'],
  ]);
});

const ATOM = 'lattice://atom/atom%3A%3A1';

test('who follows a resource is told of writes in its area, until unsubscribed', async () => {
  const told = (): unknown[] => client.messages.filter(message => message.method === 'notifications/resources/updated').map(message => message.params?.['uri']);
  await client.request('resources/subscribe', { uri: ATOM });
  await client.request('resources/subscribe', { uri: 'lattice://health' });
  host.gateway.records.fire(['work']);
  host.gateway.records.fire(['knowledge']);
  await expect.poll(told).toEqual([ATOM]);
  host.gateway.revisions.fire({ revision: 8, changed: [] });
  await expect.poll(told).toEqual([ATOM, 'lattice://health']);
  await client.request('resources/unsubscribe', { uri: ATOM });
  host.gateway.records.fire(['knowledge']);
  host.gateway.revisions.fire({ revision: 9, changed: [] });
  await expect.poll(told).toEqual([ATOM, 'lattice://health', 'lattice://health']);
});

test('followers of episodes are told who recorded what about which code, not what it says', async () => {
  const row = (id: string, type: string, sessionId = 'other') => ({ id, type, agentId: 'ada', sessionId, entities: ['src/a.ts'] });
  let episodes = [row('episode::1', 'DECISION')];
  host.gateway.answers = { latestEpisodes: () => ({ episodes }) };
  const told = (): unknown[] => client.messages.filter(message => message.method === 'notifications/resources/updated').map(message => message.params);
  await client.request('resources/subscribe', { uri: 'lattice://episodes' });
  await client.request('resources/subscribe', { uri: 'lattice://decisions' });
  await client.call('search_code', { query: 'x' });
  const own = host.gateway.calls.at(-1)?.caller.sessionId;
  episodes = [row('episode::4', 'DECISION'), row('episode::3', 'EDIT', own), row('episode::2', 'EDIT'), ...episodes];
  host.gateway.records.fire(['memory']);
  const news = (id: string, type: string) => ({ episode: { id, type, agentId: 'ada', entities: ['src/a.ts'] } });
  await expect.poll(told).toEqual([
    { uri: 'lattice://episodes', _meta: news('episode::2', 'EDIT') },
    { uri: 'lattice://episodes', _meta: news('episode::4', 'DECISION') },
    { uri: 'lattice://decisions', _meta: news('episode::4', 'DECISION') },
  ]);
});

test('the newer era follows by subscriptions/listen', async () => {
  const modern = new RawClient(host, root);
  await modern.request('server/discover', { _meta: META });
  const acknowledged = modern.next(message => message.method === 'notifications/subscriptions/acknowledged');
  const told = modern.next(message => message.method === 'notifications/resources/updated');
  modern.send({ id: 'sub', method: 'subscriptions/listen', params: { _meta: META, notifications: { resourceSubscriptions: [ATOM] } } });
  await acknowledged;
  host.gateway.records.fire(['work', 'knowledge']);
  expect((await told).params?.['uri']).toBe(ATOM);
});
