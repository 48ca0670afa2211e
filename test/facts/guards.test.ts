/** What conditions prove, whatever the language: brackets, negation, and, or. */
import { expect, test } from 'vitest';
import { type ConditionForm, type Conditions, guardsOf } from '../../server/src/code/facts/walk/guards';
import { syntaxNode } from '../../server/src/code/parse/syntaxTable';

/** Conditions by number: a junction, or a test that proves its name when it holds and `not name` when it does not. */
const JUNCTIONS: Readonly<Record<number, ConditionForm>> = {
  1: { is: 'and', left: syntaxNode(10), right: syntaxNode(11) },
  2: { is: 'or', left: syntaxNode(10), right: syntaxNode(11) },
  3: { is: 'not', node: syntaxNode(2) },
  4: { is: 'inner', node: syntaxNode(1) },
  5: { is: 'or', left: syntaxNode(10), right: syntaxNode(12) },
};
const TESTS: Readonly<Record<number, string>> = { 10: 'a', 11: 'b', 12: 'a' };

function conditions(more: Partial<Conditions<string>> = {}): Conditions<string> {
  return {
    junction: node => JUNCTIONS[node],
    proves: (node, truth) => [`${truth ? '' : 'not '}${TESTS[node] ?? ''}`],
    ...more,
  };
}

test('both parts of `and` hold where it holds, both of `or` fail where it fails', () => {
  expect(guardsOf(conditions(), syntaxNode(1), true)).toEqual(['a', 'b']);
  expect(guardsOf(conditions(), syntaxNode(2), false)).toEqual(['not a', 'not b']);
  expect(guardsOf(conditions(), syntaxNode(3), true)).toEqual(['not a', 'not b']);
  expect(guardsOf(conditions(), syntaxNode(4), true)).toEqual(['a', 'b']);
});

test('where either may have held, only what both prove is left', () => {
  const inCommon = (guard: string, others: readonly string[]): string | undefined => (others.includes(guard) ? guard : undefined);
  expect(guardsOf(conditions({ inCommon }), syntaxNode(5), true)).toEqual(['a']);
  expect(guardsOf(conditions({ inCommon }), syntaxNode(2), true)).toEqual([]);
  expect(guardsOf(conditions(), syntaxNode(5), true)).toEqual([]);
  expect(guardsOf(conditions(), syntaxNode(1), false)).toEqual([]);
});

test('the last may come first, and no more than so many are taken', () => {
  expect(guardsOf(conditions({ lastFirst: true }), syntaxNode(1), true)).toEqual(['b', 'a']);
  expect(guardsOf(conditions({ lastFirst: true, most: 1 }), syntaxNode(1), true)).toEqual(['b']);
});

test('what is known is not asked again', () => {
  const found = new Map<number, readonly string[]>([[10, ['known']]]);
  const known = { get: (node: number) => found.get(node), set: (node: number, _truth: boolean, guards: readonly string[]) => void found.set(node, guards) };
  expect(guardsOf(conditions({ known }), syntaxNode(1), true)).toEqual(['known', 'b']);
  expect([...found.keys()]).toEqual([10, 11, 1]);
});
