/**
 * What a condition proves when it came out true or false, through brackets, negation, and, or.
 *
 * A language says how its conditions are joined and what its tests prove; how what the parts prove adds up is the same for all.
 */
import { NO_NODE } from '../../parse/syntaxReader';
import type { SyntaxNode } from '../../parse/syntaxTable';

/** How a condition is made of others; `undefined` for a test. */
export type ConditionForm = { readonly is: 'inner'; readonly node: SyntaxNode } | { readonly is: 'not'; readonly node: SyntaxNode } | Joined | undefined;

interface Joined {
  readonly is: 'and' | 'or';
  readonly left: SyntaxNode;
  readonly right: SyntaxNode;
}

/** What a language says of its conditions. `Guard` is what it has a test prove. */
export interface Conditions<Guard> {
  junction(node: SyntaxNode): ConditionForm;
  /** What a test proves. */
  proves(node: SyntaxNode, truth: boolean): readonly Guard[];
  /** What is left of a guard when either it or one of the others held; `undefined`: nothing. Left out: nothing ever is. */
  inCommon?(guard: Guard, others: readonly Guard[]): Guard | undefined;
  /** What stands last is found, and bound, first. */
  readonly lastFirst?: boolean;
  /** What was found before; a longer chain asks again for what its left part proves. */
  readonly known?: {
    get(node: SyntaxNode, truth: boolean): readonly Guard[] | undefined;
    set(node: SyntaxNode, truth: boolean, guards: readonly Guard[]): void;
  };
  /** Most guards that are taken of one condition: each operand of a chain sees those of all operands before it. */
  readonly most?: number;
}

/** Deepest nesting of conditions that is followed. */
const MAX_DEPTH = 40;

/** Guards that hold when the condition came out as `truth`. */
export function guardsOf<Guard>(conditions: Conditions<Guard>, condition: SyntaxNode, truth: boolean, depth = 0): readonly Guard[] {
  if (depth > MAX_DEPTH || condition === NO_NODE) return [];
  const known = conditions.known?.get(condition, truth);
  if (known !== undefined) return known;
  const junction = conditions.junction(condition);
  const next = (node: SyntaxNode, expected: boolean): readonly Guard[] => guardsOf(conditions, node, expected, depth + 1);
  if (junction?.is === 'inner') return next(junction.node, truth);
  if (junction?.is === 'not') return next(junction.node, !truth);
  const found = junction === undefined ? conditions.proves(condition, truth) : joined(conditions, junction, truth, next);
  conditions.known?.set(condition, truth, found);
  return found;
}

function joined<Guard>(
  { inCommon, lastFirst, most }: Conditions<Guard>,
  { is, left, right }: Joined,
  truth: boolean,
  next: (node: SyntaxNode, truth: boolean) => readonly Guard[],
): readonly Guard[] {
  const [first, second] = lastFirst === true ? [right, left] : [left, right];
  const both = (is === 'and') === truth;
  if (!both && inCommon === undefined) return [];
  const found = next(first, truth);
  const others = next(second, truth);
  if (both) return [...found, ...others].slice(0, most);
  return found.flatMap(guard => inCommon?.(guard, others) ?? []);
}

/** How the sides of `&&`, `||`, `and` or `or` are joined; `undefined` for other operators. */
export function joinedBy(operator: string, left: SyntaxNode, right: SyntaxNode): Joined | undefined {
  if (operator === '&&' || operator === 'and') return { is: 'and', left, right };
  return operator === '||' || operator === 'or' ? { is: 'or', left, right } : undefined;
}

/** A variable or a path of members is of one of some classes. */
export interface ClassGuard {
  /** `x`, `this.x`, `x.y`, as the language writes it. */
  readonly path: string;
  /** Text of the class names. */
  readonly classes: readonly string[];
}

/** Either of two conditions held: what both prove about one path. */
export function eitherClass(guard: ClassGuard, others: readonly ClassGuard[]): ClassGuard | undefined {
  const other = others.find(candidate => candidate.path === guard.path);
  return other === undefined ? undefined : { path: guard.path, classes: [...guard.classes, ...other.classes] };
}
