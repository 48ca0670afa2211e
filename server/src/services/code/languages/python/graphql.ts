/** GraphQL in Python: classes of Graphene and Strawberry that are the root types of a schema, functions that Ariadne binds to fields. */
import { type CallTerm, type DigestClass, type DigestFunction, type Term, termName } from '../../../../model/digest';
import type { Reader, RouteCollector } from '../../collector';
import type { Scope } from '../../units';
import { literalOf } from '../../values';
import type { Visit } from '../../visits';
import { addMethod, addResolver, decoratorName, fieldName, type GraphQlRoot, rootNamed } from '../graphql';

const KEYS = ['query', 'mutation', 'subscription'] as const;
/** Methods of a mutation that do what it is for. */
const MUTATES = /^(?:perform_mutation|mutate|mutate_and_get_payload|resolve_mutation)$/;
const ARIADNE = /^ariadne\.(?:(Query|Mutation|Subscription)Type|ObjectType)$/;
const LIBRARY = /^(?:graphene|strawberry|ariadne)/;
const FIELD = /^(?:field|mutation|subscription)$/;
const MAX_BASES = 6;

export const graphQlClassReader: Reader = {
  read(collector) {
    const files = [...collector.units.files.values()].filter(file => file.language === 'python');
    if (!files.some(({ scope }) => scope.steps.some(step => step.kind === 'import' && LIBRARY.test(step.from)))) return;
    const roots = new Map<DigestClass, { readonly root: GraphQlRoot; readonly scope: Scope }>();
    for (const visit of collector.visits) {
      if (visit.scope.file.language !== 'python') continue;
      readSchema(collector, visit, roots);
      readBound(collector, visit);
    }
    for (const [cls, { root, scope }] of roots) readRoot(collector, { cls, scope }, root, MAX_BASES);
  },
};

interface Typed {
  readonly cls: DigestClass;
  readonly scope: Scope;
}

/** `graphene.Schema(query=Query, mutation=Mutation)`, and functions of the workspace that make one. */
function readSchema(collector: RouteCollector, { call, scope }: Visit, roots: Map<DigestClass, { readonly root: GraphQlRoot; readonly scope: Scope }>): void {
  if (!/schema/i.test(termName(call.callee))) return;
  for (const [at, key] of KEYS.entries()) {
    const given = collector.evaluator.argument(call, [key, at], scope);
    for (const value of given === undefined ? [] : collector.evaluator.values(given.term, given.scope)) {
      const root = rootNamed(key);
      if (value.kind === 'class' && root !== undefined) roots.set(value.cls, { root, scope: value.scope });
    }
  }
}

/** Fields of a root type, its own and those of its bases. */
function readRoot(collector: RouteCollector, { cls, scope }: Typed, root: GraphQlRoot, depth: number): void {
  const inner = collector.units.scopeOfClass(cls, scope);
  for (const step of cls.body) {
    if (step.kind === 'fn') {
      if ((step.fn.decorators ?? []).some(term => FIELD.test(decoratorName(term))))
        addMethod(collector, { root, field: fieldName(step.fn.name), framework: 'graphql' }, step.fn, scope.file);
    } else if (step.kind === 'let' && step.value !== undefined && step.value !== 0 && step.value.kind === 'call') {
      const place = collector.placeOf(scope.file, step.position);
      const field = collector.evaluator.textsAt(step.value, 'name', inner).map(literalOf)[0] ?? fieldName(step.name);
      const handler = handlerOf(collector, { cls, scope }, step.name, step.value);
      addResolver(collector, { root, field, framework: 'graphql', place, handler: handler ?? { symbol: undefined, place } });
    }
  }
  if (depth === 0) return;
  for (const base of cls.bases)
    for (const value of collector.evaluator.values(base, scope)) if (value.kind === 'class') readRoot(collector, value, root, depth - 1);
}

/** `resolve_orders` of `orders = List(…)`, `resolver=…`, what a mutation does of `create_order = CreateOrder.Field()`. */
function handlerOf(collector: RouteCollector, { cls, scope }: Typed, name: string, call: CallTerm) {
  const resolving = cls.body.find(step => step.kind === 'fn' && step.fn.name === `resolve_${name}`);
  if (resolving?.kind === 'fn') return collector.handlerOfFunction(resolving.fn, scope.file);
  const given = collector.evaluator.argument(call, ['resolver', 'resolve'], scope);
  if (given !== undefined) return collector.handlerOf(given.term, given.scope);
  const { callee } = call;
  if (callee === 0 || callee.kind !== 'member' || callee.name !== 'Field') return undefined;
  for (const value of collector.evaluator.values(callee.owner, scope)) {
    if (value.kind !== 'class') continue;
    const done = value.cls.body.find(step => step.kind === 'fn' && MUTATES.test(step.fn.name));
    return collector.handlerOfFunction(done?.kind === 'fn' ? done.fn : value.cls, value.scope.file);
  }
  return undefined;
}

/** `@query.field("orders")` on a `QueryType()`, `query.set_field("orders", resolve)` */
function readBound(collector: RouteCollector, { call, decorated, scope }: Visit): void {
  const { callee } = call;
  if (callee === 0 || callee.kind !== 'member' || !/^(?:field|set_field)$/.test(callee.name)) return;
  const field = collector.evaluator.textsAt(call, 0, scope).map(literalOf)[0];
  const root = field === undefined ? undefined : boundRoot(collector, callee.owner, scope);
  if (field === undefined || root === undefined) return;
  const fn: DigestFunction | undefined = decorated !== undefined && 'fn' in decorated ? decorated.fn : undefined;
  const handler = fn === undefined ? collector.handlerOf(call.args[1] ?? 0, scope) : collector.handlerOfFunction(fn, scope.file);
  addResolver(collector, { root, field, framework: 'graphql', handler, place: collector.placeOf(scope.file, call.position) });
}

function boundRoot(collector: RouteCollector, owner: Term, scope: Scope): GraphQlRoot | undefined {
  for (const value of collector.evaluator.values(owner, scope)) {
    const made = value.kind === 'made' ? ARIADNE.exec(value.path) : null;
    if (made === null || value.kind !== 'made') continue;
    const named =
      made[1] ?? (value.call === undefined || value.scope === undefined ? '' : literalOf(collector.evaluator.textsAt(value.call, 0, value.scope)[0] ?? []));
    const root = rootNamed(named ?? '');
    if (root !== undefined) return root;
  }
  return undefined;
}
