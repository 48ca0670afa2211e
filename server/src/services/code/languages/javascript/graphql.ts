/** GraphQL in JavaScript: maps of resolvers (`{ Query: { orders() {…} } }`), and decorators of NestJS and TypeGraphQL. */
import { type DigestFunction, type Step, type Term, termName } from '../../../../model/digest';
import type { Reader, RouteCollector } from '../../collector';
import { own } from '../../own';
import type { FileUnit, Scope } from '../../units';
import { literalOf } from '../../values';
import type { Visit } from '../../visits';
import { addMethod, addResolver, type GraphQlRoot } from '../graphql';

const ROOTS: Readonly<Record<string, GraphQlRoot>> = { Query: 'QUERY', Mutation: 'MUTATION', Subscription: 'SUBSCRIPTION' };
const LIBRARY = /graphql|apollo|mercurius|pothos|gql/i;
const DECORATORS = /^(?:@nestjs\/graphql|type-graphql)\.(Query|Mutation|Subscription)$/;
/** Objects within objects, and what is spread in them. */
const MAX_SPREADS = 6;
/** Keys of a root type that configure a client's cache. */
const CACHE = /^(?:fields|keyFields|merge|queryType)$/;

export const graphQlMapReader: Reader = {
  read(collector) {
    const files = [...collector.units.files.values()].filter(isScript);
    const isUsed = files.some(({ scope }) => scope.steps.some(step => step.kind === 'import' && LIBRARY.test(step.from))) || collector.visits.some(isOfLibrary);
    if (!isUsed) return;
    for (const file of files) readSteps(collector, file.scope.steps, file.scope);
    for (const { call, decorated, scope } of collector.visits) {
      const name = decorated !== undefined && 'fn' in decorated ? own(ROOTS, termName(call.callee)) : undefined;
      if (decorated === undefined || !('fn' in decorated) || name === undefined) continue;
      const isMeant = collector.evaluator.values(call.callee, scope).some(value => value.kind === 'outside' && DECORATORS.test(value.path));
      if (isMeant) addDecorated(collector, name, decorated.fn, { call, scope });
    }
  },
};

function isOfLibrary({ call, scope }: Visit): boolean {
  const [name = 0] = call.args;
  return termName(call.callee) === 'require' && name !== 0 && name.kind === 'text' && LIBRARY.test(name.text) && isScript(scope.file);
}

function isScript({ path }: FileUnit): boolean {
  return /\.[cm]?[jt]sx?$/.test(path);
}

function addDecorated(
  collector: RouteCollector,
  root: GraphQlRoot,
  fn: DigestFunction,
  { call, scope }: { call: Extract<Term, { kind: 'call' }>; scope: Scope },
): void {
  const first = call.args[0] ?? 0;
  const given =
    first !== 0 && first.kind === 'text'
      ? first.text
      : collector.evaluator
          .textsAt(call, 'name', scope)
          .map(literalOf)
          .find(text => text !== undefined);
  addMethod(collector, { root, field: given ?? fn.name, framework: 'graphql' }, fn, scope.file);
}

/** Objects with the name of a root type among their keys, wherever they stand. */
function readSteps(collector: RouteCollector, steps: readonly Step[], scope: Scope): void {
  for (const step of steps) {
    if (step.kind === 'let' || step.kind === 'export') readTerm(collector, step.value ?? 0, scope);
    else if (step.kind === 'do' || step.kind === 'return' || step.kind === 'set') readTerm(collector, step.value, scope);
    else if (step.kind === 'fn') readSteps(collector, step.fn.body, collector.units.scopeOfFunction(step.fn, scope));
  }
}

function readTerm(collector: RouteCollector, term: Term, scope: Scope): void {
  if (term === 0) return;
  if (term.kind === 'call') for (const argument of term.args) readTerm(collector, argument, scope);
  else if (term.kind === 'list') for (const item of term.items) readTerm(collector, item, scope);
  else if (term.kind === 'object') {
    for (const [key, value] of term.entries) {
      const root = own(ROOTS, key);
      if (root !== undefined) for (const field of fieldsIn(collector, value, scope, MAX_SPREADS)) add(collector, root, field);
      else if (key !== 'typePolicies') readTerm(collector, value, scope);
    }
  }
}

interface Field {
  readonly name: string;
  readonly term: Term;
  readonly scope: Scope;
}

/** Fields of an object, of what is spread in it, and of a module that is taken as an object. */
function fieldsIn(collector: RouteCollector, term: Term, scope: Scope, depth: number): readonly Field[] {
  if (depth === 0) return [];
  return collector.evaluator.values(term, scope).flatMap((value): readonly Field[] => {
    if (value.kind === 'module')
      return value.file.exports.flatMap(({ as }) => (as === '' || as === 'default' ? [] : [{ name: as, term: nameTerm(as), scope: value.file.scope }]));
    if (value.kind !== 'object' || value.entries.some(([key]) => CACHE.test(key))) return [];
    return value.entries.flatMap(([name, inner]) =>
      name === '' ? fieldsIn(collector, inner, value.scope, depth - 1) : [{ name, term: inner, scope: value.scope }],
    );
  });
}

function nameTerm(name: string): Term {
  return { kind: 'name', name, position: 0 };
}

function add(collector: RouteCollector, root: GraphQlRoot, { name, scope, term }: Field): void {
  if (term === 0 || term.kind === 'text' || term.kind === 'list') return;
  // `{ subscribe: () => … }`
  const inner = term.kind === 'object' ? term.entries.find(([key]) => key === 'subscribe' || key === 'resolve')?.[1] : term;
  if (inner === undefined) return;
  const handler = collector.handlerOf(inner, scope);
  addResolver(collector, { root, field: name, framework: 'graphql', handler, place: handler.place });
}
