import { expect, test } from 'vitest';
import { FILE_FIELDS, OWN_FIELDS, type SearchDocument, type SearchField } from '../../../server/src/search/searchView';
import { DEFAULT_SEARCH_SETTINGS, type SearchSettings } from '../../../server/src/search/settings';
import { tokenize } from '../../../server/src/search/tokenizer';
import { documentOf, indexOf, randomDocuments, randomOf } from './documents';

/** Every field counts the same, nothing is added for what is said in full, and the shares of matched terms are those that can be worked by hand. */
const FLAT = {
  boosts: { name: 1, scope: 1, signature: 1, doc: 1, body: 1, remarks: 1, path: 1, text: 1, history: 1 },
  ownK1: 1.2,
  ownCoordination: 1,
  commentWorth: 0,
  nameWorth: 0,
};

/** Three documents whose documentation has 4, 2 and 3 tokens; the average is 3. Names and paths do not matter. */
const SMALL = [
  documentOf('n1', { doc: 'apple apple berry cherry' }),
  documentOf('n2', { doc: 'apple berry' }),
  documentOf('n3', { doc: 'cherry cherry cherry' }),
];

test('scores are those of the formula, worked by hand', async () => {
  const { hits } = (await indexOf(SMALL, FLAT)).view().search({ text: 'apple', limit: 10, offset: 0 });
  // IDF = ln(1 + (3 - 2 + 0.5) / (2 + 0.5)) = ln 1.6 = 0.470004
  // n1: tf 2, norm 1.2 (0.25 + 0.75 * 4 / 3) = 1.5:  0.470004 * 4.4 / 3.5 = 0.590862
  // n2: tf 1, norm 1.2 (0.25 + 0.75 * 2 / 3) = 0.9:  0.470004 * 2.2 / 1.9 = 0.544215
  expect(hits.map(({ id, score }) => [id, score.toFixed(6)])).toEqual([
    ['src/file.ts::n1', '0.590862'],
    ['src/file.ts::n2', '0.544215'],
  ]);
});

test('delta counts only for terms that a document has', async () => {
  const { hits } = (await indexOf(SMALL, { ...FLAT, delta: 0.25 })).view().search({ text: 'apple', limit: 10, offset: 0 });
  expect(hits.map(({ score }) => score.toFixed(6))).toEqual(['0.708363', '0.661716']);
});

test('of two terms a document with one has half the weight', async () => {
  const { hits } = (await indexOf(SMALL, FLAT)).view().search({ text: 'apple cherry', limit: 10, offset: 0 });
  // n1 has both: apple 0.590862 + cherry 0.470004 * 2.2 / 2.5 = 0.413604; n3: 0.470004 * 6.6 / 4.2 / 2 = 0.369289; n2: 0.544215 / 2.
  expect(hits.map(({ id, score }) => [id.slice(-2), score.toFixed(6)])).toEqual([
    ['n1', '1.004465'],
    ['n3', '0.369289'],
    ['n2', '0.272107'],
  ]);
});

test('in the fields of a document a term is counted once, with the boosts of all of them', async () => {
  const documents = [documentOf('apple', { doc: 'apple berry' }), documentOf('melon', { doc: 'apple berry' })];
  const { hits } = (await indexOf(documents, { ...FLAT, boosts: { ...FLAT.boosts, name: 3 } })).view().search({ text: 'berry apple', limit: 10, offset: 0 });
  // Both fields are of average length. IDF of both terms = ln(1 + 0.5 / 2.5) = 0.182322; berry: 1 * 2.2 / 2.2.
  // apple: frequency 3 + 1 in the first (4 * 2.2 / 5.2 = 1.692308), 1 in the second. 0.182322 * 2.692308 = 0.490866.
  expect(hits.map(({ score }) => score.toFixed(6))).toEqual(['0.490866', '0.364643']);
});

