import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodeHost } from '../../server/src/code/files/nodeHost';
import { coverageFiles } from '../../server/src/engine/view/testCoverage/coverageFiles';
import { StoreDatabase } from '../../server/src/store/database';
import { removeFolder } from '../helpers/removeFolder.mjs';

const SQL_WASM = readFileSync(createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm'));

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lattice-coverage-'));
});
afterEach(() => removeFolder(folder));

const portOf = (paths: readonly string[] = []) =>
  coverageFiles({
    root: join(folder, 'shop'),
    host: nodeHost,
    caseInsensitive: false,
    clock: { now: () => 7, monotonic: () => 7 },
    paths: () => paths,
    openDatabase: content => StoreDatabase.create(SQL_WASM, content),
  });

test('reports are read from the usual places, newest first, and again only when they change', async () => {
  await mkdir(join(folder, 'shop', 'coverage'), { recursive: true });
  await writeFile(join(folder, 'shop', 'coverage', 'lcov.info'), 'SF:a.ts\n');
  await writeFile(join(folder, 'shop', 'coverage.xml'), '<coverage/>');
  await utimes(join(folder, 'shop', 'coverage.xml'), 100, 100);
  const port = portOf();
  const { files, problems } = await port.reports();
  expect(files.map(file => file.path)).toEqual(['coverage/lcov.info', 'coverage.xml']);
  expect(files[1]?.modifiedAt).toBe(100_000);
  expect(problems).toEqual([]);
  expect((await port.reports()).files[0]).toBe(files[0]);
  await writeFile(join(folder, 'shop', 'coverage', 'lcov.info'), 'SF:a.ts\nDA:1,1\n');
  expect((await port.reports()).files.find(file => file.path === 'coverage/lcov.info')?.text).toBe('SF:a.ts\nDA:1,1\n');
  expect([await port.modifiedAt('coverage.xml'), await port.modifiedAt('gone.ts'), port.now()]).toEqual([100_000, undefined, 7]);
});

test('projects of a repository have reports of their own', async () => {
  const place = async (path: string, text: string): Promise<void> => {
    await mkdir(join(folder, 'shop', path, '..'), { recursive: true });
    await writeFile(join(folder, 'shop', path), text);
  };
  await place('gson/target/site/jacoco/jacoco.xml', '<report/>');
  await place('packages/core/coverage/lcov.info', 'SF:src/a.ts\n');
  await place('services/api/cover.out', 'mode: set\n');
  await place('node_modules/x/coverage/lcov.info', 'SF:x.js\n');
  await place('packages/core/src/cover.out', 'mode: set\n');
  const { files, problems } = await portOf().reports();
  expect(files.map(({ path }) => path).sort()).toEqual(['gson/target/site/jacoco/jacoco.xml', 'packages/core/coverage/lcov.info', 'services/api/cover.out']);
  expect(problems).toEqual([]);
});

test('links that lead out of the workspace, folders and huge files are told, not read', async () => {
  await mkdir(join(folder, 'shop', 'coverage.json'), { recursive: true });
  await writeFile(join(folder, 'secret'), 'SF:a.ts\n');
  await symlink(join(folder, 'secret'), join(folder, 'shop', 'lcov.info'));
  await writeFile(join(folder, 'shop', 'cover.out'), 'mode: set\n');
  await truncate(join(folder, 'shop', 'cover.out'), 17 << 20);
  const { files, problems } = await portOf().reports();
  expect(files).toEqual([]);
  expect([...problems].sort()).toEqual([
    'cover.out is larger than 16 MB.',
    expect.stringMatching(/^coverage\.json (?:cannot be read|is no file)/),
    'lcov.info is a link to a path outside the workspace.',
  ]);
});

const PRICES = `"""Prices."""
import math


@cached
def total(
    prices,
):
    """Adds up."""
    if prices is None:
        return 0
    else:
        found = sum(
            prices,
        )
    # rounded
    global last
    return math.floor(found)


def never(): # pragma: no cover
    return "'"


if t.TYPE_CHECKING:
    from a import B
def declared() -> int: ...
`;

/** A data file as coverage.py writes it: lines as bits, or arcs where branches are measured. */
async function dataFile(path: string, lines: Readonly<Record<string, readonly number[]>>, arcs: readonly (readonly [number, number])[] = []): Promise<void> {
  const database = await StoreDatabase.create(SQL_WASM);
  database.script(`CREATE TABLE file (id integer primary key, path text); CREATE TABLE context (id integer primary key, context text);
    CREATE TABLE line_bits (file_id integer, context_id integer, numbits blob); CREATE TABLE arc (file_id integer, context_id integer, fromno integer, tono integer)`);
  database.run('INSERT INTO file VALUES (3, ?), (4, ?)', [join(folder, 'shop', 'prices.py'), '/elsewhere/lib.py']);
  for (const [at, [context, numbers]] of Object.entries(lines).entries()) {
    const bits = new Uint8Array(8);
    for (const line of numbers) bits[line >> 3] = (bits[line >> 3] ?? 0) | (1 << (line & 7));
    database.run('INSERT INTO context VALUES (?, ?)', [at, context]);
    database.run('INSERT INTO line_bits VALUES (3, ?, ?), (4, ?, ?)', [at, bits, at, bits]);
  }
  for (const [from, to] of arcs) database.run('INSERT INTO arc VALUES (3, 0, ?, ?)', [from, to]);
  await writeFile(path, database.export());
  database.close();
}

