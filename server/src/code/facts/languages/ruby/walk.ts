import { type ExpressionRow, type FunctionRow, NONE, type ScopeRow, type SymbolRow } from '../../../../model/facts';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import type { FileWalk } from '../../walk/fileWalk';
import type { FieldName, KindName } from './rubyGrammar';

export type RubyFile = FileWalk<KindName, FieldName>;

/** What the expressions of one method or block share. */
export interface Body {
  /** Row of `functions`. */
  readonly row: FunctionRow;
  /** Name of the method, '' for a block. */
  readonly method: string;
  readonly returns: ExpressionRow[];
  /** What `yield` hands to the block, call by call. */
  readonly yields: (readonly ExpressionRow[])[];
  /** Decision points; shared with the blocks inside. */
  readonly decisions: { count: number };
  /** The method around a block, to which `return`, `yield` and `super` belong. */
  readonly methodBody: Body | undefined;
}

/** What the members of one class or module body share. */
export interface ClassBody {
  readonly symbol: SymbolRow;
  readonly scope: ScopeRow;
  /** Scope of the constants inside, which belong to the package of the type's full name. */
  readonly inside: ScopeRow;
  /** Full name, segments joined by `::`. */
  readonly path: string;
  readonly isTest: boolean;
  /** Symbols of `@x` and `@@x` by name. */
  readonly fields: Map<string, SymbolRow>;
  /** What `private` and its like say of the methods that follow. */
  readonly state: { visibility: number };
  /** What `self.name = …` assigns, by name, and the readers that hand it out. */
  readonly accessors: {
    readonly given: Map<string, ExpressionRow[]>;
    readonly readers: { readonly name: string; readonly row: FunctionRow; readonly held: ExpressionRow }[];
  };
  /** Modules included, in source order. */
  readonly mixins: { readonly row: ExpressionRow; readonly at: number }[];
  /** Inside `class << self`. */
  readonly isSingleton: boolean;
}

/** Local variables and the scopes that they bind in; a block sees those around it. */
export class Locals {
  readonly #scopes = new Map<string, ScopeRow>();

  constructor(private readonly outer?: Locals) {}

  /** Scope that the variable binds in: `scope` unless it is known already. */
  add(name: string, scope: ScopeRow): ScopeRow {
    const known = this.scopeOf(name);
    if (known === undefined) this.#scopes.set(name, scope);
    return known ?? scope;
  }

  /** A parameter hides what is outside. */
  own(name: string, scope: ScopeRow): void {
    this.#scopes.set(name, scope);
  }

  scopeOf(name: string): ScopeRow | undefined {
    return this.#scopes.get(name) ?? this.outer?.scopeOf(name);
  }
}

/** Where a piece of code stands. Replaced, never changed: a guard gives the statements after it a frame of their own. */
export interface Frame {
  /** Scope that names are looked up in. */
  readonly scope: ScopeRow;
  /** Scope that local variables bind in. */
  readonly home: ScopeRow;
  /** Innermost enclosing symbol, or `NONE`. */
  readonly owner: SymbolRow;
  readonly body: Body | undefined;
  readonly class: ClassBody | undefined;
  readonly locals: Locals;
  /** The code at hand runs in the body of the class: macros such as `attr_reader` speak of it. */
  readonly isClassLevel: boolean;
  /** Scope that fields bind in outside of classes: the file, or the group of examples around. */
  readonly fields: ScopeRow;
  /** Row of `functions` of a block without parameters of its own, whose arguments are `it` and `_1`; else `NONE`. */
  readonly implicitBlock: FunctionRow;
}

export function fileFrame(scope: ScopeRow): Frame {
  return {
    scope,
    home: scope,
    owner: NONE,
    body: undefined,
    class: undefined,
    locals: new Locals(),
    isClassLevel: false,
    fields: scope,
    implicitBlock: NONE,
  };
}

/** What the parts of the extractor ask of each other; one per file. */
export interface Walk {
  readonly file: RubyFile;
  /** Names that have a symbol of global reach: `$x`. */
  readonly globals: Map<string, SymbolRow>;
  /** Expression row of a node; writes the uses inside it. */
  value(node: SyntaxNode, frame: Frame): ExpressionRow;
  /** Row of the last expression of a body; the others are walked. */
  run(node: SyntaxNode, frame: Frame): ExpressionRow;
}

export type ValueHandler = (walk: Walk, node: SyntaxNode, frame: Frame) => ExpressionRow;

/** Body of the method around, past the blocks in between. */
export function methodBodyOf(frame: Frame): Body | undefined {
  return frame.body?.methodBody ?? frame.body;
}
