import { Emitter } from '../base/emitter';
import { err, type Failure, ok, type Result } from '../base/result';
import type { Author, Decision, RecordDraft, Records, RecordsWritten, Row, SqlValue } from '../model/records';
import type { ProjectStore } from './projectStore';
import { agentEdit } from './transactions';

export interface ProjectRecordsOptions {
  readonly store: ProjectStore;
  readonly projectId: string;
  readonly newId: () => string;
  /** Real path of the checkout, or of the repository: where the transactions of these writes are listed. */
  readonly checkout: string;
}

interface KeptResult {
  readonly result: unknown;
  readonly txId: string;
}

/** Reads and writes of one project's records: decisions one after another, each with its `agent_edit` transaction in one journal record. */
export class ProjectRecords implements Records {
  readonly projectId: string;
  readonly #options: ProjectRecordsOptions;
  readonly #written = new Emitter<readonly string[]>();
  readonly onWritten = this.#written.event;
  readonly #applied = new Emitter<readonly RecordDraft[]>();
  readonly onApplied = this.#applied.event;
  readonly #companions = new Map<(records: Records) => unknown, unknown>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: ProjectRecordsOptions) {
    this.#options = options;
    this.projectId = options.projectId;
  }

  now(): number {
    return this.#options.store.now();
  }

  newId(): string {
    return this.#options.newId();
  }

  query(sql: string, params: readonly SqlValue[] = []): readonly Row[] {
    return this.#options.store.query(sql, params);
  }

  write<T, E extends Failure>(author: Author, decide: () => Result<Decision<T>, E>): Promise<Result<RecordsWritten<T>, E | Failure>> {
    const outcome = this.#last.then(() => this.#writeNow(author, decide));
    this.#last = outcome.catch(() => undefined);
    return outcome;
  }

  companion<T>(make: (records: Records) => T): T {
    if (!this.#companions.has(make)) this.#companions.set(make, make(this));
    return this.#companions.get(make) as T;
  }

  async #writeNow<T, E extends Failure>(author: Author, decide: () => Result<Decision<T>, E>): Promise<Result<RecordsWritten<T>, E | Failure>> {
    const { checkout, projectId, store } = this.#options;
    const known = author.key === undefined ? undefined : store.resultOf(author.key);
    if (known?.isForgotten === true) return err({ code: 'ALREADY_WRITTEN', message: 'This change was already saved, but its answer is no longer available.' });
    if (known !== undefined) return ok(repeated<T>(known.result));
    const decided = decide();
    if (!decided.ok) return decided;
    const { records, result } = decided.value;
    if (records.length === 0) return ok({ result, txId: undefined, isRepeated: false });
    const txId = this.newId();
    const transaction = { kind: 'tx.record', payload: agentEdit({ id: txId, projectId, checkout }, author) };
    const kept: KeptResult = { result, txId };
    const written = await store.appendAll([...records, transaction], author.key === undefined ? {} : { key: author.key, result: kept });
    if (!written.ok) return written;
    this.#applied.fire(records);
    this.#written.fire([...new Set(records.map(record => record.kind.split('.', 1)[0] ?? record.kind))]);
    return ok({ result, txId, isRepeated: false });
  }
}

function repeated<T>(kept: unknown): RecordsWritten<T> {
  const { result, txId } = kept as KeptResult;
  return { result: result as T, txId, isRepeated: true };
}
