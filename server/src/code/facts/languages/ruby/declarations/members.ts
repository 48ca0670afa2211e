import { type ExpressionRow, NONE, type ScopeRow, type SymbolRow } from '../../../../../model/facts';
import { MODIFIERS, type SymbolKind } from '../../../../../model/nodes';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { docAnchor, yardOf, yardType } from '../docs/yard';
import { literalStart } from '../names';
import type { Frame, Walk } from '../walk';

/** A method that is said rather than written: by `attr_reader`, `alias`, `delegate`. */
export interface GeneratedMethod {
  readonly node: SyntaxNode;
  readonly nameNode: SyntaxNode;
  readonly name: string;
  readonly kind: SymbolKind;
  readonly modifiers: number;
  /** Documentation and types stand before this node. */
  readonly docNode?: SyntaxNode;
}

/** Symbol and function of a method without a body in the source; `result` makes what it returns, seen from its scope. */
export function declareGenerated(walk: Walk, said: GeneratedMethod, frame: Frame, result: (scope: ScopeRow, symbol: SymbolRow) => ExpressionRow): SymbolRow {
  const { file } = walk;
  const { builder } = file;
  const symbol = file.declare({
    node: said.node,
    nameNode: said.nameNode,
    name: builder.intern(said.name),
    kind: said.kind,
    parent: frame.class?.symbol ?? NONE,
    modifiers: said.modifiers,
    docNode: docAnchor(file, said.docNode ?? said.node),
    complexity: 1,
  });
  const start = literalStart(file, said.nameNode);
  builder.set('symbols', 'nameColumn', symbol, builder.columnOf(start));
  const scope = builder.addScope('function', frame.scope, symbol);
  const row = builder.addFunction({ symbol, scope });
  builder.set('scopes', 'function', scope, row);
  builder.set('symbols', 'scope', symbol, scope);
  builder.set('symbols', 'function', symbol, row);
  const given = yardOf(file, said.docNode ?? said.node).returns;
  if (given !== undefined && given.is !== 'unknown') builder.set('functions', 'returnType', row, yardType(file, given, { ...frame, scope }, symbol));
  builder.setReturns(row, [result(scope, symbol)]);
  return symbol;
}

/** `attr_accessor :name`: properties `name` and `name=` over `@name`. */
export function declareAccessor(
  walk: Walk,
  nameNode: SyntaxNode,
  text: string,
  access: { reads: boolean; writes: boolean },
  frame: Frame,
  docNode = nameNode,
): void {
  const { file } = walk;
  const field = file.builder.intern(`@${text}`);
  const modifiers = (frame.class?.state.visibility ?? 0) | (frame.class?.isSingleton === true ? MODIFIERS.static : 0);
  const accessor = { node: nameNode, nameNode, kind: 'property' as const, modifiers, docNode };
  if (access.reads) {
    declareGenerated(walk, { ...accessor, name: text }, frame, scope => {
      const held = file.row('member', file.row('this', scope), NONE, field);
      frame.class?.accessors.readers.push({ name: text, row: file.builder.scopes.function[scope] ?? NONE, held });
      return held;
    });
  }
  if (access.writes) declareGenerated(walk, { ...accessor, name: `${text}=` }, frame, scope => file.row('member', file.row('this', scope), NONE, field));
}

/** A method that calls another: `alias new old`, `delegate`. The call is written as a use of the new one. */
export function declareForward(
  walk: Walk,
  said: Omit<GeneratedMethod, 'kind' | 'modifiers'>,
  target: { readonly name: string; readonly at: number; readonly receiver?: (scope: ScopeRow) => ExpressionRow },
  frame: Frame,
): void {
  const { file } = walk;
  const name = file.builder.intern(target.name);
  const modifiers = (frame.class?.state.visibility ?? 0) | (frame.class?.isSingleton === true ? MODIFIERS.static : 0);
  const kind = frame.class === undefined ? 'function' : 'method';
  declareGenerated(walk, { ...said, kind, modifiers }, frame, (scope, symbol) => {
    const receiver = target.receiver?.(scope) ?? file.row('this', scope);
    const callee = frame.class === undefined && target.receiver === undefined ? file.row('name', scope, NONE, name) : file.row('member', receiver, NONE, name);
    const call = file.row('call', callee);
    file.use('call', call, symbol, name, target.at);
    return call;
  });
}

/** Symbol of `@x` or `@@x`, declared where it is first assigned. */
export function fieldOf(walk: Walk, node: SyntaxNode, statement: SyntaxNode, value: ExpressionRow, frame: Frame): SymbolRow {
  const { file } = walk;
  const owner = frame.class;
  if (owner === undefined) return NONE;
  const text = file.text(node);
  const known = owner.fields.get(text);
  if (known !== undefined) return known;
  const isStatic = text.startsWith('@@') || owner.isSingleton || isInStaticMethod(walk, frame);
  const modifiers = MODIFIERS.private | (isStatic ? MODIFIERS.static : 0);
  const symbol = file.declare({ node: statement, nameNode: node, kind: 'field', parent: owner.symbol, modifiers, value, docNode: node });
  owner.fields.set(text, symbol);
  return symbol;
}

function isInStaticMethod(walk: Walk, frame: Frame): boolean {
  const { symbols } = walk.file.builder;
  return frame.owner !== NONE && ((symbols.modifiers[frame.owner] ?? 0) & MODIFIERS.static) !== 0;
}
