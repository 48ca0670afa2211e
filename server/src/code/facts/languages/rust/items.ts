import { type ExpressionRow, NO_TEXT, NONE, type SomeRow, type SymbolRow } from '../../../../model/facts';
import { MODIFIERS, type SymbolKind } from '../../../../model/nodes';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { addTypeParameters, declareFunction, memberPlace, visibility } from './functions';
import type { KindName } from './grammar';
import { declareMacro, expandItems } from './macros/expand';
import { lastSegment } from './paths';
import { addType, boundsRow, optionalType } from './types';
import { addExternCrate, addModuleFile, addUse } from './uses';
import { type Frame, type ItemHandler, newBody, type SelfType, type Walk } from './walk';

/** What each kind of item declares. */
export const ITEM_HANDLERS: Partial<Record<KindName, ItemHandler>> = {
  function_item: declareFunction,
  function_signature_item: declareFunction,
  struct_item: (walk, node, frame) => declareStruct(walk, node, frame),
  union_item: (walk, node, frame) => declareStruct(walk, node, frame),
  enum_item: (walk, node, frame) => declareEnum(walk, node, frame),
  trait_item: (walk, node, frame) => declareTrait(walk, node, frame),
  impl_item: (walk, node, frame) => addImplementation(walk, node, frame),
  mod_item: declareModule,
  foreign_mod_item: (walk, node, frame) => walk.items(walk.file.child(node, 'body'), frame),
  const_item: declareConstant,
  static_item: declareConstant,
  type_item: (walk, node, frame) => declareAlias(walk, node, frame),
  associated_type: (walk, node, frame) => declareAlias(walk, node, frame),
  use_declaration: addUse,
  extern_crate_declaration: addExternCrate,
  macro_definition: declareMacro,
  macro_invocation: expandItems,
};

interface Container {
  readonly symbol: SymbolRow;
  readonly inside: Frame;
}

/** A type with a scope of its own, which holds its type parameters. */
function declareContainer(walk: Walk, node: SyntaxNode, frame: Frame, kind: SymbolKind): Container {
  const { file } = walk;
  const { builder } = file;
  const nameNode = file.child(node, 'name');
  const symbol = file.declare({
    node,
    nameNode,
    kind,
    parent: frame.owner,
    modifiers: visibility(file, node, frame),
    body: file.child(node, 'body'),
  });
  const scope = builder.addScope('class', frame.scope, symbol);
  builder.set('symbols', 'scope', symbol, scope);
  builder.addBinding({ scope: frame.home, name: file.word(nameNode), kind: 'symbol', symbol });
  const row = file.row('class', symbol);
  const self: SelfType = { row, container: NO_TEXT, trait: kind === 'trait' ? symbol : NONE, isTraitImpl: false };
  const inside: Frame = { ...frame, scope, home: scope, owner: symbol, self, place: kind === 'trait' ? 'trait' : 'module' };
  addTypeParameters(walk, node, inside);
  return { symbol, inside };
}

function declareStruct(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const { symbol, inside } = declareContainer(walk, node, frame, 'struct');
  const body = file.child(node, 'body');
  if (body === NO_NODE) return;
  if (file.is(body, 'ordered_field_declaration_list')) {
    file.childrenOf(body, 'type').forEach((type, position) => {
      const name = file.builder.intern(String(position));
      file.declare({ node: type, nameNode: type, name, kind: 'field', parent: symbol, type: addType(walk, type, inside) });
    });
  } else {
    for (const field of file.children(body)) if (file.is(field, 'field_declaration')) declareField(walk, field, inside, symbol);
  }
  file.hashContainer(symbol, node, body);
}

function declareField(walk: Walk, field: SyntaxNode, frame: Frame, parent: SymbolRow): void {
  const { file } = walk;
  const modifiers = file.childOf(field, 'visibility_modifier') === NO_NODE ? 0 : MODIFIERS.exported;
  file.declare({ node: field, nameNode: file.child(field, 'name'), kind: 'field', parent, modifiers, type: addType(walk, file.child(field, 'type'), frame) });
}

/** What a variant holds is its type: a tuple, or an object type with the names of its fields. */
function declareEnum(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const { symbol, inside } = declareContainer(walk, node, frame, 'enum');
  const body = file.child(node, 'body');
  for (const variant of file.children(body)) {
    if (!file.is(variant, 'enum_variant')) continue;
    const value = file.child(variant, 'value');
    const held = file.child(variant, 'body');
    const row = file.declare({
      node: variant,
      nameNode: file.child(variant, 'name'),
      kind: 'enum_member',
      parent: symbol,
      modifiers: MODIFIERS.static | MODIFIERS.exported,
      type: held === NO_NODE ? NONE : variantType(walk, held, inside),
    });
    if (value !== NO_NODE) file.builder.set('symbols', 'value', row, walk.operand(value, { ...inside, body: newBody() }));
  }
  file.hashContainer(symbol, node, body);
}

function variantType(walk: Walk, held: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  if (file.is(held, 'ordered_field_declaration_list')) {
    const rows = file.childrenOf(held, 'type').map(type => addType(walk, type, frame));
    return file.row('arrayType', NONE, NONE, file.builder.intern('tuple'), rows);
  }
  const list: SomeRow[] = [];
  for (const field of file.children(held)) {
    if (!file.is(field, 'field_declaration')) continue;
    list.push(file.word(file.child(field, 'name')), addType(walk, file.child(field, 'type'), frame));
  }
  return file.row('objectType', NONE, NONE, NO_TEXT, list);
}

