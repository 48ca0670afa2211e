import { type BindingRow, type ExpressionRow, type FunctionRow, NONE, type SymbolRow } from '../../../../../model/facts';
import { MODIFIERS } from '../../../../../model/nodes';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { type GeneratorBody, openFunction } from '../../../walk/frames';
import { lastPart, nameRow } from '../names';
import { type DocBlock, docBlock } from '../types/docBlock';
import type { DocForm } from '../types/docForm';
import { docType, isTemplate } from '../types/docTypes';
import { isLoose, nativeType } from '../types/nativeTypes';
import type { Frame, PhpFile, Walk } from '../walk';

const VISIBILITY: Readonly<Record<string, number>> = { private: MODIFIERS.private, protected: MODIFIERS.protected };

/** Modifier bits from the words before a member. */
export function memberModifiers(file: PhpFile, node: SyntaxNode): number {
  let flags = 0;
  if (file.childOf(node, 'static_modifier') !== NO_NODE) flags |= MODIFIERS.static;
  if (file.childOf(node, 'abstract_modifier') !== NO_NODE) flags |= MODIFIERS.abstract;
  if (file.childOf(node, 'readonly_modifier') !== NO_NODE) flags |= MODIFIERS.readonly;
  const visibility = file.childOf(node, 'visibility_modifier');
  return flags | (visibility === NO_NODE ? 0 : (VISIBILITY[file.text(visibility).toLowerCase()] ?? 0));
}

/** `#[A, B(1)]` before a declaration: each is a decorator of it. */
export function addAttributes(walk: Walk, node: SyntaxNode, symbol: SymbolRow, frame: Frame): readonly string[] {
  const { file } = walk;
  const list = file.child(node, 'attributes');
  const names: string[] = [];
  for (const group of file.children(list)) {
    for (const attribute of file.children(group)) {
      const [name] = file.children(attribute);
      if (name === undefined) continue;
      const last = lastPart(file, name);
      names.push(file.builder.strings[last.name] ?? '');
      file.use('decorator', nameRow(file, file.text(name), frame), symbol, last.name, last.at);
      const parameters = file.child(attribute, 'parameters');
      if (parameters !== NO_NODE) for (const argument of file.children(parameters)) walk.value(argument, frame);
    }
  }
  return names;
}

/** A function at any level: it belongs to the namespace, wherever it stands. */
export function declareFunction(walk: Walk, node: SyntaxNode, frame: Frame): undefined {
  const { file } = walk;
  const nameNode = file.child(node, 'name');
  if (nameNode === NO_NODE) return;
  const symbol = file.declare({
    node,
    nameNode,
    kind: 'function',
    parent: frame.class === undefined ? frame.owner : NONE,
    modifiers: MODIFIERS.exported,
    body: file.child(node, 'body'),
  });
  file.builder.addBinding({ scope: frame.outer, name: file.word(nameNode), kind: 'symbol', symbol });
  addAttributes(walk, node, symbol, frame);
  runFunction(walk, node, symbol, { ...frame, scope: frame.outer, class: undefined, owner: symbol, body: undefined });
}

/** Opens the scope of a function, method or named closure and walks its parameters and its body. Gives the row of `functions`. */
export function runFunction(walk: Walk, node: SyntaxNode, symbol: SymbolRow, frame: Frame): FunctionRow {
  const { file } = walk;
  const { builder } = file;
  const doc = docBlock(file, node);
  const { row, scope } = openFunction(file, frame.scope, symbol);
  const decisions = symbol === NONE && frame.body !== undefined ? frame.body.decisions : { count: 0 };
  const body: GeneratorBody = { row, returns: [], yields: [], decisions };
  const inside: Frame = { ...frame, scope, home: scope, body };
  addTemplates(file, doc, inside);
  addParameters(walk, file.child(node, 'parameters'), doc, inside);
  builder.set('functions', 'returnType', row, returnType(file, node, doc, inside));
  const content = file.child(node, 'body');
  if (content !== NO_NODE) {
    if (file.is(content, 'compound_statement')) walk.run(content, inside);
    else body.returns.push(walk.value(content, inside));
  }
  closeFunction(file, body, symbol);
  return row;
}

function closeFunction(file: PhpFile, body: GeneratorBody, symbol: SymbolRow): void {
  const { builder } = file;
  const isGenerator = body.yields.length > 0;
  builder.setReturns(body.row, isGenerator ? body.yields : body.returns);
  if (isGenerator) builder.set('functions', 'modifiers', body.row, MODIFIERS.generator);
  if (symbol === NONE) return;
  builder.set('symbols', 'complexity', symbol, body.decisions.count + 1);
  if (isGenerator) builder.set('symbols', 'modifiers', symbol, (builder.symbols.modifiers[symbol] ?? 0) | MODIFIERS.generator);
}

