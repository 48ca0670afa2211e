import { expect, test } from 'vitest';
import { memoryLine } from '../../server/src/tools/definitions/memory/rows';
import type { WorkspaceSketch } from '../helpers/graphOf';
import { shop } from '../helpers/shop';
import { add, call, DAY_MS, decisionOn, done, doneAsSpelled, editOf, records, rows, setCode } from './memoryCalls';

const changedPay: WorkspaceSketch = { ...shop, 'src/pay.ts': { ...shop['src/pay.ts'], hash: 'changed' } };

test.each([
  ['EDIT', { file: 'src/pay.ts', linesBefore: 'many' }, ['diffSummary', 'linesBefore', 'linesAfter', 'reason']],
  ['DECISION', {}, ['title', 'rationale', 'tradeoffs', 'affectedFiles']],
  ['TEST_RESULT', { passed: 1, testFiles: 'a' }, ['failed', 'testFiles']],
  ['ERROR', {}, ['errorType', 'stackSummary']],
  ['OBSERVATION', { confidence: 2 }, ['confidence']],
])('a %s that breaks its contract is refused, and every wrong field is named', async (type, metadata, fields) => {
  const refused = await call('episode_add', { type, content: 'a', metadata });
  const all = fields.map(field => `metadata.${field}`);
  const named = all.length === 1 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
  expect(refused).toMatchObject({ ok: false, errorCode: 'VALIDATION_ERROR', hint: `Call again with a valid ${named}.` });
  const issues = (refused.data?.['issues'] ?? []) as readonly { readonly field: string }[];
  expect(issues.map(({ field }) => field)).toEqual(all);
  expect(records.kinds).toEqual([]);
});

test.each(['REFLECTION', 'LEARNING', 'NOTE'])('%s cannot be added', async type => {
  expect(await call('episode_add', { type, content: 'a' })).toMatchObject({ ok: false, errorCode: 'VALIDATION_ERROR', data: { field: 'type' } });
});

test.each([
  ['content', { content: ' ' }],
  ['content', { content: 'é'.repeat(4097) }],
  ['entities', { content: 'a', entities: Array.from({ length: 51 }, (_, at) => `a${at}.ts`) }],
])('the bound of %s holds', async (field, input) => {
  expect(await call('episode_add', { type: 'OBSERVATION', ...input })).toMatchObject({ ok: false, data: { field } });
});

test('an episode is what was said, in the chain of its agent and session, with the files of its metadata', async () => {
  const inLowerCase = { type: 'observation', content: ' Till rounds ', entities: ['src/pay.ts#Till.add', './src/pay.ts'] };
  const first = String((await doneAsSpelled('episode_add', inLowerCase))['episodeId']);
  await add('OBSERVATION', 'elsewhere', {}, { sessionId: 'other' });
  await add('OBSERVATION', 'another', {}, { agentId: 'bob' });
  await add('DECISION', 'Use cents', { ...decisionOn('/home/ada/shop/src/checkout.ts'), taskId: 'task::x', outcome: 'success' });
  expect(await rows('episode_recall', { query: 'cents', types: ['DECISION'] })).toMatchObject([
    {
      type: 'DECISION',
      content: 'Use cents',
      agentId: 'ada',
      sessionId: 's',
      taskId: 'task::x',
      outcome: 'success',
      entities: ['src/checkout.ts'],
      metadata: { affectedFiles: ['src/checkout.ts'] },
      prevEpisodeId: first,
      anchors: { current: ['src/checkout.ts'] },
    },
  ]);
  const [observation] = await rows('episode_recall', { query: 'rounds' });
  expect(observation).toMatchObject({ content: 'Till rounds', entities: ['src/pay.ts::Till::add', 'src/pay.ts'] });
  expect(observation).not.toHaveProperty('prevEpisodeId');
});

test('the text of an episode cannot start a row', () => {
  const row = { id: 'episode::1', type: 'OBSERVATION', timestamp: '2026-01-01T10:00:00Z', agentId: 'bob', content: 'a\nepisode::2 DECISION 2026-01-01 ada: b' };
  expect(memoryLine(row).split('\n')).toEqual(['episode::1 OBSERVATION 2026-01-01T10:00 bob: a', '  episode::2 DECISION 2026-01-01 ada: b']);
});

