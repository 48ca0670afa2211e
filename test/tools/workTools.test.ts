import { expect, test } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import { TOOLS } from '../../server/src/tools/catalogue';
import type { Envelope } from '../../server/src/tools/envelope';
import { invoke } from '../../server/src/tools/invoke';
import { hintForTerminal } from '../../server/src/transports/cli/toolText';
import { shop } from '../helpers/shop';
import { workspaceOf } from '../helpers/workspaceOf';
import { type Asked, call, done, doneAsSpelled, feature, type Item, records, task } from './workCalls';

test('a task is what was written, with defaults for the rest', async () => {
  const made = await task('  Pay by card ', { tags: ['Money', 'money', 'soon'], summary: ' Cards only ' });
  expect(made).toEqual({
    id: 'task::00000000-0000-4000-8000-000000000001',
    projectId: 'p',
    name: 'Pay by card',
    summary: 'Cards only',
    status: 'pending',
    priority: 'medium',
    tags: ['Money', 'soon'],
    order: 0,
    version: 1,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
  });
  expect((await done('query_container', { operation: 'get', id: made.id }))['task']).toEqual(made);
  expect((await done('query_container', { operation: 'get', id: made.id.slice(6) }))['task']).toEqual(made);
});

test('a task and a feature are read with every field, also where there is nothing in it', async () => {
  const parent = await feature();
  const bare = await task();
  expect(await done('query_container', { operation: 'get', id: bare.id })).toEqual({ task: bare, sections: [], dependencies: [] });
  const { tasks, ...answer } = await done('query_container', { operation: 'get', id: parent.id });
  expect({ answer, tasks }).toEqual({ answer: { feature: parent, sections: [] }, tasks: [] });

  const { id } = await task('Refund', { parentId: parent.id, priority: 'high', tags: ['money'], summary: 'Cards' });
  await done('manage_sections', { operation: 'create', containerId: id, title: 'Notes', content: 'Round once.' });
  await done('manage_dependency', { operation: 'add', fromId: bare.id, toId: id });
  await done('block', { id, version: 1, reason: 'No key' });
  const whole = await done('query_container', { operation: 'get', id, includeGraphContext: true, history: true });
  expect(Object.keys(whole).sort()).toEqual(['dependencies', 'graphContext', 'history', 'sections', 'task']);
  expect(whole['task']).toEqual({
    id,
    projectId: 'p',
    featureId: parent.id,
    name: 'Refund',
    summary: 'Cards',
    status: 'blocked',
    statusBeforeBlock: 'pending',
    blockedReason: 'No key',
    priority: 'high',
    tags: ['money'],
    order: 0,
    version: 2,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  });
  expect(whole['sections']).toEqual([
    { id: expect.stringMatching(/^section::/), containerId: id, title: 'Notes', content: 'Round once.', ordinal: 0, version: 1 },
  ]);
  expect(whole['dependencies']).toEqual([{ fromId: bare.id, toId: id, fromName: 'Pay by card', toName: 'Refund', fromStatus: 'pending', toStatus: 'blocked' }]);
  expect(whole['graphContext']).toEqual({ molecules: [], orphanAtoms: [], unmatchedPaths: [] });
  expect(whole['history']).toMatchObject([{ version: 2 }, { version: 1 }]);

  expect(await done('query_container', { operation: 'search', query: 'nothing like it' })).toEqual({ items: [], total: 0, limit: 20, offset: 0 });
});

test.each([
  ['name', { name: 'x'.repeat(255) }, { name: 'x'.repeat(256) }],
  ['summary', { summary: 'é'.repeat(2048) }, { summary: `${'é'.repeat(2048)}!` }],
  ['tags', { tags: ['t'.repeat(64)] }, { tags: ['t'.repeat(65)] }],
  ['tags', { tags: Array.from({ length: 50 }, (_, at) => `t${at}`) }, { tags: Array.from({ length: 51 }, (_, at) => `t${at}`) }],
])('the bound of %s holds', async (field, within, beyond) => {
  await task('a', within);
  const refused = await call('manage_container', { operation: 'create', containerType: 'task', name: 'a', ...beyond });
  expect(refused).toMatchObject({ ok: false, errorCode: 'VALIDATION_ERROR', data: { issues: [{ field }] } });
});

