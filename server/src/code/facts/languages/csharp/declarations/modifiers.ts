import { MODIFIERS } from '../../../../../model/nodes';
import { type SyntaxNode, syntaxNode } from '../../../../parse/syntaxTable';
import type { CsharpFile } from '../walk';

const BITS: ReadonlyMap<string, number> = new Map([
  ['public', MODIFIERS.exported],
  ['internal', MODIFIERS.exported],
  ['private', MODIFIERS.private],
  ['file', MODIFIERS.private],
  ['protected', MODIFIERS.protected],
  ['static', MODIFIERS.static],
  ['abstract', MODIFIERS.abstract],
  ['override', MODIFIERS.override],
  ['async', MODIFIERS.async],
  ['readonly', MODIFIERS.readonly],
  ['const', MODIFIERS.readonly | MODIFIERS.static],
  ['extern', MODIFIERS.declared],
]);

/** Modifiers that are not bits of a symbol. */
export interface Marks {
  readonly bits: number;
  readonly isConst: boolean;
}

export function marksOf(file: CsharpFile, node: SyntaxNode): Marks {
  let bits = 0;
  let isConst = false;
  const { modifier } = file.grammar.kind;
  const { reader } = file;
  const end = reader.after(node);
  for (let child = syntaxNode(node + 1); child < end; child = reader.after(child)) {
    if (reader.kind(child) !== modifier) continue;
    const text = reader.text(child);
    bits |= BITS.get(text) ?? 0;
    if (text === 'const') isConst = true;
  }
  return { bits, isConst };
}

/** Members of interfaces and types of namespaces are seen from elsewhere unless they say otherwise. */
export function withVisibility(bits: number, isOpen: boolean): number {
  return isOpen && (bits & (MODIFIERS.private | MODIFIERS.protected)) === 0 ? bits | MODIFIERS.exported : bits;
}
