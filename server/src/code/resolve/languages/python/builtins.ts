import { BuiltinTable } from '../builtinTable';

const LIST = 'append, extend, insert, remove, clear, sort, reverse: None; pop: T; copy: list<T>; index, count: int';
const TEXT = `split, rsplit, splitlines: list<str>; partition, rpartition: tuple<str,str,str>; encode: bytes; index, find, rfind, rindex, count: int;
  startswith, endswith, isdigit, isalpha, isalnum, isupper, islower, isspace, isidentifier, isnumeric, isdecimal, istitle: bool;
  capitalize, casefold, center, expandtabs, format, format_map, join, ljust, lower, lstrip, replace, rjust, rstrip, strip, swapcase, title, translate, upper, zfill, removeprefix, removesuffix: str`;

export const pythonBuiltins = new BuiltinTable([
  { type: 'list', parameters: 'T', element: 'T', index: 'T', members: LIST },
  /** A list whose elements are known by position. */
  { type: 'list#', parameters: 'T', element: 'T', isPositional: true, members: LIST },
  { type: 'deque', parameters: 'T', element: 'T', index: 'T', members: `${LIST}; popleft: T; appendleft, extendleft, rotate: None` },
  { type: 'tuple', parameters: 'T', element: 'T', isPositional: true, members: 'index, count: int' },
  {
    type: 'set',
    parameters: 'T',
    element: 'T',
    members:
      'add, remove, discard, update, clear: None; pop: T; copy, union, intersection, difference, symmetric_difference: set<T>; issubset, issuperset, isdisjoint: bool',
  },
  {
    type: 'dict',
    parameters: 'K,V',
    element: 'K',
    index: 'V',
    other: 'V',
    members:
      'get: V|$1; pop: V|$1; setdefault: V|$1; keys: Iterator<K>; values: Iterator<V>; items: Iterator<tuple<K,V>>; popitem: tuple<K,V>; copy: dict<K,V>; update, clear: None; move_to_end: None',
    statics: 'fromkeys: dict<elem<$0>,$1>',
  },
  { type: 'Iterator', parameters: 'T', element: 'T', entered: 'T', members: 'send, throw: T; close: None; __next__: T; __iter__: this' },
  { type: 'WeakReference', parameters: 'T', call: '(): T', members: '' },
  { type: 'AsyncIterator', parameters: 'T', element: 'T', entered: 'T', members: '__anext__: Coroutine<T>' },
  { type: 'Coroutine', parameters: 'T', awaits: 'T' },
  { type: 'type', parameters: 'T', isOfClasses: true },
  { type: 'str', element: 'str', index: 'str', members: TEXT },
  {
    type: 'bytes',
    element: 'int',
    members:
      'decode: str; split: list<bytes>; strip, replace, join, lower, upper, lstrip, rstrip: bytes; find, index, count: int; startswith, endswith: bool; hex: str',
  },
  { type: 'bytearray', element: 'int', members: 'decode: str; extend, append: None' },
  { type: 'int' },
  { type: 'float' },
  { type: 'complex' },
  { type: 'bool' },
  { type: 'None' },
  { type: 'object' },
  { type: 'range', element: 'int' },
  { type: 'slice' },
  { type: 'property' },
  { type: 'Exception' },
  { type: 'function' },
]);

