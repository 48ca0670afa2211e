import { compareText } from '../base/text';
import { lowerBound, type SegmentVectors } from './segment';
import { type TermRows, trainLsa } from './vectors/lsa';
import { emptyVectors, putVector, unit } from './vectors/segmentVectors';
import { forEachHolder, type TermColumns, termRowsOf } from './vectors/termRows';
import { Yielder } from './yielder';

/** Vectors for words, learned from the workspace itself; the vector of a text is the sum of those of its words, times their weights. */
export interface TermModel {
  readonly id: string;
  readonly dimension: number;
  /** Sorted by UTF-16 code units. */
  readonly terms: readonly string[];
  /** How telling each term is: high for rare ones. */
  readonly rarity: Float32Array;
  /** `dimension` numbers per term. */
  readonly vectors: Float32Array;
  /** Documents there were when it was trained. */
  readonly documentCount: number;
}

export interface TrainingOptions {
  readonly id: string;
  readonly dimension: number;
}

/** A segment with the documents of it that are still there. */
export interface TrainingPart extends TermColumns {
  readonly dead: Uint8Array | undefined;
}

/** Terms kept, those of most documents first. */
const MAX_TERMS = 12_000;
const MIN_DOCUMENTS = 3;
/** A term in more than this share of the documents tells nothing. */
const MAX_SHARE = 0.5;
/** Documents learned from, spread evenly; more make it slower and hardly better. */
const MAX_DOCUMENTS = 12_000;
/** Documents with fewer terms say nothing of which words go together. */
const MIN_TERMS = 3;
/** A workspace with fewer documents than this has no statistics to learn from. */
const MIN_WORKSPACE = 20;

/** Trains on what the index holds. `undefined` when that is too little. */
export async function trainModel(parts: readonly TrainingPart[], { dimension, id }: TrainingOptions): Promise<TermModel | undefined> {
  const documentCount = parts.reduce((sum, { dead, documentCount: count }) => sum + count - (dead?.reduce((all, flag) => all + flag, 0) ?? 0), 0);
  if (documentCount < MIN_WORKSPACE) return undefined;
  const { frequencies, terms } = vocabulary(parts, documentCount);
  const rarity = Float32Array.from(frequencies, frequency => Math.log(1 + documentCount / frequency));
  const rows = await trainingRows(parts, terms, rarity);
  const basis = trainLsa(rows, { dimension, termCount: terms.length });
  return basis.dimension === 0 ? undefined : { id, dimension: basis.dimension, terms, rarity, vectors: basis.vectors, documentCount };
}

/** Vectors of all documents of a segment, dead ones included. */
export async function foldIn(model: TermModel, columns: TermColumns, yielder: Yielder = new Yielder(undefined)): Promise<SegmentVectors> {
  const numbers = numbersOf(model.terms, columns.terms);
  const { starts, terms, weights } = await termRowsOf(
    columns,
    row => numbers[row] as number,
    () => true,
    yielder,
  );
  const folded = emptyVectors(model.id, model.dimension, columns.documentCount);
  const sum = new Float32Array(model.dimension);
  for (let document = 0; document < columns.documentCount; document++) {
    const from = starts[document] as number;
    const to = starts[document + 1] as number;
    sum.fill(0);
    for (let at = from; at < to; at++) addTerm(model, terms[at] as number, weightOf(model.rarity, terms[at] as number, weights[at] as number), sum);
    putVector(folded, document, sum);
    const pause = yielder.step(4 + 4 * (to - from));
    if (pause !== undefined) await pause;
  }
  return folded;
}

/** Unit vector of some terms; `undefined` when the model knows none of them. */
export function vectorOfTerms(model: TermModel, tokens: Iterable<string>): Float32Array | undefined {
  const sum = new Float32Array(model.dimension);
  for (const token of tokens) {
    const term = lowerBound(model.terms, token);
    if (model.terms[term] === token) addTerm(model, term, weightOf(model.rarity, term, 1), sum);
  }
  return unit(sum);
}

function addTerm({ dimension, vectors }: TermModel, term: number, weight: number, sum: Float32Array): void {
  const offset = term * dimension;
  for (let at = 0; at < dimension; at++) sum[at] = (sum[at] as number) + weight * (vectors[offset + at] as number);
}

