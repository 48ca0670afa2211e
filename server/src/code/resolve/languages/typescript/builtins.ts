import { BuiltinTable } from '../builtinTable';

/** Types of the language and its standard library that hold or hand on project values, and the plain ones whose members never lead into the project. */
const ARRAY = `
  at, find(T,number,this), findLast(T,number,this), pop, shift: T;
  map(T,number,this): Array<ret<$0>>; flatMap(T,number,this): Array<elem<ret<$0>>>; filter(T,number,this): Array<T>;
  slice, concat, reverse, splice, fill, toReversed, toSpliced, copyWithin, with: Array<T>; sort(T,T), toSorted(T,T): Array<T>;
  forEach(T,number,this): undefined; some(T,number,this), every(T,number,this), includes: boolean;
  findIndex(T,number,this), findLastIndex(T,number,this), indexOf, lastIndexOf, push, unshift, length!: number;
  reduce($1|T,T,number), reduceRight($1|T,T,number): ret<$0>|$1; join, toString, toLocaleString: string; flat: Array<T>;
  keys: Iterator<number>; values: Iterator<T>; entries: Iterator<Tuple<number,T>>`;
const ITERATOR = `next: IteratorResult<T>; return, throw: IteratorResult<T>; map(T,number): Iterator<ret<$0>>; filter(T,number): Iterator<T>;
  toArray: Array<T>; forEach(T,number): undefined; find(T,number): T; take, drop: Iterator<T>; some(T), every(T): boolean; reduce($1|T,T): ret<$0>|$1`;
const PROMISE = `then(T): Promise<await<ret<$0>>>; catch(unknown): Promise<T|await<ret<$0>>>; finally(): Promise<T>`;

export const javascriptBuiltins = new BuiltinTable([
  {
    type: 'Array',
    parameters: 'T',
    element: 'T',
    index: 'T',
    members: ARRAY,
    statics: 'from@1(elem<$0>,number): Array<elem<$0>>; of: Array<$0>; isArray: boolean',
  },
  { type: 'Tuple', parameters: 'T', element: 'T', members: ARRAY },
  {
    type: 'Map',
    parameters: 'K,V',
    element: 'Tuple<K,V>',
    members:
      'get: V; set: this; has, delete: boolean; clear: undefined; size!: number; keys: Iterator<K>; values: Iterator<V>; entries: Iterator<Tuple<K,V>>; forEach(V,K,this): undefined',
    statics: 'groupBy(elem<$0>): Map<unknown,Array<elem<$0>>>',
  },
  { type: 'WeakMap', parameters: 'K,V', members: 'get: V; set: this; has, delete: boolean' },
  {
    type: 'Set',
    parameters: 'T',
    element: 'T',
    members:
      'add: this; has, delete: boolean; clear: undefined; size!: number; keys, values: Iterator<T>; entries: Iterator<Tuple<T,T>>; forEach(T,T,this): undefined; union, intersection, difference: this',
  },
  { type: 'WeakSet', parameters: 'T', members: 'add: this; has, delete: boolean' },
  { type: 'WeakRef', parameters: 'T', members: 'deref: T' },
  { type: 'Record', parameters: 'K,V', index: 'V', other: 'V' },
  {
    type: 'Promise',
    parameters: 'T',
    awaits: 'T',
    members: PROMISE,
    statics:
      'resolve: Promise<await<$0>>; reject: Promise<unknown>; all: Promise<Array<await<elem<$0>>>>; race, any: Promise<await<elem<$0>>>; allSettled: Promise<Array<Settled<await<elem<$0>>>>>',
  },
  { type: 'Settled', parameters: 'T', members: 'value!: T; status!: string' },
  { type: 'Iterator', parameters: 'T', element: 'T', members: ITERATOR },
  { type: 'AsyncIterator', parameters: 'T', element: 'T', members: 'next: Promise<IteratorResult<T>>; return, throw: Promise<IteratorResult<T>>' },
  { type: 'IteratorResult', parameters: 'T', members: 'value!: T; done!: boolean' },
  {
    type: 'string',
    element: 'string',
    index: 'string',
    members:
      'length!, indexOf, lastIndexOf, search, charCodeAt, codePointAt, localeCompare: number; split: Array<string>; match: Array<string>; matchAll: Iterator<Array<string>>; startsWith, endsWith, includes: boolean; at, charAt, concat, normalize, padEnd, padStart, repeat, slice, substr, substring, toLowerCase, toUpperCase, toLocaleLowerCase, toLocaleUpperCase, toString, trim, trimEnd, trimStart, valueOf: string; replace@1(string,string,string), replaceAll@1(string,string,string): string',
  },
  { type: 'number' },
  { type: 'boolean' },
  { type: 'bigint' },
  { type: 'symbol' },
  { type: 'regexp' },
  { type: 'null' },
  { type: 'undefined' },
  { type: 'Date', statics: 'now: number' },
  { type: 'Error' },
  { type: 'Function', members: 'name: string; length!: number' },
  {
    type: 'Object',
    statics:
      'keys, getOwnPropertyNames: Array<string>; values: Array<props<$0>>; entries: Array<Tuple<string,props<$0>>>; assign: $0|$1|$2; freeze, seal, preventExtensions, defineProperty, setPrototypeOf: $0; create: $0; fromEntries: Record<string,elem<elem<$0>>>; getPrototypeOf: unknown',
  },
  { type: 'Reflect', statics: 'construct: new<$0>' },
  { type: 'JSON' },
  { type: 'Math' },
  { type: 'Symbol' },
  { type: 'String', statics: 'raw, fromCharCode, fromCodePoint: string' },
  { type: 'Number' },
  { type: 'Boolean' },
  { type: 'BigInt' },
  { type: 'RegExp' },
]);