test.each([
  [{ operation: 'create', containerType: 'task' }, 'VALIDATION_ERROR', 'name'],
  [{ operation: 'create', containerType: 'task', name: ' ' }, 'VALIDATION_ERROR', 'name'],
  [{ operation: 'create', containerType: 'feature', name: 'a', parentId: 'feature::x' }, 'VALIDATION_ERROR', 'parentId'],
  [{ operation: 'create', containerType: 'task', name: 'a', parentId: 'feature::x' }, 'NOT_FOUND', undefined],
  [{ operation: 'create', containerType: 'task', name: 'a', templateId: 'template::x' }, 'NOT_FOUND', undefined],
  [{ operation: 'create', containerType: 'task', name: 'a', priority: 'soon' }, 'VALIDATION_ERROR', 'priority'],
  [{ operation: 'update', containerType: 'task', name: 'a' }, 'VALIDATION_ERROR', 'id'],
  [{ operation: 'update', containerType: 'task', id: 'task::x', name: 'a' }, 'VALIDATION_ERROR', 'version'],
  [{ operation: 'delete', containerType: 'task', id: 'task::x', version: 1 }, 'NOT_FOUND', undefined],
])('manage_container refuses %j with %s', async (input, errorCode, field) => {
  const refused = await call('manage_container', input);
  expect(refused).toMatchObject({ ok: false, errorCode, ...(field === undefined ? {} : { data: { field } }) });
  expect(refused.hint).toBeTruthy();
  expect(records.kinds).toEqual([]);
});

test('update and delete test the version, leave other fields, and say which version there is', async () => {
  const { id } = await task('a', { priority: 'high' });
  const updated = (await done('manage_container', { operation: 'update', containerType: 'task', id, version: 1, summary: 'b' }))['task'];
  expect(updated).toMatchObject({ version: 2, name: 'a', summary: 'b', priority: 'high' });
  for (const operation of ['update', 'delete']) {
    const late = await call('manage_container', { operation, containerType: 'task', id, version: 1, name: 'late' });
    expect(late).toMatchObject({ ok: false, errorCode: 'CONFLICT', data: { currentVersion: 2 } });
  }
  expect((await done('query_container', { operation: 'get', id }))['task']).toEqual(updated);
  const nothing = await call('manage_container', { operation: 'update', containerType: 'task', id, version: 2 });
  expect(nothing).toMatchObject({ ok: false, errorCode: 'VALIDATION_ERROR' });
});

test('of two parallel updates one wins', async () => {
  const { id } = await task();
  const update = (name: string): Promise<Envelope> => call('manage_container', { operation: 'update', containerType: 'task', id, version: 1, name });
  const [first, second] = await Promise.all([update('a'), update('b')]);
  expect([first.ok, second.ok]).toEqual([true, false]);
  expect(second).toMatchObject({ errorCode: 'CONFLICT', data: { currentVersion: 2 } });
});

test('the same call tried again is answered as the first was, whatever happened since', async () => {
  const made = await call('manage_container', { operation: 'create', containerType: 'task', name: 'a' }, { key: 'k' });
  const { id } = (made.data ?? {})['task'] as Item;
  const again = await call('manage_container', { operation: 'create', containerType: 'task', name: 'a' }, { key: 'k' });
  expect(again.data).toEqual(made.data);
  const closing = { taskId: id, status: 'completed' };
  const closed = await call('task_update', closing, { key: 'c' });
  await done('manage_container', { operation: 'delete', containerType: 'task', id, version: 2 });
  expect((await call('task_update', closing, { key: 'c' })).data).toEqual(closed.data);
  expect((await done('progress_query', {}))['total']).toBe(0);
});

