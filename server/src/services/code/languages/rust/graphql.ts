/** async-graphql and Juniper: `#[Object] impl Query { async fn orders(…) }`. */
import type { Reader } from '../../collector';
import { addMethod, decoratorName, fieldName, rootNamed } from '../graphql';

const ATTRIBUTES = /^(?:Object|Subscription|graphql_object|graphql_subscription)$/;

export const graphQlRustReader: Reader = {
  read(collector) {
    for (const file of collector.units.files.values()) {
      if (file.language !== 'rust') continue;
      for (const step of file.scope.steps) {
        if (step.kind !== 'class' || !(step.cls.decorators ?? []).some(term => ATTRIBUTES.test(decoratorName(term)))) continue;
        // Several types are often merged into one root: `UserQuery`, `OrderQuery`.
        const root = rootNamed(/(?:Query|Mutation|Subscription)(?:Root|Type)?$/.exec(step.cls.name)?.[0] ?? '');
        if (root === undefined) continue;
        for (const inner of step.cls.body)
          if (inner.kind === 'fn') addMethod(collector, { root, field: fieldName(inner.fn.name), framework: 'graphql' }, inner.fn, file);
      }
    }
  },
};
