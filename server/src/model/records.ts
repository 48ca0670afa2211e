import type { Event } from '../base/emitter';
import type { Failure, Result } from '../base/result';

/**
 * What people and agents wrote, as rooms that own such records see it: rows to read, one way to write, and the shape of a room's tables and records.
 * The journal is the truth and the tables are its view; a room brings `RecordKind`s and `Migration`s and never a file.
 */

export type SqlValue = number | string | Uint8Array | null;
/** A row of the view, by column. */
export type Row = Readonly<Record<string, SqlValue>>;

/** The tables of the view. Errors of SQLite are thrown. */
export interface Tables {
  /** Several statements without parameters. */
  script(sql: string): void;
  run(sql: string, params?: readonly SqlValue[]): void;
  all(sql: string, params?: readonly SqlValue[]): readonly Row[];
  first(sql: string, params?: readonly SqlValue[]): Row | undefined;
}

/**
 * A kind of journal record and what it does to the view. `apply` is total over payloads that were ever written under the kind, depends on nothing
 * but its arguments, and is carried out once per record, also after a crash.
 */
export interface RecordKind {
  /** `area.verb`: the part before the dot is the area that listeners are told of. */
  readonly kind: string;
  apply(tables: Tables, payload: unknown, stamp: RecordStamp): void;
}

/** When and by whom a record was written. */
export interface RecordStamp {
  readonly seq: number;
  /** Epoch milliseconds. Increases per project, but for a record that follows a clock which was years ahead and has been put right; `seq` is the order. */
  readonly timestamp: number;
}

/** One step of the view's schema. Versions of all rooms share one number line; a released migration never changes. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  apply(tables: Tables): void;
}

/** A change to be written: what the journal adds to it is stamped at the write. */
export interface RecordDraft {
  readonly kind: string;
  /** Plain JSON. */
  readonly payload: unknown;
}

/** Who writes, and the key that makes a retry harmless. */
export interface Author {
  readonly agentId: string | undefined;
  readonly sessionId: string | undefined;
  readonly key: string | undefined;
}

/** What a write decided: its records, all or nothing, and plain JSON (ids, say) that a retry with the same key is answered too. */
export interface Decision<T> {
  /** Empty means that nothing is to be written; the result is answered all the same. */
  readonly records: readonly RecordDraft[];
  readonly result: T;
}

/** What a write gives once it is on disk. */
export interface RecordsWritten<T> {
  readonly result: T;
  /** The `agent_edit` transaction; `undefined` when there was nothing to write. */
  readonly txId: string | undefined;
  /** The key was known: this is what the first write decided, and nothing was written now. */
  readonly isRepeated: boolean;
}

/** The records of one project, shared by its checkouts. */
export interface Records {
  readonly projectId: string;
  /** Epoch milliseconds; later than every write so far, also when the system clock was set back by some minutes. */
  now(): number;
  /** A new uuid. */
  newId(): string;
  query(sql: string, params?: readonly SqlValue[]): readonly Row[];
  /**
   * One writer at a time: `decide` reads a view that holds every earlier write, and what it decides is journaled as one record, with its transaction,
   * before anybody else decides. So a version test in `decide` is part of the write. A refusal writes nothing and is handed through.
   * Resolves when the records are on the medium and in the view.
   */
  write<T, E extends Failure>(author: Author, decide: () => Result<Decision<T>, E>): Promise<Result<RecordsWritten<T>, E | Failure>>;
  /** Areas (see `RecordKind.kind`) that were written to; after the write. */
  readonly onWritten: Event<readonly string[]>;
  /** The records of each write, once they are in the view and before `onWritten`: for what a room keeps in memory beside its rows. */
  readonly onApplied: Event<readonly RecordDraft[]>;
  /** What a room keeps in memory beside its rows: `make` is called once, and what it gave is the same for as long as the records are open. */
  companion<T>(make: (records: Records) => T): T;
}

/** Something that must hold of a room's rows and that no write can break; `lattice doctor` looks whether it does. */
export interface RowCheck {
  /** Stands in the journal once it was repaired; never changes. */
  readonly name: string;
  /** Completes "… rows: ". */
  readonly says: string;
  /** Gives the broken rows. */
  readonly broken: string;
  /** Statements that make it hold; absent where only a person can decide. */
  readonly repair?: readonly string[];
}
