import { BuiltinTable } from '../builtinTable';

const ITERABLE = 'iterator: Iterator<T>; forEach(T): void; spliterator: Object';
const COLLECTION = `${ITERABLE}; stream, parallelStream: Stream<T>; toArray: Array<T>; size: int; removeIf(T): boolean;
  isEmpty, contains, containsAll, add, addAll, removeAll, retainAll: boolean; clear: void`;
const STREAM_REST = 'limit, skip, distinct, parallel, sequential, unordered, onClose, asDoubleStream, asLongStream: this; count: long; close: void';
const NUMBER_STREAM = `${STREAM_REST}; map, filter, peek, sorted: this; mapToObj(int): Stream<ret<$0>>; boxed: Stream<Integer>; forEach(int): void;
  sum, max, min, average, findFirst, findAny: Object; anyMatch(int), allMatch(int), noneMatch(int): boolean; toArray: Array<int>`;
const BOX = 'intValue: int; longValue: long; doubleValue: double; floatValue: float; toString: String; equals: boolean; hashCode, compareTo: int';

/** Types of the standard library that hand on values of the project, and those that are well known to be outside. */
export const javaBuiltins = new BuiltinTable([
  {
    type: 'Object',
    members: 'toString: String; equals: boolean; hashCode: int; getClass: Class<this>; notify, notifyAll, wait, finalize: void; clone: this',
  },
  {
    type: 'String',
    members: `trim, strip, substring, toLowerCase, toUpperCase, replace, replaceAll, replaceFirst, concat, intern, repeat, toString, formatted, indent, stripIndent, stripLeading, stripTrailing, translateEscapes: String;
      length, indexOf, lastIndexOf, compareTo, compareToIgnoreCase, codePointAt, hashCode: int; charAt: char; split: Array<String>; toCharArray: Array<char>; getBytes: Array<byte>;
      isEmpty, isBlank, equals, equalsIgnoreCase, contains, startsWith, endsWith, matches, contentEquals, regionMatches: boolean; chars, codePoints: IntStream; lines: Stream<String>; getClass: Class<String>;
      subSequence: CharSequence`,
    statics: 'valueOf, format, join, copyValueOf: String',
  },
  { type: 'CharSequence', members: 'length: int; charAt: char; subSequence: CharSequence; toString: String; isEmpty: boolean; chars: IntStream' },
  {
    type: 'StringBuilder',
    members: 'append, insert, reverse, deleteCharAt, delete, replace: this; toString, substring: String; length, indexOf: int; charAt: char',
  },
  { type: 'int' },
  { type: 'long' },
  { type: 'short' },
  { type: 'byte' },
  { type: 'char' },
  { type: 'float' },
  { type: 'double' },
  { type: 'boolean' },
  { type: 'void' },
  { type: 'null' },
  { type: 'Integer', members: BOX, statics: 'valueOf: Integer; parseInt: int; toString, toHexString: String' },
  { type: 'Long', members: BOX, statics: 'valueOf: Long; parseLong: long; toString: String' },
  { type: 'Short', members: BOX, statics: 'valueOf: Short' },
  { type: 'Byte', members: BOX, statics: 'valueOf: Byte' },
  { type: 'Float', members: BOX, statics: 'valueOf: Float; parseFloat: float' },
  { type: 'Double', members: BOX, statics: 'valueOf: Double; parseDouble: double' },
  { type: 'Number', members: BOX },
  { type: 'Boolean', members: 'booleanValue: boolean', statics: 'valueOf: Boolean; parseBoolean: boolean; toString: String' },
  { type: 'Character', members: 'charValue: char', statics: 'valueOf: Character; toString: String' },
  { type: 'Class', parameters: 'T', members: 'cast, newInstance: T; getSimpleName, getName: String; getEnumConstants: Array<T>; isInstance: boolean' },
  { type: 'Enum', parameters: 'T', members: 'name: String; ordinal, compareTo: int; getDeclaringClass: Class<T>', statics: 'values: Array<T>; valueOf: T' },
  { type: 'Record' },
  { type: 'Array', parameters: 'T', element: 'T', index: 'T', members: 'length!: int; clone: this; getClass: Class<this>; equals: boolean; hashCode: int' },
  { type: 'Iterable', parameters: 'T', element: 'T', members: ITERABLE },
  { type: 'Collection', parameters: 'T', element: 'T', members: `${COLLECTION}; remove: boolean` },
  {
    type: 'List',
    parameters: 'T',
    element: 'T',
    members: `${COLLECTION}; get, set, remove, getFirst, getLast, removeFirst, removeLast, elementAt, firstElement, lastElement, pop, peek, push, poll, pollFirst, pollLast, peekFirst, peekLast, element, first, last: T;
      listIterator, descendingIterator: Iterator<T>; subList, reversed: this; replaceAll(T): void; sort(T,T): void; indexOf, lastIndexOf: int; addFirst, addLast: void; offer: boolean; clone: this`,
    statics: 'of: List<$0>; copyOf: $0',
  },
  {
    type: 'Set',
    parameters: 'T',
    element: 'T',
    members: `${COLLECTION}; remove: boolean; first, last, higher, lower, ceiling, floor, pollFirst, pollLast, getFirst, getLast: T; headSet, tailSet, subSet, descendingSet: this; descendingIterator: Iterator<T>`,
    statics: 'of: Set<$0>; copyOf: $0',
  },
  {
    type: 'Map',
    parameters: 'K,V',
    members: `get, getOrDefault, put, remove, replace, putIfAbsent: V; computeIfAbsent@1(K): V; computeIfPresent@1(K,V): V; compute@1(K,V): V; merge@2(V,V): V;
      keySet, navigableKeySet, descendingKeySet: Set<K>; keys: Iterator<K>; elements: Iterator<V>; values: Collection<V>; entrySet: Set<Entry<K,V>>; forEach(K,V): void; replaceAll(K,V): void;
      firstEntry, lastEntry, floorEntry, ceilingEntry, higherEntry, lowerEntry, pollFirstEntry, pollLastEntry: Entry<K,V>; firstKey, lastKey, floorKey, ceilingKey, higherKey, lowerKey: K;
      headMap, tailMap, subMap, descendingMap, clone: this; containsKey, containsValue, isEmpty: boolean; size: int; clear, putAll: void`,
    statics: 'of: Map<$0,$1>; entry: Entry<$0,$1>; copyOf: $0; ofEntries: Map<unknown,unknown>',
  },
  { type: 'Entry', parameters: 'K,V', members: 'getKey: K; getValue, setValue: V', statics: 'comparingByKey, comparingByValue: Comparator<unknown>' },
  {
    type: 'Iterator',
    parameters: 'T',
    element: 'T',
    members: 'next, previous, nextElement: T; hasNext, hasPrevious, hasMoreElements: boolean; remove, add, set: void; forEachRemaining(T): void',
  },
  {
    type: 'Stream',
    parameters: 'T',
    element: 'T',
    members: `${STREAM_REST}; map(T): Stream<ret<$0>>; flatMap(T): Stream<elem<ret<$0>>>; filter(T), peek(T), takeWhile(T), dropWhile(T), sorted(T,T): this; mapToInt(T), mapToLong(T), mapToDouble(T): IntStream;
      forEach(T), forEachOrdered(T): void; collect, toList: List<T>; toArray: Array<T>; findFirst, findAny: Optional<T>; min(T,T), max(T,T): Optional<T>; reduce@1(T,T): T|Optional<T>;
      anyMatch(T), allMatch(T), noneMatch(T): boolean; iterator: Iterator<T>`,
    statics: 'of, ofNullable: Stream<$0>; concat: $0|$1; iterate@1($0): Stream<$0>; generate: Stream<ret<$0>>; empty: Stream<unknown>; builder: Object',
  },
  { type: 'IntStream', element: 'int', members: NUMBER_STREAM, statics: 'range, rangeClosed, of, iterate, generate, empty, concat: IntStream' },
  {
    type: 'Optional',
    parameters: 'T',
    unwrap: 'T',
    members: `get, orElseThrow: T; orElse: T|$0; orElseGet: T|ret<$0>; map(T): Optional<ret<$0>>; flatMap(T): ret<$0>; filter(T), or: this; ifPresent(T), ifPresentOrElse(T): void; stream: Stream<T>; isPresent, isEmpty: boolean`,
    statics: 'of, ofNullable: Optional<$0>; empty: Optional<unknown>',
  },
  {
    type: 'Future',
    parameters: 'T',
    members: `get, join, getNow, resultNow: T; thenApply(T), thenApplyAsync(T): Future<ret<$0>>; thenAccept(T), thenAcceptAsync(T): Future<void>; thenCompose(T), thenComposeAsync(T): ret<$0>; thenCombine@1(T): Future<ret<$1>>;
      thenRun, whenComplete(T), exceptionally, handle(T): this; complete, isDone, cancel, isCancelled: boolean`,
    statics: 'supplyAsync: Future<ret<$0>>; completedFuture: Future<$0>; runAsync, allOf, anyOf: Future<void>',
  },
  {
    type: 'Holder',
    parameters: 'T',
    members: 'get, getAndSet, getPlain, getAcquire: T; updateAndGet(T), getAndUpdate(T): T; set, lazySet, remove, clear: void; compareAndSet: boolean',
    statics: 'withInitial: Holder<ret<$0>>',
  },
  { type: 'Runnable', call: '(): void', members: 'run: void' },
  { type: 'Supplier', parameters: 'T', call: '(): T', members: 'get, call: T' },
  { type: 'Consumer', parameters: 'T', call: '(T): void', members: 'accept: void; andThen(T): this' },
  { type: 'BiConsumer', parameters: 'T,U', call: '(T,U): void', members: 'accept: void; andThen(T,U): this' },
  {
    type: 'Function',
    parameters: 'T,R',
    call: '(T): R',
    members: 'apply: R; andThen(R): Function<T,ret<$0>>; compose: Function<unknown,R>',
    statics: 'identity: Function<unknown,unknown>',
  },
  { type: 'BiFunction', parameters: 'T,U,R', call: '(T,U): R', members: 'apply: R; andThen(R): BiFunction<T,U,ret<$0>>' },
  { type: 'ToInt', parameters: 'T', call: '(T): int', members: 'applyAsInt: int; applyAsLong: long; applyAsDouble: double' },
  { type: 'UnaryOperator', parameters: 'T', call: '(T): T', members: 'apply: T' },
  { type: 'BinaryOperator', parameters: 'T', call: '(T,T): T', members: 'apply: T' },
  {
    type: 'Predicate',
    parameters: 'T',
    call: '(T): boolean',
    members: 'test: boolean; and(T), or(T), negate: this',
    statics: 'not: $0; isEqual: Predicate<unknown>',
  },
  { type: 'BiPredicate', parameters: 'T,U', call: '(T,U): boolean', members: 'test: boolean; and(T,U), or(T,U), negate: this' },
  {
    type: 'Comparator',
    parameters: 'T',
    call: '(T,T): int',
    members: 'compare: int; reversed: this; thenComparing(T), thenComparingInt(T), thenComparingLong(T), thenComparingDouble(T): this',
    statics: 'comparing, comparingInt, comparingLong, comparingDouble, naturalOrder, reverseOrder, nullsFirst, nullsLast: Comparator<unknown>',
  },
]);

