import type { WorkPart } from '../candidates';
import { BESIDE_BIT } from '../segment';
import type { SearchSettings } from '../settings';
import type { DotProducts } from './dotProducts';
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
  readonly products: DotProducts;
}

/** Compares the query with every document that has a vector of the model. */
export function vectorLeg(work: readonly WorkPart[], asked: Asked): VectorLeg {
  const { settings } = asked;
  const nearOfFile = new Float32Array(asked.fileCount);
  for (const {
    fileOf,
    files: { documentOf },
    live,
    scratch,
  } of work) {
    const { vectors } = live;
    if (vectors?.model !== asked.model) {
      scratch.meaning.fill(0);
      continue;
    }
    cosines(vectors, asked.query, scratch.meaning, asked.products);
    for (const document of documentOf) {
      if (document >= 0 && live.dead?.[document] !== 1) nearOfFile[fileOf(document)] = Math.max(0, scratch.meaning[document] as number);
    }
  }
  const best = new Best(settings.vectorCandidates, work);
  for (const [part, { live, scratch }] of work.entries()) {
    blend(work[part] as WorkPart, nearOfFile, asked);
    const { meaning } = scratch;
    for (let document = 0; document < meaning.length; document++) {
      const score = meaning[document] as number;
      if (score > 0 && score >= best.least && live.dead?.[document] !== 1) best.offer(part, document, score);
    }
  }
  return { scores: work.map(({ scratch }) => scratch.meaning), best: best.items };
}

/** Turns the nearness of each document into that of it and its file together. */
function blend({ files: { numbers, rowOf }, live, scratch }: WorkPart, nearOfFile: Float32Array, { asksBeside, settings }: Asked): void {
  const { weights } = live.segment;
  const { meaning } = scratch;
  const ownShare = 1 - settings.vectorFileShare;
  for (let document = 0; document < weights.length; document++) {
    const weight = weights[document] as number;
    const own = Math.max(0, meaning[document] as number) * ((weight & (BESIDE_BIT - 1)) / 100);
    const beside = !asksBeside && (weight & BESIDE_BIT) !== 0 ? settings.besideWeight : 1;
    const file = nearOfFile[numbers[rowOf[document] as number] as number] as number;
    meaning[document] = beside * (ownShare * own + settings.vectorFileShare * file);
  }
}

/** The highest of many, ties by id. */
class Best {
  readonly items: { readonly part: number; readonly document: number; readonly score: number }[] = [];

  constructor(
    private readonly most: number,
    private readonly work: readonly WorkPart[],
  ) {}

  /** What an item must reach to be among them. */
  least = Number.NEGATIVE_INFINITY;

  offer(part: number, document: number, score: number): void {
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
    if (this.items.length === this.most) this.least = this.items[this.most - 1]?.score ?? this.least;
  }

  #isBefore(a: { part: number; document: number; score: number }, b: { part: number; document: number; score: number }): boolean {
    return a.score !== b.score ? a.score > b.score : this.#idOf(a) < this.#idOf(b);
  }

  #idOf({ document, part }: { part: number; document: number }): string {
    return this.work[part]?.live.segment.ids[document] ?? '';
  }
}
