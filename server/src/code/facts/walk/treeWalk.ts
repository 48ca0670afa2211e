/**
 * The walk through one file's tree: every node goes to the handler of its kind, one level deeper, up to the file's limit on nesting.
 *
 * A family gives tables of handlers and, where its language really differs, overrides a method. Families whose frames are replaced pass them along;
 * those whose walk is itself the position (C++, TypeScript) have `void` in their place.
 */
import type { ExpressionRow } from '../../../model/facts';
import { NO_NODE, type SyntaxReader } from '../../parse/syntaxReader';
import { type SyntaxNode, syntaxNode } from '../../parse/syntaxTable';
import type { Nesting } from './nesting';

/** What is done with each kind of node, by kind number; see `dispatchTable`. */
type ByKind<Walk, Frame, Answer> = readonly (((walk: Walk, node: SyntaxNode, frame: Frame, expected: SyntaxNode) => Answer) | undefined)[];

/** The tables of a family. */
interface ValueHandlers<Walk, Frame> {
  readonly values: ByKind<Walk, Frame, ExpressionRow>;
  /** For values that are called, thrown or the like: their outermost name is not read. Kinds without one are read as `values` are. */
  readonly quiet?: ByKind<Walk, Frame, ExpressionRow>;
}

/** The same of a family with statements. */
interface StatementHandlers<Walk, Frame> extends ValueHandlers<Walk, Frame> {
  readonly statements: ByKind<Walk, Frame, void>;
}

/** The same of a family whose statements may give those behind them another frame. */
interface FlowHandlers<Walk, Frame> extends ValueHandlers<Walk, Frame> {
  readonly statements: ByKind<Walk, Frame, Frame | undefined>;
}

/** The file of a walk. */
export interface WalkedFile extends Nesting {
  readonly reader: SyntaxReader;
  readonly comments: ReadonlySet<number>;
  /** Row of what is not known. */
  unknown(): ExpressionRow;
}

/** A walk through expressions. */
export abstract class ValueWalk<File extends WalkedFile, Frame> {
  protected abstract readonly handlers: ValueHandlers<this, Frame>;

  /** Column of the syntax table, for hot loops. */
  readonly kind: Uint16Array;

  constructor(readonly file: File) {
    this.kind = file.reader.table.kind;
  }

  /** Expression row of a node; writes the uses inside it. `expected`: the syntax of the type that its place asks for, where a language reads it. */
  value(node: SyntaxNode, frame: Frame, expected: SyntaxNode = NO_NODE): ExpressionRow {
    return this.evaluate(this.handlers.values, node, frame, expected);
  }

  /** The same without a read of the outermost name. */
  quiet(node: SyntaxNode, frame: Frame): ExpressionRow {
    const { values, quiet } = this.handlers;
    return this.evaluate(quiet?.[this.kind[node] ?? 0] === undefined ? values : quiet, node, frame);
  }

  /** Row that a table gives for a node; that of no value where there is no node, or where the nesting is too deep to follow. */
  protected evaluate(handlers: ByKind<this, Frame, ExpressionRow>, node: SyntaxNode, frame: Frame, expected = NO_NODE): ExpressionRow {
    if (node === NO_NODE || !this.file.descend()) return this.none();
    const handler = handlers[this.kind[node] ?? 0];
    const row = handler === undefined ? this.parts(node, frame) : handler(this, node, frame, expected);
    this.file.ascend();
    return row;
  }

  /** Row of no value. */
  protected none(): ExpressionRow {
    return this.file.unknown();
  }

  /** Visits the parts of what has no handler: operators, errors, templates. Gives no value. */
  parts(node: SyntaxNode, frame: Frame): ExpressionRow {
    const end = this.file.reader.after(node);
    for (let child = syntaxNode(node + 1); child < end; child = this.file.reader.after(child)) if (this.isPart(child)) this.part(child, frame);
    return this.none();
  }

  /** Visits a child of a node without a handler. */
  part(node: SyntaxNode, frame: Frame): void {
    this.value(node, frame);
  }

  /** True for what is a part of the program: neither punctuation nor a comment. */
  protected isPart(node: SyntaxNode): boolean {
    const { reader, comments } = this.file;
    return reader.isNamed(node) && !comments.has(reader.kind(node));
  }
}

/** A walk through statements and the expressions in them. A statement without a handler is an expression. */
export abstract class StatementWalk<File extends WalkedFile, Frame> extends ValueWalk<File, Frame> {
  protected abstract override readonly handlers: StatementHandlers<this, Frame>;

  /** Runs one statement or declaration. */
  statement(node: SyntaxNode, frame: Frame): void {
    if (node === NO_NODE) return;
    const handler = this.handlers.statements[this.kind[node] ?? 0];
    if (handler === undefined) this.value(node, frame);
    else if (this.file.descend()) {
      handler(this, node, frame, NO_NODE);
      this.file.ascend();
    }
  }

  /** Runs the statements directly inside a node one after the other. */
  run(block: SyntaxNode, frame: Frame): void {
    if (block === NO_NODE) return;
    const end = this.file.reader.after(block);
    for (let child = syntaxNode(block + 1); child < end; child = this.file.reader.after(child)) if (this.isPart(child)) this.statement(child, frame);
  }

  override part(node: SyntaxNode, frame: Frame): void {
    this.statement(node, frame);
  }
}

/** A walk in which a statement may give those behind it a frame of their own: what a guard proves, what a declaration binds. */
export abstract class FlowWalk<File extends WalkedFile, Frame> extends StatementWalk<File, Frame> {
  protected abstract override readonly handlers: FlowHandlers<this, Frame>;

  /** Runs one statement or declaration; the frame after it. */
  override statement(node: SyntaxNode, frame: Frame): Frame {
    if (node === NO_NODE) return frame;
    const handler = this.handlers.statements[this.kind[node] ?? 0];
    if (handler === undefined) {
      this.value(node, frame);
      return frame;
    }
    if (!this.file.descend()) return frame;
    const after = handler(this, node, frame, NO_NODE) ?? frame;
    this.file.ascend();
    return after;
  }

  /** Runs the statements directly inside a node one after the other; the frame after them. */
  override run(block: SyntaxNode, frame: Frame): Frame {
    if (block === NO_NODE) return frame;
    const end = this.file.reader.after(block);
    let current = frame;
    for (let child = syntaxNode(block + 1); child < end; child = this.file.reader.after(child))
      if (this.isPart(child)) current = this.statement(child, current);
    return current;
  }
}
