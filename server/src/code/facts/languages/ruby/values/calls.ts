import { nameBeginningWith } from '../../../../../model/expressions';
import { bindingRow, type ExpressionRow, NO_TEXT, NONE, type StringIndex } from '../../../../../model/facts';
import { NO_NODE } from '../../../../parse/syntaxReader';
import { type SyntaxNode, syntaxNode } from '../../../../parse/syntaxTable';
import { blockRow } from '../declarations/blocks';
import { declareAssignedType } from '../declarations/classes';
import { MACROS, methodObject } from '../declarations/macros';
import { testBlockRow } from '../declarations/testBlocks';
import { argumentNodes, beginningText, constantOf, EXAMPLES, isConstant, lastPart, literalStart, literalText, selfMember } from '../names';
import { type Frame, methodBodyOf, type Walk } from '../walk';

import { argumentRows } from './arguments';
import { raiseCall } from './raising';

/** The parts of a call that special forms look at. */
interface CallParts {
  readonly node: SyntaxNode;
  readonly receiver: SyntaxNode;
  readonly nameNode: SyntaxNode;
  readonly text: string;
}

type SpecialCall = (walk: Walk, parts: CallParts, frame: Frame) => ExpressionRow | undefined;

/** True for a file with a method of its own that is called `fail`, which then raises nothing. */
function declaresFail(walk: Walk): boolean {
  return OWN_FAIL.test(walk.file.text(ROOT));
}

const OWN_FAIL = /\bdef\s+fail\b/;
const ROOT = syntaxNode(0);

/** Calls of well-known methods; each says `undefined` when the call is not of the expected form. */
const SPECIAL_CALLS: ReadonlyMap<string, SpecialCall> = new Map<string, SpecialCall>([
  ['new', newCall],
  ['raise', (walk, parts, frame) => (parts.receiver === NO_NODE ? raiseCall(walk, parts.node, frame) : undefined)],
  ['fail', (walk, parts, frame) => (parts.receiver === NO_NODE && !declaresFail(walk) ? raiseCall(walk, parts.node, frame) : undefined)],
  ['lambda', procCall],
  ['proc', procCall],
  ['method', methodCall],
  ['public_method', methodCall],
  ['send', sendCall],
  ['public_send', sendCall],
  ['__send__', sendCall],
  ['try', sendCall],
  ['is_a?', typeTest],
  ['kind_of?', typeTest],
  ['instance_of?', typeTest],
  ['instance_variable_get', ivarCall],
  ['call', yieldingCall],
  ['include', mixInto],
  ['extend', (walk, parts, frame) => mixIntoIncluder(walk, parts.receiver, argumentNodes(walk.file, parts.node), 'extend', frame)],
]);

export function callValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const receiver = file.child(node, 'receiver');
  const nameNode = file.child(node, 'method');
  if (nameNode === NO_NODE) return dotCall(walk, node, receiver, frame);
  const text = file.text(nameNode);
  if (receiver === NO_NODE && file.is(nameNode, 'super')) return superCall(walk, node, frame);
  const macro = receiver === NO_NODE ? MACROS.get(text)?.(walk, node, frame) : undefined;
  if (macro !== undefined) return macro;
  const special = SPECIAL_CALLS.get(text)?.(walk, { node, receiver, nameNode, text }, frame);
  if (special !== undefined) return special;
  const name = file.word(nameNode);
  const callee = receiver === NO_NODE ? selfMember(file, frame, name) : file.row('member', walk.value(receiver, frame), NONE, name);
  return finishCall(walk, node, callee, name, file.reader.start(nameNode), frame);
}

/** The receiver of `new`: what is made counts, and not that the class is named. */
function madeRow(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  return isConstant(walk.file, node) ? constantOf(walk, node, frame) : walk.value(node, frame);
}

function finishCall(walk: Walk, node: SyntaxNode, callee: ExpressionRow, name: StringIndex, at: number, frame: Frame): ExpressionRow {
  const { file } = walk;
  const { rows, block } = argumentRows(walk, argumentNodes(file, node), frame);
  const blockNode = file.child(node, 'block');
  const called = file.builder.strings[name] ?? '';
  const given =
    blockNode === NO_NODE
      ? block
      : file.row('function', testBlockRow(walk, node, called, frame) ?? blockRow(walk, blockNode, frame, { isClassLevel: CLASS_LEVEL_BLOCKS.has(called) }));
  const row = file.row('call', callee, given, NO_TEXT, rows);
  file.use('call', row, frame.owner, name, at);
  return row;
}

/** Calls whose block runs in the body of the class around. */
const CLASS_LEVEL_BLOCKS: ReadonlySet<string> = new Set([
  'included',
  'prepended',
  'class_eval',
  'class_exec',
  'module_eval',
  'each',
  'if',
  'unless',
  'with_options',
  'concerning',
]);

