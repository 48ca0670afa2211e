import { setFlagsFromString } from 'node:v8';
import initSqlJs, { type Database, type Statement } from 'sql.js';
import type { Row, SqlValue, Tables } from '../model/records';

/**
 * The view in memory: sql.js with a cache of prepared statements.
 * Errors of SQLite are thrown; the code that applies journal records catches them for each record.
 */
export class StoreDatabase implements Tables {
  readonly #database: Database;
  readonly #statements = new Map<string, Statement>();

  private constructor(database: Database) {
    this.#database = database;
    this.script('PRAGMA foreign_keys = OFF; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;');
  }

  /** `content` is a database file; without it the database is empty. Throws when it is not one. */
  static async create(sqlWasm: Uint8Array, content?: Uint8Array): Promise<StoreDatabase> {
    const sql = await initSqlJs({
      instantiateWasm: (imports: object, receive: (instance: object) => void) => {
        receive(new runtime.WebAssembly.Instance(withoutOptimizing(sqlWasm), imports));
        return undefined;
      },
    });
    return new StoreDatabase(new sql.Database(content));
  }

  get schemaVersion(): number {
    return Number(this.first('PRAGMA user_version')?.['user_version'] ?? 0);
  }

  /** Several statements without parameters. */
  script(sql: string): void {
    this.#database.run(sql);
  }

  run(sql: string, params: readonly SqlValue[] = []): void {
    this.#prepared(sql).run([...params]);
  }

  all(sql: string, params: readonly SqlValue[] = []): readonly Row[] {
    const statement = this.#prepared(sql);
    const rows: Row[] = [];
    try {
      statement.bind([...params]);
      while (statement.step()) rows.push(statement.getAsObject());
    } finally {
      statement.reset();
    }
    return rows;
  }

  first(sql: string, params: readonly SqlValue[] = []): Row | undefined {
    return this.all(sql, params)[0];
  }

  /** Carries `work` out whole or not at all; what it throws is thrown on. May be nested. */
  atomically<T>(work: () => T): T {
    this.run('SAVEPOINT step');
    try {
      const value = work();
      this.run('RELEASE step');
      return value;
    } catch (error) {
      this.run('ROLLBACK TO step');
      this.run('RELEASE step');
      throw error;
    }
  }

  /** What SQLite finds wrong, indexes against their tables included; reads everything. */
  problem(): string | undefined {
    return this.#check('integrity_check');
  }

  /** What SQLite finds wrong with the structure: a quarter of the work. */
  flaw(): string | undefined {
    return this.#check('quick_check');
  }

  #check(pragma: 'integrity_check' | 'quick_check'): string | undefined {
    try {
      const found = this.all(`PRAGMA ${pragma}(3)`).map(row => String(row[pragma]));
      return found.length === 1 && found[0] === 'ok' ? undefined : found.join('; ');
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  /** The database as a file. Prepared statements outlive it (sql.js 1.16); must not be called inside `atomically`, where sql.js throws. */
  export(): Uint8Array {
    return this.#database.export();
  }

  close(): void {
    for (const statement of this.#statements.values()) statement.free();
    this.#statements.clear();
    this.#database.close();
  }

  #prepared(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      if (this.#statements.size >= STATEMENT_CACHE_SIZE) this.#forgetOldest();
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #forgetOldest(): void {
    for (const [sql, statement] of this.#statements) {
      statement.free();
      this.#statements.delete(sql);
      return;
    }
  }
}

/** Node's types name WebAssembly without declaring its values. */
const runtime = globalThis as unknown as {
  readonly WebAssembly: { readonly Module: new (bytes: Uint8Array) => object; readonly Instance: new (module: object, imports: object) => object };
};

/**
 * SQLite never gets optimized code: to make the tables of a new store is enough for V8 to optimize its largest functions, for 0.2 to 0.3 s of processor time
 * beside a first index, and questions to the view are as fast without (`test/bench/knowledge.mjs`). The flag belongs to the whole process; it counts while a module is made.
 */
function withoutOptimizing(sqlWasm: Uint8Array): object {
  setFlagsFromString('--no-wasm-dynamic-tiering');
  try {
    return new runtime.WebAssembly.Module(sqlWasm);
  } finally {
    setFlagsFromString('--wasm-dynamic-tiering');
  }
}

const STATEMENT_CACHE_SIZE = 200;
