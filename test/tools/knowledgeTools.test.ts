import { expect, test } from 'vitest';
import type { Envelope } from '../../server/src/tools/envelope';
import type { Invoked } from '../../server/src/tools/invoke';
import { askNamedTool } from '../helpers/askTool';
import { memoryRecords } from '../helpers/memoryRecords';
import { shop } from '../helpers/shop';
import { workspaceOf } from '../helpers/workspaceOf';

type Input = Readonly<Record<string, unknown>>;
interface Door {
  ask(name: string, input: Input): Promise<Invoked>;
  /** The data of an answer that must be a good one. */
  data(name: string, input: Input): Promise<Readonly<Record<string, unknown>>>;
  /** Id of a new atom. */
  atom(name: string, fields?: Input): Promise<string>;
  molecule(name: string, fields?: Input): Promise<string>;
}

async function door(): Promise<Door> {
  const workspace = workspaceOf(shop, { records: await memoryRecords() });
  const ask = (name: string, input: Input): Promise<Invoked> => askNamedTool(workspace, { name, input, agentId: 'ada', sessionId: 's' });
  const data = async (name: string, input: Input): Promise<Readonly<Record<string, unknown>>> => {
    const { envelope } = await ask(name, input);
    expect(envelope).toMatchObject({ ok: true });
    return envelope.data ?? {};
  };
  const make = async (entityType: string, fields: Input): Promise<string> =>
    String((await data('manage_graph', { operation: 'create', entityType, createdByTaskId: 'manual', ...fields }))['id']);
  return {
    ask,
    data,
    atom: (name, fields = {}) => make('atom', { name, paths: ['src/**'], ...fields }),
    molecule: (name, fields = {}) => make('molecule', { name, ...fields }),
  };
}

test.each([
  ['atom', { paths: ['src/**'] }, { knowledge: '', moleculeId: null, relatedAtoms: [] }],
  ['molecule', {}, { knowledge: '', relatedMolecules: [] }],
] as const)('every write of an %s without content answers all fields of the entity', async (entityType, fields, empty) => {
  const { data } = await door();
  const write = (operation: string, more: Input): Promise<Input> => data('manage_graph', { operation, entityType, ...more });
  const created = await write('create', { name: 'Bare', createdByTaskId: 'manual', ...fields });
  const { id } = created;
  const updated = await write('update', { id, version: 1, name: 'Still bare', lastTaskId: 'manual' });
  const restored = await write('update', { id, version: 2, restoreVersion: 1, lastTaskId: 'manual' });
  const read = (await data('query_graph', { operation: 'get', entityType, id }))[entityType] as Input;
  const common = ['id', 'projectId', 'name', 'knowledge', 'version', 'createdByTaskId', 'lastTaskId', 'createdAt', 'updatedAt'];
  const declared = [...new Set([...common, ...Object.keys(empty), ...Object.keys(fields)])];
  for (const answer of [created, updated, restored]) {
    expect(answer).toMatchObject({ id, ...empty, ...fields });
    expect(Object.keys(answer).sort()).toEqual([...declared].sort());
  }
  expect(Object.keys(read)).toEqual(expect.arrayContaining(declared));
  expect(await write('delete', { id, version: 3 })).toEqual({ deletedId: id, orphanedAtomIds: [], deletedAtomIds: [] });
});

test('an impact names the knowledge about what changes, also where its lists have no room', async () => {
  const { ask, atom, molecule } = await door();
  const moleculeId = await molecule('Prices');
  for (const name of ['Totals are in cents', 'Tills are never shared', 'x'.repeat(120)]) await atom(name, { moleculeId, paths: ['src/pay.ts'] });
  for (const profile of ['compact', 'balanced', 'debug'] as const) {
    const { envelope } = await ask('impact_analyze', { target: 'src/pay.ts::total', profile, maxTokens: 180 });
    expect(envelope.data).not.toHaveProperty('atoms');
    expect(envelope.summary).toMatch(/ Knowledge: (?:Totals are in cents|Tills are never shared), .* and [12] more\.$/);
    expect(envelope.hint).toMatch(/atoms \(3\)/);
  }
});

