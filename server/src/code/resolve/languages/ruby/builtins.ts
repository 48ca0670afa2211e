import { BuiltinTable } from '../builtinTable';

const MANY = `each(T), each_entry(T), reverse_each(T), select(T), filter(T), reject(T), sort_by(T), take_while(T), drop_while(T), uniq(T), sort(T,T), keep_if(T), delete_if(T), each_index, cycle(T): this;
  map(T), collect(T), flat_map(T), filter_map(T), collect_concat(T): Array<ret<$b>>; find(T), detect(T), first, last, min_by(T), max_by(T), min(T,T), max(T,T), sample, pop, shift, fetch, at, dig, slice, find_all(T), delete, delete_at, sole, second, third: T;
  each_with_index(T,Integer): this; each_with_object(T,$0): $0; inject($0|T,T), reduce($0|T,T): $0|ret<$b>; group_by(T): Hash<ret<$b>,Array<T>>; index_by(T): Hash<ret<$b>,T>; partition(T): Tuple<Array<T>,Array<T>>; zip: Array<Tuple<T,elem<$0>>>;
  each_slice(Array<T>), each_cons(Array<T>): this; to_a, entries, to_ary, lazy, sort, compact, compact_blank, reverse, take, drop, rotate, shuffle, dup, clone, freeze, push, append, unshift, prepend, insert, concat, replace, each_entry, find_all, clear, flatten, values_at, force: this;
  to_set: Set<T>; to_h(T), tally: Hash<unknown,unknown>; join, inspect, to_s, pack: String; size, length, count(T), index(T), find_index(T), rindex, bsearch_index: Integer; sum(T), sum: T|ret<$b>;
  empty?, any?(T), all?(T), none?(T), one?(T), include?, member?, frozen?, present?, blank?: bool; with_index(T,Integer), each_with_index(T,Integer): this; product, transpose, combination, permutation: Array<Array<T>>; next, peek: T`;

const OBJECT = `tap(T): T; then(T), yield_self(T), instance_eval(T), instance_exec: ret<$b>; itself, dup, clone, freeze, extend, presence: T; class, singleton_class: class<T>;
  nil?, respond_to?, equal?, eql?, frozen?, is_a?, kind_of?, instance_of?, instance_variable_defined?, tainted?, present?, blank?: bool; to_s, inspect, name: String; hash, object_id, __id__: Integer;
  methods, public_methods, private_methods, singleton_methods, instance_variables: Array<Symbol>; instance_variable_set, instance_variables, remove_instance_variable, define_singleton_method, send, public_send, __send__, method, display, enum_for, to_enum, to_json, as_json, try, in?, hash, pp: unknown`;

/** Built-in types that hand project values on. */
export const rubyBuiltins = new BuiltinTable([
  { type: 'Array', parameters: 'T', element: 'T', index: 'T', members: MANY, statics: 'new: this' },
  { type: 'Tuple', parameters: 'T', element: 'T', index: 'T', members: MANY },
  { type: 'Enumerable', parameters: 'T', element: 'T', index: 'T', members: MANY },
  { type: 'Enumerator', parameters: 'T', element: 'T', index: 'T', members: MANY },
  { type: 'Iterator', parameters: 'T', element: 'T', members: MANY },
  {
    type: 'Set',
    parameters: 'T',
    element: 'T',
    members: `${MANY}; add, add?, merge, subtract, union, intersection: this; subset?, superset?, disjoint?: bool`,
  },
  {
    type: 'Range',
    parameters: 'T',
    element: 'Integer',
    members:
      'each(Integer), step(Integer): this; map(Integer): Array<ret<$b>>; to_a: Array<Integer>; first, last, min, max, begin, end, size: Integer; cover?, include?: bool',
  },
  {
    type: 'Hash',
    parameters: 'K,V',
    element: 'Tuple<K,V>',
    index: 'V',
    members: `each(K,V), each_pair(K,V), select(K,V), filter(K,V), reject(K,V), sort_by(K,V), each_with_index, delete_if(K,V), keep_if(K,V), slice, except, compact, dup, clone, freeze, merge(K,V,V), update(K,V,V), sort, to_h(K,V), replace, clear, with_indifferent_access, symbolize_keys, deep_symbolize_keys, stringify_keys, reverse_merge, compare_by_identity: this;
      each_value(V), each_key(K): this; map(K,V), collect(K,V), flat_map(K,V), filter_map(K,V): Array<ret<$b>>; find(K,V), detect(K,V), min_by(K,V), max_by(K,V), first: Tuple<K,V>; fetch(K), dig, delete, store, default, values_at: V; key, invert: K;
      transform_values(V): Hash<K,ret<$b>>; transform_keys(K): Hash<ret<$b>,V>; keys: Array<K>; values, fetch_values: Array<V>; to_a: Array<Tuple<K,V>>; group_by(K,V), partition(K,V): unknown; each_with_object(Tuple<K,V>,$0): $0; inject($0,Tuple<K,V>), reduce($0,Tuple<K,V>): $0|ret<$b>;
      size, length, count(K,V), sum(K,V): Integer; any?(K,V), all?(K,V), none?(K,V), key?, has_key?, include?, member?, value?, empty?, present?, blank?: bool; to_s, inspect, to_json, to_query: String`,
    statics: 'new: this',
  },
  { type: 'Object', parameters: 'T', members: OBJECT },
  {
    type: 'String',
    index: 'String',
    members:
      'split, lines, chars, scan, unpack, bytes, partition, rpartition: Array<String>; each_line(String), each_char(String), gsub(String), sub(String): this; length, size, to_i, index, ord, hash: Integer; to_f: Float; to_sym, intern: Symbol; empty?, start_with?, end_with?, include?, match?: bool; tap(String): this; then(String): ret<$b>',
  },
  { type: 'Symbol', members: 'to_proc: unknown; to_s, name, id2name: String; to_sym: this' },
  { type: 'Integer', members: 'times(Integer), upto(Integer), downto(Integer), step(Integer): this; to_s: String' },
  { type: 'Float' },
  { type: 'Regexp', members: 'match: unknown; match?: bool; source: String' },
  { type: 'Proc', members: 'call, yield: unknown; to_proc, curry: this' },
  { type: 'bool' },
  { type: 'nil' },
  { type: 'Thread', members: 'value, join: unknown', statics: 'new, start, fork, current: this' },
  { type: 'Mutex', members: 'synchronize: ret<$b>; lock, unlock: unknown', statics: 'new: this' },
  { type: 'Monitor', members: 'synchronize, mon_synchronize: ret<$b>', statics: 'new: this' },
]);

