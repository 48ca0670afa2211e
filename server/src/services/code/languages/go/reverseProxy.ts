/** Gateways in Go: reverse proxies of the standard library. Which paths they take is decided where they are mounted, and not followed. */
import type { Term } from '../../../../model/digest';
import type { Reader, RouteCollector } from '../../collector';
import { COMPUTED } from '../../computed';
import type { Scope } from '../../units';
import { callOf } from '../../uses';
import { joined, type Piece } from '../../values';
import type { Visit } from '../../visits';

const MAKER = 'net/http/httputil.NewSingleHostReverseProxy';
const PACKAGE = 'net/http/httputil';

export const reverseProxyReader: Reader = {
  read(collector) {
    for (const visit of collector.visits) {
      if (visit.decorated !== undefined || !isProxy(collector, visit)) continue;
      const [term = 0] = visit.call.args;
      collector.evaluator.eachUseOf([term, ...madeFrom(collector, term, visit.scope)], visit.scope, () => readTarget(collector, visit, term));
    }
  },
};

/** `httputil.NewSingleHostReverseProxy(target)`, and `r.SetURL(target)` in what rewrites the requests of one. */
function isProxy({ evaluator }: RouteCollector, { call: { args, callee }, scope }: Visit): boolean {
  if (args.length !== 1 || callee === 0 || callee.kind !== 'member') return false;
  if (callee.name === 'SetURL') return scope.file.scope.steps.some(step => step.kind === 'import' && step.from === PACKAGE);
  return callee.name === 'NewSingleHostReverseProxy' && evaluator.values(callee, scope).some(value => value.kind === 'outside' && value.path === MAKER);
}

/** The text that an address is parsed from, where a parameter of the function around may hold it. */
function madeFrom({ evaluator }: RouteCollector, term: Term, scope: Scope): readonly Term[] {
  const { term: held } = evaluator.declared(term, scope);
  return held !== 0 && held.kind === 'call' ? held.args : [];
}

function readTarget(collector: RouteCollector, { call, scope }: Visit, term: Term): void {
  const targets = addressesOf(collector, term, scope);
  if (targets.length === 0) collector.skip(COMPUTED.address, scope.file, call.position);
  for (const target of targets) {
    const [first] = target;
    const isBare = first?.is === 'text' && !first.text.includes('//');
    const url = joined(isBare ? [{ is: 'text', text: 'http://' }, ...target] : target);
    const forwards = { covers: 'unknown', path: '', rewritten: [] } as const;
    collector.calls.push({ ...callOf(collector, call, scope, 'httputil', 'ANY', url), forwards });
  }
}

/** `url.Parse("http://orders")`, `&url.URL{Scheme: "http", Host: "orders:8080"}` */
function addressesOf({ evaluator }: RouteCollector, term: Term, scope: Scope): readonly (readonly Piece[])[] {
  return evaluator.values(term, scope).flatMap((value): readonly (readonly Piece[])[] => {
    if (value.kind === 'text') return [value.pieces];
    if (value.kind !== 'made' || value.call === undefined || value.scope === undefined) return [];
    if (/^net\/url\.(?:Parse|ParseRequestURI)$/.test(value.path)) return evaluator.textsAt(value.call, 0, value.scope);
    return value.path === 'net/url.URL' ? evaluator.textsAt(value.call, 'Host', value.scope) : [];
  });
}
