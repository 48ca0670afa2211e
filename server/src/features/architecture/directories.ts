import { basename, dirname, extname, type WorkspacePath } from '../../base/path';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { languageOfExtension, traitsOf } from '../../model/languages';
import { namesakeOf, stemOf } from '../testSelection/reach/testNames';

/** Files of a folder, tests apart. */
export interface Siblings {
  readonly files: readonly NodeHandle[];
  readonly tests: readonly NodeHandle[];
}

/** The files directly in each folder that holds code. */
export function byDirectory(graph: GraphView): ReadonlyMap<WorkspacePath, Siblings> {
  const found = new Map<WorkspacePath, { files: NodeHandle[]; tests: NodeHandle[] }>();
  for (const file of graph.files()) {
    const folder = dirname(graph.idOf(file));
    const row = found.get(folder) ?? { files: [], tests: [] };
    (graph.isTest(file) ? row.tests : row.files).push(file);
    found.set(folder, row);
  }
  return found;
}

const SPELLINGS: readonly (readonly [RegExp, (words: readonly string[]) => string])[] = [
  [/^[a-z][a-z0-9]*(?:-[a-z0-9]+)+$/, words => words.join('-')],
  [/^[a-z][a-z0-9]*(?:_[a-z0-9]+)+$/, words => words.join('_')],
  [/^[A-Z][A-Za-z0-9]*$/, words => words.map(capital).join('')],
  [/^[a-z][a-z0-9]*[A-Z][A-Za-z0-9]*$/, words => words.map((word, at) => (at === 0 ? word : capital(word))).join('')],
];

/** Words of a name in any spelling, in lower case. */
export function wordsOfName(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .map(word => word.toLowerCase())
    .filter(word => word !== '');
}

/** A file name made as most of its siblings are: their spelling, their suffix (`.service`), their extension. */
export function fileNameLike(paths: readonly WorkspacePath[], words: readonly string[], elsewhere: readonly WorkspacePath[]): string {
  const names = paths.map(basename);
  const extension = mostFrequent((names.length > 0 ? names : elsewhere.map(basename)).map(extname).filter(text => text !== '')) ?? '';
  const stems = names.filter(name => extname(name) === extension).map(name => name.slice(0, -extension.length));
  const suffixes = stems.map(stem => /\.[a-z]+$/.exec(stem)?.[0] ?? '');
  const suffix = mostFrequent(suffixes) ?? '';
  const own = suffix !== '' && words.length > 1 && words[words.length - 1] === suffix.slice(1) ? words.slice(0, -1) : words;
  const votes = stems.map(stem => stem.replace(/\.[a-z]+$/, '')).flatMap(stem => SPELLINGS.findIndex(([pattern]) => pattern.test(stem)));
  const spelling = SPELLINGS[mostFrequent(votes.filter(vote => vote >= 0)) ?? (traitsOf(languageOfExtension(extension)).snakeFileNames === true ? 1 : 3)];
  return `${spelling?.[1](own) ?? own.join('')}${suffix}${extension}`;
}

/** Where a test of a new file belongs: as its siblings have theirs, else as most tests of the workspace. */
export function testPathFor(graph: GraphView, path: WorkspacePath, siblings: readonly NodeHandle[]): WorkspacePath {
  const tests = [...graph.files()].filter(file => graph.isTest(file)).map(file => graph.idOf(file));
  const sources = siblings.map(file => graph.idOf(file));
  const stem = basename(path).slice(0, -extname(path).length);
  const pairs = tests.flatMap(test => {
    const source = extname(test) === extname(path) ? sources.find(each => stemOf(each) === stemOf(test) && namesakeOf(test, sources) === each) : undefined;
    return source === undefined ? [] : [{ test, source }];
  });
  const pair = pairs.find(({ source, test }) => dirname(source) === dirname(test)) ?? pairs.find(({ source }) => !ENTRY.test(stemOf(source)));
  if (pair !== undefined) {
    const old = basename(pair.source).slice(0, -extname(pair.source).length);
    return `${dirname(pair.test) === '' ? '' : `${dirname(pair.test)}/`}${basename(pair.test).replace(old, () => stem)}`;
  }
  const alike = tests.filter(test => extname(test) === extname(path));
  const like = mostFrequent(alike.map(test => shapeOf(test)));
  const folder = like === undefined ? undefined : mostFrequent(tests.filter(test => shapeOf(test) === like).map(dirname));
  const name = (like ?? traitsOf(languageOfExtension(extname(path))).testFiles?.usual ?? '*.test').replace('*', () => stem);
  const areBeside = alike.filter(test => isBesideItsSource(graph, test)).length * 2 > alike.length;
  const home = folder === undefined || areBeside || tests.some(test => dirname(test) === dirname(path)) ? dirname(path) : folder;
  return `${home === '' ? '' : `${home}/`}${name}${extname(path)}`;
}

/** Every folder has a file of such a name: a test elsewhere that is called the same need not be of this one. */
const ENTRY = /^(?:index|main|mod|lib|__init__)$/;

function isBesideItsSource(graph: GraphView, test: WorkspacePath): boolean {
  const folder = dirname(test);
  const source = basename(test).replace(MARK, '');
  return source !== basename(test) && graph.fileOf(folder === '' ? source : `${folder}/${source}`) !== undefined;
}

/** What makes the name of a test out of that of its source. */
const MARK = /^test_|[._-](?:test|spec)(?=\.\w+$)|(?:Tests?|IT|Spec)(?=\.\w+$)/;

/** `*.test` of `pay.test.ts`, `test_*` of `test_pay.py`. */
function shapeOf(test: WorkspacePath): string {
  const name = basename(test).slice(0, -extname(test).length);
  const mark = /^test_|[._-](?:test|spec)$|Tests?$|IT$|Spec$/.exec(name)?.[0];
  if (mark === undefined) return '*';
  return mark === 'test_' ? 'test_*' : `*${mark}`;
}

/** The first of those that occur most. */
export function mostFrequent<T>(items: readonly T[]): T | undefined {
  const counts = new Map<T, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  let best: T | undefined;
  for (const [item, count] of counts) if (best === undefined || count > (counts.get(best) ?? 0)) best = item;
  return best;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
