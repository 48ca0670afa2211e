import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import { KeptLinks } from '../../server/src/engine/changes/past/keptLinks';
import type { LoadedFile } from '../../server/src/engine/indexing/fileLoader';
import { IndexState } from '../../server/src/engine/indexing/indexState';
import type { KnownResolutions } from '../../server/src/engine/indexing/resolving';
import { languageOfExtension } from '../../server/src/model/languages';
import { type Pick, PY_FILES, python, TS_FILES, typescript } from '../helpers/randomCode';
import { resolverFile, testTurn } from '../helpers/resolveFixture';
import { cold, random, spelled } from '../helpers/resolveRuns';

type Texts = ReadonlyMap<string, string>;

class Pack {
  readonly records = new Map<string, Uint8Array>();
  has = (key: string): boolean => this.records.has(key);
  get = async (key: string): Promise<Uint8Array | undefined> => this.records.get(key);
  put = (key: string, value: Uint8Array): void => void this.records.set(key, value);
}

async function loaded(path: string, text: string): Promise<LoadedFile> {
  const { facts, isTest } = await resolverFile(path, text);
  const contentHash = createHash('sha256').update(text).digest('hex');
  const language = languageOfExtension(path.slice(path.lastIndexOf('.')));
  const record = { path, language, contentHash, sizeBytes: text.length, isTest, isGenerated: false };
  const signature = { sizeBytes: text.length, mtimeMs: 1, inode: 1 };
  const factsKey = facts === undefined ? undefined : contentHash;
  return {
    tracked: { record, signature, factsKey, syntax: facts?.syntax, symbols: 0, isMinified: false, problem: undefined },
    facts,
    change: 'content',
    parsed: true,
  };
}

/** Takes an index from one state to another. */
async function become(state: IndexState, before: Texts, after: Texts): Promise<void> {
  const files: LoadedFile[] = [];
  for (const [path, text] of after) if (before.get(path) !== text) files.push(await loaded(path, text));
  const removed = [...before.keys()].filter(path => !after.has(path));
  await state.apply({ loaded: files, removed, manifests: [], draft: undefined, precise: undefined }, testTurn(), neverCancelled);
}

function linksOf({ graph, interner }: IndexState): string[] {
  return spelled(
    interner,
    graph
      .entries()
      .map(({ external, file, nodes, record, sites, unresolved }) => ({ path: record.path, file, symbolNodes: nodes, sites, unresolved, external })),
  );
}

/** What there was to be resolved for each state that was asked for: `undefined` for all that differs. */
function watched(known: KnownResolutions, asked: (number | undefined)[]): KnownResolutions {
  return {
    async after(...change) {
      const found = await known.after(...change);
      asked.push(found?.missing.size);
      return found;
    },
    keep: (...change) => known.keep(...change),
  };
}

/** Where the references of a past state lead. */
async function pastLinks(live: IndexState, now: Texts, past: Texts, kept: KeptLinks, asked: (number | undefined)[]): Promise<string[]> {
  const fork = live.fork({ of: async () => ({ text: undefined, history: '' }) }, fork => watched(kept.over(fork), asked));
  await become(fork, now, past);
  await live.rollback(testTurn());
  return linksOf(fork);
}

async function indexOf(files: Texts): Promise<IndexState> {
  const state = new IndexState(0);
  state.primeEmpty();
  await become(state, new Map(), files);
  return state;
}

const PAST = new Map([
  ['lib.ts', 'export class Old { run(): void {} }\nexport function make(): Old { return new Old(); }\n'],
  ['user.ts', "import { make } from './lib';\nexport const used = make().run();\n"],
  ['other.ts', 'export const other = 1;\n'],
]);
const NOW = new Map([...PAST, ['lib.ts', 'export class New { run(): void {} }\nexport function make(): New { return new New(); }\n']]);

test('a state that was resolved once is not resolved again, also not by another process', async () => {
  const pack = new Pack();
  const asked: (number | undefined)[] = [];
  for (let process = 0; process < 2; process++) {
    const live = await indexOf(NOW);
    const kept = new KeptLinks(pack, live.interner, '1');
    for (let time = 0; time < 2; time++) expect(await pastLinks(live, NOW, PAST, kept, asked)).toEqual(await cold(PAST));
  }
  expect(asked).toEqual([undefined, 0, 0, 0]);
});

test('what is hashed ahead is not hashed again by a question', async () => {
  const live = await indexOf(NOW);
  const pack = new Pack();
  await pastLinks(live, NOW, PAST, new KeptLinks(pack, live.interner, '1'), []);
  const spelledIds = async (isPrepared: boolean): Promise<number> => {
    const kept = new KeptLinks(pack, live.interner, '1');
    if (isPrepared) await kept.prepare(live, testTurn(), neverCancelled);
    const text = vi.spyOn(live.interner, 'text');
    expect(await pastLinks(live, NOW, PAST, kept, [])).toEqual(await cold(PAST));
    return text.mock.calls.length;
  };
  const { size } = live.interner;
  const cost = await spelledIds(false);
  vi.restoreAllMocks();
  expect(await spelledIds(true)).toBe(cost - size);
  vi.restoreAllMocks();
});

