import { expect, test } from 'vitest';
import { type Asked, call, done, feature, type Item, task } from './workCalls';

test('sections are kept in order, by version, with their bounds', async () => {
  const { id } = await task();
  const add = async (title: string, more: Asked = {}): Promise<readonly Item[]> =>
    (await done('manage_sections', { operation: 'create', containerId: id, title, ...more }))['sections'] as readonly Item[];
  const titles = (rows: unknown): unknown[] => (rows as readonly Item[]).map(row => `${String(row['title'])} ${String(row['ordinal'])}`);
  await add('Notes', { content: ' n ' });
  const [, plan] = await add('Implementation Plan');
  expect(titles(await add('Context Files', { ordinal: 0 }))).toEqual(['Context Files 0', 'Notes 1', 'Implementation Plan 2']);
  const planId = plan?.id ?? '';
  expect(await call('manage_sections', { operation: 'update', id: planId, version: 1, content: 'x' })).toMatchObject({
    ok: false,
    errorCode: 'CONFLICT',
    data: { currentVersion: 2 },
  });
  const updated = await done('manage_sections', { operation: 'update', id: planId, version: 2, content: 'steps', title: 'Plan' });
  expect(updated).toMatchObject({ sectionId: planId, sections: [{}, { content: 'n' }, { title: 'Plan', content: 'steps', version: 3, ordinal: 2 }] });
  const moved = await done('manage_sections', { operation: 'reorder', containerId: id, id: planId, ordinal: 0 });
  expect(titles(moved['sections'])).toEqual(['Plan 0', 'Context Files 1', 'Notes 2']);
  const [first = '', , third = ''] = (moved['sections'] as readonly Item[]).map(section => section.id);
  expect(titles((await done('manage_sections', { operation: 'reorder', containerId: id, ids: [third, first] }))['sections'])).toEqual([
    'Notes 0',
    'Plan 1',
    'Context Files 2',
  ]);
  expect(titles((await done('manage_sections', { operation: 'delete', id: planId, version: 5 }))['sections'])).toEqual(['Notes 0', 'Context Files 1']);
  expect(titles((await done('query_sections', { containerId: id, title: 'notes' }))['sections'])).toEqual(['Notes 0']);
});

test.each([
  [{ operation: 'create', title: 'a' }, 'VALIDATION_ERROR'],
  [{ operation: 'create', containerId: 'task::x', title: 'a' }, 'NOT_FOUND'],
  [{ operation: 'create', containerId: 'T' }, 'VALIDATION_ERROR'],
  [{ operation: 'create', containerId: 'T', title: '' }, 'VALIDATION_ERROR'],
  [{ operation: 'create', containerId: 'T', title: 'a', content: 'x'.repeat(32_769) }, 'VALIDATION_ERROR'],
  [{ operation: 'update', id: 'section::x', version: 1, title: 'a' }, 'NOT_FOUND'],
  [{ operation: 'delete', id: 'section::x' }, 'VALIDATION_ERROR'],
  [{ operation: 'reorder', containerId: 'T', ids: ['section::x'] }, 'NOT_FOUND'],
  [{ operation: 'reorder', containerId: 'T' }, 'VALIDATION_ERROR'],
])('manage_sections refuses %j with %s', async (input, errorCode) => {
  const { id } = await task();
  const asked = Object.fromEntries(Object.entries(input).map(([key, value]) => [key, value === 'T' ? id : value]));
  expect(await call('manage_sections', asked)).toMatchObject({ ok: false, errorCode });
});

test('a section holds 32 KB and no more; what does not fit an answer is outlined', async () => {
  const { id } = await task();
  const full = await call('manage_sections', { operation: 'create', containerId: id, title: 'Notes', content: 'x'.repeat(32_768) });
  expect(full).toMatchObject({ ok: true, data: { sections: [{ title: 'Notes', version: 1 }] } });
  expect(((full.data ?? {})['sections'] as readonly Item[])[0]).not.toHaveProperty('content');
  expect(full.hint).toContain('query_sections');
  const whole = (await done('query_sections', { containerId: id }))['sections'] as readonly Item[];
  expect(String(whole[0]?.['content'])).toHaveLength(32_768);
});

