import type { GraphView, NodeHandle } from '../../../code/graph/graphView';
import { FACT_CONFIDENCE } from '../../../model/evidence';
import type { StableId } from '../../../model/ids';
import { relationMask } from '../../../model/relations';
import type { DataAccess } from '../../../services/dataAccess';
import type { Endpoint, ServiceModel } from '../../../services/model';
import type { Place } from '../../../services/surface';
import { mediatedHandlers } from './mediators';
import { StoreAccesses } from './storeAccess';

/** One step of what a request sets off, in order. */
export interface FlowStep {
  /** In the graph, `''` for a function without a name and for a store that nothing declares. */
  readonly id: StableId;
  /** 0 for the endpoint itself. A step belongs to the nearest one before it that is less deep. */
  readonly depth: number;
  /** `function`: one on the way from a handler to something that it sets off. */
  readonly kind: 'endpoint' | 'handler' | 'function' | 'publish' | 'store';
  readonly name: string;
  /** Service in which the step happens, or that is reached. */
  readonly service: string;
  readonly file: string;
  /** 1-based; 0 where nothing names a line. */
  readonly line: number;
  /** One of several implementations that may run, or a store of the service where nothing shows which code reaches it. */
  readonly possible?: true;
}

type Step = Omit<FlowStep, 'depth'>;
/** A step with what it sets off. */
interface Branch {
  readonly step: Step;
  readonly below: readonly Branch[];
  /** Of the endpoint that it stands for. */
  readonly endpoint?: Endpoint;
}

const CALLS = relationMask('CALLS');
const NAMES_TYPE = relationMask('INSTANTIATES', 'USES_TYPE');
const OVERRIDES = relationMask('OVERRIDES');

/** Steps behind which no further request is followed: more is no picture that anybody reads. */
const ENOUGH_STEPS = 120;
/** Symbols that one handler is followed through. */
const MAX_SYMBOLS = 400;
/** Endpoints that are followed behind one, and how many of them one behind the other. */
const MAX_ENDPOINTS = 16;
const MAX_NESTED = 3;
/** Implementations of one method that are shown: with more, nothing is said by them. */
const MAX_IMPLEMENTATIONS = 3;

/**
 * What an endpoint sets off: its handler, then in the order of the code the functions on the way to something outside, the requests to other services with what these
 * set off there, the events and their consumers in other services, and the stores. Requests are not followed any more when there are `enough` steps.
 */
export function flowOf(model: ServiceModel, graph: GraphView, endpoint: Endpoint, enough = ENOUGH_STEPS): readonly FlowStep[] {
  const flow = new Flow(model, graph);
  const found = new Map<Branch, readonly Branch[]>();
  const start = stepOf(endpoint);
  // Nearest first, so that what is not followed any more is what is farthest.
  let level = [start];
  let count = 1;
  for (let nested = 0; nested <= MAX_NESTED; nested++) {
    for (const branch of level) {
      if (branch.endpoint === undefined || count >= enough) continue;
      const below = flow.follow(branch.endpoint);
      found.set(branch, below);
      count += sizeOf(below);
    }
    level = level.flatMap(branch => [...requestsIn(found.get(branch) ?? [])]);
  }
  const steps: FlowStep[] = [];
  const add = (branch: Branch, depth: number): void => {
    steps.push({ ...branch.step, depth });
    for (const below of found.get(branch) ?? branch.below) add(below, depth + 1);
  };
  add(start, 0);
  return steps;
}

function sizeOf(branches: readonly Branch[]): number {
  return branches.reduce((sum, { below }) => sum + 1 + sizeOf(below), 0);
}

function* requestsIn(branches: readonly Branch[]): Generator<Branch> {
  for (const branch of branches) {
    if (branch.endpoint !== undefined) yield branch;
    yield* requestsIn(branch.below);
  }
}

function stepOf(endpoint: Endpoint): Branch {
  const { id, method, path, place, service } = endpoint;
  return { step: { id, kind: 'endpoint', name: `${method} ${path}`, service, file: place?.file ?? '', line: place?.line ?? 0 }, below: [], endpoint };
}

/** The body of a function: a symbol, or lines of one (or of a file) where the function has no name. */
interface Body {
  readonly nodes: readonly NodeHandle[];
  readonly lines?: { readonly file: string; readonly first: number; readonly last: number };
}

interface At {
  readonly line: number;
  readonly branch: Branch;
}

