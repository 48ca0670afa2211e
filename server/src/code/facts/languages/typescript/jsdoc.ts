import { NONE } from '../../../../model/facts';
import type { Walk } from './walk';

/** What the JSDoc comment of a JavaScript function says about types. */
export interface FunctionDoc {
  /** Type rows by parameter name. */
  readonly parameters: ReadonlyMap<string, number>;
  readonly returns: number | undefined;
}

/** Types in the doc comment that ends at `anchor`, read in the current scope. */
export function functionDoc(_walk: Walk, _anchor: number): FunctionDoc | undefined {
  return undefined;
}

/** Row of `@type` in the doc comment that ends at `anchor`, or `NONE`. */
export function declaredType(_walk: Walk, _anchor: number): number {
  return NONE;
}

/** Type arguments of `@extends {Base<T>}`. */
export function classDoc(_walk: Walk, _anchor: number): number[] {
  return [];
}