/** Static members of outside classes that hand on what they are given; `java.` is left out at the front of their names. */
export const javaFunctions = new BuiltinTable([
  {
    type: 'functions',
    members: `util.Arrays.asList: List<$0>; util.Arrays.stream: Stream<elem<$0>>; util.Arrays.copyOf, util.Arrays.copyOfRange: $0;
      util.Collections.unmodifiableList, util.Collections.unmodifiableSet, util.Collections.unmodifiableMap, util.Collections.unmodifiableCollection, util.Collections.synchronizedList, util.Collections.synchronizedMap, util.Collections.unmodifiableSortedMap: $0;
      util.Collections.singletonList, util.Collections.nCopies: List<$0>; util.Collections.singleton: Set<$0>; util.Collections.singletonMap: Map<$0,$1>; util.Collections.emptyList: List<unknown>; util.Collections.emptySet: Set<unknown>; util.Collections.emptyMap: Map<unknown,unknown>;
      util.Collections.max, util.Collections.min: elem<$0>; util.Objects.requireNonNull: $0; util.Objects.requireNonNullElse: $0|$1; util.Objects.toString: String;
      util.stream.StreamSupport.stream: Stream<elem<$0>>; util.Collections.emptyIterator: Iterator<unknown>`,
  },
]);

/** Types of the standard library (and of Guava) that behave like one in the table. */
export const JAVA_ALIASES: Readonly<Record<string, string>> = {
  ...aliases(
    'List',
    'ArrayList LinkedList Vector Stack CopyOnWriteArrayList AbstractList AbstractSequentialList ImmutableList SequencedCollection Deque Queue ArrayDeque PriorityQueue BlockingQueue BlockingDeque LinkedBlockingQueue LinkedBlockingDeque ArrayBlockingQueue ConcurrentLinkedQueue ConcurrentLinkedDeque PriorityBlockingQueue',
  ),
  ...aliases(
    'Set',
    'HashSet LinkedHashSet TreeSet SortedSet NavigableSet EnumSet CopyOnWriteArraySet ConcurrentSkipListSet AbstractSet ImmutableSet ImmutableSortedSet',
  ),
  ...aliases(
    'Map',
    'HashMap LinkedHashMap TreeMap SortedMap NavigableMap ConcurrentMap ConcurrentHashMap ConcurrentSkipListMap WeakHashMap IdentityHashMap EnumMap Hashtable AbstractMap ImmutableMap ImmutableSortedMap BiMap',
  ),
  ...aliases('Collection', 'AbstractCollection ImmutableCollection'),
  ...aliases('Iterator', 'ListIterator Enumeration Spliterator'),
  ...aliases('IntStream', 'LongStream DoubleStream'),
  ...aliases('Future', 'CompletableFuture CompletionStage ScheduledFuture ListenableFuture FutureTask'),
  ...aliases('Holder', 'ThreadLocal AtomicReference WeakReference SoftReference Reference PhantomReference InheritableThreadLocal'),
  ...aliases('Supplier', 'Callable'),
  ...aliases('ToInt', 'ToIntFunction ToLongFunction ToDoubleFunction'),
  ...aliases('StringBuilder', 'StringBuffer'),
};