test('a task moves into and out of a feature; a feature with open tasks stays', async () => {
  const parent = await feature();
  const { id } = await task('a', { parentId: parent.id });
  const remove = { operation: 'delete', containerType: 'feature', id: parent.id, version: 1 } as const;
  expect(await call('manage_container', remove)).toMatchObject({ ok: false, errorCode: 'INVARIANT_VIOLATION', data: { openTasks: [{ id }] } });
  const out = (await done('manage_container', { operation: 'update', containerType: 'task', id, version: 1, parentId: null }))['task'];
  expect(out).not.toHaveProperty('featureId');
  await doneAsSpelled('manage_container', { operation: 'update', containerType: 'task', id, version: 2, featureId: parent.id });
  await done('task_update', { taskId: id, status: 'terminated' });
  expect(await done('manage_container', remove)).toEqual({ deletedId: parent.id, detachedTaskIds: [id] });
  const left = (await done('query_container', { operation: 'get', id }))['task'] as Item;
  expect(left).toMatchObject({ version: 5 });
  expect(left).not.toHaveProperty('featureId');
});

test('two projects never see one another', async () => {
  const { id } = await task();
  const other = { ...records, projectId: 'q' };
  const envelope = (
    await invoke(
      TOOLS,
      workspaceOf(shop, { records: other }),
      { name: 'query_container', input: { operation: 'get', id }, agentId: undefined, sessionId: 's' },
      neverCancelled,
    )
  ).envelope;
  expect(envelope).toMatchObject({ ok: false, errorCode: 'NOT_FOUND' });
});

const STAGES = ['pending', 'in_progress', 'in_review', 'completed'];

/** Brings a new task to a status by legal moves. */
async function taskIn(status: string): Promise<Item> {
  let item = await task();
  const move = async (name: string, input: Asked = {}): Promise<void> => {
    item = (await doneAsSpelled(name, { id: item.id, version: item.version, ...input }))['task'] as Item;
  };
  for (const _ of STAGES.slice(1, Math.max(0, STAGES.indexOf(status)) + 1)) await move('advance');
  if (status === 'blocked') {
    await move('advance');
    await move('block', { reason: 'no key' });
  }
  if (status === 'terminated') await move('terminate', { reason: 'dropped' });
  return item;
}

const ILLEGAL = undefined;
test.each([
  ['pending', { advance: 'in_progress', revert: ILLEGAL, block: 'blocked', unblock: ILLEGAL, terminate: 'terminated' }],
  ['in_progress', { advance: 'in_review', revert: 'pending', block: 'blocked', unblock: ILLEGAL, terminate: 'terminated' }],
  ['in_review', { advance: 'completed', revert: 'in_progress', block: 'blocked', unblock: ILLEGAL, terminate: 'terminated' }],
  ['completed', { advance: ILLEGAL, revert: 'in_progress', block: ILLEGAL, unblock: ILLEGAL, terminate: ILLEGAL }],
  ['blocked', { advance: ILLEGAL, revert: ILLEGAL, block: ILLEGAL, unblock: 'in_progress', terminate: 'terminated' }],
  ['terminated', { advance: ILLEGAL, revert: 'in_progress', block: ILLEGAL, unblock: ILLEGAL, terminate: ILLEGAL }],
])('from %s the five moves lead where they should, through their tools and through task_update', async (status, moves) => {
  for (const [verb, expected] of Object.entries(moves)) {
    for (const door of ['tool', 'transition', 'action']) {
      const { id, version } = await taskIn(status);
      const answer =
        door === 'tool'
          ? await call(verb, { id, version, reason: 'why', profile: 'debug' })
          : door === 'transition'
            ? await call('task_update', { taskId: id, transition: verb, reason: 'why', profile: 'debug' })
            : await call('advance', { taskId: id, version, action: verb, reason: 'why', profile: 'debug' });
      if (expected === ILLEGAL) expect(answer, `${verb} by ${door}`).toMatchObject({ ok: false, errorCode: 'INVARIANT_VIOLATION' });
      else expect((answer.data ?? {})['task'], `${verb} by ${door}`).toMatchObject({ status: expected, version: version + 1 });
    }
  }
});

