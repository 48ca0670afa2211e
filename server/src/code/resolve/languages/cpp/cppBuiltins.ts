import { BuiltinTable } from '../builtinTable';

const ITERATED = 'begin, end, cbegin, cend, rbegin, rend, crbegin, crend, data: iterator<T>';
const COMMON = 'size, capacity, max_size, count: size_t; empty, contains: bool; clear, reserve, resize, swap, shrink_to_fit, merge: void';
const SEQUENCE = `${ITERATED}; ${COMMON}; front, back, at, emplace_back: T; push_back, pop_back, push_front, pop_front, push, pop, assign, remove, remove_if, sort, splice, fill: void;
  insert, erase, emplace: iterator<T>; top: T`;
const MAP = `begin, end, cbegin, cend, rbegin, rend, find, lower_bound, upper_bound, erase, emplace_hint: iterator<Tuple<K,V>>; ${COMMON}; at: V;
  emplace, insert, try_emplace, insert_or_assign: Tuple<iterator<Tuple<K,V>>,bool>; equal_range: Tuple<iterator<Tuple<K,V>>,iterator<Tuple<K,V>>>`;
const SET = `${ITERATED}; ${COMMON}; find, lower_bound, upper_bound, erase: iterator<T>; insert, emplace: Tuple<iterator<T>,bool>`;
const OWNER = 'get, release, lock: T; reset, swap: void; use_count: size_t; unique, expired: bool; get_deleter: external';
const TEXT = `size, length, find, rfind, find_first_of, find_last_of, find_first_not_of, find_last_not_of, compare, capacity: size_t; empty, starts_with, ends_with, contains: bool;
  substr, append, assign, insert, erase, replace: string; c_str, data, begin, end, cbegin, cend, rbegin, rend: iterator<char>; at, front, back: char;
  clear, push_back, pop_back, reserve, resize, swap, shrink_to_fit, remove_prefix, remove_suffix: void`;
const ATOMIC = 'load, exchange, fetch_add, fetch_sub: T; store, wait, notify_one, notify_all: void; compare_exchange_strong, compare_exchange_weak: bool';

/** Types of the standard libraries that hand on values of the project, and those that are well known to be outside. */
export const CPP_BUILTINS = new BuiltinTable([
  ...['int', 'size_t', 'char', 'bool', 'void', 'double', 'nullptr'].map(type => ({ type })),
  { type: 'array', parameters: 'T', element: 'T', index: 'T', unwrap: 'T', delegate: 'T', members: SEQUENCE },
  { type: 'vector', parameters: 'T', element: 'T', index: 'T', members: SEQUENCE },
  { type: 'set', parameters: 'T', element: 'T', members: SET },
  { type: 'map', parameters: 'K,V', element: 'Tuple<K,V>', index: 'V', members: MAP },
  { type: 'Tuple', parameters: 'A,B', members: 'first!: A; second!: B; swap: void' },
  { type: 'iterator', parameters: 'T', unwrap: 'T', delegate: 'T', index: 'T', element: 'T', members: 'base: this' },
  { type: 'unique_ptr', parameters: 'T', unwrap: 'T', delegate: 'T', index: 'T', members: OWNER },
  { type: 'shared_ptr', parameters: 'T', unwrap: 'T', delegate: 'T', index: 'T', members: OWNER },
  { type: 'weak_ptr', parameters: 'T', members: 'lock: shared_ptr<T>; reset, swap: void; expired: bool; use_count: size_t' },
  { type: 'optional', parameters: 'T', unwrap: 'T', delegate: 'T', members: 'value, value_or, emplace: T; has_value: bool; reset, swap: void' },
  { type: 'reference_wrapper', parameters: 'T', delegate: 'T', members: 'get: T' },
  { type: 'atomic', parameters: 'T', members: ATOMIC },
  { type: 'future', parameters: 'T', members: 'get: T; wait: void; valid: bool; share: future<T>; wait_for, wait_until: external' },
  { type: 'promise', parameters: 'T', members: 'get_future: future<T>; set_value, set_exception: void' },
  { type: 'variant', parameters: 'A,B', members: 'index: size_t; valueless_by_exception: bool; emplace: A|B' },
  { type: 'string', element: 'char', index: 'char', members: TEXT },
  { type: 'initializer_list', parameters: 'T', element: 'T', members: 'begin, end: iterator<T>; size: size_t' },
]);

/** Standard functions that hand on what they get. */
export const CPP_FUNCTIONS = new BuiltinTable([
  {
    type: 'functions',
    members: `std.max, std.min, std.move, std.forward, std.ref, std.cref, std.as_const, std.exchange, std.clamp, std.addressof, std.find, std.find_if, std.lower_bound, std.upper_bound, std.next, std.prev, std.max_element, std.min_element, std.remove_if, std.for_each: $0;
      std.make_pair, std.make_tuple: Tuple<$0,$1>; std.begin, std.end: iterator<elem<$0>>; std.make_optional: optional<$0>; std.async: future<ret<$0>>; std.accumulate: $2`,
  },
]);

