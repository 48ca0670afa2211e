/** Routes of Symfony and FOSRestBundle by attributes or annotations, and in files of routes. */

import type { WorkspacePath } from '../../../../base/path';
import type { GraphView, NodeHandle } from '../../../../code/graph/graphView';
import { type CallTerm, type DigestClass, type DigestFunction, type Term, termName } from '../../../../model/digest';
import { SERVICE_CONFIDENCE } from '../../../../model/evidence';
import { type FileRoute, symfonyPrefixes } from '../../../files/symfonyRoutes';
import { methodNames, type Reader, type RouteCollector } from '../../collector';
import { COMPUTED } from '../../computed';
import type { Handler } from '../../handlers';
import { own } from '../../own';
import { sharedFolders } from '../../questions';
import type { Scope } from '../../units';
import { joinPaths, pathOf } from '../../values';

const METHODS: Readonly<Record<string, string>> = { Get: 'GET', Post: 'POST', Put: 'PUT', Patch: 'PATCH', Delete: 'DELETE' };

export const symfonyReader: Reader = {
  read(collector) {
    for (const file of collector.units.files.values()) {
      if (file.language !== 'php') continue;
      for (const step of file.scope.steps) if (step.kind === 'class' && step.cls.isInterface !== true) readClass(collector, step.cls, file.scope);
    }
    for (const route of collector.configuration.symfony.routes) addWritten(collector, route);
  },
};

/** A route in a file. */
function addWritten(collector: RouteCollector, { className, file, line, method, methods, path }: FileRoute): void {
  const handler = className === '' ? undefined : actionNamed(collector.units.graph, className, method || '__invoke', file);
  for (const name of methods.length === 0 ? ['ANY'] : methods) {
    collector.add({
      method: name,
      path: plainPath(path),
      handler: { symbol: handler?.symbol, place: handler?.place ?? { file, line } },
      framework: 'symfony',
      confidence: SERVICE_CONFIDENCE.writtenRoute,
      place: { file, line },
    });
  }
}

/**
 * Method of a class by its name, in the folder that is called as its namespace ends, of several the one nearest to the file of routes;
 * the class itself where the method is inherited.
 */
function actionNamed(graph: GraphView, className: string, method: string, from: WorkspacePath): Handler | undefined {
  const parts = className.split('\\');
  const classes = graph
    .named(parts.at(-1) ?? '')
    .filter(node => graph.kindOf(node) === 'class' && !graph.isTest(node) && graph.node(node).path.endsWith('.php'));
  const ends = [4, 3, 2, 1].map(count => `/${parts.slice(-count).join('/')}.php`);
  const end = ends.find(each => classes.some(node => `/${graph.node(node).path}`.endsWith(each)));
  const near = (node: NodeHandle): number => sharedFolders(from, graph.node(node).path);
  const [cls] = classes.filter(node => end === undefined || `/${graph.node(node).path}`.endsWith(end)).sort((left, right) => near(right) - near(left));
  if (cls === undefined) return undefined;
  const { id, nameLine, path } = graph.node(graph.find(`${graph.idOf(cls)}::${method}`) ?? cls);
  return { symbol: id, place: { file: path, line: nameLine } };
}

/** Without requirements and defaults: `{id<\\d+>?1}`. */
function plainPath(path: string): string {
  return path.replace(/\{!?(\w+)(?::\w+(?:\.\w+)?)?(?:<[^>]*>)?(?:\?[^}]*)?\}/g, '{$1}');
}

function routesOf(of: readonly Term[] | undefined): CallTerm[] {
  return (of ?? []).flatMap(term =>
    term !== 0 && term.kind === 'call' && (termName(term.callee) === 'Route' || own(METHODS, termName(term.callee)) !== undefined) ? [term] : [],
  );
}

function readClass(collector: RouteCollector, cls: DigestClass, scope: Scope): void {
  const own = routesOf(cls.decorators);
  const methods = cls.body.flatMap(step => (step.kind === 'fn' ? [step.fn] : []));
  const fronts = symfonyPrefixes(collector.configuration.symfony, scope.file.path);
  const isAction = methods.every(fn => routesOf(fn.decorators).length === 0);
  const invoked = methods.find(fn => fn.name === '__invoke');
  if (isAction) {
    // A class that is an action by itself.
    if (invoked !== undefined) for (const call of own) add(collector, call, invoked, fronts, scope);
    return;
  }
  const prefixes = own.flatMap(call => pathsOf(collector, call, scope));
  const all = prefixes.length === 0 ? fronts : fronts.flatMap(front => prefixes.map(prefix => (front === '' ? prefix : joinPaths(front, prefix))));
  for (const fn of methods) for (const call of routesOf(fn.decorators)) add(collector, call, fn, all, scope);
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
        collector.add({
          method,
          path: plainPath(joinPaths(prefix, path)),
          handler,
          framework: 'symfony',
          confidence: SERVICE_CONFIDENCE.writtenRoute,
          place: collector.placeOf(scope.file, call.position),
        });
      }
    }
  }
}
