import { z } from 'zod';
import { err, ok, type Result } from '../../base/result';
import { paramRef, phrase } from '../../model/hints';
import { parseRelation, type Relation } from '../../model/relations';
import { type FeatureFailure, invalid } from './failure';
import { object, type Shape, type Shaped, shape } from './shape';

/** Params are named, and a feature knows all of them. */
export type ParamsShape = Shape<z.ZodObject<z.core.$ZodLooseShape, z.core.$strict>>;

// What a parameter can be. Each says in words what it must be, for the one who gave something else.
const needs = (words: string): { readonly error: () => string } => ({ error: () => words });

/** A string; a fault says so in words for the one who asks, as do the others. */
export const text = () => z.string(needs('a string'));
/** A whole number from 0 on. */
export const integer = () => z.number(needs(WHOLE)).int(needs(WHOLE)).min(0, needs(WHOLE));
/** Any number. */
export const number = () => z.number(needs('a number'));
/** True or false. */
export const flag = () => z.boolean(needs('true or false'));
/** A list of strings, which may be empty. */
export const texts = () => z.array(z.string(needs('a list of strings')), needs('a list of strings'));
/** One of some words; a fault lists them. */
export const choice = <const Values extends readonly [string, ...string[]]>(values: Values) => z.enum(values, needs(`one of ${values.join(', ')}`));

/** Names of relations in any spelling, read as what they are. */
export const relations = () =>
  z.array(z.string(needs(RELATION_NAMES)), needs(RELATION_NAMES)).transform((names, context) => {
    const read = relationsOf(names);
    if (read === undefined) context.issues.push({ code: 'custom', message: RELATION_NAMES, input: names });
    return read ?? z.NEVER;
  });

/** For features that are asked for nothing in particular, and for those that are asked about one thing. */
export const noParams = shape(() => object({}));
/** For features that are asked about one node. */
export const idParams = shape(() => object({ id: text() }));

const WHOLE = 'a non-negative integer';
const RELATION_NAMES = 'a list of relation names';

/** Checks parameters that came over a wire. Unknown ones are refused, `null` counts as absent; nothing is guessed. */
export function readParams<Params extends ParamsShape>(shape: Params, given: unknown): Result<Shaped<Params>, FeatureFailure> {
  if (given === null || typeof given !== 'object' || Array.isArray(given)) return err(invalid('params', 'params must be an object.'));
  const present = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== null));
  const read = shape().safeParse(present);
  if (read.success) return ok(read.data as Shaped<Params>);
  const issue = read.error.issues[0];
  if (issue?.code === 'unrecognized_keys') {
    const [unknown = ''] = issue.keys;
    return err(invalid(unknown, `Unknown parameter: ${unknown}.`, `Use ${Object.keys(shape().shape).join(', ') || 'no parameters'}.`));
  }
  const field = String(issue?.path[0] ?? 'params');
  return err(invalid(field, field in present ? phrase`${paramRef(field)} must be ${issue?.message ?? 'valid'}.` : phrase`${paramRef(field)} is missing.`));
}

/** Reads relation names in any spelling; `undefined` when one is unknown. */
export function relationsOf(names: readonly string[]): Relation[] | undefined {
  const found = names.map(name => parseRelation(name)?.relation);
  return found.every(relation => relation !== undefined) ? found : undefined;
}
