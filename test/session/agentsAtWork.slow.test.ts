import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AgentClient, type Era, type Said } from './agentClient';
import { SharedPlace } from './doors';
import { Transcript } from './transcript';

/**
 * Three scripted agents in real MCP clients, one per era of the protocol, share a repository for a morning: they claim, edit, test, decide and hand over,
 * while one of them restarts and the owner is killed. What was acknowledged has to be there at the end, and no two may ever have held the same code.
 * `LATTICE_TRANSCRIPT=FILE` writes what they said to each other as a document (docs/agents-at-work.md is one).
 */

const FILES: Readonly<Record<string, string>> = {
  'src/money.ts':
    'export function parseMoney(text: string): number {\n  return Number(text) * 100;\n}\n\nexport function roundCents(value: number): number {\n  return Math.round(value);\n}\n',
  'src/orders.ts':
    "import { roundCents } from './money';\n\nexport interface Order {\n  lines: number[];\n}\n\nexport function orderTotal(order: Order): number {\n  return roundCents(order.lines.reduce((sum, line) => sum + line, 0));\n}\n\nexport function isEmpty(order: Order): boolean {\n  return order.lines.length === 0;\n}\n",
  'src/invoices.ts':
    "import { type Order, orderTotal } from './orders';\n\nexport function writeInvoice(order: Order): string {\n  return `Total: ${orderTotal(order)}`;\n}\n",
  'test/orders.test.ts': "import { orderTotal } from '../src/orders';\n\ntest('adds lines', () => orderTotal({ lines: [1, 2] }));\n",
};

/** What the agents fight for in the busy half hour. */
const TARGETS = [
  'src/money.ts::parseMoney',
  'src/money.ts::roundCents',
  'src/orders.ts::orderTotal',
  'src/orders.ts::isEmpty',
  'src/invoices.ts::writeInvoice',
];
const ROUNDS = 20;
const NAMES: readonly (readonly [string, Era])[] = [
  ['ada', 'legacy'],
  ['ben', '2026-07-28'],
  ['cyd', 'auto'],
];

let place: SharedPlace;
const agents: AgentClient[] = [];
const transcript = new Transcript();

beforeAll(async () => {
  place = new SharedPlace();
  for (const [path, text] of Object.entries(FILES)) write(path, text);
  for (const [name, era] of NAMES) agents.push(await AgentClient.start(place, name, era, transcript));
});

afterAll(async () => {
  await Promise.all(agents.map(agent => agent.kill()));
  place.remove();
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(place.workspace, path)), { recursive: true });
  writeFileSync(join(place.workspace, path), text);
}

function replaceIn(path: string, from: string, to: string): void {
  const text = readFileSync(join(place.workspace, path), 'utf8');
  expect(text).toContain(from);
  write(path, text.replace(from, to));
}

const edit = (file: string, reason: string): Readonly<Record<string, unknown>> => ({
  type: 'EDIT',
  content: reason,
  metadata: { file, diffSummary: reason, linesBefore: 3, linesAfter: 4, reason },
});

const idOf = (said: Said, key: string): string => (said.data[key] as { readonly id: string }).id;

test('three agents share a morning: no conflict goes unseen, nothing that was acknowledged is lost, most answers are short', { timeout: 600_000 }, async () => {
  const [ada, ben, cyd] = agents as [AgentClient, AgentClient, AgentClient];
  await morning(ada, ben, cyd);
  await busyHalfHour();
  await noon(ada, ben, cyd);
  await Promise.all(agents.map(agent => agent.close()));
  await check();
});

