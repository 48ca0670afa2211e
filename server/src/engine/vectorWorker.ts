/** What the vector thread does: learn a model from the columns of the search index, and give every document its vector. Ends after one answer. */
import type { MessagePort } from 'node:worker_threads';
import type { Postings } from '../search/segment';
import { foldIn, trainModel } from '../search/termModel';
import type { TrainMessage, TrainReply } from './vectors/vectorMessages';

interface GrowingPart {
  readonly terms: readonly string[];
  readonly documentCount: number;
  readonly dead: Uint8Array | undefined;
  readonly postings: Postings[];
}

/** Trains vectors for messages on the port until it is closed. One request at a time. */
export function serveVectorWorker(port: MessagePort): void {
  const parts: GrowingPart[] = [];
  port.on('message', (message: TrainMessage) => {
    if (message.kind === 'part') parts.push({ terms: message.terms, documentCount: message.documentCount, dead: message.dead, postings: [] });
    else if (message.kind === 'postings') parts[parts.length - 1]?.postings.push(message.postings);
    else void answer(port, parts, message);
  });
}

async function answer(port: MessagePort, parts: readonly GrowingPart[], { dimension, id }: Extract<TrainMessage, { kind: 'train' }>): Promise<void> {
  const began = performance.now();
  const model = await trainModel(parts, { id, dimension });
  const trained: { rows: Int8Array; scales: Float32Array }[] = [];
  if (model !== undefined) {
    for (const part of parts) {
      const { rows, scales } = await foldIn(model, part);
      trained.push({ rows, scales });
    }
  }
  const reply: TrainReply = { model, parts: trained, cpuMs: Math.round(performance.now() - began) };
  const buffers = trained.flatMap(({ rows, scales }) => [rows.buffer as ArrayBuffer, scales.buffer as ArrayBuffer]);
  port.postMessage(reply, model === undefined ? buffers : [...buffers, model.vectors.buffer as ArrayBuffer, model.rarity.buffer as ArrayBuffer]);
  port.close();
}
