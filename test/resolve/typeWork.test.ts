import { expect, test } from 'vitest';
import { Values } from '../../server/src/code/resolve/values';
import { typeHeavy } from '../bench/generateTypes.mjs';
import { linksOf, resolveFiles } from '../helpers/resolveFixture';

/** Steps on types for each resolved call of these projects; under 2,500 when types that hold each other are gone through once. */
const STEPS = 5_000;

/** How often alternatives and type arguments were looked at or put together for each call that a project resolves. */
async function stepsPerCall(files: ReadonlyMap<string, string>): Promise<number> {
  const { members, args, union, withArgs } = Values.prototype;
  let steps = 0;
  const counted = <Own extends unknown[], Result>(method: (this: Values, ...own: Own) => Result) =>
    function (this: Values, ...own: Own): Result {
      steps++;
      return method.apply(this, own);
    };
  Object.assign(Values.prototype, { members: counted(members), args: counted(args), union: counted(union), withArgs: counted(withArgs) });
  try {
    const { ids, resolutions } = await resolveFiles(files);
    return steps / linksOf(ids, resolutions).filter(link => link.relation === 'CALLS').length;
  } finally {
    Object.assign(Values.prototype, { members, args, union, withArgs });
  }
}

test.each([
  [1, 5],
  [1, 10],
  [1, 40],
  [8, 5],
])('the work on types that builders nest grows with the code alone: %i modules with chains of %i calls', async (files, depth) => {
  expect(await stepsPerCall(typeHeavy(files, depth))).toBeLessThan(STEPS);
});
