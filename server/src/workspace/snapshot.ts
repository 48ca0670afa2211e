import type { CancellationToken } from '../base/cancellation';
import type { WorkspacePath } from '../base/path';
import type { Failure, Result } from '../base/result';
import type { GraphNode, GraphView } from '../code/graph/graphView';
import type { Backups } from '../model/backups';
import type { StableId } from '../model/ids';
import type { LanguageId } from '../model/languages';
import type { Records } from '../model/records';
import type { RetrievalSettings } from '../model/settings';
import type { SearchView } from '../search/searchView';
import type { ArchitecturePort } from './architecture';
import type { ChangeSet, GitReference, VersionFailure } from './changes';
import type { CoveragePort } from './coverage';
import type { KnowledgeFiles } from './knowledgeFiles';
import type { PastChanges } from './pastChanges';
import type { RecordedEdge, RecordedHistory, RecordedVersion } from './recordedVersions';
import type { ServicesPort } from './services';
import type { TestRunner } from './testRunner';

/** What an answer was computed from. Goes at the top of every answer. */
export interface Stamp {
  readonly revision: number;
  /** First 12 hex digits of git HEAD, `''` without git. */
  readonly head: string;
  /** Files known to have changed that are not in this revision. */
  readonly pendingFiles: number;
  /** References at the symbols asked about that could not be resolved. */
  readonly unresolved?: number;
  /** Documents that some editor window holds unsaved (agents see the disk). */
  readonly unsavedFiles?: number;
  /** Documents of the asker whose text is newer than what the answer says of them: they have syntax errors, or are being read. Rows of theirs are marked. */
  readonly staleFiles?: number;
  /** Some of the files in the answer that have changed since the graph was made of them: what is said of them may not hold any more. */
  readonly stale?: readonly WorkspacePath[];
  /** What the answer would rest on and does not: `contents` of files and their `history` (past commits) that are still being read, or that git cannot tell, `vectors` that are still being learned. */
  readonly degraded?: readonly SearchLack[];
  /** Time of the commit that the answer speaks of, in epoch milliseconds; `head` names it. Absent for the present. */
  readonly asOf?: number;
  /** Files of that commit whose content is not in this clone: nothing is known of what is in them. */
  readonly missingFiles?: number;
}

/** What a search does not look at yet. */
export type SearchLack = 'contents' | 'history' | 'vectors';

/** Immutable: everything read from one snapshot speaks of the same revision. */
export interface Snapshot {
  readonly revision: number;
  readonly graph: GraphView;
  readonly search: SearchView;
  readonly stamp: Stamp;
  /** Files, and folders that are gone, whose text is known to be newer than this; absent when there are none. */
  readonly stale?: ReadonlySet<WorkspacePath>;
}

/** `not_started`, or what the state machine of the watcher is in. */
export type WatcherState = 'not_started' | 'idle' | 'detecting' | 'debouncing' | 'rebuilding';

/** How far indexing is. `done` and `total` count files of the phase. */
export interface IndexProgress {
  /** `failed` needs `problem`; `ready` with one can be asked, but could not be saved. */
  readonly phase: 'starting' | 'scanning' | 'parsing' | 'resolving' | 'saving' | 'ready' | 'failed';
  readonly done: number;
  readonly total: number;
  readonly problem?: string;
  /** What goes on behind an index that is ready, in words. */
  readonly background?: string;
}

/** Counts of one language; `errorNodes` of `nodes` of the syntax trees are errors. */
export interface LanguageHealth {
  readonly language: LanguageId;
  readonly files: number;
  readonly symbols: number;
  readonly lines: number;
  readonly nodes: number;
  readonly errorNodes: number;
}

/** A file or folder that was indexed around, with the reason. */
export interface FileProblem {
  readonly path: WorkspacePath;
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
  readonly staleFiles: readonly WorkspacePath[];
  /** Why it could not be read. */
  readonly problem?: string;
}

/** What search holds of the files, and where its vectors come from. */
export interface SearchHealth {
  /** Files whose content is searched, of all. */
  readonly words: { readonly done: number; readonly total: number };
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

/** State of the machinery, beside what the graph itself can tell. */
export interface EngineHealth {
  readonly progress: IndexProgress;
  readonly watcherState: WatcherState;
  readonly pendingFiles: number;
  readonly languages: readonly LanguageHealth[];
  /** At most 200; `problemCounts` counts all. */
  readonly problems: readonly FileProblem[];
  readonly problemCounts: Readonly<Partial<Record<FileProblem['code'], number>>>;
  readonly skipped: { readonly ignored: number; readonly generated: number; readonly minified: number };
  /** Precise indexes that were found or asked for; owners before this version have none. */
  readonly precise?: readonly PreciseIndexHealth[];
  /** Owners before this version have none. */
  readonly search?: SearchHealth;
  readonly latestTxId: string;
  readonly latestTxTimestamp: number;
  readonly txCount: number;
  /** Newest last, at most 10. */
  /** What is kept of earlier states; owners before this version do not say. */
  readonly history?: RecordedHistory;
  readonly recentEvents: readonly { readonly at: number; readonly kind: string; readonly files: number; readonly txId?: string }[];
  readonly storeBytes: { readonly journal: number; readonly view: number; readonly packs: number };
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

/** Lines `startLine` to `endLine` (1-based, inclusive) of a file. */
export interface SymbolSource {
  readonly code: string;
  readonly startLine: number;
  readonly endLine: number;
  /** The file has changed since the snapshot: the source is right, what else the snapshot says of the file may not be. */
  readonly isStale: boolean;
}

/** What a feature is handed. */
export interface Workspace {
  /** Absolute path of the checkout in the platform's spelling. For display and for opening files, never inside ids. */
  readonly root: string;
  readonly name: string;

