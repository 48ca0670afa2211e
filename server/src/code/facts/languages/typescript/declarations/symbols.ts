/** Making symbols: names, modifiers, documentation, hashes, and the bindings and exports that come with a declaration. */
import { hashText } from '../../../../../base/hash';
import { type BindingRow, type ExpressionRow, NO_TEXT, NONE, type ScopeRow, type StringIndex, type SymbolRow } from '../../../../../model/facts';
import { MODIFIERS, type SymbolKind } from '../../../../../model/nodes';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { commentBefore, commentText, firstLineOf, foldedText } from '../../../sourceText';
import { type BoundLiteral, declaredKey, type Walk } from '../walk';

export interface SymbolDraft {
  readonly node: SyntaxNode;
  /** Node of the name; `NO_NODE` for an unnamed default export. */
  readonly nameNode: SyntaxNode;
  /** Interned name. */
  readonly name: StringIndex;
  readonly kind: SymbolKind;
  readonly parent?: SymbolRow;
  readonly modifiers?: number;
  /** Node of the body, left out of the signature. */
  readonly body?: SyntaxNode;
  /** Node that the signature starts at, when that is not `node`. */
  readonly signatureFrom?: SyntaxNode;
  /** Offset that the doc comment ends at, when that is not the start of `node`. */
  readonly docAnchor?: number;
}

/** Adds a symbol into the current container. Type, value, scope and function columns are filled in by the caller. */
export function addSymbol(walk: Walk, draft: SymbolDraft): SymbolRow {
  const { builder, reader, text } = walk;
  const start = reader.start(draft.node);
  const end = reader.end(draft.node);
  const body = draft.body ?? NO_NODE;
  const hasBody = body !== NO_NODE;
  const parent = draft.parent ?? walk.container;
  const signatureStart = draft.signatureFrom === undefined ? start : reader.start(draft.signatureFrom);
  const symbol = builder.addSymbol({
    name: draft.name,
    kind: draft.kind,
    parent,
    modifiers: draft.modifiers ?? 0,
    start,
    end,
    nameStart: draft.nameNode === NO_NODE ? start : reader.start(draft.nameNode),
    signature: builder.internShown(withoutTail(foldedText(text, signatureStart, hasBody ? reader.start(body) : end))),
    doc: builder.internShown(docOf(text, draft.docAnchor ?? start)),
    firstLine: hasBody
      ? builder.internShown(firstLineOf(text, reader.start(body) + (text.charCodeAt(reader.start(body)) === 123 ? 1 : 0), reader.end(body)))
      : NO_TEXT,
    hash: builder.hashOf(start, end),
  });
  const key = declaredKey(parent, draft.name);
  if (!walk.declared.has(key)) walk.declared.set(key, symbol);
  return symbol;
}

/** Symbol of a name in the containers around, innermost first. */
export function knownSymbol(walk: Walk, name: StringIndex): SymbolRow {
  const { parent } = walk.builder.symbols;
  for (let container: SymbolRow = walk.container; ; container = parent[container] ?? NONE) {
    const symbol = walk.declared.get(declaredKey(container, name));
    if (symbol !== undefined) return symbol;
    if (container === NONE) return NONE;
  }
}

/** Hash of a container: its header and the signatures of its members, so that a change in a member's body is the member's alone. */
export function hashAsContainer(walk: Walk, symbol: SymbolRow): void {
  const { symbols, strings } = walk.builder;
  const parts = [strings[symbols.signature[symbol] ?? NO_TEXT] ?? ''];
  for (let row = symbol + 1; row < symbols.count; row++) {
    if (symbols.parent[row] === symbol) parts.push(strings[symbols.signature[row] ?? NO_TEXT] ?? '');
  }
  walk.builder.set('symbols', 'hash', symbol, walk.builder.intern(hashText(parts.join('\n'))));
}

/** Binds a symbol's name in the declaring scope and exports it when the declaration says so. */
export function bindSymbol(
  walk: Walk,
  symbol: SymbolRow,
  name: StringIndex,
  value: ExpressionRow = NONE,
  type: ExpressionRow = NONE,
  scope: ScopeRow = walk.declaring,
): BindingRow {
  const binding = walk.builder.addBinding({ scope, name, kind: 'symbol', symbol, value, type });
  exportName(walk, name);
  return binding;
}

/** Export row for a name declared by the `export` statement being read. */
export function exportName(walk: Walk, name: StringIndex): void {
  if (!walk.exporting) return;
  const isDefault = (walk.pendingModifiers & MODIFIERS.defaultExport) !== 0;
  walk.builder.addExport({ kind: 'local', exportedName: isDefault ? walk.builder.intern('default') : name, localName: name });
}

/** Symbol of the literal that is being read, made now if it is not yet one; the container when the literal is bound to no name. */
export function containerOf(walk: Walk): SymbolRow {
  return walk.holder === undefined ? walk.container : materialize(walk, walk.holder);
}

function materialize(walk: Walk, holder: BoundLiteral): SymbolRow {
  if (holder.symbol !== NONE) return holder.symbol;
  const parent = holder.outer === undefined ? walk.container : materialize(walk, holder.outer);
  holder.symbol = addSymbol(walk, {
    node: holder.node,
    nameNode: holder.nameNode,
    name: holder.name,
    kind: holder.isProperty ? 'property' : 'variable',
    parent,
  });
  if (holder.binding !== NONE) walk.builder.set('bindings', 'symbol', holder.binding, holder.symbol);
  return holder.symbol;
}

function docOf(text: string, anchor: number): string {
  const comment = commentBefore(text, anchor);
  if (comment === undefined) return '';
  const words = commentText(text.slice(comment.start, comment.end));
  return OF_THE_FILE.test(words) ? '' : words;
}

/** JSDoc and TSDoc tags of a comment that speaks of the file, wherever its first declaration happens to stand. */
const OF_THE_FILE = /^@(?:module|file|fileoverview|overview|packageDocumentation)\b/m;

/** Drops the `=>`, `=` or `;` that a signature ends with once its body is cut off. */
function withoutTail(signature: string): string {
  return signature.replace(/\s*(?:=>|[=;,])+$/, '');
}
