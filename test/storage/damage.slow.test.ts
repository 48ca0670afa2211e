import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkStore, repairStore } from '../../server/src/store/doctor';
import { MemoryDisk } from './memoryDisk';
import { note, notesOf, openStore, PROJECT } from './storeHost';

const POSITIONS = 600;

interface Kept {
  readonly disk: MemoryDisk;
  readonly notes: readonly string[];
  /** Notes by the segment that holds them, also those of segments that a saved view contains. */
  readonly bySegment: ReadonlyMap<string, readonly string[]>;
}

/** Two saved views, the segment that only the newer one contains, and two segments of owners that were killed. */
async function lives(): Promise<Kept> {
  let disk = new MemoryDisk();
  const notes: string[] = [];
  const bySegment = new Map<string, readonly string[]>();
  for (const life of ['a', 'b', 'c', 'd']) {
    const store = await openStore(disk);
    const texts = Array.from({ length: 12 }, (_, at) => `${life}${at} ${'text '.repeat(at)}`);
    for (const text of texts) await note(store, text);
    notes.push(...texts);
    const newest = (await disk.list(PROJECT.journal)).at(-1) ?? '';
    bySegment.set(newest, texts);
    if (life < 'c') await store.close();
    disk = disk.survivor('killed');
  }
  return { disk, notes, bySegment };
}

/** Numbers below `limit` that look random and are the same in each run (a linear congruential generator, constants of Numerical Recipes). */
function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return limit => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

function damage(bytes: Buffer, at: number, isCut: boolean): Buffer {
  if (isCut) return bytes.subarray(0, at);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << (at & 7));
  return bytes;
}

test(`a bit flipped or a file cut at ${POSITIONS} places: what the rest of the files has is there, a loss is said, and writing goes on`, async () => {
  const whole = await lives();
  const files = [...whole.disk.files.keys()];
  const next = numbers(7);
  const outcomes = { nothingLost: 0, lost: 0 };
  for (let round = 0; round < POSITIONS; round++) {
    const path = files[next(files.length)] ?? '';
    const at = next(whole.disk.bytesOf(path).length);
    const isCut = next(2) === 0;
    const what = `${path} ${isCut ? 'cut' : 'flipped'} at ${at}`;
    const disk = whole.disk.survivor('killed');
    disk.change(path, bytes => damage(bytes, at, isCut));
    const name = path.slice(PROJECT.journal.length + 1);
    const mayLose = ['c', 'd'].some(life => whole.bySegment.get(name)?.[0]?.startsWith(life) === true) ? (whole.bySegment.get(name) ?? []) : [];

    const findings = await checkStore(disk, PROJECT);
    const isRepaired = round % 2 === 0;
    const repaired = isRepaired ? await repairStore(disk, PROJECT) : [];
    const store = await openStore(disk);
    const found = notesOf(store);
    const lost = whole.notes.filter(text => !found.includes(text));
    expect(found, what).toEqual(whole.notes.filter(text => !lost.includes(text)));
    expect(
      lost.filter(text => !mayLose.includes(text)),
      what,
    ).toEqual([]);
    // What precedes a cut is there; a bit costs the record it is in and no other.
    const before = mayLose.filter(text => !lost.includes(text));
    if (isCut) expect(mayLose.slice(0, before.length), what).toEqual(before);
    else expect(lost.length, what).toBeLessThanOrEqual(1);
    if (lost.length > 0) {
      outcomes.lost++;
      const said = [...repaired, ...store.recovered].join('\n');
      expect(said, what).toMatch(/confirmed changes? may be lost/);
      expect(findings.some(({ severity }) => severity !== 'ok') || store.needsHashCheck, what).toBe(true);
    } else outcomes.nothingLost++;
    expect(await note(store, 'after'), what).toBe(true);
    const again = await openStore(disk.survivor('killed'));
    expect(notesOf(again), what).toEqual([...found, 'after']);
    expect(again.recovered, what).toEqual(store.recovered);
    await again.close();
    await store.abandon();
  }
  expect(outcomes.lost).toBeGreaterThan(50);
  expect(outcomes.nothingLost).toBeGreaterThan(200);
});

test('whatever files are gone, a loss is said, and only what they alone had is lost', async () => {
  const whole = await lives();
  const files = [...whole.disk.files.keys()];
  for (let gone = 1; gone < 2 ** files.length; gone++) {
    const disk = whole.disk.survivor('killed');
    const missing = files.filter((_, at) => (gone >> at) & 1);
    for (const path of missing) disk.files.delete(path);
    await disk.write(join(PROJECT.backups, 'x.json'), [Buffer.from('{}')]);
    const store = await openStore(disk);
    const found = notesOf(store);
    const lost = whole.notes.filter(text => !found.includes(text));
    expect(found, missing.join(' ')).toEqual(whole.notes.filter(text => !lost.includes(text)));
    const without = [...whole.bySegment].filter(([name]) => missing.includes(join(PROJECT.journal, name))).flatMap(([, texts]) => texts);
    // When all that is left is where a cut would be, only the note of the acknowledgements tells that there was more.
    const endsEarly = lost.length < whole.notes.length && found.at(-1) === whole.notes[found.length - 1] && lost.every(text => without.includes(text));
    const isNoteGone = missing.includes(PROJECT.acknowledged);
    if (lost.length > 0 && !(endsEarly && isNoteGone))
      expect(store.recovered.join('\n'), missing.join(' ')).toMatch(/latest backup, which lattice doctor lists/);
    if (lost.length === 0) expect(store.recovered, missing.join(' ')).toEqual([]);
    await store.abandon();
  }
});