  /**
   * The current snapshot. `NOT_READY` until the first index is done.
   * Files named in `touching` are compared with the disk first and re-indexed within 200 ms, else counted as pending; at most 50.
   * Where what is written stands on the version of a file, `patienceMs` gives these files more time.
   */
  snapshot(touching: readonly WorkspacePath[], token: CancellationToken, patienceMs?: number): Promise<Result<Snapshot, Failure>>;
  /** The snapshot of this instant without looking at the disk (hover while indexing); `undefined` before the first revision. */
  current(): Snapshot | undefined;
  /** Text as the asker sees it: the unsaved text of an open document, else the file on disk. Only paths in the graph; else `FORBIDDEN`. */
  readText(path: WorkspacePath): Promise<Result<string, Failure>>;
  /**
   * Source of a symbol of a snapshot, from its file as the asker sees it now. Where that differs from the text the snapshot was made of (`fileHash`),
   * the symbol is looked up in it by its id: `NOT_FOUND` when it is there no more.
   */
  readSymbol(symbol: GraphNode, fileHash: string): Promise<Result<SymbolSource, Failure>>;
  /**
   * What changed since a version: a revision, a range of commits, a time or a transaction; without one, what is not committed.
   * `NOT_FOUND` for an unknown version, `UNAVAILABLE` where nothing can tell (no git).
   */
  changes(since: string | undefined, token: CancellationToken): Promise<Result<ChangeSet, VersionFailure>>;
  /**
   * The workspace as it was: its code at a commit, tag, branch, time or transaction. Knowledge and work are those of today, and nothing can be changed.
   * A time to come means now. Absent where there is no past to look at. Services are in its graph when they are asked for, `withServices` or by its `services`:
   * making them may take longer than everything else.
   */
  asOf?(when: string, token: CancellationToken, how?: { readonly withServices?: boolean }): Promise<Result<Workspace, VersionFailure>>;
  /** A text of a file as it was at a moment that `asOf` takes, without a graph of it; `undefined` where there was no such file. Absent where there is no past to look at. */
  textAt?(path: WorkspacePath, when: string, token: CancellationToken): Promise<Result<string | undefined, VersionFailure>>;
  /** A text with its comments blank, line by line; `undefined` for what is not parsed. */
  codeText?(path: WorkspacePath, text: string): Promise<string | undefined>;
  health(): EngineHealth;
  /** How far the background has come that search stands on; absent where there is none. */
  searchHealth?(): SearchHealth;
  /** How search is to rank; absent means the defaults. */
  readonly retrieval?: RetrievalSettings;
  /** The query's vector where vectors come from a service; `undefined` when it is not needed or the service does not answer in time. */
  embedQuery?(text: string): Promise<Readonly<Float32Array> | undefined>;
  /** What past commits changed, up to HEAD or a little before; `undefined` without git or before it is known. */
  pastChanges?(): PastChanges | undefined;
  /** Versions of a node that the index has recorded, newest first. Absent where nothing is recorded. */
  versionsOf?(id: StableId, path: WorkspacePath): Promise<readonly RecordedVersion[]>;
  /** Versions of the edges that start at a node, newest first. Absent where nothing is recorded. */
  edgeVersionsOf?(id: StableId): Promise<readonly RecordedEdge[]>;
  /** Branches and tags, those with the newest commits first. Absent where nothing is known of git. */
  references?(token: CancellationToken): Promise<readonly GitReference[]>;
  /** Names of those who made some commits, as git tells them now; they are not kept. Empty where git cannot tell. */
  authorsOf?(commits: readonly string[], token: CancellationToken): Promise<ReadonlyMap<string, string>>;
  readonly tests: TestRunner;
  readonly architecture: ArchitecturePort;
  /** Absent where the disk does not say what the code is: of past states. */
  readonly coverage?: CoveragePort;
  /** What people and agents wrote, of the whole project. */
  readonly records: Records;
  readonly knowledgeFiles: KnowledgeFiles;
  /** Absent where nothing is kept. */
  readonly backups?: Backups;
  /** Absent where nothing is known of services. */
  readonly services?: ServicesPort;
  /** Lets others run: answers that may take more than some milliseconds call it between steps. */
  pause?(): Promise<void>;
  /** Waits for this answer's turn: answers that take some milliseconds each begin one by one, so that a hundred of them do not delay a hover. */
  takeTurn?(): Promise<void>;
  commands: Commands;
}

/** The write side. */
export interface Commands {
  /** Queues a rebuild and answers at once with the transaction it will be. */
  rebuild(request: RebuildRequest): Promise<Result<{ readonly txId: string }, Failure>>;
  /**
   * Resolves when that rebuild is over and on disk. `INTERNAL` when it failed, `UNAVAILABLE` when its owner ended before it did,
   * `NOT_FOUND` for what is no rebuild of this workspace. Throws `Cancelled`.
   */
  rebuildEnd(txId: string, token: CancellationToken): Promise<Result<void, Failure>>;
  /** Resolves when everything that has changed in the folder until now is indexed, seen by the watcher or not. Throws `Cancelled`. */
  catchUp(token: CancellationToken): Promise<Result<void, Failure>>;
  /** Forgets all recorded states before now. Absent where nothing is recorded. */
  clearHistory?(): Promise<Result<void, Failure>>;
}

/** What is to be indexed again. */
export interface RebuildRequest {
  readonly mode: 'incremental' | 'full';
  /** Limits the rebuild to these files or folders; empty means all. */
  readonly paths: readonly WorkspacePath[];
  readonly agentId: string | undefined;
  readonly sessionId: string | undefined;
}
