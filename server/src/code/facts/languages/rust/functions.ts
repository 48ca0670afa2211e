import { type BindingRow, type ExpressionRow, type FunctionRow, NO_TEXT, NONE, type StringIndex } from '../../../../model/facts';
import { MODIFIERS } from '../../../../model/nodes';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { openFunction } from '../../walk/frames';
import { isTestAttribute } from './attributes';
import { bindPattern, partsOf } from './patterns';
import { boundsRow, optionalType } from './types';
import { type Body, type Frame, newBody, type RustFile, type Walk } from './walk';

/** Declares a function, method or trait method with everything in it. */
export function declareFunction(walk: Walk, node: SyntaxNode, frame: Frame, attributes: readonly SyntaxNode[]): void {
  const { file } = walk;
  const { builder } = file;
  const nameNode = file.child(node, 'name');
  const isMember = frame.place === 'impl' || frame.place === 'trait';
  const body = file.child(node, 'body');
  const modifiers = modifiersOf(file, node, frame, attributes);
  const member = memberPlace(frame);
  const symbol = file.declare({ node, nameNode, kind: isMember ? 'method' : 'function', parent: frame.owner, ...member, modifiers, body });
  if (!isMember) builder.addBinding({ scope: frame.home, name: file.word(nameNode), kind: 'symbol', symbol });
  const { row, scope } = openFunction(file, frame.scope, symbol, modifiers & MODIFIERS.async);
  const own: Body = newBody();
  const inside: Frame = { ...frame, scope, home: scope, owner: symbol, body: own, place: 'body' };
  addTypeParameters(walk, node, inside);
  const visible = addParameters(walk, file.children(file.child(node, 'parameters')), inside, row);
  builder.set('functions', 'returnType', row, optionalType(walk, file.child(node, 'return_type'), inside));
  if (body === NO_NODE) return;
  walk.block(body, visible);
  builder.set('symbols', 'complexity', symbol, own.decisions.count + 1);
}

/** Members of an `impl` name the type they belong to; all others stand in what is around them. */
export function memberPlace(frame: Frame): { readonly container?: StringIndex; readonly receiver?: ExpressionRow } {
  return frame.place === 'impl' && frame.self !== undefined ? { container: frame.self.container, receiver: frame.self.row } : {};
}

function modifiersOf(file: RustFile, node: SyntaxNode, frame: Frame, attributes: readonly SyntaxNode[]): number {
  let flags = visibility(file, node, frame);
  const words = file.childOf(node, 'function_modifiers');
  if (words !== NO_NODE && /\basync\b/.test(file.text(words))) flags |= MODIFIERS.async;
  if (file.child(node, 'body') === NO_NODE) flags |= frame.place === 'trait' ? MODIFIERS.abstract | MODIFIERS.declared : MODIFIERS.declared;
  const isMember = frame.place === 'impl' || frame.place === 'trait';
  if (isMember && !hasSelf(file, node)) flags |= MODIFIERS.static;
  if (frame.place === 'impl' && frame.self?.isTraitImpl === true) flags |= MODIFIERS.override;
  if (attributes.some(attribute => isTestAttribute(file.text(attribute)))) flags |= MODIFIERS.test;
  return flags;
}

/** `pub`, and what a trait or an implementation of one declares, can be used from elsewhere. */
export function visibility(file: RustFile, node: SyntaxNode, frame: Frame): number {
  const isPublic = file.childOf(node, 'visibility_modifier') !== NO_NODE || frame.place === 'trait' || frame.self?.isTraitImpl === true;
  return isPublic && frame.place !== 'body' ? MODIFIERS.exported : 0;
}

function hasSelf(file: RustFile, node: SyntaxNode): boolean {
  return file
    .children(file.child(node, 'parameters'))
    .some(parameter => file.is(parameter, 'self_parameter') || file.is(file.child(parameter, 'pattern'), 'self'));
}

