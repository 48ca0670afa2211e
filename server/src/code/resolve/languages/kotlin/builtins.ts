import { BuiltinTable } from '../builtinTable';

/** Functions that every value has. */
const ANY = `let(this): ret<$0>; also(this): this; run: ret<$0>; apply: this; takeIf(this), takeUnless(this): this; to: Pair<this,$0>; toString: String; hashCode: Int; equals: Boolean; javaClass!: external; use(this): ret<$0>`;

/** What Kotlin adds to everything that can be iterated. */
export const ITERABLE_EXTENSIONS = `map(T): List<ret<$0>>; mapNotNull(T): List<ret<$0>>; mapIndexed(Int,T): List<ret<$0>>; mapIndexedNotNull(Int,T): List<ret<$0>>; flatMap(T): List<elem<ret<$0>>>; forEach(T), onEach(T): this; forEachIndexed(Int,T): Unit;
  filter(T), filterNot(T), filterNotNull, filterIndexed(Int,T), sortedBy(T), sortedByDescending(T), sortedWith, sorted, sortedDescending, reversed, shuffled, distinct, distinctBy(T), take, drop, takeWhile(T), dropWhile(T), takeLast, dropLast, dropLastWhile(T), takeLastWhile(T), plus, minus, toList, toMutableList, asReversed, asSequence, asIterable, toSet, toMutableSet, toHashSet, toTypedArray, toCollection, intersect, union, subtract, onEachIndexed(Int,T), subList, slice: List<T>;
  first(T), last(T), single(T), firstOrNull(T), lastOrNull(T), singleOrNull(T), find(T), findLast(T), elementAt, elementAtOrNull, getOrNull, random, randomOrNull, minByOrNull(T), maxByOrNull(T), minBy(T), maxBy(T), maxWith, minWith, reduce(T,T), reduceOrNull(T,T), min, max, minOrNull, maxOrNull: T;
  firstNotNullOf(T), firstNotNullOfOrNull(T): ret<$0>; getOrElse: T; ifEmpty: this; any(T), all(T), none(T): Boolean; count(T), sumOf(T), sumBy(T), indexOfFirst(T), indexOfLast(T): Int; joinToString@0(T): String; fold@1(unknown,T): $0; foldIndexed@1(Int,unknown,T): $0;
  groupBy(T): Map<ret<$0>,List<T>>; associateBy(T): Map<ret<$0>,T>; associateWith(T): Map<T,ret<$0>>; associate(T): Map<unknown,unknown>; partition(T): Pair<List<T>,List<T>>; zip: List<Pair<T,elem<$0>>>; zipWithNext: List<Pair<T,T>>; withIndex: List<IndexedValue<T>>; chunked, windowed: List<List<T>>; flatten: List<elem<T>>; filterIsInstance: List<unknown>; iterator, listIterator: Iterator<T>;
  component1!, component2!, component3!, component4!, component5!: T`;

const COLLECTION = `${ANY}; ${ITERABLE_EXTENSIONS}; size!: Int; indices!: IntRange; lastIndex!: Int; add, remove, addAll, removeAll(T), retainAll(T), contains, containsAll, isEmpty, isNotEmpty, isNullOrEmpty: Boolean; clear: Unit; stream: List<T>; orEmpty: this; removeIf(T): Boolean`;

const MAP = `${ANY}; get, getValue, getOrDefault, put, remove, putIfAbsent: V; set: Unit; getOrElse@1(): V; getOrPut@1(): V; computeIfAbsent@1(K): V; keys!: Set<K>; values!: List<V>; entries!: Set<Entry<K,V>>; size!: Int; forEach(Entry<K,V>): Unit; map(Entry<K,V>): List<ret<$0>>; mapNotNull(Entry<K,V>): List<ret<$0>>; flatMap(Entry<K,V>): List<elem<ret<$0>>>;
  filter(Entry<K,V>), filterNot(Entry<K,V>), filterKeys(K), filterValues(V), toMap, toMutableMap, toSortedMap, plus, minus, orEmpty, onEach(Entry<K,V>): this; mapValues(Entry<K,V>): Map<K,ret<$0>>; mapKeys(Entry<K,V>): Map<ret<$0>,V>; any(Entry<K,V>), all(Entry<K,V>), none(Entry<K,V>), containsKey, containsValue, isEmpty, isNotEmpty: Boolean; toList: List<Pair<K,V>>; count(Entry<K,V>): Int; clear, putAll: Unit; asSequence: List<Entry<K,V>>;
  maxByOrNull(Entry<K,V>), minByOrNull(Entry<K,V>), firstNotNullOf(Entry<K,V>): Entry<K,V>; iterator: Iterator<Entry<K,V>>; sortedBy(Entry<K,V>): List<Entry<K,V>>`;

