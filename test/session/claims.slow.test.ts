import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Door, DoorClosed, type Envelope, openMcp, SharedPlace } from './doors';

const PROCESSES = 8;
const CLAIMS = 20;
const TARGETS = 6;

let place: SharedPlace;
const doors = new Set<Door>();

beforeEach(() => {
  place = new SharedPlace();
});
afterEach(async () => {
  await Promise.all([...doors].map(door => door.kill()));
  doors.clear();
  place.remove();
});

function open(): Door {
  const door = openMcp(place);
  doors.add(door);
  return door;
}

/** `undefined` when the process was killed before it answered: its claim may or may not have been made. */
async function asked(door: Door, name: string, input: Readonly<Record<string, unknown>>): Promise<Envelope | undefined> {
  try {
    return await door.call(name, { profile: 'debug', ...input });
  } catch (error) {
    if (error instanceof DoorClosed) return undefined;
    throw error;
  }
}

interface Held {
  readonly id: string;
  readonly agentId: string;
  readonly targetId: string;
}

test(`of ${CLAIMS} agents in ${PROCESSES} processes one gets each target, also while owners are killed, and what was acknowledged stays`, {
  timeout: 300_000,
}, async () => {
  const all = Array.from({ length: PROCESSES }, open);
  const targets: string[] = [];
  for (let at = 0; at < TARGETS; at++) {
    const made = await (all[0] as Door).call('manage_container', { operation: 'create', containerType: 'task', name: `Task ${at}`, profile: 'debug' });
    targets.push(((made.data ?? {})['task'] as { readonly id: string }).id);
  }
  const won = new Map<string, Held>();
  const remembered: string[] = [];
  for (const [round, targetId] of targets.entries()) {
    const claims = Array.from({ length: CLAIMS }, async (_, at) => {
      const agentId = `agent ${at}`;
      const door = all[at % PROCESSES] as Door;
      const answer = await asked(door, 'agent_claim', { targetId, claimType: 'task', intent: `round ${round}`, agentId });
      return { agentId, answer };
    });
    const noted = asked(all[(round + 1) % PROCESSES] as Door, 'episode_add', { type: 'OBSERVATION', content: `round ${round} noted`, agentId: 'notary' });
    // Every other round the owner goes while its claims are on the way.
    const owner = round % 2 === 1 ? place.ownerPid() : undefined;
    const victim = all.findIndex(door => door.pid === owner);
    if (victim >= 0) {
      await (all[victim] as Door).kill();
      doors.delete(all[victim] as Door);
      all[victim] = open();
    }
    const answers = await Promise.all(claims);
    const winners = answers.filter(({ answer }) => answer?.ok === true && (answer.data ?? {})['status'] === 'ok');
    const refused = answers.filter(({ answer }) => answer?.ok === true && (answer.data ?? {})['status'] === 'CONFLICT');
    expect(winners.length, `winners of ${targetId}`).toBeLessThanOrEqual(1);
    const lost = answers.filter(({ answer }) => answer === undefined).length;
    expect(winners.length + refused.length + lost).toBe(CLAIMS);
    if (lost === 0) expect(winners).toHaveLength(1);
    const [winner] = winners;
    if (winner !== undefined) won.set(targetId, { id: String((winner.answer?.data ?? {})['claimId']), agentId: winner.agentId, targetId });
    if ((await noted)?.ok === true) remembered.push(`round ${round} noted`);
  }
  const [door] = all;
  const overview = await (door as Door).call('coordination_overview', { profile: 'debug' });
  const active = (overview.data ?? {})['activeClaims'] as readonly Held[];
  expect(new Set(active.map(({ targetId }) => targetId)).size, 'holders per target').toBe(active.length);
  for (const held of won.values()) expect(active).toContainEqual(expect.objectContaining({ ...held }));
  const recalled = await (door as Door).call('episode_recall', { query: 'noted', limit: 50, profile: 'debug' });
  const contents = ((recalled.data ?? {})['episodes'] as readonly { readonly content: string }[]).map(({ content }) => content);
  expect(contents).toEqual(expect.arrayContaining(remembered));
  expect(contents).toHaveLength(new Set(contents).size);
});
