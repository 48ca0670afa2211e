import { type BindingRow, type ExpressionRow, type FunctionRow, NO_TEXT, NONE, type ScopeRow, type SymbolRow } from '../../../../model/facts';
import { MODIFIERS } from '../../../../model/nodes';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { bindLocal, valuesOf } from './locals';
import { addType, type TypePlace } from './types';
import { type Block, declareName, type GoFile, isBlank, type Walk } from './walk';

/** `exported` for names that begin with a capital letter, `private` for the others. */
export function nameModifiers(file: GoFile, nameNode: SyntaxNode): number {
  return /^\p{Lu}/u.test(file.text(nameNode)) ? MODIFIERS.exported : MODIFIERS.private;
}

/** A single declaration is taken with its keyword and the comment before it; one of a group with its own. */
export function wholeOf(file: GoFile, spec: SyntaxNode): SyntaxNode {
  const parent = file.reader.parent(spec);
  return file.is(parent, 'var_spec_list') || hasParenthesis(file, parent) ? spec : parent;
}

function hasParenthesis(file: GoFile, declaration: SyntaxNode): boolean {
  return file.reader.children(declaration).some(child => file.reader.length(child) === 1 && file.reader.charCode(child) === 40);
}

/** Binds a declared symbol at module level or in a block. */
export function bindSymbol(walk: Walk, nameNode: SyntaxNode, symbol: SymbolRow, block: Block): void {
  const { file } = walk;
  if (isBlank(file, nameNode)) return;
  const name = file.word(nameNode);
  const scope = block.outer === undefined ? block.scope : (declareName(walk, block, name) ?? block.scope);
  file.builder.addBinding({ scope, name, kind: 'symbol', symbol });
}

export function declareVariables(walk: Walk, node: SyntaxNode, block: Block): void {
  const { file } = walk;
  for (const child of file.children(node)) {
    for (const spec of file.is(child, 'var_spec_list') ? file.children(child) : [child]) if (file.is(spec, 'var_spec')) variableSpec(walk, spec, block);
  }
}

function variableSpec(walk: Walk, spec: SyntaxNode, block: Block): void {
  const { file } = walk;
  const names = namesOf(file, spec);
  const typeNode = file.child(spec, 'type');
  const place = (owner: SymbolRow): TypePlace => ({ scope: block.scope, owner, counts: true });
  if (block.outer !== undefined) {
    const type = addType(file, typeNode, place(block.owner));
    const rows = valuesOf(walk, file.child(spec, 'value'), names.length, block);
    names.forEach((name, index) => {
      bindLocal(walk, name, type, rows[index] ?? NONE, block);
    });
    return;
  }
  const symbols = names.map(name => declareModuleName(walk, name, spec, 'variable', block));
  const owner = symbols.find(symbol => symbol !== NONE) ?? NONE;
  const type = addType(file, typeNode, place(owner));
  const rows = valuesOf(walk, file.child(spec, 'value'), names.length, block);
  symbols.forEach((symbol, index) => {
    completeVariable(file, symbol, type, rows[index] ?? NONE);
  });
}

function completeVariable(file: GoFile, symbol: SymbolRow, type: ExpressionRow, value: ExpressionRow): void {
  if (symbol === NONE) return;
  file.builder.set('symbols', 'type', symbol, type);
  file.builder.set('symbols', 'value', symbol, value);
}

function declareModuleName(walk: Walk, nameNode: SyntaxNode, spec: SyntaxNode, kind: 'variable' | 'constant', block: Block): SymbolRow {
  const { file } = walk;
  if (isBlank(file, nameNode)) return NONE;
  const node = wholeOf(file, spec);
  const modifiers = nameModifiers(file, nameNode) | (kind === 'constant' ? MODIFIERS.readonly : 0);
  const symbol = file.declare({ node, nameNode, kind, parent: NONE, modifiers });
  bindSymbol(walk, nameNode, symbol, block);
  return symbol;
}

/** In a group a constant without value repeats type and value of the one before. */
export function declareConstants(walk: Walk, node: SyntaxNode, block: Block): void {
  const { file } = walk;
  let type: ExpressionRow = NONE;
  let rows: ExpressionRow[] = [];
  for (const spec of file.children(node)) {
    if (!file.is(spec, 'const_spec')) continue;
    const names = namesOf(file, spec);
    const isModule = block.outer === undefined;
    const symbols = isModule ? names.map(name => declareModuleName(walk, name, spec, 'constant', block)) : [];
    const valueNode = file.child(spec, 'value');
    if (valueNode !== NO_NODE) {
      const owner = isModule ? (symbols.find(symbol => symbol !== NONE) ?? NONE) : block.owner;
      type = addType(file, file.child(spec, 'type'), { scope: block.scope, owner, counts: true });
      rows = valuesOf(walk, valueNode, names.length, block);
    }
    names.forEach((name, index) => {
      if (isModule) completeVariable(file, symbols[index] ?? NONE, type, rows[index] ?? NONE);
      else bindLocal(walk, name, type, rows[index] ?? NONE, block);
    });
  }
}

