/** Types of Rust's standard library that hand on what they hold, and names that every file sees. */
import { type BuiltinRow, BuiltinTable } from '../builtinTable';

const INTEGERS = ['i8', 'i16', 'i32', 'i64', 'i128', 'isize', 'u8', 'u16', 'u32', 'u64', 'u128', 'usize'];

const COMPARED =
  'cmp: Ordering; partial_cmp: Option<Ordering>; eq, ne, lt, le, gt, ge: bool; max, min, clamp: this; clone, to_owned, borrow, as_ref, as_mut: this';

function numberRow(type: string): BuiltinRow {
  return {
    type,
    members: `${COMPARED}; to_string: String; pow, abs, signum, rem_euclid, div_euclid, rotate_left, rotate_right, swap_bytes, to_be, to_le, isqrt, unsigned_abs, abs_diff, next_power_of_two, div_ceil, next_multiple_of,
      wrapping_add, wrapping_sub, wrapping_mul, wrapping_div, wrapping_neg, wrapping_rem, wrapping_shl, wrapping_shr, wrapping_pow, saturating_add, saturating_sub, saturating_mul, saturating_pow, reverse_bits: this;
      checked_add, checked_sub, checked_mul, checked_div, checked_rem, checked_neg, checked_pow, checked_shl, checked_shr, checked_abs, checked_rem_euclid, checked_div_euclid: Option<this>;
      overflowing_add, overflowing_sub, overflowing_mul: Tuple<this,bool>; count_ones, leading_zeros, trailing_zeros, count_zeros, ilog2, ilog10: u32; is_positive, is_negative, is_power_of_two, is_nan, is_finite: bool;
      to_be_bytes, to_le_bytes, to_ne_bytes: Vec<u8>; sqrt, floor, ceil, round, trunc, fract, powi, powf, exp, ln, log, log2, log10, sin, cos, tan, hypot, atan2, mul_add, recip: this`,
    statics: `try_from: Result<${type},external>; from, from_be_bytes, from_le_bytes, from_ne_bytes, default, max_value, min_value: ${type}; from_str, from_str_radix: Result<${type},external>`,
  };
}

const LAZY = `map(T): Iterator<ret<$0>>; filter(T), take_while(T), skip_while(T), inspect(T): Iterator<T>; filter_map(T), map_while(T): Iterator<elem<ret<$0>>>;
  flat_map(T): Iterator<elem<ret<$0>>>; flatten: Iterator<elem<T>>; enumerate: Iterator<Tuple<usize,T>>; zip: Iterator<Tuple<T,elem<$0>>>; iter, into_iter, iter_mut, by_ref: this;
  rev, skip, take, step_by, cloned, copied, chain, peekable, fuse, cycle, intersperse, into_par_iter, par_iter, sorted, unique, dedup, sorted_by, sorted_by_key(T): Iterator<T>;
  next, last, nth, peek, min, max, next_back, nth_back, peek_mut, next_if, next_if_eq: Option<T>; find(T), reduce(T,T), min_by(T,T), max_by(T,T), min_by_key(T), max_by_key(T), rfind(T), next_if(T): Option<T>; find_map(T): ret<$0>;
  fold@1($0,T), try_fold@1($0,T), rfold@1($0,T): $0; scan@1($0,T): Iterator<elem<ret<$1>>>; any(T), all(T), is_sorted: bool; count, len: usize; position(T), rposition(T): Option<usize>;
  collect, collect_vec: Vec<T>; sum, product: T; for_each(T), try_for_each(T): unit; partition(T): Tuple<Vec<T>,Vec<T>>; size_hint: external; as_slice: Vec<T>; as_str: str; join: String; group_by(T), chunk_by(T): external`;

