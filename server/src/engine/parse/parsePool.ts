/**
 * Parse workers: a few threads that turn files into packed facts.
 *
 * It does not know what facts say or where they are kept. Requests are answered whatever happens: a worker that dies or hangs is replaced,
 * the file it was at is reported as a problem, the others it had are given to the next worker.
 * Invariants: answers depend on the file alone, never on the number of workers or the order; a cancelled request is answered to no one.
 */

import { availableParallelism } from 'node:os';
import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { type CancellationToken, Cancelled } from '../../base/cancellation';
import type { Disposable } from '../../base/disposable';
import type { Clock, Log, YieldTurn } from '../../base/ports';
import { Turn } from '../../base/yield';
import type { FileFacts } from '../../model/facts';
import { decodeFacts } from './factsCodec';
import { failedAnswer, type PackedAnswer } from './packedAnswer';
import type { ParseBatch, ParseReply, ParseWorkerData } from './parseMessages';
import type { ParseAnswer, ParseRequest, Parsing } from './parsing';

export interface ParsePoolOptions {
  /** Bundle of `main/workers/parseWorkerMain`. */
  readonly workerFile: string;
  /** Folder that holds `web-tree-sitter.wasm` and `grammars/`. */
  readonly distFolder: string;
  readonly clock: Clock;
  /** Between answers that came together: unpacking a hundred of them in a row would block other work. */
  readonly yieldTurn: YieldTurn;
  readonly log: Log;
  /** Threads; by default one less than there are cores, at least 2 and at most 4 (1 on a single core). */
  readonly workers?: number;
  /** Files above this size are hashed, not parsed; 1 MiB by default. */
  readonly maxBytes?: number;
  /** Processor time, as far as it is known, after which a worker that is still at one file is taken for hanging; 2 s by default. */
  readonly hangMs?: number;
}

/** Requests that a worker has at once, so that it never waits for the main thread. */
const WINDOW = 16;
const DEFAULT_MAX_BYTES = 1024 * 1024;
/** Parsing has its own limit below this one, extraction is linear in the file; this one is for what goes wrong beyond them. */
const DEFAULT_HANG_MS = 2_000;
/** A worker that gets no processor time, be it for a slow disk, is given up after this many times the limit. */
const MAX_WAITING = 10;
const CHECK_EVERY_MS = 250;
/** Workers that may die one after the other without having answered anything. */
const MAX_FAILED_STARTS = 3;

interface Job {
  readonly id: number;
  readonly request: ParseRequest;
  readonly token: CancellationToken;
  readonly resolve: (answer: PackedAnswer) => void;
  readonly reject: (reason: Error) => void;
}

interface Slot {
  readonly worker: Worker;
  readonly progress: Int32Array;
  readonly jobs: Map<number, Job>;
  /** Request that `since` and `usedMs` speak of. */
  at: number;
  since: number;
  /** Processor time that the worker has had for it, see `#share`. */
  usedMs: number;
}

export function defaultWorkerCount(cores: number = availableParallelism()): number {
  return cores <= 1 ? 1 : Math.min(4, Math.max(2, cores - 1));
}

export class ParsePool implements Parsing, Disposable {
  readonly concurrency: number;
  readonly #count: number;
  readonly #turn: Turn;
  readonly #slots: Slot[] = [];
  readonly #compiling = new SharedArrayBuffer(4);
  readonly #queue: Job[] = [];
  #nextId = 1;
  #failedStarts = 0;
  #disposed = false;
  #isFlushing = false;
  #watch: NodeJS.Timeout | undefined;
  #checked = usage(0);

  constructor(private readonly options: ParsePoolOptions) {
    this.#turn = new Turn(options.clock, options.yieldTurn);
    this.#count = Math.max(1, options.workers ?? defaultWorkerCount());
    this.concurrency = this.#count * WINDOW;
  }

  /** Starts the workers ahead of the first request. */
  begin(): void {
    while (!this.#disposed && this.#slots.length < this.#count) {
      const slot = this.#start();
      slot.worker.unref();
      this.#slots.push(slot);
    }
  }

  async run(request: ParseRequest, token: CancellationToken): Promise<ParseAnswer> {
    const answer = await new Promise<PackedAnswer>((resolve, reject) => {
      this.#queue.push({ id: this.#nextId++, request, token, resolve, reject });
      this.#flushSoon();
    });
    if (answer.packed === undefined) return { ...answer, facts: undefined };
    await this.#turn.check(token);
    return { ...answer, facts: decodeFacts(answer.packed) };
  }

  decode(packed: Uint8Array): FileFacts | undefined {
    return decodeFacts(packed);
  }

  /** Requests under way are rejected with `Cancelled`. */
  dispose(): void {
    this.#disposed = true;
    clearInterval(this.#watch);
    const jobs = [...this.#queue.splice(0), ...this.#slots.flatMap(slot => [...slot.jobs.values()])];
    for (const slot of this.#slots.splice(0)) void slot.worker.terminate();
    for (const job of jobs) job.reject(new Cancelled());
  }

  /** Requests made in one turn of the event loop travel together. */
  #flushSoon(): void {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    queueMicrotask(() => {
      this.#isFlushing = false;
      this.#flush();
    });
  }

