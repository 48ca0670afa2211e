/** Attributes that macros of crates answer (`#[derive(Serialize)]`, `#[tokio::main]`): decorators of the item they stand before. */
import { NONE, type SymbolRow } from '../../../../model/facts';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import type { Frame, Walk } from './walk';

/** What the compiler itself answers; says nothing about the project. */
const BUILT_IN: ReadonlySet<string> = new Set(
  `allow bench cfg cfg_attr cold deny deprecated doc expect export_name feature forbid global_allocator ignore inline link link_name link_section macro_export macro_use
   must_use naked no_main no_mangle no_std non_exhaustive panic_handler path proc_macro proc_macro_attribute proc_macro_derive recursion_limit repr rustfmt should_panic
   target_feature test track_caller type_length_limit unsafe used warn windows_subsystem`.split(/\s+/),
);
/** Items that are symbols themselves; what `impl` blocks declare comes after their attributes. */
const DECORATED = ['function_item', 'struct_item', 'union_item', 'enum_item', 'trait_item', 'mod_item', 'const_item', 'static_item', 'type_item'] as const;

const ATTRIBUTE = /^#\s*\[\s*(?<path>[\w:\s]+?)\s*(?:\((?<list>[\w:,\s]*)\)|[(\]=[{])/;
const PATH = /[A-Za-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)*/g;

/** True for an attribute, from its `#` on, that has a runner of tests or benchmarks run the function. */
export function isTestAttribute(text: string): boolean {
  return /^#\s*\[\s*(?:\w+\s*::\s*)*(?:test|rstest|test_case|wasm_bindgen_test|bench)\b/.test(text);
}

/** Writes the attributes before `node` as decorators of `symbol`. */
export function addAttributes(walk: Walk, node: SyntaxNode, attributes: readonly SyntaxNode[], symbol: SymbolRow, frame: Frame): void {
  const { file } = walk;
  if (!file.is(node, ...DECORATED)) return;
  for (const attribute of attributes) {
    const text = file.text(attribute);
    const { path, list } = ATTRIBUTE.exec(text)?.groups ?? {};
    if (path === undefined) continue;
    const start = file.reader.start(attribute);
    if (path === 'derive') {
      const from = text.indexOf('(');
      for (const { 0: name, index } of (list ?? '').matchAll(PATH)) addDecorator(walk, name, start + from + 1 + index, symbol, frame);
    } else if (!BUILT_IN.has(path)) addDecorator(walk, path, start + text.indexOf(path), symbol, frame);
  }
}

function addDecorator(walk: Walk, path: string, at: number, symbol: SymbolRow, frame: Frame): void {
  const { file } = walk;
  const [first = '', ...rest] = path.split(/\s*::\s*/);
  const root = file.row('name', frame.scope, NONE, file.builder.intern(first));
  const row = rest.reduce((outer, name) => file.row('member', outer, NONE, file.builder.intern(name)), root);
  const last = path.length - (rest.at(-1) ?? first).length;
  file.use('decorator', row, symbol, file.builder.intern(rest.at(-1) ?? first), at + last);
}