test('templates bring the sections that are missing, and only to what they are for', async () => {
  const sections = [{ title: 'Notes', content: 'n' }, { title: 'Context Files' }];
  const { template } = await done('manage_template', { operation: 'create', name: 'Usual', sections });
  const { id } = template as Item;
  expect(template).toMatchObject({
    name: 'Usual',
    containerType: 'task',
    sections: [
      { title: 'Notes', content: 'n', ordinal: 0 },
      { title: 'Context Files', content: '', ordinal: 1 },
    ],
  });
  const made = await task('a', { templateId: id });
  expect((await done('query_container', { operation: 'get', id: made.id }))['sections']).toMatchObject([
    { title: 'Notes', content: 'n' },
    { title: 'Context Files' },
  ]);
  const other = await task('b');
  await done('manage_sections', { operation: 'create', containerId: other.id, title: 'notes', content: 'own' });
  expect(await done('manage_template', { operation: 'apply', id, targetId: other.id })).toEqual({ containerId: other.id, added: ['Context Files'] });
  expect((await done('query_sections', { containerId: other.id }))['sections']).toMatchObject([
    { content: 'own', ordinal: 0 },
    { title: 'Context Files', ordinal: 1 },
  ]);
  expect(await done('manage_template', { operation: 'apply', id, targetId: other.id })).toEqual({ containerId: other.id, added: [] });
  const parent = await feature();
  expect(await call('manage_template', { operation: 'apply', id, targetId: parent.id })).toMatchObject({ ok: false, errorCode: 'INVARIANT_VIOLATION' });
  expect(await call('manage_template', { operation: 'create', name: 'usual' })).toMatchObject({ ok: false, errorCode: 'VALIDATION_ERROR' });
  expect(await call('manage_template', { operation: 'create', name: 'x', sections: [{ title: 'a' }, { title: 'A' }] })).toMatchObject({
    ok: false,
    errorCode: 'VALIDATION_ERROR',
  });
  await done('manage_template', { operation: 'update', id, name: 'Renamed' });
  expect((await done('manage_template', { operation: 'list' }))['templates']).toEqual([
    { id, name: 'Renamed', containerType: 'task', titles: ['Notes', 'Context Files'] },
  ]);
  expect(await done('manage_template', { operation: 'delete', id })).toEqual({ deletedId: id });
  expect(await call('manage_template', { operation: 'delete', id })).toMatchObject({ ok: false, errorCode: 'NOT_FOUND' });
});

test('tags are unique whatever their case; renaming and deleting reach what bears them', async () => {
  const { tag } = await done('manage_tag', { operation: 'create', name: 'Money' });
  const { id } = tag as Item;
  expect(await call('manage_tag', { operation: 'create', name: 'MONEY' })).toMatchObject({ ok: false, errorCode: 'VALIDATION_ERROR', hint: 'Use Money.' });
  const bearer = await task('a', { tags: ['money'] });
  expect(bearer['tags']).toEqual(['Money']);
  const other = await task('b');
  expect(await done('manage_tag', { operation: 'apply', id: 'MONEY', targetId: other.id })).toEqual({ containerId: other.id, tags: ['Money'] });
  await done('manage_tag', { operation: 'update', id, name: 'Cash' });
  expect((await done('query_container', { operation: 'search', tags: ['cash'] }))['items']).toMatchObject([
    { name: 'a', tags: ['Cash'], version: 2 },
    { name: 'b', version: 3 },
  ]);
  expect((await done('manage_tag', { operation: 'list' }))['tags']).toEqual([{ id, name: 'Cash' }]);
  expect(await done('manage_tag', { operation: 'delete', id })).toEqual({ deletedId: id, untaggedIds: [bearer.id, other.id] });
  expect((await done('query_container', { operation: 'get', id: bearer.id }))['task']).toMatchObject({ tags: [], version: 3 });
});

test('search finds words in names before words in summaries, filters, and pages', async () => {
  const parent = await feature();
  await task('the summary says card', { summary: 'pay by other means' });
  await task('pay by card', { parentId: parent.id, tags: ['x', 'y'] });
  await task('else', { tags: ['x'], priority: 'high' });
  const names = async (input: Asked): Promise<unknown[]> =>
    ((await done('query_container', { operation: 'search', ...input }))['items'] as readonly Item[]).map(item => item['name']);
  expect(await names({ query: 'CARD pay' })).toEqual(['pay by card', 'the summary says card']);
  expect(await names({ tags: ['X'] })).toEqual(['else', 'pay by card']);
  expect(await names({ tags: ['x', 'y'] })).toEqual(['pay by card']);
  expect(await names({ tags: ['unknown'] })).toEqual([]);
  expect(await names({ featureId: parent.id })).toEqual(['pay by card']);
  expect(await names({ status: ['in_progress', 'blocked'] })).toEqual([]);
  expect(await names({ containerType: 'feature' })).toEqual(['Checkout']);
  expect(await names({ limit: 1, offset: 1 })).toEqual(['the summary says card']);
  expect(await done('query_container', { operation: 'search', limit: 2 })).toMatchObject({ total: 3, limit: 2, offset: 0, nextCursor: expect.any(String) });
  expect(await call('query_container', { operation: 'search', limit: 101 })).toMatchObject({ ok: false, errorCode: 'VALIDATION_ERROR' });
});

