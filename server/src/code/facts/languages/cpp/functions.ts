import { type BindingRow, type ExpressionRow, type FunctionRow, NO_TEXT, NONE, type ScopeRow, type StringIndex, type SymbolRow } from '../../../../model/facts';
import { MODIFIERS, type SymbolKind } from '../../../../model/nodes';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { foldedText } from '../../sourceText';
import type { FunctionBody } from '../../walk/frames';
import { type Declarator, declaratorOf, declaredType, trailingType } from './declarators';
import { nameParts } from './names';
import { bindTemplateParameters, namedType } from './types';
import { type CppWalk, GLOBAL_SCOPE } from './walk';

/** A function as it stands in the source. */
interface FunctionSource {
  /** Whole declaration. */
  readonly node: SyntaxNode;
  readonly declarator: Declarator;
  /** `NO_NODE` for prototypes. */
  readonly body: SyntaxNode;
  readonly modifiers: number;
}

/** Where a function belongs. */
interface Home {
  readonly name: string;
  readonly nameNode: SyntaxNode;
  readonly kind: SymbolKind;
  readonly parent: SymbolRow;
  /** Name of the class around that is not in the file's nesting, '' for none. */
  readonly container: string;
  readonly receiver: ExpressionRow;
  readonly modifiers: number;
  /** Scope that binds the name, or `NONE` for members. */
  readonly boundIn: ScopeRow;
}

const TEST_MACROS: ReadonlySet<string> = new Set(['TEST', 'TEST_F', 'TEST_P', 'TYPED_TEST', 'TYPED_TEST_P', 'BENCHMARK_F', 'BENCHMARK_DEFINE_F']);
const WITH_FIXTURE: ReadonlySet<string> = new Set(['TEST_F', 'TEST_P', 'TYPED_TEST', 'TYPED_TEST_P', 'BENCHMARK_F', 'BENCHMARK_DEFINE_F']);

/** A definition, a prototype, or a member function of either form. */
export function functionDefinition(walk: CppWalk, node: SyntaxNode): void {
  const declarator = functionDeclarator(walk, walk.file.child(node, 'declarator'));
  const body = walk.file.child(node, 'body');
  if (declarator.function === NO_NODE && !walk.file.is(declarator.name, 'operator_cast', 'qualified_identifier')) {
    walk.takeTemplates();
    walk.type(walk.file.child(node, 'type'));
    walk.run(body);
    return;
  }
  const modifiers = specifierModifiers(walk, node) | (walk.file.childOf(node, 'pure_virtual_clause') === NO_NODE ? 0 : MODIFIERS.abstract);
  declareFunction(walk, { node, declarator, body, modifiers });
}

/** `operator T()` keeps its parameters inside. */
export function functionDeclarator(walk: CppWalk, node: SyntaxNode): Declarator {
  const declarator = declaratorOf(walk, node);
  if (declarator.function !== NO_NODE) return declarator;
  const last = nameParts(walk, declarator.name).at(-1)?.node ?? NO_NODE;
  return walk.file.is(last, 'operator_cast') ? { ...declarator, function: walk.file.child(last, 'declarator') } : declarator;
}

export function declareFunction(walk: CppWalk, source: FunctionSource): void {
  const { node, declarator, body } = source;
  const templates = walk.takeTemplates();
  const home = homeOf(walk, source);
  const isPrototype =
    body === NO_NODE && walk.file.childOf(node, 'default_method_clause') === NO_NODE && walk.file.childOf(node, 'pure_virtual_clause') === NO_NODE;
  const parameters = walk.file.child(declarator.function, 'parameters');
  if (
    isPrototype &&
    (source.modifiers & MODIFIERS.abstract) === 0 &&
    walk.takeDefined(home.name, countParameters(walk, parameters), source.modifiers | home.modifiers)
  )
    return;
  let modifiers = source.modifiers | home.modifiers | (isPrototype ? MODIFIERS.declared : 0) | (isVariadic(walk, parameters) ? MODIFIERS.variadic : 0);
  if (declarator.function !== NO_NODE) modifiers |= declaratorModifiers(walk, declarator.function);
  const whole = templateAround(walk, node);
  const symbol = walk.file.declare({
    node: whole,
    nameNode: home.nameNode,
    name: walk.file.builder.intern(home.name),
    kind: home.kind,
    parent: home.parent,
    container: home.container === '' ? NO_TEXT : walk.file.builder.intern(home.container),
    receiver: home.receiver,
    modifiers,
    body,
  });
  trimInitializers(walk, node, whole, symbol);
  if (home.boundIn !== NONE) walk.file.builder.addBinding({ scope: home.boundIn, name: walk.file.builder.intern(home.name), kind: 'symbol', symbol });
  const before = { scope: walk.scope, owner: walk.owner, body: walk.body };
  walk.owner = symbol;
  const row = openFunction(walk, symbol, templates);
  if ((modifiers & MODIFIERS.test) === 0) addParameters(walk, row, parameters, node);
  walk.file.builder.set('functions', 'returnType', row, returnType(walk, node, declarator));
  walk.body = { row, returns: [], decisions: { count: 0 } };
  initializers(walk, walk.file.childOf(node, 'field_initializer_list'));
  runBody(walk, body);
  closeFunction(walk, walk.body, symbol);
  if (isPrototype) walk.file.builder.set('symbols', 'complexity', symbol, 0);
  Object.assign(walk, before);
}

