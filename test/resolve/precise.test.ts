import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import { Interner } from '../../server/src/base/interner';
import { nodeHost } from '../../server/src/code/files/nodeHost';
import { parseSymbol } from '../../server/src/code/resolve/precise/symbolText';
import { fits, Resolver, type ResolverFile } from '../../server/src/code/resolve/resolver';
import { inUtf16 } from '../../server/src/engine/precise/columns';
import { type LoadedIndexes, loadIndexes } from '../../server/src/engine/precise/loadIndexes';
import { scipDocument, scipParts } from '../../server/src/engine/precise/scipReader';
import { SymbolTable } from '../../server/src/engine/precise/symbolTable';
import type { NodeHandle, NodeIds } from '../../server/src/model/ids';
import { type PreciseState, type PreciseSymbol, preciseColumn } from '../../server/src/model/preciseIndex';
import type { FileResolution } from '../../server/src/model/resolution';
import { removeFolder } from '../helpers/removeFolder.mjs';
import { type Link, linksOf, resolverFile, resolverFiles, testTurn } from '../helpers/resolveFixture';

const fixtures = join(import.meta.dirname, '../fixtures/scip');
const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'lattice-precise-')));
afterAll(() => removeFolder(scratch));

interface Sample {
  readonly files: ReadonlyMap<string, string>;
  readonly loaded: LoadedIndexes;
}

function load(root: string, paths: readonly string[], indexes: readonly string[] = ['index.scip']): Promise<LoadedIndexes> {
  return loadIndexes({ root, host: nodeHost, caseInsensitive: false }, indexes, path => paths.includes(path), testTurn(), neverCancelled);
}

async function sample(name: string): Promise<Sample> {
  const root = join(fixtures, name);
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map(path => path.replaceAll('\\', '/'))
    .filter(path => /\.(?:ts|py)$/.test(path));
  return { files: new Map(paths.map(path => [path, readFileSync(join(root, path), 'utf8').replaceAll('\r\n', '\n')])), loaded: await load(root, paths) };
}

function stateOf({ loaded }: Sample, stale: readonly string[] = []): PreciseState {
  const documents = new Map([...loaded.documents].map(([path, { document }]) => [path, { document, isCurrent: !stale.includes(path) }]));
  return { symbols: loaded.symbols, documents };
}

const show = ({ path, line, from, relation, target, confidence, source }: Link): string =>
  `${path}:${line + 1} ${from.split('::').slice(1).join('.')} ${relation} ${target} ${confidence} ${source}`;

/** Everything a resolution says, comparable between resolvers. */
const dump = (ids: NodeIds, resolutions: readonly FileResolution[]): string[] => [
  ...linksOf(ids, resolutions).map(show),
  ...resolutions.map(({ path, unresolved, external }) => `${path} ${unresolved.join()} ${external.join()}`),
];

async function resolved(files: readonly ResolverFile[], precise: PreciseState): Promise<string[]> {
  const ids = new Interner<NodeHandle>();
  const { resolutions, failed } = await new Resolver({ ids }).update({ upserts: files, removed: [], precise }, testTurn(), neverCancelled);
  expect(failed).toEqual([]);
  return dump(ids, resolutions);
}

