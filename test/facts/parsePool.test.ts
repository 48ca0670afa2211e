import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyGrammars } from '../../server/grammars/verifyGrammars.mjs';
import { Cancelled, neverCancelled } from '../../server/src/base/cancellation';
import { decodeDigest, decodeFacts, encodeFacts } from '../../server/src/engine/parse/factsCodec';
import { defaultWorkerCount, ParsePool, type ParsePoolOptions } from '../../server/src/engine/parse/parsePool';
import type { ParseAnswer, ParseRequest } from '../../server/src/engine/parse/parsing';
import { dumpSymbols } from '../helpers/dumpFacts';
import { FactsReader } from '../helpers/extract';
import { removeFolder } from '../helpers/removeFolder.mjs';

const root = join(import.meta.dirname, '..', '..');
let folder: string;
let workerFile: string;
const pools: ParsePool[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lattice-pool-'));
  workerFile = join(folder, 'parseWorker.cjs');
  copyGrammars(folder);
  await build({
    entryPoints: [join(root, 'server', 'src', 'main', 'workers', 'parseWorkerMain.ts')],
    outfile: workerFile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    alias: { 'web-tree-sitter': join(root, 'node_modules', 'web-tree-sitter', 'web-tree-sitter.cjs') },
    logLevel: 'error',
  });
});

afterAll(() => {
  for (const pool of pools) pool.dispose();
  removeFolder(folder);
});

function createPool(options: Partial<ParsePoolOptions> = {}): ParsePool {
  const pool = new ParsePool({
    workerFile,
    distFolder: folder,
    clock: { now: () => Date.now(), monotonic: () => performance.now() },
    yieldTurn: async () => undefined,
    log: { write: () => undefined },
    ...options,
  });
  pools.push(pool);
  return pool;
}

function file(name: string, content: string | Uint8Array): ParseRequest {
  const absolutePath = join(folder, name);
  writeFileSync(absolutePath, content);
  return { path: name, absolutePath, language: 'typescript' };
}

const withoutFacts = ({ facts: _facts, packed, ...rest }: ParseAnswer): object => ({
  ...rest,
  packed: packed === undefined ? '' : createHash('sha256').update(packed).digest('hex'),
});

test('answers are the same whatever the number of workers', async () => {
  const requests = Array.from({ length: 60 }, (_, i) => file(`many${i}.ts`, `export class C${i} { m(x: D) { return x.f(${i}); } }\n`.repeat(1 + (i % 7))));
  const answers = await Promise.all(
    [1, 3].map(workers => {
      const pool = createPool({ workers });
      return Promise.all(requests.map(request => pool.run(request, neverCancelled)));
    }),
  );
  expect(answers[0]?.map(withoutFacts)).toEqual(answers[1]?.map(withoutFacts));
  expect(answers[0]?.every(answer => answer.facts !== undefined && answer.problem === undefined)).toBe(true);
});

test('what a worker says of good and bad files', async () => {
  const pool = createPool({ workers: 2, maxBytes: 1000 });
  const text = 'export function f() {}\n';
  const cases: readonly (readonly [ParseRequest, string | undefined])[] = [
    [file('good.ts', text), undefined],
    [{ ...file('overlay.ts', 'stale'), text }, undefined],
    [{ ...file('hashOnly.ts', text), language: undefined }, undefined],
    [file('empty.ts', ''), undefined],
    [file('binary.ts', new Uint8Array([1, 0, 2])), undefined],
    [file('latin1.ts', Buffer.from('// caf\xe9\nlet a;', 'latin1')), 'invalid_utf8'],
    [file('large.ts', 'a;\n'.repeat(1000)), 'too_large'],
    [{ path: 'gone.ts', absolutePath: join(folder, 'gone.ts'), language: 'typescript' }, 'vanished'],
    [{ path: 'folder', absolutePath: folder, language: 'typescript' }, 'unreadable'],
  ];
  const answers = await Promise.all(cases.map(([request]) => pool.run(request, neverCancelled)));
  expect(answers.map(answer => answer.problem?.code)).toEqual(cases.map(([, code]) => code));
  const hash = createHash('sha256').update(text).digest('hex');
  expect(answers.slice(0, 3).map(answer => answer.contentHash)).toEqual([hash, hash, hash]);
  expect(answers.map(answer => answer.facts !== undefined)).toEqual([true, true, false, true, false, true, false, false, false]);
  expect(answers[0]?.facts === undefined ? [] : dumpSymbols(answers[0].facts)).toEqual(['function f 0:16 exported']);
  expect(answers[4]?.isBinary).toBe(true);
});

