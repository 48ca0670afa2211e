import { expect, test } from 'vitest';
import { SEARCH_FIELDS, type SearchDocument } from '../../../server/src/search/searchView';
import { DEFAULT_SEARCH_SETTINGS, type SearchSettings } from '../../../server/src/search/settings';
import { tokenize } from '../../../server/src/search/tokenizer';
import { documentOf, indexOf, randomDocuments, randomOf } from './documents';

const FLAT = { name: 1, path: 1, signature: 1, doc: 1, body: 1 };

/** Three documents whose documentation has 4, 2 and 3 tokens; the average is 3. Names and paths do not matter. */
const SMALL = [
  documentOf('n1', { doc: 'apple apple berry cherry' }),
  documentOf('n2', { doc: 'apple berry' }),
  documentOf('n3', { doc: 'cherry cherry cherry' }),
];

test('scores are those of the formula, worked by hand', async () => {
  const { hits } = (await indexOf(SMALL, { boosts: FLAT })).view().search({ text: 'apple', limit: 10, offset: 0 });
  // IDF = ln(1 + (3 - 2 + 0.5) / (2 + 0.5)) = ln 1.6 = 0.470004
  // n1: tf 2, norm 1.2 (0.25 + 0.75 * 4 / 3) = 1.5:  0.470004 * 4.4 / 3.5 = 0.590862
  // n2: tf 1, norm 1.2 (0.25 + 0.75 * 2 / 3) = 0.9:  0.470004 * 2.2 / 1.9 = 0.544215
  expect(hits.map(({ id, score }) => [id, score.toFixed(6)])).toEqual([
    ['src/file.ts::n1', '0.590862'],
    ['src/file.ts::n2', '0.544215'],
  ]);
});

test('delta counts only for terms that a document has', async () => {
  const { hits } = (await indexOf(SMALL, { boosts: FLAT, delta: 0.25 })).view().search({ text: 'apple', limit: 10, offset: 0 });
  expect(hits.map(({ score }) => score.toFixed(6))).toEqual(['0.708363', '0.661716']);
});

test('of two terms a document with one has half the weight', async () => {
  const { hits } = (await indexOf(SMALL, { boosts: FLAT })).view().search({ text: 'apple cherry', limit: 10, offset: 0 });
  // n1 has both: apple 0.590862 + cherry 0.470004 * 2.2 / 2.5 = 0.413604; n3: 0.470004 * 6.6 / 4.2 / 2 = 0.369289; n2: 0.544215 / 2.
  expect(hits.map(({ id, score }) => [id.slice(-2), score.toFixed(6)])).toEqual([
    ['n1', '1.004465'],
    ['n3', '0.369289'],
    ['n2', '0.272107'],
  ]);
});

/** The formula over plain lists of tokens, written without the index. */
function expectedScores(documents: readonly SearchDocument[], terms: readonly string[], settings: SearchSettings): Map<string, number> {
  const scores = new Map<string, number>();
  const bags = documents.map(document => SEARCH_FIELDS.map(field => tokenize(document[field])));
  for (const [at, document] of documents.entries()) {
    let sum = 0;
    let matched = 0;
    for (const term of terms) {
      const before = sum;
      for (const [field, name] of SEARCH_FIELDS.entries()) {
        const holders = bags.filter(bag => bag[field]?.includes(term)).length;
        const bag = bags[at]?.[field] ?? [];
        const count = bag.filter(token => token === term).length;
        if (count === 0) continue;
        const average = bags.reduce((total, other) => total + (other[field]?.length ?? 0), 0) / documents.length;
        const idf = Math.log(1 + (documents.length - holders + 0.5) / (holders + 0.5));
        const norm = settings.k1 * (1 - settings.b + (settings.b * bag.length) / average);
        sum += settings.boosts[name] * idf * (settings.delta + (count * (settings.k1 + 1)) / (count + norm));
      }
      if (sum > before) matched++;
    }
    if (matched > 0) scores.set(document.id, (sum * matched) / terms.length);
  }
  return scores;
}

test.each([1, 2, 3, 4, 5])('the index agrees with the formula over random documents (seed %i)', async seed => {
  const settings = { ...DEFAULT_SEARCH_SETTINGS, delta: 0.1 * seed };
  const documents = randomDocuments(120, randomOf(seed));
  const view = (await indexOf(documents, settings)).view();
  const text = 'server close, tokens writing: user graph';
  const { hits, total } = view.search({ text, limit: 500, offset: 0 });
  const expected = expectedScores(documents, tokenize(text), settings);
  expect(total).toBe(expected.size);
  for (const { id, score } of hits) expect(score).toBeCloseTo(expected.get(id) ?? Number.NaN, 9);
});
