import { type BindingRow, type ExpressionRow, NONE, type ScopeRow, type StringIndex, type SymbolRow } from '../../../../model/facts';
import { MODIFIERS } from '../../../../model/nodes';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { addSignature, addTypeParameters, bindSymbol, nameModifiers } from './declarations';
import { addType, type TypePlace } from './types';
import type { Block, Body, GoFile, Walk } from './walk';

export function declareFunction(walk: Walk, node: SyntaxNode, block: Block): void {
  const { file } = walk;
  const nameNode = file.child(node, 'name');
  if (nameNode === NO_NODE) return;
  const modifiers = nameModifiers(file, nameNode) | (isTest(file, node, file.text(nameNode)) ? MODIFIERS.test : 0);
  const symbol = file.declare({ node, nameNode, kind: 'function', parent: NONE, modifiers, body: file.child(node, 'body') });
  if (file.text(nameNode) !== 'init') bindSymbol(walk, nameNode, symbol, block);
  addBody(walk, node, symbol, block);
}

/** `func (r *T[P]) m()`: a member of `T`, which may stand in another file of the package. */
export function declareMethod(walk: Walk, node: SyntaxNode, block: Block): void {
  const { file } = walk;
  const nameNode = file.child(node, 'name');
  const receiver = receiverOf(file, node);
  if (nameNode === NO_NODE || receiver === undefined) return;
  const modifiers = nameModifiers(file, nameNode) | (isSuiteTest(file, node, file.text(nameNode)) ? MODIFIERS.test : 0);
  const typeName = file.text(receiver.typeName);
  const container = file.builder.intern(file.aliases.get(typeName) ?? typeName);
  const symbol = file.declare({ node, nameNode, kind: 'method', parent: NONE, container, modifiers, body: file.child(node, 'body') });
  addBody(walk, node, symbol, block, receiver);
}

interface Receiver {
  /** Node of the parameter's name, or `NO_NODE`. */
  readonly nameNode: SyntaxNode;
  readonly type: SyntaxNode;
  /** Name of the type without pointer and type arguments. */
  readonly typeName: SyntaxNode;
}

function receiverOf(file: GoFile, node: SyntaxNode): Receiver | undefined {
  const parameter = file.childOf(file.child(node, 'receiver'), 'parameter_declaration');
  const type = file.child(parameter, 'type');
  let typeName = type;
  for (let steps = 0; typeName !== NO_NODE && !file.is(typeName, 'type_identifier') && steps < 8; steps++) typeName = file.reader.firstNamedChild(typeName);
  return typeName === NO_NODE || type === NO_NODE ? undefined : { nameNode: file.child(parameter, 'name'), type, typeName };
}

function addBody(walk: Walk, node: SyntaxNode, symbol: SymbolRow, block: Block, receiver?: Receiver): void {
  const { file } = walk;
  const { builder } = file;
  file.used.clear();
  const scope = builder.addScope('function', block.scope, symbol);
  builder.set('symbols', 'scope', symbol, scope);
  const parameters = file.child(node, 'type_parameters');
  const receiverArguments = receiver === undefined ? [] : bindReceiverArguments(file, receiver, scope);
  const isGeneric = parameters !== NO_NODE || receiverArguments.length > 0;
  const place: TypePlace = { scope: isGeneric ? scope : block.scope, owner: symbol, counts: true };
  addTypeParameters(file, parameters, { ...place, scope });
  const declared = new Map<StringIndex, ScopeRow>();
  const values = isGeneric ? builder.addScope('block', scope) : scope;
  if (receiver !== undefined) {
    const type = addType(file, receiver.type, { ...place, counts: false });
    builder.set('symbols', 'receiver', symbol, type);
    if (receiver.nameNode !== NO_NODE) {
      const name = file.word(receiver.nameNode);
      builder.addBinding({ scope: values, name, kind: 'parameter', type });
      declared.set(name, values);
    }
  }
  addSignature(file, node, { symbol, scope, values, declared }, place);
  const body: Body = { decisions: 0 };
  walk.statements(file.child(node, 'body'), { scope: values, isOwn: true, declared, outer: block, owner: symbol, body });
  builder.set('symbols', 'complexity', symbol, body.decisions + 1);
}

/** `func (s *Stack[T]) …` names the type parameters of the type anew; their constraints are known when the type stands above. */
function bindReceiverArguments(file: GoFile, receiver: Receiver, scope: ScopeRow): readonly BindingRow[] {
  const { type, typeName } = receiver;
  const inside = file.is(type, 'pointer_type') ? file.reader.firstNamedChild(type) : type;
  if (!file.is(inside, 'generic_type')) return [];
  const own = file.typeParameters.get(file.word(typeName)) ?? [];
  const names: BindingRow[] = [];
  for (const argument of file.children(file.child(inside, 'type_arguments'))) {
    const nameNode = file.reader.firstNamedChild(argument);
    if (!file.is(nameNode, 'type_identifier')) continue;
    const same = own[names.length];
    const constraint = same === undefined ? NONE : (file.builder.bindings.type[same] ?? NONE);
    names.push(file.builder.addBinding({ scope, name: file.word(nameNode), kind: 'typeParameter', type: constraint }));
  }
  return names;
}

/** Row of a function literal: a function of its own where it is a block of tests; without a symbol, its calls belong to the function around. */
export function literalFunction(walk: Walk, node: SyntaxNode, block: Block, symbol: SymbolRow): ExpressionRow {
  const { file } = walk;
  const isOwn = symbol !== NONE;
  const scope = file.builder.addScope('function', block.scope, symbol);
  const declared = new Map<number, ScopeRow>();
  const owner = isOwn ? symbol : block.owner;
  const body = isOwn ? { decisions: 0 } : block.body;
  const row = addSignature(file, node, { symbol, scope, values: scope, declared }, { scope: block.scope, owner, counts: true });
  walk.statements(file.child(node, 'body'), { scope, isOwn: true, declared, outer: block, owner, body });
  if (isOwn) {
    file.builder.set('symbols', 'scope', symbol, scope);
    file.builder.set('symbols', 'complexity', symbol, (body?.decisions ?? 0) + 1);
  }
  return file.row('function', row);
}

/** A method that a library of suites runs as a case: by name, and given nothing or what its checks are made with. */
function isSuiteTest(file: GoFile, node: SyntaxNode, name: string): boolean {
  if (!/^Test(?!\p{Ll})/u.test(name) || file.child(node, 'result') !== NO_NODE) return false;
  const parameters = file.children(file.child(node, 'parameters'));
  return parameters.length === 0 || (parameters.length === 1 && /^\*(?:\w+\.)?C$/.test(file.text(file.child(parameters[0] ?? NO_NODE, 'type'))));
}

/** What `go test` runs unless asked otherwise, which benchmarks are not: by name and by what it is handed. */
function isTest(file: GoFile, node: SyntaxNode, name: string): boolean {
  const match = /^(?:Test|Fuzz|Example)(?!\p{Ll})/u.exec(name);
  if (match === null) return false;
  const parameters = file.children(file.child(node, 'parameters'));
  if (match[0] === 'Example') return parameters.length === 0 && file.child(node, 'result') === NO_NODE;
  const [only] = parameters;
  return parameters.length === 1 && only !== undefined && /^\*testing\.[TFM]$/.test(file.text(file.child(only, 'type')));
}