test.each(['query_container', 'progress_query'])('%s pages to the end within its budget', async name => {
  for (let at = 0; at < 30; at++) await task(`task ${at}`);
  const seen: string[] = [];
  let cursor: unknown;
  for (let page = 0; page < 40; page++) {
    const envelope = await call(name, {
      profile: 'compact',
      ...(name === 'query_container' ? { operation: 'search' } : {}),
      ...(cursor === undefined ? {} : { cursor }),
    });
    expect(envelope._tokenEstimate).toBeLessThanOrEqual(300);
    seen.push(...((envelope.data ?? {})['items'] as readonly Item[]).map(item => item.id));
    cursor = (envelope.data ?? {})['nextCursor'];
    if (cursor === undefined) break;
  }
  expect(new Set(seen).size).toBe(30);
  expect(seen).toHaveLength(30);
});

test('progress, feature status and blocking issues agree', async () => {
  const parent = await feature();
  const make = (name: string): Promise<Item> => task(name, { parentId: parent.id });
  const [a, b, c, d, e] = [await make('a'), await make('b'), await make('c'), await make('d'), await make('e')];
  await done('task_update', { taskId: a.id, status: 'completed' });
  await done('terminate', { id: b.id, version: 1, reason: 'x' });
  await done('manage_dependency', { operation: 'add', fromId: b.id, toId: c.id });
  await done('block', { id: d.id, version: 1, reason: 'no key' });
  await done('manage_dependency', { operation: 'add', fromId: d.id, toId: e.id });
  await task('of nobody');
  const status = await done('feature_status', { featureId: parent.id });
  const blocked = [
    { task: { id: c.id, name: 'c', status: 'pending' }, reasons: [{ kind: 'terminated', id: b.id }] },
    { task: { id: d.id, name: 'd', status: 'blocked' }, reasons: [{ kind: 'manual', id: d.id, reason: 'no key' }] },
    { task: { id: e.id, name: 'e', status: 'pending' }, reasons: [{ kind: 'open', id: d.id }] },
  ];
  expect(status).toMatchObject({
    counts: { pending: 2, in_progress: 0, in_review: 0, completed: 1, blocked: 1, terminated: 1 },
    percentComplete: 25,
    blockers: blocked,
    codeCoverage: { implementing: 0 },
  });
  expect(await done('blocking_issues', { featureId: parent.id })).toMatchObject({ blocked, claimConflicts: [], failedTests: [] });
  expect(await done('progress_query', { featureId: parent.id, blockedOnly: true })).toMatchObject({
    total: 3,
    counts: { pending: 2, blocked: 1 },
    items: [{ blockedBy: [b.id] }, {}, {}],
  });
  expect(await done('progress_query', { type: 'feature' })).toMatchObject({ total: 1, items: [{ id: parent.id }] });
  expect(await done('progress_query', { agentId: 'ada' })).toMatchObject({ total: 0 });
  expect(await done('query_container', { operation: 'overview' })).toMatchObject({
    features: [{ id: parent.id, total: 5, percentComplete: 25 }],
    withoutFeature: { pending: 1, completed: 0 },
  });
  expect(await call('feature_status', { featureId: 'feature::x' })).toMatchObject({ ok: false, errorCode: 'NOT_FOUND' });
});

test('feature status counts the code that its tasks name: indexed, tested, covered by knowledge', async () => {
  const parent = await feature();
  const { id } = await task('a', { parentId: parent.id });
  await done('manage_sections', {
    operation: 'create',
    containerId: id,
    title: 'Context Files',
    content: '- src/pay.ts\n- src/pay.ts#total\n- src/report.ts\n- src/gone.ts',
  });
  await done('manage_graph', { operation: 'create', entityType: 'atom', name: 'Pay', paths: ['src/pay.ts'], createdByTaskId: id });
  expect((await done('feature_status', { featureId: parent.id }))['codeCoverage']).toEqual({ implementing: 3, tested: 2, withAtoms: 2 });
});