function weightOf(rarity: Float32Array, term: number, frequency: number): number {
  return (1 + Math.log(Math.max(1, frequency))) * (rarity[term] as number);
}

/** The terms worth a vector and in how many documents each is. */
function vocabulary(parts: readonly TrainingPart[], documentCount: number): { readonly terms: readonly string[]; readonly frequencies: readonly number[] } {
  const frequencyOf = new Map<string, number>();
  for (const part of parts) {
    const lastTerm = new Int32Array(part.documentCount).fill(-1);
    for (const [row, term] of part.terms.entries()) {
      if (!isInformative(term)) continue;
      let frequency = 0;
      forEachHolder(part, row, document => {
        if (lastTerm[document] === row || part.dead?.[document] === 1) return;
        lastTerm[document] = row;
        frequency++;
      });
      if (frequency > 0) frequencyOf.set(term, (frequencyOf.get(term) ?? 0) + frequency);
    }
  }
  const kept = [...frequencyOf]
    .filter(([, frequency]) => frequency >= MIN_DOCUMENTS && frequency < documentCount * MAX_SHARE)
    .sort((a, b) => b[1] - a[1] || compareText(a[0], b[0]))
    .slice(0, MAX_TERMS)
    .sort((a, b) => compareText(a[0], b[0]));
  return { terms: kept.map(([term]) => term), frequencies: kept.map(([, frequency]) => frequency) };
}

function isInformative(term: string): boolean {
  return term.length > 1 && !/^\d+$/.test(term);
}

/** Rows of unit length of the documents that are learned from, one after the other. */
async function trainingRows(parts: readonly TrainingPart[], terms: readonly string[], rarity: Float32Array): Promise<TermRows> {
  const all: { readonly rows: TermRows; readonly documents: readonly number[] }[] = [];
  for (const part of parts) {
    const numbers = numbersOf(terms, part.terms);
    const rows = await termRowsOf(
      part,
      row => numbers[row] as number,
      document => part.dead?.[document] !== 1,
    );
    const documents = Array.from({ length: part.documentCount }, (_, document) => document);
    all.push({ rows, documents: documents.filter(document => (rows.starts[document + 1] as number) - (rows.starts[document] as number) >= MIN_TERMS) });
  }
  const usable = all.flatMap(({ documents, rows }) => documents.map(document => ({ rows, document })));
  const count = Math.min(usable.length, MAX_DOCUMENTS);
  const picked = Array.from({ length: count }, (_, at) => usable[Math.floor((at * usable.length) / count)] as (typeof usable)[number]);
  const starts = new Int32Array(count + 1);
  for (const [at, { document, rows }] of picked.entries())
    starts[at + 1] = (starts[at] as number) + (rows.starts[document + 1] as number) - (rows.starts[document] as number);
  const into = { starts, terms: new Int32Array(starts[count] as number), weights: new Float32Array(starts[count] as number) };
  for (const [at, { document, rows }] of picked.entries()) copyRow(rows, document, rarity, into, starts[at] as number);
  return into;
}

function copyRow(rows: TermRows, document: number, rarity: Float32Array, into: TermRows, place: number): void {
  const from = rows.starts[document] as number;
  const to = rows.starts[document + 1] as number;
  let squares = 0;
  for (let at = from; at < to; at++) {
    const term = rows.terms[at] as number;
    const weight = weightOf(rarity, term, rows.weights[at] as number);
    into.terms[place + at - from] = term;
    into.weights[place + at - from] = weight;
    squares += weight * weight;
  }
  const length = Math.sqrt(squares) || 1;
  for (let at = place; at < place + to - from; at++) into.weights[at] = (into.weights[at] as number) / length;
}

/** For each of `asked` its place in `known`, or -1. Both are sorted. */
function numbersOf(known: readonly string[], asked: readonly string[]): Int32Array {
  const numbers = new Int32Array(asked.length);
  let at = 0;
  for (const [row, term] of asked.entries()) {
    while (at < known.length && (known[at] as string) < term) at++;
    numbers[row] = known[at] === term ? at : -1;
  }
  return numbers;
}