test('what an agent notes is found by file, under its molecule', async () => {
  const { atom, data, molecule } = await door();
  const api = await molecule('API Layer', { knowledge: 'Money is in cents.' });
  const pay = await atom('Pay', { paths: 'src/{pay,checkout}.ts, lib/**', moleculeId: api, knowledge: 'See `src/pay.ts::total`.' });
  await data('manage_changelog', { operation: 'append', parentType: 'atom', parentId: pay, taskId: 'manual', summary: 'Split off.' });
  const found = await data('query_graph', { operation: 'context', paths: 'src/pay.ts,docs/a.md' });
  expect(found).toEqual({
    molecules: [
      {
        id: api,
        name: 'API Layer',
        knowledge: 'Money is in cents.',
        atoms: [
          {
            id: pay,
            name: 'Pay',
            knowledge: 'See `src/pay.ts::total`.',
            matchedPaths: ['src/pay.ts'],
            relatedAtoms: [],
            changelog: [{ taskId: 'manual', summary: 'Split off.', createdAt: '2026-01-01T00:00:00.002Z' }],
            anchors: { current: ['src/pay.ts::total', 'src/{pay,checkout}.ts', 'lib/**'] },
          },
        ],
      },
    ],
    orphanAtoms: [],
    unmatchedPaths: ['docs/a.md'],
  });
});

test('the text of an answer names entities, files and gaps', async () => {
  const { ask, atom } = await door();
  const id = await atom('Everything', { knowledge: 'Line one.\n\nLine two.' });
  const { text } = await ask('query_graph', { operation: 'context', paths: ['src/pay.ts', 'x.md'] });
  expect(text.split('\n')).toEqual([
    '1 atom in 0 molecules covers these files; 1 path not covered.',
    `Everything (${id})`,
    '  files: src/pay.ts',
    '  Line one.',
    '  ',
    '  Line two.',
    'Not covered: x.md',
    '[rev 2 · abc123def456]',
  ]);
});

test.each([
  ['query_graph', { operation: 'context' }, 'paths'],
  ['query_graph', { operation: 'get', entityType: 'atom' }, 'id'],
  ['query_graph', { operation: 'search' }, 'entityType'],
  ['query_graph', { operation: 'search', entityType: 'atom', limit: 101 }, 'limit'],
  ['query_graph', { operation: 'search', entityType: 'molecule', orphansOnly: true }, 'orphansOnly'],
  ['query_graph', { operation: 'search', entityType: 'atom', orphansOnly: true, moleculeId: 'x' }, 'orphansOnly'],
  ['manage_graph', { operation: 'create', entityType: 'atom', name: 'A', paths: ['a'] }, 'createdByTaskId'],
  ['manage_graph', { operation: 'create', entityType: 'atom', name: 'A', createdByTaskId: 'manual' }, 'paths'],
  ['manage_graph', { operation: 'create', entityType: 'atom', paths: ['a'], createdByTaskId: 'manual' }, 'name'],
  ['manage_graph', { operation: 'create', entityType: 'molecule', name: 'M', paths: ['a'], createdByTaskId: 'manual' }, 'paths'],
  ['manage_graph', { operation: 'create', entityType: 'molecule', name: 'M', relatedAtoms: [], createdByTaskId: 'manual' }, 'relatedAtoms'],
  ['manage_graph', { operation: 'update', entityType: 'atom', id: 'x' }, 'version'],
  ['manage_graph', { operation: 'delete', entityType: 'atom', version: 1 }, 'id'],
  ['manage_changelog', { operation: 'append', parentType: 'atom', parentId: 'x', taskId: 'manual' }, 'summary'],
  ['manage_changelog', { operation: 'append', parentType: 'atom', parentId: 'x', summary: 'S' }, 'taskId'],
])('%s %j is refused for %s, with a hint', async (name, input, field) => {
  const { ask } = await door();
  const { envelope } = await ask(name, input);
  expect(envelope).toMatchObject({ ok: false, errorCode: 'VALIDATION_ERROR', hint: expect.stringMatching(/\w/), data: { field } });
  expect(envelope.data?.['issues']).toBeInstanceOf(Array);
});

