import { expect, test } from 'vitest';
import type { SearchDocument } from '../../../server/src/search/searchView';
import { documentOf, indexOf, randomDocuments, randomOf } from './documents';

const CODE: readonly SearchDocument[] = [
  documentOf('parse', { path: 'src/parser.ts', doc: 'Entry point.' }),
  documentOf('parseConfig', { path: 'src/config.ts', doc: 'Reads the settings file.' }),
  documentOf('configParser', { path: 'src/config.ts' }),
  documentOf('HTTPServer', { path: 'src/http/server.ts', doc: 'Accepts connections.' }),
  documentOf('HttpClient', { path: 'src/http/client.ts' }),
  documentOf('save', { id: 'src/store.ts::Store::save', path: 'src/store.ts' }),
  documentOf('save', { id: 'src/cache.ts::Cache::save', path: 'src/cache.ts', doc: 'Called by the store for each save.', signature: 'save(store: Store)' }),
  documentOf('unrelated', { path: 'lib/misc.ts', doc: 'Parse parse parse parse parse and parse again.', body: 'parse parse config' }),
  documentOf('store.ts', { id: 'src/store.ts', path: 'src/store.ts' }),
  documentOf('reconnect', { path: 'src/net.ts', doc: 'Retries with exponential backoff when the socket was dropped.' }),
];

async function idsFor(text: string, documents: readonly SearchDocument[] = CODE): Promise<readonly string[]> {
  return (await indexOf(documents))
    .view()
    .search({ text, limit: 20, offset: 0 })
    .hits.map(({ id }) => id);
}

test.each([
  ['an exact name is first, names that begin with it follow', 'parse', ['src/parser.ts::parse', 'src/config.ts::parseConfig']],
  ['case and separators of a name do not matter', 'PARSE_CONFIG', ['src/config.ts::parseConfig']],
  ['words of a name in any order', 'parser config', ['src/config.ts::configParser']],
  ['an acronym', 'http server', ['src/http/server.ts::HTTPServer']],
  ['the whole acronym name', 'httpserver', ['src/http/server.ts::HTTPServer']],
  ['the beginning of a name', 'recon', ['src/net.ts::reconnect']],
  ['the beginning of a word inside', 'serv', ['src/http/server.ts::HTTPServer']],
  ['words of a path', 'http client', ['src/http/client.ts::HttpClient']],
  ['words of the documentation', 'exponential backoff', ['src/net.ts::reconnect']],
  ['inflected words', 'retry dropping sockets', ['src/net.ts::reconnect']],
  ['a question with little words', 'where is it that we are accepting the connections', ['src/http/server.ts::HTTPServer']],
  ['a member with its class', 'Store.save', ['src/store.ts::Store::save']],
  ['an id', 'src/cache.ts::Cache::save', ['src/cache.ts::Cache::save']],
  ['the end of an id', 'Cache::save', ['src/cache.ts::Cache::save']],
  ['a path', 'src/store.ts', ['src/store.ts']],
  ['the end of a path', 'store.ts', ['src/store.ts']],
  ['a quoted name', '"parseConfig"', ['src/config.ts::parseConfig']],
  ['a call', 'parseConfig()', ['src/config.ts::parseConfig']],
])('%s: %s', async (_, text, first) => {
  expect((await idsFor(text)).slice(0, first.length)).toEqual(first);
});

test.each(['', '   ', '()', 'zzzzqq'])('%j finds nothing', async text => {
  expect((await indexOf(CODE)).view().search({ text, limit: 10, offset: 0 })).toEqual({ hits: [], total: 0 });
});

const ACCESSORS: readonly SearchDocument[] = ['getCache', 'isCached', 'clearCache', 'cache', 'findFreeSlot', 'removeSlot', 'initDirs'].map(name =>
  documentOf(name, { body: 'cache slot directories' }),
);

