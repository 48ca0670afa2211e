/**
 * Facts as bytes, for worker messages and packs.
 *
 * A header, the strings as one text, then every column with the fewest bytes per value that hold it (0 to 4, relative to the column's least value).
 * Equal facts give equal bytes. Bytes of another format version, or damaged ones, decode to `undefined`.
 */
import { EXTRACTOR_VERSION, type FileFacts } from '../../model/facts';
import { LANGUAGES } from '../../model/languages';

/** Raised when the layout below changes. */
const FORMAT = 2;
const MAGIC = 0x4c460000 | FORMAT;

/** Columns of each table in order of storage; those after the bar are bytes in memory. */
const TABLES = {
  symbols: [
    'name parent container receiver ordinal modifiers startLine startColumn endLine endColumn nameLine nameColumn scope function type value signature doc firstLine hash complexity',
    'kind',
  ],
  functions: ['symbol scope parameterStart parameterCount returnType returnStart returnCount modifiers', ''],
  scopes: ['parent symbol function package', 'kind'],
  bindings: ['scope name symbol import type value function position', 'kind'],
  expressions: ['a b text listStart listCount', 'operator'],
  assignments: ['target name value type symbol owner', ''],
  references: ['expression owner name line column', 'kind'],
  heritage: ['symbol expression receiver line column', 'kind'],
  imports: ['specifier level importedName localName binding line column', 'kind typeOnly'],
  exports: ['exportedName localName importedName import value', 'kind'],
} as const;

type TableName = keyof typeof TABLES;
type Column = Int32Array | Uint8Array;
type AnyTable = { readonly count: number } & Readonly<Record<string, Column | number>>;

const words = (text: string): readonly string[] => (text === '' ? [] : text.split(' '));
const LAYOUT = (Object.keys(TABLES) as TableName[]).map(table => {
  const wide = words(TABLES[table][0]);
  const narrow = words(TABLES[table][1]);
  // Copied for each table that is read: an object that grows by many properties turns into a hash table, in which each look-up is a search.
  const blank: Readonly<Record<string, Column | number>> = Object.fromEntries([
    ['count', 0],
    ...wide.map(name => [name, new Int32Array(0)] as const),
    ...narrow.map(name => [name, new Uint8Array(0)] as const),
  ]);
  return { table, wide, narrow, blank };
});

/** The result owns its buffer whole, so it can be transferred between threads. */
export function encodeFacts(facts: FileFacts): Uint8Array {
  const writer = new Writer(256 + facts.strings.length * 16 + facts.expressions.count * 12);
  writer.int(MAGIC);
  writer.int(EXTRACTOR_VERSION);
  writer.int(LANGUAGES.findIndex(row => row.id === facts.language));
  writer.int(facts.syntax.nodes);
  writer.int(facts.syntax.errorNodes);
  writer.int(facts.syntax.lines);
  writer.strings(facts.strings);
  writer.column(facts.lists, facts.lists.length);
  for (const { table, wide, narrow } of LAYOUT) {
    const rows = facts[table] as unknown as AnyTable;
    writer.int(rows.count);
    for (const name of wide) writer.column(rows[name] as Column, rows.count);
    for (const name of narrow) writer.column(rows[name] as Column, rows.count);
  }
  writer.int(MAGIC);
  return writer.finish();
}

