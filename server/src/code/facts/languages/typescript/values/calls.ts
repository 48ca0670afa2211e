/** Calls, constructions and the module-loading calls among them. */
import { operandOf } from '../../../../../model/expressions';
import { EXPORT_KINDS, type ExpressionRow, exportRow, NO_TEXT, NONE, operatorCode, type SomeRow } from '../../../../../model/facts';
import { NO_NODE } from '../../../../parse/syntaxReader';
import { type SyntaxNode, syntaxNode } from '../../../../parse/syntaxTable';
import { stringText } from '../literals';
import { isAtTop } from '../modules/exposed';
import { visitTypeArguments } from '../types';
import type { Walk } from '../walk';
import { addDefinition, definedMember, readDefinition } from './definedMembers';
import { memberRow } from './members';
import { readTestBlock, testBlock } from './testBlocks';

export function call(walk: Walk, node: SyntaxNode): ExpressionRow {
  const { field, node: kinds } = walk.kinds;
  const callee = walk.child(node, field.function);
  if (callee === NO_NODE) return walk.parts(node);
  const kind = walk.kind[callee];
  if (kind === kinds.import) return loadModule(walk, node, 'dynamic') ?? callOf(walk, node, callee);
  if (kind === kinds.identifier && walk.reader.length(callee) === 7 && walk.reader.text(callee) === 'require') {
    const module = loadModule(walk, node, 'require');
    if (module !== undefined) return module;
  }
  return callOf(walk, node, callee);
}

function callOf(walk: Walk, node: SyntaxNode, callee: SyntaxNode): ExpressionRow {
  const { field } = walk.kinds;
  const target = calleeRow(walk, callee);
  const typeArguments = visitTypeArguments(walk, node);
  const list = walk.child(node, field.arguments);
  const named = lastName(walk, callee);
  const block = list === NO_NODE ? undefined : testBlock(walk, callee, list);
  const defined = definedMember(walk, named, list);
  const special: SpecialArgument | undefined =
    block === undefined
      ? defined && { node: defined.body, read: () => readDefinition(walk, defined) }
      : { node: block.body, read: () => readTestBlock(walk, block) };
  const given = list === NO_NODE ? [] : argumentRows(walk, list, special);
  const row = walk.builder.addExpression(
    operatorCode.call,
    target,
    typeArguments.length === 0 ? NONE : walk.list(operatorCode.generic, typeArguments, target),
    NO_TEXT,
    given,
  );
  walk.builder.addReference('call', row, walk.owner, named === NO_NODE ? NO_TEXT : walk.nameOf(named), walk.reader.start(named === NO_NODE ? callee : named));
  if (defined !== undefined) addDefinition(walk, defined, given[0] ?? walk.unknown, given[2] ?? walk.unknown);
  if (walk.reader.text(callee) === 'Object.create') return createdObject(walk, row);
  if (named !== NO_NODE && MIXING.test(walk.reader.text(named))) mixIn(walk, row);
  return row;
}

/** Functions that give their first argument what their other arguments have, by the names under which libraries and projects know them. */
const MIXING = /^(?:assign|extend|mixin|mixins|merge|mergeDescriptors|setPrototypeOf|augment|defaults)$/;

/** Name of the assignments that hand on all members of their value. */
const ALL_MEMBERS = '*';

/** `mixin(target, source)`, `Object.assign(target, source)`, `Object.setPrototypeOf(target, source)`: what the source has, the target has. */
function mixIn(walk: Walk, call: ExpressionRow): void {
  const { builder } = walk;
  const [target, ...sources] = itemsOf(walk, call);
  if (target === undefined || !canHold(walk, target)) return;
  if (isOwnExports(walk, target) && !exportsWhole(walk)) {
    const given = sources.flatMap<SomeRow>(value => [NO_TEXT, value]);
    builder.addExport({ kind: 'whole', value: walk.list(operatorCode.object, given) });
    return;
  }
  for (const value of sources) if (canHold(walk, value)) builder.addAssignment({ target, name: builder.intern(ALL_MEMBERS), value, owner: walk.owner });
}

const WHOLE = EXPORT_KINDS.indexOf('whole');

function exportsWhole({ builder: { exports } }: Walk): boolean {
  for (let row = exportRow(0); row < exports.count; row++) if (exports.kind[row] === WHOLE) return true;
  return false;
}

/** `exports` or `module.exports` at the top of a file. */
function isOwnExports(walk: Walk, row: ExpressionRow): boolean {
  const { expressions, strings } = walk.builder;
  if (!isAtTop(walk) || strings[expressions.text[row] ?? NO_TEXT] !== 'exports') return false;
  if (expressions.operator[row] === operatorCode.name) return true;
  const object = expressions.operator[row] === operatorCode.member ? operandOf.receiver(expressions, row) : NONE;
  return object !== NONE && expressions.operator[object] === operatorCode.name && strings[expressions.text[object] ?? NO_TEXT] === 'module';
}

