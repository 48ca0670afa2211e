import type { CancellationToken } from '../../base/cancellation';
import { basename, dirname, type WorkspacePath } from '../../base/path';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { type Framework, frameworkOf, frameworksIn, mayIdentifyFramework, type UsedFramework } from './frameworks';
import type { ReadTexts } from './reach/readTexts';

/** What a test file is for, by its name, folder and framework. */
export const CATEGORIES = ['unit', 'integration', 'e2e', 'performance', 'unknown'] as const;
export type Category = (typeof CATEGORIES)[number];

/** A file with tests. */
export interface TestFile {
  readonly node: NodeHandle;
  readonly path: WorkspacePath;
  readonly used: UsedFramework | undefined;
  readonly framework: Framework | 'unknown';
}

/** Files that are read for their marks. */
const MAX_READ = 2000;
const MAX_MANIFESTS = 200;

/** Every file of the graph that holds tests, in order of path, with its framework. */
export async function testFilesOf(texts: ReadTexts, graph: GraphView, token: CancellationToken): Promise<readonly TestFile[]> {
  const files = [...graph.files()];
  const telling = files.map(file => graph.idOf(file)).filter(mayIdentifyFramework);
  const used = frameworksIn(await readAll(texts, telling.slice(0, MAX_MANIFESTS), token));
  return files.flatMap(node => {
    const path = graph.idOf(node);
    const runs = frameworkOf(path, used);
    if (runs === undefined && !holdsTests(graph, node)) return [];
    const by = runs ?? inSource(graph, node, used);
    return [{ node, path, used: by, framework: by?.row.id ?? 'unknown' }];
  });
}

/** What some of the files of tests are for. Their texts are read; of those beyond a bound, only path and imports count. */
export async function categoriesOf(
  texts: ReadTexts,
  graph: GraphView,
  files: readonly TestFile[],
  token: CancellationToken,
): Promise<ReadonlyMap<TestFile, FileCategory>> {
  const paths = files.slice(0, MAX_READ).map(({ path }) => path);
  const marks = await readAll(texts, paths, token);
  return new Map(files.map(file => [file, categoryOf(graph, file, marks.get(file.path) ?? '')]));
}

function holdsTests(graph: GraphView, file: NodeHandle): boolean {
  return graph.isTest(file) || graph.symbolsOf(file).some(symbol => graph.isTest(symbol));
}

/** Some frameworks run tests that stand in the files that they test. */
function inSource(graph: GraphView, file: NodeHandle, used: readonly UsedFramework[]): UsedFramework | undefined {
  const path = graph.idOf(file);
  return used.find(each => each.row.inSource?.test(path) === true && (each.folder === '' || path.startsWith(`${each.folder}/`)));
}

async function readAll(texts: ReadTexts, paths: readonly WorkspacePath[], token: CancellationToken): Promise<Map<WorkspacePath, string>> {
  const found = new Map<WorkspacePath, string>();
  for await (const [path, text] of texts.of(paths, token)) found.set(path, text);
  return found;
}

export interface FileCategory {
  readonly category: Category;
  /** What decided it. */
  readonly reason: string;
}

const WORDS: Readonly<Record<string, Category>> = {
  unit: 'unit',
  integration: 'integration',
  integrationtest: 'integration',
  it: 'integration',
  e2e: 'e2e',
  cypress: 'e2e',
  playwright: 'e2e',
  perf: 'performance',
  performance: 'performance',
  bench: 'performance',
  benchmark: 'performance',
  benchmarks: 'performance',
};

const MARKS =
  /@pytest\.mark\.(\w+)|@Tag\("(\w+)"\)|^\/\/\s?(?:go:build|\+build)\b.*?\b(unit|integration|e2e|perf\w*|bench\w*)\b|^\s*(?:\/?\*+|\/\/|#)\s*@(?:group|category|tags?)\s+(\w+)|['"`][^'"`\n]*@(unit|integration|e2e|perf(?:ormance)?)\b/gm;

/** Heads of packages that drive a browser, and those that reach for a network, a database or a container. */
const BROWSERS =
  /^(?:@playwright\/test|playwright(?:-core)?|puppeteer(?:-core)?|selenium(?:-webdriver)?|cypress|webdriverio|testcafe|splinter|org\.openqa\.selenium)(?:$|[/.:])/;
const OUTSIDE =
  /^(?:supertest|axios|node-fetch|got|undici|nock|requests|httpx|aiohttp|urllib3|testcontainers|@testcontainers|org\.testcontainers|pg|mysql2?|mongodb|mongoose|ioredis|redis|psycopg2?|sqlalchemy|pymongo|net\/http|database\/sql|reqwest|sqlx|io\.restassured|java\.net\.http|java\.sql|okhttp3?|github\.com\/testcontainers)(?:$|[/.:])/;

/** First of: a tag or marker, a word of the path, what is imported; else a unit test. A file that no framework runs is unknown. */
function categoryOf(graph: GraphView, { node, path, used }: TestFile, text: string): FileCategory {
  for (const match of text.matchAll(MARKS)) {
    const word = match.slice(1).find(group => group !== undefined) ?? '';
    const category = categoryOfWord(word);
    if (category !== undefined) return { category, reason: `marked ${word}` };
  }
  const name = basename(path);
  const words = [...dirname(path).split('/'), ...name.split(/[._-]/).slice(0, -1), ...(/[a-z]IT\.[^.]+$/.test(name) ? ['it'] : [])];
  const word = words.find(each => categoryOfWord(each) !== undefined && (each !== 'it' || name.includes('IT.')));
  if (word !== undefined) return { category: categoryOfWord(word) ?? 'unit', reason: `path has ${word}` };
  if (used?.row.category !== undefined) return { category: used.row.category, reason: `run by ${used.row.id}` };
  const imported = importsOf(graph, node);
  const browser = imported.find(each => BROWSERS.test(each));
  if (browser !== undefined) return { category: 'e2e', reason: `imports ${browser}` };
  const outside = imported.find(each => OUTSIDE.test(each));
  if (outside !== undefined) return { category: 'integration', reason: `imports ${outside}` };
  return used === undefined ? { category: 'unknown', reason: 'no test framework found' } : { category: 'unit', reason: 'default' };
}

function categoryOfWord(word: string): Category | undefined {
  const key = word.toLowerCase();
  return Object.hasOwn(WORDS, key) ? WORDS[key] : undefined;
}

function importsOf(graph: GraphView, file: NodeHandle): string[] {
  const edges = graph.out(file).filter(edge => edge.relation === 'IMPORTS');
  return edges.map(edge => graph.node(edge.target)).flatMap(node => (node.nodeType === 'external' ? [node.name] : []));
}