test('the data file of coverage.py is read as its report would be: statements, what ran, by which tests', async () => {
  await mkdir(join(folder, 'shop'));
  await writeFile(join(folder, 'shop', 'prices.py'), PRICES);
  await dataFile(join(folder, 'shop', '.coverage'), { '': [2, 5, 6], 'test_prices.py::test_none|run': [10, 11], 'test_prices.py::test_two|run': [10, 14] });
  const { files, problems } = await portOf().reports();
  expect(problems).toEqual([]);
  expect(files.map(file => ({ path: file.path, ...JSON.parse(file.text) }))).toEqual([
    {
      path: '.coverage',
      meta: { format: 'coverage.py', contexts: ['test_prices.py::test_none', 'test_prices.py::test_two'] },
      files: {
        [join(folder, 'shop', 'prices.py')]: {
          executed_lines: [2, 5, 6, 10, 11, 13],
          missing_lines: [18],
          contexts: {
            10: [0, 1],
            11: [0],
            13: [1],
          },
        },
      },
    },
  ]);
  await dataFile(join(folder, 'shop', 'branches.coverage'), { '': [] }, [
    [-1, 2],
    [10, 11],
    [11, -5],
  ]);
  const branches = (await portOf(['./branches.coverage']).reports()).files.find(file => file.path === 'branches.coverage');
  expect(JSON.parse(branches?.text ?? '').files[join(folder, 'shop', 'prices.py')]).toMatchObject({
    executed_lines: [2, 10, 11],
    missing_lines: [5, 6, 13, 18],
  });
  await writeFile(join(folder, 'shop', '.coverage'), 'SQLite format 3\0 and then nothing');
  expect((await portOf().reports()).problems).toEqual([expect.stringMatching(/^\.coverage cannot be read: /)]);
});

const SUMS = [
  '// Sums.',
  'function sum(a, b) {',
  '  if (a > 100) {',
  '    return -1;',
  '  }',
  '  return a + b;',
  '}',
  'function never() {',
  '  return sum(1, 2);',
  '}',
  '',
].join('\n');

test('what V8 wrote at the end of processes is read as one report: a line ran when any process ran it', async () => {
  await mkdir(join(folder, 'shop', 'coverage', 'tmp'), { recursive: true });
  await writeFile(join(folder, 'shop', 'sums.js'), SUMS);
  const rangesOf = (...ranges: readonly (readonly [string, string, number])[]) =>
    ranges.map(([from, to, count]) => ({ startOffset: SUMS.indexOf(from), endOffset: SUMS.indexOf(to) + to.length, count }));
  const process = (name: string, inside: number, script: object = {}) =>
    writeFile(
      join(folder, 'shop', 'coverage', 'tmp', name),
      JSON.stringify({
        result: [
          { url: 'node:fs', functions: [] },
          { url: pathToFileURL(join(folder, 'elsewhere.js')).href, functions: [] },
          {
            url: pathToFileURL(join(folder, 'shop', 'sums.js')).href,
            functions: [
              { ranges: rangesOf(['// Sums.', '(1, 2);\n}', 1]) },
              { ranges: rangesOf(['function sum', 'b;\n}', 1], ['{\n    return -1', '-1;\n  }', inside]) },
              { ranges: rangesOf(['function never', '(1, 2);\n}', 0]) },
            ],
          },
        ],
        ...script,
      }),
    );
  await process('coverage-1-1-0.json', 0);
  const sums = async () => JSON.parse((await portOf().reports()).files[0]?.text ?? '');
  const path = pathToFileURL(join(folder, 'shop', 'sums.js')).pathname.replace(/^\/(?=[A-Za-z]:\/)/, '');
  expect(await sums()).toEqual({
    meta: { format: 'V8', contexts: [] },
    files: { [path]: { executed_lines: [2, 3, 6], missing_lines: [4, 8, 9], contexts: {} } },
  });
  await process('coverage-2-2-0.json', 1);
  await writeFile(join(folder, 'shop', 'coverage', 'tmp', 'coverage-3-3-0.json'), '{ broken');
  expect((await sums()).files[path]).toMatchObject({ executed_lines: [2, 3, 4, 6], missing_lines: [8, 9] });
});
