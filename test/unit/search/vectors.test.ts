import { expect, test } from 'vitest';
import type { SearchIndex } from '../../../server/src/search/searchIndex';
import type { SearchDocument, SearchQuery } from '../../../server/src/search/searchView';
import { trainModel } from '../../../server/src/search/termModel';
import { DotProducts, plainDots } from '../../../server/src/search/vectors/dotProducts';
import { fuseLinear, fuseReciprocalRanks } from '../../../server/src/search/vectors/fusion';
import { eigen, type TermRows, trainLsa } from '../../../server/src/search/vectors/lsa';
import { documentOf, indexOf, randomDocuments, randomOf } from './documents';

/** Trains on what the index holds and gives it the model. */
async function learned(index: SearchIndex, dimension = 16): Promise<SearchIndex> {
  const parts = index.parts.map(({ dead, segment }) => ({ terms: segment.terms, postings: segment.postings, documentCount: segment.ids.length, dead }));
  const model = await trainModel(parts, { id: `of ${index.documentCount}`, dimension });
  if (model === undefined) throw new Error('too few documents');
  await index.adopt(model, new Map(), 0);
  return index;
}

function idsOf(index: SearchIndex, query: Partial<SearchQuery> & { readonly text: string }): readonly string[] {
  return index
    .view()
    .search({ limit: 10, offset: 0, ...query })
    .hits.map(({ id }) => id);
}

/** Two circles of words that never meet; `bill` stands beside `invoice` in some, and alone in none of those that are looked for. */
function twoCircles(): SearchDocument[] {
  const money = ['invoice bill amount', 'invoice bill tax', 'bill tax amount', 'invoice tax customer', 'bill customer amount', 'invoice amount customer tax'];
  const wires = ['socket packet port', 'socket packet header', 'packet header port', 'socket header frame', 'packet frame port', 'socket port frame header'];
  return [...money, ...wires].flatMap((body, at) => [0, 1, 2].map(copy => documentOf(`f${at}x${copy}`, { path: `src/m${at}.ts`, body })));
}

test('a small matrix has the singular values that its Gram matrix says', () => {
  const random = randomOf(5);
  const dense = Array.from({ length: 30 }, () => Array.from({ length: 12 }, () => (random() < 0.4 ? random() : 0)));
  const basis = trainLsa(rowsOf(dense), { termCount: 12, dimension: 12 });
  const gram = Float64Array.from({ length: 144 }, (_, at) => dense.reduce((sum, row) => sum + (row[Math.floor(at / 12)] ?? 0) * (row[at % 12] ?? 0), 0));
  const expected = [...eigen(gram, 12).values].sort((a, b) => b - a);
  const squares = Array.from({ length: basis.dimension }, (_, column) =>
    dense.reduce((sum, row) => sum + row.reduce((dot, value, term) => dot + value * (basis.vectors[term * basis.dimension + column] ?? 0), 0) ** 2, 0),
  );
  expect(basis.dimension).toBe(12);
  squares.forEach((value, at) => {
    expect(value).toBeCloseTo(expected[at] ?? 0, 3);
  });
});

test('directions are orthonormal, and a matrix of one direction has one', () => {
  const dense = Array.from({ length: 8 }, (_, row) => [1, 2, 2].map(value => value * (row + 1)));
  const { dimension, vectors } = trainLsa(rowsOf(dense), { termCount: 3, dimension: 3 });
  expect(dimension).toBe(1);
  expect([...vectors].map(value => Math.round(Math.abs(value) * 1e4) / 1e4)).toEqual([0.3333, 0.6667, 0.6667]);
});

test('what shares no word with the query is found by the company that words keep', async () => {
  const index = await learned(await indexOf(twoCircles()), 2);
  const lexical = idsOf(index, { text: 'bill', mode: 'lexical', limit: 50 });
  const hybrid = idsOf(index, { text: 'bill', limit: 50 });
  expect(lexical).not.toContain('src/m3.ts::f3x0');
  expect(hybrid).toContain('src/m3.ts::f3x0');
  expect(hybrid).toEqual(expect.arrayContaining([...lexical]));
  expect(idsOf(index, { text: 'bill', mode: 'vector', limit: 18 }).every(id => /m[0-5]\.ts/.test(id))).toBe(true);
});

test('without a model every mode is lexical; a query of unknown words finds nothing', async () => {
  const index = await indexOf(twoCircles());
  for (const mode of ['vector', 'hybrid'] as const) expect(idsOf(index, { text: 'bill', mode })).toEqual(idsOf(index, { text: 'bill', mode: 'lexical' }));
  await learned(index, 2);
  expect(idsOf(index, { text: 'zebra' })).toEqual([]);
});

test('a new document gets its vector at once, a removed one is gone, an older view stays', async () => {
  const index = await learned(await indexOf(twoCircles()), 2);
  const before = index.view();
  const asked = { text: 'bill', limit: 100, offset: 0 };
  const old = before.search(asked);
  await index.update({ upserts: [documentOf('fresh', { path: 'src/new.ts', body: 'invoice tax customer' })], removed: ['src/m3.ts::f3x0'] });
  const now = idsOf(index, asked);
  expect(now).toContain('src/new.ts::fresh');
  expect(now).not.toContain('src/m3.ts::f3x0');
  expect(before.search(asked)).toEqual(old);
  expect(index.withoutVector()).toEqual([]);
});

