/**
 * gorilla/mux, where method and path are set in any order by a chain (`r.HandleFunc("/x", h).Methods("GET")`),
 * and the functions `http.HandleFunc` and `http.Handle` of the default router.
 */

import type { CallTerm, Term } from '../../../../model/digest';
import { SERVICE_CONFIDENCE } from '../../../../model/evidence';
import { type Binder, methodNames, type Reader, type RouteCollector } from '../../collector';
import { COMPUTED } from '../../computed';
import type { Scope } from '../../units';
import { joinPaths, type Origin, type Piece, pathOf, type Router } from '../../values';
import type { Visit } from '../../visits';
import { DELEGATING_HANDLERS } from './tables';

const MUX = 'github.com/gorilla/mux';
const MAX_DEPTH = 24;

export const muxReader: Reader = {
  read(collector) {
    // The outermost call of a chain has it all: inner ones are left out.
    const inner = new Set<CallTerm>();
    for (const { call } of collector.visits) {
      if (call.callee !== 0 && call.callee.kind === 'member' && call.callee.owner !== 0 && call.callee.owner.kind === 'call') inner.add(call.callee.owner);
    }
    for (const visit of collector.visits) {
      if (!visit.scope.file.path.endsWith('.go')) continue;
      if (isDefault(collector, visit)) collector.evaluator.eachUse(visit.call, visit.scope, site => readDefault(collector, visit, site));
      if (!inner.has(visit.call) && isChain(collector, visit)) collector.evaluator.eachUse(visit.call, visit.scope, site => readChain(collector, visit, site));
    }
  },
};

function isDefault(collector: RouteCollector, { call: { callee }, scope }: Visit): boolean {
  if (callee === 0 || callee.kind !== 'member' || !/^Handle(?:Func)?$/.test(callee.name)) return false;
  return collector.evaluator.values(callee, scope).some(value => value.kind === 'outside' && /^net\/http\.Handle(?:Func)?$/.test(value.path));
}

function readDefault(collector: RouteCollector, visit: Visit, site: Origin | undefined): void {
  const { call, scope } = visit;
  const [path] = collector.evaluator.textsAt(call, 0, scope).map(pathOf);
  if (path === undefined) return collector.skip(COMPUTED.route, scope.file, call.position);
  const named = /^([A-Z]+)\s+(.*)$/.exec(path);
  if (delegates(collector, call.args[1] ?? 0, scope)) return;
  const handler = collector.handlerOf(handedOn(call.args[1] ?? 0), scope);
  const place = collector.placeOfUse(visit, site);
  collector.add({
    method: named?.[1] ?? 'ANY',
    path: (named?.[2] ?? path).replace(/^[^/]+/, ''),
    handler,
    framework: 'net/http',
    confidence: SERVICE_CONFIDENCE.writtenRoute,
    place,
  });
}

/** `&traced{Handler: list}` hands on to `list`. */
function handedOn(term: Term): Term {
  const [fields = 0] = term !== 0 && term.kind === 'call' && term.isConstruction === true ? term.args : [];
  return (fields !== 0 && fields.kind === 'object' ? fields.entries.find(([name]) => name === 'Handler')?.[1] : undefined) ?? term;
}

/** `mux.Handle("/api/", http.StripPrefix("/api", api))` */
export const bindHandled: Binder = (collector, { call, scope }, router, method) => {
  if (router.framework.name !== 'net/http' || method !== 'Handle') return false;
  for (const { child, prefix } of routersIn(collector, call.args[1] ?? 0, scope)) collector.evaluator.mount(child, { parent: router, prefix, replaces: false });
  return false;
};

/** Routers that a handler is, with the prefix that is taken off before they are asked. */
function routersIn(collector: RouteCollector, term: Term, scope: Scope): { readonly child: Router; readonly prefix: readonly Piece[] }[] {
  return collector.evaluator.values(term, scope).flatMap(value => {
    const behind = collector.evaluator.routersBehind(value);
    if (behind.length > 0) return behind.map(child => ({ child, prefix: [] }));
    if (value.kind !== 'made' || value.path !== 'net/http.StripPrefix' || value.call === undefined || value.scope === undefined) return [];
    const [prefix] = collector.evaluator.textsAt(value.call, 0, value.scope);
    const inside = collector.evaluator.values(value.call.args[1] ?? 0, value.scope);
    return prefix === undefined ? [] : inside.flatMap(each => collector.evaluator.routersBehind(each).map(child => ({ child, prefix })));
  });
}

/** Whether a handler is a router, or serves files. */
function delegates(collector: RouteCollector, term: Term, scope: Scope): boolean {
  return collector.evaluator
    .values(term, scope)
    .some(
      value =>
        collector.evaluator.routersBehind(value).length > 0 ||
        (value.kind === 'made' && (DELEGATING_HANDLERS.includes(value.path) || value.path.startsWith(`${MUX}.`))),
    );
}

