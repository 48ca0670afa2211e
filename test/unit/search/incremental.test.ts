import { expect, test } from 'vitest';
import { CancellationSource, neverCancelled } from '../../../server/src/base/cancellation';
import { runAtOnce } from '../../../server/src/base/steps';
import { Turn } from '../../../server/src/base/yield';
import { SearchIndex } from '../../../server/src/search/searchIndex';
import type { SearchDocument, SearchView } from '../../../server/src/search/searchView';
import { documentOf, indexOf, randomDocuments, randomOf } from './documents';

const QUERIES = ['parse', 'parse config', 'httpServer', 'store read write', 'clo', 'cac', 'nameUser', 'src/http'];

/** All that a view says. */
function answersOf(view: SearchView): unknown {
  return [view.documentCount, ...QUERIES.map(text => [view.search({ text, limit: 40, offset: 0 }), view.suggest(`${text}s`, 10)])];
}

test.each([1, 2, 3, 4, 5, 6, 7, 8])('many updates give what one build of the same documents gives (seed %i)', async seed => {
  const random = randomOf(seed);
  const index = new SearchIndex();
  const current = new Map<string, SearchDocument>();
  for (let round = 0; round < 40; round++) {
    const known = [...current.keys()];
    const anyKnown = (): string[] => (known.length === 0 ? [] : [known[Math.floor(random() * known.length)] as string]);
    const changed = randomDocuments(Math.floor(random() * 12), random).map(document => ({
      ...document,
      id: random() < 0.5 ? (anyKnown()[0] ?? document.id) : document.id,
    }));
    const removed = Array.from({ length: Math.floor(random() * 8) }, anyKnown).flat();
    for (const id of removed) current.delete(id);
    for (const document of changed) current.set(document.id, document);
    await index.update({ upserts: changed, removed: [...removed, 'unknown'] });
    if (round % 10 === 9) expect(answersOf(index.view())).toEqual(answersOf((await indexOf([...current.values()])).view()));
  }
});

test('an older view keeps its answers whatever is updated later', async () => {
  const random = randomOf(11);
  const documents = randomDocuments(200, random);
  const index = await indexOf(documents);
  const view = index.view();
  const before = answersOf(view);
  for (let round = 0; round < 5; round++) {
    const update = index.update({ upserts: randomDocuments(40, random), removed: documents.slice(round * 40, round * 40 + 40).map(({ id }) => id) });
    expect(answersOf(view)).toEqual(before);
    await update;
  }
  expect(answersOf(view)).toEqual(before);
  expect(answersOf(index.view())).not.toEqual(before);
});

test('removing everything leaves an empty index', async () => {
  const documents = randomDocuments(50, randomOf(3));
  const index = await indexOf(documents);
  await index.update({ upserts: [], removed: documents.map(({ id }) => id) });
  expect(answersOf(index.view())).toEqual(answersOf(new SearchIndex().view()));
});

test('of several documents with one id the last counts, and an id may be removed and added in one batch', async () => {
  const index = await indexOf([documentOf('old', { id: 'x' })]);
  await index.update({ upserts: [documentOf('first', { id: 'x' }), documentOf('second', { id: 'x' })], removed: ['x'] });
  const found = ['old', 'first', 'second'].map(text => index.view().search({ text, limit: 9, offset: 0 }).total);
  expect(found).toEqual([0, 0, 1]);
});

test('updates that are asked for at once run one after the other', async () => {
  const index = new SearchIndex();
  await Promise.all(
    Array.from({ length: 20 }, (_, at) => index.update({ upserts: [documentOf(`name${at}`)], removed: at > 0 ? [`src/file.ts::name${at - 1}`] : [] })),
  );
  expect(
    index
      .view()
      .search({ text: 'name', limit: 50, offset: 0 })
      .hits.map(({ id }) => id),
  ).toEqual(['src/file.ts::name19']);
});

test('a long update gives way and, when cancelled, leaves the index as it was', async () => {
  let time = 0;
  let yields = 0;
  const source = new CancellationSource();
  const clock = { now: () => time, monotonic: () => (time += 4) };
  const index = await indexOf(randomDocuments(100, randomOf(1)));
  const before = answersOf(index.view());
  const turn = new Turn(clock, async () => {
    if (++yields === 5) source.cancel();
  });
  await expect(index.update({ upserts: randomDocuments(2000, randomOf(2)), removed: [] }, turn, source.token)).rejects.toThrow('cancelled');
  expect([yields, answersOf(index.view())]).toEqual([5, before]);
  const other = await indexOf(randomDocuments(100, randomOf(1)));
  const batch = { upserts: randomDocuments(2000, randomOf(2)), removed: [] };
  await index.update(batch, new Turn(clock, async () => undefined), neverCancelled);
  await other.update(batch);
  expect(answersOf(index.view())).toEqual(answersOf(other.view()));
});

test('columns bring the index back, with what was removed, and it can be updated further', async () => {
  const documents = randomDocuments(150, randomOf(5));
  const index = await indexOf(documents);
  await index.update({ upserts: randomDocuments(5, randomOf(6)), removed: documents.slice(0, 20).map(({ id }) => id) });
  const again = runAtOnce(SearchIndex.fromColumns(structuredClone(runAtOnce(index.toColumns()))));
  expect(again && answersOf(again.view())).toEqual(answersOf(index.view()));
  const batch = { upserts: randomDocuments(30, randomOf(9)), removed: documents.slice(20, 60).map(({ id }) => id) };
  await index.update(batch);
  await again?.update(batch);
  expect(again && answersOf(again.view())).toEqual(answersOf(index.view()));
});

test('columns of another version or of odd shape are not used', async () => {
  const columns = runAtOnce((await indexOf(randomDocuments(20, randomOf(1)))).toColumns());
  const [segment] = columns.segments;
  const odd: unknown[] = [
    undefined,
    null,
    'text',
    { ...columns, version: columns.version + 1 },
    { ...columns, segments: [{ ...segment, ids: ['a\u0000'] }] },
    { ...columns, segments: [{ ...segment, postings: [] }] },
    { ...columns, segments: [{ ...segment, lengths: [1, 2] }] },
    { ...columns, segments: [{ ...segment, dead: new Uint8Array(3) }] },
  ];
  expect(odd.map(one => runAtOnce(SearchIndex.fromColumns(one)))).toEqual(odd.map(() => undefined));
  expect(runAtOnce(SearchIndex.fromColumns(runAtOnce(new SearchIndex().toColumns())))?.documentCount).toBe(0);
});