function runBody(walk: CppWalk, body: SyntaxNode): void {
  if (walk.file.is(body, 'try_statement')) walk.statement(body);
  else walk.run(body);
}

/** The template declaration around, so that ranges and signatures begin with `template<…>`. */
export function templateAround(walk: CppWalk, node: SyntaxNode): SyntaxNode {
  let whole = node;
  for (let up = walk.file.reader.parent(node); walk.file.is(up, 'template_declaration'); up = walk.file.reader.parent(up)) whole = up;
  return whole;
}

/** Initializers are no part of a constructor's signature. */
function trimInitializers(walk: CppWalk, node: SyntaxNode, whole: SyntaxNode, symbol: SymbolRow): void {
  const list = walk.file.childOf(node, 'field_initializer_list');
  if (list === NO_NODE) return;
  walk.file.builder.set(
    'symbols',
    'signature',
    symbol,
    walk.file.builder.internShown(foldedText(walk.file.table.text, walk.file.reader.start(whole), walk.file.reader.start(list))),
  );
}

function openFunction(walk: CppWalk, symbol: SymbolRow, templates: readonly SyntaxNode[]): FunctionRow {
  const { builder } = walk.file;
  const scope = builder.addScope('function', walk.scope, symbol);
  const row = builder.addFunction({ symbol, scope });
  builder.set('scopes', 'function', scope, row);
  if (symbol !== NONE) {
    builder.set('symbols', 'scope', symbol, scope);
    builder.set('symbols', 'function', symbol, row);
  }
  walk.scope = scope;
  bindTemplateParameters(walk, templates, scope);
  return row;
}

function closeFunction(walk: CppWalk, body: FunctionBody, symbol: SymbolRow): void {
  walk.file.builder.setReturns(body.row, body.returns);
  if (symbol !== NONE) walk.file.builder.set('symbols', 'complexity', symbol, body.decisions.count + 1);
}

function returnType(walk: CppWalk, node: SyntaxNode, declarator: Declarator): ExpressionRow {
  if (declarator.function === NO_NODE) return NONE;
  const trailing = trailingType(walk, declarator.function);
  if (trailing !== NONE) return trailing;
  const last = nameParts(walk, declarator.name).at(-1)?.node ?? NO_NODE;
  if (walk.file.is(last, 'operator_cast')) return walk.type(walk.file.child(last, 'type'));
  return declaredType(walk, walk.type(walk.file.child(node, 'type')), declarator);
}