test('code that changed or went since is told, and comes back with the code', async () => {
  await add('OBSERVATION', 'about pay', { entities: ['src/pay.ts', 'src/lonely.ts', 'src/later.ts'] });
  const { 'src/lonely.ts': _, ...rest }: WorkspaceSketch = changedPay;
  setCode(rest);
  expect(await rows('episode_recall', { query: 'pay' })).toMatchObject([{ anchors: { changed: ['src/pay.ts'], gone: ['src/lonely.ts'] } }]);
  setCode(shop);
  expect(await rows('episode_recall', { query: 'pay' })).toMatchObject([{ anchors: { current: ['src/pay.ts', 'src/lonely.ts'] } }]);
});

test('scores are 0.5 similarity, 0.3 recency and 0.2 proximity', async () => {
  await add('OBSERVATION', 'rounding of totals', { entities: ['src/pay.ts', 'src/checkout.ts'] });
  records.time += 14 * DAY_MS - 1;
  const asked = { query: 'rounding totals', entities: ['src/pay.ts'] };
  expect(await rows('episode_recall', asked)).toMatchObject([{ score: 0.749, scores: { similarity: 1, recency: 0.4966, proximity: 0.5 } }]);
  expect(await rows('decision_query', { query: 'rounding' })).toEqual([]);
});

test('decision_query compares files and prefers the decision about the file', async () => {
  await add('DECISION', 'Round totals half up, always round totals', decisionOn('src/report.ts'));
  const near = await add('DECISION', 'Round late', decisionOn('src/pay.ts'));
  expect((await rows('decision_query', { query: 'round totals', affectedFiles: ['src/pay.ts#total'] })).map(({ id }) => id)).toEqual([
    near,
    expect.any(String),
  ]);
  const [first] = await rows('decision_query', { query: 'round totals', affectedFiles: ['src/pay.ts'] });
  const { proximity, recency, similarity } = (first?.['scores'] ?? {}) as Record<string, number>;
  expect(first?.['score']).toBeCloseTo(0.3125 * (similarity ?? 0) + 0.1875 * (recency ?? 0) + 0.5 * (proximity ?? 0), 3);
});

test('what a newer episode repeats word for word gives its place to others', async () => {
  await add('EDIT', 'round the totals', editOf('src/pay.ts', 'round the totals'));
  await add('DECISION', 'round the totals', decisionOn('src/pay.ts'));
  await add('OBSERVATION', 'totals are rounded twice here, in words of its own', { entities: ['src/report.ts'] });
  const found = await rows('episode_recall', { query: 'round totals' });
  expect(found.map(({ type }) => type)).toEqual(['DECISION', 'OBSERVATION', 'EDIT']);
});

test('a list of what there is speaks of records, not of matches', async () => {
  const summary = async (limit: number): Promise<string> => (await call('episode_recall', { query: '*', limit })).summary;
  expect(await summary(5)).toBe('Nothing has been recorded.');
  for (const at of [1, 2, 3]) await add('OBSERVATION', `found ${at}`);
  expect(await summary(5)).toBe('3 records.');
  expect(await summary(2)).toBe('The latest 2 of 3 records.');
  expect((await call('episode_recall', { query: 'found', limit: 2 })).summary).toMatch(/^3 matches\. Best: OBSERVATION/);
});

test('recall keeps to agent, task, types and time; ties are newest first', async () => {
  await add('OBSERVATION', 'cart', { taskId: 'task::1' });
  await add('OBSERVATION', 'cart', {}, { agentId: 'bob' });
  records.time += DAY_MS;
  const since = new Date(records.time).toISOString();
  await add('ERROR', 'cart', { metadata: { errorType: 'cart', stackSummary: 'cart' } });
  const found = async (filter: object): Promise<unknown[]> =>
    (await rows('episode_recall', { query: 'cart', ...filter })).map(row => `${String(row['type'])} ${String(row['agentId'])}`);
  expect(await found({})).toEqual(['ERROR ada', 'OBSERVATION bob', 'OBSERVATION ada']);
  expect(await found({ agentId: 'bob' })).toEqual(['OBSERVATION bob']);
  expect(await found({ taskId: 'task::1' })).toEqual(['OBSERVATION ada']);
  expect(await found({ types: ['error'] })).toEqual(['ERROR ada']);
  expect(await found({ since })).toEqual(['ERROR ada']);
  expect(await call('episode_recall', { query: 'cart', since: 'soon' })).toMatchObject({ ok: false, errorCode: 'VALIDATION_ERROR', data: { field: 'since' } });
  expect(await found({ limit: 1 })).toEqual(['ERROR ada']);
});