/** What a reader follows: a feature of three tasks, from the first question to the conflict. */
async function morning(ada: AgentClient, ben: AgentClient, cyd: AgentClient): Promise<void> {
  transcript.scene('09:00', 'A plan for three agents', 'Ada creates a feature with three tasks. The last one depends on the second.');
  const feature = await ada.call('manage_container', { operation: 'create', containerType: 'feature', name: 'Orders in several currencies' });
  const featureId = idOf(feature, 'feature');
  const tasks: string[] = [];
  for (const [name, summary] of [
    ['Round money once', 'parseMoney and roundCents drift apart'],
    ['Orders keep their currency', 'Order and orderTotal need a currency'],
    ['Invoices show the currency', 'writeInvoice prints it'],
  ])
    tasks.push(idOf(await ada.quietly('manage_container', { operation: 'create', containerType: 'task', name, summary, featureId }), 'task'));
  const [round, keep, show] = tasks as [string, string, string];
  await ada.call('manage_dependency', { operation: 'add', blockerTaskId: keep, blockedTaskId: show });
  const first = await ada.call('get_next_task', { limit: 3 });
  // The one that others wait for comes first.
  expect((first.data['items'] as readonly { id: string }[]).map(({ id }) => id)).toEqual([keep, round]);

  transcript.scene(
    '09:05',
    'One call to begin',
    'Each agent gets the context of a task and claims it by passing its name. Claimed tasks are not offered to others.',
  );
  const started = await ada.call('context_pack', { task: 'Round money once: parseMoney and roundCents', taskId: round });
  expect(started.data).toMatchObject({ claimId: expect.any(String), coreSymbols: expect.any(Array) });
  expect(((await ben.call('get_next_task', {})).data['items'] as readonly { id: string }[])[0]?.id).toBe(keep);
  await ben.call('context_pack', { task: 'Orders keep their currency', taskId: keep });
  expect((await cyd.call('get_next_task', {})).data['items'] ?? []).toEqual([]);

  transcript.scene('09:10', 'A conflict before the edit', 'Ada works on roundCents. Cyd also wants to, and learns about the claim before it edits the file.');
  await ada.call('agent_claim', { targetId: 'src/money.ts::roundCents', claimType: 'function', intent: 'round half to even', taskId: round });
  const refused = await cyd.call('agent_claim', { targetId: 'src/money.ts::roundCents', claimType: 'function', intent: 'round down' });
  expect(refused.data).toMatchObject({ status: 'CONFLICT', conflict: { agentId: 'ada', intent: 'round half to even' } });
  const warned = await cyd.call('agent_claim', { targetId: 'src/money.ts', claimType: 'file', intent: 'sort the functions' });
  expect(warned.data).toMatchObject({ status: 'ok', warnings: [expect.objectContaining({ agentId: 'ada' })] });
  await cyd.call('agent_release', { claimId: String(warned.data['claimId']), outcome: 'Left src/money.ts to ada, who is changing how it rounds.' });

  transcript.scene('09:20', 'An edit and a decision', 'Ada edits the code it has claimed, so the claim continues. Ben finds Ada’s decision by the file.');
  replaceIn('src/money.ts', 'Math.round(value)', 'Math.round(value / 2) * 2');
  await ada.call('episode_add', { ...edit('src/money.ts', 'round half to even'), taskId: round });
  expect((await ada.call('agent_status', { agentId: 'ada' })).data['activeClaims']).toHaveLength(2);
  await ada.call('episode_add', {
    type: 'DECISION',
    content: 'Amounts are whole cents; rounding happens in roundCents alone.',
    taskId: round,
    metadata: { title: 'Round in one place', rationale: 'parseMoney and orders drifted apart', tradeoffs: ['one more call'], affectedFiles: ['src/money.ts'] },
  });
  const decided = await ben.call('decision_query', { query: 'where to round', affectedFiles: ['src/money.ts'] });
  expect(decided.data['episodes']).toMatchObject([{ type: 'DECISION', entities: ['src/money.ts'] }]);

  transcript.scene('09:30', 'An edit by another agent', 'Ben claims orderTotal, but Cyd changes it. Ben’s claim ends, with the reason.');
  const held = await ben.call('agent_claim', { targetId: 'src/orders.ts::orderTotal', claimType: 'function', intent: 'add the currency', taskId: keep });
  replaceIn('src/orders.ts', '=> sum + line, 0', '=> sum + line, 0.0');
  await cyd.call('episode_add', edit('src/orders.ts', 'sum as a decimal'));
  const claims = async (): Promise<unknown> =>
    ((await ben.quietly('agent_status', { agentId: 'ben' })).data['activeClaims'] as readonly { readonly targetId: string }[]).map(({ targetId }) => targetId);
  await expect.poll(claims, { timeout: 120_000 }).not.toContain('src/orders.ts::orderTotal');
  const ended = await ben.call('agent_release', { claimId: String(held.data['claimId']) });
  expect(ended.text).toContain('code_changed');
  await ben.call('agent_status', { agentId: 'ben' });
}

/** All three at once, each on what it finds free; a client restarts, and the owner is killed in the middle of writes. */
async function busyHalfHour(): Promise<void> {
  transcript.scene('09:40', 'A busy half hour', 'All three repeatedly work on the same five functions: claim, edit, record, test, release.');
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    return seed % below;
  };
  for (let round = 0; round < ROUNDS; round++) {
    const picks = agents.map(() => TARGETS[random(TARGETS.length)] ?? '');
    const work = Promise.all(agents.map((agent, at) => turn(agent, picks[at] ?? '', round)));
    if (round === 6) {
      await work;
      transcript.note('Ben’s client is closed and started again. With the same name, it still has its claims and episodes.');
      await (agents[1] as AgentClient).restart();
      continue;
    }
    if (round === 12) {
      transcript.note('The process that owns the project is killed while all three write. Another one takes over.');
      const victim = agents.find(agent => agent.pid === place.ownerPid());
      expect(victim).toBeDefined();
      await victim?.kill();
    }
    await work;
  }
  transcript.tally();
}

