/**
 * What a table says of a framework or a library. Tables are data; what does not fit one is a reader of its language (`collector`).
 *
 * Names from outside are paths joined with dots: the module or package as it is imported, then names: `express.Router`, `github.com/gin-gonic/gin.Default`.
 */

/**
 * Where something stands in a call: position (negative from the end), keyword, or key of an object that is an argument.
 * Of several the first that is there.
 */
export type ArgumentSelector = number | string | readonly (number | string)[];

/** In place of an argument: the queue, exchange or topic that the method is called on (`EventRow.carriers`). */
export const RECEIVER = '*receiver';

/** A method of a router that serves something. */
export interface Verb {
  /** Method; a place that holds one or a list of them. */
  readonly method: string | { readonly at: ArgumentSelector; readonly otherwise: readonly string[] };
  /** 0 unless given. */
  readonly path?: ArgumentSelector;
  /** The last argument unless given. */
  readonly handler?: ArgumentSelector;
  /** Arguments it has at least; fewer make it something else. 2 unless given, 1 for decorators. */
  readonly least?: number;
  /** The handler argument tells the methods: `get(list).post(create)`, `web::get().to(list)`. */
  readonly chain?: true;
  /** The handler may be made of a class whose methods are called after those of HTTP: `Orders.as_view('orders')`. */
  readonly views?: true;
  /** `GET /path` in the path. */
  readonly methodInPath?: true;
}

/** A method of a router that gives another one below it. */
export interface Group {
  readonly path?: ArgumentSelector;
  /** Function that gets the group. */
  readonly callback?: ArgumentSelector;
  /** The group is also what `$this` means in that function. */
  readonly binds?: true;
  /** Its routes have no path of their own. */
  readonly pathless?: true;
  /** The path is added to the router itself. */
  readonly sets?: true;
}

/** A method of a router that takes another one in. */
export interface Mounting {
  readonly path?: ArgumentSelector;
  /** All arguments unless given. */
  readonly child?: ArgumentSelector;
  readonly replaces?: true;
}

export interface Maker {
  readonly isRoot?: true;
  readonly prefix?: ArgumentSelector;
  /** Version of its routes, which stands in front of all as `/v1`. */
  readonly version?: ArgumentSelector;
  /** Its arguments are routers that it takes in. */
  readonly takesIn?: true;
  /** Its routes have no path of their own. */
  readonly pathless?: true;
}

export interface Framework {
  readonly name: string;
  /** What makes a router when it is called or constructed. */
  readonly makers: Readonly<Record<string, Maker>>;
  /** Further types of routers. */
  readonly types: readonly string[];
  readonly verbs: Readonly<Record<string, Verb>>;
  readonly groups?: Readonly<Record<string, Group>>;
  readonly mounts?: Readonly<Record<string, Mounting>>;
  /** Methods whose result is no router. By default every method gives the router itself. */
  readonly ends?: readonly string[];
  /** Methods that begin to listen. */
  readonly starts?: readonly string[];
  /** Attributes and macros of functions that say what they serve, for those that are taken in by a mount; with their method. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** Members that stand for the router itself: `app.router`. */
  readonly selves?: readonly string[];
  /** Makers of handlers that serve no route of their own: of files, of other routers. */
  readonly delegates?: readonly string[];
  /** Functions outside around something that is mounted: `fp(plugin)`. */
  readonly wrappers?: readonly string[];
}

/** A call of a library that makes a request. */
export interface ClientRow {
  readonly name: string;
  /** What is called; `Type.method` for methods of what a maker gives. */
  readonly calls: Readonly<
    Record<string, { readonly method: string | { readonly at: ArgumentSelector; readonly otherwise: string }; readonly url: ArgumentSelector }>
  >;
  /** Makers of clients and types of clients, with where their base address stands. */
  readonly makers?: Readonly<Record<string, ArgumentSelector | null>>;
  /** Methods of what makers give. */
  readonly methods?: Readonly<
    Record<string, { readonly method: string | { readonly at: ArgumentSelector; readonly otherwise: string }; readonly url: ArgumentSelector }>
  >;
  /** What methods of makers give is made by them as well: steps of a builder. */
  readonly isBuilder?: true;
}

/** Clients of a mesh, which are told the application and what to ask of it apart. */
export interface InvocationRow {
  readonly name: string;
  /** Things outside and types whose methods invoke. */
  readonly types: readonly string[];
  readonly methods: Readonly<Record<string, Invocation>>;
}