/** Results of Kernel methods that hand project values on. */
export const rubyFunctions = new BuiltinTable([
  {
    type: 'functions',
    members:
      'Array: Array<elem<$0>|$0>; Hash: Hash<unknown,unknown>; String, format, sprintf, gets: String; Integer, rand: Integer; Float: Float; catch, loop: ret<$b>; p, pp: $0',
  },
]);

export const RUBY_ALIASES: Readonly<Record<string, string>> = {
  SortedSet: 'Set',
  Fixnum: 'Integer',
  Numeric: 'Integer',
  Enumerator: 'Enumerator',
  Boolean: 'bool',
  TrueClass: 'bool',
  FalseClass: 'bool',
  NilClass: 'nil',
};

/** Names without a receiver that come with the language and its test tools. */
export const RUBY_GLOBALS: ReadonlySet<string> = new Set(
  `abort at_exit autoload binding block_given? callcc caller caller_locations catch eval exec exit fail fork format gets global_variables gsub lambda load local_variables loop open p pp print printf proc putc puts raise rand readline readlines require require_relative select set_trace_func sleep spawn sprintf srand sub syscall system test throw trace_var trap untrace_var warn
   describe context it specify before after around let subject expect eq eql equal be be_nil be_a be_kind_of be_instance_of raise_error match include have_attributes contain_exactly match_array allow receive double instance_double class_double spy shared_examples shared_context it_behaves_like include_examples include_context pending skip xit fit example aggregate_failures change satisfy a_kind_of anything
   assert assert_equal assert_nil assert_raises assert_raise assert_match assert_includes assert_empty assert_same assert_respond_to assert_instance_of assert_kind_of assert_in_delta assert_predicate assert_operator assert_output assert_silent assert_throws assert_not assert_not_nil assert_nothing_raised refute refute_equal refute_nil refute_includes refute_match refute_same flunk setup teardown mock stub
   task file namespace desc directory rule multitask sh rm rm_f rm_rf mkdir mkdir_p cp mv gem source group gemspec ruby platforms git_source
   attr_accessor private protected public module_function using refine define_method alias_method remove_method undef_method instance_method class_eval module_eval class_exec private_constant deprecate_constant attr
   run use map warmup freeze_app`.split(/\s+/),
);

/** Methods of every class and module. */
export const MODULE_METHODS: ReadonlySet<string> = new Set(
  `name to_s inspect instance_methods instance_method public_instance_method public_instance_methods private_instance_methods method_defined? public_method_defined? private_method_defined? const_get const_set const_defined? constants const_missing remove_const class_eval module_eval class_exec module_exec class_variable_get class_variable_set class_variable_defined? class_variables ancestors superclass included_modules include? allocate attr_accessor attr_reader attr_writer attr define_method alias_method remove_method undef_method private public protected module_function private_class_method public_class_method private_constant autoload instance_variable_get instance_variable_set subclasses descendants included extended inherited prepended method_added include extend prepend refine using deprecate_constant set_temporary_name class_attribute mattr_accessor cattr_accessor delegate`.split(
    /\s+/,
  ),
);
