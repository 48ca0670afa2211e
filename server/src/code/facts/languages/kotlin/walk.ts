import { NONE } from '../../../../model/facts';
import type { KotlinFile } from './grammar';

/** What the statements of one function body share. */
export interface Body {
  /** Row of `functions`. */
  readonly row: number;
  readonly returns: number[];
  /** Decision points; shared with lambdas inside. */
  readonly decisions: { count: number };
}

/** The type whose body a piece of code stands in. */
export interface TypeBody {
  readonly symbol: number;
  readonly scope: number;
  readonly kind: 'class' | 'interface' | 'enum' | 'object';
}

/** Where a piece of code stands. Replaced, never changed. */
export interface Frame {
  /** Scope that names are looked up and bound in. */
  readonly scope: number;
  /** Innermost enclosing symbol, or `NONE`. Initializers belong to their type. */
  readonly owner: number;
  readonly type: TypeBody | undefined;
  readonly body: Body | undefined;
}

export function fileFrame(scope: number): Frame {
  return { scope, owner: NONE, type: undefined, body: undefined };
}

/** What the parts of the extractor ask of each other; one per file. */
export interface Walk {
  readonly file: KotlinFile;
  /** Names bound by parameters and local variables so far: a call of one of them may mean what it holds. */
  readonly locals: Set<number>;
  /** Expression row of a node; writes the uses inside it. */
  value(node: number, frame: Frame): number;
  /** Runs one statement; gives the frame for the statements after it. */
  statement(node: number, frame: Frame): Frame;
  /** Runs the statements below a node from `first` on; the row of the last one when that is an expression. */
  run(block: number, frame: Frame): { readonly frame: Frame; readonly last: number };
  /** Declares the members of a type's body. */
  members(body: number, frame: Frame): void;
}

export type ValueHandler = (walk: Walk, node: number, frame: Frame) => number;
export type StatementHandler = (walk: Walk, node: number, frame: Frame) => Frame | undefined;
export type MemberHandler = (walk: Walk, node: number, frame: Frame) => void;

/** Binds a local variable. */
export function bindLocal(walk: Walk, scope: number, name: number, type: number, value: number): void {
  walk.locals.add(name);
  walk.file.builder.addBinding({ scope, name, kind: 'variable', type, value });
}
