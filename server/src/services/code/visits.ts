/** The calls and decorators of a file, in the order in which they are read. */
import type { CallTerm, DigestClass, DigestFunction, Step, Term } from '../../model/digest';
import type { Scope, Units } from './units';

/** A call with where it stands. */
export interface Visit {
  readonly call: CallTerm;
  readonly scope: Scope;
  /** What it decorates. */
  readonly decorated?: { readonly fn: DigestFunction } | { readonly cls: DigestClass };
}

/** All calls of a scope and what is inside it, in source order, each once. */
export function visitsOf(units: Units, scope: Scope, scopes: Scope[]): Visit[] {
  const visits: Visit[] = [];
  const visitFunction = (fn: DigestFunction, up: Scope): void => {
    for (const decorator of fn.decorators ?? [])
      if (decorator !== 0 && decorator.kind === 'call') visits.push({ call: decorator, scope: up, decorated: { fn } });
    for (const parameter of fn.parameters) if (parameter.initial !== undefined) visitTerm(parameter.initial, up);
    visitSteps(fn.body, units.scopeOfFunction(fn, up));
  };
  const visitTerm = (term: Term, at: Scope): void => {
    if (term === 0) return;
    switch (term.kind) {
      case 'text':
      case 'name':
        return;
      case 'function':
        return visitFunction(term.fn, at);
      case 'call':
        visitTerm(term.callee, at);
        for (const argument of term.args) visitTerm(argument, at);
        visits.push({ call: term, scope: at });
        return;
      case 'member':
        return visitTerm(term.owner, at);
      case 'named':
        return visitTerm(term.value, at);
      case 'generic':
        visitTerm(term.base, at);
        for (const argument of term.args) visitTerm(argument, at);
        return;
      case 'object':
        for (const [, value] of term.entries) visitTerm(value, at);
        return;
      case 'list':
        for (const item of term.items) visitTerm(item, at);
        return;
      default:
        for (const each of term.parts) visitTerm(each, at);
    }
  };
  const visitSteps = (steps: readonly Step[], at: Scope): void => {
    scopes.push(at);
    for (const step of steps) {
      if (step.kind === 'fn') visitFunction(step.fn, at);
      else if (step.kind === 'class') {
        for (const decorator of step.cls.decorators ?? [])
          if (decorator !== 0 && decorator.kind === 'call') visits.push({ call: decorator, scope: at, decorated: { cls: step.cls } });
        visitSteps(step.cls.body, units.scopeOfClass(step.cls, at));
      } else if (step.kind === 'let' || step.kind === 'export') visitTerm(step.value ?? 0, at);
      else if (step.kind === 'do' || step.kind === 'return' || step.kind === 'set') visitTerm(step.value, at);
    }
  };
  visitSteps(scope.steps, scope);
  return visits;
}
