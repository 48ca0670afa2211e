/**
 * gorilla/mux, where method and path are set in any order by a chain (`r.HandleFunc("/x", h).Methods("GET")`),
 * and the functions `http.HandleFunc` and `http.Handle` of the default router.
 */

import type { CallTerm, Term } from '../../../../model/digest';
import { methodNames, type Reader, type RouteCollector } from '../../collector';
import { COMPUTED } from '../../computed';
import type { Scope } from '../../units';
import { joinPaths, pathOf } from '../../values';
import type { Visit } from '../../visits';

const MUX = 'github.com/gorilla/mux';
const MAX_DEPTH = 24;

export const muxReader: Reader = {
  read(collector) {
    // The outermost call of a chain has it all: inner ones are left out.
    const inner = new Set<CallTerm>();
    for (const { call } of collector.visits) {
      if (call.f !== 0 && call.f.k === 'm' && call.f.of !== 0 && call.f.of.k === 'call') inner.add(call.f.of);
    }
    for (const visit of collector.visits) {
      if (!visit.scope.file.path.endsWith('.go')) continue;
      readDefault(collector, visit);
      if (!inner.has(visit.call)) readChain(collector, visit);
    }
  },
};

function readDefault(collector: RouteCollector, { call, scope }: Visit): void {
  const { f } = call;
  if (f === 0 || f.k !== 'm' || !/^Handle(?:Func)?$/.test(f.v)) return;
  if (!collector.evaluator.values(f, scope).some(value => value.k === 'outside' && /^net\/http\.Handle(?:Func)?$/.test(value.path))) return;
  const [path] = collector.evaluator.textsAt(call, 0, scope).map(pathOf);
  if (path === undefined) return collector.skip(COMPUTED.route, scope.file, call.p);
  const named = /^([A-Z]+)\s+(.*)$/.exec(path);
  const handler = collector.handlerOf(call.a[1] ?? 0, scope);
  const place = collector.placeOf(scope.file, call.p);
  collector.add({ method: named?.[1] ?? 'ANY', path: (named?.[2] ?? path).replace(/^[^/]+/, ''), handler, framework: 'net/http', confidence: 0.95, place });
}

interface Chain {
  readonly path: string | undefined;
  readonly methods: readonly string[];
  readonly handler: { readonly term: Term; readonly scope: Scope } | undefined;
}

function readChain(collector: RouteCollector, { call, scope }: Visit): void {
  if (call.f === 0 || call.f.k !== 'm' || !/^(?:HandleFunc|Handle|HandlerFunc|Handler|Methods|Path|Name|Queries|Headers|Schemes|Host)$/.test(call.f.v)) return;
  for (const { prefix, chain } of chainsOf(collector, call, scope)) {
    if (chain.handler === undefined || chain.path === undefined) continue;
    const handler = collector.handlerOf(chain.handler.term, chain.handler.scope);
    for (const method of chain.methods.length === 0 ? ['ANY'] : chain.methods) {
      if (method === 'OPTIONS' || method === 'HEAD') continue;
      const place = collector.placeOf(scope.file, call.p);
      collector.add({ method, path: joinPaths(prefix, chain.path), handler, framework: 'gorilla/mux', confidence: 0.95, place });
    }
  }
}

/** What a chain sets, down to the router it begins with; several when the router has several prefixes. */
function chainsOf(collector: RouteCollector, call: CallTerm, scope: Scope): { readonly prefix: string; readonly chain: Chain }[] {
  let chain: Chain = { path: undefined, methods: [], handler: undefined };
  let at: Term = call;
  while (at !== 0 && at.k === 'call' && at.f !== 0 && at.f.k === 'm') {
    const { v } = at.f;
    if (/^Handle(?:Func)?$/.test(v)) {
      const path = collector.evaluator.textsAt(at, 0, scope).map(pathOf)[0];
      if (path === undefined) return [];
      chain = { ...chain, path: joinPaths(path, chain.path ?? ''), handler: { term: at.a[1] ?? 0, scope } };
    } else if (/^Handler(?:Func)?$/.test(v)) chain = { ...chain, handler: { term: at.a[0] ?? 0, scope } };
    else if (v === 'Methods') chain = { ...chain, methods: at.a.flatMap(each => methodNames(each, scope, collector.evaluator)) };
    else if (v === 'Path' || v === 'PathPrefix') {
      if (v === 'PathPrefix' && chain.path === undefined && chain.handler !== undefined) return [];
      chain = { ...chain, path: joinPaths(collector.evaluator.textsAt(at, 0, scope).map(pathOf)[0] ?? '', chain.path ?? '') };
    } else if (v === 'Subrouter') break;
    at = at.f.of;
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
    if (value.k !== 'made') continue;
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
  while (at !== 0 && at.k === 'call' && at.f !== 0 && at.f.k === 'm') {
    if (at.f.v === 'NewRouter') return [path];
    if (at.f.v === 'PathPrefix' || at.f.v === 'Path') path = joinPaths(collector.evaluator.textsAt(at, 0, scope).map(pathOf)[0] ?? '', path);
    at = at.f.of;
  }
  return routerPrefixes(collector, at, scope, depth).map(prefix => joinPaths(prefix, path));
}
