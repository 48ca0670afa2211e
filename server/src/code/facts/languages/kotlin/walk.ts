import { type ExpressionRow, NONE, type ScopeRow, type StringIndex, type SymbolRow } from '../../../../model/facts';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import type { FunctionBody, TypeBody } from '../../walk/frames';
import type { KotlinFile } from './grammar';

export type TypeKind = 'class' | 'interface' | 'enum' | 'object';

/** Where a piece of code stands. Replaced, never changed. */
export interface Frame {
  /** Scope that names are looked up and bound in. */
  readonly scope: ScopeRow;
  /** Innermost enclosing symbol, or `NONE`. Initializers belong to their type. */
  readonly owner: SymbolRow;
  readonly type: TypeBody<TypeKind> | undefined;
  readonly body: FunctionBody | undefined;
}

export function fileFrame(scope: ScopeRow): Frame {
  return { scope, owner: NONE, type: undefined, body: undefined };
}

/** What the parts of the extractor ask of each other; one per file. */
export interface Walk {
  readonly file: KotlinFile;
  /** Names bound by parameters and local variables so far: a call of one of them may mean what it holds. */
  readonly locals: Set<StringIndex>;
  /** Whether the file has blocks of tests. */
  readonly isSpecification: boolean;
  /** Expression row of a node; writes the uses inside it. */
  value(node: SyntaxNode, frame: Frame): ExpressionRow;
  /** Runs one statement; gives the frame for the statements after it. */
  statement(node: SyntaxNode, frame: Frame): Frame;
  /** Runs the statements below a node from `first` on; the row of the last one when that is an expression. */
  run(block: SyntaxNode, frame: Frame): { readonly frame: Frame; readonly last: ExpressionRow };
  /** Declares the members of a type's body. */
  members(body: SyntaxNode, frame: Frame): void;
}

export type ValueHandler = (walk: Walk, node: SyntaxNode, frame: Frame) => ExpressionRow;
export type StatementHandler = (walk: Walk, node: SyntaxNode, frame: Frame) => Frame | undefined;
export type MemberHandler = (walk: Walk, node: SyntaxNode, frame: Frame) => void;

/** Binds a local variable. */
export function bindLocal(walk: Walk, scope: ScopeRow, name: StringIndex, type: ExpressionRow, value: ExpressionRow): void {
  walk.locals.add(name);
  walk.file.builder.addBinding({ scope, name, kind: 'variable', type, value });
}
