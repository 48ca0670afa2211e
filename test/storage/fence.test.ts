import { expect, test } from 'vitest';
import type { Disk } from '../../server/src/store/disk';
import type { Fence } from '../../server/src/store/fence';
import { readAcknowledged } from '../../server/src/store/journal/acknowledged';
import { Journal } from '../../server/src/store/journal/journal';
import type { JournalRecord } from '../../server/src/store/journal/journalRecords';
import { type JournalContent, journalAfter, readSegments } from '../../server/src/store/journal/reading';
import { EveryChoice, inTurns, Turns } from './interleavings';
import { MemoryDisk } from './memoryDisk';
import { ManualClock, PROJECT } from './storeHost';

/** One disk, the generations that were published on it, and what clients were told is saved. */
class World {
  readonly disk = new MemoryDisk();
  readonly turns = new Turns();
  readonly generations = new Set<number>();
  readonly acknowledged: string[] = [];
  #owners = 0;

  async prepare(): Promise<this> {
    await this.disk.makeFolder(PROJECT.journal);
    return this;
  }

  async content(disk: Disk): Promise<JournalContent> {
    const acknowledged = await readAcknowledged(this.disk, PROJECT.acknowledged);
    return journalAfter({ lastSeq: 0, positionOf: () => 0, acknowledged }, await readSegments(disk, PROJECT.journal));
  }

  /** As a process becomes the owner: it publishes its generation, then reads. */
  async own(disk: Disk): Promise<Owner> {
    const generation = Math.max(0, ...this.generations) + 1;
    this.generations.add(generation);
    const content = await this.content(disk);
    const fence: Fence = { generation, holds: () => Math.max(...this.generations) === generation, lose: () => undefined };
    return new Owner(this, content, disk, fence, `${++this.#owners}`);
  }
}

class Owner {
  readonly #known: Set<string>;
  readonly #journal: Journal;

  constructor(
    private readonly world: World,
    content: JournalContent,
    disk: Disk,
    fence: Fence,
    ownerId: string,
  ) {
    const records = recordsOf(content);
    this.#known = new Set(records.flatMap(({ key }) => key ?? []));
    this.#journal = new Journal({
      folder: PROJECT.journal,
      folderIdentity: world.disk.folders.get(PROJECT.journal),
      acknowledgedPath: PROJECT.acknowledged,
      disk,
      clock: new ManualClock(),
      fence,
      ownerId,
      nextEpoch: content.segments.length + 1,
      lastSeq: content.lastSeq,
      lastTimestamp: 0,
      onSynced: ({ key }) => this.#known.add(key ?? ''),
    });
  }

  /** False when the client has to ask the next owner. */
  async write(key: string): Promise<boolean> {
    const isSaved = this.#known.has(key) || (await this.#journal.append({ kind: 'note', payload: key, key })).ok;
    if (isSaved) this.world.acknowledged.push(key);
    return isSaved;
  }
}

function recordsOf({ runs }: JournalContent): readonly JournalRecord[] {
  return runs.flatMap(({ records }) => records);
}

/** What any later owner finds: everything acknowledged, nothing twice, numbers without a gap. */
async function expectKept(world: World): Promise<void> {
  const content = await world.content(world.disk);
  const records = recordsOf(content);
  const keys = records.map(({ key }) => key ?? '');
  expect(world.acknowledged.filter(key => !keys.includes(key))).toEqual([]);
  expect(new Set(keys).size).toBe(keys.length);
  expect(records.map(({ seq }) => seq)).toEqual(records.map((_, at) => at + 1));
  expect([content.missing, content.segments.filter(({ isLossy }) => isLossy)]).toEqual([[], []]);
}

test('in any order of the steps of two owners, each confirmed write is saved once, and a retry is carried out once', async () => {
  const choices = new EveryChoice();
  let runs = 0;
  let both = 0;
  do {
    const world = await new World().prepare();
    const first = await world.own(world.disk);
    expect(await first.write('before')).toBe(true);
    const old = await world.own(inTurnsOnlyToWrite(world, 'old'));
    const succeed = async (): Promise<void> => {
      await world.turns.step('new');
      const next = await world.own(inTurns(world.disk, 'new', world.turns));
      expect(await next.write('of the successor')).toBe(true);
      // The client of the old owner, sent on with its key.
      if (await told) both++;
      else expect(await next.write('of the old owner')).toBe(true);
    };
    const told = old.write('of the old owner');
    await world.turns.run([told, succeed()], choices.choose);
    await expectKept(world);
    runs++;
  } while (choices.next());
  expect(runs).toBeGreaterThan(200);
  expect(both).toBeGreaterThan(0);
  expect(both).toBeLessThan(runs);
});

/** The steps of opening are not the ones to be explored. */
function inTurnsOnlyToWrite(world: World, process: string): Disk {
  const gated = inTurns(world.disk, process, world.turns);
  return { ...gated, list: folder => world.disk.list(folder), read: path => world.disk.read(path) };
}

test.each(['append', 'sync'])('so it is when the write of the old owner fails at %s and it goes on in a segment of its own', async operation => {
  const choices = new EveryChoice();
  do {
    const world = await new World().prepare();
    const old = await world.own(inTurnsOnlyToWrite(world, 'old'));
    let failures = 1;
    world.disk.fault = name => (name === operation && failures-- > 0 ? 'EIO' : undefined);
    const write = async (): Promise<void> => {
      expect(await old.write('failed')).toBe(false);
      await old.write('again');
    };
    const succeed = async (): Promise<void> => {
      await world.turns.step('new');
      const next = await world.own(inTurns(world.disk, 'new', world.turns));
      await next.write('of the successor');
    };
    await world.turns.run([write(), succeed()], choices.choose);
    await expectKept(world);
  } while (choices.next());
});

test('five processes that take over from each other at random lose nothing', async () => {
  let state = 1;
  const random = (of: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * of);
  };
  for (let round = 0; round < 300; round++) {
    const world = await new World().prepare();
    const processes = ['a', 'b', 'c', 'd', 'e'].map(async name => {
      const disk = inTurns(world.disk, name, world.turns);
      for (let life = 0; life < 3; life++) {
        await world.turns.step(name);
        const owner = await world.own(disk);
        for (let n = 0; n < 3 && (await owner.write(`${name}${life}${n}`)); n++);
      }
    });
    await world.turns.run(processes, random);
    await expectKept(world);
  }
});