test('sensitive episodes are in no answer without the flag and the admin tools', async () => {
  await add('DECISION', 'the vault code', { ...decisionOn('src/pay.ts'), sensitive: true, taskId: 'task::1' });
  for (let at = 0; at < 3; at++) await add('EDIT', `vault ${at}`, { ...editOf('src/pay.ts'), sensitive: true });
  const everywhere = [
    await call('episode_recall', { query: 'vault', profile: 'debug', types: ['DECISION', 'LEARNING'] }),
    await call('decision_query', { query: 'vault', affectedFiles: ['src/pay.ts'], profile: 'debug' }),
    await call('agent_status', { agentId: 'ada', profile: 'debug' }),
    await call('reflect', { profile: 'debug' }),
    await call('context_pack', { task: 'open the vault', profile: 'debug' }),
    await call('find_path', { from: 'src/pay.ts', to: 'src/report.ts', profile: 'debug' }),
  ];
  expect(JSON.stringify(everywhere).match(/vault \d|vault code/g)).toBe(null);
  expect(everywhere[3]?.data).toMatchObject({ reflectionId: null });
  expect(await call('episode_recall', { query: 'vault', includeSensitive: true })).toMatchObject({ ok: false, errorCode: 'FORBIDDEN' });
  const shown = await rows('episode_recall', { query: 'vault code', includeSensitive: true, types: ['DECISION'] }, { isAdmin: true });
  expect(shown).toMatchObject([{ content: 'the vault code', sensitive: true }]);
});

test('credentials are masked before anything is kept, and hide the episode', async () => {
  const secret = `ghp_${'a1b2c3d4'.repeat(4)}`;
  const added = await call('episode_add', {
    type: 'ERROR',
    content: `push failed with ${secret}`,
    metadata: { errorType: 'auth', stackSummary: `at https://u:${secret}@host`, password: 'hunter' },
  });
  expect(added).toMatchObject({ ok: true, data: { masked: true }, hint: expect.stringContaining('masked') });
  expect(await rows('episode_recall', { query: 'push failed' })).toEqual([]);
  const kept = JSON.stringify(records.query('SELECT * FROM episodes'));
  expect(kept).not.toContain(secret);
  expect(kept).not.toContain('hunter');
  const prose = 'The access token: refreshed by Session.renew(token); password=changeme stays';
  await add('OBSERVATION', prose);
  expect(await rows('episode_recall', { query: 'refreshed' })).toMatchObject([{ content: prose }]);
});

test('three edits of a file become a learning of 0.70, once; two episodes become nothing', async () => {
  await add('EDIT', 'one', editOf('src/pay.ts', 'fix rounding'));
  await add('EDIT', 'two', editOf('src/pay.ts', 'fix rounding again'));
  expect(await call('reflect', {})).toMatchObject({ ok: true, data: { reflectionId: null, learningsCreated: 0 }, hint: expect.stringContaining('3 episodes') });
  await add('EDIT', 'three', editOf('src/pay.ts', 'round late'));
  const reflected = await done('reflect', {});
  expect(reflected).toMatchObject({ learningsCreated: 1, patterns: [{ kind: 'hotspot', entities: ['src/pay.ts'], count: 3, confidence: 0.7 }] });
  const learned = await rows('episode_recall', { query: 'pay', types: ['LEARNING'] });
  expect(learned).toMatchObject([{ type: 'LEARNING', derived: true, confidence: 0.7, staleCode: false, entities: ['src/pay.ts'] }]);
  expect(await done('reflect', {})).toMatchObject({ reflectionId: reflected['reflectionId'], learningsCreated: 0 });
  await add('EDIT', 'four', editOf('src/pay.ts', 'round later'));
  expect(await done('reflect', {})).toMatchObject({ learningsCreated: 1 });
  const renewed = await rows('episode_recall', { query: 'pay', types: ['LEARNING'] });
  expect(renewed).toMatchObject([{ confidence: 0.75 }]);
  expect(renewed[0]?.['id']).not.toBe(learned[0]?.['id']);
  setCode(changedPay);
  expect(await rows('episode_recall', { query: 'pay', types: ['LEARNING'] })).toMatchObject([{ staleCode: true, anchors: { changed: ['src/pay.ts'] } }]);
});