class Flow {
  readonly #endpoints: ReadonlyMap<StableId, Endpoint>;
  readonly #accesses: StoreAccesses;
  readonly #followed = new Set<StableId>();

  constructor(
    private readonly model: ServiceModel,
    private readonly graph: GraphView,
  ) {
    this.#endpoints = new Map(model.endpoints.map(each => [each.id, each]));
    this.#accesses = new StoreAccesses(graph);
  }

  /** What an endpoint sets off; nothing when that has been told. */
  follow(endpoint: Endpoint): readonly Branch[] {
    const { handler, handlerPlace, id, service } = endpoint;
    if (this.#followed.has(id) || this.#followed.size > MAX_ENDPOINTS) return [];
    this.#followed.add(id);
    const walk = new Walk(this, this.graph, this.#accesses, service);
    const reached = walk.body(this.#bodyOf(endpoint));
    const below = [...reached, ...(walk.reachesStore ? [] : this.#storesOf(service))];
    return handlerPlace === undefined ? below : [{ step: handlerStep(handler, service, handlerPlace), below }];
  }

  /** Requests and events of a body itself. */
  effectsOf(service: string, body: Body): At[] {
    const { events, requests } = this.model;
    const ids = new Set(body.lines === undefined ? body.nodes.map(node => this.graph.idOf(node)) : []);
    const isIn = (symbol: StableId | undefined, { file, line }: Place): boolean => {
      if (body.lines === undefined) return symbol !== undefined && ids.has(symbol);
      return symbol === undefined && file === body.lines.file && line >= body.lines.first && line <= body.lines.last;
    };
    const found: At[] = [];
    const asked = new Set<Endpoint>();
    for (const { caller, endpoint, place, source } of requests) {
      const target = source === service && isIn(caller, place) ? this.#endpoints.get(endpoint) : undefined;
      if (target === undefined || asked.has(target)) continue;
      asked.add(target);
      found.push({ line: place.line, branch: stepOf(target) });
    }
    for (const { consumers, id, name, publishers } of events) {
      for (const side of publishers) {
        if (side.service !== service || side.place === undefined || !isIn(side.handler, side.place)) continue;
        const below = consumers.flatMap(({ handler, place, service: other }) =>
          place === undefined || other === '' || other === service ? [] : [{ step: handlerStep(handler, other, place), below: [] }],
        );
        found.push({ line: side.place.line, branch: { step: { id, kind: 'publish', name, service, ...side.place }, below } });
      }
    }
    return found;
  }

  /** The store of a service that a library reaches: the only one that it may be, else a database by the name of the library. */
  storeBehind({ library, products }: DataAccess, service: string): Pick<Step, 'id' | 'name'> {
    const used = new Set(this.model.storeUses.get(service));
    const fitting = this.model.stores.filter(
      ({ kind, name, product }) => used.has(name) && (products.length === 0 ? kind === 'database' : products.includes(product)),
    );
    const [only, ...others] = fitting;
    return only === undefined || others.length > 0 ? { id: '', name: library } : { id: `data_store::${only.name}`, name: only.name };
  }

  #storesOf(service: string): Branch[] {
    return (this.model.storeUses.get(service) ?? []).map(store => ({
      step: { id: `data_store::${store}`, kind: 'store', name: store, service, file: '', line: 0, possible: true },
      below: [],
    }));
  }

  #bodyOf({ handler, handlerPlace }: Endpoint): Body {
    const { graph } = this;
    if (handler !== undefined) {
      const node = graph.find(handler);
      return { nodes: node === undefined ? [] : [node] };
    }
    if (handlerPlace === undefined) return { nodes: [] };
    const { file, line } = handlerPlace;
    const around = new Set([graph.fileOf(file), graph.symbolAt(file, line, 0)]);
    return { nodes: [...around].filter(node => node !== undefined), lines: { file, first: line, last: this.#lastLine(handlerPlace) } };
  }

  /** Where a handler without a name ends at the latest: where the next one begins. */
  #lastLine({ file, line }: Place): number {
    const next = this.model.endpoints.flatMap(({ handlerPlace }) => (handlerPlace?.file === file && handlerPlace.line > line ? [handlerPlace.line] : []));
    return Math.min(line + NEAR, ...next.map(each => each - 1));
  }
}

/** Most lines behind the start of a handler without a name that are taken for its body. */
const NEAR = 40;

/** One way through the code of a service, from one handler. */
class Walk {
  /** Whether functions that were walked through lead to something; undefined while one is walked through. */
  readonly #leads = new Map<NodeHandle, boolean | undefined>();
  reachesStore = false;

  constructor(
    private readonly flow: Flow,
    private readonly graph: GraphView,
    private readonly accesses: StoreAccesses,
    private readonly service: string,
  ) {}

  /** What a body sets off, in order of its lines. */
  body(body: Body): readonly Branch[] {
    const { graph, service } = this;
    const found = this.flow.effectsOf(service, body);
    const isIn = (line: number): boolean => body.lines === undefined || (line >= body.lines.first && line <= body.lines.last);
    const throughFunctions = new Set<number>();
    for (const { line, target } of this.#callsIn(body, isIn)) {
      const branches = this.#call(target);
      if (branches.length > 0) throughFunctions.add(line);
      found.push(...branches.map(branch => ({ line, branch })));
    }
    const seen = new Set<string>();
    for (const node of body.nodes) {
      for (const { access, line } of this.accesses.of(node, isIn)) {
        // A repository with code of its own says more than that it is one.
        if (throughFunctions.has(line)) continue;
        const store = this.flow.storeBehind(access, service);
        if (seen.has(store.name)) continue;
        seen.add(store.name);
        this.reachesStore = true;
        found.push({ line, branch: { step: { ...store, kind: 'store', service, file: graph.node(node).path, line }, below: [] } });
      }
    }
    return found.sort((a, b) => a.line - b.line).map(({ branch }) => branch);
  }

  /** What a body calls for certain, by itself or through a mediator that it hands a message, in order of its lines. */
  #callsIn({ nodes }: Body, isIn: (line: number) => boolean): { readonly line: number; readonly target: NodeHandle }[] {
    const { graph } = this;
    const along = (node: NodeHandle, relations: Uint8Array, reached: (target: NodeHandle) => readonly NodeHandle[]) =>
      graph.out(node, undefined, relations).flatMap(({ confidence, lines, target }) => {
        const line = lines.find(isIn);
        return confidence < FACT_CONFIDENCE || line === undefined ? [] : reached(target).map(each => ({ line, target: each }));
      });
    const calls = nodes.flatMap(node => [...along(node, CALLS, target => [target]), ...along(node, NAMES_TYPE, type => mediatedHandlers(graph, type))]);
    const first = new Map<NodeHandle, (typeof calls)[number]>();
    for (const call of calls.sort((a, b) => a.line - b.line)) if (!first.has(call.target)) first.set(call.target, call);
    return [...first.values()];
  }

  /** A function that is called, where something comes of it; of a method without a body the methods that implement it. */
  #call(target: NodeHandle): Branch[] {
    const { graph } = this;
    const own = this.#function(target);
    if (own !== undefined) return [own];
    const implementations = graph
      .in(target, other => !graph.isTest(other), OVERRIDES)
      .filter(({ confidence }) => confidence >= FACT_CONFIDENCE)
      .map(({ source }) => source);
    if (implementations.length > MAX_IMPLEMENTATIONS) return [];
    const branches = implementations.map(each => this.#function(each)).filter(branch => branch !== undefined);
    return implementations.length === 1 ? branches : branches.map(({ below, step }) => ({ step: { ...step, possible: true }, below }));
  }

  #function(node: NodeHandle): Branch | undefined {
    const { graph } = this;
    if (this.#leads.size >= MAX_SYMBOLS && !this.#leads.has(node)) return undefined;
    const known = this.#leads.get(node);
    const isNew = !this.#leads.has(node);
    if (!isNew && known !== true) return undefined;
    if (isNew) this.#leads.set(node, undefined);
    const below = isNew ? this.body({ nodes: [node] }) : [];
    if (isNew) this.#leads.set(node, below.length > 0);
    if (isNew && below.length === 0) return undefined;
    const { id, nameLine, path } = graph.node(node);
    return { step: { id, kind: 'function', name: memberName(id), service: this.service, file: path, line: nameLine }, below };
  }
}

function handlerStep(handler: StableId | undefined, service: string, { file, line }: Place): Step {
  const name = handler === undefined ? 'function without a name' : memberName(handler);
  return { id: handler ?? '', kind: 'handler', name, service, file, line };
}

/** With the type around a method, without what overloads are told apart by: `OrderService.find`. */
function memberName(id: StableId): string {
  return id
    .split('::')
    .slice(1)
    .slice(-2)
    .map(part => part.replace(/#\d+$/, ''))
    .join('.');
}
