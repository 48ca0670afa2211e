/** Imports that TypeScript drops because values are not what they are used for: nothing is loaded through them at run time. */
import { ERASURE, IMPORT_KINDS, type ImportRow, importRow, NO_TEXT, NONE } from '../../../../../model/facts';
import { NO_NODE } from '../../../../parse/syntaxReader';
import { type SyntaxNode, syntaxNode } from '../../../../parse/syntaxTable';
import type { Walk } from '../walk';

const BOUND: ReadonlySet<number> = new Set((['named', 'default', 'namespace', 'require'] as const).map(kind => IMPORT_KINDS.indexOf(kind)));

/**
 * Marks such imports, once the whole file is read. In doubt an import stays: a name of the same spelling is taken for a use, so is the type of a member
 * beside decorators (compilers can hand it to them), and where JSX stands a name that is not mentioned at all (it may be what JSX is turned into).
 */
export function markErased(walk: Walk): void {
  const rows = importsByName(walk);
  if (rows.size === 0) return;
  const { reader, kind, text, kinds, builder } = walk;
  const { identifier, shorthand_property_identifier: shorthand, type_identifier: typeName, decorator, jsx_element, jsx_self_closing_element } = kinds.node;
  const wanted = prefilter(rows.keys());
  const asType = new Set<string>();
  const asMember = new Set<string>();
  const kept = new Set<string>();
  let hasDecorators = false;
  let hasJsx = false;
  // The columns are lent, and longer than the tree.
  for (let node = syntaxNode(0), end = reader.after(syntaxNode(0)); node < end; node++) {
    const at = kind[node] ?? 0;
    if (at === 0) continue;
    if (at === identifier || at === shorthand || at === typeName) {
      const start = reader.start(node);
      const end = reader.end(node);
      if (wanted[slotOf(text.charCodeAt(start), end - start)] !== 1) continue;
      const name = text.slice(start, end);
      if (!rows.has(name)) continue;
      if (at === typeName && isTypeOfMember(walk, node)) asMember.add(name);
      if (at === typeName) asType.add(name);
      else if (!isImported(walk, node)) (isTypePlace(walk, node) ? asType : kept).add(name);
    } else if (at === decorator) hasDecorators = true;
    else if (at === jsx_element || at === jsx_self_closing_element) hasJsx = true;
  }
  for (const [name, own] of rows) {
    const isKept = kept.has(name) || (hasDecorators && asMember.has(name)) || (hasJsx && !asType.has(name));
    if (!isKept) for (const row of own) builder.set('imports', 'typeOnly', row, ERASURE.unusedAsValue);
  }
}

/** Rows of imports at the top of the file that may be dropped, by the names they bind. */
function importsByName({ builder }: Walk): ReadonlyMap<string, readonly ImportRow[]> {
  const { imports, bindings, strings } = builder;
  const found = new Map<string, ImportRow[]>();
  for (let row = importRow(0); row < imports.count; row++) {
    const binding = imports.binding[row] ?? NONE;
    if (binding === NONE || bindings.scope[binding] !== 0 || imports.typeOnly[row] !== ERASURE.none || !BOUND.has(imports.kind[row] ?? 0)) continue;
    const name = strings[imports.localName[row] ?? NO_TEXT] ?? '';
    found.set(name, [...(found.get(name) ?? []), row]);
  }
  return found;
}

/** Most identifiers are told from the names by their first character and length. */
function prefilter(names: Iterable<string>): Uint8Array {
  const slots = new Uint8Array(4096);
  for (const name of names) slots[slotOf(name.charCodeAt(0), name.length)] = 1;
  return slots;
}

function slotOf(first: number, length: number): number {
  return ((first & 127) << 5) | (length & 31);
}

/** Whether an identifier is the name in an import itself, or in a re-export, which speaks of another file. */
function isImported(walk: Walk, node: SyntaxNode): boolean {
  const { reader, kind } = walk;
  const { import_specifier, import_clause, namespace_import, import_require_clause, export_specifier } = walk.kinds.node;
  const parent = reader.parent(node);
  const around = kind[parent];
  if (around === export_specifier) return walk.child(reader.parent(reader.parent(parent)), walk.kinds.field.source) !== NO_NODE;
  return around === import_specifier || around === import_clause || around === namespace_import || around === import_require_clause;
}

/** Whether a name is only there for the compiler: `typeof x`, `x.Type`. */
function isTypePlace({ reader, kind, kinds }: Walk, node: SyntaxNode): boolean {
  const { type_query, nested_type_identifier, nested_identifier, member_expression } = kinds.node;
  for (let at = reader.parent(node); ; at = reader.parent(at)) {
    const around = kind[at];
    if (around === type_query || around === nested_type_identifier) return true;
    if (around !== nested_identifier && around !== member_expression) return false;
  }
}

/** Whether a type stands in the annotation of a member of a class or of a parameter of one. */
function isTypeOfMember({ reader, kind, kinds }: Walk, node: SyntaxNode): boolean {
  const { type_annotation, public_field_definition, method_definition, statement_block } = kinds.node;
  let isAnnotation = false;
  for (let at = reader.parent(node), steps = 0; at > 0 && steps < MAX_STEPS; at = reader.parent(at), steps++) {
    const around = kind[at];
    if (around === type_annotation) isAnnotation = true;
    else if (around === public_field_definition || around === method_definition) return isAnnotation;
    else if (around === statement_block) return false;
  }
  return false;
}

const MAX_STEPS = 20;
