import { BuiltinTable } from '../builtinTable';

/** Types of the language and those of the standard library that hand on what they hold. */
export const GO_BUILTINS = new BuiltinTable([
  { type: 'string', index: 'number', key: 'number', element: 'number' },
  { type: 'number', key: 'number', element: 'number' },
  { type: 'bool' },
  { type: 'nil' },
  { type: 'error', members: 'Error: string' },
  { type: 'slice', parameters: 'T', index: 'T', key: 'number', element: 'T' },
  { type: 'map', parameters: 'K,V', index: 'V', key: 'K', element: 'V' },
  { type: 'chan', parameters: 'T', key: 'T', element: 'T' },
  { type: 'Pointer', parameters: 'T', members: 'Load Swap: T' },
  { type: 'Tuple', parameters: 'T' },
  { type: 'Seq', parameters: 'T', key: 'T', element: 'T' },
  { type: 'Seq2', parameters: 'K,V', key: 'K', element: 'V' },
]);

/** Functions that give what they are given, by import path and name. */
export const GO_FUNCTIONS = new BuiltinTable([
  {
    type: 'functions',
    statics: '',
    members: [
      'len cap copy: number',
      'min max: $0',
      'slices.Clone slices.Compact slices.Grow slices.Insert slices.Delete slices.Concat slices.Clip slices.DeleteFunc slices.CompactFunc: $0',
      'slices.Sorted slices.Collect slices.SortedFunc: slice<elem<$0>>',
      'slices.Max slices.Min slices.MaxFunc slices.MinFunc: elem<$0>',
      'slices.Values: Seq<elem<$0>>',
      'slices.All: Seq2<number,elem<$0>>',
      'maps.Clone: $0',
      'maps.Values: Seq<elem<$0>>',
      'strings.Split strings.Fields strings.SplitN: slice<string>',
      'strings.TrimSpace strings.ToLower strings.ToUpper strings.Join strings.Replace strings.ReplaceAll fmt.Sprintf fmt.Sprint: string',
      'errors.New fmt.Errorf errors.Unwrap errors.Join: error',
      'sync.OnceValue: $0',
    ].join(';'),
  },
]);

/** Spelled types to those above. */
export const GO_ALIASES: Readonly<Record<string, string>> = Object.fromEntries(
  'byte complex64 complex128 float32 float64 int int8 int16 int32 int64 rune uint uint8 uint16 uint32 uint64 uintptr'.split(' ').map(name => [name, 'number']),
);

export const GO_GLOBALS: ReadonlySet<string> = new Set(
  'any append cap clear close comparable complex copy delete imag len make max min new panic print println real recover iota true false nil C'.split(' '),
);