test.each([1, 2, 3])('updates after the training leave the vectors that one build with the same model has (seed %i)', async seed => {
  const random = randomOf(seed);
  const documents = randomDocuments(300, random);
  const index = await learned(await indexOf(documents));
  const model = index.meaning?.words;
  if (model === undefined) throw new Error('no model');
  const more = randomDocuments(120, random).map(document => ({ ...document, id: `${document.id}b` }));
  for (let from = 0; from < more.length; from += 20) await index.update({ upserts: more.slice(from, from + 20), removed: [documents[from]?.id ?? ''] });
  const gone = new Set([0, 20, 40, 60, 80, 100].map(at => documents[at]?.id));
  const fresh = await indexOf([...documents.filter(({ id }) => !gone.has(id)), ...more]);
  await fresh.adopt(model, new Map(), 0);
  for (const text of ['parse config', 'http server', 'cache store', 'graph'])
    expect(idsOf(index, { text, limit: 60 })).toEqual(idsOf(fresh, { text, limit: 60 }));
  expect(index.drift).toBeCloseTo(120 / 300);
});

test('training is the same each time, and answers are', async () => {
  const ask = async (): Promise<unknown> =>
    (await learned(await indexOf(randomDocuments(200, randomOf(9))))).view().search({ text: 'read node', limit: 200, offset: 0 });
  expect(await ask()).toEqual(await ask());
});

test.each(['linear', 'rrf'] as const)('pages of a hybrid answer are the whole without gap or repetition (%s)', async fusion => {
  const index = await learned(await indexOf(randomDocuments(400, randomOf(3))));
  const ask = (offset: number, limit: number): readonly string[] => idsOf(index, { text: 'parse token', fusion, offset, limit });
  const whole = ask(0, 1000);
  expect(new Set(whole).size).toBe(whole.length);
  expect(Array.from({ length: Math.ceil(whole.length / 7) }, (_, page) => ask(page * 7, 7)).flat()).toEqual(whole);
});

test('shares of two lists add up over the best of each', () => {
  const scores = Float64Array.of(8, 4, 0);
  fuseLinear(scores, Float64Array.of(0, 0.5, 0.25), 0.3);
  expect([...scores].map(value => Math.round(value * 1e6) / 1e6)).toEqual([0.7, 0.65, 0.15]);
  const nothing = Float64Array.of(0, 0);
  fuseLinear(nothing, Float64Array.of(0.2, 0.4), 0.3);
  expect([...nothing]).toEqual([0.5, 1]);
});

test('reciprocal ranks are weighted by list; what neither list has comes last', () => {
  const scores = Float64Array.of(9, 5, 0, 0);
  fuseReciprocalRanks(scores, Float64Array.of(0, 0.9, 0.4, 0), (a, b) => a < b, { rrfK: 60, rrfWeights: { lexical: 1, vector: 0.5 } });
  expect([...scores].slice(0, 3)).toEqual([1 / 61, 1 / 62 + 0.5 / 61, 0.5 / 62]);
  expect(scores[3]).toBe(0);
});

test('vectors of a service are compared with the vector that comes with the query', async () => {
  const index = await indexOf([documentOf('north'), documentOf('east'), documentOf('far')]);
  await index.adoptForeign('service', 2);
  await index.putVectors(
    new Map([
      ['src/file.ts::north', Float32Array.of(0.5, 3)],
      ['src/file.ts::east', Float32Array.of(2, 0.1)],
    ]),
  );
  expect(index.withoutVector()).toEqual(['src/file.ts::far']);
  expect(idsOf(index, { text: 'zebra', vector: Float32Array.of(1, 0) })).toEqual(['src/file.ts::east', 'src/file.ts::north']);
  expect(idsOf(index, { text: 'zebra' })).toEqual([]);
  expect(idsOf(index, { text: 'zebra', vector: Float32Array.of(1, 0, 0) })).toEqual([]);
  await index.update({ upserts: [documentOf('later')], removed: [] });
  expect(index.withoutVector()).toEqual(['src/file.ts::far', 'src/file.ts::later']);
  await index.forgetMeaning();
  expect(idsOf(index, { text: 'zebra', vector: Float32Array.of(1, 0) })).toEqual([]);
});

function rowsOf(dense: readonly (readonly number[])[]): TermRows {
  const starts = [0];
  const terms: number[] = [];
  const weights: number[] = [];
  for (const row of dense) {
    row.forEach((value, term) => {
      if (value === 0) return;
      terms.push(term);
      weights.push(value);
    });
    starts.push(terms.length);
  }
  return { starts: Int32Array.from(starts), terms: Int32Array.from(terms), weights: Float32Array.from(weights) };
}

test('products in the vector unit are those of plain code, whatever the length of rows and list', () => {
  const random = randomOf(11);
  const whole = (most: number): number => Math.round((2 * random() - 1) * most);
  for (const [count, dimension] of [
    [1, 16],
    [5000, 16],
    [2050, 128],
    [40, 1536],
    [7, 8192],
    [9, 20],
    [0, 128],
  ] as const) {
    const rows = Int8Array.from({ length: count * dimension }, () => whole(127));
    const query = Int32Array.from({ length: dimension }, () => whole(2000));
    const [fast, plain] = [new Int32Array(count), new Int32Array(count)];
    new DotProducts().of(rows, query, fast);
    plainDots(rows, query, plain);
    expect(fast, `${count} × ${dimension}`).toEqual(plain);
    expect(count === 0 || plain.some(sum => sum !== 0)).toBe(true);
  }
});
