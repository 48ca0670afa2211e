/** Entry of a parse worker thread: files in, packed facts out. Everything it does is in `engine/parse`. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { SyntaxParser } from '../code/parse/syntaxParser';
import { FileParser } from '../engine/parse/fileParser';
import type { ParseBatch, ParseReply, ParseWorkerData } from '../engine/parse/parseMessages';

/** Longest time that finished answers wait for company, in milliseconds. */
const COMPANY_MS = 8;

const port = parentPort;
if (port === null) throw new Error('parseWorkerMain runs in a worker thread only');

const data = workerData as ParseWorkerData;
const progress = new Int32Array(data.progress);
const monotonic = (): number => performance.now();

const parser: Promise<FileParser> = readFile(join(data.distFolder, 'web-tree-sitter.wasm'))
  .then(runtimeWasm =>
    SyntaxParser.create({
      runtimeWasm,
      readGrammar: grammar => readFile(join(data.distFolder, 'grammars', `${grammar}.wasm`)),
      clock: { now: () => Date.now(), monotonic },
      log: { write: (level, message) => port.postMessage({ kind: 'log', level, message } satisfies ParseReply) },
    }),
  )
  .then(syntax => new FileParser(syntax, data.largestBytes));

type Answers = Extract<ParseReply, { kind: 'answers' }>['answers'][number][];

async function work({ requests }: ParseBatch): Promise<void> {
  const { parse } = await parser.then(ready => ({ parse: ready.parse.bind(ready) }));
  let answers: Answers = [];
  let oldest = monotonic();
  const send = (): void => {
    if (answers.length === 0) return;
    const buffers = answers.flatMap(({ answer }) => (answer.packed === undefined ? [] : [answer.packed.buffer as ArrayBuffer]));
    port?.postMessage({ kind: 'answers', answers } satisfies ParseReply, buffers);
    answers = [];
    oldest = monotonic();
  };
  for (const { id, request } of requests) {
    Atomics.store(progress, 0, id);
    answers.push({ id, answer: await parse(request) });
    if (monotonic() - oldest > COMPANY_MS) send();
  }
  send();
}

// One batch after the other: the parser and its buffers are not shared between files. A failure ends the thread; the pool starts another.
let queue: Promise<void> = Promise.resolve();
port.on('message', (batch: ParseBatch) => {
  queue = queue.then(() => work(batch));
});