test('An index of scip-typescript says what only a compiler works out', async () => {
  const shapes = await sample('typescript');
  const links = await resolved(await resolverFiles(shapes.files), stateOf(shapes));
  expect(links).toEqual(
    expect.arrayContaining([
      // The element type comes out of a generic call.
      'src/main.ts:15 run CALLS src/shapes.ts::Circle::area 1 scip',
      'src/main.ts:16 run CALLS src/shapes.ts::Named::describe 1 scip',
      // The result is a conditional type.
      'src/main.ts:17 run READS_FROM src/shapes.ts::Square::side 1 scip',
      'src/main.ts:18 run CALLS src/registry.ts::paint 1 scip',
      'src/registry.ts:6 makers.circle INSTANTIATES src/shapes.ts::Circle 1 scip',
      'src/registry.ts:15 paint USES_TYPE src/shapes.ts::Shape 1 scip',
      'src/registry.ts:15 paint USES_CONSTANT src/shapes.ts::Colour::Red 1 scip',
      'src/shapes.ts:7 Named IMPLEMENTS src/shapes.ts::Shape 1 scip',
      'src/shapes.ts:15 Circle INHERITS src/shapes.ts::Named 1 scip',
      'src/shapes.ts:19 Circle.area OVERRIDES src/shapes.ts::Named::area 1 scip',
      'src/main.test.ts:4 checks CALLS src/main.ts::run 1 scip',
      'src/main.test.ts:4 checks TESTS src/main.ts::run 1 scip',
    ]),
  );
  // Indexers list all ancestors; the graph has the nearest, and one candidate a site.
  expect(links.filter(link => link.includes('Circle.area OVERRIDES'))).toHaveLength(1);
  expect(links.filter(link => link.includes('Circle IMPLEMENTS'))).toEqual([]);
  expect(links.filter(link => link.startsWith('src/shapes.ts:11 Named.describe CALLS'))).toEqual([
    'src/shapes.ts:11 Named.describe CALLS src/shapes.ts::Named::area 1 scip',
  ]);
  expect(links.some(link => /external::.*(?:map|push|concat)/.test(link))).toBe(false);
});

test('An index of scip-python does the same, with words that are not ASCII before a name', async () => {
  const shop = await sample('python');
  const links = await resolved(await resolverFiles(shop.files), stateOf(shop));
  expect(links).toEqual(
    expect.arrayContaining([
      'shop/stock.py:20 Stock.worth CALLS shop/items.py::Item::gross 1 scip',
      'shop/stock.py:24 rare INSTANTIATES shop/items.py::Rare 1 scip',
      'shop/stock.py:30 fill CALLS shop/items.py::Rare::price 1 scip',
      'shop/stock.py:30 fill CALLS shop/items.py::Item::gross 1 scip',
      'shop/stock.py:31 fill ASSERTS_TYPE shop/items.py::Book 1 scip',
      'shop/stock.py:32 fill ASSIGNS_TO shop/items.py::Book::cost 1 scip',
      'shop/items.py:29 Rare.price CALLS shop/items.py::Book::price 1 scip',
      'shop/items.py:19 Book INHERITS shop/items.py::Item 1 scip',
      'shop/items.py:28 Rare.price OVERRIDES shop/items.py::Book::price 1 scip',
    ]),
  );
});

test('An installed copy of a package of the project is not outside', async () => {
  const shop = await sample('python');
  const files = await resolverFiles(shop.files);
  // As if the indexer had found everything that `shop.items` declares somewhere else.
  const documents = new Map(stateOf(shop).documents);
  documents.delete('shop/items.py');
  const callsOf = async (packageName: string, manifest: string): Promise<string[]> => {
    const text = (symbol: PreciseSymbol): string => {
      const plain = shop.loaded.symbols.text(symbol);
      return plain.includes('items') ? plain.replace('precise-sample', packageName) : plain;
    };
    const precise: PreciseState = { symbols: { count: shop.loaded.symbols.count, text }, documents };
    const ids = new Interner<NodeHandle>();
    const update = { upserts: files, removed: [], precise, manifests: new Map([['pyproject.toml', manifest]]) };
    const { resolutions } = await new Resolver({ ids }).update(update, testTurn(), neverCancelled);
    return linksOf(ids, resolutions)
      .map(show)
      .filter(link => link.startsWith('shop/stock.py:30 '));
  };
  const own = ['shop/stock.py:30 fill CALLS shop/items.py::Rare::price 0.9 type', 'shop/stock.py:30 fill CALLS shop/items.py::Item::gross 0.9 type'];
  expect(await callsOf('Precise_Sample', '')).toEqual(own);
  expect(await callsOf('Shop-Lib', '[project]\nname = "shop_lib"\n')).toEqual(own);
  expect(await callsOf('elsewhere', '[project]\nname = "shop_lib"\n')).toEqual([]);
});

