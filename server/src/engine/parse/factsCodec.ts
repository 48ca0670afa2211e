/**
 * Facts as bytes, for worker messages and packs.
 *
 * A header, the digest, the strings as one text, then every column with the fewest bytes per value that hold it (0 to 4, relative to the column's least value).
 * Equal facts give equal bytes. Bytes of another format version, or damaged ones, decode to `undefined`.
 */
import type { ColumnOf } from '../../base/branded';
import { type ColumnVisitor, type FactRows, visitColumns } from '../../code/facts/factRows';
import { FactTables } from '../../code/facts/factTables';
import { type AnyRow, EXTRACTOR_VERSION, type FileFacts } from '../../model/facts';
import { LANGUAGES, type LanguageId } from '../../model/languages';

/** Raised when the layout below changes. */
const FORMAT = 4;
const MAGIC = 0x4c460000 | FORMAT;

/** Stands for the tables that are not read yet. */
const BLANK: FactRows = new FactTables();

/** The result owns its buffer whole, so it can be transferred between threads. */
export function encodeFacts(facts: FileFacts): Uint8Array {
  const writer = new Writer(256 + facts.strings.length * 16 + facts.expressions.count * 12);
  writer.int(MAGIC);
  writer.int(EXTRACTOR_VERSION);
  writer.int(LANGUAGES.findIndex(row => row.id === facts.language));
  writer.int(facts.syntax.nodes);
  writer.int(facts.syntax.errorNodes);
  writer.int(facts.syntax.lines);
  writer.strings([facts.digest]);
  writer.strings(facts.strings);
  writer.words(facts.lists, facts.lists.length);
  visitColumns(facts, writer);
  writer.int(MAGIC);
  return writer.finish();
}

export function decodeFacts(bytes: Uint8Array): FileFacts | undefined {
  return decoded(bytes, (reader, language) => {
    const syntax = { nodes: reader.int(), errorNodes: reader.int(), lines: reader.int() };
    const [digest = ''] = reader.strings();
    const strings = reader.strings();
    const lists = reader.list() as ColumnOf<AnyRow>;
    const tables = reader.tables();
    return reader.int() === MAGIC ? { language, syntax, strings, digest, lists, ...tables } : undefined;
  });
}

/** The digest alone: what stands behind it is not read. */
export function decodeDigest(bytes: Uint8Array): string | undefined {
  return decoded(bytes, reader => {
    for (let passed = 0; passed < 3; passed++) reader.int();
    return reader.strings()[0];
  });
}