/** Spelled types to the tables above. */
export const CPP_ALIASES: Readonly<Record<string, string>> = {
  list: 'vector',
  deque: 'vector',
  queue: 'vector',
  stack: 'vector',
  priority_queue: 'vector',
  forward_list: 'vector',
  span: 'vector',
  valarray: 'vector',
  unordered_set: 'set',
  multiset: 'set',
  unordered_multiset: 'set',
  unordered_map: 'map',
  multimap: 'map',
  unordered_multimap: 'map',
  pair: 'Tuple',
  tuple: 'Tuple',
  auto_ptr: 'unique_ptr',
  string_view: 'string',
  wstring: 'string',
  u16string: 'string',
  u32string: 'string',
  shared_future: 'future',
  float: 'double',
  ...Object.fromEntries(
    'unsigned signed short long ssize_t ptrdiff_t intptr_t uintptr_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t uint u_int intmax_t uintmax_t off_t time_t wchar_t char8_t char16_t char32_t'
      .split(' ')
      .map(name => [name, 'int']),
  ),
};

/** Names of the standard libraries and of compilers that are there without a declaration in the project. */
const GLOBALS: ReadonlySet<string> = new Set(
  `std boost testing absl NULL nullptr errno stdin stdout stderr EOF assert static_assert offsetof va_start va_end va_arg va_copy va_list FILE DIR
  printf fprintf sprintf snprintf vprintf vfprintf vsprintf vsnprintf asprintf vasprintf scanf fscanf sscanf puts fputs fputc putc putchar gets fgets fgetc getc getchar ungetc fopen fdopen freopen fclose fread fwrite fseek ftell fflush feof ferror rewind remove rename perror tmpfile setbuf setvbuf fileno clearerr
  malloc calloc realloc free abort exit atexit _exit getenv setenv unsetenv system abs labs div strtol strtoul strtoll strtoull strtod strtof atoi atol atof qsort bsearch rand srand
  memcpy memmove memset memcmp memchr strlen strnlen strcpy strncpy strcat strncat strcmp strncmp strcasecmp strncasecmp strchr strrchr strstr strtok strtok_r strdup strndup strerror strerror_r strspn strcspn strpbrk strcoll
  isalpha isdigit isalnum isspace isupper islower isprint ispunct iscntrl isxdigit isgraph toupper tolower
  sin cos tan asin acos atan atan2 sinh cosh tanh exp log log2 log10 pow sqrt ceil floor fabs fmod round trunc isnan isinf ldexp frexp modf hypot cbrt lround llround rint nearbyint copysign
  time clock difftime mktime gmtime localtime gmtime_r localtime_r strftime asctime ctime gettimeofday clock_gettime nanosleep usleep sleep
  open close read write lseek pread pwrite stat fstat lstat unlink mkdir rmdir chdir getcwd access dup dup2 pipe fork execv execve execvp wait waitpid kill getpid getppid getuid geteuid isatty fcntl ioctl select poll opendir readdir closedir mmap munmap ftruncate fsync fdatasync truncate flock
  socket connect bind listen accept send recv sendto recvfrom sendmsg recvmsg setsockopt getsockopt getsockname getpeername shutdown getaddrinfo freeaddrinfo gai_strerror gethostbyname inet_ntop inet_pton inet_addr inet_ntoa htons htonl ntohs ntohl
  signal sigaction raise setjmp longjmp alarm sigemptyset sigaddset sigprocmask
  pthread_create pthread_join pthread_detach pthread_self pthread_mutex_init pthread_mutex_lock pthread_mutex_unlock pthread_mutex_destroy pthread_cond_init pthread_cond_wait pthread_cond_signal pthread_cond_broadcast pthread_cond_destroy pthread_once pthread_key_create pthread_getspecific pthread_setspecific
  TEST TEST_F TEST_P TYPED_TEST INSTANTIATE_TEST_SUITE_P RUN_ALL_TESTS FAIL SUCCEED ADD_FAILURE GTEST_SKIP SCOPED_TRACE REQUIRE CHECK SECTION TEST_CASE SUBCASE CAPTURE INFO GENERATE
  UINT_MAX INT_MAX INT_MIN LONG_MAX LONG_MIN ULONG_MAX LLONG_MAX LLONG_MIN ULLONG_MAX SIZE_MAX CHAR_BIT DBL_MAX FLT_MAX UINT32_MAX UINT64_MAX INT64_MAX INT64_MIN INT32_MAX UINT8_MAX UINT16_MAX EXIT_SUCCESS EXIT_FAILURE PATH_MAX SEEK_SET SEEK_CUR SEEK_END`.split(
    /\s+/,
  ),
);

const GLOBAL_FORM =
  /^(?:__\w+|_mm\w+|(?:EXPECT|ASSERT|REQUIRE|CHECK)_[A-Z_]+|E[A-Z]{3,}|SIG[A-Z]+|AF_\w+|SOCK_\w+|O_[A-Z]+|S_I[A-Z]+|PTHREAD_\w+|PRI[a-zA-Z]\w*|Py\w+|JS_\w+|SSL_\w+|EVP_\w+)$/;

export function isGlobalName(name: string): boolean {
  return GLOBALS.has(name) || GLOBAL_FORM.test(name);
}