test.each([
  [
    'pending',
    {
      pending: 'pending',
      in_progress: 'in_progress',
      in_review: ILLEGAL,
      completed: 'completed',
      blocked: 'blocked',
      terminated: 'terminated',
      failed: 'terminated',
    },
  ],
  [
    'in_progress',
    { pending: 'pending', in_progress: 'in_progress', in_review: 'in_review', completed: 'completed', blocked: 'blocked', cancelled: 'terminated' },
  ],
  ['in_review', { pending: ILLEGAL, in_progress: 'in_progress', in_review: 'in_review', completed: 'completed', terminated: 'terminated' }],
  ['blocked', { pending: ILLEGAL, in_progress: ILLEGAL, in_review: ILLEGAL, completed: ILLEGAL, blocked: 'blocked', terminated: ILLEGAL }],
  ['completed', { pending: ILLEGAL, in_progress: 'in_progress', in_review: ILLEGAL, completed: 'completed', terminated: ILLEGAL, blocked: ILLEGAL }],
  ['terminated', { in_progress: 'in_progress', completed: ILLEGAL, terminated: 'terminated' }],
])('from %s task_update sets the status that can be set', async (status, targets) => {
  for (const [target, expected] of Object.entries(targets)) {
    const { id } = await taskIn(status);
    const answer = await call('task_update', { taskId: id, status: target, reason: 'why', profile: 'debug' });
    if (expected === ILLEGAL) expect(answer, target).toMatchObject({ ok: false, errorCode: 'INVARIANT_VIOLATION' });
    else expect((answer.data ?? {})['task'], target).toMatchObject({ status: expected });
  }
});

test('block and terminate need a reason and a version; a block remembers what was before it', async () => {
  const { id } = await taskIn('in_review');
  for (const verb of ['block', 'terminate']) {
    expect(await call(verb, { id, version: 3 })).toMatchObject({ ok: false, errorCode: 'VALIDATION_ERROR', data: { field: 'reason' } });
    expect(await call(verb, { id, version: 3, reason: ' ' })).toMatchObject({ ok: false, errorCode: 'VALIDATION_ERROR', data: { field: 'reason' } });
    expect(await call(verb, { id, reason: 'x' })).toMatchObject({ ok: false, errorCode: 'VALIDATION_ERROR', data: { field: 'version' } });
    expect(await call(verb, { id, version: 2, reason: 'x' })).toMatchObject({ ok: false, errorCode: 'CONFLICT', data: { currentVersion: 3 } });
  }
  expect(await call('block', { id, version: 3, reason: 'x'.repeat(4097) })).toMatchObject({
    ok: false,
    errorCode: 'VALIDATION_ERROR',
    data: { field: 'reason' },
  });
  const blocked = (await done('block', { id, version: 3, reason: ' no key ' }))['task'];
  expect(blocked).toMatchObject({ status: 'blocked', statusBeforeBlock: 'in_review', blockedReason: 'no key' });
  const refused = await call('advance', { id, version: 4 });
  expect(refused).toMatchObject({ ok: false, errorCode: 'INVARIANT_VIOLATION', data: { blockers: [{ kind: 'manual', reason: 'no key' }] } });
  const free = (await done('unblock', { id, version: 4 }))['task'];
  expect(free).toMatchObject({ status: 'in_review' });
  expect(free).not.toHaveProperty('blockedReason');
  expect(free).not.toHaveProperty('statusBeforeBlock');
});

test('beginning a task notes the latest transaction and who begins, and moves its pending feature along', async () => {
  const parent = await feature();
  const { id } = await task('a', { parentId: parent.id });
  const begun = (await done('advance', { id, version: 1 }, { agentId: 'ada' }))['task'];
  expect(begun).toMatchObject({ status: 'in_progress', startTxId: 'tx-2', assignedAgentId: 'ada' });
  expect((await done('query_container', { operation: 'get', id: parent.id }))['feature']).toMatchObject({ status: 'in_progress', version: 2 });
  const reviewed = (await done('advance', { id, version: 2 }))['task'];
  expect(reviewed).toMatchObject({ startTxId: 'tx-2' });
  const back = (await done('revert', { id, version: 3 }))['task'];
  expect(back).toMatchObject({ status: 'in_progress', startTxId: 'tx-2' });
  await done('task_update', { taskId: id, status: 'completed' });
  const reopened = (await done('revert', { id, version: 5 }))['task'];
  expect(reopened).toMatchObject({ status: 'in_progress', startTxId: 'tx-6' });
  expect(reopened).not.toHaveProperty('closedAt');
  expect(reopened).not.toHaveProperty('outcome');
});

