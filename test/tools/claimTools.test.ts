import { expect, test } from 'vitest';
import type { ToolInput } from '../../server/protocol/requests';
import { endChangedClaims, releaseAll } from '../../server/src/features/memory/claims';
import type { WorkspaceSketch } from '../helpers/graphOf';
import { SOMEBODY } from '../helpers/memoryRecords';
import { shop, shopTexts } from '../helpers/shop';
import { workspaceOf } from '../helpers/workspaceOf';
import { add, call, code, DAY_MS, done, editOf, records, root, rows, setCode, setRoot, setTexts } from './memoryCalls';

const bob = { agentId: 'bob' };
const onTotal = { targetId: 'src/pay.ts#total', claimType: 'function', intent: 'round late' } as const;

/** The shop with another `total`, its lines moved down. */
const otherTotal: WorkspaceSketch = {
  ...shop,
  'src/pay.ts': {
    ...shop['src/pay.ts'],
    hash: 'pay 2',
    symbols: (shop['src/pay.ts']?.symbols ?? []).map(symbol => (symbol.name === 'total' ? { ...symbol, lines: [21, 25], hash: 'total 2' } : symbol)),
  },
};
const shiftedTotal: WorkspaceSketch = {
  ...shop,
  'src/pay.ts': {
    ...shop['src/pay.ts'],
    hash: 'pay 2',
    symbols: (shop['src/pay.ts']?.symbols ?? []).map(symbol => ({ ...symbol, lines: [50, 60] as const })),
  },
};

async function look(): Promise<void> {
  expect(await endChangedClaims(workspaceOf(code, { records, root }))).toMatchObject({ ok: true });
}

async function claimed(who: object = {}, input: ToolInput<'agent_claim'> = onTotal): Promise<string> {
  return String((await done('agent_claim', input, who))['claimId']);
}

/** How a claim ended; null while it is active. */
function endOf(id: string): unknown {
  return records.query('SELECT invalidation_reason AS reason FROM claims WHERE id = ?', [id])[0]?.['reason'];
}

test('a claim is on a version of the code; the same agent gets it again, another is told who holds it', async () => {
  const mine = await done('agent_claim', onTotal);
  expect(mine).toMatchObject({ status: 'ok', targetId: 'src/pay.ts::total', targetVersionSHA: 'hash of total' });
  expect((await done('agent_claim', { ...onTotal, intent: 'again' }))['claimId']).toBe(mine['claimId']);
  const kinds = [...records.kinds];
  const theirs = await call('agent_claim', onTotal, bob);
  expect(theirs).toMatchObject({
    ok: true,
    data: { claimId: '', status: 'CONFLICT', conflict: { agentId: 'ada', intent: 'round late', since: '2026-01-01T00:00:00.000Z' } },
  });
  expect(records.kinds).toEqual(kinds);
});

test('of twenty claims at once one wins', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => done('agent_claim', onTotal, { agentId: `agent ${at}` })));
  expect(answers.filter(({ status }) => status === 'ok')).toHaveLength(1);
  expect(new Set(answers.flatMap(({ conflict }) => (conflict as { agentId: string } | undefined)?.agentId ?? [])).size).toBe(1);
});

test.each([
  [{ targetId: 'src/nowhere.ts', claimType: 'file', intent: 'a' }, 'NOT_FOUND'],
  [{ targetId: 'totl', claimType: 'function', intent: 'a' }, 'NOT_FOUND'],
  [{ targetId: 'src/pay.ts', claimType: 'function', intent: 'a' }, 'VALIDATION_ERROR'],
  [{ targetId: 'task::x', claimType: 'task', intent: 'a' }, 'NOT_FOUND'],
  [{ targetId: 'src/pay.ts', claimType: 'file', intent: ' ' }, 'VALIDATION_ERROR'],
])('%j is refused with %s', async (input, errorCode) => {
  expect(await call('agent_claim', input)).toMatchObject({ ok: false, errorCode, hint: expect.any(String) });
  expect(records.kinds).toEqual([]);
});