async function turn(agent: AgentClient, target: string, round: number): Promise<void> {
  const claimed = await agent.quietly('agent_claim', { targetId: target, claimType: 'function', intent: `round ${round}` });
  if (claimed.data['status'] !== 'ok') return;
  const file = target.split('::', 1)[0] ?? '';
  await agent.quietly('episode_add', edit(file, `${agent.name} in round ${round}`));
  if (round % 4 === 0) {
    const metadata = { passed: 3, failed: 0, testFiles: ['test/orders.test.ts'] };
    await agent.quietly('episode_add', { type: 'TEST_RESULT', content: '3 passed', entities: [target], metadata });
  }
  await agent.quietly('agent_release', { claimId: String(claimed.data['claimId']), outcome: `done in round ${round}` });
}

/** What is finished is closed; what moved is still known. */
async function noon(ada: AgentClient, ben: AgentClient, cyd: AgentClient): Promise<void> {
  transcript.scene('10:30', 'Finished', 'Completing a task ends its claims, reflects on its episodes and records the outcome as a decision.');
  const tasks = (await ada.call('query_container', { operation: 'search', containerType: 'task', query: '' })).data['items'] as readonly {
    id: string;
    name: string;
  }[];
  const taskOf = (name: string): string => tasks.find(task => task.name === name)?.id ?? '';
  const done = await ada.call('task_update', { taskId: taskOf('Round money once'), status: 'completed', reason: 'one place rounds' });
  expect(done.data).toMatchObject({ releasedClaims: expect.any(Array) });
  await ben.call('task_update', { taskId: taskOf('Orders keep their currency'), status: 'completed', reason: 'orders have a currency' });
  const next = await cyd.call('get_next_task', {});
  expect(next.data['items']).toMatchObject([{ name: 'Invoices show the currency' }]);

  transcript.scene('10:45', 'A moved file', 'Cyd moves money.ts into a folder. The decision still refers to it.');
  mkdirSync(join(place.workspace, 'src', 'values'), { recursive: true });
  renameSync(join(place.workspace, 'src', 'money.ts'), join(place.workspace, 'src', 'values', 'money.ts'));
  replaceIn('src/orders.ts', "'./money'", "'./values/money'");
  await cyd.call('context_pack', { task: 'Invoices show the currency: writeInvoice', taskId: taskOf('Invoices show the currency') });
  const ask = async (): Promise<unknown> =>
    (await cyd.quietly('decision_query', { query: 'round in one place', affectedFiles: ['src/values/money.ts'], limit: 1 })).data['episodes'];
  await expect.poll(ask, { timeout: 60_000 }).toMatchObject([{ entities: ['src/values/money.ts'] }]);
  await cyd.call('decision_query', { query: 'round in one place', affectedFiles: ['src/values/money.ts'], limit: 1 });

  transcript.scene('11:00', 'The end of the morning', 'The agents release their remaining claims. Claims do not expire.');
  const left = await ada.call('coordination_overview', {});
  expect(left.data['conflicts'] ?? []).toEqual([]);
  for (const claim of (left.data['activeClaims'] ?? []) as readonly { readonly id: string; readonly agentId: string }[])
    await (agents.find(({ name }) => name === claim.agentId) ?? ada).call('agent_release', { claimId: claim.id });
  expect((await ada.call('coordination_overview', {})).data['totalClaims']).toBe(0);
}

/** What is on disk against what was acknowledged. */
async function check(): Promise<void> {
  const store = await place.store();
  try {
    const claims = store.query('SELECT id, agent_id, target_id, valid_from, valid_to FROM claims ORDER BY target_id, valid_from');
    const undetected = claims.filter((claim, at) => {
      const before = claims[at - 1];
      const isSame = before?.['target_id'] === claim['target_id'] && before?.['agent_id'] !== claim['agent_id'];
      return isSame && (before?.['valid_to'] === null || Number(before?.['valid_to']) > Number(claim['valid_from']));
    });
    const kept = new Set(store.query('SELECT id FROM episodes UNION SELECT id FROM claims').map(row => String(row['id'])));
    const acknowledged = agents.flatMap(agent => agent.acknowledged);
    const lost = acknowledged.filter(id => !kept.has(id));
    const compact = transcript.compactAnswers;
    const short = compact.filter(tokens => tokens <= 300).length / compact.length;
    transcript.figures({
      calls: transcript.calls,
      conflicts: transcript.conflicts,
      undetected: undetected.length,
      acknowledged: acknowledged.length,
      lost: lost.length,
      shortShare: short,
      compact: compact.length,
    });
    transcript.save(process.env['LATTICE_TRANSCRIPT']);
    expect(undetected).toEqual([]);
    expect(lost).toEqual([]);
    expect(acknowledged.length).toBeGreaterThan(100);
    expect(transcript.conflicts).toBeGreaterThan(3);
    expect(short).toBeGreaterThanOrEqual(0.8);
  } finally {
    await store.close();
  }
}
