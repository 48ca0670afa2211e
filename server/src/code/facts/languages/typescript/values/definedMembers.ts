/** Calls that give an object a member: `defineGetter(object, 'name', function () { … })`, `Object.defineProperty(object, 'name', { get() { … } })`. */
import { operandOf } from '../../../../../model/expressions';
import { type ExpressionRow, NONE, operatorCode, type SymbolRow } from '../../../../../model/facts';
import { MODIFIERS } from '../../../../../model/nodes';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { functionValue, readFunction } from '../declarations/functions';
import { addSymbol, containerOf, knownSymbol } from '../declarations/symbols';
import { isFunctionKind, isNaming, ownName, stringText } from '../literals';
import type { Walk } from '../walk';

/** What functions that define members are called. */
const DEFINES = /^(?:__)?(?:define|add|create|install).*(?<kind>getter|setter|property|method)/i;

/** A member that the arguments of a call define. */
export interface DefinedMember {
  readonly kind: string;
  readonly object: SyntaxNode;
  readonly title: SyntaxNode;
  /** A function, or an object that describes the member. */
  readonly body: SyntaxNode;
}

/** The member that a call with these arguments defines; undefined for any other call. */
export function definedMember(walk: Walk, named: SyntaxNode, list: SyntaxNode): DefinedMember | undefined {
  if (named === NO_NODE || list === NO_NODE) return undefined;
  const kind = DEFINES.exec(walk.reader.text(named))?.groups?.['kind'];
  if (kind === undefined) return undefined;
  const { node: kinds } = walk.kinds;
  const [object, title, body] = walk.reader.namedChildren(list).filter(child => walk.kind[child] !== kinds.comment);
  if (object === undefined || title === undefined || body === undefined || walk.kind[title] !== kinds.string) return undefined;
  if (!isNaming(walk, stringText(walk, title))) return undefined;
  const isKnown = walk.kind[body] === kinds.object || isFunctionKind(walk, walk.kind[body] ?? 0);
  return isKnown ? { kind: kind.toLowerCase(), object, title, body } : undefined;
}

/** Row of what describes a member. A function is a symbol of the object, named like the member. */
export function readDefinition(walk: Walk, { kind, object, title, body }: DefinedMember): ExpressionRow {
  const { field, node: kinds } = walk.kinds;
  if (walk.kind[body] === kinds.object) return walk.value(body);
  const known = walk.kind[object] === kinds.identifier ? knownSymbol(walk, walk.nameOf(object)) : NONE;
  const symbol = addSymbol(walk, {
    node: body,
    nameNode: title,
    name: stringText(walk, title),
    kind: 'function',
    parent: known === NONE ? containerOf(walk) : known,
    modifiers: kind === 'method' ? 0 : MODIFIERS.property | (kind === 'setter' ? MODIFIERS.setter : MODIFIERS.getter),
    body: walk.child(body, field.body),
  });
  const selfName = ownName(walk, body);
  const isArrow = walk.kind[body] === kinds.arrow_function;
  return functionValue(walk, readFunction(walk, { node: body, symbol, isArrow, ...(selfName === undefined || isArrow ? {} : { selfName }) }));
}

/** The object has the member. */
export function addDefinition(walk: Walk, { kind, title }: DefinedMember, target: ExpressionRow, described: ExpressionRow): void {
  const { builder } = walk;
  const { expressions, lists } = builder;
  const add = (row: ExpressionRow, isGetter: boolean): void => {
    const symbol = symbolOf(walk, row);
    const value = isGetter ? walk.list(operatorCode.call, [], row) : row;
    builder.addAssignment({ target, name: stringText(walk, title), value, symbol, owner: walk.owner });
  };
  if (expressions.operator[described] === operatorCode.function) {
    if (kind !== 'setter') add(described, kind !== 'method');
    return;
  }
  if (expressions.operator[described] !== operatorCode.object) return;
  const start = expressions.listStart[described] ?? 0;
  const end = start + (expressions.listCount[described] ?? 0);
  for (let at = start; at + 1 < end; at += 2) {
    const key = builder.strings[lists[at] ?? 0];
    if (key === 'get' || key === 'value') add((lists[at + 1] ?? NONE) as ExpressionRow, key === 'get');
  }
}

/** Symbol of the function that a row is, or `NONE`. */
function symbolOf({ builder: { expressions, functions } }: Walk, row: ExpressionRow): SymbolRow {
  return expressions.operator[row] === operatorCode.function ? (functions.symbol[operandOf.function(expressions, row)] ?? NONE) : NONE;
}
