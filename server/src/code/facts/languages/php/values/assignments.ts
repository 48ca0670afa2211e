import { operandOf } from '../../../../../model/expressions';
import { type ExpressionRow, heritageRow, NO_TEXT, NONE, type StringIndex, type SymbolRow } from '../../../../../model/facts';
import { NO_NODE } from '../../../../parse/syntaxReader';
import { type SyntaxNode, syntaxNode } from '../../../../parse/syntaxTable';
import { closureRow } from '../declarations/functions';
import { variableRow } from '../names';
import type { Frame, Walk } from '../walk';
import { keyRow } from './arrays';
import { useOfElement } from './protocols';
import { plainString } from './strings';

/** `target = value`; `type` is what a doc comment says of the target. Gives the value. */
export function assign(walk: Walk, node: SyntaxNode, type: ExpressionRow, frame: Frame): ExpressionRow {
  const { file } = walk;
  const left = file.child(node, 'left');
  const right = file.child(node, 'right');
  if (file.is(left, 'variable_name') && file.is(right, 'anonymous_function', 'arrow_function')) return assignClosure(walk, node, left, right, frame);
  const value = right === NO_NODE ? file.unknown() : file.nested(file.unknown(), () => walk.value(right, frame));
  bindTarget(walk, left, value, { node, type }, frame);
  return type === NONE ? value : file.row('valueOfType', type);
}

/** A closure bound to a variable is a function of that name. */
function assignClosure(walk: Walk, node: SyntaxNode, left: SyntaxNode, right: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const symbol = file.declare({ node, nameNode: left, kind: 'function', parent: frame.owner, body: file.child(right, 'body') });
  file.builder.addBinding({ scope: frame.home, name: file.word(left), kind: 'symbol', symbol });
  return closureRow(walk, right, frame, symbol);
}

interface Declaration {
  readonly node: SyntaxNode;
  readonly type: ExpressionRow;
  /** Loop variables make no symbols. */
  readonly isLoop?: boolean;
}

/** Binds a target (variable, property, element, list) to a value. */
export function bindTarget(walk: Walk, target: SyntaxNode, value: ExpressionRow, declaration: Declaration, frame: Frame): void {
  const { file } = walk;
  if (target === NO_NODE) return;
  const { kind } = file.grammar;
  switch (file.reader.kind(target)) {
    case kind.variable_name:
      return bindVariable(walk, target, value, declaration, frame);
    case kind.member_access_expression:
    case kind.nullsafe_member_access_expression:
    case kind.scoped_property_access_expression:
      return assignMember(walk, target, value, declaration, frame);
    case kind.subscript_expression:
      return assignElement(walk, target, value, frame);
    case kind.list_literal:
    case kind.array_creation_expression:
      return bindParts(walk, target, value, declaration.node, frame);
    case kind.by_ref:
    case kind.parenthesized_expression:
      return bindTarget(walk, file.reader.firstNamedChild(target), value, declaration, frame);
    default:
      walk.value(target, frame);
  }
}

function bindVariable(walk: Walk, node: SyntaxNode, value: ExpressionRow, { node: statement, type, isLoop }: Declaration, frame: Frame): void {
  const { file } = walk;
  const text = file.text(node);
  const name = file.word(node);
  const { builder } = file;
  if (isLoop === true || frame.body !== undefined || frame.home !== frame.globals) {
    builder.addBinding({ scope: frame.home, name, kind: 'variable', type, value });
    return;
  }
  let symbol = walk.variables.get(text);
  if (symbol === undefined) {
    symbol = file.declare({ node: statement, nameNode: node, kind: 'variable', parent: NONE, type, value });
    walk.variables.set(text, symbol);
  }
  builder.addBinding({ scope: frame.home, name, kind: 'symbol', symbol, type, value });
}

/** `[$a, 'k' => $b, [$c]] = value`; holes count. */
function bindParts(walk: Walk, target: SyntaxNode, value: ExpressionRow, statement: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  let position = 0;
  let key = NO_NODE;
  const end = file.reader.after(target);
  for (let child = syntaxNode(target + 1); child < end; child = file.reader.after(child)) {
    const token = file.reader.isNamed(child) ? '' : file.text(child);
    if (token === ',') position++;
    if (token !== '' || file.is(child, 'comment')) continue;
    const parts = file.is(child, 'array_element_initializer') ? file.children(child) : [child];
    const next = file.reader.nextSibling(child);
    if (parts.length === 1 && next !== NO_NODE && !file.reader.isNamed(next) && file.text(next) === '=>') {
      key = child;
      continue;
    }
    const [partKey, part] = parts.length > 1 ? parts : [key, parts[0]];
    key = NO_NODE;
    if (part !== undefined) bindTarget(walk, part, partRow(walk, value, partKey ?? NO_NODE, position, frame), { node: statement, type: NONE }, frame);
  }
}