/** `@template T of Bound`. */
export function addTemplates(file: PhpFile, doc: DocBlock, frame: Frame): void {
  for (const { name, bound } of doc.templates) {
    const type = bound === undefined ? NONE : docType(file, bound, frame, frame.owner, false);
    file.builder.addBinding({ scope: frame.scope, name: file.builder.intern(name), kind: 'typeParameter', type });
  }
}

function returnType(file: PhpFile, node: SyntaxNode, doc: DocBlock, frame: Frame): ExpressionRow {
  return declaredType(file, file.child(node, 'return_type'), doc.returns, frame, frame.owner);
}

/** The type that a declaration or else its doc comment gives; a generic doc type refines a plain one. `NONE` without either. */
export function declaredType(file: PhpFile, node: SyntaxNode, doc: DocForm | undefined, frame: Frame, owner: SymbolRow): ExpressionRow {
  const native = node === NO_NODE ? '' : file.text(node);
  if (doc === undefined || doc.is === 'unknown') return isPlaceholder(native) ? NONE : nativeType(file, node, frame, owner);
  if (isLoose(native)) return docType(file, doc, frame, owner);
  const type = nativeType(file, node, frame, owner);
  return doc.is === 'generic' || mentionsTemplate(file, doc) ? docType(file, doc, frame, owner, false) : type;
}

/** Types that say nothing about a value: what is assigned or returned says more. */
function isPlaceholder(text: string): boolean {
  return text === '' || /^\??(?:mixed|object|array|iterable|\\?(?:Traversable|Generator|Iterator))$/i.test(text);
}

/** True when the doc type is or may be a type parameter. */
function mentionsTemplate(file: PhpFile, doc: DocForm): boolean {
  if (doc.is === 'union') return doc.items.some(item => mentionsTemplate(file, item));
  return doc.is === 'name' && isTemplate(file, doc.text);
}

function addParameters(walk: Walk, list: SyntaxNode, doc: DocBlock, frame: Frame): void {
  const { file } = walk;
  const rows: BindingRow[] = [];
  const row = frame.body?.row ?? NONE;
  for (const parameter of file.children(list)) {
    const nameNode = parameterName(file, parameter);
    if (nameNode === NO_NODE) continue;
    const text = file.text(nameNode);
    const form = doc.parameters.get(text);
    let type = declaredType(file, file.child(parameter, 'type'), form ?? docBlock(file, parameter).variables[0]?.form, frame, frame.owner);
    if (file.is(parameter, 'variadic_parameter')) type = file.row('arrayType', type);
    const valueNode = file.child(parameter, 'default_value');
    const value = valueNode === NO_NODE ? NONE : walk.value(valueNode, frame);
    if (file.is(parameter, 'property_promotion_parameter')) declarePromoted(walk, parameter, nameNode, type, value, frame);
    addAttributes(walk, parameter, frame.owner, frame);
    const name = file.word(nameNode);
    rows.push(file.builder.addBinding({ scope: frame.scope, name, kind: 'parameter', type, value, function: row, position: rows.length }));
  }
  file.builder.setParameters(row, rows);
}

function parameterName(file: PhpFile, parameter: SyntaxNode): SyntaxNode {
  const name = file.child(parameter, 'name');
  return file.is(name, 'by_ref') ? file.reader.firstNamedChild(name) : name;
}

/** `__construct(private Foo $foo)`: a property that holds the parameter. */
function declarePromoted(walk: Walk, parameter: SyntaxNode, nameNode: SyntaxNode, type: ExpressionRow, value: ExpressionRow, frame: Frame): void {
  const { file } = walk;
  const owner = frame.class;
  if (owner === undefined) return;
  const modifiers = memberModifiers(file, parameter);
  const held = type === NONE ? file.row('name', frame.scope, NONE, file.word(nameNode)) : value;
  const symbol = file.declare({ node: parameter, nameNode, kind: 'field', parent: owner.symbol, modifiers, type, value: held });
  owner.fields.set(file.text(nameNode), symbol);
}

/** A closure or arrow function; bound to a name it has a symbol. */
export function closureRow(walk: Walk, node: SyntaxNode, frame: Frame, symbol: SymbolRow = NONE): ExpressionRow {
  const { file } = walk;
  addAttributes(walk, node, symbol === NONE ? frame.owner : symbol, frame);
  const row = runFunction(walk, node, symbol, { ...frame, owner: symbol === NONE ? frame.owner : symbol });
  return file.row('function', row);
}
