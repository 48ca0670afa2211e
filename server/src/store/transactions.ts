import { err, ok, type Result } from '../base/result';
import type { Author, RecordKind, Row, Tables } from '../model/records';
import type { JournalEntry } from './journal/journal';

/** What started a transaction. */
export type GraphTxType = 'full_rebuild' | 'incremental_rebuild' | 'file_change' | 'agent_edit';

/** One change of the graph (`GRAPH_TX`). The files it touched are asked for by `filesAffected`. */
export interface GraphTx {
  readonly id: string;
  readonly projectId: string;
  /** Real path of the checkout whose graph changed. */
  readonly checkout: string;
  /** Total order within the project. */
  readonly seq: number;
  readonly type: GraphTxType;
  readonly agentId: string | null;
  readonly sessionId: string | null;
  readonly gitCommit: string | null;
  readonly gitBranch: string | null;
  readonly gitDirty: boolean | null;
  /** Epoch milliseconds; `seq` is the order. */
  readonly timestamp: number;
  readonly mode: 'full' | 'incremental';
  readonly nodeCount: number;
  readonly edgeCount: number;
  readonly filesParsed: number;
  readonly durationMs: number;
  readonly status: 'open' | 'committed' | 'aborted';
}

/** What is known of a transaction before its work is done. */
export type GraphTxStart = Pick<GraphTx, 'id' | 'checkout' | 'type' | 'agentId' | 'sessionId' | 'gitCommit' | 'gitBranch' | 'gitDirty'>;

/** What its work came to. */
export interface GraphTxEnd extends Pick<GraphTx, 'nodeCount' | 'edgeCount' | 'filesParsed' | 'durationMs'> {
  /** What git says of the files that the work found; absent where it is as it was at the beginning. */
  readonly git?: Pick<GraphTx, 'gitCommit' | 'gitBranch' | 'gitDirty'>;
  /** Workspace-relative paths. */
  readonly filesAffected: readonly string[];
}

interface Begin extends GraphTxStart {
  readonly projectId: string;
}

interface Commit extends GraphTxEnd {
  readonly id: string;
}

/** Records of the log of transactions and how the view takes them in. */
export const TRANSACTION_KINDS: readonly RecordKind[] = [
  { kind: 'tx.begin', apply: (database, payload, stamp) => begin(database, payload as Begin, stamp.seq, stamp.timestamp) },
  { kind: 'tx.commit', apply: (database, payload) => commit(database, payload as Commit) },
  { kind: 'tx.abort', apply: (database, payload) => database.run("UPDATE graph_tx SET status = 'aborted' WHERE id = ?", [(payload as { id: string }).id]) },
  { kind: 'tx.prune', apply: (database, payload) => prune(database, payload as Prune) },
  {
    kind: 'tx.record',
    apply: (database, payload, stamp) => {
      begin(database, payload as Begin, stamp.seq, stamp.timestamp, payload as Commit);
      noteFiles(database, payload as Commit);
    },
  },
];

interface Prune {
  readonly projectId: string;
  readonly checkout: string;
  readonly ids: readonly string[];
}

/** Payload of `tx.record` for a write of people or agents that changes no node and no edge. */
export function agentEdit(place: { readonly id: string; readonly projectId: string; readonly checkout: string }, author: Author): Begin & Commit {
  return {
    ...place,
    type: 'agent_edit',
    agentId: author.agentId ?? null,
    sessionId: author.sessionId ?? null,
    gitCommit: null,
    gitBranch: null,
    gitDirty: null,
    nodeCount: 0,
    edgeCount: 0,
    filesParsed: 0,
    durationMs: 0,
    filesAffected: [],
  };
}

/** The transaction log of a project. Writes resolve when they are durable. */
export class Transactions {
  constructor(
    private readonly database: Tables,
    private readonly projectId: string,
    private readonly append: (entry: JournalEntry) => Promise<Result<unknown>>,
  ) {}

  /** Before the work begins; `commit` or `abort` follows, else the next start of the store aborts it. */
  begin(start: GraphTxStart): Promise<Result<GraphTx>> {
    return this.#write(start.id, 'tx.begin', { ...start, projectId: this.projectId });
  }

  commit(id: string, end: GraphTxEnd): Promise<Result<GraphTx>> {
    return this.#write(id, 'tx.commit', { id, ...end });
  }

  abort(id: string): Promise<Result<GraphTx>> {
    return this.#write(id, 'tx.abort', { id });
  }

  /** Begin and commit in one record, for work that is already done. */
  record(transaction: GraphTxStart & GraphTxEnd): Promise<Result<GraphTx>> {
    return this.#write(transaction.id, 'tx.record', { ...transaction, projectId: this.projectId });
  }

  /** Leaves stubs of some transactions of a checkout, without their files; of stubs and others together the newest 5,000. */
  async prune(checkout: string, ids: readonly string[]): Promise<Result<void>> {
    const written = await this.append({ kind: 'tx.prune', payload: { projectId: this.projectId, checkout, ids } satisfies Prune });
    return written.ok ? ok(undefined) : written;
  }

  find(id: string): GraphTx | undefined {
    const row = this.database.first('SELECT * FROM graph_tx WHERE id = ?', [id]);
    return row && fromRow(row);
  }