const TEXT = `${ANY}; length!, lastIndex!: Int; trim, trimStart, trimEnd, trimIndent, trimMargin, substring, substringBefore, substringAfter, substringBeforeLast, substringAfterLast, replace, replaceFirst, lowercase, uppercase, toLowerCase, toUpperCase, capitalize, decapitalize, replaceFirstChar(Char), padStart, padEnd, repeat, removePrefix, removeSuffix, removeSurrounding, format, plus, reversed, take, drop, takeWhile(Char), dropWhile(Char), filter(Char), ifEmpty, ifBlank, orEmpty, intern, prependIndent, slice: String;
  split, lines, lineSequence, chunked: List<String>; toInt, toIntOrNull, indexOf, lastIndexOf, compareTo, indexOfFirst(Char), count(Char): Int; toLong, toLongOrNull: Long; toDouble, toDoubleOrNull, toFloat: Double; toBoolean, startsWith, endsWith, contains, isEmpty, isNotEmpty, isBlank, isNotBlank, isNullOrEmpty, isNullOrBlank, matches, any(Char), all(Char), none(Char): Boolean; first(Char), last(Char), get, single: Char; forEach(Char): Unit; map(Char): List<ret<$0>>; toByteArray, encodeToByteArray: external; toRegex: external`;

/** Types of the standard library that hand on values of the project, and those that are well known to be outside. */
export const kotlinBuiltins = new BuiltinTable([
  { type: 'Any', members: ANY },
  {
    type: 'Scope',
    parameters: 'T',
    members:
      'let(T): ret<$0>; also(T): T; run: ret<$0>; apply: T; takeIf(T), takeUnless(T): T; to: Pair<T,$0>; use(T): ret<$0>; javaClass!: external; runCatching: Optional<ret<$0>>',
  },
  { type: 'Unit' },
  { type: 'Nothing' },
  { type: 'null' },
  { type: 'String', element: 'Char', index: 'Char', members: TEXT },
  { type: 'CharSequence', element: 'Char', index: 'Char', members: TEXT },
  { type: 'StringBuilder', members: `${ANY}; append, appendLine, insert, deleteCharAt, setLength: this; length!: Int` },
  ...['Int', 'Long', 'Short', 'Byte', 'Float', 'Double', 'Number', 'Char', 'UInt', 'ULong', 'UByte'].map(type => ({
    type,
    members: `${ANY}; toInt: Int; toLong: Long; toDouble: Double; toFloat: Float; toShort: Short; toByte: Byte; toChar, lowercaseChar, uppercaseChar: Char; plus, minus, times, div, rem, mod, inc, dec, coerceAtLeast, coerceAtMost, coerceIn, and, or, xor, shl, shr, ushr, inv: this; until, downTo, rangeTo: IntRange; compareTo: Int; isDigit, isLetter, isWhitespace, isUpperCase, isLowerCase, isLetterOrDigit: Boolean; digitToInt: Int`,
  })),
  { type: 'Boolean', members: `${ANY}; not, and, or, xor: Boolean` },
  {
    type: 'IntRange',
    element: 'Int',
    members: `${ANY}; first!, last!: Int; step, reversed: IntRange; map(Int): List<ret<$0>>; forEach(Int): Unit; toList: List<Int>; contains: Boolean; filter(Int): List<Int>; associateWith(Int): Map<Int,ret<$0>>; any(Int), all(Int), none(Int): Boolean; flatMap(Int): List<elem<ret<$0>>>`,
  },
  { type: 'Array', parameters: 'T', element: 'T', index: 'T', members: `${COLLECTION}; get: T; set: Unit; contentEquals: Boolean` },
  { type: 'Iterable', parameters: 'T', element: 'T', members: COLLECTION },
  {
    type: 'List',
    parameters: 'T',
    element: 'T',
    index: 'T',
    members: `${COLLECTION}; get, set, removeAt, removeFirst, removeLast, removeFirstOrNull, removeLastOrNull, addFirst, addLast, pop, poll, peek, push: T; indexOf, lastIndexOf: Int; sortBy(T), sortWith, sort, reverse, replaceAll(T), fill: Unit`,
  },
  { type: 'Set', parameters: 'T', element: 'T', members: COLLECTION },
  { type: 'Map', parameters: 'K,V', element: 'Entry<K,V>', index: 'V', members: MAP },
  { type: 'Entry', parameters: 'K,V', members: `${ANY}; key!, component1!: K; value!, component2!: V; setValue: V; toPair: Pair<K,V>` },
  { type: 'Pair', parameters: 'A,B', members: `${ANY}; first!, component1!: A; second!, component2!: B; copy: this; toList: List<A|B>` },
  { type: 'Triple', parameters: 'A,B,C', members: `${ANY}; first!, component1!: A; second!, component2!: B; third!, component3!: C` },
  { type: 'IndexedValue', parameters: 'T', members: 'index!, component1!: Int; value!, component2!: T' },
  {
    type: 'Iterator',
    parameters: 'T',
    element: 'T',
    members: `${ANY}; next, previous: T; hasNext, hasPrevious: Boolean; forEach(T): Unit; remove: Unit; asSequence: List<T>`,
  },
  {
    type: 'Optional',
    parameters: 'T',
    unwrap: 'T',
    members: `${ANY}; getOrNull, getOrThrow, get, orElseThrow, orElse: T; getOrElse: T; getOrDefault: T; onSuccess(T): this; onFailure: this; map(T): Optional<ret<$0>>; fold(T): ret<$0>; isSuccess!, isFailure!: Boolean; recover: this`,
  },
  { type: 'Lazy', parameters: 'T', unwrap: 'T', members: `${ANY}; value!: T; getValue: T; isInitialized: Boolean` },
  { type: 'Deferred', parameters: 'T', members: `${ANY}; await, getCompleted: T; join, cancel: Unit` },
  {
    type: 'Flow',
    parameters: 'T',
    members: `${ANY}; map(T): Flow<ret<$0>>; filter(T), onEach(T), catch, flowOn, distinctUntilChanged, take, drop, debounce, stateIn, shareIn, onStart, onCompletion, conflate, buffer: this; collect(T), collectLatest(T), launchIn, emit, tryEmit: Unit; first, firstOrNull, single: T; value!: T; flatMapLatest(T): ret<$0>; mapLatest(T): Flow<ret<$0>>; toList: List<T>; asStateFlow, asSharedFlow: this; update(T): Unit`,
  },
  { type: 'Holder', parameters: 'T', members: `${ANY}; get, getAndSet: T; set: Unit; value!: T; compareAndSet: Boolean` },
  { type: 'KClass', parameters: 'T', members: 'java!: external; simpleName!, qualifiedName!: String; isInstance: Boolean' },
  {
    type: 'Enum',
    parameters: 'T',
    members: `name!: String; ordinal!: Int; compareTo: Int; declaringJavaClass!: external`,
    statics: 'values: Array<T>; entries!: List<T>; valueOf: T',
  },
  { type: 'Comparator', parameters: 'T', call: '(T,T): Int', members: 'compare: Int; reversed, thenBy(T), thenByDescending(T): this' },
  { type: 'Tuple', parameters: 'T' },
]);

