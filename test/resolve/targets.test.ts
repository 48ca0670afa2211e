/** Where the values of a site lead. */
import { expect, test } from 'vitest';
import type { Evaluator } from '../../server/src/code/resolve/evaluate/evaluator';
import { reach, type Target } from '../../server/src/code/resolve/sites/reached';
import { OPEN_CLASS, type Value, Values } from '../../server/src/code/resolve/values';
import type { NodeHandle } from '../../server/src/model/ids';

const NODE = 7 as NodeHandle;

test('a class that is named and that a subclass may stand in for is as certain, whichever value was made first', () => {
  const targetsOf = (marks: readonly number[]): readonly Target[] => {
    const values = new Values();
    const set = marks.map(mark => values.single(values.classOf(NODE, mark))).reduce((left, right) => values.union(left, right));
    const pick = (value: Value): Target => ({ node: NODE, relation: 'INSTANTIATES', ...(values.mark(value) === OPEN_CLASS ? { atMost: 0.4 } : {}) });
    return reach({ values } as Evaluator, set, pick).targets;
  };
  const certain = [{ node: NODE, relation: 'INSTANTIATES' }];
  expect(targetsOf([OPEN_CLASS, 0])).toEqual(certain);
  expect(targetsOf([0, OPEN_CLASS])).toEqual(certain);
});