test.each([
  ['Returns the cache of a slot', 'getCache'],
  ['Whether the slot is cached', 'isCached'],
  ['Delete the slot from the cache', 'removeSlot'],
  ['Looks for a slot in the cache', 'findFreeSlot'],
  ['Initializes the cache directory', 'initDirs'],
])('names say it in another way: %s', async (text, name) => {
  const id = `src/file.ts::${name}`;
  const asSpelled = (await indexOf(ACCESSORS, { relatedWeight: 0 })).view().search({ text, limit: 1, offset: 0 });
  expect((await idsFor(text, ACCESSORS))[0]).toBe(id);
  expect(asSpelled.hits[0]?.id).not.toBe(id);
});

test('one or two words are meant as they are spelled', async () => {
  const documents = [documentOf('readFile'), documentOf('loadFile'), documentOf('file')];
  expect(await idsFor('load', documents)).toEqual(['src/file.ts::loadFile']);
  expect((await idsFor('load a file', documents)).slice(0, 2)).toEqual(['src/file.ts::loadFile', 'src/file.ts::readFile']);
});

test('a hit says which fields matched', async () => {
  const { hits } = (await indexOf(CODE)).view().search({ text: 'store', limit: 10, offset: 0 });
  expect(Object.fromEntries(hits.map(({ id, fields }) => [id, fields]))).toEqual({
    'src/store.ts': ['name', 'path'],
    'src/cache.ts::Cache::save': ['signature', 'doc'],
  });
});

test('equal scores are in order of ids', async () => {
  const same = ['c', 'a', 'b'].map(name => documentOf('twin', { id: name, path: '' }));
  expect(await idsFor('twin', same)).toEqual(['a', 'b', 'c']);
});

test('pages put together are the whole list, and the total counts all', async () => {
  const view = (await indexOf(randomDocuments(300, randomOf(7)))).view();
  const whole = view.search({ text: 'parse config store', limit: 1000, offset: 0 });
  const paged = [];
  for (let offset = 0; offset < whole.total; offset += 7) paged.push(...view.search({ text: 'parse config store', limit: 7, offset }).hits);
  expect(whole.total).toBeGreaterThan(100);
  expect(whole.hits.length).toBe(whole.total);
  expect(paged).toEqual(whole.hits);
  expect(view.search({ text: 'parse', limit: 5, offset: 10_000 }).hits).toEqual([]);
});

test('a filter is asked once per hit, and the total counts what it keeps', async () => {
  const view = (await indexOf(randomDocuments(300, randomOf(8)))).view();
  const text = 'query cache';
  const all = view.search({ text, limit: 1000, offset: 0 }).hits.map(({ id }) => id);
  const isKept = (id: string): boolean => id.endsWith('1') || id.endsWith('4');
  const asked: string[] = [];
  const accept = (id: string): boolean => {
    asked.push(id);
    return isKept(id);
  };
  const { hits, total } = view.search({ text, limit: 5, offset: 2, accept });
  expect(hits.map(({ id }) => id)).toEqual(all.filter(isKept).slice(2, 7));
  expect(total).toBe(all.filter(isKept).length);
  expect([...asked].sort()).toEqual([...all].sort());
});

test('a query of very many words is answered', async () => {
  const text = Array.from({ length: 200 }, (_, at) => `word${at}`).join(' ');
  expect(await idsFor(`parse ${text}`)).toContain('src/parser.ts::parse');
});

test.each([
  ['parseConfg', 'src/config.ts::parseConfig'],
  ['prase', 'src/parser.ts::parse'],
  ['HttpServr', 'src/http/server.ts::HTTPServer'],
  ['configPars', 'src/config.ts::configParser'],
  ['reconnectAll', 'src/net.ts::reconnect'],
])('%s suggests %s', async (name, expected) => {
  expect((await indexOf(CODE)).view().suggest(name, 3)).toContain(expected);
});

test('suggestions are limited, and none come for a name like no other', async () => {
  const view = (await indexOf(CODE)).view();
  expect(view.suggest('save', 1)).toEqual(['src/cache.ts::Cache::save']);
  expect([view.suggest('qqqqzzzz', 5), view.suggest('', 5), view.suggest('save', 0)]).toEqual([[], [], []]);
});
