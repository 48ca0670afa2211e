/** `if`, `else if`, `else`: what each branch and the statements behind know. */
import { NO_NODE } from '../../parse/syntaxReader';
import type { SyntaxNode } from '../../parse/syntaxTable';
import { countDecision } from './frames';

/** A branch of a statement that decides. */
export interface Branch {
  /** `NO_NODE` for `else`. */
  readonly condition: SyntaxNode;
  readonly body: SyntaxNode;
}

interface BranchWalk<Frame> {
  value(node: SyntaxNode, frame: Frame): unknown;
  run(block: SyntaxNode, frame: Frame): unknown;
}

/** What a language says of its conditions and blocks. */
interface BranchRules<Frame> {
  /** The frame in which the condition came out as `truth`. */
  narrow(condition: SyntaxNode, truth: boolean, frame: Frame): Frame;
  /** True when a block ends by leaving what surrounds it. */
  leaves(body: SyntaxNode): boolean;
  /** Frame of the first body before it is narrowed; that of the statement unless given. */
  readonly inside?: Frame;
}

/**
 * Runs the branches one after the other: each knows that the conditions before it failed. Gives the frame for the statements behind where they know
 * something: the condition failed when the first body leaves, it held when the only other branch is an `else` that leaves. Else `undefined`.
 */
export function runBranches<Frame extends Parameters<typeof countDecision>[0]>(
  walk: BranchWalk<Frame>,
  [first, ...others]: readonly [Branch, ...Branch[]],
  { narrow, leaves, inside }: BranchRules<Frame>,
  frame: Frame,
): Frame | undefined {
  countDecision(frame);
  walk.value(first.condition, frame);
  walk.run(first.body, narrow(first.condition, true, inside ?? frame));
  let otherwise = narrow(first.condition, false, frame);
  for (const { condition, body } of others) {
    if (condition === NO_NODE) {
      walk.run(body, otherwise);
      continue;
    }
    countDecision(frame);
    walk.value(condition, otherwise);
    walk.run(body, narrow(condition, true, otherwise));
    otherwise = narrow(condition, false, otherwise);
  }
  if (leaves(first.body)) return narrow(first.condition, false, frame);
  const [only, more] = others;
  const isElse = only !== undefined && more === undefined && only.condition === NO_NODE;
  return isElse && leaves(only.body) ? narrow(first.condition, true, frame) : undefined;
}