test('what contains the target, or is in it, may be claimed by another, with a warning', async () => {
  const mine = await claimed();
  expect(await done('agent_claim', { targetId: 'src/pay.ts', claimType: 'file', intent: 'b' }, bob)).toMatchObject({
    status: 'ok',
    warnings: [{ claimId: mine, agentId: 'ada', targetId: 'src/pay.ts::total' }],
  });
  const feature = (await done('manage_container', { operation: 'create', containerType: 'feature', name: 'F' }))['feature'] as { id: string };
  const task = (await done('manage_container', { operation: 'create', containerType: 'task', name: 'T', parentId: feature.id }))['task'] as { id: string };
  await claimed({}, { targetId: feature.id, claimType: 'feature', intent: 'all of it' });
  expect(await done('agent_claim', { targetId: task.id, claimType: 'task', intent: 'c' }, bob)).toMatchObject({
    status: 'ok',
    targetVersionSHA: 'v1',
    warnings: [{ targetId: feature.id }],
  });
});

test('warnings are there in the smallest answer too', async () => {
  const symbols = Array.from({ length: 8 }, (_, at) => ({ name: `worker${at}`, lines: [at + 1, at + 1] as const }));
  setCode({ ...shop, 'src/many.ts': { symbols } });
  for (const { name } of symbols)
    await claimed({ agentId: `agent-${name}` }, { targetId: `src/many.ts#${name}`, claimType: 'function', intent: `changing ${name}` });
  const answer = await call('agent_claim', { targetId: 'src/many.ts', claimType: 'file', intent: 'all of it' });
  expect(answer.data).toMatchObject({ status: 'ok' });
  expect((answer.data?.['warnings'] as readonly unknown[] | undefined)?.length ?? 0).toBeGreaterThan(0);
});

test('changed code ends a claim, moved lines do not; a rebuild of the same does not', async () => {
  const mine = await claimed();
  await look();
  setCode(shiftedTotal);
  await look();
  expect(endOf(mine)).toBe(null);
  setCode(otherTotal);
  expect((await done('coordination_overview', {}))['staleClaims']).toMatchObject([{ id: mine }]);
  await look();
  expect(endOf(mine)).toBe('code_changed');
  expect(await done('agent_release', { claimId: mine })).toMatchObject({ invalidationReason: 'code_changed' });
});

test('code that is gone ends a claim', async () => {
  const mine = await claimed({}, { targetId: 'src/lonely.ts', claimType: 'file', intent: 'a' });
  const { 'src/lonely.ts': _, ...rest } = shop;
  setCode(rest);
  await look();
  expect(endOf(mine)).toBe('code_changed');
});

test('who claims changed code finds it free at once', async () => {
  const mine = await claimed();
  setCode(otherTotal);
  expect(await done('agent_claim', onTotal, bob)).toMatchObject({ status: 'ok', targetVersionSHA: 'total 2' });
  expect(endOf(mine)).toBe('code_changed');
});

test('an EDIT by the holder keeps the claim, whether it comes before or after the change was noticed; one by another does not', async () => {
  const mine = await claimed();
  setCode(otherTotal);
  await add('EDIT', 'rounded', editOf('src/pay.ts'));
  await look();
  expect(endOf(mine)).toBe(null);
  setCode(shop);
  await look();
  expect(endOf(mine)).toBe('code_changed');
  await add('EDIT', 'theirs', editOf('src/pay.ts'), bob);
  expect(endOf(mine)).toBe('code_changed');
  await add('EDIT', 'mine', editOf('src/pay.ts'));
  expect(endOf(mine)).toBe(null);
});

