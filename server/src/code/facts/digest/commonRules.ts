/** Rules that read the same in several languages: what grammars call alike and languages mean alike. */
import type { Step, Term } from '../../../model/digest';
import { NO_NODE } from '../../parse/syntaxReader';
import type { SyntaxNode } from '../../parse/syntaxTable';
import { any, type Digester, inside, join, type StepRule, type TermRule } from './digester';

/** Term of a node's only part: brackets, casts by a mark, `await`. */
export function first(digester: Digester, node: SyntaxNode): Term {
  return digester.term(digester.named(node)[0] ?? NO_NODE);
}

/** `a + b`. `joining`: the operator that joins texts. `choosing`: those that give either side, such as `??`. */
export function binaryTerm(joining: string, ...choosing: readonly string[]): TermRule {
  return (digester, node) => {
    const operator = digester.text(digester.field(node, 'operator'));
    const isChoice = choosing.includes(operator);
    if (operator !== joining && !isChoice) return inside(digester, node);
    const sides = [digester.term(digester.field(node, 'left')), digester.term(digester.field(node, 'right'))];
    return isChoice ? any(sides) : join(sides);
  };
}

/** `return x`. */
export const returnStep: StepRule = (digester, node, steps) => {
  const value = first(digester, node);
  if (value !== 0) steps.push({ kind: 'return', value });
};

/** `x = value`, `a.b = value` in languages where a bare name on the left is a variable. */
export function assignmentStep(digester: Digester, node: SyntaxNode, steps: Step[]): void {
  const to = digester.term(digester.field(node, 'left'));
  const value = digester.term(digester.field(node, 'right'));
  if (to !== 0 && value !== 0)
    steps.push(to.kind === 'name' ? { kind: 'let', name: to.name, position: to.position, value } : { kind: 'set', target: to, value });
}