test('UTF-16 with a mark is read by it, in either order of bytes: places are those of the text', async () => {
  const pool = createPool({ workers: 1 });
  const text = '\r\n/* \u00e9\u{1F600} */ export function f() { return "\uFFFD"; }\n';
  const little = Buffer.from(`\uFEFF${text}`, 'utf16le');
  const big = Buffer.from(little).swap16();
  const requests = [file('utf8.ts', text), file('little.ts', little), file('big.ts', big), file('half.ts', Buffer.concat([little, Buffer.from([0x2f])]))];
  const [utf8, ...answers] = await Promise.all(requests.map(request => pool.run(request, neverCancelled)));
  const symbols = answers.map(answer => (answer.facts === undefined ? [] : dumpSymbols(answer.facts)));
  expect(utf8?.facts === undefined ? [] : dumpSymbols(utf8.facts)).toEqual(['function f 1:26 exported']);
  expect(symbols.slice(0, 2)).toEqual([['function f 1:26 exported'], ['function f 1:26 exported']]);
  expect(answers.map(answer => [answer.isBinary, answer.isMinified, answer.problem, answer.facts?.syntax.lines])).toEqual(
    Array(3).fill([false, false, undefined, 3]),
  );
});

/** A worker that does something bad, by the name of the file it is given. */
function faultyWorker(): string {
  const wrapper = join(folder, 'faulty.cjs');
  writeFileSync(
    wrapper,
    `const fs = require('node:fs');
const open = fs.openSync;
const faults = { dies: () => process.exit(3), hangs: () => { for (;;); }, waits: () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600) };
fs.openSync = (path, ...rest) => {
  for (const [name, fault] of Object.entries(faults)) if (String(path).includes(name)) fault();
  return open(path, ...rest);
};
require('./parseWorker.cjs');
`,
  );
  return wrapper;
}

test('a worker that dies or hangs costs one file only', async () => {
  const pool = createPool({ workers: 2, workerFile: faultyWorker() });
  const requests = ['a.ts', 'dies.ts', 'b.ts', 'c.ts', 'hangs.ts', 'd.ts'].map(name => file(name, 'let a;'));
  const answers = await Promise.all(requests.map(request => pool.run(request, neverCancelled)));
  expect(answers.map(answer => answer.problem?.code)).toEqual([undefined, 'parse_failed', undefined, undefined, 'parse_timeout', undefined]);
});

test('a worker that has to wait for the machine is not taken for hanging', async () => {
  // A clock that runs fast stands for a machine that is busy with other things: 12 s go by, of which the worker gets none.
  const pool = createPool({ workers: 1, workerFile: faultyWorker(), clock: { now: () => Date.now(), monotonic: () => performance.now() * 20 } });
  expect((await pool.run(file('waits.ts', 'let a;'), neverCancelled)).problem).toBeUndefined();
});

test('workers that never start are reported, not waited for', async () => {
  const pool = createPool({ workers: 1, distFolder: join(folder, 'nothing') });
  const answer = await pool.run(file('e.ts', 'let a;'), neverCancelled);
  expect(answer.problem?.code).toBe('parse_failed');
});

test('cancelled and disposed requests are rejected', async () => {
  const pool = createPool({ workers: 1 });
  await expect(pool.run(file('f.ts', 'let a;'), { ...neverCancelled, isCancellationRequested: true })).rejects.toBeInstanceOf(Cancelled);
  const pending = pool.run(file('g.ts', 'let a;'), neverCancelled);
  pool.dispose();
  await expect(pending).rejects.toBeInstanceOf(Cancelled);
});

test('one worker fewer than cores, within bounds', () => {
  expect([1, 2, 3, 4, 5, 64].map(cores => defaultWorkerCount(cores))).toEqual([1, 2, 2, 3, 4, 4]);
});

test('the digest is read without what stands behind it', async () => {
  const reader = await FactsReader.create();
  const facts = await reader.facts('typescript', "import express from 'express';\nexpress().get('/é', () => 1);");
  expect(facts.digest).toContain('/é');
  const packed = encodeFacts(facts);
  expect(decodeDigest(packed.slice(0, packed.length / 2))).toBe(facts.digest);
  expect(decodeDigest(packed.slice(0, 20))).toBeUndefined();
});

test('damaged facts are refused, not believed', async () => {
  const reader = await FactsReader.create();
  const packed = encodeFacts(await reader.facts('typescript', 'export class A { m(é: "\u{1F600}") {} }'));
  expect(decodeFacts(packed)?.strings).toContain('é');
  for (let length = 0; length < packed.length; length++) expect(decodeFacts(packed.slice(0, length))).toBeUndefined();
  const other = packed.slice();
  other[4] = (other[4] ?? 0) + 1;
  expect(decodeFacts(other)).toBeUndefined();
});
