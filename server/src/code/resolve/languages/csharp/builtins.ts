import { BuiltinTable } from '../builtinTable';

/** What every sequence has by `System.Linq`. */
const LINQ = `Where(T), OrderBy(T), OrderByDescending(T), ThenBy(T), ThenByDescending(T), TakeWhile(T), SkipWhile(T), DistinctBy(T), ExceptBy, IntersectBy, UnionBy: IEnumerable<T>;
  Skip, Take, TakeLast, SkipLast, Reverse, Distinct, Concat, Union, Except, Intersect, Append, Prepend, AsEnumerable, DefaultIfEmpty, AsParallel, AsQueryable, Order, OrderDescending, AsNoTracking, Include: IEnumerable<T>;
  Select(T): IEnumerable<ret<$0>>; SelectMany(T): IEnumerable<elem<ret<$0>>>; First(T), FirstOrDefault(T), Single(T), SingleOrDefault(T), Last(T), LastOrDefault(T), ElementAt, ElementAtOrDefault, MaxBy(T), MinBy(T): T;
  FirstAsync(T), FirstOrDefaultAsync(T), SingleAsync(T), SingleOrDefaultAsync(T): Task<T>; ToListAsync: Task<List<T>>; ToArrayAsync: Task<Array<T>>;
  Any(T), All(T), Contains, SequenceEqual: bool; Count(T), LongCount(T): int; Sum(T), Average(T): double; Max(T), Min(T): T|ret<$0>; Aggregate@1($0,T): $0|ret<$1>;
  ToList: List<T>; ToArray: Array<T>; ToHashSet: Set<T>; ToImmutableArray, ToImmutableList: List<T>; GroupBy(T): IEnumerable<Grouping<ret<$0>,T>>; ToLookup(T): IEnumerable<Grouping<ret<$0>,T>>;
  ToDictionary(T): Dictionary<ret<$0>,T>; Zip: IEnumerable<Tuple<T,elem<$0>>>; Chunk: IEnumerable<Array<T>>; GetEnumerator: Enumerator<T>; ConfigureAwait, WithCancellation: this`;
const COLLECTION = `${LINQ}; Count!, Length!, Rank!: int; Add, Clear, CopyTo, AddRange, Push, Enqueue, TryAdd, UnionWith, ExceptWith, IntersectWith: void; Remove, TryPop, TryPeek, TryDequeue, TryTake: bool; AsReadOnly, AsSpan, ToImmutable: this`;
const TEXT = `Length!: int; ToString, Trim, TrimStart, TrimEnd, Substring, Replace, ToUpper, ToLower, ToUpperInvariant, ToLowerInvariant, PadLeft, PadRight, Insert, Remove, Normalize: string;
  Split: Array<string>; ToCharArray: Array<char>; IndexOf, LastIndexOf, CompareTo, IndexOfAny, GetHashCode: int; StartsWith, EndsWith, Contains, Equals: bool; GetType: Type`;
const NUMBER = 'ToString: string; CompareTo, GetHashCode: int; Equals: bool; GetType: Type';