/** Functions of the standard library by name. */
export const kotlinFunctions = new BuiltinTable([
  {
    type: 'functions',
    members: `listOf, mutableListOf, arrayListOf, listOfNotNull, sequenceOf: List<$0>; setOf, mutableSetOf, hashSetOf, linkedSetOf, setOfNotNull: Set<$0>; arrayOf: Array<$0>; emptyList, emptySequence: List<unknown>; emptySet: Set<unknown>; emptyMap, mapOf, mutableMapOf, hashMapOf, linkedMapOf: Map<unknown,unknown>;
      lazy: Lazy<ret<$0>|ret<$1>>; lazyOf: Lazy<$0>; run: ret<$0>; with: ret<$1>; runBlocking, withContext, coroutineScope, supervisorScope, synchronized, measureTimedValue, runCatching: ret<$0>|ret<$1>; async: Deferred<ret<$0>|ret<$1>>; requireNotNull, checkNotNull: $0; maxOf, minOf: $0|$1; Pair: Pair<$0,$1>; Triple: Triple<$0,$1,$2>; generateSequence: List<$0|ret<$0>>; List, MutableList: List<ret<$1>>; Array: Array<ret<$1>>; buildString: String; buildList: List<unknown>; compareBy, compareByDescending: Comparator<unknown>;
      Delegates.observable, Delegates.vetoable, properties.Delegates.observable, properties.Delegates.vetoable: Lazy<$0>; MutableStateFlow, flowOf: Flow<$0>; mutableStateOf: Holder<$0>; remember: ret<$0>; AtomicReference: Holder<$0>`,
  },
]);

