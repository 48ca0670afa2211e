/** GraphQL in Java and Kotlin: annotations of Spring, MicroProfile, SPQR and DGS, and types that implement the operations of a library. */
import { type CallTerm, type DigestClass, type DigestFunction, termName } from '../../../../model/digest';
import type { Reader, RouteCollector } from '../../collector';
import { withoutGet } from '../../questions';
import type { Scope } from '../../units';
import { literalOf } from '../../values';
import { addMethod, type GraphQlRoot, rootNamed } from '../graphql';
import { annotation } from './annotations';

interface Row {
  readonly path: string;
  /** Undefined where the annotation names the type. */
  readonly root?: GraphQlRoot;
  /** `getOrders` is the field `orders`. */
  readonly isGetter?: true;
}

const SPRING = 'org.springframework.graphql.data.method.annotation.';
const MICROPROFILE = 'org.eclipse.microprofile.graphql.';
const SPQR = 'io.leangen.graphql.annotations.';
const DGS = 'com.netflix.graphql.dgs.';

const ROWS: readonly Row[] = [
  { path: `${SPRING}QueryMapping`, root: 'QUERY' },
  { path: `${SPRING}MutationMapping`, root: 'MUTATION' },
  { path: `${SPRING}SubscriptionMapping`, root: 'SUBSCRIPTION' },
  { path: `${SPRING}SchemaMapping` },
  { path: `${MICROPROFILE}Query`, root: 'QUERY', isGetter: true },
  { path: `${MICROPROFILE}Mutation`, root: 'MUTATION', isGetter: true },
  { path: 'io.smallrye.graphql.api.Subscription', root: 'SUBSCRIPTION', isGetter: true },
  { path: `${SPQR}GraphQLQuery`, root: 'QUERY', isGetter: true },
  { path: `${SPQR}GraphQLMutation`, root: 'MUTATION' },
  { path: `${DGS}DgsQuery`, root: 'QUERY' },
  { path: `${DGS}DgsMutation`, root: 'MUTATION' },
  { path: `${DGS}DgsSubscription`, root: 'SUBSCRIPTION' },
  { path: `${DGS}DgsData` },
];

/** Interfaces whose methods are fields of a root type, all of them. */
const OPERATIONS: Readonly<Record<string, GraphQlRoot>> = {
  GraphQLQueryResolver: 'QUERY',
  GraphQLMutationResolver: 'MUTATION',
  GraphQLSubscriptionResolver: 'SUBSCRIPTION',
};

export const graphQlAnnotationReader: Reader = {
  read(collector) {
    for (const file of collector.units.files.values()) {
      if (!/\.(?:java|kt)$/.test(file.path) || !file.scope.steps.some(step => step.kind === 'import' && /graphql/i.test(step.from))) continue;
      for (const step of file.scope.steps) if (step.kind === 'class') readClass(collector, step.cls, file.scope);
    }
  },
};

function readClass(collector: RouteCollector, cls: DigestClass, scope: Scope): void {
  if (cls.isInterface === true) return;
  const root = cls.bases.map(base => operationsOf(termName(base), scope)).find(each => each !== undefined);
  for (const step of cls.body) {
    if (step.kind === 'class') readClass(collector, step.cls, scope);
    if (step.kind !== 'fn' || step.fn.name === 'constructor') continue;
    if (root !== undefined)
      addMethod(
        collector,
        { root, field: scope.file.language === 'kotlin' ? step.fn.name : withoutGet(step.fn.name), framework: 'graphql' },
        step.fn,
        scope.file,
      );
    else readMethod(collector, step.fn, scope);
  }
}

function operationsOf(name: string, { file }: Scope): GraphQlRoot | undefined {
  if (Object.hasOwn(OPERATIONS, name)) return OPERATIONS[name];
  const isServer = file.scope.steps.some(step => step.kind === 'import' && step.from.includes('expediagroup.graphql.server.operations'));
  return isServer && /^(?:Query|Mutation|Subscription)$/.test(name) ? rootNamed(name) : undefined;
}

function readMethod(collector: RouteCollector, fn: DigestFunction, scope: Scope): void {
  for (const { isGetter, path, root } of ROWS) {
    const found = annotation(fn.decorators, path, scope);
    if (found === undefined) continue;
    const meant = root ?? rootNamed(textAt(collector, found, TYPE, scope) ?? generatedName(collector, found, TYPE, scope) ?? '');
    const field =
      textAt(collector, found, FIELD, scope) ?? generatedName(collector, found, FIELD, scope) ?? (isGetter === true ? withoutGet(fn.name) : fn.name);
    if (meant !== undefined) addMethod(collector, { root: meant, field, framework: 'graphql' }, fn, scope.file);
    return;
  }
}

const TYPE = ['typeName', 'parentType'];
const FIELD = ['name', 'value', 'field', 0];

/** What a constant that is generated from the schema stands for: `DgsConstants.QUERY_TYPE` for `Query`, `QUERY.OpenOrders` for `openOrders`. */
function generatedName(collector: RouteCollector, call: CallTerm, where: readonly (string | number)[], scope: Scope): string | undefined {
  const term = collector.evaluator.argument(call, where, scope)?.term ?? 0;
  if (term === 0 || term.kind !== 'member') return undefined;
  const type = /^(QUERY|MUTATION|SUBSCRIPTION)_TYPE$/.exec(term.name)?.[1];
  if (type !== undefined) return `${type.slice(0, 1)}${type.slice(1).toLowerCase()}`;
  const isField = /^(?:QUERY|MUTATION|SUBSCRIPTION)$/.test(termName(term.owner)) && /^[A-Z]/.test(term.name);
  return isField ? `${term.name.slice(0, 1).toLowerCase()}${term.name.slice(1)}` : undefined;
}

function textAt(collector: RouteCollector, call: CallTerm, where: readonly (string | number)[], scope: Scope): string | undefined {
  return collector.evaluator.textsAt(call, where, scope).map(literalOf)[0] || undefined;
}