export interface Invocation {
  readonly app: ArgumentSelector;
  readonly path: ArgumentSelector;
  readonly verb: ArgumentSelector;
}

export interface EventRow {
  readonly name: string;
  /** Things outside and types whose methods publish or consume. */
  readonly types: readonly string[];
  /** By method: direction, where the name stands, where other names of it stand. */
  readonly methods: Readonly<Record<string, EventCall>>;
  /** Methods that only this library has: they count on anything that is not known. */
  readonly distinctive?: readonly string[];
  /** The same for functions and constructors outside. */
  readonly calls?: Readonly<Record<string, EventCall>>;
  /** Methods that bind a queue to an exchange. */
  readonly bindings?: Readonly<Record<string, QueueBinding>>;
  /** Other names of its events are keys and exchanges: what is published with a key reaches the queues that are bound by it. */
  readonly hasKeys?: true;
  /** What gives a queue, exchange or topic as a value when it is called. */
  readonly carriers?: Readonly<Record<string, Carrier>>;
}

/** Where the name of a queue, exchange or topic stands in what makes it, and the key that it is bound by. */
export interface Carrier {
  readonly name: ArgumentSelector;
  readonly key?: ArgumentSelector;
}

/** Where queue, exchange and key stand. */
export interface QueueBinding {
  readonly queue: ArgumentSelector;
  readonly exchange: ArgumentSelector;
  readonly key: ArgumentSelector;
}

export interface EventCall {
  readonly direction: 'publish' | 'consume';
  readonly name: ArgumentSelector;
  readonly aliases?: readonly ArgumentSelector[];
  /** The names are the keys of an object: `xread({'orders': '$'})`. */
  readonly inKeys?: true;
  /** The name where none is written. */
  readonly otherwise?: string;
}

export interface RpcRow {
  readonly side: 'server' | 'client';
  /** Matched against the path of what is called, or the type that a class extends; the first group is the service. */
  readonly pattern: RegExp;
  /** Argument that is the address, or a connection made with it. */
  readonly address?: ArgumentSelector;
  /** The pattern alone tells: no sign of generated code is asked for. */
  readonly isSure?: true;
}

/** What a family of languages brings. */
export interface LanguageTables {
  readonly frameworks: readonly Framework[];
  readonly clients: readonly ClientRow[];
  readonly events: readonly EventRow[];
  readonly invocations?: readonly InvocationRow[];
  /** Functions outside that read a variable of the environment, with where name and default stand. */
  readonly environment: Readonly<Record<string, { readonly name: ArgumentSelector; readonly fallback?: ArgumentSelector }>>;
  /** Objects outside whose members are variables of the environment. */
  readonly environmentObjects: readonly string[];
  /** Names of generated functions and types that register a service of remote procedures or make a client of one. */
  readonly rpcs: readonly RpcRow[];
  /** Services of remote procedures may be loaded from their contract when the code runs: no code is generated for them. */
  readonly loadsProcedures?: true;
  /** Functions outside that make a handler of several functions, with the place of the one that answers. */
  readonly handlerMakers?: Readonly<Record<string, number>>;
  /** Constants outside that hold texts. */
  readonly constants?: Readonly<Record<string, string>>;
  /** Functions outside that join a format with what stands for its verbs, as `printf` does. */
  readonly formats?: readonly string[];
  /** Methods of what is made outside, with the argument of the maker that is the function which they call with their own arguments. */
  readonly callers?: Readonly<Record<string, number>>;
  /** What gives the pairs, keys or values of a dictionary, or one of its values: functions with their object, and methods of dictionaries. */
  readonly dictionaries?: {
    readonly functions?: Readonly<Record<string, 'pairs' | 'keys' | 'values'>>;
    readonly methods?: Readonly<Record<string, 'pairs' | 'keys' | 'values' | 'item'>>;
  };
  /** Texts hold keys of configuration, `${key:default}`. */
  readonly hasPlaceholders?: true;
  /** Writes the parameters of a path without what their values are checked against. */
  readonly plainPath?: (path: string) => string;
  /** Variables that hold a router where no code that is known declares them, with the name of its framework. */
  readonly routerNames?: Readonly<Record<string, string>>;
  /** First parameters that get a router from a framework that starts the program itself, with its name: `fastify start app.js`. */
  readonly routerParameters?: Readonly<Record<string, string>>;
  /** Constructors of stores: database, cache, broker. */
  readonly stores: Readonly<Record<string, { readonly kind: 'database' | 'cache' | 'broker' | 'search' | 'objects'; readonly name: string }>>;
}