test('a task is given with what is known about its Context Files', async () => {
  const { id } = await task();
  const get = { operation: 'get', id, includeGraphContext: true } as const;
  expect((await done('query_container', get))['graphContext']).toEqual({ molecules: [], orphanAtoms: [], unmatchedPaths: [] });
  await done('manage_sections', {
    operation: 'create',
    containerId: id,
    title: 'CONTEXT FILES',
    content: 'src/pay.ts:10-20, `src/cart.ts` - the cart\nsrc/*.ts',
  });
  await done('manage_graph', { operation: 'create', entityType: 'atom', name: 'Pay', paths: ['src/pay*'], knowledge: 'Round once.', createdByTaskId: id });
  const { graphContext } = await done('query_container', get);
  expect(graphContext).toMatchObject({
    molecules: [],
    orphanAtoms: [{ name: 'Pay', knowledge: 'Round once.', matchedPaths: ['src/pay.ts'] }],
    unmatchedPaths: ['src/cart.ts'],
  });
  expect(await done('query_container', { operation: 'get', id })).not.toHaveProperty('graphContext');
  const small = await call('query_container', { ...get, profile: 'compact' });
  expect(small).toMatchObject({ ok: true, data: { graphContext: { orphanAtoms: [{ name: 'Pay' }] } } });
  expect(small._tokenEstimate).toBeLessThanOrEqual(300);
});

test.each([
  ['compact', 300],
  ['balanced', 1200],
  [undefined, 1200],
] as const)(
  'a task with far more around it than fits is answered within the budget of profile %s, and what is held back is counted',
  async (profile, budget) => {
    const { id } = await task('Pay by card', { summary: 'What it is for. '.repeat(20) });
    await done('manage_sections', { operation: 'create', containerId: id, title: 'Context Files', content: 'src/pay.ts\nsrc/cart.ts' });
    for (let at = 0; at < 8; at++) await done('manage_sections', { operation: 'create', containerId: id, title: `Notes ${at}`, content: 'x'.repeat(2000) });
    for (let at = 0; at < 25; at++) {
      const { id: blocker } = await task(`Blocker ${at} with a name that takes room`);
      await done('manage_dependency', { operation: 'add', fromId: blocker, toId: id });
    }
    for (let at = 0; at < 6; at++) {
      const knowledge = 'Round once. '.repeat(60);
      await done('manage_graph', { operation: 'create', entityType: 'atom', name: `Pay ${at}`, paths: ['src/pay*'], knowledge, createdByTaskId: id });
    }
    const envelope = await call('query_container', {
      operation: 'get',
      id,
      includeGraphContext: true,
      history: true,
      ...(profile === undefined ? {} : { profile }),
    });
    expect(envelope).toMatchObject({ ok: true, data: { task: { id, status: 'pending' } } });
    expect(envelope._tokenEstimate).toBeLessThanOrEqual(budget);
    expect(envelope.hint).toMatch(/\d+ of 25 dependencies/);
    const data = envelope.data ?? {};
    const shown = (data['dependencies'] as readonly unknown[] | undefined)?.length ?? 0;
    expect(Number(/(\d+) of 25 dependencies/.exec(envelope.hint ?? '')?.[1])).toBe(25 - shown);
    if (profile === 'compact') return;
    expect(data).toMatchObject({ sections: expect.any(Array), graphContext: { orphanAtoms: expect.any(Array) } });
    expect((data['graphContext'] as { orphanAtoms: readonly unknown[] }).orphanAtoms).toHaveLength(6);
    expect(envelope.hint).toContain('Omitted: the text of 6 atoms and molecules');
  },
);

test('knowledge survives the task that made it; a deleted task can write no more', async () => {
  const { id } = await task();
  const { id: atomId } = await done('manage_graph', { operation: 'create', entityType: 'atom', name: 'Pay', paths: ['src/pay.ts'], createdByTaskId: id });
  await done('manage_container', { operation: 'delete', containerType: 'task', id, version: 1 });
  expect((await done('query_graph', { operation: 'get', entityType: 'atom', id: String(atomId) }))['atom']).toMatchObject({ createdByTaskId: id });
  const late = await call('manage_changelog', { operation: 'append', parentType: 'atom', parentId: atomId, taskId: id, summary: 'x' });
  expect(late).toMatchObject({ ok: false, errorCode: 'NOT_FOUND' });
});