test('a claim that a change ended is not taken up again when another had the target in between', async () => {
  const mine = await claimed();
  setCode(otherTotal);
  await look();
  const theirs = await claimed(bob);
  await done('agent_release', { claimId: theirs }, bob);
  await add('EDIT', 'late', editOf('src/pay.ts'));
  expect([mine, theirs].map(endOf)).toEqual(['code_changed', 'released']);
});

test('a claim that a change ended is not taken up again when another has the target, or for another change', async () => {
  const mine = await claimed();
  setCode(otherTotal);
  await look();
  await claimed(bob);
  await add('EDIT', 'late', editOf('src/pay.ts'));
  expect(endOf(mine)).toBe('code_changed');
  await done('agent_release', { claimId: String((await done('agent_claim', onTotal, bob))['claimId']) }, bob);
  setCode(shop);
  await add('EDIT', 'later', editOf('src/pay.ts'));
  expect(endOf(mine)).toBe('code_changed');
});

test('changes in another worktree end no claim, but its agents meet it', async () => {
  const mine = await claimed();
  setRoot('/home/ada/shop-fix');
  setCode(otherTotal);
  await look();
  expect(endOf(mine)).toBe(null);
  expect(await done('agent_claim', onTotal, bob)).toMatchObject({ status: 'CONFLICT', conflict: { agentId: 'ada' } });
});

test('release is for the holder, once, and keeps the outcome', async () => {
  const mine = await claimed();
  expect(await call('agent_release', { claimId: mine }, bob)).toMatchObject({ ok: false, errorCode: 'FORBIDDEN', data: { agentId: 'ada' } });
  expect(await done('agent_release', { claimId: mine, outcome: 'Rounding is late now' })).toMatchObject({ invalidationReason: 'released' });
  expect(await done('agent_release', { claimId: mine, outcome: 'Rounding is late now' })).toMatchObject({ invalidationReason: 'released' });
  expect(await rows('episode_recall', { query: 'rounding' })).toMatchObject([{ type: 'OBSERVATION', entities: ['src/pay.ts::total'] }]);
  expect(await call('agent_release', { claimId: 'claim::x' })).toMatchObject({ ok: false, errorCode: 'NOT_FOUND' });
  expect(await done('agent_claim', onTotal, bob)).toMatchObject({ status: 'ok' });
});

test('a person ends all claims of an agent; a year without events ends nothing', async () => {
  const mine = await claimed();
  const theirs = await claimed(bob, { targetId: 'src/report.ts', claimType: 'file', intent: 'a' });
  records.time += 365 * DAY_MS;
  await look();
  expect(await done('coordination_overview', {})).toMatchObject({ totalClaims: 2, staleClaims: [], conflicts: [] });
  await releaseAll(workspaceOf(shop, { records }), SOMEBODY, 'ada');
  expect([endOf(mine), endOf(theirs)]).toEqual(['expired', null]);
});

test('agent_status and coordination_overview tell who is at what', async () => {
  const task = (await done('manage_container', { operation: 'create', containerType: 'task', name: 'Round late' }))['task'] as { id: string };
  await done('task_update', { taskId: task.id, status: 'in_progress' });
  const mine = await claimed();
  await add('OBSERVATION', 'first');
  await add('OBSERVATION', 'second');
  expect(await done('agent_status', { agentId: 'ada' })).toMatchObject({
    activeClaims: [{ id: mine }],
    currentTask: { id: task.id },
    recentEpisodes: [{ content: 'second' }, { content: 'first' }],
  });
  expect(await done('coordination_overview', {})).toMatchObject({ activeClaims: [{ id: mine }], agentSummary: [{ agentId: 'ada', claimCount: 1 }] });
});

