import { expect, test } from 'vitest';
import { nameKey, stem, tokenize } from '../../../server/src/search/tokenizer';

test.each([
  ['HTTPServerV2', 'http server v 2 httpserverv2'],
  ['parseJSONFile', 'pars json fil parsejsonfile'],
  ['parse_configs', 'pars config parseconfigs'],
  ['MAX_RETRY_COUNT', 'max retry count maxretrycount'],
  ['utf8Decoder', 'utf 8 decoder utf8decoder'],
  ['XMLHttpRequest', 'xml http request xmlhttprequest'],
  ['__init__', 'init'],
  ['$scope', 'scop'],
  ['src/store/journal.test.ts', 'src stor journal test ts'],
  ['a-b.c:d#e', 'a b c d e'],
  ['getX', 'get x getx'],
  ['ABc', 'a bc abc'],
  ['token token tokens', 'token token token'],
  ['naïveÜberName', 'naiv uber nam naiveubername'],
  ['日本語テキスト', '日本語テキスト'],
  ['', ''],
  [' \n.,', ''],
])('%s', (text, expected) => {
  expect(tokenize(text).join(' ')).toBe(expected);
});

test('runs longer than 80 characters are data', () => {
  expect(tokenize(`a ${'x'.repeat(81)} b`)).toEqual(['a', 'b']);
});

test.each([
  ['parse parses parsed parsing', 'pars'],
  ['cache caches cached caching', 'cach'],
  ['query queries queried querying', 'query'],
  ['class classes', 'class'],
  ['run runs running', 'run'],
  ['index indexes indexed indexing', 'index'],
  ['file files filed filing', 'fil'],
  ['match matches matched matching', 'match'],
])('%s meet', (words, expected) => {
  expect(new Set(words.split(' ').map(stem))).toEqual(new Set([expected]));
});

test.each(['this', 'status', 'bus', 'string', 'thing', 'need', 'tree', 'v2s', 'red', 'process', 'analysis'])('%s is left as it is', word => {
  expect(stem(word)).toBe(word);
});

test('spellings of one name share a key', () => {
  expect(['parseConfig', 'parse_config', 'PARSE-CONFIG', 'Parse config'].map(nameKey)).toEqual(Array(4).fill('parseconfig'));
});
