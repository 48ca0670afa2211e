/** What a parse worker thread does: files in, packed facts out, one batch after the other. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import { SyntaxParser } from '../../code/parse/syntaxParser';
import { compileGrammar } from './compileGrammar';
import { FileParser } from './fileParser';
import type { ParseBatch, ParseReply, ParseWorkerData } from './parseMessages';

export type { ParseWorkerData };

/** Longest time that finished answers wait for company, in milliseconds. */
const MAX_BATCH_MS = 8;

type Answers = Extract<ParseReply, { kind: 'answers' }>['answers'][number][];

/** Answers the batches that come over `port`. The parser and its buffers are not shared between files; a failure ends the thread, and the pool starts another. */
export function serveParseWorker(port: MessagePort, data: ParseWorkerData): void {
  const progress = new Int32Array(data.progress);
  const parser = makeParser(port, data, progress);
  let queue: Promise<void> = Promise.resolve();
  port.on('message', (batch: ParseBatch) => {
    queue = queue.then(async () => work(await parser, batch, port, progress));
  });
}

async function makeParser(port: MessagePort, data: ParseWorkerData, progress: Int32Array): Promise<FileParser> {
  const lock = new Int32Array(data.compiling);
  const compiled: object[] = [];
  const syntax = await SyntaxParser.create({
    runtimeWasm: await readFile(join(data.distFolder, 'web-tree-sitter.wasm')),
    readGrammar: async (grammar, isRare) => {
      const wasm = await readFile(join(data.distFolder, 'grammars', `${grammar}.wasm`));
      compiled.push(compileGrammar(wasm, isRare, lock));
      return wasm;
    },
    writeUnits: (text, memory, at) => void Buffer.from(memory.buffer, memory.byteOffset + at).write(text, 'utf16le'),
    clock: { now: () => Date.now(), monotonic: () => performance.now() },
    processorMs: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000;
    },
    log: { write: (level, message) => port.postMessage({ kind: 'log', level, message } satisfies ParseReply) },
  });
  return new FileParser(syntax, data.maxBytes, isLoading => {
    const id = Math.abs(Atomics.load(progress, 0));
    Atomics.store(progress, 0, isLoading ? -id : id);
  });
}

async function work(parser: FileParser, { requests }: ParseBatch, port: MessagePort, progress: Int32Array): Promise<void> {
  let answers: Answers = [];
  let oldest = performance.now();
  const send = (): void => {
    if (answers.length === 0) return;
    const buffers = answers.flatMap(({ answer }) => (answer.packed === undefined ? [] : [answer.packed.buffer as ArrayBuffer]));
    port.postMessage({ kind: 'answers', answers } satisfies ParseReply, buffers);
    answers = [];
    oldest = performance.now();
  };
  for (const { id, request } of requests) {
    Atomics.store(progress, 0, id);
    answers.push({ id, answer: await parser.parse(request) });
    if (performance.now() - oldest > MAX_BATCH_MS) send();
  }
  send();
}
