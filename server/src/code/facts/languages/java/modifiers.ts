import { type ExpressionRow, NO_TEXT, NONE, type ScopeRow, type StringIndex, type SymbolRow } from '../../../../model/facts';
import { MODIFIERS } from '../../../../model/nodes';
import { NO_NODE } from '../../../parse/syntaxReader';
import { type SyntaxNode, syntaxNode } from '../../../parse/syntaxTable';
import type { JavaFile } from './grammar';
import { lastTypeName } from './types';
import type { Frame, Walk } from './walk';

const FLAGS: ReadonlyMap<string, number> = new Map([
  ['public', MODIFIERS.exported],
  ['protected', MODIFIERS.protected],
  ['private', MODIFIERS.private],
  ['static', MODIFIERS.static],
  ['abstract', MODIFIERS.abstract],
  ['final', MODIFIERS.readonly],
  ['native', MODIFIERS.declared],
]);

/** Annotations of test frameworks on methods they run. */
const TEST_ANNOTATIONS: ReadonlySet<string> = new Set(['Test', 'ParameterizedTest', 'RepeatedTest', 'TestFactory', 'TestTemplate', 'Property']);

/** Annotations whose texts name methods. */
const PROVIDED: ReadonlySet<string> = new Set(['MethodSource']);

export function modifiersNode(file: JavaFile, node: SyntaxNode): SyntaxNode {
  return file.childOf(node, 'modifiers');
}

/** Bits of keywords and of well-known annotations. */
export function flagsOf(file: JavaFile, modifiers: SyntaxNode): number {
  if (modifiers === NO_NODE) return 0;
  let flags = 0;
  const end = file.reader.after(modifiers);
  for (let child = syntaxNode(modifiers + 1); child < end; child = file.reader.after(child)) {
    if (!file.reader.isNamed(child)) flags |= FLAGS.get(file.text(child)) ?? 0;
    else if (file.is(child, 'marker_annotation', 'annotation')) {
      const name = file.builder.strings[lastTypeName(file, file.child(child, 'name')).name] ?? '';
      if (name === 'Override') flags |= MODIFIERS.override;
      else if (TEST_ANNOTATIONS.has(name)) flags |= MODIFIERS.test;
    }
  }
  return flags;
}

/** Where a declaration starts behind its annotations. */
export function signatureStart(file: JavaFile, node: SyntaxNode): number {
  const modifiers = modifiersNode(file, node);
  if (modifiers === NO_NODE) return file.reader.start(node);
  const end = file.reader.after(modifiers);
  for (let child = syntaxNode(modifiers + 1); child < end; child = file.reader.after(child)) {
    if (!file.reader.isNamed(child)) return file.reader.start(child);
  }
  const next = file.reader.nextSibling(modifiers);
  return file.reader.start(next === NO_NODE ? node : next);
}

/** An annotation is used by what it annotates; `frame` is where its arguments are read. */
export function addAnnotations(walk: Walk, modifiers: SyntaxNode, symbol: SymbolRow, frame: Frame): void {
  if (modifiers === NO_NODE) return;
  const { file } = walk;
  for (const annotation of file.children(modifiers)) {
    if (file.is(annotation, 'marker_annotation', 'annotation')) addAnnotation(walk, annotation, symbol, frame);
  }
}

function addAnnotation(walk: Walk, annotation: SyntaxNode, symbol: SymbolRow, frame: Frame): void {
  const { file } = walk;
  const nameNode = file.child(annotation, 'name');
  const { name, at } = lastTypeName(file, nameNode);
  const row = nameRow(file, nameNode, frame.scope);
  file.use('decorator', row, symbol, name, at);
  const given = file.children(file.child(annotation, 'arguments'));
  if (PROVIDED.has(file.builder.strings[name] ?? '')) addProviders(walk, annotation, given, symbol, frame);
  for (const argument of given) {
    const value = file.is(argument, 'element_value_pair') ? file.child(argument, 'value') : argument;
    if (file.is(value, 'marker_annotation', 'annotation')) addAnnotation(walk, value, symbol, frame);
    else walk.value(value, { ...frame, owner: symbol });
  }
}

/** `@MethodSource("rows")` calls methods of the class for the rows of a test: those that its texts name, or else the one of the same name. */
function addProviders(walk: Walk, annotation: SyntaxNode, given: readonly SyntaxNode[], symbol: SymbolRow, frame: Frame): void {
  const { file } = walk;
  const call = (word: StringIndex, at: number): void => file.use('call', file.row('call', file.row('name', frame.scope, NONE, word)), symbol, word, at);
  if (given.length === 0) call(file.builder.symbols.name[symbol] ?? NO_TEXT, file.reader.start(annotation));
  const end = file.reader.after(annotation);
  for (let at = syntaxNode(annotation + 1); at < end; at++) {
    const text = file.is(at, 'string_literal') ? file.text(at).slice(1, -1) : '';
    if (/^\w+$/.test(text)) call(file.builder.intern(text), file.reader.start(at) + 1);
  }
}

function nameRow(file: JavaFile, node: SyntaxNode, scope: ScopeRow): ExpressionRow {
  if (!file.is(node, 'scoped_identifier')) return file.row('name', scope, NONE, file.word(node));
  return file.nested(file.unknown(), () => {
    const [before, last] = file.children(node);
    if (before === undefined || last === undefined) return file.unknown();
    return file.row('member', nameRow(file, before, scope), NONE, file.word(last));
  });
}