/** Binds what stands in the angle brackets, with the bounds of the `where` clause. */
export function addTypeParameters(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const parameters = file.children(file.child(node, 'type_parameters')).filter(child => file.is(child, 'type_parameter', 'const_parameter'));
  const predicates = file.children(file.childOf(node, 'where_clause')).filter(child => file.is(child, 'where_predicate'));
  const used = new Set<SyntaxNode>();
  for (const parameter of parameters) {
    const nameNode = file.child(parameter, 'name');
    const name = file.word(nameNode);
    if (file.is(parameter, 'const_parameter')) {
      file.builder.addBinding({ scope: frame.scope, name, kind: 'variable', type: walk.type(file.child(parameter, 'type'), frame) });
      continue;
    }
    const binding = file.builder.addBinding({ scope: frame.scope, name, kind: 'typeParameter' });
    const rows = [boundsRow(walk, file.child(parameter, 'bounds'), frame)];
    for (const predicate of predicates) {
      if (file.text(file.child(predicate, 'left')) !== file.text(nameNode)) continue;
      used.add(predicate);
      rows.push(boundsRow(walk, file.child(predicate, 'bounds'), frame));
    }
    const given = rows.filter(row => row !== NONE);
    if (given.length > 0)
      file.builder.set('bindings', 'type', binding, given.length === 1 ? (given[0] ?? NONE) : file.row('intersection', NONE, NONE, NO_TEXT, given));
    const fallback = file.child(parameter, 'default_type');
    if (fallback !== NO_NODE) walk.type(fallback, frame);
  }
  for (const predicate of predicates) {
    if (used.has(predicate)) continue;
    walk.type(file.child(predicate, 'left'), frame);
    boundsRow(walk, file.child(predicate, 'bounds'), frame);
  }
}

/** Binds parameters; `self` takes no place among them. The frame sees what patterns bind. */
function addParameters(walk: Walk, nodes: readonly SyntaxNode[], frame: Frame, row: FunctionRow): Frame {
  const { file } = walk;
  const rows: BindingRow[] = [];
  let current = frame;
  for (const node of nodes) {
    if (file.is(node, 'self_parameter')) {
      bindSelf(walk, frame, row, NONE);
      continue;
    }
    if (!file.is(node, 'parameter')) continue;
    const pattern = file.child(node, 'pattern');
    const type = walk.type(file.child(node, 'type'), frame);
    if (file.is(pattern, 'self')) bindSelf(walk, frame, row, type);
    else current = addParameter(walk, pattern, type, current, { row, rows });
  }
  file.builder.setParameters(row, rows);
  return current;
}

function bindSelf(walk: Walk, frame: Frame, row: FunctionRow, type: ExpressionRow): void {
  const { file } = walk;
  const name = file.builder.intern('self');
  const { self } = frame;
  frame.body?.seen.add(name);
  if (self?.trait !== undefined && self.trait !== NONE) file.builder.addBinding({ scope: frame.scope, name, kind: 'self', function: row });
  else file.builder.addBinding({ scope: frame.scope, name, kind: 'parameter', type: type === NONE ? (self?.row ?? NONE) : type });
}

interface ParameterList {
  readonly row: FunctionRow;
  readonly rows: BindingRow[];
}

/** A name is the parameter; a pattern takes the parts of one that has no name. */
function addParameter(walk: Walk, pattern: SyntaxNode, type: ExpressionRow, frame: Frame, list: ParameterList): Frame {
  const { file } = walk;
  const { builder } = file;
  const inner = file.is(pattern, 'mut_pattern', 'ref_pattern', 'reference_pattern') ? file.reader.lastNamedChild(pattern) : pattern;
  const position = list.rows.length;
  const isName = file.is(inner, 'identifier');
  const name = isName ? file.word(inner) : builder.intern(`(${position})`);
  const scope = builder.functions.scope[list.row] ?? frame.scope;
  frame.body?.seen.add(name);
  list.rows.push(builder.addBinding({ scope, name, kind: 'parameter', type, function: list.row, position }));
  if (isName) return frame;
  const value = file.row('name', scope, NONE, name);
  return bindPattern(walk, inner, { value, type: NONE }, frame);
}

/** A closure: a function without a symbol, whose parameters get their types from where it is handed to. */
export function closureValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const { builder } = file;
  const { row, scope } = openFunction(file, frame.scope, NONE);
  const outer = newBody(frame.body);
  const own: Body = { ...outer, isClosure: true };
  const inside: Frame = { ...frame, scope, home: scope, body: own };
  const list: ParameterList = { row, rows: [] };
  let visible = inside;
  for (const parameter of closureParameters(walk, node)) {
    const isTyped = file.is(parameter, 'parameter');
    const type = isTyped ? walk.type(file.child(parameter, 'type'), inside) : NONE;
    visible = addParameter(walk, isTyped ? file.child(parameter, 'pattern') : parameter, type, visible, list);
  }
  builder.setParameters(row, list.rows);
  builder.set('functions', 'returnType', row, optionalType(walk, file.child(node, 'return_type'), inside));
  const value = walk.value(file.child(node, 'body'), visible);
  if (value !== NONE) own.returns.push(value);
  builder.setReturns(row, own.returns);
  return file.row('function', row);
}

function closureParameters(walk: Walk, node: SyntaxNode): SyntaxNode[] {
  const list = walk.file.child(node, 'parameters');
  return list === NO_NODE ? [] : partsOf(walk, list);
}