function aliases(type: string, names: string): Readonly<Record<string, string>> {
  return Object.fromEntries(names.split(' ').map(name => [name, type]));
}

export const KOTLIN_ALIASES: Readonly<Record<string, string>> = {
  ...aliases(
    'List',
    'MutableList ArrayList LinkedList Sequence CopyOnWriteArrayList ArrayDeque Deque Queue Stack Vector AbstractList AbstractMutableList Stream ImmutableList PersistentList Collection MutableCollection AbstractCollection',
  ),
  ...aliases('Set', 'MutableSet HashSet LinkedHashSet TreeSet SortedSet EnumSet AbstractSet ImmutableSet PersistentSet'),
  ...aliases(
    'Map',
    'MutableMap HashMap LinkedHashMap TreeMap SortedMap ConcurrentHashMap ConcurrentMap AbstractMap EnumMap WeakHashMap ImmutableMap PersistentMap',
  ),
  ...aliases('Iterable', 'MutableIterable'),
  ...aliases('Iterator', 'MutableIterator ListIterator MutableListIterator'),
  ...aliases('Entry', 'MutableEntry'),
  ...aliases('Optional', 'Result'),
  ...aliases('Flow', 'StateFlow MutableStateFlow SharedFlow MutableSharedFlow Channel LiveData MutableLiveData'),
  ...aliases('Holder', 'AtomicReference ThreadLocal WeakReference SoftReference State MutableState'),
  ...aliases('IntRange', 'LongRange CharRange IntProgression'),
  ...aliases('Deferred', 'CompletableDeferred CompletableFuture Future'),
};

/** What needs no import and is in neither table. */
export const KOTLIN_GLOBALS: ReadonlySet<string> = new Set(
  `println print require check error \x54ODO repeat readLine readln assert use enumValues enumValueOf intArrayOf longArrayOf byteArrayOf charArrayOf doubleArrayOf booleanArrayOf floatArrayOf arrayOfNulls emptyArray buildMap buildSet sortedSetOf sortedMapOf sequence iterator suspendCoroutine launch delay thread
  listOf mutableListOf arrayListOf listOfNotNull sequenceOf setOf mutableSetOf hashSetOf linkedSetOf setOfNotNull arrayOf emptyList emptySequence emptySet emptyMap mapOf mutableMapOf hashMapOf linkedMapOf lazy lazyOf run with runBlocking withContext coroutineScope supervisorScope synchronized runCatching async requireNotNull checkNotNull maxOf minOf generateSequence buildString buildList compareBy compareByDescending remember
  Exception RuntimeException IllegalStateException IllegalArgumentException NullPointerException IndexOutOfBoundsException UnsupportedOperationException NoSuchElementException ClassCastException NumberFormatException ConcurrentModificationException ArithmeticException AssertionError Error Throwable NotImplementedError InterruptedException
  Annotation Cloneable Comparable Function Suppress Deprecated Throws JvmStatic JvmField JvmName JvmOverloads JvmInline Volatile Synchronized Transient OptIn RequiresOptIn Target Retention PublishedApi DslMarker ExperimentalStdlibApi Override IntArray LongArray ByteArray CharArray DoubleArray FloatArray BooleanArray ShortArray Math System Thread Runnable AutoCloseable Object Class Regex RegexOption Charsets Random java javax kotlin kotlinx android androidx`.split(
    /\s+/,
  ),
);
