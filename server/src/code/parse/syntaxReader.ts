/**
 * Reading a `SyntaxTable`: the walks that every extractor needs. Nodes are row numbers, `NO_NODE` is none.
 *
 * It knows no grammar and keeps no state but the table it was given last.
 */
import { ERROR_KIND, MISSING, NAMED, type SyntaxNode, type SyntaxTable, syntaxNode } from './syntaxTable';

/** No row of a syntax table. */
export const NO_NODE = syntaxNode(-1);

const NOTHING = new Uint16Array(0);
const NO_ROWS = new Int32Array(0);
const NO_BYTES = new Uint8Array(0);
const EMPTY: SyntaxTable = {
  text: '',
  count: 0,
  kind: NOTHING,
  field: NO_BYTES,
  start: NO_ROWS,
  end: NO_ROWS,
  parent: NO_ROWS,
  next: NO_ROWS,
  flags: NO_BYTES,
};

/** Reads a syntax table by row: kind, field, parent, children, text range. Rows are in preorder; a missing node is `NO_NODE`. */
export class SyntaxReader {
  #table = EMPTY;

  constructor(table?: SyntaxTable) {
    if (table !== undefined) this.#table = table;
  }

  /** Reads another table from now on. */
  reset(table: SyntaxTable): void {
    this.#table = table;
  }

  get table(): SyntaxTable {
    return this.#table;
  }

  kind(node: SyntaxNode): number {
    return this.#table.kind[node] ?? 0;
  }

  /** Field of `node` within its parent. */
  field(node: SyntaxNode): number {
    return this.#table.field[node] ?? 0;
  }

  start(node: SyntaxNode): number {
    return this.#table.start[node] ?? 0;
  }

  end(node: SyntaxNode): number {
    return this.#table.end[node] ?? 0;
  }

  parent(node: SyntaxNode): SyntaxNode {
    return syntaxNode(this.#table.parent[node] ?? NO_NODE);
  }

  /** Row after the last one of the node's subtree. */
  after(node: SyntaxNode): SyntaxNode {
    return syntaxNode(this.#table.next[node] ?? 0);
  }

  isNamed(node: SyntaxNode): boolean {
    return ((this.#table.flags[node] ?? 0) & NAMED) !== 0;
  }

  isMissing(node: SyntaxNode): boolean {
    return ((this.#table.flags[node] ?? 0) & MISSING) !== 0;
  }

  text(node: SyntaxNode): string {
    return this.#table.text.slice(this.start(node), this.end(node));
  }

  length(node: SyntaxNode): number {
    return this.end(node) - this.start(node);
  }

  charCode(node: SyntaxNode): number {
    return this.#table.text.charCodeAt(this.start(node));
  }

  firstChild(node: SyntaxNode): SyntaxNode {
    return this.after(node) > node + 1 ? syntaxNode(node + 1) : NO_NODE;
  }

  /** Next sibling, anonymous ones included. */
  nextSibling(node: SyntaxNode): SyntaxNode {
    const next = this.after(node);
    return next < this.after(this.parent(node)) ? next : NO_NODE;
  }

  previousSibling(node: SyntaxNode): SyntaxNode {
    const parent = this.parent(node);
    if (parent === NO_NODE || node === parent + 1) return NO_NODE;
    // The row before is the last one of the sibling's subtree.
    let before = syntaxNode(node - 1);
    for (let above = this.parent(before); above !== parent; above = this.parent(before)) before = above;
    return before;
  }

  firstNamedChild(node: SyntaxNode): SyntaxNode {
    const end = this.after(node);
    for (let child = syntaxNode(node + 1); child < end; child = this.after(child)) if (this.isNamed(child)) return child;
    return NO_NODE;
  }

  lastNamedChild(node: SyntaxNode): SyntaxNode {
    let last = NO_NODE;
    const end = this.after(node);
    for (let child = syntaxNode(node + 1); child < end; child = this.after(child)) if (this.isNamed(child)) last = child;
    return last;
  }

  nextNamedSibling(node: SyntaxNode): SyntaxNode {
    let next = this.nextSibling(node);
    while (next !== NO_NODE && !this.isNamed(next)) next = this.nextSibling(next);
    return next;
  }

  /** First child with this field, named or not. */
  childByField(node: SyntaxNode, field: number): SyntaxNode {
    const { next, field: fields } = this.#table;
    const end = next[node] ?? 0;
    for (let child = syntaxNode(node + 1); child < end; child = syntaxNode(next[child] ?? end)) if (fields[child] === field) return child;
    return NO_NODE;
  }

  childByKind(node: SyntaxNode, kind: number): SyntaxNode {
    const { next, kind: kinds } = this.#table;
    const end = next[node] ?? 0;
    for (let child = syntaxNode(node + 1); child < end; child = syntaxNode(next[child] ?? end)) if (kinds[child] === kind) return child;
    return NO_NODE;
  }

  hasChild(node: SyntaxNode, kind: number): boolean {
    return this.childByKind(node, kind) !== NO_NODE;
  }

  /** For tests and rare paths; hot loops use `after` directly. */
  children(node: SyntaxNode): SyntaxNode[] {
    const found: SyntaxNode[] = [];
    const end = this.after(node);
    for (let child = syntaxNode(node + 1); child < end; child = this.after(child)) found.push(child);
    return found;
  }

  namedChildren(node: SyntaxNode): SyntaxNode[] {
    return this.children(node).filter(child => this.isNamed(child));
  }

  /** ERROR and MISSING nodes of the whole table. */
  errorCount(): number {
    return countErrors(this.#table);
  }
}

/** Nodes of a tree, and how many of them the grammar could not make sense of. */
export function countErrors(table: SyntaxTable): number {
  let errors = 0;
  for (let i = 0; i < table.count; i++) if (table.kind[i] === ERROR_KIND || ((table.flags[i] ?? 0) & MISSING) !== 0) errors++;
  return errors;
}
