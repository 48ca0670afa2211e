import type { Postings } from '../../search/segment';
import type { TermModel } from '../../search/termModel';

/** One segment of the index as it goes to the vector thread, in pieces, so that copying it never blocks the main loop. */
export type TrainMessage =
  | { readonly kind: 'part'; readonly terms: readonly string[]; readonly documentCount: number; readonly dead: Uint8Array | undefined }
  | { readonly kind: 'postings'; readonly postings: Postings }
  | { readonly kind: 'train'; readonly id: string; readonly dimension: number };

/** Vectors of one part, in the order of the parts. */
export interface TrainedRows {
  readonly rows: Int8Array;
  readonly scales: Float32Array;
}

export interface TrainReply {
  /** `undefined` when there is too little to learn from. */
  readonly model: TermModel | undefined;
  readonly parts: readonly TrainedRows[];
  /** Processor time that it took, in milliseconds. */
  readonly cpuMs: number;
}