const SLICE = `iter, iter_mut, into_iter, drain, par_iter, into_par_iter, splice, extract_if: Iterator<T>; first, last, first_mut, last_mut, pop, get, get_mut: Option<T>; remove, swap_remove: T; get_unchecked, get_unchecked_mut: T;
  chunks, windows, chunks_exact, rchunks, chunks_mut, array_chunks: Iterator<this>; split(T), splitn@1(T), rsplit(T), split_mut(T): Iterator<this>; len, capacity: usize; is_empty, contains, starts_with, ends_with, is_sorted: bool;
  split_at, split_at_mut: Tuple<this,this>; split_first, split_last, split_first_mut, split_last_mut: Option<Tuple<T,this>>; to_vec, to_owned, clone, as_slice, as_mut_slice, as_ref, as_mut, borrow, into_boxed_slice, split_off, concat, repeat: this;
  push, insert, clear, extend, extend_from_slice, truncate, reserve, resize, append, swap, reverse, sort, sort_unstable, dedup, fill, copy_from_slice, clone_from_slice, rotate_left, rotate_right: unit;
  retain(T), retain_mut(T), sort_by(T,T), sort_unstable_by(T,T), sort_by_key(T), sort_unstable_by_key(T), sort_by_cached_key(T), dedup_by_key(T), dedup_by(T,T): unit; binary_search, binary_search_by(T), binary_search_by_key@1(T): Result<usize,usize>; partition_point(T): usize;
  join: String; eq, ne: bool; as_ptr, as_mut_ptr: external; to_ascii_lowercase, to_ascii_uppercase: this; try_into: Result<this,external>; iter_mut: Iterator<T>; strip_prefix, strip_suffix: Option<this>`;

const TEXT = `to_string, to_owned, to_lowercase, to_uppercase, to_ascii_lowercase, to_ascii_uppercase, replace, replacen, repeat, into_string, clone, escape_debug, escape_default: String; as_str, trim, trim_start, trim_end, trim_matches, trim_start_matches, trim_end_matches, trim_left, trim_right, as_ref, borrow, as_mut_str: str;
  split, rsplit, splitn, rsplitn, split_whitespace, split_ascii_whitespace, lines, split_terminator, split_inclusive, matches, drain: Iterator<str>; chars: Iterator<char>; bytes: Iterator<u8>; char_indices: Iterator<Tuple<usize,char>>; match_indices: Iterator<Tuple<usize,str>>;
  as_bytes, into_bytes, to_vec: Vec<u8>; len, capacity: usize; is_empty, contains, starts_with, ends_with, eq_ignore_ascii_case, is_char_boundary, is_ascii, eq: bool; find, rfind: Option<usize>; split_once, rsplit_once: Option<Tuple<str,str>>;
  strip_prefix, strip_suffix, get: Option<str>; pop: Option<char>; remove: char; parse: Result<external,external>; push, push_str, clear, insert, insert_str, truncate, extend, reserve: unit; split_at: Tuple<str,str>; split_off: String; cmp: Ordering`;

const MAP = `get, get_mut, remove, insert: Option<V>; get_key_value, remove_entry, pop_first, pop_last, first_key_value, last_key_value, get_index: Option<Tuple<K,V>>; entry: Entry<K,V>; keys, into_keys: Iterator<K>; values, values_mut, into_values: Iterator<V>;
  iter, iter_mut, into_iter, drain, range, range_mut: Iterator<Tuple<K,V>>; contains_key, is_empty: bool; len: usize; clear, extend, reserve: unit; retain(K,V): unit; clone: this; first_entry, last_entry: Option<external>; split_off: this`;

const SET = `iter, into_iter, drain, union, intersection, difference, symmetric_difference, range: Iterator<T>; get, take, first, last, pop_first, pop_last, pop, peek, replace: Option<T>; insert, remove, contains, is_empty, is_subset, is_superset, is_disjoint: bool; len: usize;
  clear, extend, push, reserve: unit; retain(T): unit; clone: this; into_sorted_vec, into_vec: Vec<T>`;

const COLLECTION_STATICS = (type: string, args: string): string => `new, with_capacity, default: ${type}<${args}>; from, from_iter: ${type}<elem<$0>>`;