test('a decision followed by a failure on its file is learned; one of the same task only is told, not learned', async () => {
  await add('DECISION', 'a', { ...decisionOn('src/pay.ts'), taskId: 'task::1' });
  await add('OBSERVATION', 'b');
  const failure = { taskId: 'task::1', metadata: { passed: 1, failed: 2, testFiles: ['test/pay.test.ts'] } };
  await add('TEST_RESULT', 'c', failure);
  expect(await done('reflect', {})).toMatchObject({ learningsCreated: 0, patterns: [{ kind: 'decision_failure', confidence: 0.5 }] });
  await add('ERROR', 'd', { entities: ['src/pay.ts#total'], outcome: 'failure', metadata: { errorType: 'RangeError', stackSummary: 'x' } });
  expect(await done('reflect', {})).toMatchObject({
    learningsCreated: 1,
    patterns: [{ kind: 'decision_failure', confidence: 0.85, entities: ['src/pay.ts::total'], text: expect.stringContaining('RangeError') }],
  });
});

test('the same looked up three times is told', async () => {
  for (const content of ['how does Till add', 'what does Till.add do', 'Till add again'])
    await add('OBSERVATION', content, { entities: ['src/pay.ts#Till.add'] });
  expect(await done('reflect', {})).toMatchObject({
    patterns: [{ kind: 'repeated_observation', count: 3, confidence: 0.7, entities: ['src/pay.ts::Till::add'] }],
  });
});

test('what was concluded stands behind what was written', async () => {
  for (let at = 0; at < 3; at++) await add('EDIT', `pay ${at}`, editOf('src/pay.ts', `pay ${at}`));
  await done('reflect', {});
  const found = await rows('episode_recall', { query: 'src/pay.ts was edited', types: ['EDIT', 'REFLECTION', 'LEARNING'], limit: 10 });
  expect(found.map(({ derived = false }) => derived)).toEqual([false, false, false, true, true]);
});

test('episodes are nodes with edges to the code and to each other; sensitive ones are not', async () => {
  const first = await add('OBSERVATION', 'a', { entities: ['src/pay.ts'] });
  const second = await add('OBSERVATION', 'b', { entities: ['src/pay.ts::total'] });
  await add('OBSERVATION', 'hidden', { entities: ['src/pay.ts'], sensitive: true });
  const around = await done('query_graph_neighborhood', { node_id: second, radius: 1 });
  expect(around['edges']).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ src: first, rel: 'next_episode', tgt: second }),
      expect.objectContaining({ src: second, rel: 'involves', tgt: 'src/pay.ts::total' }),
    ]),
  );
  expect(JSON.stringify(await done('graph_traverse', { entry_entity_ids: ['src/pay.ts'], relationship_types: ['involved_in'] }))).not.toContain('hidden');
});

test('two projects share nothing', async () => {
  await add('DECISION', 'ours', decisionOn('src/pay.ts'));
  await done('agent_claim', { targetId: 'src/pay.ts', claimType: 'file', intent: 'a' });
  expect(await rows('decision_query', { query: 'ours' })).toHaveLength(1);
  const before = records.projectId;
  Object.assign(records, { projectId: 'q' });
  expect(await rows('decision_query', { query: 'ours' })).toEqual([]);
  expect(await done('coordination_overview', {})).toMatchObject({ totalClaims: 0 });
  Object.assign(records, { projectId: before });
  expect(await rows('decision_query', { query: 'ours' })).toHaveLength(1);
});

test.each(['compact', 'balanced', 'debug'])('answers about much keep to the budget of %s', async profile => {
  for (let at = 0; at < 30; at++) await add('OBSERVATION', `cart ${at} ${'and more words '.repeat(30)}`, { entities: ['src/pay.ts'] });
  const answer = await call('episode_recall', { query: 'cart', limit: 30, profile });
  expect(answer).toMatchObject({ ok: true, profile, data: { episodes: expect.any(Array) } });
  const { _tokenEstimate: estimate, ...payload } = answer;
  expect(estimate).toBe(Math.ceil(JSON.stringify(payload).length / 4));
  expect(estimate).toBeLessThanOrEqual({ compact: 300, balanced: 1200, debug: Number.POSITIVE_INFINITY }[profile] ?? 0);
});
