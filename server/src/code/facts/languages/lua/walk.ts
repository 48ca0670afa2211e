import { type ExpressionRow, NONE, type ScopeRow, type StringIndex, type SymbolRow } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { FileWalk } from '../../walk/fileWalk';
import type { LuaField, LuaKind } from './grammar';

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

export class LuaWalk extends FileWalk<LuaKind, LuaField> {
  /** Symbols of the tables of this file that have functions, by name. */
  readonly tables = new Map<StringIndex, SymbolRow>();
  /** Names of tables that functions are put into somewhere in the file. */
  readonly holders = new Set<string>();
  /** Names that the top of the file declares. */
  readonly globals = new Set<StringIndex>();
  handlers: Handlers = { values: [], quiet: [], statements: [] };

  value(node: SyntaxNode, place: Place): ExpressionRow {
    return this.#evaluate(this.handlers.values, node, place);
  }

  /** The same without a read of the outermost name: for what is called. */
  quietly(node: SyntaxNode, place: Place): ExpressionRow {
    const isQuiet = node !== NO_NODE && this.handlers.quiet[this.reader.kind(node)] !== undefined;
    return this.#evaluate(isQuiet ? this.handlers.quiet : this.handlers.values, node, place);
  }

  /** Statements inside a node, in a scope of their own when `scope` is given. */
  run(node: SyntaxNode, place: Place): void {
    if (node === NO_NODE) return;
    this.nested(undefined, () => {
      for (const child of this.children(node)) {
        const handler = this.handlers.statements[this.reader.kind(child)];
        if (handler === undefined) this.value(child, place);
        else handler(this, child, place);
      }
    });
  }

  /** A block in a scope of its own. */
  block(node: SyntaxNode, place: Place): Place {
    const inside: Place = { ...place, scope: this.builder.addScope('block', place.scope), isTop: false };
    this.run(node, inside);
    return inside;
  }

  #evaluate(handlers: readonly (ValueHandler | undefined)[], node: SyntaxNode, place: Place): ExpressionRow {
    if (node === NO_NODE) return this.unknown();
    return this.nested(NONE, () => {
      const handler = handlers[this.reader.kind(node)];
      if (handler !== undefined) return handler(this, node, place);
      for (const child of this.children(node)) {
        const statement = this.handlers.statements[this.reader.kind(child)];
        if (statement === undefined) this.value(child, place);
        else statement(this, child, place);
      }
      return this.unknown();
    });
  }
}
