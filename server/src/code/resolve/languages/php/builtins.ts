import { BuiltinTable } from '../builtinTable';

const ITERATOR = 'current: V; key: unknown; next, rewind: null; valid: bool; getInnerIterator: this; send: V; getReturn: unknown';
const STACK =
  'push, unshift, add, offsetSet, enqueue, insert, attach, detach: null; pop, shift, top, bottom, offsetGet, dequeue, extract, current: V; isEmpty: bool; count: int; toArray: array<V>; getArrayCopy: array<V>; getIterator: Iterator<V>';

/** Built-in types that hand project values on. Type arguments of iterators come with the value first. */
export const phpBuiltins = new BuiltinTable([
  { type: 'array', parameters: 'V', element: 'V', index: 'V' },
  { type: 'iterable', parameters: 'V', element: 'V', index: 'V' },
  { type: 'Tuple', parameters: 'V', element: 'V', index: 'V' },
  { type: 'string', index: 'string' },
  { type: 'int' },
  { type: 'float' },
  { type: 'bool' },
  { type: 'null' },
  { type: 'callable' },
  { type: 'Enum', parameters: 'T', members: 'from, tryFrom: T; cases: array<T>' },
  { type: 'class-string', parameters: 'T', isOfClasses: true },
  { type: 'Closure', members: 'bindTo, bind: this; call, __invoke: unknown', statics: 'fromCallable, bind: $0' },
  ...[
    'Iterator',
    'Traversable',
    'Generator',
    'IteratorAggregate',
    'ArrayIterator',
    'IteratorIterator',
    'CachingIterator',
    'NoRewindIterator',
    'Collection',
    'ArrayCollection',
  ].map(type => ({
    type,
    parameters: type.endsWith('Collection') ? 'K,V' : 'V',
    element: 'V',
    index: 'V',
    members: type.endsWith('Collection')
      ? `${ITERATOR}; first, last, get, find, reduce: V; filter(V), map(V), each(V), sortBy(V), reject(V), values, slice, unique: this; toArray, all, getValues: array<V>; add, set, removeElement: null; contains, exists, isEmpty: bool; count: int; getIterator: Iterator<V>`
      : `${ITERATOR}; getIterator: Iterator<V>; count: int; offsetGet: V; getArrayCopy: array<V>`,
  })),
  ...[
    'ArrayObject',
    'SplStack',
    'SplQueue',
    'SplDoublyLinkedList',
    'SplObjectStorage',
    'SplFixedArray',
    'SplPriorityQueue',
    'SplMinHeap',
    'SplMaxHeap',
    'WeakMap',
  ].map(type => ({
    type,
    parameters: 'V',
    element: 'V',
    index: 'V',
    members: STACK,
  })),
]);

/** Results of standard functions that hand on project values; the rest give something external. */
export const phpFunctions = new BuiltinTable([
  {
    type: 'functions',
    members: `array_map(elem<$1>): array<ret<$0>>; array_filter@1(elem<$0>): $0; array_walk@1(elem<$0>): bool; usort@1(elem<$0>,elem<$0>): bool; uasort@1(elem<$0>,elem<$0>): bool;
      array_reduce@1($2,elem<$0>): $2|ret<$1>; array_values, array_reverse, array_slice, array_unique, array_diff, array_diff_key, array_intersect, array_intersect_key, array_splice, array_pad, array_udiff: $0;
      array_merge, array_replace, array_merge_recursive: $0|$1|$2; array_pop, array_shift, end, reset, current, next, prev, array_find, array_search: elem<$0>; array_fill_keys, array_fill: array<$1|$2>; array_combine: $1;
      array_chunk: array<$0>; array_column: array<unknown>; iterator_to_array: array<elem<$0>>; array_key_first, array_key_last: string; array_keys: array<string>; range: array<int>; max, min: $0|elem<$0>;
      call_user_func, call_user_func_array: ret<$0>; get_class, get_parent_class: class<$0>; clone: $0; sprintf, implode, strtolower, strtoupper, trim, ltrim, rtrim, substr, str_replace, json_encode, serialize, ucfirst, lcfirst, basename, dirname: string;
      explode, str_split, preg_split, func_get_args, get_object_vars, compact: array<unknown>; count, strlen, time, intval, strpos, ord, crc32: int; is_string, is_array, is_object, is_callable, in_array, isset, empty, method_exists, class_exists, function_exists, array_key_exists: bool;
      Closure.fromCallable: $0; phpunit.double: new<$0>|external; phpunit.builder: external`,
  },
]);

export const PHP_ALIASES: Readonly<Record<string, string>> = {
  list: 'array',
  integer: 'int',
  boolean: 'bool',
  double: 'float',
  LazyCollection: 'Collection',
  Enumerable: 'Collection',
  PersistentCollection: 'Collection',
  ReadableCollection: 'Collection',
};