test('A file that changed since falls back alone; what it declares is found by name', async () => {
  const shapes = await sample('typescript');
  const files = new Map(shapes.files);
  files.set('src/shapes.ts', `// moved down by a line\n${files.get('src/shapes.ts')}`);
  const links = await resolved(await resolverFiles(files), stateOf(shapes, ['src/shapes.ts']));
  expect(links).toContain('src/main.ts:15 run CALLS src/shapes.ts::Circle::area 1 scip');
  expect(links).toContain('src/shapes.ts:16 Circle INHERITS src/shapes.ts::Named 0.95 import');
  expect(links.filter(link => link.startsWith('src/shapes.ts:') && link.endsWith('scip'))).toEqual([]);
});

test('Any sequence of edits and verdicts gives what a first resolution of the last state gives', async () => {
  const shapes = await sample('typescript');
  const variants = new Map<string, readonly ResolverFile[]>();
  for (const [path, text] of shapes.files) {
    const texts = [text, `\n${text}`, text.replace('area(): number', 'size(): number'), 'export const gone = 1;\n'];
    variants.set(path, await resolverFiles(texts.map(each => [path, each] as const)));
  }
  const paths = [...shapes.files.keys()].sort();
  let seed = 7;
  const pick = (below: number): number => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return (seed >> 8) % below;
  };
  const at = new Map(paths.map(path => [path, 0]));
  const current = (path: string): ResolverFile => variants.get(path)?.[at.get(path) ?? 0] as ResolverFile;
  const stale = (): string[] => paths.filter(path => at.get(path) !== 0);
  const ids = new Interner<NodeHandle>();
  const resolver = new Resolver({ ids });
  const latest = new Map<string, FileResolution>();
  const apply = async (upserts: readonly ResolverFile[], removed: readonly string[]): Promise<void> => {
    const result = await resolver.update({ upserts, removed, precise: stateOf(shapes, stale()) }, testTurn(), neverCancelled);
    for (const path of removed) latest.delete(path);
    for (const resolution of [...result.resolutions, ...result.relinked]) latest.set(resolution.path, resolution);
  };
  await apply(paths.map(current), []);
  for (let step = 0; step < 40; step++) {
    const path = paths[pick(paths.length)] as string;
    if (pick(6) === 0 && latest.has(path)) {
      at.set(path, -1);
      await apply([], [path]);
    } else {
      at.set(path, pick(4));
      await apply([current(path)], []);
    }
    const cold = await resolved(paths.filter(each => at.get(each) !== -1).map(current), stateOf(shapes, stale()));
    // A site may still name a target that is gone; the graph does not show it.
    const living = new Set([...latest.values()].flatMap(({ file, symbolNodes }) => [file, ...symbolNodes]));
    const warm = [...latest.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
    expect(warm.flatMap(({ sites }) => [...sites.target]).filter(node => !living.has(node) && !ids.text(node).startsWith('external::'))).toEqual([]);
    expect(dump(ids, warm).sort()).toEqual(cold.sort());
  }
});

test.each([
  ['as it was', (text: string) => text, true],
  ['with another comment', (text: string) => text.replace('/** Groups by what', '/** Collects by the'), true],
  ['with a line more', (text: string) => `\n${text}`, false],
  ['with another name of the same length', (text: string) => text.replace('shape.area()', 'shape.arec()'), false],
  ['with another module of the same length', (text: string) => text.replace("'./shapes'", "'./shaper'"), false],
  ['with a call at the end', (text: string) => `${text}\nrun();\n`, false],
  ['with a function at the end', (text: string) => `${text}\nexport function more(): void {}\n`, false],
])('A text is compared with the index: %s', async (_name, change, expected) => {
  const { files, loaded } = await sample('typescript');
  const text = change(files.get('src/main.ts') ?? '');
  const { facts } = await resolverFile('src/main.ts', text);
  const document = loaded.documents.get('src/main.ts')?.document;
  expect(facts !== undefined && document !== undefined && fits(document, loaded.symbols, facts, text)).toBe(expected);
});