function partRow(walk: Walk, value: ExpressionRow, key: SyntaxNode, position: number, frame: Frame): ExpressionRow {
  const { file } = walk;
  if (key === NO_NODE) return file.row('index', value, NONE, file.builder.intern(String(position)));
  const text = plainString(file, key);
  if (text !== undefined) return file.row('index', value, keyRow(file, text));
  return file.row('index', value, walk.value(key, frame), file.is(key, 'integer') ? file.word(key) : NO_TEXT);
}

function assignMember(walk: Walk, target: SyntaxNode, value: ExpressionRow, { node: statement, type }: Declaration, frame: Frame): void {
  const { file } = walk;
  const row = walk.quiet(target, frame);
  const { expressions } = file.builder;
  const name = expressions.text[row] ?? NO_TEXT;
  const object = operandOf.receiver(expressions, row);
  const nameNode = file.child(target, 'name');
  if (name === 0 || nameNode === NO_NODE) return;
  const isOwn = file.text(file.child(target, 'object')) === '$this';
  const symbol = isOwn ? fieldOf(walk, statement, nameNode, name, value, frame) : NONE;
  file.builder.addAssignment({ target: object, name, value, type, symbol, owner: frame.owner });
  file.use('write', row, frame.owner, name, file.reader.start(nameNode));
}

/** Symbol of the property that `$this->x = …` sets; a property that is never declared is by its first assignment, unless a base may have it. */
function fieldOf(walk: Walk, statement: SyntaxNode, nameNode: SyntaxNode, name: StringIndex, value: ExpressionRow, frame: Frame): SymbolRow {
  const { file } = walk;
  const owner = frame.class;
  if (owner === undefined) return NONE;
  const text = file.builder.strings[name] ?? '';
  const known = owner.fields.get(text);
  if (known !== undefined || !hasNoHeritage(walk, owner.symbol)) return known ?? NONE;
  const symbol = file.declare({ node: statement, nameNode, name, kind: 'field', parent: owner.symbol, value, docNode: nameNode });
  owner.fields.set(text, symbol);
  return symbol;
}

/** True for a class without bases and traits: whatever it sets is its own. */
function hasNoHeritage(walk: Walk, symbol: SymbolRow): boolean {
  const { heritage } = walk.file.builder;
  for (let row = heritageRow(0); row < heritage.count; row++) if (heritage.symbol[row] === symbol) return false;
  return true;
}

/** `$a['k'] = v`, `$a[] = v`. */
function assignElement(walk: Walk, target: SyntaxNode, value: ExpressionRow, frame: Frame): void {
  const { file } = walk;
  const [objectNode, key] = file.children(target);
  if (objectNode === undefined) return;
  const object = walk.value(objectNode, frame);
  useOfElement(walk, target, object, frame, 'offsetSet');
  const text = key === undefined ? undefined : plainString(file, key);
  if (key !== undefined && text === undefined) walk.value(key, frame);
  if (text !== undefined) file.builder.addAssignment({ target: object, name: file.builder.intern(text), value, owner: frame.owner });
  file.builder.addAssignment({ target: object, name: NO_TEXT, value, owner: frame.owner });
}

/** `$x += v`, `$this->x ??= v`. */
export function augment(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const left = file.child(node, 'left');
  const value = walk.value(file.child(node, 'right'), frame);
  const operator = file.text(file.child(node, 'operator'));
  const before = file.is(left, 'variable_name') ? variableRow(walk, left, frame) : walk.value(left, frame);
  const row = operator === '??=' ? file.either([before, value]) : file.row('operation', before, value, file.builder.intern(operator.slice(0, -1)));
  const given = operator === '??=' ? value : row;
  if (!file.is(left, 'variable_name') || operator === '??=') bindTarget(walk, left, given, { node, type: NONE }, frame);
  else if (frame.home === frame.globals) file.use('write', before, frame.owner, file.word(left), file.reader.start(left));
  return row;
}
