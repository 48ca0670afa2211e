import type { CancellationToken } from '../../base/cancellation';
import { type Result } from '../../base/result';
import type { Workspace } from '../../workspace/snapshot';
import { type FeatureFailure } from './failure';
import { type ParamsShape, readParams } from './params';
import type { InputOf, Shape, Shaped } from './shape';

/**
 * What can be asked of a workspace: one value, from which doors, types of the protocol, docs and tests are derived.
 * `run` gets params that were checked, and answers in plain data; it knows no protocol, editor or budget.
 */
export interface Feature<Name extends string = string, Params extends ParamsShape = ParamsShape, Answer extends Shape = Shape> {
  readonly name: Name;
  /** One sentence, for the docs, the types of the protocol and readers of the code: a value made with `feature` needs no other comment. */
  readonly about: string;
  readonly params: Params;
  readonly answer: Answer;
  run(workspace: Workspace, params: Shaped<Params>, token: CancellationToken): Promise<Result<Shaped<Answer>, FeatureFailure>>;
}

/** Keeps the names and shapes of a feature as types: what doors, the client and tests derive theirs from. */
export function feature<const Name extends string, Params extends ParamsShape, Answer extends Shape>(
  value: Feature<Name, Params, Answer>,
): Feature<Name, Params, Answer> {
  return value;
}

/** What may be asked, and what comes back. */
export type FeatureInput<Of> = Of extends Feature<string, infer Params, Shape> ? InputOf<Params> : never;
/** What a feature answers. */
export type AnswerOf<Of> = Of extends Feature<string, ParamsShape, infer Answer> ? Shaped<Answer> : never;

/** Runs a feature with params that came over a wire. */
export async function ask<Params extends ParamsShape, Answer extends Shape>(
  { params: shape, run }: Feature<string, Params, Answer>,
  workspace: Workspace,
  given: unknown,
  token: CancellationToken,
): Promise<Result<Shaped<Answer>, FeatureFailure>> {
  const read = readParams(shape, given);
  return read.ok ? run(workspace, read.value, token) : read;
}