/** `x.(1)` calls the value itself. */
function dotCall(walk: Walk, node: SyntaxNode, receiver: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  if (receiver === NO_NODE) return file.unknown();
  const { name, at } = file.is(receiver, 'identifier', 'constant', 'instance_variable')
    ? lastPart(file, receiver)
    : { name: NO_TEXT, at: file.reader.start(receiver) };
  return finishCall(walk, node, walk.value(receiver, frame), name, at, frame);
}

/** `new` alone in a method of the class. */
export function bareNew(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const row = file.row('new', file.row('this', frame.scope));
  file.use('new', row, frame.owner, file.word(node), file.reader.start(node));
  return row;
}

/** `super`, `super(…)`: the method of the same name in what comes next. */
export function superCall(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const method = methodBodyOf(frame)?.method ?? '';
  const nodes = file.is(node, 'call') ? argumentNodes(file, node) : [];
  const { rows, block } = argumentRows(walk, nodes, frame);
  const blockNode = file.is(node, 'call') ? file.child(node, 'block') : NO_NODE;
  const given = blockNode === NO_NODE ? block : file.row('function', blockRow(walk, blockNode, frame));
  if (method === '' || frame.class === undefined) return file.unknown();
  const row = file.row('call', file.row('member', file.row('super', frame.scope), NONE, file.builder.intern(method)), given, NO_TEXT, rows);
  file.use('call', row, frame.owner, file.builder.intern('super'), file.reader.start(node));
  return row;
}

/** Classes that make classes. */
const ANONYMOUS: ReadonlySet<string> = new Set(['Class', 'Module', 'Struct']);

/** `Foo.new(…)` makes an instance; so does `new(…)` in a method of the class itself. */
function newCall(walk: Walk, parts: CallParts, frame: Frame): ExpressionRow | undefined {
  const { file } = walk;
  const { node, receiver, nameNode } = parts;
  if (receiver === NO_NODE && frame.class === undefined) return undefined;
  const text = file.text(receiver);
  if (text === 'Proc') return procCall(walk, parts, frame);
  if (ANONYMOUS.has(text) && file.child(node, 'block') !== NO_NODE) {
    const made = declareAssignedType(walk, node, NO_NODE, node, frame);
    if (made !== undefined) return made;
  }
  const base = text === 'Class' ? argumentNodes(file, node) : [];
  // An heir without a name and a body has what its base has.
  if (base.length === 1 && base[0] !== undefined) return walk.value(base[0], frame);
  const callee = receiver === NO_NODE ? file.row('this', frame.scope) : madeRow(walk, receiver, frame);
  const { rows } = argumentRows(walk, argumentNodes(file, node), frame);
  const block = file.child(node, 'block');
  if (block !== NO_NODE) blockRow(walk, block, frame);
  const row = file.row('new', callee, NONE, NO_TEXT, rows);
  const { name, at } = isConstant(file, receiver) ? lastPart(file, receiver) : { name: file.word(nameNode), at: file.reader.start(nameNode) };
  file.use('new', row, frame.owner, name, at);
  return row;
}

function procCall(walk: Walk, { node, receiver, text }: CallParts, frame: Frame): ExpressionRow | undefined {
  const block = walk.file.child(node, 'block');
  if (block === NO_NODE || (receiver !== NO_NODE && text !== 'new')) return undefined;
  return walk.file.row('function', blockRow(walk, block, frame));
}

/** `obj.method(:name)`. */
function methodCall(walk: Walk, { node, receiver }: CallParts, frame: Frame): ExpressionRow | undefined {
  const { file } = walk;
  const [nameNode, more] = argumentNodes(file, node);
  const text = nameNode === undefined || more !== undefined ? undefined : literalText(file, nameNode);
  if (nameNode === undefined || text === undefined) return undefined;
  return methodObject(walk, receiver === NO_NODE ? NONE : walk.value(receiver, frame), text, literalStart(file, nameNode), frame);
}

/** `obj.send(:name, …)` calls the method named, or one of those that begin with what is known of the name. */
function sendCall(walk: Walk, { node, receiver }: CallParts, frame: Frame): ExpressionRow | undefined {
  const { file } = walk;
  const [nameNode, ...rest] = argumentNodes(file, node);
  if (nameNode === undefined) return undefined;
  const text = literalText(file, nameNode);
  const known = text === undefined ? nameBeginningWith(beginningText(file, nameNode)) : /^\w+[?!=]?$/.test(text) ? text : undefined;
  if (known === undefined) return undefined;
  const mixed = text === 'include' || text === 'extend' ? mixIntoIncluder(walk, receiver, rest, text, frame) : undefined;
  if (mixed !== undefined) return mixed;
  if (text === undefined) walk.value(nameNode, frame);
  const name = file.builder.intern(known);
  const callee = receiver === NO_NODE ? selfMember(file, frame, name) : file.row('member', walk.value(receiver, frame), NONE, name);
  const { rows, block } = argumentRows(walk, rest, frame);
  const row = file.row('call', callee, block, NO_TEXT, rows);
  if (text === undefined) file.use('read', callee, frame.owner, name, literalStart(file, nameNode));
  else file.use('call', row, frame.owner, name, literalStart(file, nameNode));
  return row;
}