function homeOf(walk: CppWalk, source: FunctionSource): Home {
  const { place } = walk;
  const parts = nameParts(walk, source.declarator.name);
  const last = parts.at(-1) ?? { text: '', node: NO_NODE };
  const common = { name: last.text, nameNode: last.node, container: '', receiver: NONE, modifiers: 0, boundIn: NONE };
  const test = parts.length === 1 && place.kind !== 'class' ? testHome(walk, source, last) : undefined;
  if (test !== undefined) return { ...common, ...test };
  if (place.kind === 'class' && parts.length === 1) {
    const isConstructor = last.text === place.className;
    return { ...common, kind: isConstructor ? 'constructor' : 'method', parent: place.symbol, modifiers: walk.access };
  }
  const scopes = parts.slice(0, -1).filter(part => part.text !== '');
  const isGlobal = parts[0]?.text === '';
  const known =
    scopes.length === 0
      ? undefined
      : walk.namespaces.get([...(isGlobal || place.path === '' ? [] : [place.path]), ...scopes.map(part => part.text)].join('::'));
  if (known !== undefined) return { ...common, kind: 'function', parent: known.symbol, modifiers: MODIFIERS.exported, boundIn: known.scope };
  if (scopes.length > 0) {
    const container = scopes.map(part => part.text).join('::');
    const isConstructor = last.text === scopes.at(-1)?.text;
    const receiver = receiverRow(walk, scopes, isGlobal);
    const modifiers = walk.modifiersDefined.get(`${place.path === '' ? '' : `${place.path}::`}${container}::${last.text}`) ?? 0;
    return { ...common, kind: isConstructor ? 'constructor' : 'method', parent: place.symbol, container, receiver, modifiers };
  }
  const modifiers = place.isAnonymous || (source.modifiers & MODIFIERS.static) !== 0 ? 0 : MODIFIERS.exported;
  return { ...common, kind: 'function', parent: place.symbol, modifiers, boundIn: place.scope };
}

function receiverRow(walk: CppWalk, scopes: readonly { readonly text: string }[], isGlobal: boolean): ExpressionRow {
  let row: ExpressionRow = NONE;
  for (const { text } of scopes) {
    const word = walk.file.builder.intern(text);
    row = row === NONE ? walk.file.row('name', isGlobal ? GLOBAL_SCOPE : walk.scope, NONE, word) : walk.file.row('member', row, NONE, word);
  }
  return row;
}

/** `TEST(Suite, Name) {…}` is a test called `Suite.Name`; with a fixture the suite is a class whose members the body sees. */
function testHome(
  walk: CppWalk,
  source: FunctionSource,
  name: { readonly text: string; readonly node: SyntaxNode },
): (Partial<Home> & Pick<Home, 'kind' | 'parent'>) | undefined {
  if (!TEST_MACROS.has(name.text) || walk.file.child(source.node, 'type') !== NO_NODE) return undefined;
  const [suite, test] = walk.file.children(walk.file.child(source.declarator.function, 'parameters'));
  if (suite === undefined || test === undefined) return undefined;
  const type = walk.file.child(suite, 'type');
  return {
    name: `${walk.file.text(suite)}.${walk.file.text(test)}`,
    kind: 'function',
    parent: walk.place.symbol,
    modifiers: MODIFIERS.test,
    receiver: WITH_FIXTURE.has(name.text) && type !== NO_NODE ? namedType(walk, type, false) : NONE,
  };
}

const SPECIFIERS: Readonly<Record<string, number>> = { static: MODIFIERS.static, constexpr: 0, inline: 0, extern: 0 };

/** `static`, `virtual` and the like before the type. */
export function specifierModifiers(walk: CppWalk, node: SyntaxNode): number {
  let bits = 0;
  for (const child of walk.file.children(node)) if (walk.file.is(child, 'storage_class_specifier')) bits |= SPECIFIERS[walk.file.text(child)] ?? 0;
  return bits;
}

/** `override` and `final` behind the parameters. */
function declaratorModifiers(walk: CppWalk, node: SyntaxNode): number {
  return walk.file.childOf(node, 'virtual_specifier') === NO_NODE ? 0 : MODIFIERS.override;
}

function isVariadic(walk: CppWalk, list: SyntaxNode): boolean {
  return list !== NO_NODE && /\.\.\.\s*\)$/.test(walk.file.text(list));
}

/** Parameters a call may give; `(void)` has none. */
export function countParameters(walk: CppWalk, list: SyntaxNode): number {
  return parametersOf(walk, list).length;
}

function parametersOf(walk: CppWalk, list: SyntaxNode): SyntaxNode[] {
  const found = walk.file
    .children(list)
    .filter(child => walk.file.is(child, 'parameter_declaration', 'optional_parameter_declaration', 'variadic_parameter_declaration', 'identifier'));
  const [only] = found;
  return found.length === 1 && only !== undefined && walk.file.text(only) === 'void' ? [] : found;
}

