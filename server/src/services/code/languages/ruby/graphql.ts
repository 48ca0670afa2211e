/** graphql-ruby: `field :orders` in the type of a root, answered by the method of that name, `resolver:` or `mutation:`. */
import { type CallTerm, type DigestClass, type Step, termName } from '../../../../model/digest';
import type { Reader, RouteCollector } from '../../collector';
import type { Handler } from '../../handlers';
import type { Scope } from '../../units';
import { addResolver, fieldName, type GraphQlRoot, rootNamed } from '../graphql';

const METHODS = /^(?:resolve|perform)$/;

export const graphQlRubyReader: Reader = {
  read(collector) {
    for (const file of collector.units.files.values()) if (file.language === 'ruby') readSteps(collector, file.scope.steps, file.scope);
  },
};

function readSteps(collector: RouteCollector, steps: readonly Step[], scope: Scope): void {
  for (const step of steps) {
    if (step.kind !== 'class') continue;
    const root = step.cls.bases.length === 0 ? undefined : rootNamed(step.cls.name.split('::').at(-1) ?? '');
    const inner = collector.units.scopeOfClass(step.cls, scope);
    if (root !== undefined) readType(collector, step.cls, inner, root);
    readSteps(collector, step.cls.body, inner);
  }
}

function readType(collector: RouteCollector, cls: DigestClass, scope: Scope, root: GraphQlRoot): void {
  for (const step of cls.body) {
    const call = step.kind === 'do' && step.value !== 0 && step.value.kind === 'call' ? step.value : undefined;
    const [name] = call === undefined || termName(call.callee) !== 'field' ? [] : call.args;
    if (call === undefined || name === undefined || name === 0 || name.kind !== 'text') continue;
    const place = collector.placeOf(scope.file, call.position);
    const handler = handlerOf(collector, cls, scope, name.text, call) ?? { symbol: undefined, place };
    addResolver(collector, { root, field: fieldName(name.text), framework: 'graphql', handler, place });
  }
}

function handlerOf(collector: RouteCollector, cls: DigestClass, scope: Scope, name: string, call: CallTerm): Handler | undefined {
  const given = collector.evaluator.argument(call, ['mutation', 'resolver', 'subscription'], scope);
  const known = given === undefined ? [] : collector.evaluator.values(given.term, given.scope).flatMap(value => (value.kind === 'class' ? [value] : []));
  const named = given === undefined ? [] : collector.units.classesNamed(termName(given.term)).map(each => ({ cls: each.cls, scope: each.file.scope }));
  const [type] = known.length > 0 ? known : named;
  if (type !== undefined) {
    const done = type.cls.body.find(step => step.kind === 'fn' && METHODS.test(step.fn.name));
    return collector.handlerOfFunction(done?.kind === 'fn' ? done.fn : type.cls, type.scope.file);
  }
  const own = cls.body.find(step => step.kind === 'fn' && step.fn.name === name);
  return own?.kind === 'fn' ? collector.handlerOfFunction(own.fn, scope.file) : undefined;
}