function namesOf(file: GoFile, spec: SyntaxNode): SyntaxNode[] {
  return file.childrenOf(spec, 'name').filter(name => file.reader.isNamed(name));
}

export function declareTypes(walk: Walk, node: SyntaxNode, block: Block): void {
  const { file } = walk;
  for (const spec of file.children(node)) if (file.is(spec, 'type_spec', 'type_alias')) typeSpec(walk, spec, block);
}

/**
 * Structs and interfaces have members of their own. Every other defined type is a `type` with a class scope: it has the methods declared for it, and
 * `symbols.type` is what it is made of. An alias is a `type` without one.
 */
function typeSpec(walk: Walk, spec: SyntaxNode, block: Block): void {
  const { file } = walk;
  const nameNode = file.child(spec, 'name');
  const typeNode = file.child(spec, 'type');
  if (nameNode === NO_NODE) return;
  const isAlias = file.is(spec, 'type_alias');
  const isStruct = !isAlias && file.is(typeNode, 'struct_type');
  const isInterface = !isAlias && file.is(typeNode, 'interface_type');
  const node = wholeOf(file, spec);
  const body = isStruct ? file.childOf(typeNode, 'field_declaration_list') : isInterface ? typeNode : NO_NODE;
  const symbol = file.declare({
    node,
    nameNode,
    kind: isStruct ? 'struct' : isInterface ? 'interface' : 'type',
    parent: block.owner,
    modifiers: nameModifiers(file, nameNode),
    body,
  });
  bindSymbol(walk, nameNode, symbol, block);
  const parameters = file.child(spec, 'type_parameters');
  const needsScope = !isAlias || parameters !== NO_NODE;
  const scope = needsScope ? file.builder.addScope(isAlias ? 'type' : 'class', block.scope, symbol) : block.scope;
  if (needsScope) file.builder.set('symbols', 'scope', symbol, scope);
  const place: TypePlace = { scope, owner: symbol, counts: true };
  const own = addTypeParameters(file, parameters, place);
  if (own.length > 0) file.typeParameters.set(file.word(nameNode), own);
  if (isStruct) addFields(file, body, symbol, place);
  else if (isInterface) addInterfaceMembers(file, typeNode, symbol, place);
  else file.builder.set('symbols', 'type', symbol, addType(file, typeNode, place));
  if (isStruct || isInterface) file.hashContainer(symbol, node, body);
}

/** Binds type parameters and gives their bindings. */
export function addTypeParameters(file: GoFile, list: SyntaxNode, place: TypePlace): readonly BindingRow[] {
  const bound: { readonly binding: BindingRow; readonly constraint: SyntaxNode }[] = [];
  for (const declaration of file.children(list)) {
    const constraint = file.child(declaration, 'type');
    for (const name of namesOf(file, declaration)) {
      bound.push({ binding: file.builder.addBinding({ scope: place.scope, name: file.word(name), kind: 'typeParameter' }), constraint });
    }
  }
  for (const { binding, constraint } of bound) file.builder.set('bindings', 'type', binding, addType(file, constraint, place));
  return bound.map(({ binding }) => binding);
}

function addFields(file: GoFile, list: SyntaxNode, symbol: SymbolRow, place: TypePlace): void {
  for (const field of file.children(list)) {
    if (!file.is(field, 'field_declaration')) continue;
    const typeNode = file.child(field, 'type');
    const names = namesOf(file, field);
    const type = addType(file, typeNode, { ...place, counts: names.length > 0 });
    for (const nameNode of names) {
      file.declare({ node: field, nameNode, kind: 'field', parent: symbol, modifiers: nameModifiers(file, nameNode), type });
    }
    if (names.length === 0) embed(file, field, typeNode, type, symbol);
  }
}

/** An embedded type is a field under its own name, and what it has is promoted. */
function embed(file: GoFile, field: SyntaxNode, typeNode: SyntaxNode, type: ExpressionRow, symbol: SymbolRow): void {
  const nameNode = lastNameNode(file, typeNode);
  if (nameNode === NO_NODE) return;
  file.declare({ node: field, nameNode, kind: 'field', parent: symbol, modifiers: nameModifiers(file, nameNode), type });
  file.builder.addHeritage(symbol, 'extends', type, file.reader.start(nameNode));
}

