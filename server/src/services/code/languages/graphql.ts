/** Resolvers of GraphQL: what answers the fields of its root types is a route with the method `QUERY`, `MUTATION` or `SUBSCRIPTION` and the field as path. */
import { graphQlOperations, isGraphQlDocument } from '../../../base/graphQlText';
import { type DigestFunction, type Term, termName } from '../../../model/digest';
import { SERVICE_CONFIDENCE } from '../../../model/evidence';
import type { Place } from '../../surface';
import type { RouteCollector } from '../collector';
import type { Handler } from '../handlers';
import { own } from '../own';
import type { FileUnit } from '../units';
import type { Visit } from '../visits';

export type GraphQlRoot = 'QUERY' | 'MUTATION' | 'SUBSCRIPTION';

const ROOTS: Readonly<Record<string, GraphQlRoot>> = { Query: 'QUERY', Mutation: 'MUTATION', Subscription: 'SUBSCRIPTION' };

/** The root type that a name stands for: `Query`, `RootQuery`, `QueryRoot`, `QueryType`, `query`. */
export function rootNamed(name: string): GraphQlRoot | undefined {
  const word = /^(?:Root)?(Query|Mutation|Subscription)(?:Root|Type)?$/.exec(name)?.[1] ?? name.replace(/^[a-z]/, first => first.toUpperCase());
  return own(ROOTS, word);
}

/** `user_orders` as `userOrders`, as servers write the names of their languages in a schema. */
export function fieldName(name: string): string {
  return name.replace(/_+([a-z0-9])/gi, (_, letter: string) => letter.toUpperCase());
}

export interface Resolver {
  readonly root: GraphQlRoot;
  readonly field: string;
  readonly framework: string;
  readonly handler: Handler;
  readonly place: Place;
}

export function addResolver(collector: RouteCollector, { field, framework, handler, place, root }: Resolver): void {
  collector.add({ method: root, path: `/${field}`, handler, framework, confidence: SERVICE_CONFIDENCE.writtenRoute, place });
}

/** A resolver that is a function by itself. */
export function addMethod(collector: RouteCollector, of: Pick<Resolver, 'root' | 'field' | 'framework'>, fn: DigestFunction, file: FileUnit): void {
  const handler = collector.handlerOfFunction(fn, file);
  addResolver(collector, { ...of, handler, place: handler.place });
}

/** Operations that code sends: a document in a call, a template with a tag or an object with a `query`. */
export function readDocuments(collector: RouteCollector, { call, decorated, scope }: Visit): void {
  if (decorated !== undefined) return;
  for (const text of call.args.flatMap(documentsIn)) {
    for (const { fields, root } of graphQlOperations(text)) {
      for (const field of fields) {
        collector.calls.push({
          method: root.toUpperCase(),
          url: { path: `/${field}` },
          symbol: collector.symbolAround(scope, call.position),
          framework: 'graphql',
          confidence: SERVICE_CONFIDENCE.requestWithoutHost,
          place: collector.placeOf(scope.file, call.position),
        });
      }
    }
  }
}

function documentsIn(term: Term): readonly string[] {
  if (term === 0) return [];
  if (term.kind === 'text') return isGraphQlDocument(term.text) ? [term.text] : [];
  if (term.kind === 'join') return term.parts.flatMap(documentsIn);
  if (term.kind === 'named') return documentsIn(term.value);
  return term.kind === 'object' ? term.entries.flatMap(([key, value]) => (/^(?:query|mutation|document)$/.test(key) ? documentsIn(value) : [])) : [];
}

/** Name of a decorator, with or without arguments. */
export function decoratorName(term: Term): string {
  return term !== 0 && term.kind === 'call' ? termName(term.callee) : termName(term);
}