/** Types of the base library that hand on values of the project, and those that are well known to be outside. */
export const csharpBuiltins = new BuiltinTable([
  {
    type: 'object',
    members: 'ToString: string; Equals: bool; GetHashCode: int; GetType: Type; MemberwiseClone: this',
    statics: 'ReferenceEquals, Equals: bool',
  },
  {
    type: 'string',
    element: 'char',
    index: 'char',
    members: TEXT,
    statics: 'Join, Format, Concat, Empty!: string; IsNullOrEmpty, IsNullOrWhiteSpace, Equals: bool; Compare: int',
  },
  { type: 'char', members: NUMBER },
  { type: 'int', members: NUMBER },
  { type: 'long', members: NUMBER },
  { type: 'double', members: NUMBER },
  { type: 'decimal', members: NUMBER },
  { type: 'float', members: NUMBER },
  { type: 'byte', members: NUMBER },
  { type: 'bool', members: NUMBER },
  { type: 'null' },
  { type: 'void' },
  { type: 'dynamic' },
  { type: 'Type', members: 'Name!, FullName!: string' },
  { type: 'Array', parameters: 'T', element: 'T', index: 'T', members: `${COLLECTION}; Clone: this; GetLength: int` },
  { type: 'Span', parameters: 'T', element: 'T', index: 'T', members: 'Slice: this; ToArray: Array<T>; Length!: int; IsEmpty!: bool' },
  { type: 'Memory', parameters: 'T', members: 'Slice: this; ToArray: Array<T>; Length!: int; Span!: Span<T>' },
  { type: 'IEnumerable', parameters: 'T', element: 'T', members: LINQ },
  {
    type: 'List',
    parameters: 'T',
    element: 'T',
    index: 'T',
    members: `${COLLECTION}; Find(T), FindLast(T), Pop, Peek, Dequeue, Take: T; FindAll(T), GetRange, Slice: List<T>; ForEach(T), Insert, InsertRange, RemoveAt, RemoveRange, Sort(T,T), Reverse: void;
      RemoveAll(T), IndexOf, LastIndexOf, FindIndex(T), BinarySearch: int; Exists(T), TrueForAll(T): bool; ConvertAll(T): List<ret<$0>>`,
  },
  { type: 'LinkedList', parameters: 'T', element: 'T', members: `${COLLECTION}; First!, Last!, AddFirst, AddLast, AddBefore, AddAfter, Find: Node<T>` },
  { type: 'Node', parameters: 'T', members: 'Value!: T; Next!, Previous!: this; List!: LinkedList<T>' },
  {
    type: 'Set',
    parameters: 'T',
    element: 'T',
    members: `${COLLECTION}; Min!, Max!: T; Overlaps, IsSubsetOf, IsSupersetOf, SetEquals: bool; RemoveWhere(T): int`,
  },
  {
    type: 'Dictionary',
    parameters: 'K,V',
    element: 'Pair<K,V>',
    index: 'V',
    key: 'K',
    members: `Keys!: List<K>; Values!: List<V>; Count!: int; ContainsKey, ContainsValue, TryGetValue, TryAdd, Remove, TryRemove, TryUpdate, Any(Pair<K,V>), All(Pair<K,V>): bool; Add, Clear: void;
      GetValueOrDefault: V; GetOrAdd@1(K): V; AddOrUpdate@2(K,V): V; Where(Pair<K,V>), OrderBy(Pair<K,V>), OrderByDescending(Pair<K,V>): IEnumerable<Pair<K,V>>; Select(Pair<K,V>): IEnumerable<ret<$0>>; SelectMany(Pair<K,V>): IEnumerable<elem<ret<$0>>>;
      First(Pair<K,V>), FirstOrDefault(Pair<K,V>), Single(Pair<K,V>), Last(Pair<K,V>): Pair<K,V>; ToList: List<Pair<K,V>>; ToArray: Array<Pair<K,V>>; ToDictionary(Pair<K,V>): Dictionary<ret<$0>,ret<$1>>; GetEnumerator: Enumerator<Pair<K,V>>;
      SetItem, ToImmutableDictionary: this`,
  },
  { type: 'Pair', parameters: 'K,V', members: 'Key!: K; Value!: V', index: 'K|V' },
  { type: 'Grouping', parameters: 'K,T', element: 'T', members: `Key!: K; ${LINQ}` },
  { type: 'Enumerator', parameters: 'T', members: 'Current!: T; MoveNext: bool; MoveNextAsync: Task<bool>; Dispose, Reset: void' },
  {
    type: 'Task',
    parameters: 'T',
    awaits: 'T',
    members:
      'Result!, GetResult: T; ConfigureAwait, GetAwaiter, AsTask, WaitAsync, Unwrap: this; ContinueWith(this): Task<ret<$0>>; Wait: void; IsCompleted!, IsFaulted!: bool',
    statics:
      'FromResult: Task<$0>; Run: Task<await<ret<$0>>>; WhenAll: Task<Array<await<elem<$0>>>>; WhenAny: Task<$0>; Delay, Yield, FromException: Task<void>; CompletedTask!: Task<void>',
  },
  { type: 'Lazy', parameters: 'T', members: 'Value!: T; IsValueCreated!: bool' },
  { type: 'Holder', parameters: 'T', members: 'Value!, Target!, Task!: T; Get, Rent: T; TryGetTarget: bool; Return, SetTarget: void' },
  {
    type: 'Source',
    parameters: 'T',
    members: 'Task!: Task<T>; SetResult, SetException, SetCanceled: void; TrySetResult, TrySetException, TrySetCanceled: bool',
  },
  { type: 'Nullable', parameters: 'T', delegate: 'T', members: 'Value!, GetValueOrDefault: T; HasValue!: bool' },
  { type: 'Tuple', index: 'unknown', members: 'Item1!, Item2!, Item3!, Item4!: unknown' },
  { type: 'Delegate', members: 'Invoke, DynamicInvoke, BeginInvoke, EndInvoke: external' },
]);