function aliases(type: string, names: string): Readonly<Record<string, string>> {
  return Object.fromEntries(names.split(' ').map(name => [name, type]));
}

/** What stands in `java.lang` beside the types above. */
export const JAVA_GLOBALS: ReadonlySet<string> = new Set(
  `AbstractMethodError Appendable ArithmeticException ArrayIndexOutOfBoundsException ArrayStoreException AssertionError AutoCloseable ClassCastException ClassLoader ClassNotFoundException Cloneable
  CloneNotSupportedException Comparable Deprecated Error Exception FunctionalInterface IllegalAccessException IllegalArgumentException IllegalMonitorStateException IllegalStateException
  IndexOutOfBoundsException InheritableThreadLocal InstantiationException InternalError InterruptedException LinkageError Math NegativeArraySizeException NoClassDefFoundError NoSuchFieldException
  NoSuchMethodException NullPointerException NumberFormatException OutOfMemoryError Override Process ProcessBuilder Readable ReflectiveOperationException Runtime RuntimeException SafeVarargs
  SecurityException StackOverflowError StackTraceElement StrictMath StringIndexOutOfBoundsException SuppressWarnings System Thread ThreadGroup Throwable UnsupportedOperationException VirtualMachineError Void
  java javax jdk sun`.split(/\s+/),
);
