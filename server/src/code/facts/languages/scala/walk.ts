import type { ExpressionRow, ScopeRow, SymbolRow } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { FileWalk } from '../../walk/fileWalk';
import type { ScalaField, ScalaKind } from './grammar';

/** Where a piece of code stands. */
export interface Place {
  readonly scope: ScopeRow;
  /** Innermost symbol around, or `NONE`. */
  readonly owner: SymbolRow;
  readonly body: { decisions: number };
  /** What a declaration here becomes: a member of the package or of a type, or a local. */
  readonly level: 'package' | 'type' | 'local';
  /** Package around, '' for none. */
  readonly package: string;
}

/** Row of what the node is as a value; statements give an unknown one. */
export type Handler = (walk: ScalaWalk, node: SyntaxNode, place: Place) => ExpressionRow;

export class ScalaWalk extends FileWalk<ScalaKind, ScalaField> {
  handlers: readonly (Handler | undefined)[] = [];
  quietHandlers: readonly (Handler | undefined)[] = [];

  value(node: SyntaxNode, place: Place): ExpressionRow {
    return this.#evaluate(this.handlers, node, place);
  }

  /** The same without a read of the outermost name: for what is called. */
  quiet(node: SyntaxNode, place: Place): ExpressionRow {
    const isQuiet = node !== NO_NODE && this.quietHandlers[this.reader.kind(node)] !== undefined;
    return this.#evaluate(isQuiet ? this.quietHandlers : this.handlers, node, place);
  }

  /** All children in order; the row of the last. */
  run(node: SyntaxNode, place: Place): ExpressionRow {
    let last = this.unknown();
    if (node !== NO_NODE) for (const child of this.children(node)) last = this.value(child, place);
    return last;
  }

  /** A scope for locals inside a place. */
  inside(place: Place): Place {
    return { ...place, scope: this.builder.addScope('block', place.scope), level: 'local' };
  }

  #evaluate(handlers: readonly (Handler | undefined)[], node: SyntaxNode, place: Place): ExpressionRow {
    if (node === NO_NODE) return this.unknown();
    return this.nested(this.unknown(), () => {
      const handler = handlers[this.reader.kind(node)];
      if (handler !== undefined) return handler(this, node, place);
      this.run(node, place);
      return this.unknown();
    });
  }
}