test('a term that is in the remarks only adds to the score, and does not count as matched', async () => {
  const documents = [documentOf('n1', { doc: 'apple', remarks: 'berry' }), documentOf('n2', { doc: 'apple' }), documentOf('n3', { remarks: 'berry' })];
  const { hits } = (await indexOf(documents, FLAT)).view().search({ text: 'apple berry', limit: 10, offset: 0 });
  // All fields are of average length and both terms are in two of three documents, IDF 0.470004. Half of the terms matched in all of them.
  expect(hits.map(({ id, score }) => [id.slice(-2), score.toFixed(6)])).toEqual([
    ['n1', '0.470004'],
    ['n2', '0.235002'],
    ['n3', '0.235002'],
  ]);
});

test('a comment that says more of the query counts more, and where there is none the name does', async () => {
  const documents = [
    documentOf('n1', { doc: 'apple cherry' }),
    documentOf('n2', { doc: 'apple melon' }),
    documentOf('appleTree', { body: 'cherry' }),
    documentOf('ripeAppleTree', { doc: 'melon', body: 'apple cherry' }),
  ];
  const found = async (worth: Partial<SearchSettings>): Promise<Map<string, number>> =>
    new Map(
      (await indexOf(documents, { ...FLAT, ...worth }))
        .view()
        .search({ text: 'apple cherry', limit: 9, offset: 0 })
        .hits.map(({ id, score }) => [id, score]),
    );
  const [plain, added] = await Promise.all([found({}), found({ commentWorth: 1.5, nameWorth: 0.8 })]);
  const times = (name: string): number => (added.get(`src/file.ts::${name}`) ?? Number.NaN) / (plain.get(`src/file.ts::${name}`) ?? Number.NaN);
  // apple is in all four, IDF ln(1 + 0.5 / 4.5) = 0.105361; cherry in three, ln(1 + 1.5 / 3.5) = 0.356675. n2 has 0.228033 of both.
  expect(times('n1')).toBeCloseTo(2.5, 6);
  expect(times('n2')).toBeCloseTo(1 + 1.5 * (0.105361 / 0.462036) ** 4, 6);
  expect(times('appleTree')).toBeCloseTo(1 + 0.8 * 0.5, 6);
  expect(times('ripeAppleTree')).toBe(1);
});

test('what is said of a file counts for what is in it', async () => {
  const documents = [
    documentOf('charge', { path: 'src/billing.ts' }),
    documentOf('charge', { path: 'src/battery.ts' }),
    documentOf('billing.ts', { id: 'src/billing.ts', path: 'src/billing.ts', text: 'refund the customer', history: 'Fix rounding of invoices' }),
    documentOf('battery.ts', { id: 'src/battery.ts', path: 'src/battery.ts', text: 'voltage', history: 'Fix overheating' }),
  ];
  const first = async (text: string): Promise<string | undefined> =>
    (await indexOf(documents)).view().search({ text, limit: 9, offset: 0, accept: id => id.includes('::') }).hits[0]?.id;
  expect(await Promise.all(['customer charge', 'charge voltage', 'charge invoice', 'charge overheated'].map(first))).toEqual([
    'src/billing.ts::charge',
    'src/battery.ts::charge',
    'src/billing.ts::charge',
    'src/battery.ts::charge',
  ]);
});

test('a file is found by its past commits, and says so', async () => {
  const file = documentOf('billing.ts', { id: 'src/billing.ts', path: 'src/billing.ts', history: 'Fix rounding of invoices' });
  const { hits } = (await indexOf([file])).view().search({ text: 'invoice rounding', limit: 9, offset: 0 });
  expect(hits.map(({ fields, id }) => [id, fields])).toEqual([['src/billing.ts', ['history']]]);
});

test.each([
  ['load settings', 'src/load.ts::settings'],
  ['load settings in tests', 'src/load.test.ts::settings'],
])('tests stand back unless they are asked for: %s', async (text, first) => {
  const documents = [
    documentOf('settings', { id: 'src/load.test.ts::settings', doc: 'load settings tests', isBeside: true }),
    documentOf('settings', { id: 'src/load.ts::settings', doc: 'load settings' }),
  ];
  expect((await indexOf(documents)).view().search({ text, limit: 9, offset: 0 }).hits[0]?.id).toBe(first);
});

