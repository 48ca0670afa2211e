/** gqlgen: `func (r *queryResolver) Orders(…)` answers the field `orders` of the root type. */
import { termName } from '../../../../model/digest';
import type { Reader } from '../../collector';
import { own } from '../../own';
import { withoutGet } from '../../questions';
import { addMethod, type GraphQlRoot } from '../graphql';

const TYPES: Readonly<Record<string, GraphQlRoot>> = { queryResolver: 'QUERY', mutationResolver: 'MUTATION', subscriptionResolver: 'SUBSCRIPTION' };

export const gqlgenReader: Reader = {
  read(collector) {
    for (const file of collector.units.files.values()) {
      if (file.language !== 'go') continue;
      for (const step of file.scope.steps) {
        const root = step.kind === 'fn' && step.fn.owner !== undefined ? own(TYPES, termName(step.fn.owner)) : undefined;
        if (step.kind !== 'fn' || root === undefined) continue;
        const field = /^Get[A-Z]/.test(step.fn.name) ? `get${step.fn.name.slice(3)}` : withoutGet(step.fn.name);
        addMethod(collector, { root, field, framework: 'gqlgen' }, step.fn, file);
      }
    }
  },
};