test('a feature that is blocked or under way stays as it is when a task begins', async () => {
  const parent = await feature();
  await done('block', { id: parent.id, version: 1, reason: 'x' });
  const { id } = await task('a', { parentId: parent.id });
  await done('advance', { id, version: 1 });
  expect((await done('query_container', { operation: 'get', id: parent.id }))['feature']).toMatchObject({ status: 'blocked', version: 2 });
});

const HINTS = {
  message: expect.stringMatching(/closed.*knowledge/is),
  suggestedActions: [expect.stringMatching(/update.*atoms/i), expect.stringMatching(/patterns.*folders/i), expect.stringMatching(/changelog/i)],
};

test.each([
  ['advance', 'in_review', 'success'],
  ['terminate', 'pending', 'failure'],
  ['task_update completed', 'pending', 'success'],
  ['task_update terminated', 'in_progress', 'failure'],
  ['task_update failed', 'in_progress', 'failure'],
  ['task_update cancelled', 'in_progress', undefined],
])('graphHints come with a task closed by %s', async (door, from, outcome) => {
  const { id, version } = await taskIn(from);
  const [tool = '', status] = door.split(' ');
  const data = await doneAsSpelled(tool, status === undefined ? { id, version, reason: 'why' } : { taskId: id, status });
  expect(data).toMatchObject({ graphHints: HINTS, task: { closedAt: expect.any(String) } });
  expect((data['graphHints'] as { readonly suggestedActions: readonly unknown[] }).suggestedActions).toHaveLength(3);
  expect((data['task'] as Item)['outcome']).toBe(outcome);
});

test('the tools for the suggestions are in the hint alone, each door in its own words', async () => {
  const { id, version } = await taskIn('in_review');
  const { data, hint, hintParts = [] } = await call('advance', { id, version, profile: 'debug' });
  expect(JSON.stringify(data?.['graphHints'])).not.toMatch(/query_graph|manage_/);
  expect(hint).toBe('Run query_graph with operation context to find the atoms, manage_graph to update them, and manage_changelog to add entries.');
  expect(hintForTerminal(hintParts)).toContain('lattice tool query_graph --input \'{"operation":"context"}\'');
});

test('graphHints come with nothing else, and an outcome that is given counts', async () => {
  const { id, version } = await taskIn('in_progress');
  expect(await done('advance', { id, version })).not.toHaveProperty('graphHints');
  expect(await done('task_update', { taskId: id, fields: { summary: 'x' } })).not.toHaveProperty('graphHints');
  expect((await done('task_update', { taskId: id, status: 'completed', outcome: 'partial' }))['task']).toMatchObject({ outcome: 'partial' });
  expect(await done('task_update', { taskId: id, status: 'completed' })).not.toHaveProperty('graphHints');
  expect(await done('revert', { id, version: 5 })).not.toHaveProperty('graphHints');
  const parent = await feature();
  expect(await done('terminate', { id: parent.id, version: 1, reason: 'x' })).not.toHaveProperty('graphHints');
});

test('graphHints and the write survive the smallest profile, however long the task is', async () => {
  const { id } = await task('n'.repeat(255), { summary: 'long '.repeat(800), tags: Array.from({ length: 50 }, (_, at) => `tag number ${at}`) });
  const closed = await call('task_update', { taskId: id, status: 'completed' });
  expect(closed).toMatchObject({ ok: true, data: { task: { id, status: 'completed', version: 2 }, graphHints: HINTS } });
  expect(closed._tokenEstimate).toBeLessThanOrEqual(300);
});

