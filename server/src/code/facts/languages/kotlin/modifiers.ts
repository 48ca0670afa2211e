import { NONE, type StringIndex, type SymbolRow } from '../../../../model/facts';
import { MODIFIERS } from '../../../../model/nodes';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { argumentNodes } from './calls';
import type { KotlinFile } from './grammar';
import { addType, lastTypeName, typeBehind } from './types';
import type { Frame, Walk } from './walk';

const FLAGS: ReadonlyMap<string, number> = new Map([
  ['protected', MODIFIERS.protected],
  ['private', MODIFIERS.private],
  ['abstract', MODIFIERS.abstract],
  ['override', MODIFIERS.override],
  ['suspend', MODIFIERS.async],
  ['external', MODIFIERS.declared],
  ['expect', MODIFIERS.declared],
  ['const', MODIFIERS.readonly],
]);

const TEST_ANNOTATIONS: ReadonlySet<string> = new Set(['Test', 'ParameterizedTest', 'RepeatedTest', 'TestFactory']);

export function modifiersNode(file: KotlinFile, node: SyntaxNode): SyntaxNode {
  return file.childOf(node, 'modifiers');
}

export function hasModifier(file: KotlinFile, node: SyntaxNode, text: string): boolean {
  return file.children(modifiersNode(file, node)).some(child => file.text(child) === text);
}

/** Bits of keywords and of annotations that mark tests. What is not private is seen everywhere. */
export function flagsOf(file: KotlinFile, node: SyntaxNode): number {
  let flags = 0;
  for (const child of file.children(modifiersNode(file, node))) {
    if (!file.is(child, 'annotation')) flags |= FLAGS.get(file.text(child)) ?? 0;
    else if (TEST_ANNOTATIONS.has(file.builder.strings[annotationName(file, child).name] ?? '')) flags |= MODIFIERS.test;
  }
  return (flags & MODIFIERS.private) === 0 ? flags | MODIFIERS.exported : flags;
}

/** Where a declaration starts behind its annotations. */
export function signatureStart(file: KotlinFile, node: SyntaxNode): number {
  const modifiers = modifiersNode(file, node);
  if (modifiers === NO_NODE) return file.reader.start(node);
  const first = file.children(modifiers).find(child => !file.is(child, 'annotation'));
  if (first !== undefined) return file.reader.start(first);
  const next = file.reader.nextSibling(modifiers);
  return file.reader.start(next === NO_NODE ? node : next);
}

function annotationName(file: KotlinFile, annotation: SyntaxNode): { readonly name: StringIndex; readonly at: number } {
  const call = file.childOf(annotation, 'constructor_invocation');
  return lastTypeName(file, typeBehind(file, call === NO_NODE ? annotation : call));
}

/** An annotation is used by what it annotates; its arguments are read there as well. */
export function addAnnotations(walk: Walk, node: SyntaxNode, symbol: SymbolRow, frame: Frame): void {
  const { file } = walk;
  for (const annotation of file.children(modifiersNode(file, node))) {
    if (!file.is(annotation, 'annotation')) continue;
    const { name, at } = annotationName(file, annotation);
    if (name === 0) continue;
    file.use('decorator', file.row('name', frame.scope, NONE, name), symbol, name, at);
    const call = file.childOf(annotation, 'constructor_invocation');
    for (const argument of argumentNodes(file, file.childOf(call, 'value_arguments'))) walk.value(argument, { ...frame, owner: symbol });
  }
}

/** `@file:UseSerializers(A::class)`: used by the file, with what its arguments read. */
export function addFileAnnotation(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const call = file.childOf(node, 'constructor_invocation');
  addType(file, typeBehind(file, call === NO_NODE ? node : call), { scope: frame.scope, owner: frame.owner, use: 'type' });
  for (const argument of argumentNodes(file, file.childOf(call, 'value_arguments'))) walk.value(argument, frame);
}