test.each(['typescript', 'python'])('All texts of %s fit the index made of them', async name => {
  const { files, loaded } = await sample(name);
  for (const [path, text] of files) {
    const { facts } = await resolverFile(path, text);
    const document = loaded.documents.get(path)?.document;
    expect([path, facts !== undefined && document !== undefined && fits(document, loaded.symbols, facts, text)]).toEqual([path, true]);
  }
});

test('Indexes that cannot be read are named, and nothing else suffers', async () => {
  cpSync(join(fixtures, 'typescript'), scratch, { recursive: true });
  const whole = readFileSync(join(scratch, 'index.scip'));
  writeFileSync(join(scratch, 'cut.scip'), whole.subarray(0, whole.length - 7));
  writeFileSync(join(scratch, 'text.scip'), 'this is no index\n');
  const { indexes, documents } = await load(
    scratch,
    ['src/main.ts'],
    ['cut.scip', 'text.scip', '../index.scip', '/etc/index.scip', 'none.scip', 'src', 'index.scip'],
  );
  expect(indexes.map(({ path, problem }) => [path, problem?.replace(/: .*/, '')])).toEqual([
    ['cut.scip', 'This is not a valid SCIP index'],
    ['text.scip', 'This is not a valid SCIP index'],
    ['../index.scip', 'The path is outside the workspace.'],
    ['/etc/index.scip', 'The path is outside the workspace.'],
    ['none.scip', 'The file does not exist.'],
    ['src', 'This is not a file.'],
    ['index.scip', undefined],
  ]);
  expect(documents.size).toBe(4);
});

test('No bytes make the reader do anything but give documents or refuse', () => {
  const whole = readFileSync(join(fixtures, 'python/index.scip'));
  let seed = 11;
  const next = (below: number): number => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return (seed >> 4) % below;
  };
  for (let round = 0; round < 3000; round++) {
    const bytes = Buffer.from(whole.subarray(0, 1 + next(whole.length)));
    for (let change = next(4); change > 0; change--) bytes[next(bytes.length)] = next(256);
    try {
      const symbols = new SymbolTable();
      for (const part of scipParts(bytes).documents) expect(scipDocument(bytes, part, symbols).count).toBeGreaterThanOrEqual(0);
    } catch (error) {
      expect(error).toBeInstanceOf(RangeError);
    }
  }
});

test('Columns of other encodings become UTF-16', () => {
  const base = {
    path: 'a.go',
    count: 2,
    symbol: preciseColumn(new Int32Array([0, 1])),
    roles: new Uint8Array(2),
    implementations: preciseColumn(new Int32Array(0)),
    text: undefined,
  };
  const line = 'f("é😀", name)';
  const at = (encoding: 'utf8' | 'utf32', column: number) =>
    inUtf16({ ...base, encoding, line: new Int32Array([0, 0]), column: new Int32Array([0, column]), length: new Int32Array([1, 4]) }, line);
  expect([...at('utf8', 12).column]).toEqual([0, line.indexOf('name')]);
  expect([...at('utf32', 8).column]).toEqual([0, line.indexOf('name')]);
  expect([...at('utf8', 12).length]).toEqual([1, 4]);
});

test.each([
  ['scip-typescript npm pkg 1.0.0 src/`a.ts`/A#m().', 'pkg', ['namespace src', 'namespace a.ts', 'type A', 'method m']],
  ['scip-go gomod example.com/a . `example.com/a`/F(+1).', 'example.com/a', ['namespace example.com/a', 'method F']],
  ['s m a  b 1 x/`a``b`.[T](p)', 'a b', ['namespace x', 'term a`b', 'typeParameter T', 'parameter p']],
  ['scip-python python p 1 `a.b`/__init__:', 'p', ['namespace a.b', 'meta __init__']],
  ['rust-analyzer cargo c 1 m/my_macro!', 'c', ['namespace m', 'macro my_macro']],
  ['local 12', undefined, undefined],
  ['s m p 1 `open', undefined, undefined],
])('%s is taken apart', (text, packageName, descriptors) => {
  const parsed = parseSymbol(text);
  expect(parsed?.packageName).toBe(packageName);
  expect(parsed?.descriptors.map(({ kind, name }) => `${kind} ${name}`)).toEqual(descriptors);
});
