/**
 * What the code of a workspace offers to others and uses of others: routes, requests, events, remote procedures, stores.
 *
 * Everything here is read from syntax and from what names refer to in the graph. What cannot be read without running the code is counted in `skipped`.
 */
import type { WorkspacePath } from '../base/path';
import type { StableId } from '../model/ids';

/** Raised when code is read otherwise or rows change: surfaces that were saved before are then read anew. */
export const SURFACE_VERSION = 25;

/** Where in the code something is offered or used. */
export interface Place {
  readonly file: WorkspacePath;
  /** 1-based. */
  readonly line: number;
}

/** How a thing is known. */
export interface Evidence {
  /** Framework or library whose use showed it: `flask`, `express`, `spring-mvc`, `kafkajs`. */
  readonly framework: string;
  /** 0 to 1. */
  readonly confidence: number;
  readonly place: Place;
}

/** A route that code serves. */
export interface RouteFact extends Evidence {
  /** Upper case, or `ANY` where the code answers whatever the method. */
  readonly method: string;
  /** Starts with `/`. All prefixes that code shows are in front (mounts, class paths, routers); parameters as the code writes them. */
  readonly path: string;
  /** Symbol of the handler; undefined where it has no name. */
  readonly handler: StableId | undefined;
  /** Where the handler begins, also of one without a name. */
  readonly handlerPlace: Place;
  /** It answers all paths that begin so. */
  readonly isPrefix?: true;
}

/** An address as far as code tells it. */
export interface UrlTemplate {
  /** Literal host or name of a service, without scheme and port. */
  readonly host?: string;
  /** Port behind the host, of an address on this machine. */
  readonly port?: string;
  /** Environment variable or key of configuration that holds the base address, with the value it has when nothing is set. */
  readonly hostFrom?: { readonly variable: string; readonly fallback?: string };
  /** Starts with `/`, or `''` for a base address without a path; parameters as `{name}`. */
  readonly path: string;
}

/** What a gateway hands on. */
export interface Forwarding {
  /** One path, it and what is below it, or paths that are not known. */
  readonly covers: 'path' | 'below' | 'unknown';
  /** Path as it comes in, without wildcards at its end. */
  readonly path: string;
  /** Paths behind the address that may stand in place of it, the likeliest first. */
  readonly rewritten: readonly string[];
}

/** A request that code makes. */
export interface ClientCall extends Evidence {
  /** A route of a gateway, which hands on what comes, whether that is served or not: the address is where it calls. */
  readonly forwards?: Forwarding;
  /** Upper case, or `ANY` where code does not tell. */
  readonly method: string;
  readonly url: UrlTemplate;
  /** Innermost symbol around the call. */
  readonly symbol: StableId | undefined;
}

export interface EventUse extends Evidence {
  readonly direction: 'publish' | 'consume';
  /** Topic, exchange, subject, queue or message type. */
  readonly name: string;
  /** Where the event travels when that is not its name; else the name. */
  readonly channel: string;
  /** Environment variable or key of configuration that holds the name; `name` is its default, else its own name. */
  readonly variable?: string;
  /** Other names of the same thing: routing keys, queues, exchanges. */
  readonly aliases: readonly string[];
  /** Its other names are keys and exchanges: what is published with a key reaches the queues that are bound by it. */
  readonly hasKeys?: true;
  readonly symbol: StableId | undefined;
}

/** A server of remote procedures that is registered, a client of one that is made, or a procedure that is called on a client. */
export interface RpcUse extends Evidence {
  readonly side: 'server' | 'client';
  /** What is called on the client, as the code spells it; undefined where one is made or registered. */
  readonly procedure?: string;
  /** Full name of the service, else the name in the generated type. */
  readonly service: string;
  readonly url?: UrlTemplate;
  readonly symbol: StableId | undefined;
  /** Its spelling alone says so: it counts where a contract describes such a service. */
  readonly isSpelled?: true;
  /** What answers each procedure, of a server that is given functions. */
  readonly handlers?: readonly RpcHandler[];
}

export interface RpcHandler {
  readonly name: string;
  readonly handler: StableId | undefined;
  readonly place: Place;
}

export interface StoreUse extends Evidence {
  readonly kind: 'database' | 'cache' | 'broker' | 'search' | 'objects';
  /** Product (`postgresql`, `redis`, `mongodb`, `kafka`), never an address. */
  readonly name: string;
}

/** Something that a program of the workspace starts, with its name for the others: a project, or a product as it is. */
export interface HostedUnit {
  readonly name: string;
  /** Name of the project as code spells it. */
  readonly project?: string;
  readonly folder?: WorkspacePath;
  /** Image of a product, `''` for code of the workspace. */
  readonly image: string;
  /** Names of the others whose addresses it is told. */
  readonly references: readonly string[];
  readonly place: Place;
}

/** Something of a known framework whose path, name or address is made when the code runs. */
export interface SkippedUse {
  readonly reason: string;
  readonly place: Place;
}

/** A queue of RabbitMQ that is bound to an exchange. */
export interface QueueBound {
  readonly queue: string;
  readonly exchange: string;
  /** Of the messages that the queue gets. */
  readonly key: string;
  readonly place: Place;
}

export interface CodeSurface {
  readonly routes: readonly RouteFact[];
  readonly calls: readonly ClientCall[];
  readonly events: readonly EventUse[];
  readonly rpcs: readonly RpcUse[];
  readonly stores: readonly StoreUse[];
  /** Where code begins to listen for requests or starts an application. */
  readonly starts: readonly Place[];
  readonly skipped: readonly SkippedUse[];
  readonly hosted: readonly HostedUnit[];
  /** What queues are bound to, for those who consume from them elsewhere. */
  readonly bindings: readonly QueueBound[];
}

/** One surface of several, in order: of checkouts that are one system. None: the empty surface. */
export function joinSurfaces(surfaces: readonly CodeSurface[]): CodeSurface {
  return {
    routes: surfaces.flatMap(each => each.routes),
    calls: surfaces.flatMap(each => each.calls),
    events: surfaces.flatMap(each => each.events),
    rpcs: surfaces.flatMap(each => each.rpcs),
    stores: surfaces.flatMap(each => each.stores),
    starts: surfaces.flatMap(each => each.starts),
    skipped: surfaces.flatMap(each => each.skipped),
    hosted: surfaces.flatMap(each => each.hosted),
    bindings: surfaces.flatMap(each => each.bindings),
  };
}

/** The same, where what is consumed from a queue has what the queue is bound to as further names. */
export function withQueueBindings(surface: CodeSurface): CodeSurface {
  if (surface.bindings.length === 0) return surface;
  const bound = new Map<string, string[]>();
  for (const binding of surface.bindings) bound.set(binding.queue, [...(bound.get(binding.queue) ?? []), wordOfBinding(binding)]);
  const events = surface.events.map(event => {
    const words = event.direction === 'consume' ? bound.get(event.name) : undefined;
    if (words === undefined) return event;
    return { ...event, aliases: [...new Set([...event.aliases, ...words])].filter(alias => alias !== event.name) };
  });
  return { ...surface, events };
}

/** The key that messages come with; the exchange where that is empty or stands for many. */
export function wordOfBinding({ exchange, key }: Pick<QueueBound, 'exchange' | 'key'>): string {
  return key === '' || /[#*]/.test(key) ? exchange : key;
}