  #flush(): void {
    if (this.#disposed) {
      for (const job of this.#queue.splice(0)) job.reject(new Cancelled());
      return;
    }
    while (this.#slots.length < this.#count && this.#slots.length * WINDOW < this.#waiting()) {
      if (this.#failedStarts >= MAX_FAILED_STARTS) break;
      this.#slots.push(this.#start());
    }
    if (this.#slots.length === 0) {
      for (const job of this.#queue.splice(0)) job.resolve(failedAnswer('parse_failed', 'The parser could not be started.'));
      return;
    }
    const share = Math.ceil(this.#waiting() / this.#slots.length);
    for (const slot of this.#slots) this.#give(slot, Math.min(WINDOW, share));
  }

  #waiting(): number {
    return this.#queue.length + this.#slots.reduce((sum, slot) => sum + slot.jobs.size, 0);
  }

  /** Fills a worker's window. */
  #give(slot: Slot, window: number): void {
    const batch: { id: number; request: ParseRequest }[] = [];
    while (slot.jobs.size < window) {
      const job = this.#queue.shift();
      if (job === undefined) break;
      if (job.token.isCancellationRequested) {
        job.reject(new Cancelled());
        continue;
      }
      slot.jobs.set(job.id, job);
      batch.push({ id: job.id, request: job.request });
    }
    if (batch.length === 0) return;
    if (slot.jobs.size === batch.length) {
      slot.since = this.options.clock.monotonic();
      slot.usedMs = 0;
    }
    slot.worker.ref();
    this.#watchOn();
    slot.worker.postMessage({ requests: batch } satisfies ParseBatch);
  }

  #start(): Slot {
    const progress = new SharedArrayBuffer(4);
    const { distFolder, maxBytes = DEFAULT_MAX_BYTES } = this.options;
    const data: ParseWorkerData = { distFolder, maxBytes, progress, compiling: this.#compiling };
    const worker = new Worker(this.options.workerFile, { workerData: data, resourceLimits: { stackSizeMb: 4 } });
    const slot: Slot = { worker, progress: new Int32Array(progress), jobs: new Map(), at: 0, since: this.options.clock.monotonic(), usedMs: 0 };
    worker.on('message', (reply: ParseReply) => this.#receive(slot, reply));
    worker.on('error', error => this.#lost(slot, 'parse_failed', `The parser crashed on this file (${error.message}).`));
    worker.on('exit', () => this.#lost(slot, 'parse_failed', 'The parser crashed on this file.'));
    return slot;
  }

  #receive(slot: Slot, reply: ParseReply): void {
    if (reply.kind === 'log') {
      this.options.log.write(reply.level, reply.message);
      return;
    }
    this.#failedStarts = 0;
    for (const { id, answer } of reply.answers) {
      const job = slot.jobs.get(id);
      slot.jobs.delete(id);
      if (job === undefined) continue;
      if (job.token.isCancellationRequested) job.reject(new Cancelled());
      else job.resolve(answer);
    }
    this.#flush();
    if (slot.jobs.size === 0) slot.worker.unref();
    if (this.#slots.every(other => other.jobs.size === 0)) this.#watchOff();
  }

  /** Replaces a worker: the file it was at is answered with a problem, its other files wait for the next one. */
  #lost(slot: Slot, code: 'parse_failed' | 'parse_timeout', message: string): void {
    const index = this.#slots.indexOf(slot);
    if (index < 0) return;
    this.#slots.splice(index, 1);
    void slot.worker.terminate();
    const current = Math.abs(Atomics.load(slot.progress, 0));
    const culprit = slot.jobs.get(current);
    if (culprit === undefined) this.#failedStarts++;
    else {
      slot.jobs.delete(current);
      culprit.resolve(failedAnswer(code, message));
      this.options.log.write('warn', `Parse worker replaced while parsing ${culprit.request.path}: ${message}`);
    }
    this.#queue.unshift(...slot.jobs.values());
    slot.jobs.clear();
    this.#flushSoon();
  }

  #watchOn(): void {
    if (this.#watch !== undefined) return;
    this.#checked = usage(this.options.clock.monotonic());
    this.#watch = setInterval(() => this.#check(), CHECK_EVERY_MS).unref();
  }

  #watchOff(): void {
    clearInterval(this.#watch);
    this.#watch = undefined;
  }

  #check(): void {
    const limit = this.options.hangMs ?? DEFAULT_HANG_MS;
    const share = this.#share();
    const now = this.#checked.at;
    for (const slot of this.#slots.slice()) {
      const at = Atomics.load(slot.progress, 0);
      if (at !== slot.at || slot.jobs.size === 0) {
        slot.at = at;
        slot.since = now;
        slot.usedMs = 0;
        continue;
      }
      slot.usedMs += share;
      const isHanging = slot.usedMs > limit || now - slot.since > limit * MAX_WAITING;
      if (isHanging && slot.jobs.has(at)) this.#lost(slot, 'parse_timeout', `Extraction took longer than ${limit} ms. The file is indexed by name only.`);
    }
  }

  /**
   * Processor time that a busy worker has had since the last check, at most the time that went by: that of the process, in equal parts.
   * Not every Node tells it per thread, and on a busy machine the time that went by would take away files that are fine.
   */
  #share(): number {
    const before = this.#checked;
    const now = usage(this.options.clock.monotonic());
    this.#checked = now;
    const busy = this.#slots.filter(slot => slot.jobs.size > 0).length + performance.eventLoopUtilization(now.loop, before.loop).utilization;
    return Math.min(now.at - before.at, (now.cpuMs - before.cpuMs) / Math.max(1, busy));
  }
}

function usage(at: number): { readonly at: number; readonly cpuMs: number; readonly loop: EventLoopUtilization } {
  const { system, user } = process.cpuUsage();
  return { at, cpuMs: (system + user) / 1000, loop: performance.eventLoopUtilization() };
}
