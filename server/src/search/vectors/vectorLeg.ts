import type { WorkPart } from '../candidates';
import { BESIDE_BIT } from '../segment';
import type { SearchSettings } from '../settings';
import { cosines } from './segmentVectors';

/** How near documents are in meaning; higher is nearer, 0 is nothing. */
export interface VectorLeg {
  /** By segment, by document: own nearness and that of the file, as one. */
  readonly scores: readonly Float32Array[];
  /** The best, nearest first. */
  readonly best: readonly { readonly part: number; readonly document: number; readonly score: number }[];
}

interface Asked {
  readonly model: string;
  /** Unit vector. */
  readonly query: Readonly<Float32Array>;
  readonly fileCount: number;
  readonly asksBeside: boolean;
  readonly settings: SearchSettings;
}

/** Compares the query with every document that has a vector of the model. */
export function vectorLeg(work: readonly WorkPart[], asked: Asked): VectorLeg {
  const { settings } = asked;
  const files = new Float32Array(asked.fileCount);
  for (const { fileDocuments, fileOf, live, scratch } of work) {
    const { vectors } = live;
    if (vectors?.model !== asked.model) {
      scratch.meaning.fill(0);
      continue;
    }
    cosines(vectors, asked.query, scratch.meaning);
    for (const document of fileDocuments) {
      if (document >= 0 && live.dead?.[document] !== 1) files[fileOf(document)] = Math.max(0, scratch.meaning[document] as number);
    }
  }
  const best = new Best(settings.vectorCandidates, work);
  for (const [part, { fileOf, live, scratch }] of work.entries()) {
    const { weights } = live.segment;
    for (let document = 0; document < weights.length; document++) {
      const weight = weights[document] as number;
      const own = Math.max(0, scratch.meaning[document] as number) * ((weight & (BESIDE_BIT - 1)) / 100);
      const beside = !asked.asksBeside && (weight & BESIDE_BIT) !== 0 ? settings.besideWeight : 1;
      const score = beside * ((1 - settings.vectorFileShare) * own + settings.vectorFileShare * (files[fileOf(document)] as number));
      scratch.meaning[document] = score;
      if (score > 0 && live.dead?.[document] !== 1) best.offer(part, document, score);
    }
  }
  return { scores: work.map(({ scratch }) => scratch.meaning), best: best.items };
}

/** The highest of many, ties by id. */
class Best {
  readonly items: { readonly part: number; readonly document: number; readonly score: number }[] = [];

  constructor(
    private readonly most: number,
    private readonly work: readonly WorkPart[],
  ) {}

  offer(part: number, document: number, score: number): void {
    const last = this.items[this.items.length - 1];
    if (this.items.length >= this.most && last !== undefined && score < last.score) return;
    const item = { part, document, score };
    let low = 0;
    let high = this.items.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#isBefore(item, this.items[middle] as typeof item)) high = middle;
      else low = middle + 1;
    }
    this.items.splice(low, 0, item);
    if (this.items.length > this.most) this.items.pop();
  }

  #isBefore(a: { part: number; document: number; score: number }, b: { part: number; document: number; score: number }): boolean {
    return a.score !== b.score ? a.score > b.score : this.#idOf(a) < this.#idOf(b);
  }

  #idOf({ document, part }: { part: number; document: number }): string {
    return this.work[part]?.live.segment.ids[document] ?? '';
  }
}
