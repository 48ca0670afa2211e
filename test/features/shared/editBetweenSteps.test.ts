import { expect, test } from 'vitest';
import { neverCancelled } from '../../../server/src/base/cancellation';
import { Interner } from '../../../server/src/base/interner';
import { CodeGraph } from '../../../server/src/code/graph/codeGraph';
import { searchDocumentsOf } from '../../../server/src/engine/indexing/searchDocuments';
import { explain } from '../../../server/src/features/explain/explain';
import { impact } from '../../../server/src/features/impact/impact';
import { hybridSearch } from '../../../server/src/features/search/hybridSearch';
import { searchCode, searchInSteps } from '../../../server/src/features/search/searchCode';
import type { NodeHandle } from '../../../server/src/model/ids';
import { SearchIndex } from '../../../server/src/search/searchIndex';
import { trainModel } from '../../../server/src/search/termModel';
import type { Snapshot, Workspace } from '../../../server/src/workspace/snapshot';
import { deltaOf, type FileSketch, type WorkspaceSketch } from '../../helpers/graphOf';
import { workspaceOf } from '../../helpers/workspaceOf';

const FILES = 24;
const WORDS = ['basket', 'price', 'total', 'order', 'stock', 'ship'];
const word = (at: number): string => WORDS[at % WORDS.length] ?? '';
const pathAt = (at: number): string => `src/${word(at)}${at}.ts`;
const idAt = (at: number): string => `${pathAt(at)}::${word(at)}${at}`;

/** `salt` moves every call and says other words. */
function fileAt(at: number, salt: number): FileSketch {
  const name = `${word(at)}${at}`;
  return {
    symbols: [
      { name, doc: `Makes the ${word(at + salt)} of a ${word(at * 3 + salt)}.` },
      { name: `check${word(at + salt)}`, doc: 'Says whether the total is right.' },
    ],
    references: [1, 3, 5].map(step => ({ from: name, relation: 'CALLS' as const, to: idAt((at + step * (salt + 1)) % FILES) })),
  };
}

const FIRST: WorkspaceSketch = Object.fromEntries(Array.from({ length: FILES }, (_, at) => [pathAt(at), fileAt(at, 0)]));
const EDITED: WorkspaceSketch = Object.fromEntries(Array.from({ length: FILES / 2 }, (_, at) => [pathAt(at * 2), fileAt(at * 2, 1 + (at % 3))]));
const REMOVED = [pathAt(3), pathAt(7)];

/** Graph and search as an engine keeps them: one of each, changed in place, read through views. */
class World {
  readonly #interner = new Interner<NodeHandle>();
  readonly #graph = new CodeGraph(this.#interner);
  readonly #search = new SearchIndex();

  static async make(): Promise<World> {
    const world = new World();
    await world.#take(FIRST, []);
    const parts = world.#search.parts.map(({ dead, segment }) => ({
      terms: segment.terms,
      postings: segment.postings,
      documentCount: segment.ids.length,
      dead,
    }));
    const model = await trainModel(parts, { id: 'first', dimension: 8 });
    if (model === undefined) throw new Error('too few documents');
    await world.#search.adopt(model, new Map(), 0);
    // Later revisions go on from these ranks.
    world.snapshot.graph.pageRank();
    return world;
  }

  get snapshot(): Snapshot {
    const { view } = this.#graph;
    return { revision: view.revision, graph: view, search: this.#search.view(), stamp: { revision: view.revision, head: '', pendingFiles: 0 } };
  }

  /** File by file, so that segments are merged on the way. */
  async edit(): Promise<void> {
    for (const [path, file] of Object.entries(EDITED)) await this.#take({ [path]: file }, []);
    await this.#take({}, REMOVED);
  }

  async #take(sketch: WorkspaceSketch, removed: readonly string[]): Promise<void> {
    const delta = deltaOf(sketch, this.#interner, removed);
    const { view } = this.#graph;
    const gone = [...Object.keys(sketch), ...removed].flatMap(path => {
      const file = view.fileOf(path);
      return file === undefined ? [] : [path, ...view.symbolsOf(file).map(node => view.idOf(node))];
    });
    const upserts = delta.upserts.flatMap(({ facts, record }) => searchDocumentsOf(record.path, facts));
    const stay = new Set(upserts.map(({ id }) => id));
    this.#graph.apply(delta);
    await this.#search.update({ upserts, removed: gone.filter(id => !stay.has(id)) });
  }
}

type Ask = (workspace: Workspace) => Promise<unknown>;

/** An answer during which everything changes at one of its pauses, if there are as many. */
async function askedWithEdit(ask: Ask, editAt: number): Promise<{ readonly answer: unknown; readonly world: World; readonly pauses: number }> {
  const world = await World.make();
  let pauses = 0;
  const workspace: Workspace = {
    ...workspaceOf({}),
    snapshot: async () => ({ ok: true, value: world.snapshot }),
    current: () => world.snapshot,
    pause: async () => {
      if (pauses++ === editAt) await world.edit();
    },
  };
  return { answer: await ask(workspace), world, pauses };
}

const revisionOf = (answer: unknown): number => (answer as { value: { stamp: { revision: number } } }).value.stamp.revision;

test.each<[string, Ask]>([
  ['search_code', workspace => searchCode(workspace, { query: 'total price basket', subgraph: { egoHops: 1, boundary: true } }, neverCancelled)],
  ['search_code by kind', workspace => searchCode(workspace, { query: 'check total order', kinds: ['FUNCTION'] }, neverCancelled)],
  ['hybrid_search', workspace => hybridSearch(workspace, { query: 'makes stock', anchor: idAt(5) }, neverCancelled)],
  ['hybrid_search around the best', workspace => hybridSearch(workspace, { query: 'ship order', mode: 'graph' }, neverCancelled)],
  ['code_explain', workspace => explain(workspace, { target: idAt(5), depth: 2 }, neverCancelled)],
  ['impact_analyze', workspace => impact(workspace, { target: idAt(9) }, neverCancelled)],
])('%s, with an edit between any two of its steps, is the answer of the revision that it names', async (_, ask) => {
  const before = await askedWithEdit(ask, -1);
  const after = await askedWithEdit(async workspace => {
    await workspace.pause?.();
    return ask(workspace);
  }, 0);
  expect(after.answer).not.toEqual(before.answer);
  expect(before.pauses).toBeGreaterThan(0);
  for (let editAt = 0; editAt < before.pauses; editAt++) {
    const { answer } = await askedWithEdit(ask, editAt);
    expect(answer).toEqual(revisionOf(answer) === revisionOf(before.answer) ? before.answer : after.answer);
  }
});

test('what is asked of one snapshot is answered by it, whatever is changed and asked of others between its steps', async () => {
  const ask = (workspace: Workspace, snapshot: Snapshot): Promise<unknown> => searchInSteps(workspace, snapshot, { query: 'total price basket', limit: 50 });
  const world = await World.make();
  const alone = await ask(workspaceOf({}), world.snapshot);
  let pauses = 1;
  for (let editAt = 0; editAt < pauses; editAt++) {
    const edited = await World.make();
    const pinned = edited.snapshot;
    pauses = 0;
    const pause = async (): Promise<void> => {
      if (pauses++ !== editAt) return;
      await edited.edit();
      edited.snapshot.search.search({ text: 'total price ship', limit: 50, offset: 0 });
    };
    expect(await ask({ ...workspaceOf({}), pause }, pinned)).toEqual(alone);
  }
  expect(pauses).toBeGreaterThan(4);
});
