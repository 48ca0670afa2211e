import { compareText } from '../../../base/text';
import { encodeConfidence } from '../../../model/evidence';
import { type NodeHandle, nodeColumn } from '../../../model/ids';
import type { SiteTable } from '../../../model/resolution';

/** One possible target of a site. */
export interface Candidate {
  readonly node: NodeHandle;
  readonly confidence: number;
  /** Code from `SOURCES`. */
  readonly source: number;
}

/** Collects the sites of one file and packs them into columns. */
export class SiteWriter {
  readonly #relation: number[] = [];
  readonly #from: NodeHandle[] = [];
  readonly #line: number[] = [];
  readonly #column: number[] = [];
  readonly #length: number[] = [];
  readonly #start: number[] = [];
  readonly #count: number[] = [];
  readonly #target: NodeHandle[] = [];
  readonly #confidence: number[] = [];
  readonly #source: number[] = [];

  constructor(private readonly idText: (node: NodeHandle) => string) {}

  /** Adds a site; candidates are ordered by confidence, then id. None: nothing is added. */
  add(relation: number, from: NodeHandle, line: number, column: number, length: number, candidates: readonly Candidate[]): void {
    if (candidates.length === 0) return;
    const ordered =
      candidates.length === 1 ? candidates : [...candidates].sort((left, right) => right.confidence - left.confidence || this.#order(left.node, right.node));
    this.#relation.push(relation);
    this.#from.push(from);
    this.#line.push(line);
    this.#column.push(column);
    this.#length.push(length);
    this.#start.push(this.#target.length);
    this.#count.push(ordered.length);
    for (const candidate of ordered) {
      this.#target.push(candidate.node);
      this.#confidence.push(encodeConfidence(candidate.confidence));
      this.#source.push(candidate.source);
    }
  }

  finish(): SiteTable {
    return {
      count: this.#relation.length,
      relation: new Uint8Array(this.#relation),
      from: nodeColumn(new Int32Array(this.#from)),
      line: new Int32Array(this.#line),
      column: new Int32Array(this.#column),
      length: new Int32Array(this.#length),
      candidateStart: new Int32Array(this.#start),
      candidateCount: new Int32Array(this.#count),
      target: nodeColumn(new Int32Array(this.#target)),
      confidence: new Uint8Array(this.#confidence),
      source: new Uint8Array(this.#source),
    };
  }

  #order(left: NodeHandle, right: NodeHandle): number {
    return compareText(this.idText(left), this.idText(right));
  }
}
