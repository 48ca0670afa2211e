/** Functions that are mounted by name: what stands in a list or a macro, also where functions put the list together. */
import type { CallTerm, DigestFunction, Term } from '../../model/digest';
import { termName } from '../../model/digest';
import type { Evaluator } from './evaluation/evaluator';
import type { Scope, Units } from './units';

export interface NamedAt {
  readonly term: Term;
  readonly scope: Scope;
}

/** Functions that hand on to each other a list of what is mounted. */
const MAX_DEPTH = 6;
const JOINING = /^(?:append|extend|extend_from_slice|concat|chain|push|into_iter|collect|to_vec)$/;

/** `routes![list, create]`, `list`, `all_routes()` with `routes.append(&mut orders::routes())` in it. */
export function mountedNames(term: Term, scope: Scope, evaluator: Evaluator, units: Units): readonly NamedAt[] {
  const seen = new Set<DigestFunction>();
  const inside = (each: Term, at: Scope, depth: number): readonly NamedAt[] => {
    if (each === 0 || depth === 0) return [];
    if (each.kind === 'list') return each.items.map(item => ({ term: item, scope: at }));
    if (each.kind === 'call') return inCall(each, at, depth);
    const declared = each.kind === 'name' ? evaluator.declared(each, at) : undefined;
    const found = declared === undefined || declared.term === each ? [] : inside(declared.term, declared.scope, depth - 1);
    return found.length > 0 ? found : depth === MAX_DEPTH ? [{ term: each, scope: at }] : [];
  };
  const inCall = (call: CallTerm, at: Scope, depth: number): readonly NamedAt[] => {
    const { args, callee } = call;
    if (termName(callee).endsWith('routes') && args.length > 0) return args.map(argument => ({ term: argument, scope: at }));
    if (callee !== 0 && callee.kind === 'member' && JOINING.test(callee.name)) return [callee.owner, ...args].flatMap(part => inside(part, at, depth - 1));
    return evaluator.values(callee, at).flatMap(value => (value.kind === 'function' ? inBody(value.fn, value.scope, depth) : []));
  };
  const inBody = (fn: DigestFunction, outer: Scope, depth: number): readonly NamedAt[] => {
    if (seen.has(fn)) return [];
    seen.add(fn);
    const at = units.scopeOfFunction(fn, outer);
    return fn.body.flatMap(step => {
      const value = step.kind === 'let' || step.kind === 'do' || step.kind === 'return' ? (step.value ?? 0) : 0;
      return value !== 0 && value.kind === 'call' ? inside(value, at, depth - 1) : [];
    });
  };
  return inside(term, scope, MAX_DEPTH);
}
