import type { ExpressionRow, ScopeRow, StringIndex, SymbolRow } from '../../../../model/facts';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import type { FileWalk } from '../../walk/fileWalk';
import { inBlock } from '../../walk/frames';
import { StatementWalk } from '../../walk/treeWalk';
import type { LuaField, LuaKind } from './grammar';

export type LuaFile = FileWalk<LuaKind, LuaField>;

/** What the statements of one function share. */
export interface Body {
  readonly returns: ExpressionRow[];
  decisions: number;
}

/** Where a piece of code stands. */
export interface Place {
  readonly scope: ScopeRow;
  /** Innermost symbol around, or `NONE`. */
  readonly owner: SymbolRow;
  readonly body: Body;
  /** True at the top of the file, where tables and variables become symbols. */
  readonly isTop: boolean;
}

export type ValueHandler = (walk: LuaWalk, node: SyntaxNode, place: Place) => ExpressionRow;
export type StatementHandler = (walk: LuaWalk, node: SyntaxNode, place: Place) => void;

export interface Handlers {
  readonly values: readonly (ValueHandler | undefined)[];
  readonly quiet: readonly (ValueHandler | undefined)[];
  readonly statements: readonly (StatementHandler | undefined)[];
}

export class LuaWalk extends StatementWalk<LuaFile, Place> {
  /** Symbols of the tables of this file that have functions, by name. */
  readonly tables = new Map<StringIndex, SymbolRow>();
  /** Names of tables that functions are put into somewhere in the file. */
  readonly holders = new Set<string>();
  /** Names that the top of the file declares. */
  readonly globals = new Set<StringIndex>();

  constructor(
    file: LuaFile,
    protected readonly handlers: Handlers,
  ) {
    super(file);
  }

  /** A block in a scope of its own. */
  block(node: SyntaxNode, place: Place): Place {
    const inside: Place = { ...inBlock(this.file, place), isTop: false };
    this.run(node, inside);
    return inside;
  }
}
