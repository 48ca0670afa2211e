import type { ColumnOf } from '../../base/branded';
import { Interner } from '../../base/interner';
import { type FileFacts, NO_TEXT, NONE, qualifiedName, type SymbolRow, symbolRow } from '../../model/facts';
import { externalId, type NodeHandle, type NodeIds, nodeColumn, symbolId } from '../../model/ids';
import { languageRow } from '../../model/languages';
import { FileState } from './fileState';
import type { BuiltinType } from './languages/builtinTable';
import type { LanguageTraits } from './languages/languageTraits';
import { type FileNumber, fileNumber, type NameNumber, NO_FILE } from './numbers';

function fileColumn(size: number): ColumnOf<FileNumber> {
  return new Int32Array(size).fill(NO_FILE) as ColumnOf<FileNumber>;
}

function symbolColumn(size: number): ColumnOf<SymbolRow> {
  return new Int32Array(size).fill(NONE) as ColumnOf<SymbolRow>;
}

/**
 * The files of the project and who declares which node.
 * File numbers are given once per path and never reused; a removed file keeps its number and has no state.
 */
export class Project {
  readonly names = new Interner<NameNumber>();
  readonly #paths = new Interner<FileNumber>();
  readonly #files: (FileState | undefined)[] = [];
  /** By node handle: file number and symbol row of the declaration; `-1` for others. */
  #nodeFile = fileColumn(1024);
  #nodeRow = symbolColumn(1024);
  #living = 0;
  /** By name; built-in types are the same as long as the process lives. */
  readonly #builtins = new Map<NameNumber, BuiltinType | undefined>();

  constructor(
    private readonly ids: NodeIds,
    readonly rulesOf: (family: string) => LanguageTraits,
  ) {}

  /** The built-in type that a name (`family.type`) stands for; undefined for one that its family does not describe. */
  builtinType(name: NameNumber): BuiltinType | undefined {
    const known = this.#builtins.get(name);
    if (known !== undefined || this.#builtins.has(name)) return known;
    const text = this.names.text(name);
    const dot = text.indexOf('.');
    const type = dot < 0 ? undefined : this.rulesOf(text.slice(0, dot)).builtins.type(text.slice(dot + 1));
    this.#builtins.set(name, type);
    return type;
  }

  /** Rules of the language that a built-in type belongs to. */
  rulesOfBuiltin(name: NameNumber): LanguageTraits {
    const text = this.names.text(name);
    return this.rulesOf(text.slice(0, text.indexOf('.')));
  }

  get fileCount(): number {
    return this.#files.length;
  }

  file(id: FileNumber): FileState | undefined {
    return this.#files[id];
  }

  fileAt(path: string): FileState | undefined {
    const id = this.#paths.find(path);
    return id === undefined ? undefined : this.#files[id];
  }

  /** Number of a path, known or not. */
  fileId(path: string): FileNumber {
    const id = this.#paths.intern(path);
    while (this.#files.length <= id) this.#files.push(undefined);
    return id;
  }

  /** All paths that have a number, in order of it. */
  get paths(): readonly string[] {
    return Array.from({ length: this.#paths.size }, (_, id) => this.#paths.text(fileNumber(id)));
  }

  /** Files that have facts. */
  get livingFiles(): number {
    return this.#living;
  }

  pathOf(id: FileNumber): string {
    return this.#paths.text(id);
  }

  *files(): IterableIterator<FileState> {
    for (const file of this.#files) if (file !== undefined) yield file;
  }

  /** What the project will hold for a file, without taking it in. */
  stateOf(path: string, facts: FileFacts, isTest: boolean): FileState {
    const nodes = nodeColumn(new Int32Array(facts.symbols.count));
    const ids: string[] = [];
    for (let row = symbolRow(0); row < facts.symbols.count; row++) {
      const text = this.#symbolId(path, facts, row, ids);
      ids.push(text);
      nodes[row] = this.ids.intern(text);
    }
    const rules = this.rulesOf(languageRow(facts.language).family);
    return new FileState(this.fileId(path), path, facts, isTest, this.ids.intern(path), nodes, this.names, rules);
  }

  put(state: FileState): void {
    this.#forget(this.#files[state.id]);
    this.#living++;
    state.symbolNodes.forEach((node, row) => {
      this.#own(node, state.id, symbolRow(row));
    });
    this.#files[state.id] = state;
  }

  remove(path: string): void {
    const id = this.#paths.find(path);
    if (id === undefined) return;
    this.#forget(this.#files[id]);
    this.#files[id] = undefined;
  }

  /** File that declares a symbol node, or undefined for nodes that are no symbols of a living file. */
  ownerOf(node: NodeHandle): FileState | undefined {
    const file = this.#nodeFile[node] ?? NO_FILE;
    return file < 0 ? undefined : this.#files[file];
  }

  rowOf(node: NodeHandle): SymbolRow {
    return this.#nodeRow[node] ?? NONE;
  }

  nodeOfPath(path: string): NodeHandle {
    return this.ids.intern(path);
  }

  externalNode(name: string): NodeHandle {
    return this.ids.intern(externalId(name));
  }

  idText(node: NodeHandle): string {
    return this.ids.text(node);
  }

  /** Containers come before members, so the parent's id is known and only one segment is added. */
  #symbolId(path: string, facts: FileFacts, row: SymbolRow, known: readonly string[]): string {
    const parent = facts.symbols.parent[row] ?? NONE;
    const head = parent < 0 ? path : known[parent];
    if (head === undefined) return symbolId(path, qualifiedName(facts, row));
    const ordinal = facts.symbols.ordinal[row] ?? 1;
    const container = facts.symbols.container[row] ?? NO_TEXT;
    const own = facts.strings[facts.symbols.name[row] ?? NO_TEXT] ?? '';
    const name = container === NO_TEXT ? own : `${facts.strings[container] ?? ''}::${own}`;
    return ordinal > 1 ? `${head}::${name}#${ordinal}` : `${head}::${name}`;
  }

  #own(node: NodeHandle, file: FileNumber, row: SymbolRow): void {
    if (node >= this.#nodeFile.length) {
      const size = Math.max(node + 1, this.#nodeFile.length * 2);
      const files = fileColumn(size);
      const rows = symbolColumn(size);
      files.set(this.#nodeFile);
      rows.set(this.#nodeRow);
      this.#nodeFile = files;
      this.#nodeRow = rows;
    }
    this.#nodeFile[node] = file;
    this.#nodeRow[node] = row;
  }

  #forget(state: FileState | undefined): void {
    if (state === undefined) return;
    this.#living--;
    for (const node of state.symbolNodes) {
      this.#nodeFile[node] = NO_FILE;
      this.#nodeRow[node] = NONE;
    }
  }
}