  /** Newest first. `limit` at most 1000. */
  list(filter: { readonly limit: number; readonly checkout?: string; readonly agentId?: string }): readonly GraphTx[] {
    const rows = this.database.all(
      `SELECT * FROM graph_tx WHERE project_id = ?1 AND (?2 IS NULL OR checkout = ?2) AND (?3 IS NULL OR agent_id = ?3) ORDER BY seq DESC LIMIT ?4`,
      [this.projectId, filter.checkout ?? null, filter.agentId ?? null, Math.max(0, Math.min(1000, filter.limit))],
    );
    return rows.map(fromRow);
  }

  /** The newest that is committed. */
  latest(checkout?: string): GraphTx | undefined {
    const row = this.database.first(
      "SELECT * FROM graph_tx WHERE project_id = ?1 AND (?2 IS NULL OR checkout = ?2) AND status = 'committed' ORDER BY seq DESC LIMIT 1",
      [this.projectId, checkout ?? null],
    );
    return row && fromRow(row);
  }

  count(checkout?: string): number {
    const row = this.database.first('SELECT count(*) AS n FROM graph_tx WHERE project_id = ?1 AND (?2 IS NULL OR checkout = ?2)', [
      this.projectId,
      checkout ?? null,
    ]);
    return Number(row?.['n'] ?? 0);
  }

  /** Sorted. */
  filesAffected(id: string): readonly string[] {
    return this.database.all('SELECT file_id FROM tx_affects WHERE tx_id = ? ORDER BY file_id', [id]).map(row => String(row['file_id']));
  }

  async #write(id: string, kind: string, payload: unknown): Promise<Result<GraphTx>> {
    const written = await this.append({ kind, payload });
    if (!written.ok) return written;
    const found = this.find(id);
    return found === undefined ? err({ code: 'NOT_FOUND', message: `Unknown transaction: ${id}.` }) : ok(found);
  }
}

/** With `end`, a transaction that is committed as it begins. */
function begin(database: Tables, start: Begin, seq: number, timestamp: number, end?: Commit): void {
  database.run(
    `INSERT OR IGNORE INTO graph_tx (id, project_id, checkout, seq, type, agent_id, session_id, git_commit, git_branch, git_dirty, timestamp, mode,
       node_count, edge_count, files_parsed, duration_ms, status)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      start.id,
      start.projectId,
      start.checkout,
      seq,
      start.type,
      start.agentId,
      start.sessionId,
      start.gitCommit,
      start.gitBranch,
      numberOf(start.gitDirty),
      timestamp,
      start.type === 'full_rebuild' ? 'full' : 'incremental',
      end?.nodeCount ?? 0,
      end?.edgeCount ?? 0,
      end?.filesParsed ?? 0,
      Math.round(end?.durationMs ?? 0),
      end === undefined ? 'open' : 'committed',
    ],
  );
}

function commit(database: Tables, end: Commit): void {
  database.run("UPDATE graph_tx SET status = 'committed', node_count = ?, edge_count = ?, files_parsed = ?, duration_ms = ? WHERE id = ?", [
    end.nodeCount,
    end.edgeCount,
    end.filesParsed,
    Math.round(end.durationMs),
    end.id,
  ]);
  if (end.git !== undefined) {
    const { gitBranch, gitCommit, gitDirty } = end.git;
    database.run('UPDATE graph_tx SET git_commit = ?, git_branch = ?, git_dirty = ? WHERE id = ?', [gitCommit, gitBranch, numberOf(gitDirty), end.id]);
  }
  noteFiles(database, end);
}

function numberOf(flag: boolean | null): number | null {
  return flag === null ? null : Number(flag);
}

function noteFiles(database: Tables, { filesAffected, id }: Pick<Commit, 'filesAffected' | 'id'>): void {
  if (filesAffected.length === 0) return;
  database.run(
    `INSERT OR IGNORE INTO tx_affects (tx_id, project_id, file_id)
     SELECT graph_tx.id, graph_tx.project_id, files.value FROM graph_tx, json_each(?2) AS files WHERE graph_tx.id = ?1`,
    [id, JSON.stringify(filesAffected)],
  );
}

const MAX_KEPT = 5_000;

function prune(database: Tables, { checkout, ids, projectId }: Prune): void {
  database.run('DELETE FROM tx_affects WHERE project_id = ?1 AND tx_id IN (SELECT value FROM json_each(?2))', [projectId, JSON.stringify(ids)]);
  database.run(
    `DELETE FROM graph_tx WHERE project_id = ?1 AND checkout = ?2 AND id IN (SELECT value FROM json_each(?3))
       AND seq < (SELECT min(seq) FROM (SELECT seq FROM graph_tx WHERE project_id = ?1 AND checkout = ?2 ORDER BY seq DESC LIMIT ${MAX_KEPT}))`,
    [projectId, checkout, JSON.stringify(ids)],
  );
}

function fromRow(row: Row): GraphTx {
  const text = (name: string): string | null => (row[name] === null || row[name] === undefined ? null : String(row[name]));
  return {
    id: String(row['id']),
    projectId: String(row['project_id']),
    checkout: String(row['checkout']),
    seq: Number(row['seq']),
    type: String(row['type']) as GraphTxType,
    agentId: text('agent_id'),
    sessionId: text('session_id'),
    gitCommit: text('git_commit'),
    gitBranch: text('git_branch'),
    gitDirty: row['git_dirty'] === null ? null : row['git_dirty'] === 1,
    timestamp: Number(row['timestamp']),
    mode: row['mode'] === 'full' ? 'full' : 'incremental',
    nodeCount: Number(row['node_count']),
    edgeCount: Number(row['edge_count']),
    filesParsed: Number(row['files_parsed']),
    durationMs: Number(row['duration_ms']),
    status: String(row['status']) as GraphTx['status'],
  };
}
