import { type ExpressionRow, NONE, type ScopeRow, symbolRow } from '../../../../../model/facts';
import { MODIFIERS } from '../../../../../model/nodes';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { argumentNodes, constantOf, isConstant, lastPart, literalStart, literalText, selfMember } from '../names';
import type { ClassBody, Frame, Walk } from '../walk';
import { blockRow } from './blocks';
import { openType } from './classes';
import { declareAccessor, declareForward, declareGenerated } from './members';

/** A call that declares something. Says `undefined` when it is an ordinary call after all. */
export type Macro = (walk: Walk, node: SyntaxNode, frame: Frame) => ExpressionRow | undefined;

const attribute =
  (reads: boolean, writes: boolean): Macro =>
  (walk, node, frame) => {
    if (frame.class === undefined || !frame.isClassLevel) return undefined;
    for (const argument of argumentNodes(walk.file, node)) {
      const text = literalText(walk.file, argument);
      if (text !== undefined) declareAccessor(walk, argument, text, { reads, writes }, frame, node);
      else walk.value(argument, frame);
    }
    return walk.file.literal('null');
  };

const visibility =
  (flag: number): Macro =>
  (walk, node, frame) => {
    const nodes = argumentNodes(walk.file, node);
    if (frame.class === undefined || !frame.isClassLevel) return undefined;
    for (const argument of nodes) withVisibility(walk, argument, flag, frame.class, frame);
    return walk.file.literal('null');
  };

/** Macros by name, for calls without a receiver. */
export const MACROS: ReadonlyMap<string, Macro> = new Map<string, Macro>([
  ['attr_reader', attribute(true, false)],
  ['attr', attribute(true, false)],
  ['attr_writer', attribute(false, true)],
  ['attr_accessor', attribute(true, true)],
  ['mattr_accessor', attribute(true, true)],
  ['cattr_accessor', attribute(true, true)],
  ['class_attribute', attribute(true, true)],
  ['private', visibility(MODIFIERS.private)],
  ['protected', visibility(MODIFIERS.protected)],
  ['public', visibility(0)],
  ['module_function', visibility(0)],
  ['private_class_method', visibility(MODIFIERS.private)],
  ['public_class_method', visibility(0)],
  ['private_constant', ignoredNames],
  ['include', (walk, node, frame) => mixIn(walk, node, frame)],
  ['prepend', (walk, node, frame) => mixIn(walk, node, frame)],
  ['extend', extendWith],
  ['alias_method', aliasMethod],
  ['define_method', defineMethod],
  ['class_methods', classMethods],
  ['def_delegators', delegators],
  ['def_instance_delegators', delegators],
  ['def_delegator', delegator],
  ['def_instance_delegator', delegator],
  ['delegate', delegate],
  ['let', letBlock],
  ['let!', eagerBlock],
  // `is_expected` and `should` ask for it without its name.
  ['subject', eagerBlock],
  ['subject!', eagerBlock],
  ['require', (walk, node, frame) => requireFile(walk, node, '', frame)],
  ['load', (walk, node, frame) => requireFile(walk, node, '', frame)],
  ['require_relative', (walk, node, frame) => requireFile(walk, node, './', frame)],
  ['autoload', autoload],
]);

/** Words that change what follows them, alone on a line. */
export const VISIBILITY_WORDS: ReadonlyMap<string, number> = new Map([
  ['private', MODIFIERS.private],
  ['protected', MODIFIERS.protected],
  ['public', 0],
  ['module_function', 0],
]);

/** `private def x`, `private attr_reader :x`, `private :x, :y`. */
function withVisibility(walk: Walk, argument: SyntaxNode, flag: number, owner: ClassBody, frame: Frame): void {
  const { file } = walk;
  const { symbols } = file.builder;
  const before = symbols.count;
  const text = literalText(file, argument);
  if (text === undefined) walk.value(argument, frame);
  const name = text === undefined ? NONE : (file.builder.find(text) ?? NONE);
  for (let row = symbolRow(text === undefined ? before : owner.symbol + 1); row < symbols.count; row++) {
    if (symbols.parent[row] !== owner.symbol || (text !== undefined && symbols.name[row] !== name)) continue;
    const others = (symbols.modifiers[row] ?? 0) & ~(MODIFIERS.private | MODIFIERS.protected);
    file.builder.set('symbols', 'modifiers', row, others | flag);
  }
}

