/**
 * Which node each symbol of the precise indexes is, kept right as files and indexes change.
 *
 * A symbol is found where it is defined: by the place of its name in a file that reads as the index has it, by its qualified name in one that was changed since.
 * Knows documents and file states; not what the occurrences are used for.
 */
import type { WorkspacePath } from '../../../base/path';
import { NO_TEXT, NONE, type SymbolRow, symbolRow, textOf } from '../../../model/facts';
import { NO_NODE, type NodeHandle, nodeColumn, nodeHandle } from '../../../model/ids';
import { MODIFIERS, symbolKindCode } from '../../../model/nodes';
import {
  isDefinition,
  NO_SYMBOL,
  type PreciseDocument,
  type PreciseEntry,
  type PreciseState,
  type PreciseSymbol,
  preciseSymbol,
} from '../../../model/preciseIndex';
import type { FileState } from '../fileState';
import { plainName } from './ownPackages';
import { nameOf, parseSymbol } from './symbolText';

/** What `nodeOf` gives for a symbol that no document declares; `NO_NODE` is a declared thing that has no node of its own. */
export const UNDECLARED = nodeHandle(-2);

export interface ProjectFiles {
  fileAt(path: WorkspacePath): FileState | undefined;
}

const NO_STATE: PreciseState = { symbols: { count: 0, text: () => '' }, documents: new Map() };

export class PreciseTargets {
  #state: PreciseState = NO_STATE;
  #nodes = nodeColumn(new Int32Array(0));
  #packages: ReadonlySet<string> = new Set();
  /** Files by the symbol they mention: `#users` from `#userStarts[symbol]` on. */
  #userStarts = new Int32Array(1);
  #users = new Int32Array(0);
  #paths: readonly WorkspacePath[] = [];
  /** Path that declares a symbol, by its position in `#paths`. */
  #declaredIn = new Int32Array(0);
  #implementations: ReadonlyMap<PreciseSymbol, readonly PreciseSymbol[]> = new Map();

  constructor(private readonly files: ProjectFiles) {}

  /** Document of a file that reads as it did when it was indexed. */
  documentOf(path: WorkspacePath): PreciseDocument | undefined {
    const entry = this.#state.documents.get(path);
    return entry?.isCurrent === true ? entry.document : undefined;
  }

  nodeOf(symbol: PreciseSymbol): NodeHandle {
    return this.#nodes[symbol] ?? UNDECLARED;
  }

  textOf(symbol: PreciseSymbol): string {
    return this.#state.symbols.text(symbol);
  }

  /** Whether the indexes declare anything of a package. */
  declaresPackage(name: string): boolean {
    return this.#packages.has(plainName(name));
  }

