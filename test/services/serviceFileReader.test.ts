/** Large files beside the code are parsed in a thread, within limits of time and memory, and the index goes on when one is beyond them. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { Cancelled } from '../../server/src/base/cancellation';
import { nodeHost } from '../../server/src/code/files/nodeHost';
import { FileTable } from '../../server/src/engine/indexing/fileTable';
import { ServiceFileReader, type ServiceFileReaderOptions } from '../../server/src/engine/indexing/services/serviceFileReader';
import { ServiceFiles } from '../../server/src/engine/indexing/services/serviceFiles';
import { systemTimers } from '../../server/src/main/platform';
import { removeFolder } from '../helpers/removeFolder.mjs';

let folder: string;
let workerFile: string;
let readers: ServiceFileReader[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lattice-service-files-'));
  workerFile = join(folder, 'worker.cjs');
  const entry = join(import.meta.dirname, '..', '..', 'server', 'src', 'main', 'workers', 'serviceFileWorkerMain.ts');
  await build({ entryPoints: [entry], outfile: workerFile, bundle: true, platform: 'node', format: 'cjs', logLevel: 'error' });
});

afterEach(async () => {
  for (const reader of readers) await reader.dispose();
  readers = [];
});

afterAll(() => removeFolder(folder));

function readerWith(options: Partial<ServiceFileReaderOptions> = {}): ServiceFileReader {
  const reader = new ServiceFileReader({ workerFile, timers: systemTimers, ...options });
  readers.push(reader);
  return reader;
}

/** A contract in YAML with a path for every number, and a description of each. */
function contract(paths: number, description = 'A thing, described in a sentence of ordinary length.'): string {
  const each = (at: number): string =>
    `  /things/${at}:\n    get:\n      operationId: get${at}\n      responses:\n        '200':\n          description: ${description}\n`;
  return `openapi: 3.0.3\ninfo:\n  title: Things\n  version: '1'\npaths:\n${Array.from({ length: paths }, (_, at) => each(at)).join('')}`;
}

const read = (reader: ServiceFileReader, path: string, text: string) => reader.read({ path, text, others: new Map() });

test('a contract of several megabytes is read whole', async () => {
  const text = contract(1000, 'word '.repeat(500));
  expect(text.length).toBeGreaterThan(2 * 1024 * 1024);
  const reply = await read(readerWith(), 'api.yaml', text);
  const operations = 'file' in reply ? reply.file?.contract?.operations : undefined;
  expect(operations).toHaveLength(1000);
  expect(operations?.at(-1)).toMatchObject({ method: 'GET', path: '/things/999', operationId: 'get999', line: 6 + 6 * 999 });
});

test('beyond the time for one file it is a problem, and the next file is read', async () => {
  const reader = readerWith({ maxMs: 1 });
  expect(await read(reader, 'api.yaml', contract(20_000))).toMatchObject({ problem: 'The file was not parsed within 0 seconds.' });
  expect(await read(reader, 'api.yaml', contract(3))).toMatchObject({ file: { problems: [] } });
});

test('beyond the memory for all it is a problem, and the next file is read', async () => {
  const reader = readerWith({ maxMegabytes: 48 });
  expect(await read(reader, 'api.yaml', contract(20_000))).toEqual({ problem: 'The file takes more than 48 MB of memory to parse.' });
  expect(await read(reader, 'api.yaml', contract(400))).toMatchObject({ file: { problems: [] } });
});

test('one large file after the other is read by the same thread', async () => {
  const reader = readerWith({ maxMs: 20_000 });
  for (const paths of [400, 500, 600]) {
    const reply = await read(reader, 'api.yaml', contract(paths));
    expect('file' in reply ? reply.file?.contract?.operations : reply).toHaveLength(paths);
  }
});

test('an index that closes does not wait for it', async () => {
  const reader = readerWith();
  const waiting = read(reader, 'api.yaml', contract(20_000));
  await reader.dispose();
  await expect(waiting).rejects.toThrow(Cancelled);
});

test('a file above the limit is an error if it is a contract, whatever its name, and not read', async () => {
  const table = new FileTable();
  const put = (path: string, text: string, sizeBytes: number): void => {
    writeFileSync(join(folder, path), text);
    const record = { path, language: undefined, contentHash: '', sizeBytes, isTest: false, isGenerated: false };
    table.set({
      record,
      signature: { sizeBytes, mtimeMs: 0, inode: 1 },
      factsKey: undefined,
      syntax: undefined,
      symbols: 0,
      isMinified: false,
      problem: undefined,
    });
  };
  const size = 100 * 1024 * 1024;
  put('api.yaml', contract(3), size);
  put('rows.json', '[{"id": 1}]', size);
  put('small.yaml', contract(1), contract(1).length);
  const files = new ServiceFiles({ root: folder, host: nodeHost, table, reader: readerWith() });
  await files.update(() => undefined);
  expect(
    files
      .files()
      .map(({ contract: found, path, problems }) => ({ path, operations: found?.operations.length, problems: problems.map(({ message }) => message) })),
  ).toEqual([
    { path: 'api.yaml', operations: undefined, problems: ['The file is larger than 24 MB and is not read.'] },
    { path: 'small.yaml', operations: 1, problems: [] },
  ]);
});
