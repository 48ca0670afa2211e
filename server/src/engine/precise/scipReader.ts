/**
 * Reads SCIP indexes (protocol buffers, https://github.com/sourcegraph/scip/blob/main/scip.proto): of five message types the few fields that resolution uses.
 * Unknown fields are skipped, as the format asks for. A file that is cut off or is no index gives a `RangeError`.
 */
import { type PreciseDocument, preciseColumn } from '../../model/preciseIndex';
import type { SymbolTable } from './symbolTable';

/** A document as the index has it: its path is relative to the index's root, its columns are in its own encoding. */
export interface ScipDocument extends PreciseDocument {
  readonly encoding: ColumnEncoding;
  /** The text that was indexed, where the index has it. */
  readonly text: string | undefined;
}

export type ColumnEncoding = 'utf8' | 'utf16' | 'utf32';

export interface ScipMetadata {
  /** URI of the folder that paths are relative to, on the machine that made the index. */
  readonly projectRoot: string;
  readonly tool: string;
  readonly toolVersion: string;
}

const ENCODINGS: readonly ColumnEncoding[] = ['utf16', 'utf8', 'utf16', 'utf32'];

const FIELDS = {
  index: { metadata: 1, document: 2 },
  metadata: { tool: 2, projectRoot: 3 },
  tool: { name: 1, version: 2 },
  document: { path: 1, occurrence: 2, symbol: 3, text: 5, encoding: 6 },
  occurrence: { range: 1, symbol: 2, roles: 3 },
  symbol: { name: 1, relationship: 4 },
  relationship: { symbol: 1, isImplementation: 3 },
} as const;

const WIRE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

/** Steps over the fields of a message without copying it. */
class Message {
  field = 0;
  wire = 0;
  /** Value of a number; start of a text or message. */
  value = 0;
  /** End of a text or message. */
  end = 0;

  constructor(
    readonly bytes: Buffer,
    public at: number,
    public readonly limit: number,
  ) {
    if (limit > bytes.length) throw new RangeError('the index is incomplete');
  }

  next(): boolean {
    if (this.at >= this.limit) return false;
    const key = this.varint();
    this.field = key >>> 3;
    this.wire = key & 7;
    if (this.wire === WIRE.varint) this.value = this.varint();
    else if (this.wire === WIRE.bytes) {
      const length = this.varint();
      this.value = this.at;
      this.end = this.at + length;
      this.at = this.end;
    } else if (this.wire === WIRE.fixed64) this.at += 8;
    else if (this.wire === WIRE.fixed32) this.at += 4;
    else throw new RangeError(`wire type ${this.wire} is not supported by SCIP`);
    if (this.at > this.limit || this.field === 0) throw new RangeError('the index is incomplete or not in SCIP format');
    return true;
  }

  /** Numbers above 31 bits do not occur in what is used; their upper bits are dropped. */
  varint(): number {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.bytes[this.at++];
      if (byte === undefined) throw new RangeError('the index is incomplete');
      if (shift < 32) value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
    throw new RangeError('a number of the index is too long');
  }

  text(): string {
    return this.bytes.toString('utf8', this.value, this.end);
  }

  inner(): Message {
    return new Message(this.bytes, this.value, this.end);
  }
}

/** Where the documents of an index lie in its bytes, and what made it. */
export function scipParts(bytes: Buffer): { readonly metadata: ScipMetadata; readonly documents: readonly { readonly start: number; readonly end: number }[] } {
  let metadata: ScipMetadata = { projectRoot: '', tool: '', toolVersion: '' };
  const documents: { start: number; end: number }[] = [];
  const index = new Message(bytes, 0, bytes.length);
  while (index.next()) {
    if (index.wire !== WIRE.bytes) continue;
    if (index.field === FIELDS.index.metadata) metadata = metadataOf(index.inner());
    else if (index.field === FIELDS.index.document) documents.push({ start: index.value, end: index.end });
  }
  return { metadata, documents };
}

function metadataOf(message: Message): ScipMetadata {
  const found = { projectRoot: '', tool: '', toolVersion: '' };
  while (message.next()) {
    if (message.field === FIELDS.metadata.projectRoot) found.projectRoot = message.text();
    if (message.field !== FIELDS.metadata.tool) continue;
    const tool = message.inner();
    while (tool.next()) {
      if (tool.field === FIELDS.tool.name) found.tool = tool.text();
      if (tool.field === FIELDS.tool.version) found.toolVersion = tool.text();
    }
  }
  return found;
}

