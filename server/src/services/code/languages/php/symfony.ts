/** Routes of Symfony and FOSRestBundle by attributes or annotations. */

import { type CallTerm, type DigestClass, type DigestFunction, type Term, termName } from '../../../../model/digest';
import { SERVICE_CONFIDENCE } from '../../../../model/evidence';
import { methodNames, type Reader, type RouteCollector } from '../../collector';
import { COMPUTED } from '../../computed';
import { own } from '../../own';
import type { Scope } from '../../units';
import { joinPaths, pathOf } from '../../values';

const METHODS: Readonly<Record<string, string>> = { Get: 'GET', Post: 'POST', Put: 'PUT', Patch: 'PATCH', Delete: 'DELETE' };

export const symfonyReader: Reader = {
  read(collector) {
    for (const file of collector.units.files.values()) {
      if (file.language !== 'php') continue;
      for (const step of file.scope.steps) if (step.kind === 'class' && step.cls.isInterface !== true) readClass(collector, step.cls, file.scope);
    }
  },
};

function routesOf(of: readonly Term[] | undefined): CallTerm[] {
  return (of ?? []).flatMap(term =>
    term !== 0 && term.kind === 'call' && (termName(term.callee) === 'Route' || own(METHODS, termName(term.callee)) !== undefined) ? [term] : [],
  );
}

function readClass(collector: RouteCollector, cls: DigestClass, scope: Scope): void {
  const own = routesOf(cls.decorators);
  const methods = cls.body.flatMap(step => (step.kind === 'fn' ? [step.fn] : []));
  const isAction = methods.every(fn => routesOf(fn.decorators).length === 0);
  const invoked = methods.find(fn => fn.name === '__invoke');
  if (isAction) {
    // A class that is an action by itself.
    if (invoked !== undefined) for (const call of own) add(collector, call, invoked, [''], scope);
    return;
  }
  const prefixes = own.flatMap(call => pathsOf(collector, call, scope));
  for (const fn of methods) for (const call of routesOf(fn.decorators)) add(collector, call, fn, prefixes.length === 0 ? [''] : prefixes, scope);
}

function pathsOf(collector: RouteCollector, call: CallTerm, scope: Scope): string[] {
  const at = collector.evaluator.argument(call, ['path', 0], scope);
  if (at === undefined) return [''];
  const texts = collector.evaluator.texts(at.term, at.scope);
  // Paths by language: each is one.
  const localized = collector.evaluator
    .values(at.term, at.scope)
    .flatMap(value => (value.kind === 'object' ? value.entries.flatMap(([, term]) => collector.evaluator.texts(term, value.scope)) : []));
  const found = [...texts, ...localized].map(pathOf);
  if (found.length === 0) collector.skip(COMPUTED.route, scope.file, call.position);
  return found;
}

function add(collector: RouteCollector, call: CallTerm, fn: DigestFunction, prefixes: readonly string[], scope: Scope): void {
  const fixed = own(METHODS, termName(call.callee));
  const given = collector.evaluator.argument(call, 'methods', scope);
  const named = given === undefined ? [] : methodNames(given.term, given.scope, collector.evaluator).map(name => name.toUpperCase());
  const methods = fixed !== undefined ? [fixed] : named.length > 0 ? named : ['ANY'];
  const handler = collector.handlerOfFunction(fn, scope.file);
  for (const prefix of prefixes) {
    for (const path of pathsOf(collector, call, scope)) {
      for (const method of methods) {
        const full = joinPaths(prefix, path).replace(/\{!?(\w+)(?::\w+(?:\.\w+)?)?(?:<[^>]*>)?(?:\?[^}]*)?\}/g, '{$1}');
        collector.add({
          method,
          path: full,
          handler,
          framework: 'symfony',
          confidence: SERVICE_CONFIDENCE.writtenRoute,
          place: collector.placeOf(scope.file, call.position),
        });
      }
    }
  }
}
