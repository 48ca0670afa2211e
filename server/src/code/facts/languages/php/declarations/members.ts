import { type ExpressionRow, NONE, type StringIndex, type SymbolRow } from '../../../../../model/facts';
import { MODIFIERS } from '../../../../../model/nodes';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import type { KindName } from '../phpGrammar';
import { type DocBlock, docBlock, docNode } from '../types/docBlock';
import { docType } from '../types/docTypes';
import { type Frame, type Walk } from '../walk';
import { addAttributes, declaredType, memberModifiers, runFunction } from './functions';

type MemberHandler = (walk: Walk, node: SyntaxNode, frame: Frame) => void;

const HANDLERS: readonly (readonly [KindName, MemberHandler])[] = [
  ['method_declaration', declareMethod],
  ['property_declaration', declareProperties],
  ['const_declaration', declareConstants],
  ['enum_case', declareCase],
  ['use_declaration', () => undefined],
];

export function declareMember(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  for (const [kind, handle] of HANDLERS) {
    if (file.is(node, kind)) {
      handle(walk, node, frame);
      return;
    }
  }
  walk.parts(node, frame);
}

function declareMethod(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const nameNode = file.child(node, 'name');
  if (nameNode === NO_NODE) return;
  const body = file.child(node, 'body');
  const text = file.text(nameNode);
  let modifiers = memberModifiers(file, node) | (body === NO_NODE ? MODIFIERS.declared : 0);
  const isConstructor = text.toLowerCase() === '__construct';
  const symbol = file.declare({ node, nameNode, kind: isConstructor ? 'constructor' : 'method', parent: frame.owner, modifiers, body });
  const attributes = addAttributes(walk, node, symbol, frame);
  if (frame.class?.isTest === true && (text.startsWith('test') || attributes.includes('Test') || docBlock(file, node).isTest)) modifiers |= MODIFIERS.test;
  if (attributes.includes('Override')) modifiers |= MODIFIERS.override;
  file.builder.set('symbols', 'modifiers', symbol, modifiers);
  runFunction(walk, node, symbol, { ...frame, owner: symbol });
}

function declareProperties(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const doc = docBlock(file, node).variables[0]?.form;
  const typeNode = file.child(node, 'type');
  const modifiers = memberModifiers(file, node);
  for (const element of file.children(node)) {
    if (!file.is(element, 'property_element')) continue;
    const nameNode = file.child(element, 'name');
    const symbol = file.declare({ node: element, nameNode, kind: 'field', parent: frame.owner, modifiers, docNode: node });
    const type = declaredType(file, typeNode, doc, frame, symbol);
    const valueNode = file.child(element, 'default_value');
    const value = valueNode === NO_NODE ? NONE : walk.value(valueNode, { ...frame, owner: symbol });
    file.builder.set('symbols', 'type', symbol, type);
    file.builder.set('symbols', 'value', symbol, value);
    frame.class?.fields.set(file.text(nameNode), symbol);
    addAttributes(walk, node, symbol, frame);
    runHooks(walk, file.childOf(node, 'property_hook_list'), type, { ...frame, owner: symbol });
  }
}

/** `{ get => …; set($value) { … } }`: the bodies belong to the property. */
function runHooks(walk: Walk, list: SyntaxNode, type: ExpressionRow, frame: Frame): void {
  const { file } = walk;
  for (const hook of file.children(list)) {
    if (!file.is(hook, 'property_hook')) continue;
    const scope = file.builder.addScope('function', frame.scope);
    const row = file.builder.addFunction({ symbol: NONE, scope, returnType: type });
    file.builder.set('scopes', 'function', scope, row);
    const inside: Frame = { ...frame, scope, home: scope, body: { row, returns: [], yields: [], decisions: { count: 0 } } };
    file.builder.addBinding({ scope, name: file.builder.intern('$value'), kind: 'parameter', type, function: row, position: 0 });
    const body = file.child(hook, 'body');
    if (file.is(body, 'compound_statement')) walk.run(body, inside);
    else if (body !== NO_NODE) walk.value(body, inside);
  }
}

/** `const A = 1, B = 2;` in a class or at the top. */
export function declareConstants(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const isMember = frame.class !== undefined;
  const modifiers = memberModifiers(file, node) | MODIFIERS.readonly | (isMember ? MODIFIERS.static : MODIFIERS.exported);
  const typeNode = file.child(node, 'type');
  for (const element of file.children(node)) {
    if (!file.is(element, 'const_element')) continue;
    const [nameNode, valueNode] = file.children(element);
    if (nameNode === undefined) continue;
    const symbol = file.declare({ node: element, nameNode, kind: 'constant', parent: frame.owner, modifiers, docNode: node });
    const owned: Frame = { ...frame, owner: symbol };
    file.builder.set('symbols', 'type', symbol, declaredType(file, typeNode, undefined, frame, symbol));
    if (valueNode !== undefined) file.builder.set('symbols', 'value', symbol, walk.value(valueNode, owned));
    if (!isMember) file.builder.addBinding({ scope: frame.outer, name: file.word(nameNode), kind: 'symbol', symbol });
    addAttributes(walk, node, symbol, frame);
  }
}

function declareCase(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const nameNode = file.child(node, 'name');
  if (nameNode === NO_NODE) return;
  const symbol = file.declare({ node, nameNode, kind: 'enum_member', parent: frame.owner, modifiers: MODIFIERS.static | MODIFIERS.readonly });
  const valueNode = file.child(node, 'value');
  if (valueNode !== NO_NODE) file.builder.set('symbols', 'value', symbol, walk.value(valueNode, { ...frame, owner: symbol }));
  addAttributes(walk, node, symbol, frame);
}

/** Members that only the doc comment of the class speaks of: `@property`, `@method`. Those declared in code win. */
export function declareDocMembers(walk: Walk, node: SyntaxNode, doc: DocBlock, frame: Frame): void {
  const { file } = walk;
  const { builder } = file;
  const comment = docNode(file, node);
  if (doc.properties.length === 0 && doc.methods.length === 0) return;
  const place = { start: file.reader.start(comment), end: file.reader.end(comment), parent: frame.owner };
  for (const { name, form, at } of doc.properties) {
    if (frame.class?.fields.has(name) === true) continue;
    const type = docType(file, form, frame, frame.owner);
    const signature = builder.intern(`@property ${name}`);
    const symbol = builder.addSymbol({ ...place, name: builder.intern(name), kind: 'field', modifiers: MODIFIERS.declared, nameStart: at, type, signature });
    frame.class?.fields.set(name, symbol);
  }
  for (const { name, form, at, isStatic } of doc.methods) {
    const word = builder.intern(name);
    if (hasMember(walk, frame.owner, word)) continue;
    const modifiers = MODIFIERS.declared | (isStatic ? MODIFIERS.static : 0);
    const symbol = builder.addSymbol({ ...place, name: word, kind: 'method', modifiers, nameStart: at, signature: builder.intern(`@method ${name}()`) });
    const scope = builder.addScope('function', frame.scope, symbol);
    const row = builder.addFunction({ symbol, scope, returnType: docType(file, form, frame, frame.owner) });
    builder.set('scopes', 'function', scope, row);
    builder.set('symbols', 'scope', symbol, scope);
    builder.set('symbols', 'function', symbol, row);
  }
}

function hasMember(walk: Walk, owner: SymbolRow, name: StringIndex): boolean {
  const { symbols } = walk.file.builder;
  for (let row = owner + 1; row < symbols.count; row++) if (symbols.parent[row] === owner && symbols.name[row] === name) return true;
  return false;
}