/** Bindings of the parameters in order; those without a name keep their types. `definition` holds the types of K&R parameters. */
function addParameters(walk: CppWalk, row: FunctionRow, list: SyntaxNode, definition: SyntaxNode): void {
  const rows: BindingRow[] = [];
  const old = oldStyleTypes(walk, definition);
  for (const parameter of parametersOf(walk, list)) {
    if (walk.file.is(parameter, 'identifier')) {
      const name = walk.file.word(parameter);
      const type = old.get(name) ?? walk.primitive('int');
      rows.push(walk.file.builder.addBinding({ scope: walk.scope, name, kind: 'parameter', type, function: row, position: rows.length }));
      continue;
    }
    const base = walk.type(walk.file.child(parameter, 'type'));
    const declarator = declaratorOf(walk, walk.file.child(parameter, 'declarator'));
    const around = declarator.function === NO_NODE ? declarator : { ...declarator, wrappers: [...declarator.wrappers, declarator.function] };
    let type = declaredType(walk, base, around);
    if (walk.file.is(parameter, 'variadic_parameter_declaration')) type = walk.file.row('arrayType', type);
    const valueNode = walk.file.child(parameter, 'default_value');
    const value = valueNode === NO_NODE ? NONE : walk.value(valueNode);
    const name = walk.file.is(declarator.name, 'identifier', 'type_identifier', 'field_identifier') ? walk.file.word(declarator.name) : NO_TEXT;
    rows.push(walk.file.builder.addBinding({ scope: walk.scope, name, kind: 'parameter', type, value, function: row, position: rows.length }));
  }
  walk.file.builder.setParameters(row, rows);
}

/** `int f(a, b) int a; char *b; {…}`. */
function oldStyleTypes(walk: CppWalk, definition: SyntaxNode): ReadonlyMap<StringIndex, ExpressionRow> {
  const types = new Map<StringIndex, ExpressionRow>();
  if (walk.isCpp) return types;
  for (const line of walk.file.children(definition)) {
    if (!walk.file.is(line, 'declaration')) continue;
    const base = walk.type(walk.file.child(line, 'type'));
    for (const child of walk.file.childrenOf(line, 'declarator')) {
      const declarator = declaratorOf(walk, child);
      if (declarator.name !== NO_NODE) types.set(walk.file.word(declarator.name), declaredType(walk, base, declarator));
    }
  }
  return types;
}

/** `: Base(a), field_(b)`. A field is written; what is not one is a base that is made. */
function initializers(walk: CppWalk, list: SyntaxNode): void {
  for (const child of walk.file.children(list)) {
    if (!walk.file.is(child, 'field_initializer')) continue;
    const [target, given] = walk.file.children(child);
    if (target === undefined) continue;
    const args = given === undefined ? [] : walk.file.children(given).map(argument => walk.value(argument));
    if (!walk.file.is(target, 'field_identifier')) {
      const row = walk.file.row('new', namedType(walk, target), NONE, NO_TEXT, args);
      const last = nameParts(walk, target).at(-1);
      if (last !== undefined) walk.file.use('new', row, walk.owner, walk.file.builder.intern(last.text), walk.file.reader.start(last.node));
      continue;
    }
    const name = walk.file.word(target);
    walk.file.use('new', walk.file.row('new', walk.name(name), NONE, NO_TEXT, args), walk.owner, name, walk.file.reader.start(target));
  }
}

/** Row of a lambda; names it captures are those of the scope around. */
export function lambda(walk: CppWalk, node: SyntaxNode): ExpressionRow {
  const before = { scope: walk.scope, body: walk.body };
  const templates = walk.file.child(node, 'template_parameters');
  const row = openFunction(walk, NONE, templates === NO_NODE ? [] : [templates]);
  for (const capture of walk.file.children(walk.file.child(node, 'captures'))) {
    if (!walk.file.is(capture, 'lambda_capture_initializer')) continue;
    const inner = walk.scope;
    walk.scope = before.scope;
    const value = walk.value(walk.file.child(capture, 'right'));
    walk.scope = inner;
    walk.file.builder.addBinding({ scope: inner, name: walk.file.word(walk.file.child(capture, 'left')), kind: 'variable', value });
  }
  const declarator = walk.file.child(node, 'declarator');
  addParameters(walk, row, walk.file.child(declarator, 'parameters'), NO_NODE);
  if (declarator !== NO_NODE) walk.file.builder.set('functions', 'returnType', row, trailingType(walk, declarator));
  walk.body = { row, returns: [], decisions: before.body?.decisions ?? { count: 0 } };
  walk.run(walk.file.child(node, 'body'));
  closeFunction(walk, walk.body, NONE);
  Object.assign(walk, before);
  return walk.file.row('function', row);
}
