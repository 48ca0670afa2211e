import type { Failure, Result } from '../base/result';
import type { Author } from './records';

/** A copy of everything that people and agents wrote in a project, at one instant. */
export interface BackupInfo {
  /** Time and a random part; also the name of its files. */
  readonly backupId: string;
  readonly label: string | null;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** Of the database file. */
  readonly sha256: string;
  readonly sizeBytes: number;
  /** Rows by table. */
  readonly counts: Readonly<Record<string, number>>;
}

/** What a restore would undo, or has undone, in one table. */
export interface TableDifference {
  readonly table: string;
  /** Rows that came since the backup. */
  readonly added: number;
  /** Rows that are not as in the backup. */
  readonly changed: number;
  /** Rows of the backup that are gone since. */
  readonly removed: number;
}

/** What a restore brings back, and what it undoes. */
export interface RestoreReport {
  readonly backup: BackupInfo;
  /** Transactions of people and agents since the backup, newest first, at most 20 of `transactionsSince`. */
  readonly recent: readonly { readonly txId: string; readonly agentId: string | null; readonly at: string }[];
  readonly transactionsSince: number;
  /** Tables that differ. */
  readonly differences: readonly TableDifference[];
  readonly isRestored: boolean;
  /** Backup of the state before the restore: restoring it takes the restore back. */
  readonly previousBackupId?: string;
}

/** Backups of one project. Failures are values; nothing here throws. */
export interface Backups {
  /** Newest first; without those whose files are damaged. */
  list(): Promise<Result<readonly BackupInfo[], Failure>>;
  /** Written, read back and compared before it counts. */
  create(label: string | undefined): Promise<Result<BackupInfo, Failure>>;
  /**
   * Reads a backup anew, checks its checksums, counts and structure, and says what it would undo. Unless `verifyOnly`, it then keeps the present state as
   * a backup and puts the backup's rows in place, as one transaction. `NOT_FOUND`, `STORE_DAMAGED`, `STORE_NEWER`, `CONFLICT` (somebody wrote meanwhile).
   */
  restore(backupId: string, verifyOnly: boolean, author: Author): Promise<Result<RestoreReport, Failure>>;
}
