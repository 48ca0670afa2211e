import type { ExpressionRow, ScopeRow, SymbolRow } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import type { FileWalk } from '../../walk/fileWalk';
import { inBlock } from '../../walk/frames';
import { ValueWalk } from '../../walk/treeWalk';
import type { ScalaField, ScalaKind } from './grammar';

export type ScalaFile = FileWalk<ScalaKind, ScalaField>;

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

export interface Handlers {
  readonly values: readonly (Handler | undefined)[];
  readonly quiet: readonly (Handler | undefined)[];
}

export class ScalaWalk extends ValueWalk<ScalaFile, Place> {
  constructor(
    file: ScalaFile,
    protected readonly handlers: Handlers,
  ) {
    super(file);
  }

  /** All children in order; the row of the last. */
  run(node: SyntaxNode, place: Place): ExpressionRow {
    let last = this.file.unknown();
    if (node !== NO_NODE) for (const child of this.file.children(node)) last = this.value(child, place);
    return last;
  }

  /** A scope for locals inside a place. */
  inside(place: Place): Place {
    return { ...inBlock(this.file, place), level: 'local' };
  }
}