function canHold(walk: Walk, row: ExpressionRow): boolean {
  const operator = walk.builder.expressions.operator[row];
  return operator === operatorCode.name || operator === operatorCode.member || operator === operatorCode.object || operator === operatorCode.module;
}

/** `Object.create(prototype, descriptors)`: an object with the values of the descriptors that has what its prototype has. */
function createdObject(walk: Walk, call: ExpressionRow): ExpressionRow {
  const { builder } = walk;
  const [prototype, descriptors] = itemsOf(walk, call);
  if (prototype === undefined) return call;
  const items: SomeRow[] = [NO_TEXT, prototype];
  const pairs = descriptors === undefined || builder.expressions.operator[descriptors] !== operatorCode.object ? [] : itemsOf(walk, descriptors);
  for (let i = 0; i + 1 < pairs.length; i += 2) {
    const described = itemsOf(walk, pairs[i + 1] ?? NONE);
    const at = described.findIndex((key, index) => index % 2 === 0 && builder.strings[key] === 'value');
    if (at >= 0) items.push(pairs[i] ?? NO_TEXT, described[at + 1] ?? NONE);
  }
  return walk.list(operatorCode.object, items);
}

function itemsOf(walk: Walk, row: ExpressionRow): ExpressionRow[] {
  const { expressions, lists } = walk.builder;
  const start = expressions.listStart[row] ?? 0;
  return Array.from({ length: expressions.listCount[row] ?? 0 }, (_, at) => lists[start + at] ?? NONE);
}

/** Row of what is called, without counting it as read. */
function calleeRow(walk: Walk, node: SyntaxNode): ExpressionRow {
  const { node: kinds } = walk.kinds;
  const kind = walk.kind[node];
  if (kind === kinds.identifier) return walk.name(walk.nameOf(node));
  if (kind === kinds.member_expression) return memberRow(walk, node);
  return walk.value(node);
}

/** Node of the name that a call is shown under; `NO_NODE` when what is called has none. */
function lastName(walk: Walk, node: SyntaxNode): SyntaxNode {
  const { node: kinds, field } = walk.kinds;
  let at = node;
  for (;;) {
    const kind = walk.kind[at] ?? 0;
    if (kind === kinds.identifier || kind === kinds.super) return at;
    if (kind === kinds.member_expression) return walk.child(at, field.property);
    const isWrapper = kind !== 0 && (kind === kinds.non_null_expression || kind === kinds.instantiation_expression);
    const inner = isWrapper ? walk.reader.firstNamedChild(at) : NO_NODE;
    if (inner === NO_NODE) return NO_NODE;
    at = inner;
  }
}

/** An argument that is read in a way of its own. */
interface SpecialArgument {
  readonly node: SyntaxNode;
  readonly read: () => ExpressionRow;
}

function argumentRows(walk: Walk, list: SyntaxNode, special?: SpecialArgument): ExpressionRow[] {
  const { reader, kinds } = walk;
  if (walk.kind[list] !== kinds.node.arguments) return [walk.value(list)];
  const rows: ExpressionRow[] = [];
  const end = reader.after(list);
  for (let child = syntaxNode(list + 1); child < end; child = reader.after(child)) {
    if (!reader.isNamed(child) || walk.kind[child] === kinds.node.comment) continue;
    rows.push(special?.node === child ? special.read() : walk.value(child));
  }
  return rows;
}

export function construct(walk: Walk, node: SyntaxNode): ExpressionRow {
  const { field } = walk.kinds;
  const callee = walk.child(node, field.constructor);
  if (callee === NO_NODE) return walk.parts(node);
  const target = calleeRow(walk, callee);
  const typeArguments = visitTypeArguments(walk, node);
  const list = walk.child(node, field.arguments);
  const rows = list === NO_NODE ? [] : argumentRows(walk, list);
  const row = walk.builder.addExpression(
    operatorCode.new,
    target,
    typeArguments.length === 0 ? NONE : walk.list(operatorCode.generic, typeArguments, target),
    NO_TEXT,
    rows,
  );
  const named = lastName(walk, callee);
  walk.builder.addReference('new', row, walk.owner, named === NO_NODE ? NO_TEXT : walk.nameOf(named), walk.reader.start(named === NO_NODE ? callee : named));
  return row;
}

/** `require('x')` and `import('x')` of a literal; `undefined` when the argument is computed. */
function loadModule(walk: Walk, node: SyntaxNode, kind: 'require' | 'dynamic'): ExpressionRow | undefined {
  const { field, node: kinds } = walk.kinds;
  const list = walk.child(node, field.arguments);
  const argument = list === NO_NODE ? NO_NODE : walk.reader.firstNamedChild(list);
  if (argument === NO_NODE || walk.kind[argument] !== kinds.string) return undefined;
  const specifier = stringText(walk, argument);
  const row = walk.builder.addImport({ kind, specifier, at: walk.reader.start(node) });
  return walk.builder.addExpression(operatorCode.module, row, NONE, specifier);
}
