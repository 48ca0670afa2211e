/** What the editor reads of the features over knowledge. */

export interface AtomRowDto {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  /** `null`: an orphan. */
  readonly moleculeId: string | null;
  readonly paths: readonly string[];
  /** What became of the code that its text names: the worst of it. */
  readonly state: 'current' | 'changed' | 'gone';
}

export interface MoleculeRowDto {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly atoms: readonly AtomRowDto[];
}

/** Indexed files below one folder, and directly in it, that no atom covers. */
export interface GapDto {
  /** `''` is the workspace folder itself. */
  readonly folder: string;
  readonly files: number;
}

/** Feature `knowledgeTree`. */
export interface KnowledgeTreeDto {
  readonly molecules: readonly MoleculeRowDto[];
  readonly orphanAtoms: readonly AtomRowDto[];
  /** Absent until the first index is done. */
  readonly coverage?: { readonly files: number; readonly covered: number };
  /** By folder; at most 500. */
  readonly gaps: readonly GapDto[];
  readonly gapCount: number;
}

/** Feature `knowledgeGapFiles`. */
export interface GapFilesDto {
  /** Sorted, at most 500. */
  readonly files: readonly string[];
  readonly total: number;
}

/** Features `atomFiles` and `patternMatches`: what patterns cover now. */
export interface PatternFilesDto {
  readonly patterns: readonly {
    readonly pattern: string;
    /** Sorted, at most 200. */
    readonly files: readonly string[];
    readonly total: number;
    /** Why the pattern is refused. */
    readonly problem?: string;
  }[];
  /** Files that any of them covers. */
  readonly total: number;
}

/** Feature `movedPatterns`: patterns that a rename left without files, and what they would be. */
export interface MovedPatternsDto {
  readonly atoms: readonly {
    readonly id: string;
    readonly name: string;
    readonly version: number;
    readonly before: readonly string[];
    readonly after: readonly string[];
  }[];
}

/** Feature `knowledgeEntity`, as far as the editor reads it. */
export interface EntityDto {
  readonly id: string;
  readonly name: string;
  readonly knowledge: string;
  readonly version: number;
  readonly moleculeId?: string | null;
  readonly paths?: readonly string[];
  readonly atoms?: readonly { readonly id: string; readonly name: string }[];
  readonly relatedAtoms?: readonly { readonly name: string; readonly reason: string }[];
  readonly relatedMolecules?: readonly { readonly name: string; readonly reason: string }[];
  readonly anchors?: { readonly changed?: readonly string[]; readonly gone?: readonly string[] };
}

export interface EntityAnswerDto {
  readonly atom?: EntityDto;
  readonly molecule?: EntityDto;
  /** Newest first; only when it was asked for. */
  readonly history?: readonly VersionDto[];
}

/** How one version of an atom or molecule came about. */
export interface VersionDto {
  readonly version: number;
  readonly changedFields: readonly string[];
  readonly taskId: string;
  readonly agentId: string | null;
  /** ISO-8601. */
  readonly at: string;
}

/** Feature `deletedKnowledge`: newest first. */
export interface DeletedKnowledgeDto {
  readonly items: readonly {
    readonly id: string;
    readonly entityType: 'atom' | 'molecule';
    readonly name: string;
    /** Its last one. */
    readonly version: number;
    readonly deletedAt: string;
  }[];
}

/** Feature `knowledgeChangelog`. */
export interface ChangelogDto {
  readonly entries: readonly { readonly id: string; readonly taskId: string; readonly summary: string; readonly createdAt: string }[];
  readonly total: number;
}
