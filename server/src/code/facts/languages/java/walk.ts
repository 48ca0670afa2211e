import { type ExpressionRow, NONE, type ScopeRow, type SymbolRow } from '../../../../model/facts';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import type { FunctionBody, TypeBody } from '../../walk/frames';
import type { JavaFile } from './grammar';

export type TypeKind = 'class' | 'interface' | 'enum' | 'record';

/** Where a piece of code stands. Replaced, never changed. */
export interface Frame {
  /** Scope that names are looked up and bound in. */
  readonly scope: ScopeRow;
  /** Innermost enclosing symbol, or `NONE`. Initializers belong to their type. */
  readonly owner: SymbolRow;
  readonly type: TypeBody<TypeKind> | undefined;
  readonly body: FunctionBody | undefined;
  /** Takes what a `switch` around gives; `undefined` outside of one. */
  readonly yields: ExpressionRow[] | undefined;
}

export function fileFrame(scope: ScopeRow): Frame {
  return { scope, owner: NONE, type: undefined, body: undefined, yields: undefined };
}

/** What the parts of the extractor ask of each other; one per file. */
export interface Walk {
  readonly file: JavaFile;
  /** Expression row of a node; writes the uses inside it. */
  value(node: SyntaxNode, frame: Frame): ExpressionRow;
  /** Runs one statement; gives the frame for the statements after it. */
  statement(node: SyntaxNode, frame: Frame): Frame;
  /** Runs the statements of a block one after the other. */
  run(block: SyntaxNode, frame: Frame): Frame;
  /** Declares the members of a type's body. */
  members(body: SyntaxNode, frame: Frame): void;
}

export type ValueHandler = (walk: Walk, node: SyntaxNode, frame: Frame) => ExpressionRow;
export type StatementHandler = (walk: Walk, node: SyntaxNode, frame: Frame) => Frame | undefined;
export type MemberHandler = (walk: Walk, node: SyntaxNode, frame: Frame) => void;
