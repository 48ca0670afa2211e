/** Names that `require` and `import()` bring in at the top of a file: `const { a, b: c } = require('x')`, `const a = require('x').a`. */
import { operandOf } from '../../../../../model/expressions';
import { type BindingRow, type ExpressionRow, NONE, operatorCode, type StringIndex } from '../../../../../model/facts';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { memberName } from '../literals';
import { readObjectPart } from '../patterns';
import type { Walk } from '../walk';

/** Binds a name to a part of a module. */
type Bind = (node: SyntaxNode, part: ExpressionRow) => BindingRow;

/** Row of the import that loads the module a row is, `NONE` for anything else. */
function importOf(walk: Walk, row: ExpressionRow): number {
  const { expressions } = walk.builder;
  const module = expressions.operator[row] === operatorCode.await ? operandOf.inner(expressions, row) : row;
  return expressions.operator[module] === operatorCode.module ? operandOf.import(expressions, module) : NONE;
}

/** Reads a pattern that takes names from a module: each is an imported name. False for another pattern or value. */
export function readRequired(walk: Walk, pattern: SyntaxNode, module: ExpressionRow, bind: Bind): boolean {
  const { node: kinds, field } = walk.kinds;
  if (walk.kind[pattern] !== kinds.object_pattern || importOf(walk, module) === NONE) return false;
  for (const child of walk.reader.namedChildren(pattern)) {
    const kind = walk.kind[child];
    const key = kind === kinds.pair_pattern ? walk.child(child, field.key) : NO_NODE;
    const local = kind === kinds.pair_pattern ? walk.child(child, field.value) : child;
    const isRenamed = key !== NO_NODE && walk.kind[key] === kinds.property_identifier && local !== NO_NODE && walk.kind[local] === kinds.identifier;
    if (kind === kinds.shorthand_property_identifier_pattern) importName(walk, module, walk.nameOf(child), child, child, bind);
    else if (isRenamed) importName(walk, module, memberName(walk, key), key, local, bind);
    else readObjectPart(walk, child, module, bind);
  }
  return true;
}

function importName(walk: Walk, module: ExpressionRow, imported: StringIndex, name: SyntaxNode, local: SyntaxNode, bind: Bind): void {
  const binding = bind(local, walk.row(operatorCode.member, module, NONE, imported));
  linkName(walk, module, binding, imported, walk.reader.start(name), name === local ? undefined : walk.reader.start(local));
}

/** `const a = require('x').b`: the binding is an imported name; `local` is the node of `a`, `property` that of `b`. */
export function linkMember(walk: Walk, local: SyntaxNode, binding: BindingRow, value: ExpressionRow, property: SyntaxNode): void {
  const { expressions } = walk.builder;
  if (property === NO_NODE || expressions.operator[value] !== operatorCode.member) return;
  const module = operandOf.receiver(expressions, value);
  const last = walk.uses[walk.uses.length - 1];
  if (importOf(walk, module) === NONE || last?.row !== value) return;
  walk.uses.pop();
  const imported = walk.nameOf(property);
  linkName(walk, module, binding, imported, walk.reader.start(property), walk.reader.start(local));
}

function linkName(walk: Walk, module: ExpressionRow, binding: BindingRow, importedName: StringIndex, at: number, aliasAt: number | undefined): void {
  const { builder } = walk;
  const specifier = builder.imports.specifier[importOf(walk, module)];
  if (specifier === undefined) return;
  const localName = builder.bindings.name[binding];
  const row = builder.addImport({
    kind: 'named',
    specifier,
    importedName,
    ...(localName === undefined ? {} : { localName }),
    binding,
    at,
    ...(aliasAt === undefined ? {} : { aliasAt }),
  });
  builder.set('bindings', 'import', binding, row);
}
