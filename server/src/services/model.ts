/** The services of a workspace, what each offers and uses, and how they hang together: plain data, made anew from its sources. */
import type { WorkspacePath } from '../base/path';
import type { StableId } from '../model/ids';
import type { Role, StoreKind } from './discovery/infrastructure';
import { plainPath } from './paths';
import type { ContractFact, FileProblem, SchemaField, UnitFact } from './serviceFile';
import type { CodeSurface, Place } from './surface';

/** A part of the system that is built and run on its own. */
export interface Service {
  readonly name: string;
  /** Folders of its code, the first is its root; `''` is the workspace. */
  readonly paths: readonly WorkspacePath[];
  /** What named it, strongest first: `map`, `compose`, `kubernetes`, `skaffold`, `tilt`, `aspire`, `manifest`, `dockerfile`, `folder`, `workspace`. */
  readonly sources: readonly string[];
  /** Where it is declared. */
  readonly place: Place | undefined;
  /** Names that others call it by. */
  readonly aliases: readonly string[];
  readonly role: Role;
  readonly domain: string;
  readonly description: string;
  readonly stack: Readonly<Record<string, string>>;
  readonly estimatedLoc: number;
  /** Contracts that the service map gives it. */
  readonly contracts: readonly string[];
  readonly units: readonly UnitFact[];
}

/** A database, cache, broker, search index or object store, found in deployments, configuration or code. */
export interface DataStore {
  readonly name: string;
  readonly product: string;
  readonly kind: StoreKind;
  readonly aliases: readonly string[];
  readonly place: Place | undefined;
}

/** A file that describes an interface, or the routes of a service that no file describes. */
export interface Contract {
  readonly id: string;
  /** `''` for one that is made of routes alone. */
  readonly file: WorkspacePath;
  readonly fact: ContractFact | undefined;
  /** Provider, `''` for none. */
  readonly service: string;
  readonly derived: boolean;
}

/** A method and path, a remote procedure or a root field of GraphQL, as a contract declares it, code handles it, or both. `confidence` is from 0 to 1. */
export interface Endpoint {
  readonly id: StableId;
  /** `''` for an endpoint of a contract without a provider. */
  readonly service: string;
  readonly method: string;
  readonly path: string;
  /** Paths in front of it under which it is reached as well: of the servers of its contract. */
  readonly bases?: readonly string[];
  readonly contracts: readonly string[];
  readonly operationId: string;
  readonly summary: string;
  readonly handler: StableId | undefined;
  readonly handlerPlace: Place | undefined;
  /** Where the contract or the code declares it. */
  readonly place: Place | undefined;
  readonly framework: string;
  readonly confidence: number;
  readonly request: readonly SchemaField[];
  readonly response: readonly SchemaField[];
  readonly security: readonly string[];
}

/** One publisher or consumer of an event. */
export interface EventSide {
  /** Name of the service; `''` where only a contract without a provider says so. */
  readonly service: string;
  readonly contract: string;
  readonly handler: StableId | undefined;
  readonly place: Place | undefined;
  readonly confidence: number;
}

/** What services publish and consume under one name. */
export interface ServiceEvent {
  readonly id: StableId;
  readonly name: string;
  readonly channel: string;
  readonly aliases: readonly string[];
  readonly payload: readonly SchemaField[];
  readonly publishers: readonly EventSide[];
  readonly consumers: readonly EventSide[];
}

/** A thing of the domain that contracts or the domain model describe and types implement. */
export interface Entity {
  readonly name: string;
  readonly description: string;
  readonly owner: string;
  readonly fields: readonly SchemaField[];
  /** Services that declare, refer to or implement it and do not own it. */
  readonly referencedBy: readonly string[];
  readonly implementations: readonly StableId[];
  readonly place: Place | undefined;
}

/** That one service uses another, summed up over all places where it does. */
export interface ServiceCall {
  readonly source: string;
  readonly target: string;
  readonly importCount: number;
  /** Ids of endpoints, in the order in which they were found. */
  readonly viaEndpoints: readonly StableId[];
  /** `imports`, `http`, `grpc`, `graphql`, `gateway`, `configuration`. */
  readonly kinds: readonly string[];
  readonly places: readonly Place[];
  readonly confidence: number;
  readonly callers: readonly StableId[];
}

/** Code that calls an endpoint of another service. */
export interface EndpointRequest {
  readonly endpoint: StableId;
  readonly source: string;
  readonly caller: StableId | undefined;
  readonly place: Place;
  readonly confidence: number;
}

/** A request to a service of the workspace that has no endpoint for it. */
export interface UnansweredRequest {
  readonly source: string;
  readonly target: string;
  readonly method: string;
  readonly path: string;
  readonly caller: StableId | undefined;
  readonly place: Place;
}

/** The same endpoint, however its parameters are called. */
export function endpointKey({ method, path, service }: Pick<Endpoint, 'method' | 'path' | 'service'>): string {
  return `${service} ${method} ${plainPath(path)}`;
}

/** The services of a workspace with all that they offer and use. */
export interface ServiceModel {
  readonly projectName: string;
  readonly services: readonly Service[];
  readonly stores: readonly DataStore[];
  /** Name of a service to the names of the stores that it uses. */
  readonly storeUses: ReadonlyMap<string, readonly string[]>;
  readonly contracts: readonly Contract[];
  readonly endpoints: readonly Endpoint[];
  readonly events: readonly ServiceEvent[];
  readonly entities: readonly Entity[];
  readonly relationships: readonly { readonly source: string; readonly target: string; readonly type: string; readonly cardinality: string }[];
  readonly calls: readonly ServiceCall[];
  readonly requests: readonly EndpointRequest[];
  readonly unanswered: readonly UnansweredRequest[];
  /** Service of a path by the longest root; `''` for none. */
  serviceOf(path: WorkspacePath): string;
  readonly skipped: CodeSurface['skipped'];
  readonly problems: readonly FileProblem[];
}

/** A model without content: of a layer that is switched off, or of one that could not be made. */
export const NO_SERVICES: ServiceModel = {
  projectName: '',
  services: [],
  stores: [],
  storeUses: new Map(),
  contracts: [],
  endpoints: [],
  events: [],
  entities: [],
  relationships: [],
  calls: [],
  requests: [],
  unanswered: [],
  serviceOf: () => '',
  skipped: [],
  problems: [],
};