/** Reads one document of an index; its global symbols are numbered by `symbols`. */
export function scipDocument(bytes: Buffer, part: { readonly start: number; readonly end: number }, symbols: SymbolTable): ScipDocument {
  const message = new Message(bytes, part.start, part.end);
  const rows: number[] = [];
  const implementations: number[] = [];
  const locals = new Map<string, number>();
  const numberOf = (start: number, end: number): number => {
    if (!isLocal(bytes, start)) return symbols.add(bytes, start, end);
    const name = bytes.toString('latin1', start, end);
    const known = locals.get(name) ?? -1 - locals.size;
    locals.set(name, known);
    return known;
  };
  let path = '';
  let text: string | undefined;
  let encoding: ColumnEncoding = 'utf16';
  while (message.next()) {
    if (message.field === FIELDS.document.path) path = message.text();
    else if (message.field === FIELDS.document.occurrence) readOccurrence(message, numberOf, rows);
    else if (message.field === FIELDS.document.symbol) readRelationships(message.inner(), numberOf, implementations);
    else if (message.field === FIELDS.document.text) text = message.text();
    else if (message.field === FIELDS.document.encoding) encoding = ENCODINGS[message.value] ?? 'utf16';
  }
  return { path, text: text === '' ? undefined : text, encoding, implementations: preciseColumn(new Int32Array(implementations)), ...columnsOf(rows) };
}

/** Local symbols read `local <id>`; no other scheme may begin so. */
function isLocal(bytes: Buffer, start: number): boolean {
  return bytes[start] === 0x6c && bytes.toString('latin1', start, start + 6) === 'local ';
}

type NumberOf = (start: number, end: number) => number;

const ROW = 5;

/** Appends line, column, length, symbol and roles. */
function readOccurrence(parent: Message, numberOf: NumberOf, rows: number[]): void {
  const message = new Message(parent.bytes, parent.value, parent.end);
  const range: number[] = [];
  let symbol: number | undefined;
  let roles = 0;
  while (message.next()) {
    if (message.field === FIELDS.occurrence.range) {
      if (message.wire === WIRE.varint) range.push(message.value);
      else for (const packed = message.inner(); packed.at < packed.limit; ) range.push(packed.varint());
    } else if (message.field === FIELDS.occurrence.symbol) symbol = message.end > message.value ? numberOf(message.value, message.end) : undefined;
    else if (message.field === FIELDS.occurrence.roles) roles = message.value;
  }
  const [line, column, third, fourth] = range;
  if (symbol === undefined || line === undefined || column === undefined || third === undefined) return;
  const length = fourth === undefined ? third - column : third === line ? fourth - column : -1;
  rows.push(line, column, length, symbol, roles & 0xff);
}

function readRelationships(message: Message, numberOf: NumberOf, implementations: number[]): void {
  let symbol: number | undefined;
  const targets: number[] = [];
  while (message.next()) {
    if (message.field === FIELDS.symbol.name) symbol = numberOf(message.value, message.end);
    if (message.field !== FIELDS.symbol.relationship) continue;
    const relationship = message.inner();
    let target: number | undefined;
    let implementation = false;
    while (relationship.next()) {
      if (relationship.field === FIELDS.relationship.symbol) target = numberOf(relationship.value, relationship.end);
      if (relationship.field === FIELDS.relationship.isImplementation) implementation = relationship.value !== 0;
    }
    if (implementation && target !== undefined) targets.push(target);
  }
  if (symbol !== undefined) for (const target of targets) implementations.push(symbol, target);
}

/** Rows sorted by place as columns. */
function columnsOf(rows: readonly number[]): Pick<PreciseDocument, 'count' | 'line' | 'column' | 'length' | 'symbol' | 'roles'> {
  const count = rows.length / ROW;
  const order = Int32Array.from({ length: count }, (_, row) => row * ROW).sort(
    (left, right) => (rows[left] ?? 0) - (rows[right] ?? 0) || (rows[left + 1] ?? 0) - (rows[right + 1] ?? 0) || left - right,
  );
  const column = (offset: number): Int32Array => Int32Array.from(order, at => rows[at + offset] ?? 0);
  return { count, line: column(0), column: column(1), length: column(2), symbol: preciseColumn(column(3)), roles: new Uint8Array(column(4)) };
}