function lastNameNode(file: GoFile, typeNode: SyntaxNode): SyntaxNode {
  let at = typeNode;
  for (let steps = 0; at !== NO_NODE && steps < 20; steps++) {
    if (file.is(at, 'type_identifier')) return at;
    if (file.is(at, 'qualified_type')) at = file.child(at, 'name');
    else if (file.is(at, 'generic_type')) at = file.child(at, 'type');
    else at = file.reader.firstNamedChild(at);
  }
  return NO_NODE;
}

/** Methods; embedded interfaces are bases. Unions of types only constrain type parameters. */
function addInterfaceMembers(file: GoFile, body: SyntaxNode, symbol: SymbolRow, place: TypePlace): void {
  for (const element of file.children(body)) {
    if (file.is(element, 'method_elem')) {
      interfaceMethod(file, element, symbol, place);
      continue;
    }
    const [only, ...more] = file.children(element);
    const isBase = only !== undefined && more.length === 0 && file.is(only, 'type_identifier', 'qualified_type', 'generic_type');
    const row = addType(file, element, { ...place, counts: !isBase });
    if (isBase) file.builder.addHeritage(symbol, 'extends', row, file.reader.start(lastNameNode(file, only)));
  }
}

function interfaceMethod(file: GoFile, element: SyntaxNode, symbol: SymbolRow, place: TypePlace): void {
  const nameNode = file.child(element, 'name');
  if (nameNode === NO_NODE) return;
  const modifiers = nameModifiers(file, nameNode) | MODIFIERS.abstract | MODIFIERS.declared;
  const method = file.declare({ node: element, nameNode, kind: 'method', parent: symbol, modifiers });
  const scope = file.builder.addScope('function', place.scope, method);
  file.builder.set('symbols', 'scope', method, scope);
  addSignature(file, element, { symbol: method, scope, values: scope, declared: new Map() }, { ...place, owner: method });
}

/** A function whose signature is being read. */
interface Signature {
  readonly symbol: SymbolRow;
  /** Scope of the function, with its type parameters. */
  readonly scope: ScopeRow;
  /** Scope that parameters and results are bound in: one inside when types could be taken for parameters of the same name. */
  readonly values: ScopeRow;
  /** Names bound so far, completed here. */
  readonly declared: Map<number, ScopeRow>;
}

/** Row of `functions` with its parameters and results; types are read in `place`. */
export function addSignature(file: GoFile, node: SyntaxNode, signature: Signature, place: TypePlace): FunctionRow {
  const { builder } = file;
  const { symbol, scope, values, declared } = signature;
  const row = builder.addFunction({ symbol, scope });
  builder.set('scopes', 'function', scope, row);
  if (symbol !== NONE) builder.set('symbols', 'function', symbol, row);
  const rows: BindingRow[] = [];
  for (const parameter of file.children(file.child(node, 'parameters'))) {
    const spelled = addType(file, file.child(parameter, 'type'), place);
    const type = file.is(parameter, 'variadic_parameter_declaration') ? file.row('arrayType', spelled) : spelled;
    const names = namesOf(file, parameter);
    if (names.length === 0) rows.push(builder.addBinding({ scope: values, name: NO_TEXT, kind: 'parameter', type, function: row, position: rows.length }));
    for (const nameNode of names) {
      const name = file.word(nameNode);
      rows.push(builder.addBinding({ scope: values, name, kind: 'parameter', type, function: row, position: rows.length }));
      declared.set(name, values);
    }
  }
  builder.setParameters(row, rows);
  builder.set('functions', 'returnType', row, addResults(file, file.child(node, 'result'), signature, place));
  return row;
}

/** Named results are variables of the function. */
function addResults(file: GoFile, result: SyntaxNode, { values, declared }: Signature, place: TypePlace): ExpressionRow {
  if (result === NO_NODE) return NONE;
  if (!file.is(result, 'parameter_list')) return addType(file, result, place);
  const types: ExpressionRow[] = [];
  for (const part of file.children(result)) {
    const type = addType(file, file.child(part, 'type'), place);
    const names = namesOf(file, part);
    for (const nameNode of names) {
      const name = file.word(nameNode);
      if (!isBlank(file, nameNode)) file.builder.addBinding({ scope: values, name, kind: 'variable', type });
      declared.set(name, values);
    }
    for (let index = 0; index < Math.max(1, names.length); index++) types.push(type);
  }
  const [only] = types;
  if (only === undefined) return NONE;
  return types.length === 1 ? only : file.row('arrayType', NONE, NONE, file.builder.intern('tuple'), types);
}