test('what another version of Lattice kept is not used', async () => {
  const pack = new Pack();
  const asked: (number | undefined)[] = [];
  const live = await indexOf(NOW);
  for (const version of ['1', '2']) await pastLinks(live, NOW, PAST, new KeptLinks(pack, live.interner, version), asked);
  expect(asked).toEqual([undefined, undefined]);
});

test('a file that was as it is now, and is not any more, is resolved by itself', async () => {
  const pack = new Pack();
  const asked: (number | undefined)[] = [];
  const live = await indexOf(NOW);
  const kept = new KeptLinks(pack, live.interner, '1');
  await pastLinks(live, NOW, PAST, kept, asked);
  const later = new Map([...NOW, ['other.ts', "import { make } from './lib';\nexport const other = make();\n"]]);
  await become(live, NOW, later);
  expect(await pastLinks(live, later, PAST, kept, asked)).toEqual(await cold(PAST));
  expect(await pastLinks(live, later, PAST, kept, asked)).toEqual(await cold(PAST));
  expect(asked).toEqual([undefined, 1, 0]);
  expect(linksOf(live)).toEqual(await cold(later));
});

test('what is kept of a state counts only where it is whole and true', async () => {
  const spoil: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
    'a hash of references that nobody has': bytes => deflateRawSync(inflateRawSync(bytes).fill('0', 0, 16)),
    'a hash too few': bytes => deflateRawSync(inflateRawSync(bytes).subarray(16)),
  };
  for (const [name, change] of Object.entries(spoil)) {
    const pack = new Pack();
    const live = await indexOf(NOW);
    const kept = new KeptLinks(pack, live.interner, '1');
    await pastLinks(live, NOW, PAST, kept, []);
    for (const [key, bytes] of pack.records) if (key.startsWith('state:')) pack.put(key, change(bytes));
    expect(await pastLinks(live, NOW, PAST, kept, []), name).toEqual(await cold(PAST));
    expect(linksOf(live)).toEqual(await cold(NOW));
  }
});

test.each(['state:', 'links:'])('damaged records are as if they were not there: %s', async prefix => {
  for (const damaged of [(bytes: Uint8Array) => Buffer.alloc(bytes.length, 'x'), (bytes: Uint8Array) => bytes.subarray(0, bytes.length / 2)]) {
    const pack = new Pack();
    const asked: (number | undefined)[] = [];
    const live = await indexOf(NOW);
    const kept = new KeptLinks(pack, live.interner, '1');
    await pastLinks(live, NOW, PAST, kept, asked);
    kept.note('v1', [...pack.records.keys()].find(key => key.startsWith('state:')) ?? '');
    for (const [key, bytes] of pack.records) if (key.startsWith(prefix)) pack.put(key, damaged(bytes));
    expect(await pastLinks(live, NOW, PAST, kept, asked)).toEqual(await cold(PAST));
    expect(await kept.keysOf(['v1'])).toBeInstanceOf(Set);
  }
});

test.each([
  ['TypeScript', TS_FILES, typescript],
  ['Python', PY_FILES, python],
] as const)('past states made from what is kept are those of cold runs, whatever the code is now: %s', async (_, paths, write) => {
  for (let seed = 1; seed <= 8; seed++) {
    const next = random(seed);
    const pick: Pick = items => items[Math.floor(next() * items.length)] as (typeof items)[number];
    const pack = new Pack();
    const asked: (number | undefined)[] = [];
    let files: Texts = new Map(paths.map(path => [path, write(path, pick)]));
    let live = await indexOf(files);
    const pasts: Texts[] = [];
    for (let step = 0; step < 10; step++) {
      const edited = new Map(files);
      const path = pick(paths);
      if (files.has(path) && next() < 0.2) edited.delete(path);
      else edited.set(path, write(path, pick));
      await become(live, files, edited);
      pasts.push(files);
      files = edited;
      if (next() < 0.2) live = await indexOf(files);
      const past = pick(pasts);
      const name = `seed ${seed} step ${step}`;
      const kept = new KeptLinks(pack, live.interner, '1');
      for (let time = 0; time < 2; time++) expect(await pastLinks(live, files, past, kept, asked), name).toEqual(await cold(past));
      expect(linksOf(live), `${name}, after it`).toEqual(await cold(files));
      expect(asked.at(-1), `${name}, again`).toBe(0);
    }
    expect(asked.filter((missing, at) => at % 2 === 0 && missing !== undefined).length).toBeGreaterThan(0);
  }
});
