import { NONE, type SymbolRow } from '../../../model/facts';

/** Why a site has no candidate: what it names may be of the project, or comes from outside. */
export type Miss = 'unresolved' | 'external';

/** A site without candidates: where its name stands. Lines and columns are 0-based, in UTF-16 code units. */
export interface MissedSite {
  readonly path: string;
  readonly miss: Miss;
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

type Place = Pick<MissedSite, 'line' | 'column' | 'length'>;

/** Counts the sites of one file that no candidate was found for, by the symbol row they stand in; the last entry is module level. */
export class MissedSites {
  readonly unresolved: Int32Array;
  readonly external: Int32Array;

  constructor(
    private readonly path: string,
    private readonly symbols: number,
    private readonly onMissed: ((site: MissedSite) => void) | undefined,
  ) {
    this.unresolved = new Int32Array(symbols + 1);
    this.external = new Int32Array(symbols + 1);
  }

  count(miss: Miss, owner: SymbolRow, { line, column, length }: Place): void {
    const row = owner === NONE ? this.symbols : owner;
    const counts = this[miss];
    counts[row] = (counts[row] ?? 0) + 1;
    this.onMissed?.({ path: this.path, miss, line, column, length });
  }
}
