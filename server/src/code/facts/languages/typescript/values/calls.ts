/** Calls, constructions and the module-loading calls among them. */
import { NONE, operatorCode } from '../../../../../model/facts';
import { NO_NODE } from '../../../../parse/syntaxReader';
import { stringText } from '../literals';
import { visitTypeArguments } from '../types';
import type { Walk } from '../walk';
import { memberRow } from './members';
import { readTestBlock, type TestBlock, testBlock } from './testBlocks';

export function call(walk: Walk, node: number): number {
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

function callOf(walk: Walk, node: number, callee: number): number {
  const { field } = walk.kinds;
  const target = calleeRow(walk, callee);
  const typeArguments = visitTypeArguments(walk, node);
  const list = walk.child(node, field.arguments);
  const row = walk.builder.addExpression(
    operatorCode.call,
    target,
    typeArguments.length === 0 ? NONE : walk.list(operatorCode.generic, typeArguments, target),
    0,
    list === NO_NODE ? [] : argumentRows(walk, list, testBlock(walk, callee, list)),
  );
  const named = lastName(walk, callee);
  walk.builder.addReference('call', row, walk.owner, named === NO_NODE ? 0 : walk.nameOf(named), walk.reader.start(named === NO_NODE ? callee : named));
  return row;
}

/** Row of what is called, without counting it as read. */
function calleeRow(walk: Walk, node: number): number {
  const { node: kinds } = walk.kinds;
  const kind = walk.kind[node];
  if (kind === kinds.identifier) return walk.name(walk.nameOf(node));
  if (kind === kinds.member_expression) return memberRow(walk, node);
  return walk.value(node);
}

/** Node of the name that a call is shown under; `NO_NODE` when what is called has none. */
function lastName(walk: Walk, node: number): number {
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

function argumentRows(walk: Walk, list: number, block?: TestBlock): number[] {
  const { reader, kinds } = walk;
  if (walk.kind[list] !== kinds.node.arguments) return [walk.value(list)];
  const rows: number[] = [];
  const end = reader.after(list);
  for (let child = list + 1; child < end; child = reader.after(child)) {
    if (!reader.isNamed(child) || walk.kind[child] === kinds.node.comment) continue;
    rows.push(block?.body === child ? readTestBlock(walk, block) : walk.value(child));
  }
  return rows;
}

export function construct(walk: Walk, node: number): number {
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
    0,
    rows,
  );
  const named = lastName(walk, callee);
  walk.builder.addReference('new', row, walk.owner, named === NO_NODE ? 0 : walk.nameOf(named), walk.reader.start(named === NO_NODE ? callee : named));
  return row;
}

/** `require('x')` and `import('x')` of a literal; `undefined` when the argument is computed. */
function loadModule(walk: Walk, node: number, kind: 'require' | 'dynamic'): number | undefined {
  const { field, node: kinds } = walk.kinds;
  const list = walk.child(node, field.arguments);
  const argument = list === NO_NODE ? NO_NODE : walk.reader.firstNamedChild(list);
  if (argument === NO_NODE || walk.kind[argument] !== kinds.string) return undefined;
  const specifier = stringText(walk, argument);
  const row = walk.builder.addImport({ kind, specifier, at: walk.reader.start(node) });
  return walk.builder.addExpression(operatorCode.module, row, NONE, specifier);
}