export const RUST_BUILTINS = new BuiltinTable([
  {
    type: 'Option',
    parameters: 'T',
    element: 'T',
    unwrap: 'T',
    members: `unwrap, expect, unwrap_or, unwrap_or_default, unwrap_or_else, unwrap_unchecked, get_or_insert, get_or_insert_with, get_or_insert_default, insert, flatten: T; map(T): Option<ret<$0>>; and_then(T): ret<$0>; ok_or: Result<T,$0>; ok_or_else: Result<T,ret<$0>>;
      or, or_else, filter(T), take, take_if(T), replace, cloned, copied, as_ref, as_mut, as_deref, as_deref_mut, xor, clone, as_pin_mut, inspect(T): Option<T>; and: $0; iter, iter_mut, into_iter: Iterator<T>; is_some, is_none, eq, ne: bool; is_some_and(T), is_none_or(T): bool;
      map_or@1(T): $0|ret<$1>; map_or_else@1(T): ret<$1>|ret<$0>; zip: Option<Tuple<T,elem<$0>>>; transpose: Result<Option<elem<T>>,external>; cmp: Ordering`,
  },
  {
    type: 'Result',
    parameters: 'T,E',
    element: 'T',
    unwrap: 'T',
    members: `unwrap, expect, unwrap_or, unwrap_or_default, unwrap_unchecked, into_ok: T; unwrap_or_else(E): T; unwrap_err, expect_err, into_err: E; map(T): Result<ret<$0>,E>; map_err(E): Result<T,ret<$0>>; and_then(T): ret<$0>; or_else(E): ret<$0>; ok: Option<T>; err: Option<E>;
      as_ref, as_mut, as_deref, as_deref_mut, clone, cloned, copied, inspect(T), inspect_err(E), or, context, with_context, wrap_err, wrap_err_with: this; and: $0; iter, into_iter: Iterator<T>; is_ok, is_err, eq, ne: bool; is_ok_and(T), is_err_and(E): bool; map_or@1(T): $0|ret<$1>; map_or_else@1(T): ret<$1>;
      transpose: Option<Result<elem<T>,E>>`,
  },
  { type: 'Vec', parameters: 'T', element: 'T', index: 'T', members: SLICE, statics: COLLECTION_STATICS('Vec', 'T') },
  {
    type: 'VecDeque',
    parameters: 'T',
    element: 'T',
    index: 'T',
    members: `${SLICE}; pop_front, pop_back, front, back, front_mut, back_mut, remove: Option<T>; push_front, push_back: unit`,
    statics: COLLECTION_STATICS('VecDeque', 'T'),
  },
  {
    type: 'HashMap',
    parameters: 'K,V',
    element: 'Tuple<K,V>',
    index: 'V',
    members: MAP,
    statics: 'new, with_capacity, default, with_hasher: HashMap<K,V>; from, from_iter: HashMap<unknown,unknown>',
  },
  {
    type: 'Entry',
    parameters: 'K,V',
    members: 'or_insert, or_insert_with, or_default, or_insert_with_key, insert, get, get_mut, into_mut, remove: V; and_modify(V): this; key: K',
  },
  { type: 'HashSet', parameters: 'T', element: 'T', members: SET, statics: COLLECTION_STATICS('HashSet', 'T') },
  { type: 'Iterator', parameters: 'T', element: 'T', members: LAZY },
  { type: 'Range', parameters: 'T', element: 'T', members: `${LAZY}; contains, is_empty: bool; start!, end!: T` },
  { type: 'String', members: TEXT, statics: 'new, from, with_capacity, from_utf8_lossy, default, from_iter: String; from_utf8: Result<String,external>' },
  { type: 'str', members: TEXT, statics: 'from_utf8: Result<str,external>; from_utf8_unchecked: str' },
  {
    type: 'char',
    members: `${COMPARED}; to_digit: Option<u32>; len_utf8: usize; to_string: String; to_ascii_lowercase, to_ascii_uppercase: char; to_lowercase, to_uppercase: Iterator<char>`,
    statics: 'from_u32, from_digit: Option<char>; from: char',
  },
  { type: 'bool', members: `${COMPARED}; then: Option<ret<$0>>; then_some: Option<$0>` },
  { type: 'unit' },
  { type: 'Tuple', members: COMPARED },
  { type: 'Ordering', members: 'reverse: Ordering; then: Ordering; then_with: Ordering; is_eq, is_ne, is_lt, is_gt, is_le, is_ge: bool' },
  /** Cells, locks and guards: what they hand out is what they hold. */
  {
    type: 'Cell',
    parameters: 'T',
    unwrap: 'T',
    members:
      'borrow, borrow_mut, get, get_mut, take, replace, into_inner, load, force, get_or_init, as_ptr, as_ref, as_mut, swap, load_full: T; lock, read, write, try_lock, try_read, try_write, try_borrow, try_borrow_mut, get_or_try_init: Result<T,external>; set: unit; clone: this; with(T): ret<$0>; upgrade: Option<T>; fetch_add, fetch_sub: T',
    statics: 'new, default, from: Cell<$0>',
  },
  { type: 'Future', parameters: 'T', awaits: 'T' },
  /** Pointers are what they point to. */
  {
    type: 'Box',
    statics:
      'new, clone, from, pin, downgrade, from_raw, into_raw, into_inner, as_ref, leak, new_uninit: $0; make_mut, get_mut, unwrap_or_clone, try_unwrap: $0; ptr_eq: bool; strong_count: usize; default: external',
  },
  /** What the derived traits give any type. */
  {
    type: 'Same',
    parameters: 'T',
    members: `clone, to_owned, borrow, borrow_mut, as_ref, as_mut, by_ref, deref, deref_mut, max, min, clamp: T; to_string: String; cmp: Ordering; partial_cmp: Option<Ordering>; eq, ne, lt, le, gt, ge: bool; hash, fmt, into, type_id: external; try_into: Result<external,external>; clone_from: unit`,
    statics: 'default: T',
  },
  ...[...INTEGERS, 'f32', 'f64', 'number', 'float'].map(numberRow),
]);