test.each([
  ['query_graph', { operation: 'search', language: 'cypher' }, 'graph_query'],
  ['graph_query', { query: 'x', operation: 'context' }, 'query_graph'],
])('%s given parameters of its neighbor names it', async (name, input, neighbor) => {
  const { ask } = await door();
  expect((await ask(name, input)).envelope).toMatchObject({ errorCode: 'VALIDATION_ERROR', hint: expect.stringContaining(neighbor) });
});

test('an old version is told the current one; null takes an atom out of its molecule', async () => {
  const { ask, atom, data, molecule } = await door();
  const api = await molecule('API');
  const id = await atom('A', { moleculeId: api });
  const update = { operation: 'update', entityType: 'atom', id, lastTaskId: 'manual' };
  expect(await data('manage_graph', { ...update, version: 1, moleculeId: null })).toMatchObject({ id, version: 2 });
  expect(await data('query_graph', { operation: 'get', entityType: 'atom', id })).toMatchObject({ atom: { moleculeId: null, version: 2 } });
  expect((await ask('manage_graph', { ...update, version: 1, name: 'B' })).envelope).toMatchObject({
    errorCode: 'CONFLICT',
    data: { currentVersion: 2 },
    hint: expect.stringContaining('version 2'),
  });
});

test('every call but a read answers ok once it is written, whatever the budget', async () => {
  const { ask, atom } = await door();
  const id = await atom('n'.repeat(255));
  const { envelope } = await ask('manage_graph', {
    operation: 'update',
    entityType: 'atom',
    id,
    version: 1,
    knowledge: 'k'.repeat(3000),
    lastTaskId: 'manual',
    maxTokens: 50,
  });
  expect(envelope).toMatchObject({ ok: true, data: { id, name: 'n'.repeat(255), version: 2 } });
  expect(envelope.data).not.toHaveProperty('knowledge');
});

const paragraph = (name: string, at: number): string => `${name} ${at}: ${'word '.repeat(30)}end.`;

async function pages(ask: Door['ask'], input: Input): Promise<readonly Envelope[]> {
  const seen: Envelope[] = [];
  for (let cursor: unknown; seen.length === 0 || cursor !== undefined; cursor = seen.at(-1)?.data?.['nextCursor']) {
    const { envelope } = await ask('query_graph', cursor === undefined ? input : { ...input, cursor });
    expect(envelope).toMatchObject({ ok: true });
    seen.push(envelope);
    expect(seen.length).toBeLessThan(200);
  }
  return seen;
}

/** Names of atoms in order, and all knowledge by id, from the pages of one question. */
function gathered(envelopes: readonly Envelope[]): { readonly names: readonly string[]; readonly texts: ReadonlyMap<string, string> } {
  const names: string[] = [];
  const texts = new Map<string, string>();
  for (const { data = {} } of envelopes) {
    const molecules = (data['molecules'] ?? []) as readonly Record<string, unknown>[];
    const atoms = [
      ...molecules.flatMap(molecule => molecule['atoms'] as Record<string, unknown>[]),
      ...((data['orphanAtoms'] ?? []) as Record<string, unknown>[]),
    ];
    names.push(...atoms.map(atom => String(atom['name'])));
    for (const entity of [...molecules, ...atoms]) if (typeof entity['knowledge'] === 'string') texts.set(String(entity['id']), entity['knowledge']);
    for (const block of (data['knowledge'] ?? []) as readonly { id: string; text: string }[]) {
      const before = texts.get(block.id);
      texts.set(block.id, before === undefined ? block.text : `${before}\n\n${block.text}`);
    }
  }
  return { names, texts };
}

