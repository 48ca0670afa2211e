/** What editor and command line read of the features that share knowledge through files. Lines are 1-based, paths are inside the workspace folder. */

export interface SyncProblemDto {
  readonly path: string;
  readonly line: number;
  readonly message: string;
  readonly fix: string;
  readonly severity: 'error' | 'warning';
}

export interface SyncConflictDto {
  readonly id: string;
  readonly kind: 'atom' | 'molecule';
  readonly name: string;
  readonly reason: 'both_changed' | 'file_gone' | 'row_gone';
  /** Fields that do not fit together; empty when one side is gone. */
  readonly fields: readonly string[];
  /** `null` when there is no file. */
  readonly path: string | null;
}

/** Features `exportKnowledge` and `resolveKnowledge`. */
export interface KnowledgeExportDto {
  readonly written: readonly string[];
  readonly removed: readonly string[];
  /** Ids whose file is newer: an import comes first. */
  readonly pending: readonly string[];
  readonly conflicts: readonly SyncConflictDto[];
  readonly problems: readonly SyncProblemDto[];
}

/** Feature `importKnowledge`: what was done, or a question and nothing done. */
export interface KnowledgeImportDto {
  readonly created?: number;
  readonly updated?: number;
  readonly merged?: number;
  readonly removed?: number;
  readonly entries?: number;
  readonly conflicts?: readonly SyncConflictDto[];
  readonly problems?: readonly SyncProblemDto[];
  readonly question?: { readonly removed: number; readonly total: number; readonly message: string };
}

/** Feature `checkKnowledge`. */
export interface KnowledgeCheckDto {
  readonly atoms: number;
  readonly molecules: number;
  readonly entries: number;
  readonly problems: readonly SyncProblemDto[];
}

/** Feature `knowledgeConflicts`. */
export interface KnowledgeConflictsDto {
  readonly conflicts: readonly SyncConflictDto[];
  /** Asked by the last import, and not answered yet. */
  readonly question?: NonNullable<KnowledgeImportDto['question']>;
}

/** Feature `knowledgeConflict`: the sides as files would say them, `''` for one that is gone. */
export interface KnowledgeConflictDto {
  readonly conflict: SyncConflictDto;
  readonly version?: number;
  readonly fileHash?: string;
  readonly base: string;
  readonly local: string;
  readonly file: string;
}
