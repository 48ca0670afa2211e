/** What other files can take of a file as data: the values it exports, and the members of the object literals among them. */
import { type ExpressionRow, NONE, type StringIndex, type SymbolRow } from '../../../../../model/facts';
import { MODIFIERS, type SymbolKind, symbolKindCode } from '../../../../../model/nodes';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { addSymbol } from '../declarations/symbols';
import { bareValue, isFunctionKind, isRequire, objectIn } from '../literals';
import type { Walk } from '../walk';

/** Names of the variables that exports apart from their declaration name: `export { a }`, `export default a`, `module.exports = a`, `module.exports = { a }`, `exports.b = a`. */
export function namesExposed(walk: Walk, file: SyntaxNode): ReadonlySet<string> {
  const names = new Set<string>();
  const { reader, kinds } = walk;
  for (const statement of reader.namedChildren(file)) {
    const kind = walk.kind[statement];
    if (kind === kinds.node.export_statement) addListed(walk, statement, names);
    else if (kind === kinds.node.expression_statement) addAssigned(walk, reader.firstNamedChild(statement), names);
  }
  return names;
}

function addListed(walk: Walk, statement: SyntaxNode, names: Set<string>): void {
  const { reader, kinds } = walk;
  const { node: named, field } = kinds;
  if (walk.child(statement, field.source) !== NO_NODE) return;
  const value = walk.child(statement, field.value);
  if (value !== NO_NODE && walk.kind[value] === named.identifier) names.add(reader.text(value));
  const clause = reader.childByKind(statement, named.export_clause);
  if (clause === NO_NODE) return;
  for (const item of reader.namedChildren(clause)) {
    const name = walk.child(item, field.name);
    if (name !== NO_NODE) names.add(reader.text(name));
  }
}

const EXPORTS = /^(?:module\s*\.\s*)?exports\b/;

function addAssigned(walk: Walk, assignment: SyntaxNode, names: Set<string>): void {
  const { reader, kinds } = walk;
  const { node: named, field } = kinds;
  if (assignment === NO_NODE || walk.kind[assignment] !== named.assignment_expression) return;
  const left = walk.child(assignment, field.left);
  const right = walk.child(assignment, field.right);
  if (left === NO_NODE || right === NO_NODE) return;
  if (walk.kind[right] === named.assignment_expression) addAssigned(walk, right, names);
  if (!EXPORTS.test(reader.text(left))) return;
  if (walk.kind[right] === named.identifier) names.add(reader.text(right));
  const literal = objectIn(walk, right);
  if (literal === NO_NODE) return;
  for (const item of reader.namedChildren(literal)) {
    const value = walk.kind[item] === named.pair ? walk.child(item, field.value) : item;
    const isName = value !== NO_NODE && (walk.kind[value] === named.identifier || walk.kind[value] === named.shorthand_property_identifier);
    if (isName) names.add(reader.text(value));
  }
}

/** Object literals with more members are tables: their keys are looked up, not named. */
const MAX_MEMBERS = 200;

/** In no function, where `exports` may be those of another module that was bundled in. */
export function isAtTop(walk: Walk): boolean {
  return walk.container === NONE && walk.functionRow === NONE;
}

/** Has the data of an exported object literal become symbols of `owner` when it is read next; `NONE`: of the file. */
export function expose(walk: Walk, value: SyntaxNode, owner: SymbolRow): void {
  const literal = value === NO_NODE ? NO_NODE : objectIn(walk, value);
  if (literal !== NO_NODE) walk.exposing = { literal, owner, isTable: walk.reader.namedChildren(literal).length > MAX_MEMBERS };
}

/** The name or member that was read last is exported by it: that is no use of it. */
export function listExport(walk: Walk, value: ExpressionRow): void {
  const last = walk.uses[walk.uses.length - 1];
  if (last?.row === value && last.kind === 'read' && last.owner === NONE) walk.uses[walk.uses.length - 1] = { ...last, kind: 'export' };
}

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** Whether a value is data under a name of its own: no function or class, and not what another name, member or module stands for. */
export function isData(walk: Walk, name: StringIndex, value: SyntaxNode): boolean {
  const { node: kinds } = walk.kinds;
  const held = bareValue(walk, value);
  const kind = held === NO_NODE ? 0 : (walk.kind[held] ?? 0);
  if (kind === 0 || isFunctionKind(walk, kind) || !IDENTIFIER.test(walk.builder.strings[name] ?? '')) return false;
  const isOther = kind === kinds.identifier || kind === kinds.member_expression || kind === kinds.class || kind === kinds.assignment_expression;
  return !isOther && kind !== kinds.undefined && !isRequire(walk, held);
}

/** Where an exported value goes. */
export interface DataDraft {
  /** The whole assignment or pair. */
  readonly node: SyntaxNode;
  readonly nameNode: SyntaxNode;
  readonly name: StringIndex;
  readonly value: SyntaxNode;
  readonly parent: SymbolRow;
  readonly kind: SymbolKind;
  readonly isExported: boolean;
}

/** The symbol of an exported value. */
export function addData(walk: Walk, { node, nameNode, name, value, parent, kind, isExported }: DataDraft): SymbolRow {
  const inner = bareValue(walk, value);
  const isBulky = objectIn(walk, value) !== NO_NODE || walk.kind[inner] === walk.kinds.node.array || walk.reader.length(inner) > 120;
  return addSymbol(walk, { node, nameNode, name, kind, parent, modifiers: isExported ? MODIFIERS.exported : 0, body: isBulky ? inner : NO_NODE });
}

/** The symbol of `exports.name = value`: one for all values that the name is given; `NONE` for what is no data of the file itself. */
export function exportedData(walk: Walk, node: SyntaxNode, nameNode: SyntaxNode, name: StringIndex, value: SyntaxNode): SymbolRow {
  if (!isAtTop(walk) || !isData(walk, name, value)) return NONE;
  const known = walk.exportedData.get(name);
  if (known !== undefined) {
    walk.builder.set('symbols', 'kind', known, symbolKindCode.variable);
    return known;
  }
  const symbol = addData(walk, { node, nameNode, name, value, parent: NONE, kind: 'constant', isExported: true });
  walk.exportedData.set(name, symbol);
  return symbol;
}

/** The symbol is what a member of an object has. */
export function defineData(walk: Walk, symbol: SymbolRow, target: ExpressionRow, name: StringIndex, value: ExpressionRow): void {
  const { builder } = walk;
  if (builder.symbols.value[symbol] === NONE) builder.set('symbols', 'value', symbol, value);
  builder.addAssignment({ target, name, value, symbol, owner: walk.owner });
}