test.each([
  [6, 12, 1200],
  [3, 1, 1200],
  [60, 1, 1200],
  [6, 12, 300],
  [40, 2, 300],
])('a context of %i atoms with %i paragraphs lists every atom and pages to the end within %i tokens', async (atoms, paragraphs, maxTokens) => {
  const { ask, atom, molecule } = await door();
  const group = await molecule('Group', { knowledge: paragraph('group', 0) });
  const knowledge = new Map([[group, paragraph('group', 0)]]);
  const names = Array.from({ length: atoms }, (_, at) => `atom ${String(at).padStart(2, '0')}`);
  for (const name of names) {
    const text = Array.from({ length: paragraphs }, (_, at) => paragraph(name, at)).join('\n\n');
    knowledge.set(await atom(name, { knowledge: text, moleculeId: group }), text);
  }
  const answers = await pages(ask, { operation: 'context', paths: ['src/pay.ts'], maxTokens });
  for (const answer of answers) expect(answer._tokenEstimate).toBeLessThanOrEqual(maxTokens);
  const { names: listed, texts } = gathered(answers);
  expect(listed).toEqual(names);
  expect(texts).toEqual(knowledge);
});

test('an entity whose knowledge is too long comes without it, and the cursor gives it in paragraphs', async () => {
  const { ask, atom } = await door();
  const text = Array.from({ length: 60 }, (_, at) => paragraph('p', at)).join('\n\n');
  const id = await atom('Long', { knowledge: text });
  const answers = await pages(ask, { operation: 'get', entityType: 'atom', id });
  expect(answers[0]).toMatchObject({ data: { atom: { id, name: 'Long', version: 1 } }, hint: expect.stringContaining('omitted') });
  expect(answers[0]?.data?.['atom']).not.toHaveProperty('knowledge');
  expect(gathered(answers).texts.get(id)).toBe(text);
  expect((await ask('query_graph', { operation: 'get', entityType: 'atom', id, profile: 'debug' })).envelope).toMatchObject({
    data: { atom: { knowledge: text } },
  });
});

test('a search pages by cursor and by offset; what does not fit is told by name', async () => {
  const { ask, atom, data } = await door();
  for (let at = 0; at < 30; at++) await atom(`atom ${String(at).padStart(2, '0')}`, { knowledge: paragraph('shared', at) });
  const answers = await pages(ask, { operation: 'search', entityType: 'atom', query: 'SHARED' });
  const names = answers.flatMap(answer => ((answer.data?.['items'] ?? []) as readonly { name: string }[]).map(item => item.name));
  expect(names).toEqual(Array.from({ length: 30 }, (_, at) => `atom ${String(at).padStart(2, '0')}`));
  expect(await data('query_graph', { operation: 'search', entityType: 'atom', offset: 29, limit: 5 })).toMatchObject({
    items: [{ name: 'atom 29', knowledge: paragraph('shared', 29) }],
    total: 30,
    limit: 5,
    offset: 29,
  });
});

