/**
 * What features are asked and what they answer, and what the editor reads of tools; written by `npm run update` from their shapes in server/src/features and server/src/tools.
 * Lines are 1-based, columns 0-based in UTF-16 code units; paths are inside the workspace folder, with `/` between segments.
 */

/** An answer that says what it was computed from. */
export type Stamped<Answer> = Answer & { readonly stamp: Stamp };

/** How many commits changed something in a folder, week by week. */
export interface Activity {
  /** Of at most two names; `''` for files of the root. */
  readonly folder: string;
  /** Commits of each of the last 26 weeks, the current week last. */
  readonly weeks: readonly number[];
  readonly commits: number;
}

/** `features/memory/agentEvents/agentEvent.ts` */
export interface AgentEventAnswer {
  /** For the agent to read. */
  readonly context?: string;
  /** For the person, before the edit is made: who else is at work there. */
  readonly warning?: string;
  /** The task to brief the agent for: the first prompt of its session. */
  readonly brief?: string;
  /** Episodes that were recorded. */
  readonly episodes: readonly string[];
}

/** `features/memory/agentEvents/agentEvent.ts` */
export interface AgentEventParams {
  readonly event: 'start' | 'prompt' | 'beforeEdit' | 'afterEdit' | 'afterCommand' | 'claimed' | 'end';
  /** Name of the session among agents, as claims and episodes carry it. */
  readonly agentId: string;
  readonly sessionId: string;
  /** Files, of `beforeEdit` and `afterEdit`: any spelling inside the workspace. */
  readonly paths?: readonly string[] | undefined;
  /** The prompt, the command that ran, or the id of a claim that was made. */
  readonly text?: string | undefined;
  /** What the command printed. */
  readonly output?: string | undefined;
  readonly failed?: boolean | undefined;
  /** Lines that an edit replaced, and lines it put there. */
  readonly linesBefore?: number | undefined;
  readonly linesAfter?: number | undefined;
}

/** What people see of their agents, and take back. */
export interface AgentParams {
  readonly agentId: string;
}

/** `features/memory/oversight.ts` */
export interface AgentsAnswer {
  /** Those that hold something first, then by when they were last seen. `lastSeen` is ISO-8601. */
  readonly agents: readonly {
    readonly agentId: string;
    readonly lastSeen: string;
    readonly claims: readonly ClaimRow[];
    /** The task that it has in progress. */
    readonly task?: {
      readonly id: string;
      readonly name: string;
    };
  }[];
  /** Newest first, without sensitive ones. */
  readonly episodes: readonly MemoryRow[];
  readonly episodeCount: number;
  /** Surest first. */
  readonly learnings: readonly MemoryRow[];
}

/** What became of the code that knowledge names since it was written; groups without members are left out. */
export interface AnchorStates {
  readonly current?: readonly string[];
  readonly changed?: readonly string[];
  readonly gone?: readonly string[];
}

/** `features/architecture/validate.ts` */
export interface ArchitectureAnswer {
  /** Most severe first, then by file and line; accepted ones last. */
  readonly violations: readonly Violation[];
  /** `fail` when some error is not accepted. */
  readonly status: 'pass' | 'fail';
  readonly counts: Readonly<Record<'info' | 'warning' | 'error' | 'baseline' | 'excepted', number>>;
  /** Files in no layer; empty where no layers are declared. */
  readonly unassignedFiles: readonly string[];
  readonly checkedFiles: number;
  readonly checkedEdges: number;
  /** Path of the rule file, or `builtin`. */
  readonly rulesSource: string;
  readonly rules: readonly string[];
  /** What the words of `query` picked. */
  readonly picked: Picked | undefined;
  /** Accepted violations that are gone: the baseline can be written anew. */
  readonly fixed: number;
  readonly degraded: readonly string[];
}

/** The new text of a file. Nothing is written: the caller shows it to the user first. */
export interface ArchitectureEdit {
  readonly path: string;
  /** `undefined` where there is no such file yet. */
  readonly before: string | undefined;
  readonly after: string;
  /** Violations that the baseline holds then, or exceptions that the rule file has. */
  readonly count: number;
}

/** `features/architecture/edits.ts` */
export interface ArchitectureEditParams {
  /** `acceptAll` writes the baseline anew; `accept` adds one violation to it; `exception` adds one to the rule file. */
  readonly kind: 'acceptAll' | 'accept' | 'exception';
  readonly rule?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly edge?: string | undefined;
  readonly members?: readonly string[] | undefined;
  readonly reason?: string | undefined;
  /** `2026-12-31`. */
  readonly until?: string | undefined;
}

/** `features/architecture/validate.ts` */
export interface ArchitectureParams {
  /** Files or folders whose code is checked; all when absent. */
  readonly files?: readonly string[] | undefined;
  /** Only files that changed since this version. */
  readonly since?: string | undefined;
  /** Ids of rules. */
  readonly rules?: readonly string[] | undefined;
  /** Words that pick rules, layers or files. */
  readonly query?: string | undefined;
  /** Compares layers with communities. */
  readonly includeBoundaries?: boolean | undefined;
  readonly minSeverity?: 'info' | 'warning' | 'error' | undefined;
  /** Answers that nothing is wrong where nobody declared rules. */
  readonly declaredOnly?: boolean | undefined;
}

/** All fields of an atom, its related atoms with their names. */
export interface AtomAnswer {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly knowledge: string;
  readonly createdByTaskId: string;
  readonly lastTaskId: string;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly changelog?: readonly ChangelogEntry[];
  readonly anchors?: AnchorStates;
  readonly moleculeId: string | null;
  readonly paths: readonly string[];
  readonly relatedAtoms: readonly RelatedAtom[];
}

/** `features/knowledge/answers.ts` */
export interface AtomInContext {
  readonly id: string;
  readonly name: string;
  readonly knowledge: string;
  /** The requested paths that it covers, in request order. */
  readonly matchedPaths: readonly string[];
  readonly relatedAtoms: readonly RelatedAtom[];
  /** Newest first; absent when it was not asked for. */
  readonly changelog?: readonly ChangelogLine[];
  /** Absent when nothing is anchored, or without an index. */
  readonly anchors?: AnchorStates;
}

/** An atom and how much of the files asked about it covers. */
export interface AtomOfFiles {
  readonly id: string;
  readonly name: string;
  /** Of the files asked about; at least 1. */
  readonly files: number;
}

/** `features/knowledge/coverage.ts` */
export interface AtomRow {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly moleculeId: string | null;
  readonly paths: readonly string[];
  /** What became of the code that its text names: the worst of it. Patterns do not count: an area changes with every edit. */
  readonly state: 'current' | 'changed' | 'gone';
}

/** `features/architecture/suggest.ts` */
export interface AtomToUpdate {
  readonly id: string;
  readonly name: string;
  /** The best suggestion that it covers. */
  readonly path: string;
}

/** What nodes and edges of layers above the code say of themselves. */
export type Attributes = Readonly<Record<string, string | number | boolean | readonly string[] | null>>;

/** `features/compare/branchImpact.ts` */
export interface BranchImpactAnswer {
  readonly from: State;
  readonly to: State;
  /** Changed symbols: breaking ones first, generated ones last, then by dependents, tests and place. Members that came or went with their holder are left out. */
  readonly symbols: readonly RankedChange[];
  /** Files that differ in nothing that is a symbol: text, configuration, code outside of symbols. */
  readonly files: readonly NodeChange[];
  /** All files that differ. */
  readonly fileCount: number;
  readonly breaking: readonly Breaking[];
  /** Endpoints, events and domain entities that came or went, whoever uses them. */
  readonly interfaces: readonly InterfaceChange[];
  /** New violations and import cycles. */
  readonly violations: readonly Violation[];
  readonly tests: readonly {
    readonly id: string;
    readonly file: string;
  }[];
  readonly commands: readonly string[];
  readonly untested: readonly string[];
  readonly risk?: Risk;
  readonly riskParts?: RiskParts;
  readonly notes: readonly string[];
}

/** `features/compare/branchImpact.ts` */
export interface BranchImpactParams {
  /** The state to compare the current code with: a commit, tag, branch, time, transaction; where the branch began when absent. */
  readonly from?: string | undefined;
}

/** What others may use and that is gone or called otherwise now, with the code that still uses it and did not change. */
export interface Breaking {
  /** Of the older state. */
  readonly id: string;
  readonly kind: Kind;
  readonly reason: 'removed' | 'renamed' | 'moved' | 'signature' | 'hidden';
  /** Of the newer state, where there is one. */
  readonly nowId?: string;
  readonly oldSignature?: string;
  readonly signature?: string;
  /** Tests last. */
  readonly uses: readonly BrokenUse[];
  /** All uses; `uses` lists at most 50. */
  readonly total: number;
}

/** `features/compare/breaking.ts` */
export interface BrokenUse {
  readonly id: string;
  readonly path: string;
  /** 1-based, in the newer state; 0 when it is not known. */
  readonly line: number;
  readonly relation: Relation;
  readonly isTest: boolean;
  /** The use may mean something else. */
  readonly possible?: true;
}

/** `features/editor/hierarchy.ts` */
export interface Calls {
  readonly calls: readonly HierarchyRow[];
}

/** `features/administration/manage.ts` */
export interface CatchUp {
  readonly status: 'UP_TO_DATE';
}

/** `features/testSelection/categorize.ts` */
export interface CategorizeAnswer {
  readonly counts: Readonly<Record<'unit' | 'integration' | 'e2e' | 'performance' | 'unknown', number>>;
  readonly tests: readonly TestRow[];
  /** Test files that refer to nothing of the project and are called after no file. */
  readonly withoutTargets: readonly string[];
}

/** `features/testSelection/categorize.ts` */
export interface CategorizeParams {
  /** Files or folders; all when absent. */
  readonly paths?: readonly string[] | undefined;
  readonly category?: string | undefined;
  readonly framework?: string | undefined;
}

/** What changed, in words of the graph. */
export interface ChangeReport {
  /** How the older version is called. */
  readonly since: string;
  readonly files: readonly ChangedFileRow[];
  /** Symbols whose lines were changed or added, innermost ones only. */
  readonly symbols: readonly string[];
  /** Symbols that are gone, under the names they had. */
  readonly deleted: readonly string[];
  /** Changed files that are not in the graph, the deleted ones apart: ignored, binary, too large. */
  readonly notIndexed: readonly string[];
  /** True when there were too many files to look into each: the rest counts as changed as a whole. */
  readonly truncated: boolean;
}

/** `features/shared/changedCode.ts` */
export interface ChangedFileRow {
  readonly path: string;
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed';
  readonly oldPath?: string;
}

