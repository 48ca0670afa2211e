import { type ExpressionRow, NO_TEXT, NONE, type SymbolRow } from '../../../../../model/facts';
import { MODIFIERS } from '../../../../../model/nodes';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { typeRow } from '../types';
import { type CsharpFile, type Frame, identifierOf, lastNameNode, type Walk } from '../walk';

/** Attributes of xUnit, NUnit and MSTest that make a method a test. */
const TESTS = /^(?:\w*(?:Fact|Theory)|Test(?:Case(?:Source)?|Method)?|DataTestMethod)$/;

/** Attributes whose texts name members that make the rows of a test. */
const SOURCES = /^(?:MemberData|TestCaseSource|ValueSource|DynamicData)$/;

/** The attribute whose type makes them. */
const CLASS_SOURCE = 'ClassData';

/** Writes the attributes of a declaration as its decorators; gives the bits they add to its modifiers. */
export function addAttributes(walk: Walk, declaration: SyntaxNode, symbol: SymbolRow, frame: Frame): number {
  const { file } = walk;
  let bits = 0;
  for (const list of file.children(declaration)) {
    if (!file.is(list, 'attribute_list')) continue;
    for (const attribute of file.children(list)) {
      if (!file.is(attribute, 'attribute')) continue;
      const name = addAttribute(walk, attribute, symbol, frame);
      if (TESTS.test(name)) bits |= MODIFIERS.test;
    }
  }
  if (bits !== 0 && symbol !== NONE) file.builder.set('symbols', 'modifiers', symbol, (file.builder.symbols.modifiers[symbol] ?? 0) | bits);
  return bits;
}

/** `[Name(args)]` names the class `NameAttribute`, or `Name`. */
export function addAttribute(walk: Walk, attribute: SyntaxNode, symbol: SymbolRow, frame: Frame): string {
  const { file } = walk;
  const nameNode = file.child(attribute, 'name');
  const last = lastNameNode(file, nameNode);
  if (last === NO_NODE) return '';
  const text = file.text(last).replace(/Attribute$/, '');
  const rows = attributeArguments(walk, attribute, frame);
  if (SOURCES.test(text)) readMembers(walk, attribute, symbol, frame);
  else if (text === CLASS_SOURCE) makeRows(walk, attribute, symbol, frame);
  const row = file.row('call', attributeClass(walk, nameNode, last, frame), NONE, NO_TEXT, rows);
  file.use('decorator', row, symbol, file.word(last), file.reader.start(last));
  return text;
}

/** The long name; the resolver tries the short one where that is not there. */
function attributeClass(walk: Walk, nameNode: SyntaxNode, last: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const text = file.text(last);
  const long = file.builder.intern(text.endsWith('Attribute') ? text : `${text}Attribute`);
  if (file.is(identifierOf(file, nameNode), 'identifier')) return file.row('name', frame.scope, NONE, long);
  const outer = typeRow(walk, file.child(nameNode, 'qualifier'), frame, 'none');
  return outer === NONE ? typeRow(walk, nameNode, frame, 'none') : file.row('member', outer, NONE, long);
}

function attributeArguments(walk: Walk, attribute: SyntaxNode, frame: Frame): ExpressionRow[] {
  const { file } = walk;
  return file.children(file.childOf(attribute, 'attribute_argument_list')).map(argument => walk.value(lastChild(file, argument), frame));
}

/** `[MemberData("Rows")]` says the same as `nameof(Rows)`. */
function readMembers(walk: Walk, attribute: SyntaxNode, symbol: SymbolRow, frame: Frame): void {
  const { file } = walk;
  for (const argument of file.children(file.childOf(attribute, 'attribute_argument_list'))) {
    const value = lastChild(file, argument);
    const text = file.is(value, 'string_literal') ? file.text(value).slice(1, -1) : '';
    if (!/^\w+$/.test(text)) continue;
    const name = file.builder.intern(text);
    file.use('read', file.row('name', frame.scope, NONE, name), symbol, name, file.reader.start(value) + 1);
  }
}

/** `[ClassData(typeof(Rows))]` makes one. */
function makeRows(walk: Walk, attribute: SyntaxNode, symbol: SymbolRow, frame: Frame): void {
  const { file } = walk;
  const [argument] = file.children(file.childOf(attribute, 'attribute_argument_list'));
  const value = argument === undefined ? NO_NODE : lastChild(file, argument);
  const type = file.is(value, 'typeof_expression') ? file.child(value, 'type') : NO_NODE;
  const name = lastNameNode(file, type);
  if (name !== NO_NODE) file.use('new', file.row('new', typeRow(walk, type, frame, 'none')), symbol, file.word(name), file.reader.start(name));
}

function lastChild(file: CsharpFile, node: SyntaxNode): SyntaxNode {
  return file.children(node).at(-1) ?? NO_NODE;
}