function decoded<T>(bytes: Uint8Array, decode: (reader: Reader, language: LanguageId) => T | undefined): T | undefined {
  try {
    const reader = new Reader(bytes);
    if (reader.int() !== MAGIC || reader.int() !== EXTRACTOR_VERSION) return undefined;
    const language = LANGUAGES[reader.int()]?.id;
    return language === undefined ? undefined : decode(reader, language);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

class Writer implements ColumnVisitor {
  #buffer: Uint8Array<ArrayBuffer>;
  #view: DataView;
  #at = 0;

  constructor(capacity: number) {
    this.#buffer = new Uint8Array(capacity);
    this.#view = new DataView(this.#buffer.buffer);
  }

  int(value: number): void {
    this.#reserve(4);
    this.#view.setInt32(this.#at, value, true);
    this.#at += 4;
  }

  /** Lengths in UTF-16 units, then all strings as one UTF-8 text. */
  strings(strings: readonly string[]): void {
    const lengths = new Int32Array(strings.length);
    for (let i = 0; i < lengths.length; i++) lengths[i] = (strings[i] as string).length;
    this.words(lengths, lengths.length);
    const joined = strings.join('');
    this.#reserve(8 + joined.length * 3);
    const size = Buffer.from(this.#buffer.buffer, this.#at + 4).write(joined, 'utf8');
    this.#view.setInt32(this.#at, size, true);
    this.#at += 4 + size;
  }

  count(rows: number): number {
    this.int(rows);
    return rows;
  }

  words<Column extends Int32Array>(column: Column, count: number): Column {
    let least = 0;
    let most = 0;
    for (let i = 0; i < count; i++) {
      const value = column[i] as number;
      if (value < least) least = value;
      if (value > most) most = value;
    }
    const width = this.#head(count, least, most);
    const bytes = this.#buffer;
    let at = this.#at;
    if (width === 1) for (let i = 0; i < count; i++) bytes[at++] = (column[i] as number) - least;
    else if (width === 2) {
      for (let i = 0; i < count; i++) {
        const value = (column[i] as number) - least;
        bytes[at++] = value;
        bytes[at++] = value >>> 8;
      }
    } else if (width > 2) {
      for (let i = 0; i < count; i++) {
        const value = (column[i] as number) - least;
        for (let shift = 0; shift < width * 8; shift += 8) bytes[at++] = value >>> shift;
      }
    }
    this.#at = at;
    return column;
  }

  /** As `words`, apart from it: a loop over one kind of array is compiled once. */
  bytes(column: Uint8Array, count: number): Uint8Array {
    let most = 0;
    for (let i = 0; i < count; i++) if ((column[i] as number) > most) most = column[i] as number;
    if (this.#head(count, 0, most) !== 0) {
      this.#buffer.set(column.subarray(0, count), this.#at);
      this.#at += count;
    }
    return column;
  }

  finish(): Uint8Array {
    return this.#buffer.slice(0, this.#at);
  }

  /** Returns the bytes of each value, for which there is room then. */
  #head(count: number, least: number, most: number): number {
    const range = most - least;
    const width = range === 0 ? 0 : range < 0x100 ? 1 : range < 0x10000 ? 2 : range < 0x1000000 ? 3 : 4;
    this.int(count * 8 + width);
    this.int(least);
    this.#reserve(count * width);
    return width;
  }

  #reserve(size: number): void {
    if (this.#at + size <= this.#buffer.length) return;
    const larger = new Uint8Array(Math.max(this.#buffer.length * 2, this.#at + size));
    larger.set(this.#buffer);
    this.#buffer = larger;
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
    const lengths = this.list();
    const size = this.int();
    this.#check(size);
    const joined = Buffer.from(this.bytes.buffer, this.bytes.byteOffset + this.#at, size).toString('utf8');
    this.#at += size;
    let start = 0;
    const strings: string[] = [];
    for (let i = 0; i < lengths.length; i++) {
      const end = start + (lengths[i] as number);
      strings.push(joined.slice(start, end));
      start = end;
    }
    if (start !== joined.length) throw new RangeError('lengths and text of the strings differ');
    return strings;
  }

  /** A column of any length. */
  list(): Int32Array {
    const at = this.#at;
    const values = new Int32Array(this.skip());
    this.#at = at;
    this.words(values);
    return values;
  }

  /** One buffer holds the columns of all tables: a file has some seventy, most of them short. */
  tables(): FactRows {
    const at = this.#at;
    const sizes = new ColumnSizes(this);
    visitColumns(BLANK, sizes);
    this.#at = at;
    return visitColumns(BLANK, new ColumnFiller(this, sizes));
  }

  /** Passes a column over and returns its length. */
  skip(): number {
    const head = this.int();
    const count = head >>> 3;
    this.#at += 4;
    this.#check(count * (head & 7));
    this.#at += count * (head & 7);
    return count;
  }

  /** Reads a column of as many rows as `values` has. */
  words(values: Int32Array): void {
    const width = this.#width(values.length, 4);
    const least = this.int();
    const count = values.length;
    this.#check(count * width);
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
  }

  narrow(values: Uint8Array): void {
    const width = this.#width(values.length, 1);
    const least = this.int();
    const count = values.length;
    this.#check(count * width);
    if (width === 0) values.fill(least);
    else for (let i = 0; i < count; i++) values[i] = (this.bytes[this.#at + i] as number) + least;
    this.#at += count * width;
  }

  #width(expected: number, most: number): number {
    const head = this.int();
    if ((head & 7) > most || head >>> 3 !== expected) throw new RangeError('a column is damaged');
    return head & 7;
  }

  #check(size: number): void {
    if (size < 0 || this.#at + size > this.bytes.length) throw new RangeError('the facts are cut off');
  }
}

class ColumnSizes implements ColumnVisitor {
  words32 = 0;
  bytes8 = 0;

  constructor(private readonly reader: Reader) {}

  count(): number {
    return this.reader.int();
  }

  words<Column extends Int32Array>(column: Column): Column {
    this.words32 += this.reader.skip();
    return column;
  }

  bytes(column: Uint8Array): Uint8Array {
    this.bytes8 += this.reader.skip();
    return column;
  }
}

class ColumnFiller implements ColumnVisitor {
  readonly #buffer: ArrayBuffer;
  #word = 0;
  #byte: number;

  constructor(
    private readonly reader: Reader,
    sizes: ColumnSizes,
  ) {
    this.#byte = sizes.words32 * 4;
    this.#buffer = new ArrayBuffer(this.#byte + sizes.bytes8);
  }

  count(): number {
    return this.reader.int();
  }

  words<Column extends Int32Array>(_: Column, count: number): Column {
    const values = new Int32Array(this.#buffer, this.#word, count);
    this.#word += count * 4;
    this.reader.words(values);
    return values as Int32Array as Column;
  }

  bytes(_: Uint8Array, count: number): Uint8Array {
    const values = new Uint8Array(this.#buffer, this.#byte, count);
    this.#byte += count;
    this.reader.narrow(values);
    return values;
  }
}