test('versions are read, paged, and written again; what was deleted too', async () => {
  const { ask, atom, data } = await door();
  const id = await atom('A', { knowledge: 'version 1' });
  const write = { operation: 'update', entityType: 'atom', id, lastTaskId: 'manual' };
  for (let version = 1; version < 30; version++) await data('manage_graph', { ...write, version, knowledge: `version ${version + 1}` });
  const get = { operation: 'get', entityType: 'atom', id };
  expect(await data('query_graph', get)).not.toHaveProperty('history');
  expect(await data('query_graph', { ...get, version: 7 })).toMatchObject({ atom: { version: 7, knowledge: 'version 7' } });
  const first = await data('query_graph', { ...get, history: true, limit: 2 });
  const txId = expect.stringMatching(/^tx-/);
  const newest = { version: 30, changedFields: ['knowledge'], taskId: 'manual', agentId: 'ada', txId, at: expect.stringMatching(/^2026-/) };
  expect(first).toMatchObject({ atom: { knowledge: 'version 30' }, history: [newest, { version: 29 }], total: 30 });
  const answers = await pages(ask, { ...get, history: true, limit: 100 });
  const seen = answers.flatMap(answer => ((answer.data?.['history'] ?? []) as readonly { version: number }[]).map(({ version }) => version));
  expect(seen).toEqual(Array.from({ length: 30 }, (_, at) => 30 - at));
  expect(answers.length).toBeGreaterThan(1);
  expect((await ask('query_graph', { ...get, history: true, limit: 1 })).text).toMatch(/v30 2026-\S+ knowledge \(ada, manual\)/);

  expect((await ask('query_graph', { ...get, version: 31 })).envelope).toMatchObject({ errorCode: 'NOT_FOUND', data: { suggestions: [30, 29, 28, 27, 26] } });
  expect(await data('manage_graph', { ...write, version: 30, restoreVersion: 7 })).toMatchObject({ version: 31 });
  expect((await ask('manage_graph', { ...write, version: 31, restoreVersion: 7, name: 'B' })).envelope).toMatchObject({ errorCode: 'VALIDATION_ERROR' });
  await data('manage_graph', { operation: 'delete', entityType: 'atom', id, version: 31 });
  expect((await ask('query_graph', get)).envelope).toMatchObject({ errorCode: 'NOT_FOUND', hint: expect.stringContaining('restoreVersion') });
  const deletedAt = expect.stringMatching(/^2026-/);
  expect(await data('query_graph', { ...get, history: true })).toMatchObject({ deletedAt, atom: { knowledge: 'version 7' }, total: 31 });
  expect(await data('query_graph', { ...get, version: 30 })).toMatchObject({ deletedAt, atom: { knowledge: 'version 30' } });
  expect(await data('manage_graph', { ...write, version: 31, restoreVersion: 31 })).toMatchObject({ version: 32 });
  expect(await data('query_graph', get)).toMatchObject({ atom: { version: 32, knowledge: 'version 7' } });
});

test('five entries of the changelog stand inline, newest first, or as many as asked for', async () => {
  const { atom, data } = await door();
  const id = await atom('A');
  const append = { operation: 'append', parentType: 'atom', parentId: id, taskId: 'manual' };
  for (let at = 0; at < 7; at++) await data('manage_changelog', { ...append, summary: `entry ${at}` });
  const inline = async (more: Input): Promise<unknown> => {
    const { atom: got } = await data('query_graph', { operation: 'get', entityType: 'atom', id, ...more });
    const { orphanAtoms } = await data('query_graph', { operation: 'context', paths: ['src/pay.ts'], ...more });
    const logs = [got, (orphanAtoms as readonly unknown[])[0]].map(one => (one as { changelog?: readonly { summary: string }[] }).changelog);
    expect(logs[0]?.map(({ summary }) => summary)).toEqual(logs[1]?.map(({ summary }) => summary));
    return logs[1]?.map(({ summary }) => summary);
  };
  expect(await inline({})).toEqual(['entry 6', 'entry 5', 'entry 4', 'entry 3', 'entry 2']);
  expect(await inline({ changelogLimit: 1 })).toEqual(['entry 6']);
  expect(await inline({ includeChangelog: false })).toBeUndefined();
});

test('the changelog pages newest first and never changes', async () => {
  const { atom, data } = await door();
  const parentId = await atom('A');
  for (let at = 0; at < 25; at++)
    await data('manage_changelog', { operation: 'append', parentType: 'atom', parentId, taskId: 'manual', summary: `entry ${at}` });
  const first = await data('manage_changelog', { operation: 'search', parentType: 'atom', parentId, profile: 'debug' });
  expect(first).toMatchObject({ total: 25, limit: 20, offset: 0, nextCursor: expect.any(String) });
  const next = await data('manage_changelog', { operation: 'search', parentType: 'atom', parentId, profile: 'debug', cursor: first['nextCursor'] });
  const summaries = [first, next].flatMap(page => (page['entries'] as readonly { summary: string }[]).map(entry => entry.summary));
  expect(summaries).toEqual(Array.from({ length: 25 }, (_, at) => `entry ${24 - at}`));
});