/** Static members of outside classes that hand on what they are given. */
export const csharpFunctions = new BuiltinTable([
  {
    type: 'functions',
    members: `Enumerable.Empty: IEnumerable<unknown>; Enumerable.Repeat: IEnumerable<$0>; Enumerable.Range: IEnumerable<int>; Array.Empty: Array<unknown>; Array.Find, Array.FindLast: elem<$0>; Array.FindAll: $0; Array.ConvertAll: Array<ret<$1>>;
      Activator.CreateInstance: unknown; Volatile.Read, Interlocked.Exchange: $0; Interlocked.CompareExchange: $0|$2; Lazy.Create: unknown; Tuple.Create: Tuple<$0,$1,$2,$3>; KeyValuePair.Create: Pair<$0,$1>;
      ImmutableArray.Create, ImmutableList.Create, ImmutableHashSet.Create: List<$0>; ValueTask.FromResult: Task<$0>; Path.Combine, File.ReadAllText: string; Math.Max, Math.Min, Math.Abs: $0`,
  },
]);

function aliases(type: string, names: string): Readonly<Record<string, string>> {
  return Object.fromEntries(names.split(' ').map(name => [name, type]));
}

/** Types of the base library that behave like one in the table. */
export const CSHARP_ALIASES: Readonly<Record<string, string>> = {
  ...aliases('object', 'Object'),
  ...aliases('string', 'String'),
  ...aliases('bool', 'Boolean'),
  ...aliases('char', 'Char'),
  ...aliases('int', 'Int32 Int16 short ushort uint UInt32 UInt16 sbyte SByte nint nuint IntPtr UIntPtr'),
  ...aliases('long', 'Int64 ulong UInt64 Int128 UInt128'),
  ...aliases('byte', 'Byte'),
  ...aliases('double', 'Double'),
  ...aliases('float', 'Single Half'),
  ...aliases('decimal', 'Decimal'),
  ...aliases('void', 'Void'),
  ...aliases('IEnumerable', 'IOrderedEnumerable IQueryable IOrderedQueryable IAsyncEnumerable ParallelQuery DbSet'),
  ...aliases(
    'List',
    `IList ICollection IReadOnlyList IReadOnlyCollection Collection ObservableCollection ReadOnlyCollection Queue Stack ConcurrentQueue ConcurrentStack ConcurrentBag BlockingCollection ImmutableArray ImmutableList IImmutableList ArraySegment PriorityQueue ReadOnlyObservableCollection KeyedCollection SynchronizedCollection`,
  ),
  ...aliases('Set', 'HashSet ISet IReadOnlySet SortedSet ImmutableHashSet ImmutableSortedSet IImmutableSet FrozenSet'),
  ...aliases(
    'Dictionary',
    'IDictionary IReadOnlyDictionary ConcurrentDictionary SortedDictionary SortedList ImmutableDictionary IImmutableDictionary ReadOnlyDictionary FrozenDictionary OrderedDictionary ImmutableSortedDictionary ConditionalWeakTable',
  ),
  ...aliases('Pair', 'KeyValuePair'),
  ...aliases('Grouping', 'IGrouping ILookup Lookup'),
  ...aliases('Enumerator', 'IEnumerator IAsyncEnumerator'),
  ...aliases('Span', 'ReadOnlySpan'),
  ...aliases('Memory', 'ReadOnlyMemory IMemoryOwner ReadOnlySequence'),
  ...aliases('Task', 'ValueTask ConfiguredTaskAwaitable ConfiguredValueTaskAwaitable TaskAwaiter'),
  ...aliases('Source', 'TaskCompletionSource'),
  ...aliases('Holder', 'AsyncLocal ThreadLocal WeakReference StrongBox ObjectPool IOptions IOptionsMonitor IOptionsSnapshot'),
  ...aliases('Node', 'LinkedListNode'),
  ...aliases('Delegate', 'Action EventHandler MulticastDelegate'),
};

/** Sequences that a type may be passed as: `List` where `IEnumerable` is asked for. */
export const SEQUENCES: ReadonlySet<string> = new Set(['Array', 'List', 'LinkedList', 'Set', 'Dictionary', 'Grouping', 'string', 'IEnumerable']);