/** Type names that mean another built-in type, and type functions that hand on their first argument. */
export const JAVASCRIPT_ALIASES: Readonly<Record<string, string>> = {
  ReadonlyArray: 'Array',
  ArrayLike: 'Array',
  ConcatArray: 'Array',
  Iterable: 'Iterator',
  IterableIterator: 'Iterator',
  Generator: 'Iterator',
  MapIterator: 'Iterator',
  SetIterator: 'Iterator',
  ArrayIterator: 'Iterator',
  AsyncIterable: 'AsyncIterator',
  AsyncIterableIterator: 'AsyncIterator',
  AsyncGenerator: 'AsyncIterator',
  ReadonlyMap: 'Map',
  ReadonlySet: 'Set',
  PromiseLike: 'Promise',
  TypeError: 'Error',
  RangeError: 'Error',
  SyntaxError: 'Error',
  ReferenceError: 'Error',
  EvalError: 'Error',
  URIError: 'Error',
  AggregateError: 'Error',
  RegExp: 'regexp',
  String: 'string',
  Number: 'number',
  Boolean: 'boolean',
  void: 'undefined',
};

/** Type functions whose result has the members of their first argument. */
export const SAME_AS_ARGUMENT: ReadonlySet<string> = new Set([
  'Partial',
  'Readonly',
  'Required',
  'NonNullable',
  'Pick',
  'Omit',
  'Exclude',
  'Extract',
  'NoInfer',
  'ThisType',
  'DeepPartial',
]);

/** Names every JavaScript host defines; a project declaration of the same name comes first. */
export const JAVASCRIPT_GLOBALS: ReadonlySet<string> = new Set(
  `AbortController AbortSignal AggregateError ArrayBuffer Atomics Blob Buffer BroadcastChannel CustomEvent DataView DOMException Element Event EventSource EventTarget FileReader FinalizationRegistry FormData Float32Array Float64Array Headers HTMLElement Image Infinity Int16Array Int32Array Int8Array Intl MessageChannel MessagePort MutationObserver NaN Node NodeJS Proxy Request ResizeObserver Response SharedArrayBuffer TextDecoder TextEncoder URL URLSearchParams Uint16Array Uint32Array Uint8Array Uint8ClampedArray WebAssembly WebSocket Worker XMLHttpRequest addEventListener alert any atob btoa cancelAnimationFrame clearImmediate clearInterval clearTimeout confirm console crypto decodeURI decodeURIComponent describe document encodeURI encodeURIComponent escape eval fetch global globalThis history importScripts isFinite isNaN it localStorage location navigator never object parseFloat parseInt performance postMessage process prompt queueMicrotask removeEventListener requestAnimationFrame require self sessionStorage setImmediate setInterval setTimeout structuredClone test unescape unknown window expect beforeEach afterEach before after beforeAll afterAll jest vi suite __dirname __filename arguments exports module`.split(
    /\s+/,
  ),
);

/** Objects whose members are the global names. */
export const GLOBAL_OBJECTS: ReadonlySet<string> = new Set(['window', 'self', 'globalThis', 'global', 'frames', 'parent', 'top']);

const INTERFACES: Readonly<Record<string, string>> = { Tuple: 'Array', string: 'String', number: 'Number', boolean: 'Boolean', regexp: 'RegExp' };

/** Interface that declares the members of a built-in type. */
export function interfaceOf(builtin: string): string {
  return INTERFACES[builtin] ?? builtin;
}

/** Objects of hosts by the interface that types them, and types of libraries by the one that is there to be added to. */
export const OUTSIDE_INSTANCES: Readonly<Record<string, readonly string[]>> = {
  Window: ['window', 'self', 'frames', 'parent', 'top'],
  Document: ['document', 'window.document'],
  Navigator: ['navigator', 'window.navigator'],
  Location: ['location', 'window.location', 'document.location'],
  Console: ['console'],
  'NodeJS.Process': ['process'],
  'NodeJS.ProcessEnv': ['process.env'],
  'Express.Request': ['express.Request', 'express-serve-static-core.Request'],
  'Express.Response': ['express.Response', 'express-serve-static-core.Response'],
  'Express.Application': ['express.Application', 'express-serve-static-core.Application'],
  'express-serve-static-core.Request': ['express.Request'],
  'express-serve-static-core.Response': ['express.Response'],
  'express-serve-static-core.Application': ['express.Application'],
};