test('fields and status change in one version; version is checked when given', async () => {
  const { id } = await task();
  const both = (await done('task_update', { taskId: id, status: 'in_progress', fields: { name: 'b', priority: 'low', order: 3, tags: ['x'] }, version: 1 }))[
    'task'
  ];
  expect(both).toMatchObject({ version: 2, status: 'in_progress', name: 'b', priority: 'low', order: 3, tags: ['x'] });
  expect(await call('task_update', { taskId: id, status: 'completed', version: 1 })).toMatchObject({
    ok: false,
    errorCode: 'CONFLICT',
    data: { currentVersion: 2 },
  });
  expect(await call('task_update', { taskId: id })).toMatchObject({ ok: false, errorCode: 'VALIDATION_ERROR' });
  expect(await call('task_update', { taskId: id, status: 'completed', transition: 'advance' })).toMatchObject({ ok: false, errorCode: 'VALIDATION_ERROR' });
  expect(await call('task_update', { taskId: id, fields: { color: 'red' } })).toMatchObject({ ok: false, errorCode: 'VALIDATION_ERROR' });
  expect((await done('task_update', { taskId: id, fields: { summary: 'c' }, agentId: 'bob' }))['task']).toMatchObject({ version: 3 });
});

test('every version is kept, with who, why and in which transaction, and can be written again', async () => {
  const parent = await feature();
  const { id } = await task('a', { parentId: parent.id, priority: 'high' });
  await done('task_update', { taskId: id, fields: { name: 'b', featureId: null } }, { agentId: 'ada' });
  await done('block', { id, version: 2, reason: 'no key' });
  const restored = (await done('task_update', { taskId: id, restoreVersion: 1 }))['task'];
  expect(restored).toMatchObject({ version: 4, name: 'a', featureId: parent.id, status: 'blocked', blockedReason: 'no key' });
  const { history } = await done('query_container', { operation: 'get', id, history: true });
  const at = expect.stringMatching(/^2026-01-01T00:00:00\.\d{3}Z$/);
  expect(history).toEqual([
    { version: 4, changedFields: ['featureId', 'name'], agentId: null, txId: 'tx-5', reason: 'restored version 1', at },
    { version: 3, changedFields: ['status', 'blockedReason', 'statusBeforeBlock'], agentId: null, txId: 'tx-4', reason: 'no key', at },
    { version: 2, changedFields: ['featureId', 'name'], agentId: 'ada', txId: 'tx-3', reason: null, at },
    { version: 1, changedFields: ['featureId', 'name', 'status', 'priority', 'order'], agentId: null, txId: 'tx-2', reason: null, at },
  ]);
  expect(await call('task_update', { taskId: id, restoreVersion: 9 })).toMatchObject({
    ok: false,
    errorCode: 'NOT_FOUND',
    data: { suggestions: [4, 3, 2, 1] },
  });
  expect(await call('task_update', { taskId: id, restoreVersion: 1, status: 'completed' })).toMatchObject({ ok: false, errorCode: 'VALIDATION_ERROR' });
  expect(await done('query_container', { operation: 'get', id })).not.toHaveProperty('history');
});

