import { operandOf } from '../../../model/expressions';
import {
  BINDING_KINDS,
  bindingRow,
  type HeritageRow,
  heritageRow,
  MODULE_SCOPE,
  NO_TEXT,
  NONE,
  operatorCode,
  type SymbolRow,
  symbolRow,
} from '../../../model/facts';
import { NO_NODE } from '../../../model/ids';
import { MODIFIERS, symbolKindCode } from '../../../model/nodes';
import type { FileState } from '../fileState';
import type { NameNumber } from '../numbers';
import type { Project } from '../project';
import { changeList, type OutsideEntry, type PackageEntry } from './packageEntries';

const SYMBOL = BINDING_KINDS.indexOf('symbol');

type Mark = (name: NameNumber, weight: number) => void;

/**
 * What files declare beyond themselves in languages whose files are modules: global names, and what is added to types and objects from outside the project.
 *
 * Invariant: lists are in order of paths and rows. The caller must consult `bearers` of the key that it asks for.
 */
export class GlobalNames {
  readonly #declared = new Map<NameNumber, PackageEntry[]>();
  readonly #added = new Map<NameNumber, OutsideEntry[]>();
  /** Keys by family and name. */
  readonly #keys = new Map<string, Map<NameNumber, NameNumber>>();
  readonly #addedKeys = new Map<NameNumber, NameNumber>();

  constructor(private readonly project: Project) {}

  /** Key of a global name in the files of a family. */
  keyOf(family: string, name: NameNumber): NameNumber {
    let keys = this.#keys.get(family);
    if (keys === undefined) this.#keys.set(family, (keys = new Map()));
    let key = keys.get(name);
    if (key === undefined) keys.set(name, (key = this.project.names.intern(`${family}\0global ${this.project.names.text(name)}`)));
    return key;
  }

  /** Key of what is added to a type or object that has this name outside the project. */
  addedKey(outside: NameNumber): NameNumber {
    let key = this.#addedKeys.get(outside);
    if (key === undefined) this.#addedKeys.set(outside, (key = this.project.names.intern(`\0added ${this.project.names.text(outside)}`)));
    return key;
  }

  /** Declarations of a global name. */
  declared(key: NameNumber): readonly PackageEntry[] {
    return this.#declared.get(key) ?? NO_ENTRIES;
  }

  /** Types of the project whose members something outside has, too. */
  added(key: NameNumber): readonly OutsideEntry[] {
    return this.#added.get(key) ?? NO_ENTRIES;
  }

  /** Keys of the global names that a file declares. */
  keysOf(file: FileState): readonly NameNumber[] {
    const keys: NameNumber[] = [];
    if (file.hasGlobalNames) this.#eachBinding(file, row => keys.push(this.keyOf(file.family, file.name(file.facts.bindings.name[row] ?? NO_TEXT))));
    return keys;
  }

  note(file: FileState, sign: 1 | -1, mark: Mark): void {
    this.#noteAdditions(file, sign, mark);
    if (!file.hasGlobalNames) return;
    const { bindings, symbols } = file.facts;
    this.#eachBinding(file, row => {
      const name = file.name(bindings.name[row] ?? NO_TEXT);
      const key = this.keyOf(file.family, name);
      const symbol = bindings.symbol[row] ?? NONE;
      changeList(this.#declared, key, sign, entry => entry.binding === row, { file, binding: row });
      mark(key, (file.symbolNodes[symbol] ?? NO_NODE) + (symbols.modifiers[symbol] ?? 0) * 8191 + (symbols.kind[symbol] ?? 0) * 127);
      if (symbols.kind[symbol] === symbolKindCode.interface) this.#noteInstances(file, symbol, this.project.names.text(name), sign, mark);
    });
    for (let row = symbolRow(0); row < symbols.count; row++) {
      const parent = symbols.parent[row] ?? NONE;
      if (parent === NONE || symbols.kind[row] !== symbolKindCode.interface || symbols.kind[parent] !== symbolKindCode.namespace) continue;
      if (file.isGlobal(parent))
        this.#noteInstances(file, row, `${file.text(symbols.name[parent] ?? NO_TEXT)}.${file.text(symbols.name[row] ?? NO_TEXT)}`, sign, mark);
    }
  }

  /** `declare module 'x' { interface A … }`: `x.A`. */
  #noteAdditions(file: FileState, sign: 1 | -1, mark: Mark): void {
    const { heritage, expressions } = file.facts;
    for (let row = heritageRow(0); row < heritage.count; row++) {
      const receiver = heritage.receiver[row] ?? NONE;
      if (receiver === NONE || expressions.operator[receiver] !== operatorCode.member) continue;
      const module = operandOf.receiver(expressions, receiver);
      const symbol = addition(file, row);
      if (expressions.operator[module] !== operatorCode.module || symbol === NONE) continue;
      const name = `${file.text(expressions.text[module] ?? NO_TEXT)}.${file.text(expressions.text[receiver] ?? NO_TEXT)}`;
      this.#noteAdded(file, symbol, name, sign, mark);
      this.#noteInstances(file, symbol, name, sign, mark);
    }
  }

  #noteInstances(file: FileState, row: SymbolRow, type: string, sign: 1 | -1, mark: Mark): void {
    for (const name of file.rules.outsideInstances?.[type] ?? []) this.#noteAdded(file, row, name, sign, mark);
  }

  #noteAdded(file: FileState, row: SymbolRow, outside: string, sign: 1 | -1, mark: Mark): void {
    const key = this.addedKey(this.project.names.intern(outside));
    changeList(this.#added, key, sign, entry => entry.row === row, { file, row });
    mark(key, file.symbolNodes[row] ?? NO_NODE);
  }

  #eachBinding(file: FileState, visit: (row: ReturnType<typeof bindingRow>) => void): void {
    const { bindings } = file.facts;
    for (let row = bindingRow(0); row < bindings.count; row++)
      if (bindings.kind[row] === SYMBOL && file.isGlobalScope(bindings.scope[row] ?? MODULE_SCOPE)) visit(row);
  }
}

/** The symbol that a heritage row from outside gives as a base. */
function addition(file: FileState, row: HeritageRow): SymbolRow {
  const { bindings, expressions, heritage } = file.facts;
  const named = heritage.expression[row] ?? NONE;
  if (named === NONE || expressions.operator[named] !== operatorCode.name) return NONE;
  const binding = file.firstBinding(operandOf.scope(expressions, named), file.name(expressions.text[named] ?? NO_TEXT));
  return binding === NONE ? NONE : (bindings.symbol[binding] ?? NONE);
}

/** Whether the declaration of a global name only says that there is such a thing, and the code is elsewhere. */
export function isAmbient({ facts: { symbols }, path }: FileState, row: SymbolRow): boolean {
  return ((symbols.modifiers[row] ?? 0) & MODIFIERS.declared) !== 0 || /\.d\.[mc]?ts$/.test(path);
}

const NO_ENTRIES: readonly never[] = [];
