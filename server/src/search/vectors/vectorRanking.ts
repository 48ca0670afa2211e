import type { WorkPart } from '../candidates';
import { BESIDE_BIT } from '../segment';
import type { SearchSettings } from '../settings';
import type { DotProducts } from './dotProducts';
import { productsWith } from './segmentVectors';

/** How near documents are in meaning; higher is nearer, 0 is nothing. */
export interface VectorRanking {
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
export function rankByVectors(work: readonly WorkPart[], asked: Asked): VectorRanking {
  const nearOfFile = new Float32Array(asked.fileCount);
  const steps = work.map(({ files, live, scratch }) => {
    const { vectors } = live;
    if (vectors?.model !== asked.model) return 0;
    const step = productsWith(vectors, asked.query, scratch.products, asked.products);
    const { documentOf, numbers } = files;
    for (let row = 0; row < documentOf.length; row++) {
      const document = documentOf[row] as number;
      if (document < 0 || live.dead?.[document] === 1) continue;
      nearOfFile[numbers[row] as number] = Math.max(0, (scratch.products[document] as number) * (vectors.scales[document] as number) * step);
    }
    return step;
  });
  const best = new Best(asked.settings.vectorCandidates, work);
  for (const [part, each] of work.entries()) {
    blend(each, steps[part] as number, nearOfFile, asked);
    offerAll(each, part, best);
  }
  return { scores: work.map(({ scratch }) => scratch.meaning), best: best.items };
}

/** How near each document is, by itself and by its file together; `step` is that of its dot products, 0 when there are none. */
function blend({ files: { numbers, rowOf }, live, scratch }: WorkPart, step: number, nearOfFile: Float32Array, { asksBeside, settings }: Asked): void {
  const { weights } = live.segment;
  const { meaning, products } = scratch;
  const { besideWeight, vectorFileShare } = settings;
  const ownShare = 1 - vectorFileShare;
  const scales = live.vectors?.scales;
  for (let document = 0; document < weights.length; document++) {
    const weight = weights[document] as number;
    const product = step === 0 || scales === undefined ? 0 : (products[document] as number);
    const cosine = product > 0 ? Math.fround(product * ((scales as Float32Array)[document] as number) * step) : 0;
    const own = cosine * ((weight & (BESIDE_BIT - 1)) / 100);
    const near = ownShare * own + vectorFileShare * (nearOfFile[numbers[rowOf[document] as number] as number] as number);
    meaning[document] = !asksBeside && (weight & BESIDE_BIT) !== 0 ? besideWeight * near : near;
  }
}

function offerAll({ live: { dead }, scratch: { meaning } }: WorkPart, part: number, best: Best): void {
  let { least } = best;
  for (let document = 0; document < meaning.length; document++) {
    const score = meaning[document] as number;
    if (score <= 0 || score < least || (dead !== undefined && dead[document] === 1)) continue;
    best.offer(part, document, score);
    least = best.least;
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