interface Chain {
  /** The path begins so; what stands behind is up to the handler. */
  readonly isPrefix?: true;
  readonly path: string | undefined;
  readonly methods: readonly string[];
  readonly handler: { readonly term: Term; readonly scope: Scope } | undefined;
}

const CHAINED = /^(?:HandleFunc|Handle|HandlerFunc|Handler|Methods|Path|Name|Queries|Headers|Schemes|Host)$/;

function isChain(collector: RouteCollector, { call, scope }: Visit): boolean {
  return call.callee !== 0 && call.callee.kind === 'member' && CHAINED.test(call.callee.name) && chainsOf(collector, call, scope).length > 0;
}

function readChain(collector: RouteCollector, visit: Visit, site: Origin | undefined): void {
  const { call, scope } = visit;
  for (const { prefix, chain } of chainsOf(collector, call, scope)) {
    if (chain.handler === undefined || chain.path === undefined) continue;
    const handler = collector.handlerOf(chain.handler.term, chain.handler.scope);
    for (const method of chain.methods.length === 0 ? ['ANY'] : chain.methods) {
      if (method === 'OPTIONS' || method === 'HEAD') continue;
      const place = collector.placeOfUse(visit, site);
      const route = { method, path: joinPaths(prefix, chain.path), handler, framework: 'gorilla/mux', confidence: SERVICE_CONFIDENCE.writtenRoute, place };
      collector.add(chain.isPrefix === true ? { ...route, isPrefix: true } : route);
    }
  }
}

/** What a chain sets, down to the router it begins with; several when the router has several prefixes. */
function chainsOf(collector: RouteCollector, call: CallTerm, scope: Scope): { readonly prefix: string; readonly chain: Chain }[] {
  let chain: Chain = { path: undefined, methods: [], handler: undefined };
  let at: Term = call;
  while (at !== 0 && at.kind === 'call' && at.callee !== 0 && at.callee.kind === 'member') {
    const { name: v } = at.callee;
    if (/^Handle(?:Func)?$/.test(v)) {
      const path = collector.evaluator.textsAt(at, 0, scope).map(pathOf)[0];
      if (path === undefined) return [];
      chain = { ...chain, path: joinPaths(path, chain.path ?? ''), handler: { term: at.args[1] ?? 0, scope } };
    } else if (/^Handler(?:Func)?$/.test(v)) chain = { ...chain, handler: { term: at.args[0] ?? 0, scope } };
    else if (v === 'Methods')
      chain = { ...chain, methods: at.args.flatMap(each => methodNames(each, scope, collector.evaluator)).map(each => each.toUpperCase()) };
    else if (v === 'Path' || v === 'PathPrefix') {
      if (v === 'PathPrefix' && chain.path === undefined && chain.handler !== undefined) {
        if (delegates(collector, chain.handler.term, chain.handler.scope)) return [];
        chain = { ...chain, isPrefix: true };
      }
      chain = { ...chain, path: joinPaths(collector.evaluator.textsAt(at, 0, scope).map(pathOf)[0] ?? '', chain.path ?? '') };
    } else if (v === 'Subrouter') break;
    at = at.callee.owner;
  }
  const prefixes = routerPrefixes(collector, at, scope, MAX_DEPTH);
  return prefixes.map(prefix => ({
    prefix,
    chain: chain.path === undefined ? { ...chain, path: undefined } : { ...chain, path: chain.path.replace(/\{(\w+):[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/g, '{$1}') },
  }));
}

/** Prefixes of a router, none when it is no router of gorilla/mux. */
function routerPrefixes(collector: RouteCollector, term: Term, scope: Scope, depth: number): readonly string[] {
  if (depth === 0) return [];
  const found = new Set<string>();
  for (const value of collector.evaluator.values(term, scope)) {
    if (value.kind !== 'made') continue;
    if (value.path === `${MUX}.NewRouter` || value.path === `${MUX}.Router`) found.add('');
    else if (value.path.startsWith(`${MUX}.`) && value.call !== undefined && value.scope !== undefined) {
      for (const prefix of subrouterPrefixes(collector, value.call, value.scope, depth - 1)) found.add(prefix);
    }
  }
  return [...found];
}

/** `r.PathPrefix("/x").Subrouter()` */
function subrouterPrefixes(collector: RouteCollector, call: CallTerm, scope: Scope, depth: number): readonly string[] {
  let path = '';
  let at: Term = call;
  while (at !== 0 && at.kind === 'call' && at.callee !== 0 && at.callee.kind === 'member') {
    if (at.callee.name === 'NewRouter') return [path];
    if (at.callee.name === 'PathPrefix' || at.callee.name === 'Path') path = joinPaths(collector.evaluator.textsAt(at, 0, scope).map(pathOf)[0] ?? '', path);
    at = at.callee.owner;
  }
  return routerPrefixes(collector, at, scope, depth).map(prefix => joinPaths(prefix, path));
}
