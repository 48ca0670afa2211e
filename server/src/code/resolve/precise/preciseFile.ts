import type { SymbolRow } from '../../../model/facts';
import { NO_NODE, type NodeHandle } from '../../../model/ids';
import { MODIFIERS, symbolKindCode } from '../../../model/nodes';
import { isAt, isDefinition, NO_SYMBOL, type PreciseDocument, type PreciseSymbol, rowAt } from '../../../model/preciseIndex';
import type { FileState } from '../fileState';
import type { Project } from '../project';
import { type PreciseTargets, placeKey, rowsByPlace, UNDECLARED } from './preciseTargets';
import { type Descriptor, parseSymbol } from './symbolText';

/** What an index says stands at a place (`isValue`: a getter or property, read before anything is called): a node, something outside the project, or nothing that it could tell a node for. */
export type PreciseTarget = { readonly node: NodeHandle; readonly kind: number; readonly isValue: boolean } | 'external' | undefined;

/** The occurrences of one file while its sites are written. */
export class PreciseFile {
  readonly #seen: Uint8Array;
  #places: ReadonlyMap<number, SymbolRow> | undefined;
  #locals: ReadonlyMap<PreciseSymbol, NodeHandle> | undefined;

  constructor(
    private readonly targets: PreciseTargets,
    private readonly document: PreciseDocument,
    private readonly file: FileState,
    private readonly project: Project,
    /** Whether a package name is one of the project's own. */
    private readonly isOwnPackage: (name: string) => boolean,
  ) {
    this.#seen = new Uint8Array(document.count);
  }

  /** What the name of that length at a place refers to. */
  targetAt(line: number, column: number, length: number): PreciseTarget {
    const { document } = this;
    let answer: PreciseTarget;
    for (let row = rowAt(document, line, column); isAt(document, row, line, column); row++) {
      if (isDefinition(document, row) || document.length[row] !== length) continue;
      this.#seen[row] = 1;
      const target = this.#targetOf(document.symbol[row] ?? NO_SYMBOL);
      // TypeScript's indexer lists the type and the value of a name; the one that is a node counts.
      if (answer === undefined || (answer === 'external' && target !== undefined)) answer = target;
    }
    return answer;
  }

  /** Nodes that a symbol row of this file implements or overrides, as the index lists them; undefined when it names none. */
  implementedBy(row: SymbolRow): readonly NodeHandle[] | undefined {
    const { symbols } = this.file.facts;
    const [line, column] = [symbols.nameLine[row] ?? 0, symbols.nameColumn[row] ?? 0];
    for (let at = rowAt(this.document, line, column); isAt(this.document, at, line, column); at++) {
      if (!isDefinition(this.document, at)) continue;
      const implemented = this.targets.implementedBy(this.document.symbol[at] ?? NO_SYMBOL);
      const nodes = implemented.map(symbol => this.targets.nodeOf(symbol)).filter(node => node >= 0);
      if (nodes.length > 0) return nodes;
    }
    return undefined;
  }

  /** References that no site of ours was written for, with their targets. */
  *others(): IterableIterator<{ readonly line: number; readonly column: number; readonly length: number; readonly node: NodeHandle; readonly kind: number }> {
    const { document } = this;
    for (let row = 0; row < document.count; row++) {
      const length = document.length[row] ?? 0;
      if (this.#seen[row] === 1 || length <= 0 || isDefinition(document, row)) continue;
      const target = this.#targetOf(document.symbol[row] ?? NO_SYMBOL);
      if (typeof target === 'object') yield { line: document.line[row] ?? 0, column: document.column[row] ?? 0, length, ...target };
    }
  }

  #targetOf(symbol: PreciseSymbol): PreciseTarget {
    const node = symbol < 0 ? this.#localNode(symbol) : this.targets.nodeOf(symbol);
    if (node === UNDECLARED) return this.#isOutside(symbol) ? 'external' : undefined;
    const owner = node === NO_NODE ? undefined : this.project.ownerOf(node);
    if (owner === undefined) return undefined;
    const row = this.project.rowOf(node);
    const isValue = ((owner.facts.symbols.modifiers[row] ?? 0) & (MODIFIERS.getter | MODIFIERS.property)) !== 0;
    return { node, kind: owner.facts.symbols.kind[row] ?? 0, isValue };
  }

  /** Symbols of packages that the indexes and the manifests know nothing of. */
  #isOutside(symbol: PreciseSymbol): boolean {
    const text = parseSymbol(this.targets.textOf(symbol));
    const last = text?.descriptors.at(-1);
    // What a variable or property outside holds may well be ours; Python's `__class__` is written as a method.
    if (last === undefined || !CALLED.has(last.kind) || last.name === '__class__') return false;
    return text !== undefined && text.packageName !== '' && !this.targets.declaresPackage(text.packageName) && !this.isOwnPackage(text.packageName);
  }

  #localNode(symbol: PreciseSymbol): NodeHandle {
    if (this.#locals === undefined) {
      const locals = new Map<PreciseSymbol, NodeHandle>();
      const { document } = this;
      this.#places ??= rowsByPlace(this.file);
      for (let row = 0; row < document.count; row++) {
        const local = document.symbol[row];
        if (local === undefined || local >= 0 || !isDefinition(document, row)) continue;
        const declared = this.#places.get(placeKey(document.line[row] ?? 0, document.column[row] ?? 0));
        if (declared !== undefined) locals.set(local, this.file.symbolNodes[declared] ?? NO_NODE);
      }
      this.#locals = locals;
    }
    return this.#locals.get(symbol) ?? NO_NODE;
  }
}

const CALLED: ReadonlySet<Descriptor['kind']> = new Set(['method', 'type', 'macro']);

/** Symbols that are made with `new` or by calling them. */
export const CLASS_KINDS: ReadonlySet<number> = new Set([symbolKindCode.class, symbolKindCode.struct]);
/** Symbols that types name. */
export const TYPE_KINDS: ReadonlySet<number> = new Set([
  symbolKindCode.class,
  symbolKindCode.struct,
  symbolKindCode.interface,
  symbolKindCode.trait,
  symbolKindCode.enum,
  symbolKindCode.type,
]);
export const CALLABLE_KINDS: ReadonlySet<number> = new Set([symbolKindCode.function, symbolKindCode.method, symbolKindCode.constructor]);