function typeTest(walk: Walk, { node, receiver }: CallParts, frame: Frame): ExpressionRow | undefined {
  const { file } = walk;
  const [type] = argumentNodes(file, node);
  if (type === undefined || !isConstant(file, type)) return undefined;
  if (receiver !== NO_NODE) walk.value(receiver, frame);
  const { name, at } = lastPart(file, type);
  file.use('assertType', constantOf(walk, type, frame), frame.owner, name, at);
  return file.literal('boolean');
}

function ivarCall(walk: Walk, { node, receiver }: CallParts, frame: Frame): ExpressionRow | undefined {
  const { file } = walk;
  const [nameNode] = argumentNodes(file, node);
  const text = nameNode === undefined ? undefined : literalText(file, nameNode);
  if (nameNode === undefined || text === undefined) return undefined;
  return methodObject(walk, receiver === NO_NODE ? NONE : walk.value(receiver, frame), text, literalStart(file, nameNode), frame);
}

/** `block.call(…)` of the method's own block is a `yield`. */
function yieldingCall(walk: Walk, { node, receiver }: CallParts, frame: Frame): ExpressionRow | undefined {
  const { file } = walk;
  const body = methodBodyOf(frame);
  if (body === undefined || !file.is(receiver, 'identifier') || !isBlockParameter(walk, file.word(receiver), frame)) return undefined;
  body.yields.push(argumentRows(walk, argumentNodes(file, node), frame).rows);
  return file.unknown();
}

function isBlockParameter(walk: Walk, name: StringIndex, frame: Frame): boolean {
  const { bindings, expressions, strings } = walk.file.builder;
  const scope = frame.locals.scopeOf(walk.file.builder.strings[name] ?? '');
  for (let row = bindingRow(0); row < bindings.count; row++) {
    if (bindings.scope[row] !== scope || bindings.name[row] !== name) continue;
    const value = bindings.value[row] ?? NONE;
    return value !== NONE && strings[expressions.text[value] ?? NO_TEXT] === '&';
  }
  return false;
}

/** `config.include M` in the block of `RSpec.configure`: every example sees the methods of M. */
function mixIntoExamples(walk: Walk, module: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const { name, at } = lastPart(file, module);
  const row = constantOf(walk, module, frame);
  file.use('type', row, frame.owner, name, at);
  file.builder.addHeritage(NONE, 'mixin', row, at, file.row('name', frame.scope, NONE, file.builder.intern(EXAMPLES)));
  return file.literal('null');
}

/** True for a call of the parameter of the block of `RSpec.configure` around. */
function isConfiguration({ file }: Walk, node: SyntaxNode, receiver: SyntaxNode): boolean {
  if (!file.is(receiver, 'identifier')) return false;
  const { reader } = file;
  for (let at = reader.parent(node); at !== NO_NODE; at = reader.parent(at)) {
    if (!file.is(at, 'call') || file.text(file.child(at, 'receiver')) !== 'RSpec' || file.text(file.child(at, 'method')) !== 'configure') continue;
    return file.text(file.child(file.child(at, 'block'), 'parameters')).replace(/[|\s]/g, '') === file.text(receiver);
  }
  return false;
}

/** `base.extend M` and `base.include M` in the hook of a module that is being included: its classes get M. */
function mixIntoIncluder(walk: Walk, receiver: SyntaxNode, modules: readonly SyntaxNode[], how: string, frame: Frame): ExpressionRow | undefined {
  const { file } = walk;
  const owner = frame.class;
  const body = methodBodyOf(frame);
  if (owner === undefined || body?.method !== 'included' || modules.length === 0 || !modules.every(module => isConstant(file, module))) return undefined;
  if (!file.is(receiver, 'identifier') || frame.locals.scopeOf(file.text(receiver)) === undefined) return undefined;
  walk.value(receiver, frame);
  for (const module of modules) {
    const { name, at } = lastPart(file, module);
    const row = constantOf(walk, module, frame);
    file.use('type', row, frame.owner, name, at);
    if (how === 'include') owner.mixins.push({ row, at });
    else file.builder.addBinding({ scope: owner.scope, name: file.builder.intern('<classMethods>'), kind: 'variable', value: row });
  }
  return file.literal('null');
}

/** `Foo.include M` from outside: M is used. */
function mixInto(walk: Walk, { node, receiver }: CallParts, frame: Frame): ExpressionRow | undefined {
  const { file } = walk;
  const [module] = argumentNodes(file, node);
  const included = mixIntoIncluder(walk, receiver, argumentNodes(file, node), 'include', frame);
  if (included !== undefined) return included;
  if (module !== undefined && isConstant(file, module) && isConfiguration(walk, node, receiver)) return mixIntoExamples(walk, module, frame);
  if (!isConstant(file, receiver) || module === undefined || !isConstant(file, module)) return undefined;
  const { name, at } = lastPart(file, module);
  file.use('type', constantOf(walk, module, frame), frame.owner, name, at);
  file.builder.addHeritage(NONE, 'mixin', constantOf(walk, module, frame), at, constantOf(walk, receiver, frame));
  return file.literal('null');
}
