import { type ExpressionRow, MODULE_SCOPE, NONE, type SymbolRow } from '../../../../../model/facts';
import { MODIFIERS, type SymbolKind } from '../../../../../model/nodes';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { docAnchor } from '../docs/yard';
import { argumentNodes, constantOf, constantRow, isConstant, lastPart, literalText } from '../names';
import { type ClassBody, type Frame, Locals, type Walk } from '../walk';
import { declareAccessor } from './members';

const TEST_BASE = /(?:Test|TestCase|Spec)$/;

/** Name of a class that has none; source cannot spell it. */
const ANONYMOUS = 'class@anonymous';

/** What a class or module is made of, however it is written. */
export interface TypeParts {
  readonly node: SyntaxNode;
  /** `NO_NODE` for a class without a name. */
  readonly nameNode: SyntaxNode;
  /** When it is not what `nameNode` says. */
  readonly name?: string;
  readonly kind: SymbolKind;
  readonly body: SyntaxNode;
  /** Expression of the base class, or `NO_NODE`. */
  readonly superclass: SyntaxNode;
}

export function declareType(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const nameNode = file.child(node, 'name');
  if (nameNode === NO_NODE) return file.unknown();
  const wrapper = file.child(node, 'superclass');
  const superclass = wrapper === NO_NODE ? NO_NODE : file.reader.firstNamedChild(wrapper);
  const kind = file.is(node, 'module') ? 'module' : 'class';
  return openType(walk, { node, nameNode, kind, body: file.child(node, 'body'), superclass }, frame);
}

/** How a type is called and where it belongs. */
interface TypePath {
  readonly isAnonymous: boolean;
  readonly name: string;
  /** What is written before the name: `A` of `class A::B`. */
  readonly prefix: string;
  readonly isRoot: boolean;
  /** The class whose body it stands in. */
  readonly outer: ClassBody | undefined;
  /** Full name of what it belongs to. */
  readonly container: string;
}

function pathOf(walk: Walk, parts: TypeParts, frame: Frame): TypePath {
  const isAnonymous = parts.nameNode === NO_NODE;
  const text = isAnonymous ? ANONYMOUS : (parts.name ?? walk.file.text(parts.nameNode));
  const isRoot = text.startsWith('::');
  const segments = text.split('::').filter(part => part !== '');
  const prefix = segments.slice(0, -1).join('::');
  const outer = isRoot ? undefined : frame.class;
  return { isAnonymous, name: segments.at(-1) ?? '', prefix, isRoot, outer, container: [outer?.path ?? '', prefix].filter(part => part !== '').join('::') };
}

/** Declares a class or module and walks its body. Gives its row. */
export function openType(walk: Walk, parts: TypeParts, frame: Frame): ExpressionRow {
  const { file } = walk;
  const { builder } = file;
  const place = pathOf(walk, parts, frame);
  const { isAnonymous, name, container } = place;
  const symbol = declareSymbol(walk, parts, place, frame);
  const path = container === '' ? name : `${container}::${name}`;
  const inside = isAnonymous ? builder.addScope('block', frame.scope) : builder.addScope('namespace', frame.scope, NONE, NONE, builder.intern(path));
  const scope = builder.addScope('class', inside, symbol);
  builder.set('symbols', 'scope', symbol, scope);
  const isTest = TEST_BASE.test(file.text(parts.superclass));
  const state = { visibility: 0 };
  const accessors: ClassBody['accessors'] = { given: new Map(), readers: [] };
  const own: ClassBody = { symbol, scope, inside, path, isTest, fields: new Map(), state, mixins: [], isSingleton: false, accessors };
  const locals = new Locals(isAnonymous ? frame.locals : undefined);
  const within: Frame = { scope, home: scope, owner: symbol, body: undefined, class: own, locals, isClassLevel: true, fields: scope, implicitBlock: NONE };
  const base = superclassRow(walk, parts.superclass, { ...frame, owner: symbol }, within);
  if (parts.body !== NO_NODE) walk.run(parts.body, within);
  for (const { row, at } of [...own.mixins].reverse()) builder.addHeritage(symbol, 'mixin', row, at);
  if (base !== undefined) builder.addHeritage(symbol, 'extends', base.row, base.at);
  for (const reader of accessors.readers) {
    const given = accessors.given.get(reader.name);
    if (given !== undefined) builder.setReturns(reader.row, [reader.held, ...given]);
  }
  file.hashContainer(symbol, parts.node, parts.body);
  return file.row('class', symbol);
}

