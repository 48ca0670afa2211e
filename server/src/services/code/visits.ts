/** The calls and decorators of a file, in the order in which they are read. */
import type { CallTerm, DigestClass, DigestFunction, Step, Term } from '../../model/digest';
import type { Scope, Units } from './units';

/** A call with where it stands. */
export interface Visit {
  readonly call: CallTerm;
  readonly scope: Scope;
  /** What it decorates. */
  readonly decorated?: { readonly fn: DigestFunction } | { readonly c: DigestClass };
}

/** All calls of a scope and what is inside it, in source order, each once. */
export function visitsOf(units: Units, scope: Scope, scopes: Scope[]): Visit[] {
  const visits: Visit[] = [];
  const visitFunction = (fn: DigestFunction, up: Scope): void => {
    for (const decorator of fn.d ?? []) if (decorator !== 0 && decorator.k === 'call') visits.push({ call: decorator, scope: up, decorated: { fn } });
    for (const parameter of fn.ps) if (parameter.x !== undefined) visitTerm(parameter.x, up);
    visitSteps(fn.b, units.scopeOfFunction(fn, up));
  };
  const visitTerm = (term: Term, at: Scope): void => {
    if (term === 0) return;
    switch (term.k) {
      case 's':
      case 'n':
        return;
      case 'f':
        return visitFunction(term.fn, at);
      case 'call':
        visitTerm(term.f, at);
        for (const argument of term.a) visitTerm(argument, at);
        visits.push({ call: term, scope: at });
        return;
      case 'm':
      case '=':
        return visitTerm(term.of, at);
      case '<':
        visitTerm(term.of, at);
        for (const argument of term.a) visitTerm(argument, at);
        return;
      case 'o':
        for (const [, value] of term.of) visitTerm(value, at);
        return;
      default:
        for (const each of term.of) visitTerm(each, at);
    }
  };
  const visitSteps = (steps: readonly Step[], at: Scope): void => {
    scopes.push(at);
    for (const step of steps) {
      if (step.s === 'fn') visitFunction(step.fn, at);
      else if (step.s === 'class') {
        for (const decorator of step.c.d ?? [])
          if (decorator !== 0 && decorator.k === 'call') visits.push({ call: decorator, scope: at, decorated: { c: step.c } });
        visitSteps(step.c.b, units.scopeOfClass(step.c, at));
      } else if (step.s === 'let' || step.s === 'export') visitTerm(step.x ?? 0, at);
      else if (step.s === 'do' || step.s === 'return' || step.s === 'set') visitTerm(step.x, at);
    }
  };
  visitSteps(scope.steps, scope);
  return visits;
}