test('dependencies block until completed, a terminated blocker goes on blocking, and no cycle is let in', async () => {
  const [a, b, c] = [await task('a'), await task('b'), await task('c')];
  const add = (fromId: string, toId: string): Promise<Envelope> => call('manage_dependency', { operation: 'add', fromId, toId, profile: 'debug' });
  expect((await add(a.id, b.id)).data).toEqual({
    dependencies: [{ fromId: a.id, fromName: 'a', fromStatus: 'pending', toId: b.id, toName: 'b', toStatus: 'pending' }],
  });
  await add(b.id, c.id);
  expect(await add(c.id, a.id)).toMatchObject({ ok: false, errorCode: 'INVARIANT_VIOLATION', data: { cycle: [a.id, b.id, c.id, a.id] } });
  expect(await add(a.id, a.id)).toMatchObject({ ok: false, errorCode: 'INVARIANT_VIOLATION' });
  expect(await add(a.id, 'task::x')).toMatchObject({ ok: false, errorCode: 'NOT_FOUND' });
  const parent = await feature();
  expect(await add(parent.id, a.id)).toMatchObject({ ok: false, errorCode: 'NOT_FOUND' });
  for (const attempt of [
    await call('advance', { id: b.id, version: 1 }),
    await call('task_update', { taskId: b.id, status: 'completed' }),
    await call('task_update', { taskId: b.id, status: 'in_progress' }),
  ]) {
    expect(attempt).toMatchObject({ ok: false, errorCode: 'INVARIANT_VIOLATION', data: { blockers: [{ kind: 'open', id: a.id, status: 'pending' }] } });
  }
  expect((await done('query_container', { operation: 'get', id: b.id }))['task']).toMatchObject({ status: 'pending', version: 1 });
  await done('terminate', { id: a.id, version: 1, reason: 'dropped' });
  expect(await call('advance', { id: b.id, version: 1 })).toMatchObject({ ok: false, data: { blockers: [{ kind: 'terminated', id: a.id }] } });
  await done('revert', { id: a.id, version: 2 });
  await done('task_update', { taskId: a.id, status: 'completed' });
  await done('advance', { id: b.id, version: 1 });
  expect(await call('manage_dependency', { operation: 'remove', blockerTaskId: b.id, blockedTaskId: c.id, profile: 'debug' })).toMatchObject({
    ok: true,
    data: { dependencies: [] },
  });
  expect(await call('manage_dependency', { operation: 'remove', fromId: b.id, toId: c.id })).toMatchObject({ ok: false, errorCode: 'NOT_FOUND' });
});

test('a blocked task may go back and may be terminated', async () => {
  const [a, b] = [await taskIn('pending'), await taskIn('in_progress')];
  await done('manage_dependency', { operation: 'add', fromId: a.id, toId: b.id });
  await done('revert', { id: b.id, version: b.version });
  expect((await done('task_update', { taskId: b.id, status: 'terminated' }))['task']).toMatchObject({ status: 'terminated' });
});

test('deleting a task takes its sections and dependencies along', async () => {
  const [a, b] = [await task('a'), await task('b')];
  await done('manage_dependency', { operation: 'add', fromId: a.id, toId: b.id });
  await doneAsSpelled('manage_sections', { operation: 'add', ownerId: a.id, title: 'Notes', content: 'x' });
  await done('manage_container', { operation: 'delete', containerType: 'task', id: a.id, version: 1 });
  expect(records.query('SELECT * FROM work_sections')).toEqual([]);
  await done('advance', { id: b.id, version: 1 });
});

test('the next task: feature under way, priority, order, tasks that wait, age', async () => {
  const [idle, busy] = [await feature('idle'), await feature('busy')];
  const names = async (input: Asked = {}): Promise<unknown[]> =>
    ((await done('get_next_task', { limit: 100, ...input }))['items'] as readonly Item[]).map(item => item['name']);
  await task('old');
  await task('critical', { priority: 'critical' });
  await task('first', { order: -1 });
  const waited = await task('waited for');
  const blocked = await task('blocked', { priority: 'critical' });
  await done('manage_dependency', { operation: 'add', fromId: waited.id, toId: blocked.id });
  await task('idle', { parentId: idle.id, priority: 'high' });
  const begun = await task('begun', { parentId: busy.id });
  await task('busy', { parentId: busy.id, priority: 'low' });
  await done('advance', { id: begun.id, version: 1 });
  const held = await task('held', { priority: 'critical' });
  await done('block', { id: held.id, version: 1, reason: 'x' });
  expect(await names()).toEqual(['busy', 'critical', 'idle', 'first', 'waited for', 'old']);
  expect(await names({ featureId: idle.id })).toEqual(['idle']);
  const [one] = (await done('get_next_task', {}))['items'] as readonly Item[];
  expect(one).toMatchObject({ name: 'busy', reason: 'its feature busy is in progress, low priority, not blocked' });
  expect(await names({ featureId: 'feature::x' }).catch(() => 'refused')).toBe('refused');
  expect(((await done('get_next_feature', { limit: 100 }))['items'] as readonly Item[]).map(item => item['name'])).toEqual(['busy', 'idle']);
});

test('when there is nothing to begin, that is said', async () => {
  expect(await call('get_next_task', {})).toMatchObject({ ok: true, summary: 'There is no task to start.', data: { items: [] } });
});