/** The symbol of a type and the binding of its name, in the package of what it belongs to. */
function declareSymbol(walk: Walk, parts: TypeParts, place: TypePath, frame: Frame): SymbolRow {
  const { file } = walk;
  const { builder } = file;
  const { node, nameNode } = parts;
  const { isAnonymous, prefix, isRoot, outer, container } = place;
  const name = builder.intern(place.name);
  const symbol = file.declare({
    node,
    nameNode: isAnonymous ? node : file.is(nameNode, 'scope_resolution') ? file.child(nameNode, 'name') : nameNode,
    name,
    kind: parts.kind,
    parent: isAnonymous ? frame.owner : (outer?.symbol ?? NONE),
    container: builder.intern(prefix),
    receiver: prefix === '' ? NONE : constantRow(file, isRoot ? `::${prefix}` : prefix, frame.scope),
    modifiers: MODIFIERS.exported,
    body: parts.body,
    docNode: docAnchor(file, node),
  });
  if (isAnonymous) return symbol;
  const home = prefix === '' ? (outer?.inside ?? MODULE_SCOPE) : builder.addScope('namespace', frame.scope, NONE, NONE, builder.intern(container));
  builder.addBinding({ scope: home, name, kind: 'symbol', symbol });
  return symbol;
}

/** The base class is looked up outside the class; `Struct.new(:a)` as a base gives members. */
function superclassRow(walk: Walk, node: SyntaxNode, frame: Frame, within: Frame): { readonly row: ExpressionRow; readonly at: number } | undefined {
  const { file } = walk;
  if (node === NO_NODE) return undefined;
  if (isConstant(file, node)) return { row: constantOf(walk, node, frame), at: lastPart(file, node).at };
  if (file.is(node, 'element_reference')) {
    const object = file.child(node, 'object');
    if (isConstant(file, object)) return { row: constantOf(walk, object, frame), at: lastPart(file, object).at };
  }
  const receiver = file.is(node, 'call') ? file.child(node, 'receiver') : NO_NODE;
  if (isConstant(file, receiver) && isRecord(file.text(receiver), file.text(file.child(node, 'method')))) {
    addRecordMembers(walk, node, file.text(receiver) === 'Data', within);
    return { row: constantOf(walk, receiver, frame), at: lastPart(file, receiver).at };
  }
  walk.value(node, frame);
  return { row: file.unknown(), at: file.reader.start(node) };
}

function isRecord(receiver: string, method: string): boolean {
  return (receiver === 'Struct' && method === 'new') || (receiver === 'Data' && method === 'define');
}

/** Members that `Struct.new(:a, :b)` and `Data.define(:a)` give. */
function addRecordMembers(walk: Walk, call: SyntaxNode, isReadOnly: boolean, frame: Frame): void {
  const { file } = walk;
  for (const argument of argumentNodes(file, call)) {
    const text = file.is(argument, 'simple_symbol') ? literalText(file, argument) : undefined;
    if (text !== undefined) declareAccessor(walk, argument, text, { reads: true, writes: !isReadOnly }, frame);
  }
}

/** `X = Struct.new(:a) do … end`, `X = Class.new(Base) { … }`, `X = Module.new`: a class of that name. `undefined` for other values. */
export function declareAssignedType(walk: Walk, node: SyntaxNode, nameNode: SyntaxNode, value: SyntaxNode, frame: Frame): ExpressionRow | undefined {
  const { file } = walk;
  if (!file.is(value, 'call')) return undefined;
  const receiver = file.text(file.child(value, 'receiver'));
  const method = file.text(file.child(value, 'method'));
  const record = isRecord(receiver, method);
  if (!record && (method !== 'new' || (receiver !== 'Class' && receiver !== 'Module'))) return undefined;
  const block = file.child(value, 'block');
  const body = block === NO_NODE ? NO_NODE : file.child(block, 'body');
  const [first] = argumentNodes(file, value);
  const superclass = record ? value : receiver === 'Class' ? (first ?? NO_NODE) : NO_NODE;
  return openType(walk, { node, nameNode, kind: receiver === 'Module' ? 'module' : 'class', body, superclass }, frame);
}

/** `class << self … end`: the methods inside belong to the class itself. */
export function singletonClass(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const body = file.child(node, 'body');
  const own = frame.class;
  if (body === NO_NODE) return file.unknown();
  if (own === undefined || !file.is(file.child(node, 'value'), 'self')) return walk.run(body, frame);
  return walk.run(body, { ...frame, class: { ...own, isSingleton: true, fields: new Map(), state: { visibility: 0 } } });
}