test('a weight scales the own score', async () => {
  const documents = [documentOf('a', { doc: 'apple', weight: 0.25 }), documentOf('b', { doc: 'apple' })];
  const { hits } = (await indexOf(documents)).view().search({ text: 'apple', limit: 9, offset: 0 });
  expect((hits[1]?.score ?? 0) / (hits[0]?.score ?? 0)).toBeCloseTo(0.25, 9);
});

type Bags = ReadonlyMap<SearchDocument, Readonly<Record<SearchField, readonly string[]>>>;

function bagsOf(documents: readonly SearchDocument[]): Bags {
  const fieldsOf = (document: SearchDocument): readonly SearchField[] => (document.id.includes('::') ? OWN_FIELDS : [...OWN_FIELDS, ...FILE_FIELDS]);
  const none = Object.fromEntries([...OWN_FIELDS, ...FILE_FIELDS].map(field => [field, []])) as unknown as Record<SearchField, readonly string[]>;
  return new Map(
    documents.map(document => [document, { ...none, ...Object.fromEntries(fieldsOf(document).map(field => [field, tokenize(document[field] ?? '')])) }]),
  );
}

/** The formula over plain lists of tokens, written without the index, for documents of symbols alone. */
function expectedScores(documents: readonly SearchDocument[], terms: readonly string[], settings: SearchSettings): Map<string, number> {
  const bags = bagsOf(documents);
  const average = (field: SearchField): number => {
    const lengths = [...bags.values()].map(bag => bag[field].length).filter(length => length > 0);
    return lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  };
  const frequencyIn = (document: SearchDocument, term: string): number => {
    const bag = bags.get(document);
    return OWN_FIELDS.reduce((sum, field) => {
      const tokens = bag?.[field] ?? [];
      const count = tokens.filter(token => token === term).length;
      return count === 0 ? sum : sum + (settings.boosts[field] * count) / (1 - settings.b + (settings.b * tokens.length) / average(field));
    }, 0);
  };
  const scores = new Map<string, number>();
  for (const document of documents) {
    const parts = terms.map(term => {
      const frequency = frequencyIn(document, term);
      const holders = documents.filter(other => frequencyIn(other, term) > 0).length;
      const idf = Math.log(1 + (documents.length - holders + 0.5) / (holders + 0.5));
      return frequency === 0 ? 0 : idf * (settings.delta + (frequency * (settings.ownK1 + 1)) / (frequency + settings.ownK1));
    });
    const bag = bags.get(document);
    const matched = terms.filter(term => OWN_FIELDS.some(field => field !== 'remarks' && bag?.[field].includes(term))).length;
    const sum = parts.reduce((total, part) => total + part, 0);
    const said = saidBy(bags.get(document), terms, term => {
      const holders = documents.filter(other => frequencyIn(other, term) > 0).length;
      return Math.log(1 + (documents.length - holders + 0.5) / (holders + 0.5));
    });
    const worth = said.inComment === undefined ? 1 + settings.nameWorth * said.inName : 1 + settings.commentWorth * said.inComment ** 4;
    if (sum > 0) scores.set(document.id, sum * worth * (Math.max(1, matched) / terms.length) ** settings.ownCoordination);
  }
  return scores;
}

/** Share of the query that a comment says, and of the words of the name that the query has. */
function saidBy(
  bag: Readonly<Record<SearchField, readonly string[]>> | undefined,
  terms: readonly string[],
  idf: (term: string) => number,
): { readonly inComment: number | undefined; readonly inName: number } {
  const { doc = [], name = [] } = bag ?? {};
  const sumOf = (some: readonly string[]): number => some.reduce((sum, term) => sum + idf(term), 0);
  const inComment = doc.length === 0 ? undefined : sumOf(terms.filter(term => doc.includes(term))) / sumOf(terms);
  return { inComment, inName: Math.min(1, name.filter(token => terms.includes(token)).length / Math.max(1, name.length - 1)) };
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
