/** Hot Chocolate: methods of the classes that are registered as root types, or that extend one. */
import { type CallTerm, type DigestClass, type Term, termName } from '../../../../model/digest';
import type { Reader, RouteCollector } from '../../collector';
import { withoutGet } from '../../questions';
import type { Scope } from '../../units';
import { addMethod, decoratorName, type GraphQlRoot, rootNamed } from '../graphql';
import { classesIn } from './controllers';

export const hotChocolateReader: Reader = {
  read(collector) {
    const registered = new Map<string, GraphQlRoot>();
    for (const { call, scope } of collector.visits) {
      const root = scope.file.language === 'csharp' ? /^Add(Query|Mutation|Subscription)Type$/.exec(termName(call.callee))?.[1] : undefined;
      const [type] = call.callee !== 0 && call.callee.kind === 'generic' ? call.callee.args : [];
      const named = rootNamed(root ?? '');
      if (named !== undefined && type !== undefined) registered.set(termName(type), named);
    }
    for (const file of collector.units.files.values()) {
      if (file.language !== 'csharp') continue;
      for (const { cls, scope } of classesIn(collector, file.scope)) {
        const root = registered.get(cls.name) ?? extendedRoot(cls);
        if (root !== undefined) readClass(collector, cls, scope, root);
      }
    }
  },
};

/** `[QueryType]`, `[ExtendObjectType("Query")]`, `[ExtendObjectType(typeof(Query))]`, `[ExtendObjectType(OperationTypeNames.Query)]` */
function extendedRoot({ decorators = [] }: DigestClass): GraphQlRoot | undefined {
  for (const term of decorators) {
    const name = decoratorName(term).replace(/Attribute$/, '');
    const own = /^(Query|Mutation|Subscription)Type$/.exec(name)?.[1];
    if (own !== undefined) return rootNamed(own);
    if (name !== 'ExtendObjectType' || term === 0 || term.kind !== 'call') continue;
    const root = rootNamed(wordIn(term.callee !== 0 && term.callee.kind === 'generic' ? term.callee.args[0] : term.args[0]));
    if (root !== undefined) return root;
  }
  return undefined;
}

function wordIn(term: Term | undefined): string {
  if (term === undefined || term === 0) return '';
  if (term.kind === 'text') return term.text;
  if (term.kind === 'named') return wordIn(term.value);
  if (term.kind === 'call') return wordIn(term.args[0]);
  return term.kind === 'other' ? wordIn(term.parts[0]) : termName(term);
}

function readClass(collector: RouteCollector, cls: DigestClass, scope: Scope, root: GraphQlRoot): void {
  for (const step of cls.body) {
    if (step.kind !== 'fn' || step.fn.name === 'constructor') continue;
    const named = (step.fn.decorators ?? []).find((term): term is CallTerm => term !== 0 && term.kind === 'call' && decoratorName(term) === 'GraphQLName');
    const field = wordIn(named?.args[0]) || withoutGet(step.fn.name.replace(/Async$/, ''));
    addMethod(collector, { root, field, framework: 'hot-chocolate' }, step.fn, scope.file);
  }
}
