import { Worker } from 'node:worker_threads';
import { type CancellationToken, orCancelled } from '../../base/cancellation';
import type { Turn } from '../../base/yield';
import type { LiveSegment } from '../../search/segment';
import type { TrainMessage, TrainReply } from './vectorMessages';

export interface TrainRequest {
  readonly segments: readonly LiveSegment[];
  readonly id: string;
  readonly dimension: number;
}

/** Learns a model beside the main loop. Rejects when the thread fails. */
export type Train = (request: TrainRequest, turn: Turn, token: CancellationToken) => Promise<TrainReply>;

/** A thread per training: between two of them nothing is kept. `workerFile` is the bundle of `main/workers/vectorWorkerMain`. */
export function trainInThread(workerFile: string): Train {
  return async ({ dimension, id, segments }, turn, token) => {
    const worker = new Worker(workerFile);
    const finished = new Promise<TrainReply>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', code => reject(new Error(`The vector thread ended early (${code}).`)));
    });
    finished.catch(() => undefined);
    const send = (message: TrainMessage): Promise<void> => {
      worker.postMessage(message);
      return turn.check(token) ?? Promise.resolve();
    };
    try {
      for (const { dead, segment } of segments) {
        await send({ kind: 'part', terms: segment.terms, documentCount: segment.ids.length, dead });
        for (const postings of segment.postings) await send({ kind: 'postings', postings });
      }
      await send({ kind: 'train', id, dimension });
      return await orCancelled(finished, token);
    } finally {
      await worker.terminate();
    }
  };
}