test('of an agent that is not known, agent_status names those that are alike, else those that are known', async () => {
  const hint = async (agentId: string): Promise<unknown> => (await call('agent_status', { agentId })).hint;
  expect(await hint('ben-client')).toBe('No agent has claimed or recorded anything in this project yet.');
  await claimed({ agentId: 'ada-client:1234' });
  await claimed({ agentId: 'ben-client:5678' }, { targetId: 'src/report.ts', claimType: 'file', intent: 'sort' });
  expect(await hint('ben-client')).toBe('Nothing is known of this agent. Alike: ben-client:5678. coordination_overview lists all agents.');
  expect(await hint('cyd')).toMatch(/^Nothing is known of this agent\. Known: (?:ada-client:1234, ben-client:5678|ben-client:5678, ada-client:1234)\./);
  expect(await hint('ben-client:5678')).toBeUndefined();
});

test('the overview of many claims says of each what others need to know', async () => {
  for (const targetId of ['src/pay.ts', 'src/report.ts', 'src/pay.ts::total']) {
    await claimed(bob, { targetId, claimType: targetId.includes('::') ? 'function' : 'file', intent: 'Round amounts late, in cents' });
  }
  const overview = await call('coordination_overview', {});
  expect(overview.data).toMatchObject({ activeClaims: [{ agentId: 'bob', targetId: 'src/pay.ts' }, {}, {}], totalClaims: 3 });
  expect(JSON.stringify(overview.data)).not.toContain('targetVersionSHA');
  expect(JSON.stringify((await call('coordination_overview', { profile: 'debug' })).data)).toContain('targetVersionSHA');
});

test('the whole of a symbol comes with what was decided and learned about it, or about what holds it', async () => {
  setTexts(shopTexts);
  await add('DECISION', 'Amounts are in cents', { metadata: { title: 'Cents', rationale: 'r', tradeoffs: [], affectedFiles: ['src/pay.ts'] } });
  await add('DECISION', 'Reports are sorted', { metadata: { title: 'Sorted', rationale: 'r', tradeoffs: [], affectedFiles: ['src/report.ts'] } });
  for (const at of [1, 2, 3]) await add('EDIT', `edit ${at}`, editOf('src/pay.ts', `step ${at}`));
  await done('reflect', {});
  expect(await done('semantic_slice', { symbol: 'src/pay.ts::total', context: 'full', profile: 'balanced' })).toMatchObject({
    relevantDecisions: [{ content: 'Amounts are in cents', id: expect.stringMatching(/^episode::/), timestamp: expect.stringMatching(/^2026-/) }],
    relevantLearnings: [{ content: expect.stringContaining('src/pay.ts'), confidence: 0.7 }],
  });
  expect(await done('semantic_slice', { symbol: 'src/pay.ts::total', context: 'with-deps' })).not.toHaveProperty('relevantDecisions');
});

test('work that another has claimed is not offered, and is named where work stops', async () => {
  const container = { operation: 'create', containerType: 'task' } as const;
  const first = (await done('manage_container', { ...container, name: 'First' }))['task'] as { id: string };
  const second = (await done('manage_container', { ...container, name: 'Second' }))['task'] as { id: string };
  await done('manage_sections', { operation: 'create', containerId: second.id, title: 'Context Files', content: '- src/pay.ts' });
  await claimed(bob, { targetId: first.id, claimType: 'task', intent: 'mine' });
  await claimed(bob);
  expect((await done('get_next_task', { limit: 5 }))['items']).toMatchObject([{ id: second.id }]);
  expect((await done('get_next_task', { limit: 5 }, bob))['items']).toMatchObject([{ id: first.id }, { id: second.id }]);
  expect((await done('blocking_issues', {}))['claimConflicts']).toMatchObject([
    { taskId: first.id, agentId: 'bob', since: expect.stringMatching(/^2026-01-01T/) },
    { taskId: second.id, agentId: 'bob', targetId: 'src/pay.ts::total' },
  ]);
  expect((await done('impact_analyze', { target: 'src/pay.ts' }))['activeClaims']).toMatchObject([{ agentId: 'bob', targetId: 'src/pay.ts::total' }]);
  expect(await done('impact_analyze', { target: 'src/pay.ts' }, bob)).not.toHaveProperty('activeClaims');
  expect((await done('graph_query', { query: 'total' }))['activeClaims']).toMatchObject([{ agentId: 'bob' }]);
  const claimedBy = 'Claimed by bob: src/pay.ts::total.';
  expect((await call('impact_analyze', { target: 'src/pay.ts' })).summary).toContain(claimedBy);
  expect((await call('graph_query', { query: 'who calls total' })).summary).toContain(claimedBy);
  expect((await call('impact_analyze', { target: 'src/pay.ts' }, bob)).summary).not.toContain('Claimed');
});

