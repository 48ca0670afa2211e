import { NONE, type SymbolRow, symbolRow } from '../../../../model/facts';
import { type CppWalk, GLOBAL_SCOPE } from './walk';

/** Names as macros have them: in capitals, with an underscore. */
const MACRO = /\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/g;

/** Between a macro, with its arguments, and what it stands before. */
const MAX_GAP = 400;
/** More columns than lines have. */
const LINE = 1 << 20;

/** Uses of the macros that `prepared` blanked: before a declaration on its line that of what is declared, else of what is around. `source` has the offsets of the text read. */
export function readBlankedMacros(walk: CppWalk, source: string): void {
  const { text } = walk.file.table;
  if (source === text || source.length !== text.length) return;
  const { builder } = walk.file;
  const owners = new Owners(walk);
  for (const { 0: name, index: at } of source.matchAll(MACRO)) {
    const end = at + name.length;
    if (text.startsWith(name, at) || isNoCode(source, at)) continue;
    const word = builder.intern(name);
    const row = walk.file.row('name', GLOBAL_SCOPE, NONE, word);
    const declared = end + (/^[ \t]*/.exec(text.slice(end, end + MAX_GAP))?.[0].length ?? 0);
    walk.file.use('read', row, owners.at(declared, at), word, at);
  }
}

/** True in comments behind code, in lines of comments, and in directives, which read what they name themselves. */
function isNoCode(source: string, at: number): boolean {
  return /\/\/|\/\*|^\s*(?:#|\*)/.test(source.slice(source.lastIndexOf('\n', at - 1) + 1, at));
}

/** Symbols by where they stand, asked from the start of the file to its end. */
class Owners {
  readonly #rows: SymbolRow[] = [];
  readonly #starting = new Map<number, SymbolRow>();
  readonly #around: SymbolRow[] = [];
  #next = 0;

  constructor(private readonly walk: CppWalk) {
    const { symbols } = walk.file.builder;
    for (let row = symbolRow(0); row < symbols.count; row++) this.#rows.push(row);
    this.#rows.sort((left, right) => this.#start(left) - this.#start(right) || left - right);
    for (const row of this.#rows) if (!this.#starting.has(this.#start(row))) this.#starting.set(this.#start(row), row);
  }

  /** The symbol that starts at the offset `declared`, else the innermost one around the offset `at`; `NONE` for the file. */
  at(declared: number, at: number): SymbolRow {
    const place = this.#placeOf(at);
    for (let row = this.#rows[this.#next]; row !== undefined && this.#start(row) <= place; row = this.#rows[++this.#next]) this.#around.push(row);
    while (this.#around.length > 0 && this.#end(this.#around.at(-1) ?? NONE) < place) this.#around.pop();
    return this.#starting.get(this.#placeOf(declared)) ?? this.#around.findLast(row => this.#end(row) >= place) ?? NONE;
  }

  #placeOf(offset: number): number {
    const { builder } = this.walk.file;
    return builder.lineOf(offset) * LINE + builder.columnOf(offset);
  }

  #start(row: SymbolRow): number {
    const { startLine, startColumn } = this.walk.file.builder.symbols;
    return (startLine[row] ?? 0) * LINE + (startColumn[row] ?? 0);
  }

  #end(row: SymbolRow): number {
    const { endLine, endColumn } = this.walk.file.builder.symbols;
    return (endLine[row] ?? 0) * LINE + (endColumn[row] ?? 0);
  }
}