/** Results of built-in and standard functions that hand on project values; the rest give something external. */
export const pythonFunctions = new BuiltinTable([
  {
    type: 'functions',
    members: `list: list<elem<$0>>; tuple: tuple<elem<$0>>; set, frozenset: set<elem<$0>>; sorted, reversed: list<elem<$0>>; iter: Iterator<elem<$0>>; next: elem<$0>|$1;
      enumerate: Iterator<tuple<int,elem<$0>>>; zip: Iterator<tuple<elem<$0>,elem<$1>,elem<$2>>>; map: Iterator<ret<$0>>; filter: Iterator<elem<$1>>;
      min, max: elem<$0>|$0|$1; sum: elem<$0>; len, hash, id, ord, int, round: int; abs: $0; str, repr, chr, input, ascii, bin, hex, oct, format: str; bytes: bytes; bool, isinstance, issubclass, callable, hasattr, any, all: bool;
      dict: dict<unknown,unknown>; float: float; range: range; print: None; setattr, delattr: None; type: class<$0>; super: unknown; vars: dict<str,unknown>; open: external; staticmethod, classmethod, property: $0;
      functools.partial: $0; functools.wraps: identity; functools.lru_cache: $0|identity; functools.cache: $0; functools.cached_property: $0; functools.reduce: ret<$0>|$2; functools.update_wrapper: $0; functools.singledispatch: $0; functools.total_ordering: $0;
      copy.copy, copy.deepcopy, weakref.proxy, typing.cast, cast: $0; contextlib.closing: $0; contextlib.nullcontext: $0; contextlib.contextmanager: $0; contextlib.asynccontextmanager: $0;
      collections.defaultdict: dict<unknown,ret<$0>>; collections.OrderedDict: dict<unknown,unknown>; collections.deque: deque<elem<$0>>; collections.Counter: dict<elem<$0>,int>;
      itertools.chain: Iterator<elem<$0>|elem<$1>>; itertools.islice, itertools.takewhile: Iterator<elem<$0>>; itertools.cycle: Iterator<elem<$0>>;
      asyncio.create_task, asyncio.ensure_future, asyncio.shield: $0; asyncio.wait_for: $0; asyncio.run: await<$0>; asyncio.gather: Coroutine<list<await<$0>|await<$1>|await<$2>>>; dataclasses.dataclass: $0|identity; dataclasses.replace: $0; abc.abstractmethod: $0; typing.overload: $0; typing.final: $0;
      weakref.ref, weakref.WeakMethod: WeakReference<$0>; operator.attrgetter: external; types.MethodType: $0; inspect.unwrap: $0; multiprocessing.Pool: external; typing_extensions.override, typing.override: $0; atexit.register: $0`,
  },
]);

/** Names of `typing`, `collections.abc` and the like that mean a built-in type. */
export const PYTHON_ALIASES: Readonly<Record<string, string>> = {
  List: 'list',
  Sequence: 'list',
  MutableSequence: 'list',
  Collection: 'list',
  Tuple: 'tuple',
  Set: 'set',
  FrozenSet: 'set',
  AbstractSet: 'set',
  MutableSet: 'set',
  frozenset: 'set',
  Dict: 'dict',
  Mapping: 'dict',
  MutableMapping: 'dict',
  DefaultDict: 'dict',
  defaultdict: 'dict',
  OrderedDict: 'dict',
  ChainMap: 'dict',
  Counter: 'dict',
  WeakKeyDictionary: 'dict',
  WeakValueDictionary: 'dict',
  Deque: 'deque',
  Iterable: 'Iterator',
  Generator: 'Iterator',
  Reversible: 'Iterator',
  Container: 'Iterator',
  KeysView: 'Iterator',
  ValuesView: 'Iterator',
  AsyncIterable: 'AsyncIterator',
  AsyncGenerator: 'AsyncIterator',
  Awaitable: 'Coroutine',
  Future: 'Coroutine',
  Task: 'Coroutine',
  Deferred: 'Coroutine',
  Type: 'type',
  Text: 'str',
  AnyStr: 'str',
  ByteString: 'bytes',
  NoneType: 'None',
};

/** Type forms that mean one of their arguments. */
export const PYTHON_WRAPPERS: ReadonlySet<string> = new Set([
  'Optional',
  'Union',
  'Annotated',
  'Final',
  'ClassVar',
  'Required',
  'NotRequired',
  'ReadOnly',
  'InitVar',
  'TypeGuard',
]);

export const PYTHON_GLOBALS: ReadonlySet<string> = new Set(
  `ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError Ellipsis EnvironmentError ExceptionGroup False FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError ImportError ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError NotADirectoryError NotImplemented NotImplementedError OSError OverflowError PendingDeprecationWarning PermissionError ProcessLookupError RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError True TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning WindowsError ZeroDivisionError __build_class__ __debug__ __doc__ __file__ __import__ __loader__ __name__ __package__ __path__ __spec__ abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex copyright credits delattr dict dir divmod enumerate eval exec exit filter float format frozenset getattr globals hasattr hash help hex id input int isinstance issubclass iter len license list locals map max memoryview min next object oct open ord pow print property quit range repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip reveal_type Exception`.split(
    /\s+/,
  ),
);