/** `features/knowledge/answers.ts` */
export interface ChangelogAnswer {
  readonly entries: readonly ChangelogEntry[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  readonly stamp: Stamp;
}

/** Never changes and is never removed, except with its parent. */
export interface ChangelogEntry {
  /** `changelog::{uuid}`. */
  readonly id: string;
  readonly parentType: 'molecule' | 'atom';
  /** Of the atom or molecule. */
  readonly parentId: string;
  readonly taskId: string;
  readonly summary: string;
  readonly createdAt: string;
}

/** `features/knowledge/answers.ts` */
export type ChangelogLine = Pick<ChangelogEntry, 'taskId' | 'summary' | 'createdAt'>;

/** `features/knowledge/answers.ts` */
export interface ChangelogParams {
  readonly parentType: 'atom' | 'molecule';
  readonly parentId: string;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

/** Code that past commits changed together with what is looked at (CO_CHANGES). Evidence, never a dependency. */
export interface ChangesWith {
  readonly id: string;
  readonly kind: Kind;
  readonly path: string;
  /** 1-based; 0 for files. */
  readonly line: number;
  /** Commits that changed both. */
  readonly support: number;
  /** Their share of the commits that changed what is looked at. */
  readonly confidence: number;
}

/** `features/knowledge/syncCheck.ts` */
export interface CheckAnswer {
  readonly atoms: number;
  readonly molecules: number;
  readonly entries: number;
  /** In order of path and line. */
  readonly problems: readonly SyncProblem[];
}

/** A claim as it is read. Times are ISO-8601. */
export interface ClaimRow {
  readonly id: string;
  readonly agentId: string;
  readonly sessionId: string;
  readonly claimType: 'task' | 'file' | 'function' | 'feature';
  readonly targetId: string;
  readonly intent: string;
  readonly taskId?: string;
  readonly validFrom: string;
  readonly validTo: string | null;
  readonly targetVersionSHA: string;
  readonly invalidationReason: ('released' | 'code_changed' | 'task_completed' | 'expired') | null;
}

/** `features/memory/oversight.ts` */
export interface ClaimsAnswer {
  readonly claims: readonly ClaimRow[];
}

/** `features/compare/checkpoints.ts` */
export interface ClearHistoryAnswer {
  readonly cleared: true;
}

/** Where a symbol or file stands in a commit and in the one before; paths are null where there is none. */
export interface CommitChangeAnswer {
  /** What names the commit, and its first parent, as states. */
  readonly at: string;
  readonly before: string;
  readonly path: string | null;
  readonly oldPath: string | null;
  /** 1-based line of its name in the commit, else of what was changed; 0 when unknown. */
  readonly line: number;
}

/** `features/editor/history.ts` */
export interface CommitChangeParams {
  readonly id: string;
  readonly commit: string;
}

/** `features/query/communities.ts` */
export interface CommunitiesAnswer {
  /** Largest first. */
  readonly communities: readonly CommunityRow[];
  readonly total: number;
}

/** `features/query/communities.ts` */
export interface CommunitiesParams {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  /** Smaller communities are left out. Default: 2. */
  readonly minMembers?: number | undefined;
  /** `calls-imports` clusters anew by calls and imports alone; `all` gives the communities that everything else speaks of. */
  readonly clustering?: 'all' | 'calls-imports' | undefined;
}

/** `features/query/communities.ts` */
export interface CommunityRow {
  readonly id: number;
  readonly label: string;
  readonly summary: string;
  readonly memberCount: number;
  /** Its most central member. */
  readonly centralNode: string;
  /** Revision whose links were clustered. */
  readonly computedAt: number;
}

/** `features/knowledge/syncConflicts.ts` */
export interface ConflictAnswer {
  readonly conflict: SyncConflict;
  /** Version of the row; absent when it is gone. */
  readonly version?: number;
  /** Hash of the file; absent when it is gone. */
  readonly fileHash?: string;
  /** Each side as a file would say it; `''` when there is none. */
  readonly base: string;
  readonly local: string;
  readonly file: string;
}

/** `features/knowledge/syncConflicts.ts` */
export interface ConflictsAnswer {
  readonly conflicts: readonly SyncConflict[];
  /** Asked by the last import, and not answered yet. */
  readonly question?: RemovalQuestion;
}

/** `features/knowledge/answers.ts` */
export interface ContextAnswer {
  readonly molecules: readonly MoleculeInContext[];
  readonly orphanAtoms: readonly AtomInContext[];
  /** Requested paths that nothing covers: gaps, not errors. */
  readonly unmatchedPaths: readonly string[];
  readonly stamp: Stamp;
}

/** `features/knowledge/answers.ts` */
export interface ContextParams {
  readonly paths: readonly string[];
  readonly includeChangelog?: boolean | undefined;
  /** 5 when absent. */
  readonly changelogLimit?: number | undefined;
}

/** What coverage reports of earlier test runs say of changed code. */
export interface Coverage {
  /** Of all changed functions together: lines that can run, and those of them that no test ran. Without functions of a file that is newer than its report. */
  readonly lines: number;
  readonly uncovered: number;
  /** Changed functions that a report knows, those with most uncovered lines first; at most fifty. */
  readonly symbols: readonly {
    readonly id: string;
    readonly lines: number;
    /** 1-based lines that no test ran; at most fifty. */
    readonly uncovered: readonly number[];
    /** The report that says so. */
    readonly report: string;
    /** The file was written after the report: its lines may have moved. */
    readonly stale: boolean;
  }[];
  /** Tests that ran some of the lines, where a report tells tests apart; at most two hundred. */
  readonly tests: readonly {
    readonly id: string;
    readonly by: RanBy;
  }[];
  readonly reports: readonly {
    readonly path: string;
    readonly format: string;
    /** Since it was written, in hours. */
    readonly ageHours: number;
  }[];
  /** Reports that cannot be read, with the reason. */
  readonly problems: readonly string[];
}

/** `features/knowledge/recordShapes.ts` */
export interface DeletedEntity {
  readonly id: string;
  readonly entityType: 'molecule' | 'atom';
  readonly name: string;
  /** Its last one. */
  readonly version: number;
  readonly deletedAt: string;
}

/** `features/knowledge/answers.ts` */
export interface DeletedItems {
  readonly items: readonly DeletedEntity[];
}

/** `features/compare/diffSince.ts` */
export interface DiffSinceAnswer {
  /** How the baseline is called. */
  readonly baseline: string;
  /** In order of path, line and id. */
  readonly added: readonly NodeDelta[];
  readonly removed: readonly NodeDelta[];
  readonly modified: readonly NodeDelta[];
  /** Transactions since the baseline, oldest first; the newest 200. */
  readonly txIds: readonly string[];
  /** The contents at the baseline are not kept: files are named, and nothing inside them. */
  readonly filesOnly: boolean;
}

/** `features/compare/diffSince.ts` */
export interface DiffSinceParams {
  /** A transaction, time, commit or agent. */
  readonly since: string;
  /** All when absent. */
  readonly types?: readonly ('FILE' | 'FUNCTION' | 'CLASS')[] | undefined;
}

/** `features/editor/places.ts` */
export interface DocumentParams {
  readonly path: string;
}

/** `features/editor/places.ts` */
export interface DocumentSymbols {
  readonly symbols: readonly SymbolTree[];
}

/** An edge as answers show it. */
export interface EdgeRow {
  readonly source: string;
  readonly target: string;
  readonly relation: Relation;
  readonly confidence: number;
  readonly provenance: Source;
  readonly count: number;
  /** First line of its sites, 0 for structure. */
  readonly line: number;
}

/** State of the machinery, beside what the graph itself can tell. */
export interface EngineHealth {
  readonly progress: IndexProgress;
  readonly watcherState: WatcherState;
  readonly pendingFiles: number;
  readonly languages: readonly LanguageHealth[];
  /** At most 200; `problemCounts` counts all. */
  readonly problems: readonly FileProblem[];
  readonly problemCounts: Readonly<
    Partial<
      Record<
        | 'unreadable'
        | 'too_large'
        | 'binary'
        | 'invalid_utf8'
        | 'vanished'
        | 'symlink_outside'
        | 'symlink_cycle'
        | 'bad_pattern'
        | 'parse_failed'
        | 'parse_timeout'
        | 'syntax_errors',
        number
      >
    >
  >;
  readonly skipped: {
    readonly ignored: number;
    readonly generated: number;
    readonly minified: number;
  };
  /** Precise indexes that were found or asked for; owners before this version have none. */
  readonly precise?: readonly PreciseIndexHealth[];
  /** Owners before this version have none. */
  readonly search?: SearchHealth;
  readonly latestTxId: string;
  readonly latestTxTimestamp: number;
  readonly txCount: number;
  /** Earlier states that are kept beside the commits of Git; owners before this version do not say. */
  readonly history?: {
    /** Since when all states are kept, in epoch milliseconds; 0 where none is. */
    readonly horizon: number;
    readonly bytes: number;
    readonly transactions: number;
    /** Epoch milliseconds; 0 before the first compaction. */
    readonly compactedAt: number;
  };
  /** Newest last, at most 10. */
  readonly recentEvents: readonly {
    readonly at: number;
    readonly kind: string;
    readonly files: number;
    readonly txId?: string;
  }[];
  readonly storeBytes: {
    readonly journal: number;
    readonly view: number;
    readonly packs: number;
  };
  /** What was found damaged and set aside since the data folder was made; newest last. */
  readonly recovered: readonly string[];
  /** The last full index and what it parsed. */
  readonly lastIndex:
    | {
        /** Until graph, lexical index and packs were on disk. */
        readonly durationMs: number;
        readonly filesParsed: number;
        readonly filesFromCache: number;
        /** From there until content and history of the files were searchable and on disk too; absent as long as they are not. */
        readonly backgroundMs?: number;
      }
    | undefined;
  readonly dataFolder: string;
  readonly role: 'owner' | 'guest';
  readonly ownerPid: number;
  readonly engineVersion: string;
}

/** `features/memory/oversight.ts` */
export interface EpisodeChangeParams {
  readonly id: string;
  readonly content?: string | undefined;
  readonly sensitive?: boolean | undefined;
}

/** `features/memory/oversight.ts` */
export interface EpisodeChangedAnswer {
  readonly id: string;
}

/** `features/explain/explain.ts` */
export interface ExplainAnswer {
  readonly symbol: SymbolRow;
  /** FILE, FUNCTION, CLASS, VALUE or EXTERNAL for code, else the kind in capitals: ATOM, TASK, COMMUNITY. */
  readonly type: string;
  /** What nodes above the code say of themselves beside sentence and doc: status, tags, dates. Absent for code. */
  readonly attributes: Attributes | undefined;
  /** How it is tied to what is above the code (a task to the files it touches), without the atoms of code; the first few, `counts.links` counts all. */
  readonly links: readonly Link[];
  /** What its doc comment says first; `''` when it has none. */
  readonly sentence: string;
  readonly signature: string;
  readonly doc: string;
  readonly modifiers: readonly Modifier[];
  readonly complexity: number;
  readonly dependencies: readonly Neighbor[];
  /** Without tests, unless the target is in one. */
  readonly dependents: readonly Neighbor[];
  readonly counts: {
    readonly dependencies: number;
    readonly dependents: number;
    /** What depends on it or its members directly for certain, tests apart. */
    readonly users: number;
    /** What it or its members use directly for certain, themselves left out. */
    readonly uses: number;
    /** Users and uses by a call, or by making an object. */
    readonly callers: number;
    readonly callees: number;
    readonly maybe: number;
    /** How many of the dependencies and of the dependents are only possible. */
    readonly possibleDependencies: number;
    readonly possibleDependents: number;
    /** Cases that reach it, those that are only possible included. */
    readonly tests: number;
    readonly links: number;
    readonly references: UnresolvedCounts;
  };
  readonly members: readonly SymbolRow[];
  /** The first few; `counts.tests` counts all. */
  readonly tests: readonly string[];
  readonly parent: string | undefined;
  /** Absent while communities are still being computed. */
  readonly community:
    | {
        readonly id: number;
        readonly label: string;
      }
    | undefined;
  /** Atoms that cover its file. */
  readonly atoms: readonly {
    readonly id: string;
    readonly name: string;
  }[];
  readonly candidates: readonly string[];
  readonly guessed: boolean;
  /** Where it was asked for and past commits are known. */
  readonly history?: SymbolHistory;
  /** Versions that the index recorded, newest first; where history or validity is asked for, and anything is recorded. */
  readonly recorded?: readonly RecordedVersion[];
  /** Versions of its edges that the index recorded, newest first; where history is asked for, and anything is recorded. */
  readonly recordedEdges?: readonly RecordedEdge[];
  /** Decisions about it and edits of it, newest first; where history is asked for, and there are any. */
  readonly episodes?: readonly HistoryEpisode[];
}

/** `features/explain/explain.ts` */
export interface ExplainParams {
  readonly target: string;
  /** Most neighbors per side. */
  readonly limit?: number | undefined;
  /** Hops, 1 to 3. */
  readonly depth?: number | undefined;
  /** Which commits changed it, too. */
  readonly history?: boolean | undefined;
  /** Since when it is as it is, too, as far as that was recorded. */
  readonly validity?: boolean | undefined;
  /** Most of these; 10 when absent. */
  readonly historyLimit?: number | undefined;
}

/** `features/query/exportGraph.ts` */
export type ExportRow =
  | {
      readonly type: 'node';
      readonly id: string;
      readonly nodeType: NodeType;
      readonly kind?: SymbolKind;
      readonly name: string;
      readonly file: string;
      readonly startLine: number;
      readonly endLine: number;
      /** Of nodes above the code. */
      readonly attributes?: Attributes;
    }
  | {
      readonly type: 'edge';
      readonly relation: Relation;
      readonly source: string;
      readonly target: string;
      readonly line: number;
      readonly confidence: number;
      readonly provenance: Source;
      readonly attributes?: Attributes;
    };

/** A file or folder that was indexed around, with the reason. */
export interface FileProblem {
  readonly path: string;
  readonly code:
    | 'unreadable'
    | 'too_large'
    | 'binary'
    | 'invalid_utf8'
    | 'vanished'
    | 'symlink_outside'
    | 'symlink_cycle'
    | 'bad_pattern'
    | 'parse_failed'
    | 'parse_timeout'
    | 'syntax_errors';
  readonly message: string;
}

/** `features/knowledge/coverage.ts` */
export interface FolderGap {
  readonly folder: string;
  readonly files: number;
}

/** `features/knowledge/coverage.ts` */
export interface FolderParams {
  readonly folder: string;
}

/** `features/knowledge/coverage.ts` */
export interface GapFiles {
  readonly files: readonly string[];
  readonly total: number;
}

/** `features/knowledge/answers.ts` */
export type GetAnswer =
  | {
      readonly atom: AtomAnswer;
      /** Newest first, those that are kept; absent when they were not asked for. */
      readonly history?: readonly KnowledgeVersion[];
      /** ISO-8601: it is gone, and this is what it said. */
      readonly deletedAt?: string;
      readonly stamp: Stamp;
    }
  | {
      readonly molecule: MoleculeAnswer;
      /** Newest first, those that are kept; absent when they were not asked for. */
      readonly history?: readonly KnowledgeVersion[];
      /** ISO-8601: it is gone, and this is what it said. */
      readonly deletedAt?: string;
      readonly stamp: Stamp;
    };

/** `features/knowledge/answers.ts` */
export interface GetParams {
  readonly entityType: 'atom' | 'molecule';
  readonly id: string;
  readonly includeChangelog?: boolean | undefined;
  readonly changelogLimit?: number | undefined;
  /** With its versions; also of what was deleted. */
  readonly history?: boolean | undefined;
  /** As it stood then; also of what was deleted. */
  readonly version?: number | undefined;
}

/** `features/compare/graphDiff.ts` */
export interface GraphDiffAnswer {
  readonly from: State;
  readonly to: State;
  /** Files that differ, and symbols that do; in order of path and line. Empty where not asked for. */
  readonly nodes: readonly NodeChange[];
  readonly counts: {
    readonly added: number;
    readonly removed: number;
    readonly moved: number;
    readonly renamed: number;
    readonly signature: number;
    readonly body: number;
    readonly files: number;
  };
  readonly edges: {
    readonly added: readonly LinkChange[];
    readonly removed: readonly LinkChange[];
    readonly units: readonly UnitChange[];
  };
  /** Changes of what others may use, with the code that still uses it as it was. */
  readonly breaking: readonly Breaking[];
  /** Endpoints, events and domain entities that came or went, whoever uses them. */
  readonly interfaces: readonly InterfaceChange[];
  /** Violations of the rules as they are now, import cycles included. */
  readonly architecture: {
    readonly added: readonly Violation[];
    readonly resolved: readonly Violation[];
  };
  /** Tests that cover the change, best first, and what runs them. */
  readonly tests: readonly {
    readonly id: string;
    readonly file: string;
  }[];
  readonly commands: readonly string[];
  /** Changed functions, methods and classes that no test reaches. */
  readonly untested: readonly string[];
  /** Of the change as a whole; absent where tests were not asked for. */
  readonly risk?: Risk;
  readonly riskParts?: RiskParts;
  /** What could not be told, a sentence each. */
  readonly notes: readonly string[];
}

/** `features/compare/graphDiff.ts` */
export interface GraphDiffParams {
  /** The older state, or both as a range: a commit, tag, branch, time, transaction; where the branch began when absent. */
  readonly from?: string | undefined;
  /** The newer one; the folder as it is when absent. */
  readonly to?: string | undefined;
  /** All when absent. */
  readonly include?: readonly ('nodes' | 'edges' | 'api' | 'architecture' | 'tests')[] | undefined;
  /** A path, or the id of a symbol: what is below it. */
  readonly scope?: string | undefined;
}

/** `features/overview/health.ts` */
export interface GraphFigures {
  readonly files: number;
  readonly symbols: number;
  readonly externals: number;
  readonly nodes: number;
  readonly edges: number;
  readonly symbolsByKind: Readonly<Partial<Record<SymbolKind, number>>>;
  readonly languages: readonly LanguageHealthRow[];
  readonly relations: readonly RelationTally[];
  readonly references: {
    readonly unresolved: number;
    readonly external: number;
    /** Sites with at least one candidate. */
    readonly resolved: number;
    readonly resolutionRate: number | undefined;
  };
  /** Targets of references that are no edges, because their relation may not end at them. */
  readonly refusedTargets: number;
  /** Groups of files that import each other, largest first, at most ten with at most ten files each. */
  readonly cycles: readonly {
    readonly size: number;
    readonly files: readonly string[];
  }[];
  readonly cycleCount: number;
  /** At most ten. */
  readonly hotspots: readonly Hotspot[];
}

/** `features/query/graphQuery.ts` */
export interface GraphQueryAnswer {
  /** Communities that bear on the question, largest first; in `global` and `hybrid`. */
  readonly communities: readonly CommunityRow[];
  readonly rows: readonly QueryRow[];
  /** Rows, or communities in `global`. */
  readonly total: number;
  readonly strategy: 'vector_only' | 'graph_only' | 'hybrid' | 'global';
  /** What was walked from: the things named. */
  readonly entities: readonly string[];
  /** What was done, in words. */
  readonly executed: string;
  readonly warnings: readonly string[];
  /** The walk stopped at its limit: there are more results than `total`. */
  readonly truncated: boolean;
}

/** `features/query/graphQuery.ts` */
export interface GraphQueryParams {
  readonly query: string;
  readonly mode?: 'local' | 'global' | 'hybrid' | undefined;
  /** Kinds, or the groups FILE, FUNCTION, CLASS. */
  readonly kinds?: readonly string[] | undefined;
  /** Nodes that the question is about, when the caller knows them. */
  readonly entities?: readonly string[] | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

/** Stamped once there is a graph. */
export interface HealthFeature {
  readonly workspace: string;
  /** Absent until the first index is done. */
  readonly graph?: GraphFigures;
  readonly engine: EngineHealth;
  readonly stamp?: Stamp;
}

/** `features/editor/hierarchy.ts` */
export interface HierarchyItem {
  readonly item: SymbolRow | null;
}

/** `features/editor/hierarchy.ts` */
export interface HierarchyRow {
  readonly item: SymbolRow;
  /** 1-based lines of the uses, in the file of whichever end uses the other. */
  readonly lines: readonly number[];
  readonly confidence: number;
}

/** `features/editor/history.ts` */
export interface HistoryAnswer {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  /** Newest first. */
  readonly items: readonly HistoryItem[];
  /** Commits that changed it, listed or not. */
  readonly total: number;
  /** Commits that were looked at, back from HEAD; 0 where past commits are not known (yet). */
  readonly commits: number;
}

/** A decision about a symbol, or an edit of it, that an agent or a person recorded. */
export interface HistoryEpisode {
  readonly id: string;
  readonly type: 'DECISION' | 'EDIT';
  /** Epoch milliseconds. */
  readonly at: number;
  readonly title: string;
  readonly agentId: string;
}

/** One thing that happened to a symbol. */
export interface HistoryItem {
  /** `transaction`: a change of its file that the index took up. */
  readonly kind: 'commit' | 'transaction' | 'decision' | 'edit';
  /** Hash of a commit, id of a transaction or an episode. */
  readonly ref: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly title: string;
  /** Who made it, where that is known. */
  readonly by?: string;
  /** Files that a commit or transaction changed. */
  readonly files?: number;
}

/** `features/editor/history.ts` */
export interface HistoryParams {
  /** Id of a symbol or file. */
  readonly id: string;
  /** Most commits, 100 when absent. */
  readonly limit?: number | undefined;
}

/** `features/overview/hotspots.ts` */
export interface Hotspot {
  readonly id: string;
  readonly name: string;
  readonly kind: Kind;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly nameLine: number;
  readonly nameColumn: number;
  /** Its file is being typed and has syntax errors: what is said of it may be of an earlier text. */
  readonly stale?: true;
  readonly centrality: number;
  /** Changes in the last year × complexity × users: the number that hotspots are in order of. 0 for what no commit changed. */
  readonly score: number;
  /** *Users*: what depends on it or its members directly, tests apart. */
  readonly dependents: number;
  /** Commits of the last year of history that changed it; absent where past commits are not known. */
  readonly changes?: number;
  /** Decisions in its body, and 1 (McCabe 1976); 0 for what has no body. */
  readonly complexity: number;
}

/** `features/editor/hover.ts` */
export type Hover = HoverAnswer | null;

/** `features/editor/hover.ts` */
export interface HoverAnswer {
  readonly id: string;
  readonly name: string;
  /**
   * Markdown, at most twelve; what the workspace says of itself in it is escaped. Figures are links to a part of the answer (`[3 tests](lattice:tests)`):
   * one of `HOVER_LINKS`, which doors turn into what their clients can follow.
   */
  readonly lines: readonly string[];
  /** Atoms that cover the file of the symbol, for lines of their own: Markdown, what people wrote in it is escaped. */
  readonly atoms: readonly {
    readonly id: string;
    readonly line: string;
  }[];
  /** The file of the symbol; `''` for what is outside the workspace. */
  readonly path: string;
}

/** `features/editor/hover.ts` */
export interface HoverParams {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  /** The language's own hover stands above: what it says is not said again, and what it explains better is left to it. */
  readonly beside?: boolean | undefined;
}

/** `features/search/hybridSearch.ts` */
export interface HybridAnswer {
  readonly query: string;
  readonly anchor: string | undefined;
  readonly hits: readonly HybridRow[];
  readonly total: number;
}

/** `features/search/hybridSearch.ts` */
export interface HybridParams {
  readonly query: string;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  /** Kinds, or the groups FILE, FUNCTION, CLASS. */
  readonly kinds?: readonly string[] | undefined;
  /** Default: as the index is set. */
  readonly mode?: 'hybrid' | 'vector' | 'bm25' | 'graph' | undefined;
  /** What nearness is measured from; without one, how central a hit is counts instead. */
  readonly anchor?: string | undefined;
  /** Only what lies in this service; where none is known, a folder in `services`, `apps` or `packages`. */
  readonly service?: string | undefined;
  /** 0 to 1. */
  readonly semanticWeight?: number | undefined;
  readonly graphWeight?: number | undefined;
}

/** `features/search/hybridSearch.ts` */
export interface HybridRow {
  readonly id: string;
  readonly name: string;
  readonly kind: Kind;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly nameLine: number;
  readonly nameColumn: number;
  /** Its file is being typed and has syntax errors: what is said of it may be of an earlier text. */
  readonly stale?: true;
  /** 0 to 1, relative to the best hit of the whole answer. */
  readonly score: number;
  /** 0 to 1, relative to the most central node. */
  readonly centrality: number;
  readonly blendedScore: number;
  readonly complexity: number;
  readonly summary: string;
  readonly signature: string;
  /** How well the words match, 0 to 1. */
  readonly semanticScore: number;
  readonly graphScore: number;
  /** Links from the anchor; one more than the farthest when none lead there, -1 without an anchor. */
  readonly distance: number;
}

/** For features that are asked about one node. */
export interface IdParams {
  readonly id: string;
}

/** Lists are ordered by depth, then confidence, then path and place in the file, tests after what they test, and hold at most `limit` rows. */
export interface ImpactAnswer {
  /** What was taken as changed. */
  readonly targets: readonly string[];
  readonly candidates: readonly string[];
  readonly guessed: boolean;
  /** With `since`: what was found to have changed. */
  readonly changes?: ChangeReport;
  readonly counts: ImpactCounts;
  /** Facts, tests included, which may be further away than `maxDepth`: every step is at least `FACT_CONFIDENCE`. */
  readonly impacted: readonly Impacted[];
  readonly directDependents: readonly Impacted[];
  readonly transitiveDependents: readonly Impacted[];
  /** Tests whose file imports or directly uses a changed file, and the others: whatever reaches the change, as `selectTests` finds them, with those that are only possible. */
  readonly directTests: readonly Impacted[];
  readonly transitiveTests: readonly Impacted[];
  /** Dependents, tests apart, that are reached only over at least one weaker step. */
  readonly maybe: readonly Impacted[];
  /** Of `maybe`, the rows from `offset` on, when that is past the facts: a page goes through the facts, then through these. */
  readonly maybePage: readonly Impacted[];
  readonly impactedFiles: readonly {
    readonly path: string;
    readonly depth: number;
  }[];
  /** A list under each reverse name, facts only; who depends in two ways is in two lists. */
  readonly byRelation: Readonly<Record<string, readonly string[]>>;
  /** Impacted files and tests. */
  readonly blastRadius: number;
  /** By `riskParts`. */
  readonly risk: Risk;
  readonly riskParts: RiskParts;
  /** By the files, and the tests that certainly reach it: more than 10 are medium, more than 50 large; `unknown` when something of it is called from outside of the workspace. */
  readonly reach: 'small' | 'medium' | 'large' | 'unknown';
  /** The nearest of what changed and what depends on it that something outside of the workspace calls or may call; at most five. */
  readonly calledFromOutside: readonly string[];
  /** `framework`: a framework, a library or the language calls these. `anyone`: these are public, and only tests of the workspace use them. */
  readonly outsideUser?: 'framework' | 'anyone';
  /** Atoms that cover what changed or an impacted file, those that cover most of them first; at most `limit`. */
  readonly atoms: readonly AtomOfFiles[];
  /** Molecules, tasks and features that bear on what changed, then on what is impacted; never counted as dependents. At most `limit`. */
  readonly knowledge: readonly KnowledgeRow[];
  /** What coverage reports say of the changed code; absent where there are none. */
  readonly coverage?: Coverage;
  /** Symbols of other files, and other files, that past commits usually changed together with these; they need not depend on each other. Absent where there are none. */
  readonly changesWith?: readonly ChangesWith[];
}

/** `features/impact/impact.ts` */
export interface ImpactCounts {
  readonly impacted: number;
  /** Dependents that are no tests, one hop away and further. */
  readonly direct: number;
  readonly transitive: number;
  readonly maybe: number;
  readonly directTests: number;
  readonly transitiveTests: number;
  /** How many of these tests are only possible: some step on every way to them is weaker than a fact. */
  readonly possibleTests: number;
  /** Files, other than tests, that hold something impacted. */
  readonly files: number;
}

/** `tools/definitions/impactAnalyze.ts` */
export interface ImpactData {
  /** With `since`: what changed; without the lists in which nothing is. */
  readonly changes?: {
    readonly files?: readonly ChangedFileRow[];
  };
}

/** One of `target`, `files` and `since`. */
export interface ImpactParams {
  readonly target?: string | undefined;
  readonly files?: readonly string[] | undefined;
  /** What changed since a revision, a range of commits, a time or a transaction; `''` and `HEAD` mean what is not committed. */
  readonly since?: string | undefined;
  /** 1 to 6. */
  readonly maxDepth?: number | undefined;
  /** Walks only these; all dependency relations when absent or empty. */
  readonly relations?: readonly string[] | undefined;
  /** Most rows of each list, 200 when absent; counts are of all. */
  readonly limit?: number | undefined;
  /** How the lists of dependents that are neither `impacted` nor pages are ordered within a depth: by path, or those that are closest to the change first. */
  readonly order?: 'path' | 'closeness' | undefined;
  /** Rank of the first row of `impacted`. */
  readonly offset?: number | undefined;
}

/** Something that a change may break, and why. */
export interface Impacted {
  readonly id: string;
  readonly kind: Kind;
  readonly path: string;
  readonly startLine: number;
  readonly isTest: boolean;
  readonly depth: number;
  /** How it depends on the last node but one of `via`. */
  readonly relation: Relation;
  /** Line of that use in `path`, 0 when unknown. */
  readonly line: number;
  /** Product of the confidences along `via`. */
  readonly confidence: number;
  /** Evidence: the changed node first, this node last. */
  readonly via: readonly string[];
  /** Tests only: no way to it is certain in each step. */
  readonly possible?: true;
}

/** `features/knowledge/syncImport.ts` */
export interface ImportAnswer {
  readonly created?: number;
  readonly updated?: number;
  readonly merged?: number;
  readonly removed?: number;
  readonly entries?: number;
  readonly conflicts?: readonly SyncConflict[];
  readonly problems?: readonly SyncProblem[];
  /** Nothing was done: so many of so many would be deleted, and nobody agreed to that yet. */
  readonly question?: RemovalQuestion;
}

/** `features/knowledge/syncImport.ts` */
export interface ImportParams {
  /** The user agreed to many deletions. */
  readonly mayRemoveMany?: boolean | undefined;
  /** Entities whose files are gone stay; the next export writes their files again. */
  readonly keepRemoved?: boolean | undefined;
  readonly agentId?: string | undefined;
  readonly sessionId?: string | undefined;
}

/** How far an index is. */
export interface IndexProgress {
  /** `failed` needs `problem`; `ready` with one can be asked, but could not be saved. */
  readonly phase: 'starting' | 'scanning' | 'parsing' | 'resolving' | 'saving' | 'ready' | 'failed';
  readonly done: number;
  readonly total: number;
  readonly problem?: string;
  /** What goes on behind an index that is ready, in words. */
  readonly background?: string;
}

/** `features/administration/manage.ts` */
export interface IndexStatus {
  readonly workspace: string;
  readonly root: string;
  readonly projectId: string;
  readonly progress: IndexProgress;
  readonly watcherState: WatcherState;
  readonly pendingFiles: number;
  readonly files: number;
  readonly nodes: number;
  readonly edges: number;
  /** Absent until the first index is done. */
  readonly stamp?: Stamp;
}

/** Something that a service offers or shares and that came or went, whoever uses it. */
export interface InterfaceChange {
  readonly change: 'added' | 'removed';
  readonly kind: 'endpoint' | 'event' | 'domain_entity';
  /** Of the node, in the newer state for what was added, in the older one for what was removed. */
  readonly id: string;
  /** Method and path of an endpoint; name of an event or entity. */
  readonly name: string;
  /** Who answers, publishes, consumes or owns it; `''` where no service of the workspace does. */
  readonly service: string;
  /** Of an event, what the service does with it. */
  readonly role?: 'publishes' | 'consumes';
  /** Of its handler, else of its declaration; `''` where neither is known. */
  readonly path: string;
  /** 1-based, 0 for all of the file. */
  readonly line: number;
}

/** Kind of a node of any layer. */
export type Kind =
  | 'atom'
  | 'claim'
  | 'class'
  | 'community'
  | 'constant'
  | 'constructor'
  | 'contract'
  | 'data_store'
  | 'domain_entity'
  | 'endpoint'
  | 'enum'
  | 'enum_member'
  | 'episode'
  | 'event'
  | 'external'
  | 'feature'
  | 'field'
  | 'file'
  | 'function'
  | 'interface'
  | 'learning'
  | 'method'
  | 'module'
  | 'molecule'
  | 'namespace'
  | 'property'
  | 'service'
  | 'struct'
  | 'task'
  | 'trait'
  | 'tx'
  | 'type'
  | 'variable';

/** `features/knowledge/syncExport.ts` */
export interface KnowledgeExportAnswer {
  /** Workspace paths. */
  readonly written: readonly string[];
  readonly removed: readonly string[];
  /** Entities whose file is newer than what is kept: an import comes first. */
  readonly pending: readonly string[];
  readonly conflicts: readonly SyncConflict[];
  readonly problems: readonly SyncProblem[];
}

/** `features/knowledge/syncExport.ts` */
export interface KnowledgeExportParams {
  readonly agentId?: string | undefined;
  readonly sessionId?: string | undefined;
}

/** Something above the code that bears on a change. */
export interface KnowledgeRow {
  readonly id: string;
  readonly kind: Kind;
  readonly name: string;
  /** How it is linked to `of`. */
  readonly relation: Relation;
  /** What of the change, or of what is listed before, it is linked to. */
  readonly of: string;
}

/** `features/knowledge/answers.ts` */
export interface KnowledgeSearchParams {
  readonly entityType: 'atom' | 'molecule';
  readonly query: string;
  readonly limit: number;
}

/** `features/knowledge/coverage.ts` */
export interface KnowledgeTreeAnswer {
  /** By name, then id; their atoms likewise. */
  readonly molecules: readonly MoleculeRow[];
  readonly orphanAtoms: readonly AtomRow[];
  /** Absent until the first index is done. */
  readonly coverage?: {
    readonly files: number;
    readonly covered: number;
  };
  /** Folders with indexed files that no atom covers, by path; at most 500. */
  readonly gaps: readonly FolderGap[];
  readonly gapCount: number;
}

/** How one version of an atom or molecule came about. */
export interface KnowledgeVersion {
  readonly version: number;
  /** Of a first version, the fields that say something. */
  readonly changedFields: readonly string[];
  readonly taskId: string;
  /** `null`: nobody by name, or before versions were kept. */
  readonly agentId: string | null;
  readonly txId: string | null;
  /** ISO-8601. */
  readonly at: string;
}

/** `tools/definitions/knowledge/manageGraph.ts` */
export type KnowledgeWrite =
  | {
      readonly id: string;
      readonly version: number;
    }
  | {
      readonly deletedId: string;
      readonly orphanedAtomIds: readonly string[];
      readonly deletedAtomIds: readonly string[];
    };

/** Id of a language. */
export type Language =
  | 'bash'
  | 'c'
  | 'cpp'
  | 'csharp'
  | 'go'
  | 'java'
  | 'javascript'
  | 'kotlin'
  | 'lua'
  | 'php'
  | 'python'
  | 'ruby'
  | 'rust'
  | 'scala'
  | 'svelte'
  | 'tsx'
  | 'typescript'
  | 'vue';

/** `features/overview/engineShapes.ts` */
export interface LanguageHealth {
  readonly language: Language;
  readonly files: number;
  readonly symbols: number;
  readonly lines: number;
  readonly nodes: number;
  readonly errorNodes: number;
}

/** `features/overview/health.ts` */
export interface LanguageHealthRow {
  readonly language: Language | 'other';
  readonly files: number;
  readonly symbols: number;
  readonly sites: UnresolvedCounts;
  /** Resolved of resolved and unresolved, 0 to 1; undefined without references. */
  readonly resolutionRate: number | undefined;
  /** ERROR nodes of all syntax nodes, 0 to 1; undefined when unknown. */
  readonly errorShare: number | undefined;
}

/** `features/memory/oversight.ts` */
export interface LatestAnswer {
  /** Newest first, without sensitive ones and without what they say. */
  readonly episodes: readonly {
    readonly id: string;
    readonly type: string;
    readonly agentId: string;
    readonly sessionId: string;
    readonly entities: readonly string[];
  }[];
}

/** `features/memory/oversight.ts` */
export interface LatestParams {
  readonly limit: number;
}

/** `features/editor/codeLens.ts` */
export type Lens = LensCounts | null;

/** `features/editor/codeLens.ts` */
export interface LensCounts {
  readonly item: SymbolRow;
  /** *Users*: who depends on it or its members directly, tests apart. */
  readonly callers: number;
  /** Lines that name it for certain, tests included. */
  readonly refs: number;
  /** Further lines that may mean something else. */
  readonly maybe: number;
  /** Cases that reach it. */
  readonly tests: number;
  /** Files that depend on it within three steps, tests apart. */
  readonly files: number;
  /** Impacted files and tests. */
  readonly blastRadius: number;
  readonly reach: 'small' | 'medium' | 'large' | 'unknown';
  /** Where the reach is unknown: whether a framework calls some of it, or it is public and only tests use it. */
  readonly outsideUser?: 'framework' | 'anyone';
  /** Endpoint that it handles, with its contract and callers. */
  readonly serves?: string;
  /** With `serves`: where it is called, else its contract. */
  readonly servedFor?: readonly LensTarget[];
  /** False when more depends on it than was counted. */
  readonly complete: boolean;
}

/** `features/editor/codeLens.ts` */
export interface LensParams {
  readonly path: string;
  /** Also functions and methods that are not public. */
  readonly all?: boolean | undefined;
}

/** `features/editor/codeLens.ts` */
export interface LensPlaces {
  readonly symbols: readonly SymbolRow[];
  /** Ids of those that handle an endpoint, absent when none does. */
  readonly serving?: readonly string[];
  /** Handlers without a name, requests to other services and events, with where they lead; absent when there are none. Lines are 1-based. */
  readonly noted?: readonly {
    readonly line: number;
    readonly text: string;
    readonly places: readonly LensTarget[];
  }[];
}

/** `features/editor/codeLens.ts` */
export interface LensTarget {
  readonly file: string;
  readonly line: number;
}

/** `features/explain/explain.ts` */
export interface Link {
  /** `touches` for what the target points at, `touched_by` for what points at it. */
  readonly rel: string;
  readonly id: string;
  readonly name: string;
  readonly kind: Kind;
}

/** A dependency between symbols or files that came or went. */
export interface LinkChange {
  readonly source: string;
  readonly relation: Relation;
  readonly target: string;
  /** Confidence of at least 0.8. */
  readonly certain: boolean;
}

/** `features/compare/checkpoints.ts` */
export interface MarkCheckpointAnswer {
  readonly name: string;
  readonly word: string;
}

/** `features/compare/checkpoints.ts` */
export interface MarkCheckpointParams {
  readonly name: string;
}

/** An episode as it is read, or a learning under the type `LEARNING`. Times are ISO-8601. */
export interface MemoryRow {
  readonly id: string;
  readonly type: 'DECISION' | 'EDIT' | 'ERROR' | 'LEARNING' | 'OBSERVATION' | 'REFLECTION' | 'TEST_RESULT';
  readonly content: string;
  readonly agentId: string;
  readonly sessionId?: string;
  readonly taskId?: string;
  readonly outcome?: 'success' | 'failure' | 'partial';
  readonly timestamp: string;
  /** As they are called now. */
  readonly entities: readonly string[];
  /** By entity: what it was called then, where that is another name. */
  readonly renamedFrom?: Readonly<Record<string, string>>;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** What became of the code that it names since; absent when nothing was known of it. */
  readonly anchors?: AnchorStates;
  readonly sensitive?: true;
  /** Not written by anybody: concluded from episodes. */
  readonly derived?: true;
  readonly prevEpisodeId?: string;
  /** Of learnings: what kind of pattern, how sure (0 to 1), and whether its code has changed or was renamed since. */
  readonly kind?: 'hotspot' | 'decision_failure' | 'repeated_observation';
  readonly confidence?: number;
  readonly staleCode?: boolean;
  readonly score?: number;
  readonly scores?: MemoryScores;
}

/** `features/memory/shapes.ts` */
export interface MemoryScores {
  readonly similarity: number;
  readonly recency: number;
  readonly proximity: number;
}

/** Name of a modifier. */
export type Modifier =
  | 'abstract'
  | 'async'
  | 'classMethod'
  | 'declared'
  | 'defaultExport'
  | 'exported'
  | 'generator'
  | 'getter'
  | 'optional'
  | 'override'
  | 'private'
  | 'property'
  | 'protected'
  | 'readonly'
  | 'setter'
  | 'static'
  | 'test'
  | 'variadic';

/** All fields of a molecule, its related molecules with their names, and its atoms by name. */
export interface MoleculeAnswer {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly knowledge: string;
  readonly createdByTaskId: string;
  readonly lastTaskId: string;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly changelog?: readonly ChangelogEntry[];
  readonly anchors?: AnchorStates;
  readonly relatedMolecules: readonly {
    readonly moleculeId: string;
    readonly name: string;
    readonly reason: string;
  }[];
  readonly atoms: readonly {
    readonly id: string;
    readonly name: string;
  }[];
}

/** `features/knowledge/answers.ts` */
export interface MoleculeInContext {
  readonly id: string;
  readonly name: string;
  readonly knowledge: string;
  readonly anchors?: AnchorStates;
  /** The matching ones only. */
  readonly atoms: readonly AtomInContext[];
}

/** `features/knowledge/coverage.ts` */
export interface MoleculeRow {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly atoms: readonly AtomRow[];
}

/** `features/knowledge/coverage.ts` */
export interface MovedParams {
  readonly from: string;
  readonly to: string;
}

/** `features/knowledge/coverage.ts` */
export interface MovedPatterns {
  readonly atoms: readonly {
    readonly id: string;
    readonly name: string;
    readonly version: number;
    readonly before: readonly string[];
    readonly after: readonly string[];
  }[];
}

/** `features/knowledge/answers.ts` */
export interface NamedItems {
  readonly items: readonly {
    readonly id: string;
    readonly name: string;
  }[];
}

/** `features/explain/explain.ts` */
export interface Neighbor {
  readonly id: string;
  readonly name: string;
  readonly kind: Kind;
  /** `calls` for what the target uses, `called_by` for who uses it. */
  readonly rel: string;
  /** First line of the use, in the file of whichever end uses the other; 0 when unknown. */
  readonly line: number;
  readonly confidence: number;
  readonly depth: number;
  /** Nearness to the target by personalized PageRank. */
  readonly pprScore: number;
  readonly signature: string;
}

/** `features/query/neighborhood.ts` */
export interface NeighborhoodAnswer {
  readonly center: SymbolRow;
  /** By distance, then centrality; the center first. */
  readonly nodes: readonly NeighborhoodNode[];
  readonly edges: readonly EdgeRow[];
  readonly totalNodes: number;
  readonly truncated: boolean;
  readonly candidates: readonly string[];
  readonly guessed: boolean;
}

/** `features/query/neighborhood.ts` */
export interface NeighborhoodNode {
  readonly id: string;
  readonly name: string;
  readonly kind: Kind;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly nameLine: number;
  readonly nameColumn: number;
  /** Its file is being typed and has syntax errors: what is said of it may be of an earlier text. */
  readonly stale?: true;
  readonly distance: number;
}

/** `features/query/neighborhood.ts` */
export interface NeighborhoodParams {
  readonly target: string;
  /** 1 to 4. */
  readonly radius?: number | undefined;
  readonly undirected?: boolean | undefined;
  /** Node types, kinds, or the groups FILE, FUNCTION, CLASS. */
  readonly nodeTypes?: readonly string[] | undefined;
  readonly relations?: readonly string[] | undefined;
  /** Most nodes; 1 to 200. */
  readonly maxNodes?: number | undefined;
}

/** For features that are asked for nothing in particular, and for those that are asked about one thing. */
export interface NoParams {}

/** A file or symbol that differs. */
export interface NodeChange {
  /** Of the newer state; of the older one for what was removed. */
  readonly id: string;
  readonly kind: Kind;
  readonly path: string;
  /** 1-based line of its name; 0 for files. */
  readonly line: number;
  /** The most telling: what was renamed or moved may have changed beside. Files change in their `body`. */
  readonly change: 'added' | 'removed' | 'renamed' | 'moved' | 'signature' | 'body';
  readonly isTest: boolean;
  readonly isExported: boolean;
  /** Of what was renamed or moved. */
  readonly oldId?: string;
  /** Where they differ. */
  readonly oldSignature?: string;
  readonly signature?: string;
  /** What holds it came or went with it. */
  readonly withHolder?: true;
}

/** A node that is not what it was. Its id is that of the current code; for what was removed, that of the baseline. */
export interface NodeDelta {
  readonly scip_id: string;
  readonly type: 'FILE' | 'FUNCTION' | 'CLASS';
  readonly path: string;
  readonly symbolName?: string;
  /** When the newest transaction that changed its file was made, in epoch milliseconds; absent where the change is older than the index. */
  readonly validFrom?: number;
  /** The same for what was removed. */
  readonly validTo?: number;
  /** Where the same content was before. */
  readonly renamedFrom?: string;
}

/** What a node is: file, symbol, external or of a layer above. */
export type NodeType =
  | 'atom'
  | 'claim'
  | 'community'
  | 'contract'
  | 'data_store'
  | 'domain_entity'
  | 'endpoint'
  | 'episode'
  | 'event'
  | 'external'
  | 'feature'
  | 'file'
  | 'learning'
  | 'molecule'
  | 'service'
  | 'symbol'
  | 'task'
  | 'tx';

/** `features/editor/places.ts` */
export interface Nodes {
  readonly nodes: readonly SymbolRow[];
}

/** `features/editor/places.ts` */
export interface NodesParams {
  readonly ids?: readonly string[] | undefined;
}

/** `text` is null where there was no such file. */
export interface PastTextAnswer {
  readonly text: string | null;
}

/** `features/compare/pastText.ts` */
export interface PastTextParams {
  readonly path: string;
  /** A commit, tag, branch, time or transaction. */
  readonly at: string;
}

/** A version of a symbol: what a commit made of it. */
export interface PastVersion {
  readonly commit: string;
  /** Epoch milliseconds. */
  readonly validFrom: number;
  /** When the next one came; absent for the version of today. */
  readonly validTo?: number;
  readonly subject: string;
  /** As git tells it now; absent where it cannot. */
  readonly author?: string;
  /** Files that the commit changed: one of many says little of each. */
  readonly files: number;
}

/** `features/query/findPath.ts` */
export interface PathAnswer {
  readonly from: SymbolRow;
  readonly to: SymbolRow;
  /** From the one to the other; empty when no path leads there. */
  readonly nodes: readonly SymbolRow[];
  /** The link of each step, as it points: `edges[i]` joins `nodes[i]` and `nodes[i + 1]`. */
  readonly edges: readonly EdgeRow[];
  /** Product of the confidences. */
  readonly confidence: number;
  /** Others that `from` or `to` may have meant. */
  readonly candidates: readonly string[];
  /** One of the two has no exact match: it is the best search result. */
  readonly guessed: boolean;
}

/** `features/query/findPath.ts` */
export interface PathParams {
  readonly from: string;
  readonly to: string;
  /** Along links whichever way they point; else only from source to target. */
  readonly undirected?: boolean | undefined;
  readonly relations?: readonly string[] | undefined;
  /** Links less sure than this are not taken; 0 to 1. */
  readonly minConfidence?: number | undefined;
}

/** `features/patterns/findPattern.ts` */
export interface PatternAnswer {
  /** What was looked for; `search` for words that name no pattern. */
  readonly patternId: string;
  readonly groups: readonly PatternGroup[];
  readonly total: number;
  readonly suppressed: number;
  /** The suppressed findings, with what speaks against each. */
  readonly suppressedMatches: readonly PatternMatch[];
  /** There are more matches than were asked for. */
  readonly truncated: boolean;
  /** Parts of the graph that were needed and are not there. */
  readonly degraded: readonly string[];
}

/** `features/knowledge/coverage.ts` */
export interface PatternFiles {
  readonly patterns: readonly {
    readonly pattern: string;
    readonly files: readonly string[];
    readonly total: number;
    readonly problem?: string;
  }[];
  readonly total: number;
}

/** `features/patterns/findPattern.ts` */
export interface PatternGroup {
  readonly patternId: string;
  readonly title: string;
  readonly severity: 'info' | 'warning' | 'error';
  /** All matches, not only those given. */
  readonly count: number;
  readonly matches: readonly PatternMatch[];
  readonly fix: string;
}

/** `features/patterns/pattern.ts` */
export interface PatternMatch {
  readonly id: string;
  readonly file: string;
  /** `12-48`. */
  readonly lines: string;
  readonly evidence: string;
  /** How urgent a finding between services is; also `weightedSeverity` (0 to 1), by which those of one priority are ordered. */
  readonly priority?: 'P0' | 'P1' | 'P2' | 'P3';
  readonly weightedSeverity?: number;
  /** What to do, and what hangs on it. */
  readonly action?: string;
  readonly owningService?: string;
  /** What findings that share it are grouped by. */
  readonly rootNode?: string;
}

/** `features/patterns/findPattern.ts` */
export interface PatternParams {
  /** Id of a pattern, a `MATCH …` query, or words. */
  readonly pattern: string;
  /** Files, folders or globs; all when absent. */
  readonly paths?: readonly string[] | undefined;
  readonly minSeverity?: 'info' | 'warning' | 'error' | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

/** `features/knowledge/coverage.ts` */
export interface PatternsParams {
  readonly patterns?: readonly string[] | undefined;
}

/** What words picked. Files only when they name no rule and no layer. */
export interface Picked {
  readonly rules: readonly string[];
  readonly layers: readonly string[];
  readonly files: readonly string[];
}

/** `features/editor/references.ts` */
export interface Place {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** It may mean something else. */
  readonly possible: boolean;
}

/** A place in a file: 1-based line, 0-based column in UTF-16 code units. */
export interface PlaceParams {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/** `features/architecture/suggest.ts` */
export interface PlaceSuggestion {
  readonly path: string;
  /** `''` where none is declared. */
  readonly layer: string;
  /** 0 to 1. */
  readonly score: number;
  readonly reasons: readonly string[];
  /** Layers that it may use; without layers, folders that its siblings use. */
  readonly allowedImports: readonly string[];
  readonly testPath: string;
}

/** States that a person may compare with; `word` is what features take for one. Times are epoch milliseconds. */
export interface PointsAnswer {
  /** Newest commit first. */
  readonly references: readonly {
    readonly name: string;
    readonly kind: 'branch' | 'remote' | 'tag';
    readonly word: string;
    readonly commit: string;
    readonly at: number;
  }[];
  /** Newest first. */
  readonly commits: readonly {
    readonly word: string;
    readonly commit: string;
    readonly subject: string;
    readonly at: number;
    readonly files: number;
  }[];
  /** Newest first; only those whose state is that of a commit or recorded. */
  readonly transactions: readonly {
    readonly word: string;
    readonly at: number;
    readonly commit: string;
    readonly isDirty: boolean;
    readonly agent?: string;
    readonly files: number;
  }[];
  /** States that somebody has marked, newest first. */
  readonly checkpoints: readonly {
    readonly name: string;
    readonly word: string;
    readonly at: number;
  }[];
  /** Of the current code; `''` without git. */
  readonly head: string;
}

/** A precise index (SCIP) and what of it holds: the files it describes, by whether they still read as they did. */
export interface PreciseIndexHealth {
  readonly path: string;
  /** What made the index, with its version. */
  readonly tool: string;
  /** Files whose references end where the index says. */
  readonly covered: number;
  /** Files that changed since; they are resolved by Lattice's own rules. */
  readonly stale: number;
  /** Described, but no files of the index. */
  readonly unknown: number;
  /** Some of the stale files, at most 20. */
  readonly staleFiles: readonly string[];
  /** Why it could not be read. */
  readonly problem?: string;
}

/** `features/query/exportGraph.ts` */
export interface QueryExportAnswer {
  readonly revision: number;
  readonly rows: readonly ExportRow[];
  /** Offset of the next part, absent at the end. Parts of different revisions do not fit together: start again. */
  readonly nextOffset?: number;
}

/** `features/query/exportGraph.ts` */
export interface QueryExportParams {
  /** Weaker edges are left out; 0 to 1. */
  readonly minConfidence?: number | undefined;
  /** Nodes to pass over, in the fixed order of the view. */
  readonly offset?: number | undefined;
  /** Most nodes; each brings its outgoing edges. */
  readonly limit?: number | undefined;
}

/** `features/query/graphQuery.ts` */
export interface QueryRow {
  readonly id: string;
  readonly kind: Kind;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  /** Search score, or confidence of the path, 0 to 1. */
  readonly score: number;
  readonly summary: string;
  /** The last link to it, when it was found by walking. */
  readonly link?: EdgeRow;
}

/** How it is known that a test ran some code. */
export interface RanBy {
  readonly provenance: 'coverage';
  readonly report: string;
  /** Since the report was written, in hours. */
  readonly ageHours: number;
  /** The code was written after the report: other lines may have run. */
  readonly stale: boolean;
}

/** `features/compare/branchImpact.ts` */
export type RankedChange = {
  readonly id: string;
  readonly kind:
    | 'atom'
    | 'claim'
    | 'class'
    | 'community'
    | 'constant'
    | 'constructor'
    | 'contract'
    | 'data_store'
    | 'domain_entity'
    | 'endpoint'
    | 'enum'
    | 'enum_member'
    | 'episode'
    | 'event'
    | 'external'
    | 'feature'
    | 'field'
    | 'file'
    | 'function'
    | 'interface'
    | 'learning'
    | 'method'
    | 'module'
    | 'molecule'
    | 'namespace'
    | 'property'
    | 'service'
    | 'struct'
    | 'task'
    | 'trait'
    | 'tx'
    | 'type'
    | 'variable';
  readonly path: string;
  readonly line: number;
  readonly change: 'added' | 'body' | 'moved' | 'removed' | 'renamed' | 'signature';
  readonly isTest: boolean;
  readonly isExported: boolean;
  readonly dependents: number;
  readonly tests: number;
  readonly reach: 'large' | 'medium' | 'small' | 'unknown';
  readonly isBreaking: boolean;
  readonly by: readonly string[];
  readonly oldId?: string;
  readonly oldSignature?: string;
  readonly signature?: string;
  readonly withHolder?: true;
};

/** `features/administration/manage.ts` */
export interface RebuildAnswer {
  readonly status: 'QUEUED';
  readonly txId: string;
}

/** `features/administration/manage.ts` */
export interface RebuildEnd {
  readonly status: 'COMMITTED';
  readonly txId: string;
}

/** `features/administration/manage.ts` */
export interface RebuildEndParams {
  readonly txId: string;
}

/** `features/administration/manage.ts` */
export interface RebuildParams {
  readonly mode?: 'incremental' | 'full' | undefined;
  readonly paths?: readonly string[] | undefined;
  readonly agentId?: string | undefined;
  readonly sessionId?: string | undefined;
}

/** `tools/definitions/memory/episodes.ts` */
export interface Recalled {
  /** How many match. */
  readonly count: number;
}

/** A version of an edge that starts at the symbol, as the index recorded it. Half-open in time; without `validFrom` it was there before anything was recorded. */
export interface RecordedEdge {
  readonly relation: string;
  readonly target: string;
  /** Epoch milliseconds. */
  readonly validFrom?: number;
  /** Absent for an edge of the current code. */
  readonly validTo?: number;
  readonly txId?: string;
  readonly endedTxId?: string;
}

/** A version as the index recorded it, whether or not it was committed. Half-open in time. */
export interface RecordedVersion {
  readonly versionId: string;
  readonly txId: string;
  /** Epoch milliseconds. */
  readonly validFrom: number;
  /** Absent for the current version. */
  readonly validTo?: number;
  readonly createdAt: number;
  readonly supersedes?: string;
  readonly renamedFrom?: string;
  readonly agentId?: string;
}

/** `features/editor/references.ts` */
export interface References {
  readonly places: readonly Place[];
}

/** Another atom that an atom names, and why. */
export interface RelatedAtom {
  readonly atomId: string;
  readonly name: string;
  readonly reason: string;
}

/** Name of a relation. */
export type Relation =
  | 'AFFECTS'
  | 'APPLIES_TO'
  | 'ASSERTS_TYPE'
  | 'ASSIGNS_TO'
  | 'BELONGS_TO'
  | 'CALLS'
  | 'CATCHES'
  | 'CONSUMES_EVENT'
  | 'CONTAINS'
  | 'CONTAINS_FILE'
  | 'COVERS'
  | 'DECORATES'
  | 'DEFINES_CLASS_ATTR'
  | 'DEFINES_CONSTANT'
  | 'DEFINES_ENUM_MEMBER'
  | 'DEFINES_FIELD'
  | 'DEFINES_SYMBOL'
  | 'DEPENDS_ON'
  | 'DERIVED_FROM'
  | 'DOMAIN_RELATIONSHIP'
  | 'EXPOSES_ENDPOINT'
  | 'HANDLES_ENDPOINT'
  | 'IMPLEMENTS'
  | 'IMPLEMENTS_ENTITY'
  | 'IMPORTS'
  | 'IMPORTS_TYPES'
  | 'INHERITS'
  | 'INSTANTIATES'
  | 'INVOLVES'
  | 'IN_MOLECULE'
  | 'NAMES'
  | 'NEXT_EPISODE'
  | 'OVERRIDES'
  | 'OWNS_ENTITY'
  | 'PART_OF'
  | 'PROVIDES_CONTRACT'
  | 'PUBLISHES_EVENT'
  | 'RAISES'
  | 'READS_FROM'
  | 'REFERENCES_ENTITY'
  | 'RELATED_ATOM'
  | 'RELATED_MOLECULE'
  | 'REQUESTS_ENDPOINT'
  | 'RE_EXPORTS'
  | 'SERVICE_CALLS'
  | 'TARGETS'
  | 'TESTS'
  | 'TOUCHES'
  | 'USES_CONSTANT'
  | 'USES_CONTEXT_MANAGER'
  | 'USES_DEFAULT'
  | 'USES_GLOBAL'
  | 'USES_STORE'
  | 'USES_TYPE';

/** `features/overview/engineShapes.ts` */
export interface RelationTally {
  readonly relation: Relation;
  /** Confidence of at least `FACT_CONFIDENCE`, and below it. */
  readonly facts: number;
  readonly maybes: number;
}

/** `features/knowledge/syncImport.ts` */
export interface RemovalQuestion {
  readonly removed: number;
  readonly total: number;
  readonly message: string;
}

/** What the report knows of the workspace; the code that writes the page adds version and time. */
export type ReportAnswer = Omit<ReportData, 'version' | 'madeAt'>;

/** What the HTML report shows; written into the page as JSON. */
export interface ReportData {
  readonly name: string;
  readonly version: string;
  /** ISO-8601. */
  readonly madeAt: string;
  readonly head: string;
  readonly totals: {
    readonly files: number;
    readonly symbols: number;
    readonly edges: number;
    readonly lines: number;
  };
  readonly languages: readonly {
    readonly language: string;
    readonly files: number;
    readonly symbols: number;
    readonly lines: number;
    readonly errorShare: number;
  }[];
  readonly kinds: readonly {
    readonly kind: string;
    readonly count: number;
  }[];
  readonly relations: readonly {
    readonly relation: string;
    readonly facts: number;
    readonly maybes: number;
  }[];
  readonly resolution: {
    readonly resolved: number;
    readonly unresolved: number;
    readonly external: number;
    readonly rate: number;
  };
  /** Files of each import cycle, longest first. */
  readonly cycles: readonly (readonly string[])[];
  readonly hotspots: readonly ReportHotspot[];
  /** Empty where past commits are not known. */
  readonly activity: readonly Activity[];
  readonly problems: readonly {
    readonly code: string;
    readonly count: number;
  }[];
  /** The folders and files of the code, as the editor's graph shows them first. */
  readonly overview: SceneDto;
  /** Map of the services, absent where there is one at most. */
  readonly services?: SceneDto;
  readonly graph: ReportGraph;
}

/** The best-connected part of the graph, bounded so that the page stays small. */
export interface ReportGraph {
  readonly nodes: readonly ReportNode[];
  /** `source` and `target` are positions in `nodes`. */
  readonly edges: readonly {
    readonly source: number;
    readonly target: number;
    readonly relation: string;
    readonly confidence: number;
  }[];
  readonly omittedNodes: number;
}

/** `features/overview/reportShapes.ts` */
export interface ReportHotspot {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly file: string;
  readonly line: number;
  /** See `hotspotShape`. */
  readonly score: number;
  readonly callers: number;
  readonly dependents: number;
  readonly tests: number;
  /** How many of these are only possible. */
  readonly possibleTests: number;
  /** Commits of the last year of history that changed it; absent where past commits are not known. */
  readonly changes?: number;
  readonly complexity: number;
  readonly summary: string;
}

/** `features/overview/reportShapes.ts` */
export interface ReportNode {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly file: string;
  readonly line: number;
  readonly signature: string;
  readonly summary: string;
  readonly isTest: boolean;
  readonly score: number;
}

/** `features/knowledge/syncConflicts.ts` */
export interface ResolveParams {
  readonly id: string;
  /** `local` keeps the row, `file` takes the file; a side that is gone means deletion. */
  readonly side?: string | undefined;
  /** What both sides become, as a file. */
  readonly text?: string | undefined;
  /** As `knowledgeConflict` gave them. */
  readonly version?: number | undefined;
  readonly fileHash?: string | undefined;
  readonly agentId?: string | undefined;
  readonly sessionId?: string | undefined;
}

/** How risky a change is. */
export type Risk = 'low' | 'medium' | 'high';

/** What the risk of a change is made of. */
export interface RiskParts {
  /** By the files and tests that can be seen: low, medium or high by this alone. */
  readonly reach: 'small' | 'medium' | 'large';
  /** Cases that reach what changed, possible ones included. */
  readonly tests: number;
  /** Commits of the year before the newest one that changed it. Absent where past commits are not known (yet). */
  readonly changes?: number;
  /** Share of its lines that no test ran, 0 to 1. Absent without a coverage report that knows it. */
  readonly uncovered?: number;
  /**
   * What raised the risk by one level: something outside of the workspace calls it, no test reaches it although something depends on it, it changes often (12
   * commits or more), or no test ran half of its lines or more.
   */
  readonly raisedBy: readonly ('outside' | 'tests' | 'changes' | 'coverage')[];
}

/** The outcome of a run as an answer gives it: what is empty, or does not fit, is missing. */
export interface RunReport {
  readonly status: 'passed' | 'failed' | 'timeout' | 'error' | 'dry_run';
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failures?: readonly TestFailure[];
  readonly skippedTests?: readonly SkippedTest[];
  readonly durationMs?: number;
  /** Argument by argument. */
  readonly command?: readonly string[];
  /** Workspace path of the folder that it ran in. */
  readonly folder?: string;
  /** Further files with affected tests, which are more than one run takes; absent when there are none. */
  readonly notRun?: number;
  /** Of the recorded `TEST_RESULT`. */
  readonly episodeId?: string;
  /** The last 8 KB of what was printed. */
  readonly outputTail?: string;
}

/** `features/scene/sceneShapes.ts` */
export interface SceneAreaShare {
  /** Positions in `list`, that with most parts first; `[]` when all its areas are left out of the list. */
  readonly areas: readonly number[];
  /** Files (molecules) or symbols (communities) that it stands for, and those of them that belong to the first area. */
  readonly parts: number;
  readonly within: number;
}

/** Molecules, communities or owners that nodes of a scene belong to. */
export interface SceneAreasDto {
  readonly by: 'molecule' | 'community' | 'owner';
  /** Those with most nodes first, at most 12. */
  readonly list: readonly {
    readonly id: string;
    readonly label: string;
    readonly nodes: number;
  }[];
  /** By node; nodes that belong nowhere are absent. */
  readonly of: Readonly<Record<string, SceneAreaShare>>;
}

/** What of a scene an atom covers. */
export interface SceneAtomDto {
  readonly id: string;
  readonly name: string;
  /** In the whole workspace. */
  readonly files: number;
  readonly nodes: readonly string[];
}

/** `features/scene/sceneShapes.ts` */
export interface SceneDto {
  /** `sheet` is placed by distance from the start, in the rows of its groups, `blocks` and `boxes` by what depends on what inside each group (blocks as large as the code that they stand for). */
  readonly layout: 'sheet' | 'blocks' | 'boxes';
  readonly title: string;
  /** One sentence: what the scene shows. */
  readonly summary: string;
  /** Ids asked about. */
  readonly starts: readonly string[];
  readonly nodes: readonly SceneNodeDto[];
  readonly edges: readonly SceneEdgeDto[];
  readonly groups: readonly SceneGroupDto[];
  /** Keys in force: those asked for, or the first ones when none were given. */
  readonly expanded: readonly string[];
  readonly omitted: {
    readonly nodes: number;
    readonly edges: number;
  };
  /** Everything the filters can name. */
  readonly facets: {
    readonly relations: readonly string[];
    readonly kinds: readonly string[];
    readonly languages: readonly string[];
  };
  /** When `colorBy` asks for them. */
  readonly areas?: SceneAreasDto;
  /** When `colorBy` asks for them. */
  readonly shades?: SceneShades;
  /** Of an overview: how it is grouped. */
  readonly grouping?: 'none' | 'folder' | 'package' | 'service' | 'owner' | 'community';
  /** Layers of the architecture rules, those that use others before those that they use. */
  readonly layers?: readonly string[];
  /** Of an overview: files beside the code that the workspace has, shown or not. */
  readonly beside?: {
    readonly tests: number;
    readonly docs: number;
    readonly other: number;
  };
  /** When there is the atom asked for. */
  readonly atom?: SceneAtomDto;
  /** Impact views. */
  readonly risk?: 'low' | 'medium' | 'high';
  /** Impact views. */
  readonly spread?: SceneSpread;
  /** Of a comparison: endpoints, events and domain entities that came or went; absent for none. */
  readonly interfaces?: readonly InterfaceChange[];
  readonly stamp: Stamp;
}

/** Everything that leads from one node to another, drawn as one line. */
export interface SceneEdgeDto {
  readonly source: string;
  readonly target: string;
  /** Surest first. */
  readonly links: readonly SceneLink[];
  /** Uses that it stands for. */
  readonly count: number;
  /** Highest confidence of its links. */
  readonly confidence: number;
  /** In an overview: imports among `count` that load something at run time; absent for none. */
  readonly loads?: number;
  /** In an overview: links among `count` that break an architecture rule; absent for none. */
  readonly violations?: number;
  /** In a comparison: all of it came or went. */
  readonly change?: 'added' | 'removed';
}

/** An opened group: a frame around its nodes. */
export interface SceneGroupDto {
  readonly id: string;
  readonly label: string;
  readonly kind: 'folder' | 'package' | 'service' | 'owner' | 'community' | 'file';
  readonly parent?: string;
  /** Nodes it holds, shown or not. */
  readonly size: number;
}

/** `features/scene/sceneShapes.ts` */
export interface SceneLink {
  readonly relation: string;
  readonly count: number;
  readonly confidence: number;
  readonly provenance: string;
  /** First use, in the file of the source; 0 when unknown. */
  readonly line: number;
}

/** `features/scene/sceneShapes.ts` */
export interface SceneNodeDto {
  readonly id: string;
  readonly label: string;
  /** A symbol kind, `file`, `external`, `folder`, `package`, `service`, `owner`, `community` or `bundle`. */
  readonly kind: string;
  /** A `member` is a part of the start, which is its `parent`. */
  readonly role: 'start' | 'member' | 'step' | 'box' | 'bundle';
  readonly path: string;
  /** 0 for nodes without a place. */
  readonly line: number;
  readonly language: string;
  readonly isTest: boolean;
  /** Steps from the start; negative for what uses it in a focus view. 0 in views of boxes. */
  readonly column: number;
  readonly lane: 'types' | 'main' | 'tests' | 'knowledge';
  /** Confidence of the way that leads from the start to here; below 0.8 it is a maybe. */
  readonly confidence: number;
  /** Group that holds it. */
  readonly parent?: string;
  /** In a focus view: where a neighbor that is used as well as it uses stands for the second time, among what is used. */
  readonly again?: {
    readonly column: number;
    readonly lane: 'types' | 'main' | 'tests' | 'knowledge';
    readonly confidence: number;
    readonly parent: string;
  };
  /** Importance, 0 to 1. */
  readonly weight: number;
  readonly signature: string;
  readonly summary: string;
  /** Nodes that it stands for: of a group shown as one node, or of a bundle. */
  readonly size: number;
  /** In an overview: lines of its files or of the symbol. */
  readonly lines?: number;
  /** In an overview of a workspace with layers: the position in `layers` of the one that most of its files are in. */
  readonly layer?: number;
  /** Of `size`, those that are only possible; absent for none, and in an impact, which has `counts`. */
  readonly possible?: number;
  /** Impact: what a group holds, `dependents` without those that are only possible. `tests` are those in it, whatever else is. */
  readonly counts?: {
    readonly dependents: number;
    readonly tests: number;
    readonly possible: number;
  };
  /** How many neighbors it has by side and relation, and how many of these are shown. */
  readonly reach: readonly SceneReach[];
  /** Impact: the node one step nearer to the start and the use that links to it. */
  readonly via?: {
    readonly id: string;
    readonly relation: string;
    readonly line: number;
  };
  /** Key that shows more when it is added to `expand`. */
  readonly expand?: string;
  /** In a comparison: what became of it; absent for code that did not change. */
  readonly change?: 'added' | 'removed' | 'renamed' | 'moved' | 'signature' | 'body';
  /** Code that did not change still uses it as it was. */
  readonly breaking?: true;
  /** Who is working on it, on its file or on something in it: `AGENT: INTENT` each, oldest first. */
  readonly claimed?: readonly string[];
}

/** `features/scene/sceneShapes.ts` */
export interface SceneParams {
  readonly start: 'workspace' | 'folder' | 'focus' | 'search' | 'impact' | 'changes' | 'compare' | 'community' | 'path' | 'flow';
  /** By start: an id or a file (focus, impact, path), a folder, words, a revision or range of commits (changes), the older state (compare; where the branch began when absent), the number of a community, an endpoint (flow). */
  readonly target?: string | undefined;
  /** Other end of a path; the newer state of a comparison, the current code when absent. */
  readonly to?: string | undefined;
  /** Steps away from the start, 1 to 6. */
  readonly depth?: number | undefined;
  readonly groupBy?: 'none' | 'folder' | 'package' | 'service' | 'owner' | 'community' | undefined;
  /** Only these relations; all dependencies when absent. */
  readonly relations?: readonly string[] | undefined;
  /** Only these kinds of nodes beside the start. */
  readonly kinds?: readonly string[] | undefined;
  readonly languages?: readonly string[] | undefined;
  readonly minConfidence?: number | undefined;
  /** False leaves tests out. */
  readonly tests?: boolean | undefined;
  /** Of an overview: true shows what stands beside the code too, tests, documentation, dot folders and files without code. */
  readonly beside?: boolean | undefined;
  /** True shows what lies outside the workspace. */
  readonly externals?: boolean | undefined;
  /** True shows atoms, tasks and what they are part of beside the code that they are about. */
  readonly knowledge?: boolean | undefined;
  /** What was expanded, by the keys that nodes and bundles carry; a key given twice shows twice as many. */
  readonly expand?: readonly string[] | undefined;
  /** Nodes that stay whatever the start is. */
  readonly keep?: readonly string[] | undefined;
  readonly edgeBudget?: number | undefined;
  /** What people call the older state of a comparison; the word for it when absent. */
  readonly label?: string | undefined;
  /** True leaves only breaking changes in a comparison. */
  readonly breaking?: boolean | undefined;
  /** `kind` when absent; else the answer has `areas`, or `shades` for `churn` and `coverage`. */
  readonly colorBy?: 'kind' | 'molecule' | 'community' | 'owner' | 'churn' | 'coverage' | undefined;
  /** An atom: the answer tells which nodes hold files that it covers. */
  readonly atom?: string | undefined;
}

/** `features/scene/sceneShapes.ts` */
export interface SceneReach {
  readonly side: 'in' | 'out';
  readonly relation: string;
  readonly total: number;
  readonly shown: number;
  /** Key that shows more of these when it is added to `expand`. */
  readonly expand: string;
}

/** How much the nodes of an overview change, or are covered by tests. */
export interface SceneShades {
  readonly by: 'churn' | 'coverage';
  /** What the figures count and over what time, in words; why there are none. */
  readonly about: string;
  /** By node; those of which nothing is known are absent. `level` is 0 (little) to 4 (much), `text` the figure in words. */
  readonly of: Readonly<
    Record<
      string,
      {
        readonly level: number;
        readonly text: string;
      }
    >
  >;
}

/** Where an impact goes: its dependents by folder, those with most first, and its tests. */
export interface SceneSpread {
  readonly dependents: number;
  /** `isRest`: what is in a folder beside the parts of it that are told of. */
  readonly parts: readonly {
    readonly label: string;
    readonly count: number;
    readonly isRest: boolean;
  }[];
  readonly tests: number;
  readonly testFiles: number;
}

/** `features/search/searchCode.ts` */
export interface SearchAnswer {
  readonly query: string;
  readonly total: number;
  readonly hits: readonly SearchRow[];
  /** Whether hits carry their centrality, and whether it decided their order. */
  readonly annotated: boolean;
  readonly reranked: boolean;
}

/** What search holds of the files, and where its vectors come from. */
export interface SearchHealth {
  /** Files whose content is searched, of all. */
  readonly words: {
    readonly done: number;
    readonly total: number;
  };
  /** Whether the past commits of files up to HEAD are searched: not yet, or not because git cannot tell them. Owners before this version do not say. */
  readonly history?: 'current' | 'pending' | 'unreadable';
  readonly vectors: {
    readonly state: 'off' | 'waiting' | 'training' | 'embedding' | 'ready' | 'failed';
    /** `workspace`, or kind, host and model of a service. */
    readonly embedder: string;
    readonly dimension: number;
    /** Documents of the index, and how many of them have their vector. */
    readonly documents: number;
    readonly done: number;
    /** Processor time of the last training, beside the main loop. */
    readonly cpuMs: number;
    readonly packBytes: number;
    /** Why it is off, failed, or by other means than asked for. */
    readonly problem?: string;
  };
}

/** `features/search/searchCode.ts` */
export interface SearchParams {
  readonly query: string;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  /** Kinds, or the groups FILE, FUNCTION, CLASS; empty means all. */
  readonly kinds?: readonly string[] | undefined;
  /** Blends in centrality; default: what the settings of the workspace say. */
  readonly rerank?: boolean | undefined;
}

/** `features/search/searchCode.ts` */
export interface SearchRow {
  readonly id: string;
  readonly name: string;
  readonly kind: Kind;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly nameLine: number;
  readonly nameColumn: number;
  /** Its file is being typed and has syntax errors: what is said of it may be of an earlier text. */
  readonly stale?: true;
  /** 0 to 1, relative to the best hit of the whole answer. */
  readonly score: number;
  /** 0 to 1, relative to the most central node. */
  readonly centrality: number;
  readonly blendedScore: number;
  readonly complexity: number;
  readonly summary: string;
  readonly signature: string;
}

/** `features/testSelection/select.ts` */
export interface SelectAnswer {
  readonly since: string;
  readonly changes: ChangeReport;
  /** Best first. */
  readonly tests: readonly SelectedTest[];
  readonly counts: {
    readonly unit: number;
    readonly integration: number;
    readonly e2e: number;
    readonly performance: number;
    readonly unknown: number;
    readonly direct: number;
    readonly transitive: number;
    readonly fallback: number;
  };
  /** Changed functions, methods and classes that no test reaches. */
  readonly uncovered: readonly string[];
  readonly fallback: boolean;
  /** There were more than `maxTests`. */
  readonly truncated: boolean;
  /** All that were found. */
  readonly total: number;
  /** What runs them, one line per framework and folder. */
  readonly commands: readonly string[];
}

/** `files`, or `since`; what is not committed when neither is given. */
export interface SelectParams {
  readonly files?: readonly string[] | undefined;
  readonly since?: string | undefined;
  readonly includeTransitive?: boolean | undefined;
  /** 1 to 10; as far as references lead when absent. */
  readonly depth?: number | undefined;
  readonly categories?: readonly string[] | undefined;
  /** 0 to 1, 0 when absent: of the product of the confidences on the way. */
  readonly minConfidence?: number | undefined;
  readonly maxTests?: number | undefined;
}

/** `features/testSelection/select.ts` */
export interface SelectedTest {
  readonly id: string;
  readonly file: string;
  readonly framework:
    | 'cargo'
    | 'cypress'
    | 'dotnet'
    | 'go'
    | 'gradle'
    | 'jest'
    | 'maven'
    | 'minitest'
    | 'mocha'
    | 'node'
    | 'phpunit'
    | 'playwright'
    | 'pytest'
    | 'rspec'
    | 'unknown'
    | 'vitest';
  readonly category: 'unit' | 'integration' | 'e2e' | 'performance' | 'unknown';
  /** Product of the confidences on the way × 0.85 per step; 1 for a test that changed itself. */
  readonly score: number;
  /** What changed first, the test last. */
  readonly via: readonly string[];
  /**
   * No reference leads here: code on the way `mentions` the name of what changed, or the file of the test `imports` its file in the end. Or the test need not
   * run the change: a file of tests runs it when it `loads`, and a failure there ends the run; or the file `reruns` cases that it imports.
   * Or a coverage report says that it `ran` the change, and nothing else does.
   */
  readonly reason?: 'mentions' | 'imports' | 'loads' | 'reruns' | 'ran';
  /** The coverage report by which the test ran what changed. */
  readonly coverage?: RanBy;
  /** Chosen only because something without symbols changed in its package. */
  readonly fallback?: true;
}

/** `features/architecture/services/overview.ts` */
export interface ServicesAnswer {
  readonly services: readonly {
    readonly name: string;
    readonly role: string;
    readonly root: string;
    readonly language: string;
    readonly framework: string;
    readonly file: string;
    readonly line: number;
    readonly stores: readonly string[];
  }[];
  readonly endpoints: readonly {
    readonly id: string;
    readonly service: string;
    readonly method: string;
    readonly path: string;
    /** Id of the symbol, `''` for one without a name. */
    readonly handler: string;
    readonly file: string;
    readonly line: number;
    /** Where the contract declares it, `''` and 0 without a contract. */
    readonly contractFile: string;
    readonly contractLine: number;
    /** Code of other services that calls it. */
    readonly callers: readonly Side[];
  }[];
  readonly events: readonly {
    readonly name: string;
    readonly publishers: readonly Side[];
    readonly consumers: readonly Side[];
  }[];
  readonly stores: readonly {
    readonly name: string;
    readonly product: string;
    readonly kind: string;
    readonly usedBy: readonly string[];
    readonly file: string;
    readonly line: number;
  }[];
  readonly entities: readonly {
    readonly name: string;
    readonly owner: string;
    readonly referencedBy: readonly string[];
    readonly file: string;
    readonly line: number;
  }[];
  readonly calls: readonly {
    readonly source: string;
    readonly target: string;
    readonly kinds: readonly string[];
    readonly endpoints: readonly string[];
    readonly file: string;
    readonly line: number;
  }[];
  readonly problems: readonly {
    readonly code: string;
    readonly severity: 'info' | 'warning' | 'error';
    readonly message: string;
    readonly service: string;
    readonly file: string;
    readonly line: number;
    /** Places that the message is about. */
    readonly related: readonly {
      readonly name: string;
      readonly file: string;
      readonly line: number;
    }[];
    /** Words of the line that may have to be replaced. */
    readonly fix?: {
      readonly from: string;
      readonly to: string;
    };
  }[];
  /** What the endpoint that was asked for sets off, in order; empty when none was. */
  readonly flow: readonly {
    readonly depth: number;
    readonly kind: 'endpoint' | 'handler' | 'function' | 'publish' | 'store';
    readonly name: string;
    readonly service: string;
    readonly file: string;
    readonly line: number;
    readonly possible?: true;
  }[];
  /** Markdown of each service for agents, within `lattice.services.contextTokenBudget`; when asked for. */
  readonly contexts?: readonly {
    readonly service: string;
    readonly root: string;
    readonly text: string;
  }[];
  /** Uses of known frameworks that are computed when the code runs. */
  readonly skipped: number;
}

/** `features/architecture/services/overview.ts` */
export interface ServicesParams {
  /** Name of one service: only what concerns it. */
  readonly service?: string | undefined;
  /** Endpoint whose flow is asked for: its id, or `GET /orders/{id}`. */
  readonly endpoint?: string | undefined;
  /** True also writes the context of each service. */
  readonly contexts?: boolean | undefined;
}

/** Of all places: `file` is `''` and `line` 0 where nothing names one. */
export interface Side {
  readonly service: string;
  readonly file: string;
  readonly line: number;
}

/** A test that was skipped, with all of its rows of parameters. */
export interface SkippedTest {
  /** As the report of the framework names it. */
  readonly test: string;
  /** Workspace path, where the report says it. */
  readonly file?: string;
}

/** `features/explain/slice.ts` */
export interface SliceAnswer {
  readonly symbol: SymbolRow;
  readonly context: 'body' | 'signature' | 'with-deps' | 'full';
  /** Whole unit, verbatim; `''` for `signature`. */
  readonly code: string;
  readonly signature: string;
  readonly summary: string;
  /** Signatures of what a file or a symbol holds, one a line with its number. */
  readonly outline: readonly string[];
  /** With `with-deps` and `full`: at most ten each, most central first. */
  readonly incomingCallers: readonly string[];
  readonly outgoingCalls: readonly string[];
  /** With `full`: the newest decisions about it, what holds it, or its file. */
  readonly relevantDecisions?: readonly {
    readonly id: string;
    readonly content: string;
    readonly timestamp: string;
  }[];
  /** With `full`: the surest learnings about these. */
  readonly relevantLearnings?: readonly {
    readonly id: string;
    readonly content: string;
    readonly confidence: number;
  }[];
  readonly candidates: readonly string[];
  readonly guessed: boolean;
}

/** At least one of `file`, `symbol`, `query`. */
export interface SliceParams {
  readonly file?: string | undefined;
  readonly symbol?: string | undefined;
  readonly query?: string | undefined;
  readonly context?: 'body' | 'signature' | 'with-deps' | 'full' | undefined;
}

/** Where an edge comes from. */
export type Source = 'derived' | 'dispatch' | 'heuristic' | 'human' | 'import' | 'scip' | 'scope' | 'syntax' | 'type';

/** What an answer is based on. */
export interface Stamp {
  readonly revision: number;
  /** Twelve hexadecimal digits; `''` without git. */
  readonly head: string;
  readonly pendingFiles: number;
  readonly unresolved?: number;
  readonly unsavedFiles?: number;
  readonly staleFiles?: number;
  readonly stale?: readonly string[];
  readonly degraded?: readonly ('contents' | 'history' | 'vectors')[];
  /** Time of the commit that the answer speaks of, in epoch milliseconds; absent for the present. */
  readonly asOf?: number;
  readonly missingFiles?: number;
}

/** `features/compare/graphDiff.ts` */
export interface State {
  readonly name: string;
  /** Twelve hexadecimal digits; `''` without git. For the folder as it is, the commit that it is based on. */
  readonly commit: string;
  /** Time of the commit in epoch milliseconds; absent for the folder as it is. */
  readonly at?: number;
}

/** `features/overview/structure.ts` */
export interface StructureAnswer {
  /** Groups of code that hang together, largest first. */
  readonly communities: readonly {
    readonly id: number;
    /** The folder that most of it is in; where several share one, with what is most central in each. */
    readonly label: string;
    readonly summary: string;
    readonly memberCount: number;
    /** The most central ones. */
    readonly members: readonly SymbolRow[];
  }[];
  readonly communityCount: number;
  /** Files that import each other, largest group first. */
  readonly cycles: readonly (readonly string[])[];
  readonly cycleCount: number;
  /** Functions and types that more than one node depends on. */
  readonly hotspots: readonly Hotspot[];
  /** Empty where past commits are not known. */
  readonly activity: readonly Activity[];
}

/** `features/overview/structure.ts` */
export interface StructureParams {
  /** Most rows of each list, 30 when absent. */
  readonly limit?: number | undefined;
  /** Most members of a community, 20 when absent. */
  readonly members?: number | undefined;
}

/** `features/architecture/suggest.ts` */
export interface SuggestAnswer {
  readonly suggestions: readonly PlaceSuggestion[];
  readonly similarExisting: readonly {
    readonly id: string;
    readonly score: number;
    readonly duplicate: boolean;
  }[];
  /** Atoms that cover a suggested path, and so should say what is new there; of the best place first. */
  readonly atomsToUpdate: readonly AtomToUpdate[];
  /** Folders that were left out because their layer may not use what is needed. */
  readonly dropped: readonly string[];
  /** `mode: rules` only. */
  readonly rulesYaml: string | undefined;
}

/** `features/architecture/suggest.ts` */
export interface SuggestParams {
  readonly mode?: 'place' | 'rules' | undefined;
  /** What the new code does; needed unless rules are asked for. */
  readonly description?: string | undefined;
  readonly kind?: 'class' | 'function' | 'module' | 'component' | 'service' | 'test' | undefined;
  readonly name?: string | undefined;
  /** Ids, paths or names of what it will use. */
  readonly dependsOn?: readonly string[] | undefined;
  readonly limit?: number | undefined;
}

/** `features/editor/places.ts` */
export type SymbolAt = SymbolRow | null;

/** `features/explain/symbolHistory.ts` */
export interface SymbolHistory {
  /** Newest first; the first few of `total`. */
  readonly versions: readonly PastVersion[];
  readonly total: number;
  /** Commits that were looked at, back from HEAD; the symbol may be older. */
  readonly commits: number;
}

/** Kind of a symbol. */
export type SymbolKind =
  | 'class'
  | 'constant'
  | 'constructor'
  | 'enum'
  | 'enum_member'
  | 'field'
  | 'function'
  | 'interface'
  | 'method'
  | 'module'
  | 'namespace'
  | 'property'
  | 'struct'
  | 'trait'
  | 'type'
  | 'variable';

/** A node as answers show it. Lines are 1-based, the column 0-based in UTF-16 code units. */
export interface SymbolRow {
  readonly id: string;
  readonly name: string;
  readonly kind: Kind;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly nameLine: number;
  readonly nameColumn: number;
  /** Its file is being typed and has syntax errors: what is said of it may be of an earlier text. */
  readonly stale?: true;
}

/** `features/editor/places.ts` */
export interface SymbolTree {
  readonly id: string;
  readonly name: string;
  readonly kind: Kind;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly nameLine: number;
  readonly nameColumn: number;
  /** Its file is being typed and has syntax errors: what is said of it may be of an earlier text. */
  readonly stale?: true;
  readonly children: readonly SymbolTree[];
}

/** `features/editor/places.ts` */
export interface Symbols {
  readonly symbols: readonly SymbolRow[];
}

/** `features/knowledge/recordShapes.ts` */
export interface SyncConflict {
  readonly id: string;
  readonly kind: 'molecule' | 'atom';
  readonly name: string;
  readonly reason: 'both_changed' | 'file_gone' | 'row_gone';
  /** Empty when one side is gone. */
  readonly fields: readonly ('name' | 'moleculeId' | 'paths' | 'related' | 'knowledge')[];
  /** Workspace path of the file, if there is one. */
  readonly path: string | null;
}

/** Something about a file that a person has to put right. */
export interface SyncProblem {
  /** Workspace path. */
  readonly path: string;
  /** 1-based; 1 when it is about the whole file. */
  readonly line: number;
  readonly message: string;
  /** What to do about it. */
  readonly fix: string;
  /** An error keeps the file out of an import; a warning does not. */
  readonly severity: 'error' | 'warning';
}

/** `features/knowledge/answers.ts` */
export interface TaskParams {
  readonly taskId: string;
}

/** `tools/definitions/work/taskUpdate.ts` */
export interface TaskUpdate {
  /** After closing the task: what to do for the knowledge about its code. */
  readonly graphHints?: {
    readonly message: string;
    readonly suggestedActions: readonly string[];
  };
}

/** `features/testSelection/run.ts` */
export interface TestCommands {
  readonly commands: readonly {
    readonly command: readonly string[];
    readonly approved: boolean;
  }[];
}

/** A failed test. */
export interface TestFailure {
  /** As the report of the framework names it. */
  readonly test: string;
  /** Workspace path, where the report says it. */
  readonly file?: string;
  /** 1-based. */
  readonly line?: number;
  /** At most 500 characters. */
  readonly message: string;
}

/** `features/testSelection/categorize.ts` */
export interface TestRow {
  readonly id: string;
  readonly file: string;
  readonly framework:
    | 'cargo'
    | 'cypress'
    | 'dotnet'
    | 'go'
    | 'gradle'
    | 'jest'
    | 'maven'
    | 'minitest'
    | 'mocha'
    | 'node'
    | 'phpunit'
    | 'playwright'
    | 'pytest'
    | 'rspec'
    | 'unknown'
    | 'vitest';
  readonly category: 'unit' | 'integration' | 'e2e' | 'performance' | 'unknown';
  readonly reason: string;
}

/** `features/query/traverse.ts` */
export interface TraverseAnswer {
  readonly entries: readonly string[];
  /** Surest path first, then fewest hops, then by place. */
  readonly nodes: readonly TraversedNode[];
  /** Links among the entries and the nodes. */
  readonly edges: readonly EdgeRow[];
  readonly depthReached: number;
  readonly explored: number;
  /** More was found than is listed. */
  readonly truncated: boolean;
  readonly missing: readonly string[];
}

/** `features/query/traverse.ts` */
export interface TraverseParams {
  /** Where the walk begins; what is not found is named in `missing`. */
  readonly entries: readonly string[];
  /** 1 to 4. */
  readonly maxHops?: number | undefined;
  readonly relations?: readonly string[] | undefined;
  /** Node types, kinds, or the groups FILE, FUNCTION, CLASS: what is listed; the walk goes through others too. */
  readonly nodeTypes?: readonly string[] | undefined;
  /** Links less sure than this are not taken; 0 to 1. */
  readonly minConfidence?: number | undefined;
  /** 1 to 200. */
  readonly maxResults?: number | undefined;
  readonly direction?: 'both' | 'out' | 'in' | undefined;
}

/** `features/query/traverse.ts` */
export interface TraversedNode {
  readonly id: string;
  readonly name: string;
  readonly kind: Kind;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly nameLine: number;
  readonly nameColumn: number;
  /** Its file is being typed and has syntax errors: what is said of it may be of an earlier text. */
  readonly stale?: true;
  readonly hops: number;
  /** 0 to 1. */
  readonly centrality: number;
  /** Links from an entry to here. */
  readonly steps: readonly EdgeRow[];
  /** Product of the confidences of the steps. */
  readonly confidence: number;
}

/** `features/editor/hierarchy.ts` */
export interface Types {
  readonly types: readonly HierarchyRow[];
}

/** A dependency between larger units that came, where there was none, or went, where none is left. */
export interface UnitChange {
  readonly level: 'file' | 'folder' | 'package' | 'service' | 'external';
  readonly change: 'added' | 'removed';
  readonly from: string;
  readonly to: string;
}

/** How many sites lead to no node of the workspace. */
export interface UnresolvedCounts {
  readonly unresolved: number;
  readonly external: number;
  /** Sites with at least one candidate. */
  readonly resolved: number;
}

/** One violation of a rule. */
export interface Violation {
  readonly ruleId: string;
  readonly severity: 'info' | 'warning' | 'error';
  /** Line is 1-based. */
  readonly from: {
    readonly id: string;
    readonly file: string;
    readonly line: number;
  };
  /** Id of what is used, or the name of a package from outside; `''` when the violation is not a link. */
  readonly to: string;
  /** Relation in lower case, `''` when the violation is not a link. */
  readonly edge: string;
  readonly layerFrom: string;
  readonly layerTo: string;
  readonly message: string;
  readonly suggestion: string;
  /** Accepted in the baseline: it fails nothing. */
  readonly baseline: boolean;
  /** Line of the rule in the rule file, 0 for none. */
  readonly ruleLine: number;
  /** Of a cycle: every file, layer or service of the cycle. */
  readonly members?: readonly string[];
}

/** What the watcher of a checkout is doing. */
export type WatcherState = 'not_started' | 'idle' | 'detecting' | 'debouncing' | 'rebuilding';

/** `features/work/workTree.ts` */
export interface WorkBlocker {
  readonly kind: 'manual' | 'open' | 'terminated';
  readonly id: string;
  readonly name: string;
  readonly reason: string;
}

/** A feature or a task; what only tasks have is null for features. */
export interface WorkContainer {
  readonly id: string;
  readonly projectId: string;
  readonly type: 'feature' | 'task';
  readonly featureId: string | null;
  readonly name: string;
  readonly summary: string;
  readonly status: WorkStatus;
  readonly priority: 'critical' | 'high' | 'medium' | 'low';
  readonly tags: readonly string[];
  /** Lower comes first. */
  readonly order: number;
  readonly outcome: ('success' | 'failure' | 'partial') | null;
  readonly blockedReason: string | null;
  readonly statusBeforeBlock: WorkStatus | null;
  readonly assignedAgentId: string | null;
  readonly startTxId: string | null;
  /** ISO-8601, as are the other times. */
  readonly closedAt: string | null;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** `fromId` blocks `toId`. */
export interface WorkDependency {
  readonly fromId: string;
  readonly fromName: string;
  readonly fromStatus: WorkStatus;
  readonly toId: string;
  readonly toName: string;
  readonly toStatus: WorkStatus;
}

/** `features/work/workTree.ts` */
export interface WorkFeature {
  readonly id: string;
  readonly name: string;
  readonly summary: string;
  readonly status: WorkStatus;
  readonly priority: 'critical' | 'high' | 'medium' | 'low';
  readonly tags: readonly string[];
  readonly version: number;
  /** What keeps it from moving forward; a task it waits for counts until it is completed. */
  readonly blockers: readonly WorkBlocker[];
  /** Agents at work on it. */
  readonly claimedBy: readonly string[];
  readonly percentComplete: number;
  readonly tasks: readonly WorkTask[];
  readonly taskCount: number;
}

/** `features/work/workItem.ts` */
export interface WorkItemAnswer {
  readonly container: WorkContainer;
  /** In reading order. */
  readonly sections: readonly WorkSection[];
  /** Of a task, in both directions. */
  readonly dependencies: readonly WorkDependency[];
  /** Of a feature, in order. */
  readonly tasks: readonly WorkContainer[];
  /** Newest first. */
  readonly history: readonly WorkVersion[];
  /** Paths and globs that its section *Context Files* names. */
  readonly contextFiles: readonly string[];
}

/** `features/work/workItem.ts` */
export interface WorkItemParams {
  readonly id: string;
  readonly type?: 'feature' | 'task' | undefined;
}

/** `features/work/workItem.ts` */
export interface WorkSearchAnswer {
  readonly items: readonly {
    readonly id: string;
    readonly name: string;
    readonly status: WorkStatus;
  }[];
}

/** `features/work/workItem.ts` */
export interface WorkSearchParams {
  readonly type: 'feature' | 'task';
  readonly query: string;
  readonly limit: number;
}

/** `features/work/workItem.ts` */
export interface WorkSection {
  readonly id: string;
  readonly projectId: string;
  readonly containerId: string;
  readonly title: string;
  /** Markdown. */
  readonly content: string;
  readonly ordinal: number;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Where a feature or task stands. */
export type WorkStatus = 'pending' | 'in_progress' | 'in_review' | 'completed' | 'blocked' | 'terminated';

/** `features/work/workTree.ts` */
export interface WorkTask {
  readonly id: string;
  readonly name: string;
  readonly summary: string;
  readonly status: WorkStatus;
  readonly priority: 'critical' | 'high' | 'medium' | 'low';
  readonly tags: readonly string[];
  readonly version: number;
  /** What keeps it from moving forward; a task it waits for counts until it is completed. */
  readonly blockers: readonly WorkBlocker[];
  /** Agents at work on it. */
  readonly claimedBy: readonly string[];
  readonly assignedAgentId: string | null;
}

/** `features/work/workTree.ts` */
export interface WorkTreeAnswer {
  /** `tasks` are at most the first 10,000 of `taskCount`. */
  readonly features: readonly WorkFeature[];
  /** Those without a feature, as many at most. */
  readonly tasks: readonly WorkTask[];
  readonly taskCount: number;
  readonly nextTaskId: string | null;
}

/** How one version of a feature or task came about. */
export interface WorkVersion {
  readonly version: number;
  readonly changedFields: readonly string[];
  readonly agentId: string | null;
  readonly txId: string | null;
  readonly reason: string | null;
  /** ISO-8601. */
  readonly at: string;
}

/** `features/administration/manage.ts` */
export interface WorkspaceAnswer {
  readonly projectId: string;
  readonly root: string;
  readonly watcherState: WatcherState;
}

/** `features/administration/manage.ts` */
export interface WorkspaceParams {
  readonly workspaceRoot: string;
  readonly sourceDir?: string | undefined;
}

/** `features/editor/places.ts` */
export interface WorkspaceSymbolsParams {
  readonly query: string;
  readonly limit?: number | undefined;
  /** Editor ids of languages: of files in other languages nothing is listed. Files in no language of the graph always are. */
  readonly languages?: readonly string[] | undefined;
}

/** All features by name. */
export interface Features {
  /** Ranked search over code by keywords and meaning. */
  readonly search: { readonly params: SearchParams; readonly answer: Stamped<SearchAnswer> };
  /** A symbol or file with its dependencies and dependents, nearest first. */
  readonly explain: { readonly params: ExplainParams; readonly answer: Stamped<ExplainAnswer> };
  /** Direct and transitive dependents of a symbol, a file, or the changes since a Git revision. */
  readonly impact: { readonly params: ImpactParams; readonly answer: Stamped<ImpactAnswer> };
  /** Source or signature of a symbol, with its callees and callers. */
  readonly slice: { readonly params: SliceParams; readonly answer: Stamped<SliceAnswer> };
  /** Nodes and edges within a number of hops of a node. */
  readonly neighborhood: { readonly params: NeighborhoodParams; readonly answer: Stamped<NeighborhoodAnswer> };
  /** Tests to run for files, or for the changes since a Git revision. */
  readonly selectTests: { readonly params: SelectParams; readonly answer: Stamped<SelectAnswer> };
  /** Test commands of the workspace, and whether each is approved. */
  readonly testCommands: { readonly params: NoParams; readonly answer: TestCommands };
  /** Tests by category and framework. */
  readonly categorizeTests: { readonly params: CategorizeParams; readonly answer: Stamped<CategorizeAnswer> };
  /** Nodes reachable from start nodes along relations. */
  readonly traverse: { readonly params: TraverseParams; readonly answer: Stamped<TraverseAnswer> };
  /** The path with the highest confidence between two nodes. */
  readonly findPath: { readonly params: PathParams; readonly answer: Stamped<PathAnswer> };
  /** Search with results ranked by graph distance to an anchor as well. */
  readonly hybridSearch: { readonly params: HybridParams; readonly answer: Stamped<HybridAnswer> };
  /** The communities of the code, largest first. */
  readonly communities: { readonly params: CommunitiesParams; readonly answer: Stamped<CommunitiesAnswer> };
  /** Answers a natural-language question from search, traversals and communities. */
  readonly graphQuery: { readonly params: GraphQueryParams; readonly answer: Stamped<GraphQueryAnswer> };
  /** Violations of the declared layers and rules. */
  readonly architecture: { readonly params: ArchitectureParams; readonly answer: Stamped<ArchitectureAnswer> };
  /** Services with their endpoints, events, stores, entities, calls and problems; the flow of an endpoint. */
  readonly services: { readonly params: ServicesParams; readonly answer: Stamped<ServicesAnswer> };
  /** A location for new code, or rules that the existing code meets. */
  readonly suggestArchitecture: { readonly params: SuggestParams; readonly answer: Stamped<SuggestAnswer> };
  /** Occurrences of a structural pattern. */
  readonly findPattern: { readonly params: PatternParams; readonly answer: Stamped<PatternAnswer> };
  /** Differences between two states of the code as graphs: symbols, dependencies, what breaks, architecture, tests. */
  readonly graphDiff: { readonly params: GraphDiffParams; readonly answer: Stamped<GraphDiffAnswer> };
  /** Files, functions and classes that were added, removed or modified since an earlier state. */
  readonly diffSince: { readonly params: DiffSinceParams; readonly answer: Stamped<DiffSinceAnswer> };
  /** What the current code changes since a state (by default since the branch began): symbols by reach, what breaks, tests. */
  readonly branchImpact: { readonly params: BranchImpactParams; readonly answer: Stamped<BranchImpactAnswer> };
  /** The text of a file at a commit; null when it did not exist. */
  readonly pastText: { readonly params: PastTextParams; readonly answer: PastTextAnswer };
  /** Branches, tags, commits and transactions that the current code can be compared with. */
  readonly points: { readonly params: NoParams; readonly answer: PointsAnswer };
  /** Saves the current state of the code under a name, for later comparison. */
  readonly markCheckpoint: { readonly params: MarkCheckpointParams; readonly answer: MarkCheckpointAnswer };
  /** Deletes all recorded states of the code before now, and all checkpoints. */
  readonly clearHistory: { readonly params: NoParams; readonly answer: ClearHistoryAnswer };
  /** The text of the rule file with violations accepted or excepted; nothing is written. */
  readonly architectureEdit: { readonly params: ArchitectureEditParams; readonly answer: ArchitectureEdit };
  /** Features with their tasks, tasks without a feature, and the next task. */
  readonly workTree: { readonly params: NoParams; readonly answer: WorkTreeAnswer };
  /** A feature or task with its sections, dependencies, tasks and versions. */
  readonly workItem: { readonly params: WorkItemParams; readonly answer: WorkItemAnswer };
  /** Features or tasks whose name or summary has all words of a query. */
  readonly workSearch: { readonly params: WorkSearchParams; readonly answer: WorkSearchAnswer };
  /** Handles an event of the session of an agent: returns context, records edits and test results, releases claims. */
  readonly agentEvent: { readonly params: AgentEventParams; readonly answer: AgentEventAnswer };
  /** Who is working on what, and what was done, decided and learned. */
  readonly agents: { readonly params: NoParams; readonly answer: AgentsAnswer };
  /** The newest episodes: who recorded them, and what code they are about. */
  readonly latestEpisodes: { readonly params: LatestParams; readonly answer: LatestAnswer };
  /** The active claims: who is working on what. */
  readonly claims: { readonly params: NoParams; readonly answer: ClaimsAnswer };
  /** Ends all claims of an agent, on behalf of a person. */
  readonly releaseAgent: { readonly params: AgentParams; readonly answer: ClaimsAnswer };
  /** Changes the text of an episode, or whether it is sensitive. */
  readonly changeEpisode: { readonly params: EpisodeChangeParams; readonly answer: EpisodeChangedAnswer };
  /** Deletes an episode or a learning. It can be restored while the process that owns the project runs. */
  readonly deleteEpisode: { readonly params: IdParams; readonly answer: EpisodeChangedAnswer };
  /** Restores a deleted episode or learning. */
  readonly restoreEpisode: { readonly params: IdParams; readonly answer: EpisodeChangedAnswer };
  /** State of the index and the engine: counts, freshness and problems. */
  readonly health: { readonly params: NoParams; readonly answer: HealthFeature };
  /** The data of the HTML report. */
  readonly report: { readonly params: NoParams; readonly answer: ReportAnswer };
  /** Hover content for the symbol at a position; null when there is none. */
  readonly hover: { readonly params: HoverParams; readonly answer: Hover };
  /** What happened to a symbol or file: commits, indexed changes, decisions and edits. */
  readonly history: { readonly params: HistoryParams; readonly answer: HistoryAnswer };
  /** Where a symbol is in a commit and in the commit before. */
  readonly commitChange: { readonly params: CommitChangeParams; readonly answer: CommitChangeAnswer };
  /** The symbol used or declared at a position, or the innermost enclosing symbol; null outside symbols. */
  readonly symbolAt: { readonly params: PlaceParams; readonly answer: SymbolAt };
  /** Workspace symbols by name. */
  readonly workspaceSymbols: { readonly params: WorkspaceSymbolsParams; readonly answer: Symbols };
  /** Document symbols of a file, nested. */
  readonly documentSymbols: { readonly params: DocumentParams; readonly answer: DocumentSymbols };
  /** Nodes by ID; unknown IDs are omitted. */
  readonly nodesById: { readonly params: NodesParams; readonly answer: Nodes };
  /** Declarations of a file that can have CodeLens. */
  readonly codeLenses: { readonly params: LensParams; readonly answer: LensPlaces };
  /** Counts for the CodeLens of a declaration; null when it no longer exists. */
  readonly lensCounts: { readonly params: IdParams; readonly answer: Lens };
  /** Lines that name a symbol, certain ones first; none when it no longer exists. */
  readonly references: { readonly params: IdParams; readonly answer: References };
  /** Communities, import cycles, hotspots, and commits by folder and week. */
  readonly structure: { readonly params: StructureParams; readonly answer: Stamped<StructureAnswer> };
  /** The type at a position, or the innermost enclosing type; null when there is none. */
  readonly typeHierarchyItem: { readonly params: PlaceParams; readonly answer: HierarchyItem };
  /** Supertypes of a type. */
  readonly supertypes: { readonly params: IdParams; readonly answer: Types };
  /** Subtypes of a type. */
  readonly subtypes: { readonly params: IdParams; readonly answer: Types };
  /** The symbol at a position, as a call hierarchy item. */
  readonly callHierarchyItem: { readonly params: PlaceParams; readonly answer: HierarchyItem };
  /** Incoming calls of a symbol. */
  readonly incomingCalls: { readonly params: IdParams; readonly answer: Calls };
  /** Outgoing calls of a symbol. */
  readonly outgoingCalls: { readonly params: IdParams; readonly answer: Calls };
  /** A subgraph for display, within a budget of edges. */
  readonly graphScene: { readonly params: SceneParams; readonly answer: SceneDto };
  /** All nodes and edges, paged. */
  readonly exportGraph: { readonly params: QueryExportParams; readonly answer: QueryExportAnswer };
  /** Molecules with their atoms, and folders without coverage. */
  readonly knowledgeTree: { readonly params: NoParams; readonly answer: KnowledgeTreeAnswer };
  /** Files of a folder that no atom covers. */
  readonly knowledgeGapFiles: { readonly params: FolderParams; readonly answer: GapFiles };
  /** Files that the patterns of an atom cover. */
  readonly atomFiles: { readonly params: IdParams; readonly answer: PatternFiles };
  /** Files that patterns cover. */
  readonly patternMatches: { readonly params: PatternsParams; readonly answer: PatternFiles };
  /** Patterns of atoms, updated for a renamed file or folder. */
  readonly movedPatterns: { readonly params: MovedParams; readonly answer: MovedPatterns };
  /** Details of one atom or molecule. */
  readonly knowledgeEntity: { readonly params: GetParams; readonly answer: GetAnswer };
  /** The knowledge about files: the atoms that cover them, under their molecules. */
  readonly knowledgeContext: { readonly params: ContextParams; readonly answer: ContextAnswer };
  /** Atoms or molecules whose name or text has all words of a query. */
  readonly knowledgeSearch: { readonly params: KnowledgeSearchParams; readonly answer: NamedItems };
  /** The changelog of an atom or molecule, newest first. */
  readonly knowledgeChangelog: { readonly params: ChangelogParams; readonly answer: ChangelogAnswer };
  /** Atoms and molecules that a task created, last updated, or logged a change for. */
  readonly knowledgeOfTask: { readonly params: TaskParams; readonly answer: NamedItems };
  /** Atoms and molecules that were deleted, newest first. */
  readonly deletedKnowledge: { readonly params: NoParams; readonly answer: DeletedItems };
  /** Exports knowledge to files. */
  readonly exportKnowledge: { readonly params: KnowledgeExportParams; readonly answer: KnowledgeExportAnswer };
  /** Imports knowledge from files. */
  readonly importKnowledge: { readonly params: ImportParams; readonly answer: ImportAnswer };
  /** Validates the knowledge files. */
  readonly checkKnowledge: { readonly params: NoParams; readonly answer: CheckAnswer };
  /** Conflicts between stored knowledge and knowledge files. */
  readonly knowledgeConflicts: { readonly params: NoParams; readonly answer: ConflictsAnswer };
  /** One conflict: base, stored and file text. */
  readonly knowledgeConflict: { readonly params: IdParams; readonly answer: ConflictAnswer };
  /** Resolves a conflict with one side or with a merged text. */
  readonly resolveKnowledge: { readonly params: ResolveParams; readonly answer: KnowledgeExportAnswer };
  /** Indexing progress. */
  readonly indexStatus: { readonly params: NoParams; readonly answer: IndexStatus };
  /** Queues a rebuild of the index. */
  readonly rebuild: { readonly params: RebuildParams; readonly answer: RebuildAnswer };
  /** Compares the workspace with the index and waits until the index is up to date. */
  readonly catchUp: { readonly params: NoParams; readonly answer: CatchUp };
  /** Waits until a rebuild of the index is over. */
  readonly rebuildEnd: { readonly params: RebuildEndParams; readonly answer: RebuildEnd };
  /** Binds to the workspace folder or to a folder inside it. */
  readonly setWorkspace: { readonly params: WorkspaceParams; readonly answer: WorkspaceAnswer };
}

export type FeatureName = keyof Features;
export type ParamsOf<Name extends FeatureName> = Features[Name]['params'];
export type AnswerOf<Name extends FeatureName> = Features[Name]['answer'];

/**
 * What the editor reads of the data of tools' answers; there are other fields beside. Fields that may be missing are so where they are empty or did not fit.
 */
export interface ToolAnswers {
  readonly impact_analyze: ImpactData;
  readonly test_run: RunReport;
  readonly manage_graph: KnowledgeWrite;
  readonly task_update: TaskUpdate;
  readonly decision_query: Recalled;
}

/** What each tool is given by its own name, in the spelling of its schema; `ToolInput` adds what every tool takes. */
export interface ToolInputs {
  readonly context_pack: {
    readonly task: string;
    readonly taskId?: string | undefined;
    readonly includeDecisions?: boolean | undefined;
    readonly includeEpisodes?: boolean | undefined;
    readonly includeLearnings?: boolean | undefined;
    readonly budget?: { readonly maxTokens?: number | undefined } | undefined;
  };
  readonly search_code: {
    readonly query: string;
    readonly k?: number | undefined;
    readonly chunk_type?: readonly string[] | undefined;
    readonly ego_graph_enabled?: boolean | undefined;
    readonly ego_graph_k_hops?: number | undefined;
    readonly centrality_reranking?: boolean | undefined;
    readonly output_format?: 'compact' | 'ultra' | 'verbose' | undefined;
  };
  readonly code_explain: {
    readonly target: string;
    readonly depth?: number | undefined;
    readonly history?: boolean | undefined;
    readonly historyLimit?: number | undefined;
    readonly includeSlices?: boolean | undefined;
  };
  readonly semantic_slice: {
    readonly symbol?: string | undefined;
    readonly file?: string | undefined;
    readonly query?: string | undefined;
    readonly context?: 'body' | 'full' | 'signature' | 'with-deps' | undefined;
  };
  readonly impact_analyze: {
    readonly target?: string | undefined;
    readonly files?: readonly string[] | undefined;
    readonly since?: string | undefined;
    readonly maxDepth?: number | undefined;
    readonly relations?: readonly string[] | undefined;
    readonly scope?: 'all' | 'code' | 'services' | undefined;
  };
  readonly query_graph_neighborhood: {
    readonly node_id: string;
    readonly radius?: number | undefined;
    readonly undirected?: boolean | undefined;
    readonly filter_node_types?: readonly string[] | undefined;
    readonly filter_edge_types?: readonly string[] | undefined;
    readonly max_nodes?: number | undefined;
  };
  readonly graph_query: {
    readonly query: string;
    readonly language?: 'cypher' | 'natural' | undefined;
    readonly mode?: 'global' | 'hybrid' | 'local' | undefined;
    readonly types?: readonly string[] | undefined;
    readonly entities?: readonly string[] | undefined;
    readonly limit?: number | undefined;
    readonly parameters?: Record<string, unknown> | undefined;
    readonly timeout_ms?: number | undefined;
  };
  readonly graph_traverse: {
    readonly entry_entity_ids: readonly string[];
    readonly max_hops?: number | undefined;
    readonly relationship_types?: readonly string[] | undefined;
    readonly entity_types?: readonly string[] | undefined;
    readonly direction?: 'both' | 'in' | 'out' | undefined;
    readonly min_confidence?: number | undefined;
    readonly max_results?: number | undefined;
    readonly include_paths?: boolean | undefined;
  };
  readonly find_path: {
    readonly source: string;
    readonly target: string;
    readonly undirected?: boolean | undefined;
    readonly relationship_types?: readonly string[] | undefined;
    readonly min_confidence?: number | undefined;
  };
  readonly hybrid_search: {
    readonly query: string;
    readonly n_results?: number | undefined;
    readonly node_types?: readonly string[] | undefined;
    readonly service_name?: string | undefined;
    readonly mode?: 'bm25' | 'graph' | 'hybrid' | 'vector' | undefined;
    readonly anchor_node_id?: string | undefined;
    readonly semantic_weight?: number | undefined;
    readonly graph_weight?: number | undefined;
  };
  readonly community_list: {
    readonly limit?: number | undefined;
    readonly minMembers?: number | undefined;
    readonly clustering?: 'all' | 'calls-imports' | undefined;
  };
  readonly graph_diff: {
    readonly from?: string | undefined;
    readonly to?: string | undefined;
    readonly include?: ('api' | 'architecture' | 'edges' | 'nodes' | 'tests')[] | undefined;
    readonly scope?: string | undefined;
  };
  readonly diff_since: { readonly since: string; readonly types?: ('CLASS' | 'FILE' | 'FUNCTION')[] | undefined };
  readonly find_pattern: {
    readonly pattern: string;
    readonly paths?: readonly string[] | undefined;
    readonly minSeverity?: 'error' | 'info' | 'warning' | undefined;
    readonly limit?: number | undefined;
  };
  readonly arch_validate: {
    readonly files?: readonly string[] | undefined;
    readonly since?: string | undefined;
    readonly rules?: readonly string[] | undefined;
    readonly query?: string | undefined;
    readonly includeBoundaries?: boolean | undefined;
    readonly minSeverity?: 'error' | 'info' | 'warning' | undefined;
  };
  readonly arch_suggest: {
    readonly description?: string | undefined;
    readonly mode?: 'place' | 'rules' | undefined;
    readonly kind?: 'class' | 'component' | 'function' | 'module' | 'service' | 'test' | undefined;
    readonly name?: string | undefined;
    readonly dependsOn?: readonly string[] | undefined;
    readonly limit?: number | undefined;
  };
  readonly get_service_context: {
    readonly service_name: string;
    readonly output_format?: 'compact' | 'verbose' | undefined;
    readonly include_consumed_apis?: boolean | undefined;
    readonly include_provided_apis?: boolean | undefined;
    readonly include_events?: boolean | undefined;
    readonly include_entities?: boolean | undefined;
    readonly include_dependencies?: boolean | undefined;
    readonly max_depth?: number | undefined;
  };
  readonly find_cross_service_impact: {
    readonly node_id: string;
    readonly output_format?: 'compact' | 'verbose' | undefined;
    readonly max_depth?: number | undefined;
  };
  readonly check_cross_service_events: { readonly output_format?: 'compact' | 'verbose' | undefined; readonly service_name?: string | undefined };
  readonly validate_service_boundaries: { readonly output_format?: 'compact' | 'verbose' | undefined; readonly resolution?: number | undefined };
  readonly build_knowledge_graph: {
    readonly output_format?: 'compact' | 'verbose' | undefined;
    readonly project_name?: string | undefined;
    readonly force_rebuild?: boolean | undefined;
    readonly service_interfaces_json?: string | undefined;
  };
  readonly test_select: {
    readonly files?: readonly string[] | undefined;
    readonly since?: string | undefined;
    readonly includeTransitive?: boolean | undefined;
    readonly depth?: number | undefined;
    readonly categories?: ('e2e' | 'integration' | 'performance' | 'unit' | 'unknown')[] | undefined;
    readonly minConfidence?: number | undefined;
    readonly maxTests?: number | undefined;
  };
  readonly test_categorize: {
    readonly paths?: readonly string[] | undefined;
    readonly category?: 'e2e' | 'integration' | 'performance' | 'unit' | 'unknown' | undefined;
    readonly framework?: string | undefined;
  };
  readonly test_run: {
    readonly tests?: readonly string[] | undefined;
    readonly affected?: boolean | undefined;
    readonly timeoutMs?: number | undefined;
    readonly dryRun?: boolean | undefined;
    readonly taskId?: string | undefined;
  };
  readonly query_graph: {
    readonly operation: 'context' | 'get' | 'search';
    readonly entityType?: 'atom' | 'molecule' | undefined;
    readonly id?: string | undefined;
    readonly paths?: readonly string[] | undefined;
    readonly query?: string | undefined;
    readonly moleculeId?: string | undefined;
    readonly orphansOnly?: boolean | undefined;
    readonly includeChangelog?: boolean | undefined;
    readonly changelogLimit?: number | undefined;
    readonly history?: boolean | undefined;
    readonly version?: number | undefined;
    readonly limit?: number | undefined;
    readonly offset?: number | undefined;
  };
  readonly manage_graph: {
    readonly operation: 'create' | 'delete' | 'update';
    readonly entityType: 'atom' | 'molecule';
    readonly id?: string | undefined;
    readonly version?: number | undefined;
    readonly name?: string | undefined;
    readonly paths?: readonly string[] | undefined;
    readonly knowledge?: string | undefined;
    readonly knowledgeMode?: 'append' | 'overwrite' | undefined;
    readonly moleculeId?: string | null | undefined;
    readonly relatedAtoms?: { readonly atomId: string; readonly reason: string }[] | undefined;
    readonly relatedMolecules?: { readonly moleculeId: string; readonly reason: string }[] | undefined;
    readonly createdByTaskId?: string | undefined;
    readonly lastTaskId?: string | undefined;
    readonly restoreVersion?: number | undefined;
    readonly cascade?: boolean | undefined;
  };
  readonly manage_changelog: {
    readonly operation: 'append' | 'search';
    readonly parentType: 'atom' | 'molecule';
    readonly parentId: string;
    readonly taskId?: string | undefined;
    readonly summary?: string | undefined;
    readonly limit?: number | undefined;
    readonly offset?: number | undefined;
  };
  readonly task_update: {
    readonly taskId: string;
    readonly status?: 'blocked' | 'cancelled' | 'completed' | 'failed' | 'in_progress' | 'in_review' | 'pending' | 'terminated' | undefined;
    readonly transition?: 'advance' | 'block' | 'revert' | 'terminate' | 'unblock' | undefined;
    readonly fields?:
      | {
          readonly name?: string | undefined;
          readonly summary?: string | undefined;
          readonly priority?: 'critical' | 'high' | 'low' | 'medium' | undefined;
          readonly order?: number | undefined;
          readonly tags?: readonly string[] | undefined;
          readonly featureId?: string | null | undefined;
          readonly assignedAgentId?: string | null | undefined;
        }
      | undefined;
    readonly reason?: string | undefined;
    readonly outcome?: 'failure' | 'partial' | 'success' | undefined;
    readonly agentId?: string | undefined;
    readonly version?: number | undefined;
    readonly restoreVersion?: number | undefined;
  };
  readonly advance: {
    readonly id: string;
    readonly version: number;
    readonly action?: 'advance' | 'block' | 'revert' | 'terminate' | 'unblock' | undefined;
    readonly to?: 'cancelled' | 'failed' | undefined;
    readonly reason?: string | undefined;
    readonly outcome?: 'failure' | 'partial' | 'success' | undefined;
  };
  readonly revert: { readonly id: string; readonly version: number; readonly reason?: string | undefined };
  readonly terminate: {
    readonly id: string;
    readonly version: number;
    readonly reason: string;
    readonly to?: 'cancelled' | 'failed' | undefined;
    readonly outcome?: 'failure' | 'partial' | 'success' | undefined;
  };
  readonly block: { readonly id: string; readonly version: number; readonly reason: string };
  readonly unblock: { readonly id: string; readonly version: number; readonly reason?: string | undefined };
  readonly query_container: {
    readonly operation: 'get' | 'overview' | 'search';
    readonly containerType?: 'feature' | 'task' | undefined;
    readonly id?: string | undefined;
    readonly query?: string | undefined;
    readonly status?: ('blocked' | 'completed' | 'in_progress' | 'in_review' | 'pending' | 'terminated')[] | undefined;
    readonly tags?: readonly string[] | undefined;
    readonly featureId?: string | undefined;
    readonly includeGraphContext?: boolean | undefined;
    readonly history?: boolean | undefined;
    readonly limit?: number | undefined;
    readonly offset?: number | undefined;
  };
  readonly manage_container: {
    readonly operation: 'create' | 'delete' | 'update';
    readonly containerType: 'feature' | 'task';
    readonly id?: string | undefined;
    readonly version?: number | undefined;
    readonly name?: string | undefined;
    readonly summary?: string | undefined;
    readonly parentId?: string | null | undefined;
    readonly priority?: 'critical' | 'high' | 'low' | 'medium' | undefined;
    readonly order?: number | undefined;
    readonly tags?: readonly string[] | undefined;
    readonly templateId?: string | undefined;
  };
  readonly query_sections: { readonly containerId: string; readonly title?: string | undefined };
  readonly manage_sections: {
    readonly operation: 'add' | 'create' | 'delete' | 'reorder' | 'update';
    readonly containerId?: string | undefined;
    readonly id?: string | undefined;
    readonly title?: string | undefined;
    readonly content?: string | undefined;
    readonly ordinal?: number | undefined;
    readonly version?: number | undefined;
    readonly ids?: readonly string[] | undefined;
  };
  readonly get_next_task: { readonly featureId?: string | undefined; readonly limit?: number | undefined };
  readonly get_next_feature: { readonly limit?: number | undefined };
  readonly manage_dependency: { readonly operation: 'add' | 'remove'; readonly fromId: string; readonly toId: string };
  readonly manage_template: {
    readonly operation: 'apply' | 'create' | 'delete' | 'list' | 'update';
    readonly id?: string | undefined;
    readonly name?: string | undefined;
    readonly containerType?: 'feature' | 'task' | undefined;
    readonly sections?: { readonly title: string; readonly content?: string | undefined; readonly ordinal?: number | undefined }[] | undefined;
    readonly targetId?: string | undefined;
  };
  readonly manage_tag: {
    readonly operation: 'apply' | 'create' | 'delete' | 'list' | 'update';
    readonly id?: string | undefined;
    readonly name?: string | undefined;
    readonly targetId?: string | undefined;
  };
  readonly progress_query: {
    readonly type?: 'feature' | 'task' | undefined;
    readonly status?: ('blocked' | 'completed' | 'in_progress' | 'in_review' | 'pending' | 'terminated')[] | undefined;
    readonly featureId?: string | undefined;
    readonly agentId?: string | undefined;
    readonly blockedOnly?: boolean | undefined;
    readonly query?: string | undefined;
    readonly limit?: number | undefined;
    readonly offset?: number | undefined;
  };
  readonly feature_status: { readonly featureId: string };
  readonly blocking_issues: { readonly featureId?: string | undefined };
  readonly episode_add: {
    readonly type: 'DECISION' | 'EDIT' | 'ERROR' | 'OBSERVATION' | 'TEST_RESULT';
    readonly content: string;
    readonly entities?: readonly string[] | undefined;
    readonly taskId?: string | undefined;
    readonly outcome?: 'failure' | 'partial' | 'success' | undefined;
    readonly metadata?: Record<string, unknown> | undefined;
    readonly sensitive?: boolean | undefined;
  };
  readonly episode_recall: {
    readonly query: string;
    readonly agentId?: string | undefined;
    readonly taskId?: string | undefined;
    readonly types?: ('DECISION' | 'EDIT' | 'ERROR' | 'LEARNING' | 'OBSERVATION' | 'REFLECTION' | 'TEST_RESULT')[] | undefined;
    readonly entities?: readonly string[] | undefined;
    readonly limit?: number | undefined;
    readonly since?: string | undefined;
    readonly includeSensitive?: boolean | undefined;
  };
  readonly decision_query: { readonly query: string; readonly affectedFiles?: readonly string[] | undefined; readonly limit?: number | undefined };
  readonly reflect: { readonly taskId?: string | undefined; readonly agentId?: string | undefined; readonly limit?: number | undefined };
  readonly agent_claim: {
    readonly targetId: string;
    readonly claimType: 'feature' | 'file' | 'function' | 'task';
    readonly intent: string;
    readonly taskId?: string | undefined;
  };
  readonly agent_release: { readonly claimId: string; readonly outcome?: string | undefined };
  readonly agent_status: { readonly agentId: string };
  readonly coordination_overview: Readonly<Record<never, never>>;
  readonly graph_health: Readonly<Record<never, never>>;
  readonly graph_rebuild: {
    readonly mode?: 'full' | 'incremental' | undefined;
    readonly scope?: 'all' | 'code' | undefined;
    readonly paths?: readonly string[] | undefined;
  };
  readonly graph_set_workspace: { readonly workspaceRoot: string; readonly sourceDir?: string | undefined };
  readonly graph_backup: { readonly label?: string | undefined };
  readonly graph_restore: { readonly backupId: string; readonly verifyOnly?: boolean | undefined };
}