test('completing a task ends its claims, reflects and keeps the decision, in one write and once', async () => {
  const task = (await done('manage_container', { operation: 'create', containerType: 'task', name: 'Round late', summary: 'Rounding drifts' }))['task'] as {
    id: string;
  };
  const own = await claimed({}, { ...onTotal, taskId: task.id });
  const whole = await claimed({}, { targetId: task.id, claimType: 'task', intent: 'all' });
  const elsewhere = await claimed({}, { targetId: 'src/report.ts', claimType: 'file', intent: 'b' });
  for (const at of [1, 2, 3]) await add('EDIT', `edit ${at}`, { ...editOf('src/pay.ts', `step ${at}`), taskId: task.id });
  const close = { taskId: task.id, status: 'completed', reason: 'cents everywhere' } as const;
  const closed = await done('task_update', close, { key: 'k' });
  expect(closed).toMatchObject({
    task: { status: 'completed' },
    releasedClaims: [own, whole],
    reflectionId: expect.stringMatching(/^episode::/),
    graphHints: {},
  });
  expect([own, whole, elsewhere].map(endOf)).toEqual(['task_completed', 'task_completed', null]);
  expect(await done('task_update', close, { key: 'k' })).toMatchObject({ reflectionId: closed['reflectionId'] });
  const decisions = await rows('decision_query', { query: 'round late', affectedFiles: ['src/pay.ts'] });
  expect(decisions).toMatchObject([
    {
      outcome: 'success',
      taskId: task.id,
      entities: ['src/pay.ts'],
      prevEpisodeId: closed['reflectionId'],
      metadata: { title: 'Round late', rationale: 'cents everywhere', tradeoffs: [], affectedFiles: ['src/pay.ts'] },
    },
  ]);
  expect(await rows('episode_recall', { query: 'pay', types: ['LEARNING'] })).toMatchObject([{ kind: 'hotspot' }]);
});

test.each([
  [{ status: 'terminated', reason: 'no longer wanted' }, 'failure'],
  [{ status: 'completed', outcome: 'partial' }, 'partial'],
] as const)('%j is kept as a decision with outcome %s', async (move, outcome) => {
  const task = (await done('manage_container', { operation: 'create', containerType: 'task', name: 'T' }))['task'] as { id: string };
  const closed = await done('task_update', { taskId: task.id, ...move });
  expect(closed).not.toHaveProperty('reflectionId');
  expect(await rows('decision_query', { query: 'T' })).toMatchObject([{ outcome, taskId: task.id }]);
});

test('a reflection that fails leaves the task closed and says so', async () => {
  const task = (await done('manage_container', { operation: 'create', containerType: 'task', name: 'T' }))['task'] as { id: string };
  for (const at of [1, 2, 3]) await add('EDIT', `edit ${at}`, { ...editOf('src/pay.ts'), taskId: task.id });
  const query = records.query.bind(records);
  Object.assign(records, {
    query: (sql: string, params?: readonly (string | number | null)[]) => {
      if (sql.includes('FROM learnings')) throw new Error('the disk is tired');
      return query(sql, params);
    },
  });
  const closed = await call('task_update', { taskId: task.id, status: 'completed' });
  expect(closed).toMatchObject({ ok: true, data: { task: { status: 'completed' } }, hint: expect.stringContaining('the disk is tired') });
});