  /** What a symbol implements or overrides, without what those implement themselves: indexers list all ancestors. */
  implementedBy(symbol: PreciseSymbol): readonly PreciseSymbol[] {
    const all = this.#implementations.get(symbol) ?? [];
    if (all.length < 2) return all;
    const indirect = new Set(all.flatMap(each => (each === symbol ? [] : (this.#implementations.get(each) ?? []).filter(target => target !== each))));
    return all.filter(each => !indirect.has(each));
  }

  /** Takes over a new state (undefined: the one before), and files that changed. Answers with the files whose sites may end elsewhere now. */
  update(given: PreciseState | undefined, changed: Iterable<WorkspacePath>): ReadonlySet<WorkspacePath> {
    const dirty = new Set<WorkspacePath>();
    const before = this.#state;
    const state = given ?? before;
    this.#state = state;
    if (state.symbols !== before.symbols || state.documents.size !== before.documents.size) {
      for (const path of before.documents.keys()) dirty.add(path);
      for (const path of state.documents.keys()) dirty.add(path);
      this.#index();
      return dirty;
    }
    const moved = new Set<WorkspacePath>();
    for (const path of changed) if (state.documents.has(path)) moved.add(path);
    if (state.documents !== before.documents) {
      for (const [path, entry] of state.documents) {
        const old = before.documents.get(path);
        if (old?.document === entry.document && old.isCurrent === entry.isCurrent) continue;
        moved.add(path);
        dirty.add(path);
      }
    }
    for (const path of moved) {
      const entry = state.documents.get(path);
      if (entry !== undefined) this.#place(path, entry, symbol => this.#addUsers(symbol, dirty));
    }
    return dirty;
  }

  #index(): void {
    const { documents, symbols } = this.#state;
    this.#paths = [...documents.keys()].sort();
    this.#nodes = nodeColumn(new Int32Array(symbols.count).fill(UNDECLARED));
    this.#declaredIn = new Int32Array(symbols.count).fill(NONE);
    const packages = new Set<string>();
    const implementations = new Map<PreciseSymbol, PreciseSymbol[]>();
    for (const [at, path] of this.#paths.entries()) {
      const entry = documents.get(path);
      if (entry === undefined) continue;
      const { document } = entry;
      for (let row = 0; row < document.count; row++) {
        const symbol = document.symbol[row] ?? NO_SYMBOL;
        if (symbol < 0 || !isDefinition(document, row) || this.#declaredIn[symbol] !== NONE) continue;
        this.#declaredIn[symbol] = at;
      }
      for (let pair = 0; pair < document.implementations.length; pair += 2) {
        const [from = NO_SYMBOL, to = NO_SYMBOL] = [document.implementations[pair], document.implementations[pair + 1]];
        if (from < 0 || to < 0) continue;
        const known = implementations.get(from);
        if (known === undefined) implementations.set(from, [to]);
        else if (!known.includes(to)) known.push(to);
      }
    }
    this.#implementations = implementations;
    for (let symbol = preciseSymbol(0); symbol < symbols.count; symbol++) {
      if (this.#declaredIn[symbol] === NONE) continue;
      const text = parseSymbol(symbols.text(symbol));
      if (text !== undefined) packages.add(plainName(text.packageName));
    }
    this.#packages = packages;
    this.#indexUsers();
    for (const path of this.#paths) {
      const entry = documents.get(path);
      if (entry !== undefined) this.#place(path, entry, () => undefined);
    }
  }

  /** Counting sort of (symbol, file) pairs; a file is listed once for each symbol. */
  #indexUsers(): void {
    const { documents, symbols } = this.#state;
    const starts = new Int32Array(symbols.count + 1);
    const lastSeen = new Int32Array(symbols.count).fill(NONE);
    const eachPair = (visit: (symbol: PreciseSymbol, file: number) => void): void => {
      lastSeen.fill(NONE);
      for (const [file, path] of this.#paths.entries()) {
        for (const symbol of documents.get(path)?.document.symbol ?? []) {
          if (symbol < 0 || lastSeen[symbol] === file) continue;
          lastSeen[symbol] = file;
          visit(symbol, file);
        }
      }
    };
    eachPair(symbol => {
      starts[symbol + 1] = (starts[symbol + 1] ?? 0) + 1;
    });
    for (let symbol = preciseSymbol(0); symbol < symbols.count; symbol++) starts[symbol + 1] = (starts[symbol + 1] ?? 0) + (starts[symbol] ?? 0);
    const users = new Int32Array(starts[symbols.count] ?? 0);
    const next = starts.slice();
    eachPair((symbol, file) => {
      const at = next[symbol] ?? 0;
      users[at] = file;
      next[symbol] = at + 1;
    });
    this.#userStarts = starts;
    this.#users = users;
  }

  #addUsers(symbol: PreciseSymbol, into: Set<WorkspacePath>): void {
    for (let at = this.#userStarts[symbol] ?? 0; at < (this.#userStarts[symbol + 1] ?? 0); at++) {
      const path = this.#paths[this.#users[at] ?? NONE];
      if (path !== undefined) into.add(path);
    }
  }

  /** Finds the nodes of what a document declares; tells of the symbols that mean another node now. */
  #place(path: WorkspacePath, { document, isCurrent }: PreciseEntry, moved: (symbol: PreciseSymbol) => void): void {
    const file = this.files.fileAt(path);
    const found = new Map<PreciseSymbol, NodeHandle>();
    const unclear = new Set<PreciseSymbol>();
    const rows = file === undefined ? undefined : isCurrent ? rowsByPlace(file) : rowsByName(file);
    for (let row = 0; row < document.count; row++) {
      const symbol = document.symbol[row] ?? NO_SYMBOL;
      if (symbol < 0 || !isDefinition(document, row) || this.#paths[this.#declaredIn[symbol] ?? NONE] !== path) continue;
      const node = file === undefined || rows === undefined ? NO_NODE : this.#nodeAt(file, document, row, rows);
      const known = found.get(symbol) ?? NO_NODE;
      if (known === NO_NODE) found.set(symbol, node);
      else if (node !== NO_NODE && file !== undefined && !isSameName(file, known, node)) unclear.add(symbol);
    }
    // scip-python gives functions of one name inside different methods one symbol: nobody can tell which is meant.
    for (const symbol of unclear) found.set(symbol, NO_NODE);
    for (const [symbol, node] of found) {
      if (this.#nodes[symbol] === node) continue;
      this.#nodes[symbol] = node;
      moved(symbol);
    }
  }

  #nodeAt(file: FileState, document: PreciseDocument, row: number, rows: ReadonlyMap<string | number, SymbolRow>): NodeHandle {
    const line = document.line[row] ?? 0;
    if (line === 0 && document.length[row] === 0) return file.fileNode;
    let at = rows.get(placeKey(line, document.column[row] ?? 0));
    if (at === undefined && rows.size > 0) {
      const text = parseSymbol(this.textOf(document.symbol[row] ?? NO_SYMBOL));
      at = text === undefined ? undefined : rows.get(nameOf(text));
    }
    return at === undefined ? NO_NODE : (file.symbolNodes[at] ?? NO_NODE);
  }
}

/** One number for a place in a file. */
export function placeKey(line: number, column: number): number {
  return line * 2 ** 22 + column;
}

/** Symbol rows of a file by the place of their name. */
export function rowsByPlace({ facts: { symbols } }: FileState): ReadonlyMap<number, SymbolRow> {
  const rows = new Map<number, SymbolRow>();
  for (let row = symbolRow(0); row < symbols.count; row++) {
    const key = placeKey(symbols.nameLine[row] ?? 0, symbols.nameColumn[row] ?? 0);
    if (!rows.has(key)) rows.set(key, row);
  }
  return rows;
}

/** Declarations that differ in their number alone: overloads, merged declarations. */
function isSameName(file: FileState, left: NodeHandle, right: NodeHandle): boolean {
  const { symbols } = file.facts;
  const [a, b] = [file.symbolNodes.indexOf(left), file.symbolNodes.indexOf(right)];
  return a === b || (symbols.parent[a] === symbols.parent[b] && symbols.name[a] === symbols.name[b]);
}

/** Symbol rows by what `nameOf` gives; of several declarations of one name the first. */
function rowsByName({ facts }: FileState): ReadonlyMap<string, SymbolRow> {
  const { symbols } = facts;
  const rows = new Map<string, SymbolRow>();
  const names: string[] = [];
  const add = (name: string, row: SymbolRow): void => {
    if (!rows.has(name)) rows.set(name, row);
  };
  for (let row = symbolRow(0); row < symbols.count; row++) {
    const parent = symbols.parent[row] ?? NONE;
    const container = symbols.container[row] ?? NO_TEXT;
    const around = [...(parent === NONE ? [] : [names[parent] ?? '']), ...(container === 0 ? [] : [textOf(facts, container)])];
    const own = textOf(facts, symbols.name[row] ?? NO_TEXT);
    names.push([...around, own].join('::'));
    add(names[row] ?? '', row);
    const modifiers = symbols.modifiers[row] ?? 0;
    if ((modifiers & MODIFIERS.getter) !== 0) add([...around, `<get>${own}`].join('::'), row);
    if ((modifiers & MODIFIERS.setter) !== 0) add([...around, `<set>${own}`].join('::'), row);
    if (own === 'constructor' || symbols.kind[row] === symbolKindCode.constructor) add([...around, '<constructor>'].join('::'), row);
  }
  return rows;
}
