/** Nameko: methods over HTTP, events that are dispatched and handled, proxies of other services by their name. */
import { type CallTerm, type Term, termName } from '../../../../model/digest';
import { SERVICE_CONFIDENCE } from '../../../../model/evidence';
import type { Reader, RouteCollector } from '../../collector';
import type { FileUnit, Scope } from '../../units';
import { literalOf, pathOf } from '../../values';
import type { Visit } from '../../visits';

const METHODS = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/;
const PROXY = /^nameko\.(?:standalone\.)?rpc\.(?:RpcProxy|ServiceRpcProxy|ServiceRpc|ClusterRpcProxy)$/;

export const namekoReader: Reader = {
  read(collector) {
    const usesNameko = ({ language, scope }: FileUnit): boolean =>
      language === 'python' && scope.steps.some(step => step.kind === 'import' && /^nameko(?:\.|$)/.test(step.from));
    const files = new Set([...collector.units.files.values()].filter(usesNameko));
    for (const visit of collector.visits) {
      if (!files.has(visit.scope.file)) continue;
      readMethod(collector, visit);
      readProxy(collector, visit);
      readDispatch(collector, visit);
    }
  },
};

/** `@http('GET', '/orders/<int:id>')`, `@event_handler('orders', 'order_created')` */
function readMethod(collector: RouteCollector, { call, decorated, scope }: Visit): void {
  if (decorated === undefined || !('fn' in decorated)) return;
  const [first, second] = [0, 1].map(at => collector.evaluator.textsAt(call, at, scope)[0]);
  const word = first === undefined ? undefined : literalOf(first);
  const place = collector.placeOf(scope.file, call.position);
  const handler = collector.handlerOfFunction(decorated.fn, scope.file);
  const name = termName(call.callee);
  if (name === 'http' && word !== undefined && second !== undefined) {
    for (const method of word.split(/[\s,]+/).filter(each => METHODS.test(each)))
      collector.add({ method, path: pathOf(second), handler, framework: 'nameko', confidence: SERVICE_CONFIDENCE.writtenRoute, place });
  }
  const event = second === undefined ? undefined : literalOf(second);
  if (name === 'event_handler' && event !== undefined) add(collector, 'consume', event, call, scope, handler.symbol);
}

/** `RpcProxy('orders')` */
function readProxy(collector: RouteCollector, { call, decorated, scope }: Visit): void {
  if (decorated !== undefined || !isOutside(collector, call.callee, scope, PROXY)) return;
  const name = collector.evaluator.textsAt(call, 0, scope).map(literalOf)[0];
  if (name === undefined) return;
  collector.calls.push({
    method: 'ANY',
    url: { host: name, path: '' },
    symbol: collector.symbolAround(scope, call.position),
    framework: 'nameko',
    confidence: SERVICE_CONFIDENCE.request,
    place: collector.placeOf(scope.file, call.position),
  });
}

/** `self.event_dispatcher('order_created', payload)` of an `EventDispatcher()` */
function readDispatch(collector: RouteCollector, { call, decorated, scope }: Visit): void {
  const { callee } = call;
  if (decorated !== undefined || callee === 0 || callee.kind !== 'member') return;
  const isDispatcher = collector.evaluator.values(callee, scope).some(value => value.kind === 'made' && value.path === 'nameko.events.EventDispatcher');
  const event = isDispatcher ? collector.evaluator.textsAt(call, 0, scope).map(literalOf)[0] : undefined;
  if (event !== undefined) add(collector, 'publish', event, call, scope, collector.symbolAround(scope, call.position));
}

function isOutside(collector: RouteCollector, term: Term, scope: Scope, path: RegExp): boolean {
  return collector.evaluator.values(term, scope).some(value => value.kind === 'outside' && path.test(value.path));
}

function add(collector: RouteCollector, direction: 'publish' | 'consume', name: string, call: CallTerm, scope: Scope, symbol: string | undefined): void {
  const place = collector.placeOf(scope.file, call.position);
  collector.events.push({ direction, name, channel: name, aliases: [], symbol, framework: 'nameko', confidence: SERVICE_CONFIDENCE.event, place });
}