/** Functions by full name; the crate's name is left out for `core` and `alloc`. */
export const RUST_FUNCTIONS = new BuiltinTable([
  {
    type: 'functions',
    members: `Some: Option<$0>; Ok: Result<$0,$9>; Err: Result<$9,$0>; std.mem.take, core.mem.take, mem.take, std.mem.replace, core.mem.replace, mem.replace, std.convert.identity, std.hint.black_box, core.hint.black_box: $0;
      std.iter.once, core.iter.once, iter.once: Iterator<$0>; std.iter.empty, iter.empty: Iterator<$9>; std.iter.repeat, core.iter.repeat, iter.repeat: Iterator<$0>; std.iter.from_fn, core.iter.from_fn, iter.from_fn: Iterator<elem<ret<$0>>>; std.iter.successors, core.iter.successors, iter.successors: Iterator<elem<$0>>;
      std.cmp.max, core.cmp.max, cmp.max, std.cmp.min, core.cmp.min, cmp.min: $0|$1; std.slice.from_ref, slice.from_ref: Vec<$0>; std.array.from_fn, array.from_fn: Vec<ret<$0>>; std.borrow.Cow.Borrowed, std.borrow.Cow.Owned: $0; std.sync.Arc.clone, std.rc.Rc.clone: $0`,
  },
]);

export const RUST_ALIASES: Readonly<Record<string, string>> = {
  BTreeMap: 'HashMap',
  IndexMap: 'HashMap',
  FxHashMap: 'HashMap',
  AHashMap: 'HashMap',
  DashMap: 'HashMap',
  BTreeSet: 'HashSet',
  IndexSet: 'HashSet',
  FxHashSet: 'HashSet',
  AHashSet: 'HashSet',
  BinaryHeap: 'HashSet',
  LinkedList: 'VecDeque',
  SmallVec: 'Vec',
  ArrayVec: 'Vec',
  ThinVec: 'Vec',
  slice: 'Vec',
  array: 'Vec',
  IntoIter: 'Iterator',
  Iter: 'Iterator',
  IterMut: 'Iterator',
  Peekable: 'Range',
  DoubleEndedIterator: 'Iterator',
  ExactSizeIterator: 'Iterator',
  FusedIterator: 'Iterator',
  IntoIterator: 'Iterator',
  ParallelIterator: 'Iterator',
  RangeInclusive: 'Range',
  RangeFrom: 'Range',
  RangeTo: 'Range',
  Mutex: 'Cell',
  RwLock: 'Cell',
  RefCell: 'Cell',
  OnceCell: 'Cell',
  OnceLock: 'Cell',
  LazyLock: 'Cell',
  LazyCell: 'Cell',
  UnsafeCell: 'Cell',
  AtomicUsize: 'Cell',
  Weak: 'Cell',
  Rc: 'Box',
  Arc: 'Box',
  Cow: 'Box',
  Pin: 'Box',
  Poll: 'Option',
};

const GLOBALS: ReadonlySet<string> = new Set(
  'Some None Ok Err drop Box Vec String Option Result ToString ToOwned Clone Copy Send Sync Sized Drop Fn FnMut FnOnce AsRef AsMut Into From TryFrom TryInto Default Iterator Extend IntoIterator DoubleEndedIterator ExactSizeIterator Eq PartialEq Ord PartialOrd Debug Hash FromIterator std core alloc proc_macro'.split(
    ' ',
  ),
);

/** Macros of the standard library that need no path. */
const STANDARD_MACROS: ReadonlySet<string> = new Set(
  'assert assert_eq assert_ne cfg column compile_error concat dbg debug_assert debug_assert_eq debug_assert_ne env eprint eprintln file format format_args include include_bytes include_str line matches module_path option_env panic print println stringify thread_local todo unimplemented unreachable vec write writeln'.split(
    ' ',
  ),
);

export function isStandardMacro(name: string): boolean {
  return STANDARD_MACROS.has(name);
}

/** The prelude, and macros: they have names of their own. */
export function isRustGlobal(name: string): boolean {
  return GLOBALS.has(name) || name.endsWith('!');
}
