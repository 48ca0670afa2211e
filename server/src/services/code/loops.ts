import type { DigestFunction, GenericTerm, Term } from '../../model/digest';
import type { Scope } from './units';

/** What a variable of a loop holds in one of its turns. */
export interface LoopItem {
  readonly term: Term;
  readonly scope: Scope;
}

/** A loop over a list: the term of its variable, or the function that is called with each item. */
export interface Loop {
  readonly key: GenericTerm | DigestFunction;
  readonly items: readonly LoopItem[];
}