export function decodeFacts(bytes: Uint8Array): FileFacts | undefined {
  try {
    const reader = new Reader(bytes);
    if (reader.int() !== MAGIC || reader.int() !== EXTRACTOR_VERSION) return undefined;
    const language = LANGUAGES[reader.int()]?.id;
    if (language === undefined) return undefined;
    const syntax = { nodes: reader.int(), errorNodes: reader.int(), lines: reader.int() };
    const strings = reader.strings();
    const lists = reader.column(Int32Array);
    const tables = {} as Record<TableName, unknown>;
    for (const { table, wide, narrow, blank } of LAYOUT) {
      const count = reader.int();
      const rows: Record<string, Column | number> = { ...blank };
      rows['count'] = count;
      for (const name of wide) rows[name] = reader.column(Int32Array, count);
      for (const name of narrow) rows[name] = reader.column(Uint8Array, count);
      tables[table] = rows;
    }
    if (reader.int() !== MAGIC) return undefined;
    return { language, syntax, strings, lists, ...tables } as unknown as FileFacts;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

class Writer {
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView;
  #at = 0;

  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity);
    this.#view = new DataView(this.#bytes.buffer);
  }

  int(value: number): void {
    this.#reserve(4);
    this.#view.setInt32(this.#at, value, true);
    this.#at += 4;
  }

  /** Lengths in UTF-16 units, then all strings as one UTF-8 text. */
  strings(strings: readonly string[]): void {
    this.column(
      strings.map(text => text.length),
      strings.length,
    );
    const joined = strings.join('');
    this.#reserve(8 + joined.length * 3);
    const size = Buffer.from(this.#bytes.buffer, this.#at + 4).write(joined, 'utf8');
    this.#view.setInt32(this.#at, size, true);
    this.#at += 4 + size;
  }

  column(values: ArrayLike<number>, count: number): void {
    let least = 0;
    let most = 0;
    for (let i = 0; i < count; i++) {
      const value = values[i] as number;
      if (value < least) least = value;
      if (value > most) most = value;
    }
    const range = most - least;
    const width = range === 0 ? 0 : range < 0x100 ? 1 : range < 0x10000 ? 2 : range < 0x1000000 ? 3 : 4;
    this.int(count * 8 + width);
    this.int(least);
    this.#reserve(count * width);
    const bytes = this.#bytes;
    let at = this.#at;
    if (width === 1) for (let i = 0; i < count; i++) bytes[at++] = (values[i] as number) - least;
    else if (width === 2) {
      for (let i = 0; i < count; i++) {
        const value = (values[i] as number) - least;
        bytes[at++] = value;
        bytes[at++] = value >>> 8;
      }
    } else if (width > 2) {
      for (let i = 0; i < count; i++) {
        const value = (values[i] as number) - least;
        for (let shift = 0; shift < width * 8; shift += 8) bytes[at++] = value >>> shift;
      }
    }
    this.#at = at;
  }

  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#at);
  }

  #reserve(size: number): void {
    if (this.#at + size <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#at + size));
    larger.set(this.#bytes);
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }
}

/** Throws `RangeError` when it would read past the end. */
class Reader {
  readonly #view: DataView;
  #at = 0;

  constructor(private readonly bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  int(): number {
    const value = this.#view.getInt32(this.#at, true);
    this.#at += 4;
    return value;
  }

  strings(): string[] {
    const lengths = this.column(Int32Array);
    const size = this.int();
    this.#check(size);
    const joined = Buffer.from(this.bytes.buffer, this.bytes.byteOffset + this.#at, size).toString('utf8');
    this.#at += size;
    let start = 0;
    const strings: string[] = [];
    for (const length of lengths) {
      strings.push(joined.slice(start, start + length));
      start += length;
    }
    if (start !== joined.length) throw new RangeError('lengths and text of the strings differ');
    return strings;
  }

  /** `expected` rows, any number when it is undefined. */
  column<T extends Column>(type: new (length: number) => T, expected?: number): T {
    const head = this.int();
    const width = head & 7;
    const count = head >>> 3;
    const least = this.int();
    if (width > 4 || (expected !== undefined && expected !== count)) throw new RangeError('a column is damaged');
    this.#check(count * width);
    const values = new type(count);
    const { bytes } = this;
    let at = this.#at;
    if (width === 0) {
      if (least !== 0) values.fill(least);
    } else if (width === 1) for (let i = 0; i < count; i++) values[i] = (bytes[at++] as number) + least;
    else if (width === 2) {
      for (let i = 0; i < count; i++, at += 2) values[i] = ((bytes[at] as number) | ((bytes[at + 1] as number) << 8)) + least;
    } else {
      for (let i = 0; i < count; i++) {
        let value = 0;
        for (let shift = 0; shift < width * 8; shift += 8) value |= (bytes[at++] as number) << shift;
        values[i] = value + least;
      }
    }
    this.#at = at;
    return values;
  }

  #check(size: number): void {
    if (size < 0 || this.#at + size > this.bytes.length) throw new RangeError('the facts are cut off');
  }
}