function declareTrait(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const { symbol, inside } = declareContainer(walk, node, frame, 'trait');
  for (const base of file.children(file.child(node, 'bounds'))) {
    if (file.is(base, 'lifetime', 'removed_trait_bound')) continue;
    file.builder.addHeritage(symbol, 'extends', addType(walk, base, inside), file.reader.start(base));
  }
  const body = file.child(node, 'body');
  walk.items(body, inside);
  file.hashContainer(symbol, node, body);
}

/** `impl Type` and `impl Trait for Type`: no symbol of its own; its members belong to the type, which may stand in another file. */
function addImplementation(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const { builder } = file;
  const scope = builder.addScope('block', frame.scope);
  const outer: Frame = { ...frame, scope, home: scope };
  addTypeParameters(walk, node, outer);
  const typeNode = file.child(node, 'type');
  const row = addType(walk, typeNode, outer);
  const trait = file.child(node, 'trait');
  const self: SelfType = { row, container: builder.intern(typeName(walk, typeNode)), trait: NONE, isTraitImpl: trait !== NO_NODE };
  const inside: Frame = { ...outer, self, place: 'impl' };
  if (trait !== NO_NODE) {
    const { name } = lastSegment(file, trait);
    builder.addHeritage(NONE, 'implements', addType(walk, trait, inside), file.reader.start(name), row);
  }
  walk.items(file.child(node, 'body'), inside);
}

/** Name of an implementing type as a segment of ids: its last name without arguments, else how it is written. */
function typeName(walk: Walk, node: SyntaxNode): string {
  const { file } = walk;
  let at = node;
  for (let steps = 0; steps < 20; steps++) {
    if (file.is(at, 'reference_type', 'pointer_type')) at = file.child(at, 'type');
    else if (file.is(at, 'dynamic_type', 'abstract_type')) at = file.child(at, 'trait');
    else if (file.is(at, 'generic_type')) at = file.child(at, 'type');
    else if (file.is(at, 'scoped_type_identifier', 'scoped_identifier')) at = file.child(at, 'name');
    else break;
  }
  return file.text(at).replace(/\s+/g, ' ').slice(0, 80);
}

function declareModule(walk: Walk, node: SyntaxNode, frame: Frame, attributes: readonly SyntaxNode[]): void {
  const { file } = walk;
  const { builder } = file;
  const body = file.child(node, 'body');
  if (body === NO_NODE) {
    addModuleFile(walk, node, frame, attributes);
    return;
  }
  const nameNode = file.child(node, 'name');
  const isOfTests = attributes.some(attribute => /^#\s*\[\s*cfg\s*\(\s*(?:all\s*\(\s*)?test\b/.test(file.text(attribute)));
  const modifiers = visibility(file, node, frame) | (isOfTests ? MODIFIERS.test : 0);
  const symbol = file.declare({ node, nameNode, kind: 'module', parent: frame.owner, modifiers, body });
  builder.addBinding({ scope: frame.home, name: file.word(nameNode), kind: 'symbol', symbol });
  const module = frame.module === '' ? file.text(nameNode) : `${frame.module}::${file.text(nameNode)}`;
  const scope = builder.addScope('namespace', frame.scope, symbol, NONE, builder.intern(module));
  builder.set('symbols', 'scope', symbol, scope);
  walk.items(body, { scope, home: scope, owner: symbol, body: undefined, self: undefined, place: 'module', module });
  file.hashContainer(symbol, node, body);
}

/** A `const` is a value; a `static` is a place in memory that everything shares. */
function declareConstant(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const { builder } = file;
  const nameNode = file.child(node, 'name');
  const valueNode = file.child(node, 'value');
  const isVariable = file.is(node, 'static_item');
  const isMember = frame.place === 'impl' || frame.place === 'trait';
  const symbol = file.declare({
    node,
    nameNode,
    kind: isVariable ? 'variable' : 'constant',
    parent: frame.owner,
    ...memberPlace(frame),
    modifiers: visibility(file, node, frame) | MODIFIERS.static | MODIFIERS.readonly,
    body: valueNode,
    type: optionalType(walk, file.child(node, 'type'), frame),
  });
  if (!isMember && file.text(nameNode) !== '_') builder.addBinding({ scope: frame.home, name: file.word(nameNode), kind: 'symbol', symbol });
  if (valueNode !== NO_NODE) builder.set('symbols', 'value', symbol, walk.operand(valueNode, { ...frame, body: frame.body ?? newBody(), place: 'body' }));
}

/** `type A = B;` and associated types, which without a type of their own stand for their bounds. */
function declareAlias(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const { builder } = file;
  const nameNode = file.child(node, 'name');
  const isMember = frame.place === 'impl' || frame.place === 'trait';
  const symbol = file.declare({
    node,
    nameNode,
    kind: 'type',
    parent: frame.owner,
    ...memberPlace(frame),
    modifiers: visibility(file, node, frame) | (isMember ? MODIFIERS.static : 0),
  });
  if (!isMember) builder.addBinding({ scope: frame.home, name: file.word(nameNode), kind: 'symbol', symbol });
  const scope = builder.addScope('type', frame.scope, symbol);
  builder.set('symbols', 'scope', symbol, scope);
  const inside: Frame = { ...frame, scope };
  addTypeParameters(walk, node, inside);
  const type = file.child(node, 'type');
  builder.set('symbols', 'type', symbol, type === NO_NODE ? boundsRow(walk, file.child(node, 'bounds'), inside) : addType(walk, type, inside));
}
