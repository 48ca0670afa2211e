import { expect, test } from 'vitest';
import { shopTexts } from '../helpers/shop';
import { add, call, decisionOn, done, editOf, setTexts } from './memoryCalls';

const asked = { task: 'change how total sums a bill' };
const onTotal = { targetId: 'src/pay.ts#total', claimType: 'function', intent: 'round late' } as const;

test('a pack brings decisions about its files, what happened there and what was learned, each with why', async () => {
  setTexts(shopTexts);
  const here = await add('DECISION', 'No rounding before the end', decisionOn('src/pay.ts'));
  await add('DECISION', 'Nothing about it', {
    ...decisionOn('src/lonely.ts'),
    metadata: { title: 'Lonely', rationale: 'x', tradeoffs: [], affectedFiles: ['src/lonely.ts'] },
  });
  for (const at of [1, 2, 3]) await add('EDIT', `Step ${at}`, editOf('src/pay.ts', `Step ${at}`));
  await done('reflect', {});
  const pack = await done('context_pack', asked);
  expect(pack['decisions']).toEqual([{ id: here, content: 'Pay in cents: No rounding before the end', at: '2026-01-01', why: ['decided_here'] }]);
  expect(pack['episodes']).toMatchObject([{ type: 'EDIT', content: 'Step 3', why: ['happened_here'] }, {}, {}]);
  expect(pack['learnings']).toMatchObject([{ confidence: 0.7, why: expect.arrayContaining(['learned_here']) }]);
  const without = await done('context_pack', { ...asked, includeDecisions: false, includeEpisodes: false, includeLearnings: false });
  expect(Object.keys(without)).not.toEqual(expect.arrayContaining(['decisions']));
  expect([without['episodes'], without['learnings']]).toEqual([undefined, undefined]);
  expect(without['coreSymbols']).toEqual(
    (await done('context_pack', { ...asked, includeDecisions: false, includeEpisodes: false, includeLearnings: false }))['coreSymbols'],
  );
});

test('another agent on the code is told, oneself is not, and a pack claims nothing', async () => {
  setTexts(shopTexts);
  await done('agent_claim', onTotal, { agentId: 'bob' });
  expect((await done('context_pack', asked))['activeBlockers']).toMatchObject([{ agentId: 'bob', targetId: 'src/pay.ts::total', intent: 'round late' }]);
  expect(await done('context_pack', { ...asked, agentId: 'bob' })).not.toHaveProperty('activeBlockers');
  expect(await done('coordination_overview', {})).toMatchObject({ totalClaims: 1 });
});

test('of many claims those on the first symbols are told', async () => {
  setTexts(shopTexts);
  for (const [at, targetId] of ['src/report.ts', 'src/lonely.ts', 'src/checkout.ts'].entries())
    await done('agent_claim', { targetId, claimType: 'file', intent: `some other work of some length ${at}` }, { agentId: `agent ${at}` });
  await done('agent_claim', onTotal, { agentId: 'bob' });
  const [first] = (await done('context_pack', { ...asked, maxTokens: 400 }))['activeBlockers'] as readonly object[];
  expect(first).toMatchObject({ agentId: 'bob' });
});

test('a task brings its plan, its blockers and who works on it', async () => {
  setTexts(shopTexts);
  const made = async (name: string): Promise<string> =>
    ((await done('manage_container', { operation: 'create', containerType: 'task', name }))['task'] as { id: string }).id;
  const [first, second] = [await made('First'), await made('Second')];
  await done('manage_dependency', { operation: 'add', fromId: first, toId: second });
  await done('manage_sections', { operation: 'create', containerId: second, title: 'Context Files', content: '- src/report.ts' });
  await done('manage_sections', {
    operation: 'create',
    containerId: second,
    title: 'Implementation Plan',
    content: `1. Sum in cents\n2. ${'Round. '.repeat(4_000)}`,
  });
  await done('agent_claim', { targetId: second, claimType: 'task', intent: 'mine' }, { agentId: 'bob' });
  const pack = await done('context_pack', { ...asked, taskId: second, maxTokens: 1200 });
  expect(pack['plan']).toEqual({
    task: { id: second, name: 'Second', status: 'pending' },
    blockers: [expect.stringContaining('First')],
    contextFiles: ['src/report.ts'],
    text: '1. Sum in cents',
  });
  expect(pack['activeBlockers']).toMatchObject([{ targetId: second, agentId: 'bob' }]);
  expect(await call('context_pack', { ...asked, taskId: 'task::x' })).toMatchObject({ ok: false, errorCode: 'NOT_FOUND' });
});

test.each([300, 1200, 4000])('a pack full of memories keeps to %i tokens, has code, and is the same twice', async maxTokens => {
  setTexts(shopTexts);
  for (let at = 0; at < 20; at++) {
    await add('DECISION', `total ${at} ${'sums a bill with care '.repeat(20)}`, decisionOn('src/pay.ts'));
    await add('EDIT', `total ${at} ${'sums a bill '.repeat(20)}`, editOf('src/pay.ts', `total ${at}`));
  }
  await done('agent_claim', onTotal, { agentId: 'bob' });
  const answer = await call('context_pack', { ...asked, maxTokens });
  expect(answer.data).toMatchObject({ coreSymbols: expect.arrayContaining([expect.objectContaining({ symbolName: 'total' })]), activeBlockers: [{}] });
  expect(answer._tokenEstimate).toBeLessThanOrEqual(maxTokens);
  expect(await call('context_pack', { ...asked, maxTokens })).toEqual(answer);
});

test('a memory is found by the code that it names, where the code search finds that', async () => {
  await add('OBSERVATION', 'the numbers drift', { entities: ['src/lonely.ts'] });
  const here = await add('OBSERVATION', 'the numbers drift too', { entities: ['src/pay.ts::total'] });
  const found = (await done('episode_recall', { query: 'numbers of total' }))['episodes'] as { id: string }[];
  expect(found[0]?.id).toBe(here);
});
