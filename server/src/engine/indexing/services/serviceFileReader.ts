import { Worker } from 'node:worker_threads';
import { Cancelled } from '../../../base/cancellation';
import type { WorkspacePath } from '../../../base/path';
import type { Timers } from '../../../base/ports';
import { readServiceFile } from '../../../services/readServiceFile';
import type { ServiceFile } from '../../../services/serviceFile';

/** Longer texts are parsed in a thread, in characters with those they refer to. YAML takes half a second of processor time per megabyte, JSON a fiftieth of it. */
const MAX_HERE = { yaml: 32 * 1024, json: 1024 * 1024 };
/** For one file in the thread. Most of what is below the limit of size takes a tenth. */
const MAX_MS = 60_000;
const MAX_MEGABYTES = 1024;

/** A file to the thread; files are answered in the order in which they came. */
export interface ReadFileMessage {
  readonly path: WorkspacePath;
  readonly text: string;
  /** Texts of files that its references lead to. */
  readonly others: ReadonlyMap<WorkspacePath, string>;
}

export type ReadFileReply = { readonly file: ServiceFile | undefined } | { readonly problem: string };

export interface ServiceFileReaderOptions {
  /** Bundle of `main/workers/serviceFileWorkerMain`. */
  readonly workerFile: string;
  readonly timers: Timers;
  /** Milliseconds for one file in the thread, and megabytes of memory for all of it; for tests. */
  readonly maxMs?: number;
  readonly maxMegabytes?: number;
}

/**
 * Parses files beside the code: small ones at once, large ones in a thread, so that nobody waits for them and what they use is limited.
 * One file at a time.
 */
export class ServiceFileReader {
  #worker: Worker | undefined;
  #isDisposed = false;

  constructor(private readonly options: ServiceFileReaderOptions) {}

  /** What a file says; a problem where it cannot be parsed, or not within the limits. Rejects with `Cancelled` once disposed. */
  async read(message: ReadFileMessage): Promise<ReadFileReply> {
    const { others, path, text } = message;
    let size = text.length;
    for (const other of others.values()) size += other.length;
    if (size > (path.endsWith('.json') ? MAX_HERE.json : MAX_HERE.yaml)) return this.#readAside(message);
    try {
      return { file: readServiceFile(path, text, other => others.get(other)) };
    } catch (error) {
      return { problem: error instanceof Error ? error.message : String(error) };
    }
  }

  /** Ends the thread; the next large file starts another one. */
  async rest(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    await this.rest();
  }

  async #readAside(message: ReadFileMessage): Promise<ReadFileReply> {
    if (this.#isDisposed) throw new Cancelled();
    const { maxMegabytes = MAX_MEGABYTES, maxMs = MAX_MS, timers, workerFile } = this.options;
    const worker = this.#worker ?? startWorker(workerFile, maxMegabytes);
    this.#worker = worker;
    const reply = await new Promise<ReadFileReply>(resolve => {
      const timer = timers.after(maxMs, () => end({ problem: `The file was not parsed within ${Math.round(maxMs / 1000)} seconds.` }));
      const onError = (error: Error): void =>
        end({ problem: isOutOfMemory(error) ? `The file takes more than ${maxMegabytes} MB of memory to parse.` : error.message });
      const onExit = (): void => end({ problem: 'The thread that parsed the file has ended.' });
      // Taken off one by one: with `removeAllListeners` the thread would lose its own, without which no further message arrives.
      const end = (answer: ReadFileReply): void => {
        timer.dispose();
        worker.off('message', end).off('error', onError).off('exit', onExit);
        resolve(answer);
      };
      worker.on('message', end).on('error', onError).on('exit', onExit);
      worker.postMessage(message);
    });
    if (this.#isDisposed) throw new Cancelled();
    if ('problem' in reply) await this.rest();
    return reply;
  }
}

function startWorker(workerFile: string, maxOldGenerationSizeMb: number): Worker {
  const worker = new Worker(workerFile, { resourceLimits: { maxOldGenerationSizeMb, stackSizeMb: 4 } });
  // What a thread says as it is ended is no news.
  worker.on('error', () => undefined);
  return worker;
}

function isOutOfMemory(error: Error): boolean {
  return 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
