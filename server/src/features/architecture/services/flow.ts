import type { GraphView, NodeHandle } from '../../../code/graph/graphView';
import { FACT_CONFIDENCE } from '../../../model/evidence';
import type { StableId } from '../../../model/ids';
import { RELATIONS, relationCode } from '../../../model/relations';
import type { Endpoint, ServiceModel } from '../../../services/model';
import type { Place } from '../../../services/surface';

/** One step of what a request sets off, in order. */
export interface FlowStep {
  /** In the graph, `''` for a function without a name. */
  readonly id: StableId;
  /** 0 for the endpoint itself. */
  readonly depth: number;
  readonly kind: 'endpoint' | 'handler' | 'call' | 'publish' | 'store';
  readonly name: string;
  /** Service in which the step happens, or that is reached. */
  readonly service: string;
  readonly file: string;
  /** 1-based; 0 where nothing names a line. */
  readonly line: number;
}

const CALLS = new Uint8Array(RELATIONS.length);
CALLS[relationCode.CALLS] = 1;
/** Symbols that one handler is followed through, and endpoints of other services behind it. */
const MAX_SYMBOLS = 400;
const MAX_ENDPOINTS = 4;

/** What an endpoint sets off: its handler, then in the order of the code the requests to other services and the events, and the stores of the service. */
export function flowOf(model: ServiceModel, graph: GraphView, endpoint: Endpoint): readonly FlowStep[] {
  const steps: FlowStep[] = [];
  follow(model, graph, endpoint, 0, new Set(), steps);
  return steps;
}

function follow(model: ServiceModel, graph: GraphView, endpoint: Endpoint, depth: number, seen: Set<StableId>, steps: FlowStep[]): void {
  const { handler, handlerPlace, id, method, path, place, service } = endpoint;
  steps.push({ id, depth, kind: 'endpoint', name: `${method} ${path}`, service, file: place?.file ?? '', line: place?.line ?? 0 });
  if (seen.has(id) || seen.size >= MAX_ENDPOINTS) return;
  seen.add(id);
  if (handlerPlace !== undefined) {
    const name = handler === undefined ? 'function without a name' : (handler.split('::').at(-1) ?? handler);
    steps.push({ id: handler ?? '', depth: depth + 1, kind: 'handler', name, service, file: handlerPlace.file, line: handlerPlace.line });
  }
  for (const found of effects(model, graph, endpoint)) {
    if (found.request === undefined)
      steps.push({ ...found.step, depth: depth + 2 }, ...consumersOf(model, found.step).map(step => ({ ...step, depth: depth + 3 })));
    else follow(model, graph, found.request, depth + 2, seen, steps);
  }
  for (const store of model.storeUses.get(service) ?? [])
    steps.push({ id: `data_store::${store}`, depth: depth + 2, kind: 'store', name: store, service, file: '', line: 0 });
}

/** Code of other services that an event reaches. */
function consumersOf({ events }: ServiceModel, published: Omit<FlowStep, 'depth'>): Omit<FlowStep, 'depth'>[] {
  const { consumers = [] } = events.find(({ id }) => id === published.id) ?? {};
  return consumers
    .filter(({ place, service }) => place !== undefined && service !== '' && service !== published.service)
    .map(({ handler, place, service }) => {
      const name = handler === undefined ? 'function without a name' : (handler.split('::').at(-1) ?? handler);
      return { id: handler ?? '', kind: 'handler', name, service, file: place?.file ?? '', line: place?.line ?? 0 };
    });
}

interface Effect {
  readonly step: Omit<FlowStep, 'depth'>;
  /** The endpoint that is called. */
  readonly request: Endpoint | undefined;
}

/** Requests and events of the symbols that a handler reaches by certain calls, in the order in which they are reached. */
function effects(model: ServiceModel, graph: GraphView, { handler, handlerPlace, service }: Endpoint): Effect[] {
  const byId = new Map(model.endpoints.map(each => [each.id, each]));
  const last = lastLine(model, handlerPlace);
  const reached = handler === undefined ? reachedFrom(graph, calledWithin(graph, handlerPlace, last)) : reachedFrom(graph, [graph.find(handler)]);
  const found: Effect[] = [];
  const isIn = (symbol: StableId | undefined, file: string, line: number): boolean =>
    symbol === undefined ? handler === undefined && file === handlerPlace?.file && line >= handlerPlace.line && line <= last : false;
  const add = (symbol: StableId | undefined): void => {
    const own: (Effect & { readonly line: number })[] = [];
    for (const request of model.requests) {
      const target = byId.get(request.endpoint);
      const isMeant = symbol === undefined ? isIn(request.caller, request.place.file, request.place.line) : request.caller === symbol;
      if (!isMeant || target === undefined || request.source !== service) continue;
      const step = { id: target.id, kind: 'call' as const, name: `${target.method} ${target.path}`, service: target.service, ...request.place };
      own.push({ step, request: target, line: request.place.line });
    }
    for (const { id, name, publishers } of model.events) {
      for (const side of publishers) {
        if (side.service !== service || side.place === undefined) continue;
        const isMeant = symbol === undefined ? isIn(side.handler, side.place.file, side.place.line) : side.handler === symbol;
        if (isMeant) own.push({ step: { id, kind: 'publish', name, service, ...side.place }, request: undefined, line: side.place.line });
      }
    }
    found.push(...own.sort((a, b) => a.line - b.line));
  };
  if (handler === undefined) add(undefined);
  for (const symbol of reached) add(symbol);
  return found;
}

/** Most lines behind the start of a handler without a name that are taken for its body. */
const NEAR = 40;

/** Where a handler without a name ends at the latest: where the next one begins. */
function lastLine({ endpoints }: ServiceModel, place: Place | undefined): number {
  if (place === undefined) return 0;
  const next = endpoints.flatMap(({ handlerPlace }) => (handlerPlace?.file === place.file && handlerPlace.line > place.line ? [handlerPlace.line] : []));
  return Math.min(place.line + NEAR, ...next.map(line => line - 1));
}

/** What the lines of a handler without a name call for certain, in order. */
function calledWithin(graph: GraphView, place: Place | undefined, last: number): (NodeHandle | undefined)[] {
  if (place === undefined) return [];
  const around = new Set([graph.fileOf(place.file), graph.symbolAt(place.file, place.line, 0)]);
  const calls = [...around].flatMap(node =>
    (node === undefined ? [] : graph.out(node, undefined, CALLS)).flatMap(({ confidence, lines, target }) => {
      const line = lines.find(each => each >= place.line && each <= last);
      return line === undefined || confidence < FACT_CONFIDENCE ? [] : [{ line, target }];
    }),
  );
  return calls.sort((a, b) => a.line - b.line).map(({ target }) => target);
}

/** Symbols along certain calls, depth first in the order of the calls. */
function reachedFrom(graph: GraphView, starts: readonly (NodeHandle | undefined)[]): StableId[] {
  const order: StableId[] = [];
  const seen = new Set<NodeHandle>();
  const visit = (node: NodeHandle): void => {
    if (seen.has(node) || seen.size >= MAX_SYMBOLS) return;
    seen.add(node);
    order.push(graph.idOf(node));
    const calls = graph.out(node, undefined, CALLS).filter(edge => edge.confidence >= FACT_CONFIDENCE);
    for (const { target } of calls.toSorted((a, b) => (a.lines[0] ?? 0) - (b.lines[0] ?? 0))) visit(target);
  };
  for (const start of starts) if (start !== undefined) visit(start);
  return order;
}