function ignoredNames(walk: Walk): ExpressionRow {
  return walk.file.literal('null');
}

/** `include M`, `prepend M`: bases of the class, the last one first. */
function mixIn(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow | undefined {
  const { file } = walk;
  const owner = frame.class;
  if (owner === undefined && frame.scope === 0 && frame.owner === NONE) return mixIntoObject(walk, node, frame);
  if (owner === undefined || !frame.isClassLevel) return undefined;
  if (owner.isSingleton) return extendWith(walk, node, frame);
  for (const argument of argumentNodes(file, node)) {
    if (isConstant(file, argument)) owner.mixins.push({ row: constantOf(walk, argument, frame), at: lastPart(file, argument).at });
    else owner.mixins.push({ row: walk.value(argument, frame), at: file.reader.start(argument) });
  }
  return file.literal('null');
}

/** `include M` outside of classes: a base of Object, so that its constants are seen everywhere. */
function mixIntoObject(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow | undefined {
  const { file } = walk;
  const modules = argumentNodes(file, node);
  if (modules.length === 0 || !modules.every(module => isConstant(file, module))) return undefined;
  for (const module of modules) {
    const { name, at } = lastPart(file, module);
    const row = constantOf(walk, module, frame);
    file.use('type', row, frame.owner, name, at);
    file.builder.addHeritage(NONE, 'mixin', row, at, file.row('name', frame.scope, NONE, file.builder.intern('Object')));
  }
  return file.literal('null');
}

/** `extend M`: the methods of M are methods of the class itself; kept under a name that source cannot spell. */
function extendWith(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow | undefined {
  const { file } = walk;
  const owner = frame.class;
  if (owner === undefined || !frame.isClassLevel) return undefined;
  for (const argument of argumentNodes(file, node)) {
    if (file.is(argument, 'self')) continue;
    const row = isConstant(file, argument) ? constantOf(walk, argument, frame) : walk.value(argument, frame);
    file.builder.addBinding({ scope: owner.scope, name: file.builder.intern('<extend>'), kind: 'variable', value: row });
    const { name, at } = lastPart(file, argument);
    if (isConstant(file, argument)) file.use('type', row, frame.owner, name, at);
  }
  return file.literal('null');
}

function aliasMethod(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow | undefined {
  const [fresh, old] = argumentNodes(walk.file, node);
  return fresh === undefined || old === undefined ? undefined : aliasOf(walk, node, fresh, old, frame);
}

/** `alias new old` and `alias_method :new, :old`. */
export function aliasOf(walk: Walk, node: SyntaxNode, fresh: SyntaxNode, old: SyntaxNode, frame: Frame): ExpressionRow | undefined {
  const { file } = walk;
  const name = file.is(fresh, 'identifier', 'constant', 'operator', 'setter', 'global_variable') ? file.text(fresh) : literalText(file, fresh);
  const target = file.is(old, 'identifier', 'constant', 'operator', 'setter', 'global_variable') ? file.text(old) : literalText(file, old);
  if (name === undefined || target === undefined || name.startsWith('$')) return undefined;
  declareForward(walk, { node, nameNode: fresh, name }, { name: target, at: literalStart(file, old) }, frame);
  return file.literal('string');
}

/** `define_method(:name) { … }`, `define_method(:name, &block)`, `define_method(:name, method(:other))`. */
function defineMethod(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow | undefined {
  const { file } = walk;
  const [nameNode, given] = argumentNodes(file, node);
  const text = nameNode === undefined ? undefined : literalText(file, nameNode);
  const owner = frame.class;
  if (nameNode === undefined || text === undefined || owner === undefined) return undefined;
  const block = file.child(node, 'block');
  const kind = 'method';
  const modifiers = owner.state.visibility | (owner.isSingleton ? MODIFIERS.static : 0);
  if (block === NO_NODE) {
    const value = given === undefined ? file.unknown() : walk.value(given, frame);
    declareGenerated(walk, { node, nameNode, name: text, kind, modifiers }, frame, () => file.row('call', value));
    return file.literal('string');
  }
  const symbol = file.declare({ node, nameNode, name: file.builder.intern(text), kind, parent: owner.symbol, modifiers, body: file.child(block, 'body') });
  file.builder.set('symbols', 'nameColumn', symbol, file.builder.columnOf(literalStart(file, nameNode)));
  blockRow(walk, block, frame, { symbol, method: text });
  return file.literal('string');
}

/** `class_methods do … end` of a concern is its module `ClassMethods`. */
function classMethods(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow | undefined {
  const { file } = walk;
  const block = file.child(node, 'block');
  if (block === NO_NODE || !frame.isClassLevel) return undefined;
  const nameNode = file.child(node, 'method');
  return openType(walk, { node, nameNode, name: 'ClassMethods', kind: 'module', body: file.child(block, 'body'), superclass: NO_NODE }, frame);
}

/** `def_delegators :@x, :a, :b`. */
function delegators(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow | undefined {
  const [accessor, ...names] = argumentNodes(walk.file, node);
  const to = accessor === undefined ? undefined : literalText(walk.file, accessor);
  if (to === undefined || frame.class === undefined) return undefined;
  for (const nameNode of names) forward(walk, node, nameNode, nameNode, to, frame);
  return walk.file.literal('null');
}

/** `def_delegator :@x, :a, :b`. */
function delegator(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow | undefined {
  const [accessor, old, fresh] = argumentNodes(walk.file, node);
  const to = accessor === undefined ? undefined : literalText(walk.file, accessor);
  if (to === undefined || old === undefined || frame.class === undefined) return undefined;
  forward(walk, node, fresh ?? old, old, to, frame);
  return walk.file.literal('null');
}

/** `delegate :a, :b, to: :x`. */
function delegate(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow | undefined {
  const { file } = walk;
  const nodes = argumentNodes(file, node);
  const option = nodes.find(child => file.is(child, 'pair') && file.text(file.child(child, 'key')) === 'to');
  const to = option === undefined ? undefined : literalText(file, file.child(option, 'value'));
  if (to === undefined || frame.class === undefined) return undefined;
  for (const nameNode of nodes) if (literalText(file, nameNode) !== undefined) forward(walk, node, nameNode, nameNode, to, frame);
  return file.literal('null');
}

function forward(walk: Walk, node: SyntaxNode, fresh: SyntaxNode, old: SyntaxNode, to: string, frame: Frame): void {
  const { file } = walk;
  const name = literalText(file, fresh);
  const target = literalText(file, old);
  if (name === undefined || target === undefined) return;
  const through = file.builder.intern(to);
  const receiver = (scope: ScopeRow): ExpressionRow => {
    const itself = file.row('this', scope);
    if (to === 'class') return file.row('call', file.row('member', itself, NONE, through));
    return to.startsWith('@') ? file.row('member', itself, NONE, through) : file.row('call', file.row('member', itself, NONE, through));
  };
  declareForward(walk, { node, nameNode: fresh, name }, { name: target, at: literalStart(file, old), receiver }, frame);
}

const SUBJECT = /^subject!?$/;

/** `let(:name) { … }` in a specification: a function that the examples around see. */
function letBlock(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow | undefined {
  const { file } = walk;
  const block = file.child(node, 'block');
  const [nameNode] = argumentNodes(file, node);
  const text = nameNode === undefined ? 'subject' : literalText(file, nameNode);
  if (block === NO_NODE || text === undefined || frame.class !== undefined) return undefined;
  const name = file.builder.intern(text);
  const symbol = file.declare({
    node,
    nameNode: nameNode ?? file.child(node, 'method'),
    name,
    kind: 'function',
    parent: frame.owner,
    body: file.child(block, 'body'),
  });
  file.builder.addBinding({ scope: frame.home, name, kind: 'symbol', symbol });
  // A subject with a name of its own is still called `subject`, too.
  const isSubject = nameNode !== undefined && SUBJECT.test(file.text(file.child(node, 'method')));
  if (isSubject) file.builder.addBinding({ scope: frame.home, name: file.builder.intern('subject'), kind: 'symbol', symbol });
  blockRow(walk, block, frame, { symbol, method: text });
  return file.literal('string');
}

/** One that each example of the group around runs, whether it names it or not. */
function eagerBlock(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow | undefined {
  const { file } = walk;
  const row = letBlock(walk, node, frame);
  if (row === undefined) return undefined;
  const [nameNode] = argumentNodes(file, node);
  const name = file.builder.intern((nameNode === undefined ? undefined : literalText(file, nameNode)) ?? 'subject');
  file.use('call', file.row('call', file.row('name', frame.scope, NONE, name)), frame.owner, name, file.reader.start(nameNode ?? file.child(node, 'method')));
  return row;
}

function requireFile(walk: Walk, node: SyntaxNode, prefix: string, frame: Frame): ExpressionRow | undefined {
  const { file } = walk;
  const [argument] = argumentNodes(file, node);
  const text = argument === undefined ? undefined : literalText(file, argument);
  if (argument === undefined || text === undefined || !file.is(argument, 'string'))
    return prefix === '' && argument !== undefined ? relativeToFile(walk, node, argument, frame) : undefined;
  const path = prefix === '' || /^\.\.?\//.test(text) ? text : `${prefix}${text}`;
  file.builder.addImport({ kind: 'require', specifier: file.builder.intern(path), at: literalStart(file, argument) });
  return file.literal('boolean');
}

/** `require File.expand_path('../x', __FILE__)` and its like. */
function relativeToFile(walk: Walk, node: SyntaxNode, argument: SyntaxNode, frame: Frame): ExpressionRow | undefined {
  const { file } = walk;
  const text = file.text(argument);
  const match =
    /^File\.(?:expand_path|join)\(\s*(?:__dir__|File\.dirname\(__FILE__\))\s*,\s*['"](?<below>[^'"#]+)['"]\s*\)$/.exec(text) ??
    /^File\.expand_path\(\s*['"](?<below>[^'"#]+)['"]\s*,\s*__dir__\s*\)$/.exec(text) ??
    /^File\.expand_path\(\s*['"]\.\.\/(?<below>[^'"#]+)['"]\s*,\s*__FILE__\s*\)$/.exec(text);
  const below = match?.groups?.['below'];
  if (below === undefined) return undefined;
  walk.value(argument, frame);
  const path = below.startsWith('.') ? below : `./${below.replace(/^\//, '')}`;
  file.builder.addImport({ kind: 'require', specifier: file.builder.intern(path), at: file.reader.start(node) });
  return file.literal('boolean');
}

function autoload(walk: Walk, node: SyntaxNode): ExpressionRow | undefined {
  const { file } = walk;
  const [, path] = argumentNodes(file, node);
  const text = path === undefined ? undefined : literalText(file, path);
  if (path === undefined || text === undefined) return undefined;
  file.builder.addImport({ kind: 'require', specifier: file.builder.intern(text), at: literalStart(file, path) });
  return file.literal('null');
}

/** `helper_method`-like calls are ordinary; this names one that is not: a method object of the receiver. */
export function methodObject(walk: Walk, receiver: ExpressionRow, name: string, at: number, frame: Frame): ExpressionRow {
  const { file } = walk;
  const word = file.builder.intern(name);
  const row = receiver === NONE ? selfMember(file, frame, word) : file.row('member', receiver, NONE, word);
  file.use('read', row, frame.owner, word, at);
  return row;
}
