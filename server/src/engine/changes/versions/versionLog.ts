import { Packr } from 'msgpackr';
import { neverCancelled } from '../../../base/cancellation';
import { extname, type WorkspacePath } from '../../../base/path';
import type { Clock } from '../../../base/ports';
import type { Turn } from '../../../base/yield';
import { absoluteOf, type FileHost } from '../../../code/files/host';
import { changesRules } from '../../../code/files/scan';
import type { GraphView } from '../../../code/graph/graphView';
import { isManifest } from '../../../code/resolve/resolver';
import type { StableId } from '../../../model/ids';
import { languageOfExtension } from '../../../model/languages';
import type { HistorySettings } from '../../../model/settings';
import { isServiceFile } from '../../../services/serviceFile';
import type { Disk } from '../../../store/disk';
import { PackFile } from '../../../store/packs';
import type { GraphTx } from '../../../store/transactions';
import { hashOf } from '../../indexing/fileLoader';
import type { FileTable, TrackedFile } from '../../indexing/fileTable';
import { type FileChange, type FileVersion, isSameVersion, joinedChanges, versionOf } from './fileVersion';
import { type EdgeKey, type GraphVersions, versionsBetween } from './graphVersions';
import { groupsOf, horizonOf, type KeptStep } from './retention';

export interface VersionLogOptions {
  readonly root: string;
  readonly host: FileHost;
  readonly disk: Disk;
  readonly packPath: string;
  readonly table: FileTable;
  readonly clock: Clock;
  readonly transactions: { find(id: string): GraphTx | undefined };
  readonly settings: () => HistorySettings;
  /** Transactions whose states outlive every limit. */
  readonly pins: () => Iterable<string>;
  /** Whether contents of files can be read from a commit. */
  readonly hasCommit: () => boolean;
  /** A superseded owner must not touch the files of its successor. */
  readonly mayWrite: () => boolean;
}

/** What a run changed; files as they were before it by path, `undefined` for those that were not there. */
export interface NotedRun {
  readonly before: GraphView;
  readonly after: GraphView;
  readonly previous: ReadonlyMap<WorkspacePath, TrackedFile | undefined>;
  /** Files that look different now, those that depend on changed ones included. */
  readonly changed: readonly WorkspacePath[];
  /** There was no index before. */
  readonly isFirst: boolean;
}

/** The files of a checkout as they were after a transaction. */
export interface RecordedState {
  readonly txId: string;
  readonly at: number;
  /** HEAD at that transaction. */
  readonly commit: string | undefined;
  readonly files: ReadonlyMap<WorkspacePath, FileVersion>;
  /** Texts of files that decide how others are read (manifests, ignore files), and of those beside the code that are in no commit, by content hash. */
  text(contentHash: string): Promise<Uint8Array | undefined>;
}

/** Edges of one node that a transaction started and ended. */
export interface EdgeChange {
  readonly txId: string;
  readonly started: readonly EdgeKey[];
  readonly ended: readonly EdgeKey[];
}

/** One version of a node in the log. */
export interface NodeVersion {
  readonly txId: string;
  readonly kind: string;
  readonly supersedes: boolean;
  readonly renamedFrom?: StableId;
  /** The transaction that ended it; absent for the current version. */
  readonly endedBy?: string;
}

export interface VersionLogHealth {
  /** Since when all states are kept, in epoch milliseconds; 0 where none is. */
  readonly horizon: number;
  readonly bytes: number;
  readonly transactions: number;
  /** Epoch milliseconds; 0 before the first compaction. */
  readonly compactedAt: number;
}

/** Raised when the records change: older logs are then started afresh. */
const VERSION = '1';
const HEAD = 'head';
const COMPACT_AFTER = 200;
/** Texts beside the code that are larger are not kept. */
const MAX_TEXT_BYTES = 256 << 10;

/** What a record of the pack keeps of a transaction; its graph versions stand in another, read for histories only. */
interface Step {
  readonly place: number;
  readonly txId: string;
  readonly files: readonly FileChange[];
  readonly bytes: number;
}

interface Head {
  /** Steps up to `last` that are kept; all after it are. */
  readonly kept: readonly number[];
  readonly last: number;
  /** The oldest step from which on all are kept. */
  readonly horizon: number;
  readonly compactedAt: number;
}

/**
 * What each transaction changed in the files of a checkout and in its graph. A past state is the current one with the files that differ exchanged for what they
 * were: contents are named by their hash, and their facts are in the pack of facts, which asks here what it must keep. Called one after another, in the lane of
 * the engine. What cannot be written costs history and nothing else: it then starts over.
 */
export class VersionLog {
  readonly #options: VersionLogOptions;
  readonly #packr = new Packr({ useRecords: true, moreTypes: true, sequential: false });
  #opened: Promise<void> | undefined;
  #pack: PackFile | undefined;
  #steps: Step[] = [];
  #next = 0;
  #horizon = 0;
  #compactedAt = 0;
  #sinceCompaction = 0;
  /** Of committed transactions that were looked up, by ID. */
  readonly #sequences = new Map<string, number>();

  constructor(options: VersionLogOptions) {
    this.#options = options;
  }

  /** Reads what is kept; before it `health` knows of nothing. Everything else does it by itself. */
  open(): Promise<void> {
    this.#opened ??= this.#load();
    return this.#opened;
  }

  get health(): VersionLogHealth {
    const first = this.#steps.find(({ place }) => place >= this.#horizon);
    const at = first === undefined ? undefined : this.#options.transactions.find(first.txId)?.timestamp;
    return { horizon: at ?? 0, bytes: this.#pack?.stats.fileBytes ?? 0, transactions: this.#steps.length, compactedAt: this.#compactedAt };
  }

  /** So many transactions since the last compaction that another is due. */
  get isCompactionDue(): boolean {
    return this.#sinceCompaction >= COMPACT_AFTER;
  }

  /** Keys of the facts that states in the log are made of. */
  async factsKeys(): Promise<ReadonlySet<string>> {
    await this.open();
    const keys = new Set<string>();
    for (const { files } of this.#steps)
      for (const { after, before } of files) for (const version of [before, after]) if (version?.factsKey != null) keys.add(version.factsKey);
    return keys;
  }

  /** Before the transaction is committed: a transaction that is in the journal is in the log. Answers with the numbers of versions that it started or ended. */
  async note(txId: string, run: NotedRun): Promise<{ readonly nodes: number; readonly edges: number } | undefined> {
    if (!this.#options.mayWrite()) return undefined;
    await this.open();
    if (run.isFirst) {
      await this.#restart(txId);
      return undefined;
    }
    const files = this.#changesOf(run.previous);
    const versions = versionsBetween(run.before, run.after, new Set([...run.changed, ...run.previous.keys()]));
    await this.#keepTexts(
      files.map(({ path }) => path),
      true,
    );
    const bytes = this.#put(this.#next, txId, files, versions);
    this.#steps.push({ place: this.#next++, txId, files, bytes });
    this.#sinceCompaction++;
    const flushed = await this.#pack?.flush();
    if (flushed?.ok !== true) await this.#restart(txId);
    const { ended, endedEdges, started, startedEdges } = versions;
    return { nodes: started.length + ended.length, edges: startedEdges.length + endedEdges.length };
  }

  /** The state after the last transaction that is not later than `seq`; `undefined` where that is not kept. */
  async stateAt(seq: number): Promise<RecordedState | undefined> {
    await this.open();
    const { table } = this.#options;
    const point = this.#pointAt(seq);
    if (point === undefined) return undefined;
    // Between two points that are kept before the horizon there were others.
    if (point.step.place < this.#horizon && !this.#isPoint(point.step, seq)) return undefined;
    const files = new Map([...table.values()].map(tracked => [tracked.record.path, this.#versionOf(tracked)]));
    const versions = new Map<WorkspacePath, FileVersion | null>();
    for (const { files: changes, place } of this.#steps) {
      for (const { after, before, path } of changes) {
        if (place <= point.step.place) versions.set(path, after);
        else if (!versions.has(path)) versions.set(path, before);
      }
    }
    for (const [path, version] of versions) {
      if (version === null) files.delete(path);
      else files.set(path, version);
    }
    const { gitCommit, timestamp: at } = point.tx;
    return { txId: point.step.txId, at, commit: gitCommit ?? undefined, files, text: hash => this.#pack?.get(keyOfText(hash)) ?? Promise.resolve(undefined) };
  }

  /** The last step whose transaction is not later than `seq`. From the newest on: most questions are about recent states, and each transaction is a query. */
  #pointAt(seq: number): { readonly step: Step; readonly tx: GraphTx } | undefined {
    for (let at = this.#steps.length - 1; at >= 0; at--) {
      const step = this.#steps[at];
      if (step === undefined || (this.#sequences.get(step.txId) ?? 0) > seq) continue;
      const tx = this.#options.transactions.find(step.txId);
      if (tx === undefined || tx.status !== 'committed') continue;
      this.#sequences.set(step.txId, tx.seq);
      if (tx.seq <= seq) return { step, tx };
    }
    return undefined;
  }

  /** Versions of a node of the current code that the log knows, oldest first. */
  async versionsOf(id: StableId, path: WorkspacePath): Promise<readonly NodeVersion[]> {
    await this.open();
    const found: NodeVersion[] = [];
    for (const { files, place, txId } of this.#steps) {
      if (!files.some(change => change.path === path)) continue;
      const versions = await this.#read<GraphVersions>(keyOfVersions(place));
      const last = found.at(-1);
      if (last !== undefined && last.endedBy === undefined && versions?.ended.includes(id) === true) found.splice(-1, 1, { ...last, endedBy: txId });
      const started = versions?.started.find(node => node.id === id);
      if (started === undefined) continue;
      const { kind, renamedFrom, supersedes } = started;
      found.push({ txId, kind, supersedes, ...(renamedFrom === undefined ? {} : { renamedFrom }) });
    }
    return found;
  }

  /** Which edges that start at a node each transaction started and ended, oldest first. */
  async edgeChangesOf(id: StableId): Promise<readonly EdgeChange[]> {
    await this.open();
    const found: EdgeChange[] = [];
    for (const { place, txId } of this.#steps) {
      const versions = await this.#read<GraphVersions>(keyOfVersions(place));
      const started = versions?.startedEdges.filter(([source]) => source === id) ?? [];
      const ended = versions?.endedEdges.filter(([source]) => source === id) ?? [];
      if (started.length + ended.length > 0) found.push({ txId, started, ended });
    }
    return found;
  }

  /** Brings the log within its limits. The same states between the horizon and now before and after. */
  async compact(turn: Turn): Promise<readonly string[]> {
    await this.open();
    const { clock, mayWrite, pins, settings, transactions } = this.#options;
    if (!mayWrite() || this.#pack === undefined) return [];
    this.#sinceCompaction = 0;
    const steps = this.#steps.map((step): KeptStep & { readonly step: Step } => ({
      step,
      txId: step.txId,
      bytes: step.bytes,
      at: transactions.find(step.txId)?.timestamp ?? clock.now(),
    }));
    const horizon = horizonOf(steps, settings(), clock.now());
    const groups = groupsOf(steps, horizon, this.#pinned(new Set(pins()))) as (typeof steps)[];
    const pruned = steps.filter(({ txId }) => !groups.some(group => group.at(-1)?.txId === txId)).map(({ txId }) => txId);
    if (pruned.length > 0) {
      const kept: Step[] = [];
      for (const group of groups) {
        await turn.check(neverCancelled);
        const { place, txId } = (group.at(-1) as (typeof steps)[number]).step;
        if (group.length === 1 && kept.length > 0) {
          kept.push((group[0] as (typeof steps)[number]).step);
          continue;
        }
        // What led to the first state that is kept is not needed: the state follows from what came after it.
        const files = kept.length === 0 ? [] : group.reduce<readonly FileChange[]>((sum, { step }) => joinedChanges(sum, step.files), []);
        kept.push({ place, txId, files, bytes: this.#put(place, txId, files, undefined) });
      }
      this.#steps = kept;
      this.#horizon = steps[horizon]?.step.place ?? this.#next;
    }
    this.#compactedAt = clock.now();
    await this.#saveHead();
    await this.#pack.compact(this.#liveKeys());
    this.#pack.releaseImage();
    return pruned;
  }

  /** Forgets all states before the current one, on disk as well. */
  async clear(txId: string): Promise<void> {
    await this.open();
    const { disk, mayWrite, packPath } = this.#options;
    if (!mayWrite()) return;
    await this.#pack?.close();
    await disk.remove(packPath);
    this.#pack = undefined;
    this.#opened = undefined;
    await this.open();
    await this.#restart(txId);
  }

  async close(): Promise<void> {
    await this.#opened;
    await this.#pack?.close();
  }

  /** A pin names any transaction; the state at it is that of the last step that is not later. */
  #pinned(asked: ReadonlySet<string>): ReadonlySet<string> {
    const { transactions } = this.#options;
    const pinned = new Set<string>();
    for (const id of asked) {
      const seq = transactions.find(id)?.seq;
      if (seq === undefined) continue;
      const step = this.#steps.findLast(each => (transactions.find(each.txId)?.seq ?? Number.POSITIVE_INFINITY) <= seq);
      if (step !== undefined) pinned.add(step.txId);
    }
    return pinned;
  }

  /** Before the horizon, whether a state was asked for by a transaction that is pinned there. */
  #isPoint(step: Step, seq: number): boolean {
    const { pins, transactions } = this.#options;
    if (transactions.find(step.txId)?.seq === seq) return true;
    return [...pins()].some(id => transactions.find(id)?.seq === seq);
  }

  #changesOf(previous: NotedRun['previous']): FileChange[] {
    const { table } = this.#options;
    const changes = [...previous].map(([path, before]): FileChange => {
      const after = table.get(path);
      return { path, before: before === undefined ? null : this.#versionOf(before), after: after === undefined ? null : this.#versionOf(after) };
    });
    return changes.filter(({ after, before }) => !isSameVersion(before, after));
  }

  #versionOf(tracked: TrackedFile): FileVersion {
    return versionOf(tracked, languageOfExtension(extname(tracked.record.path)) !== undefined);
  }

  /** From here on everything is known again. */
  async #restart(txId: string): Promise<void> {
    this.#steps = [];
    this.#horizon = this.#next;
    // What is committed is read from there.
    await this.#keepTexts([...this.#options.table.paths()], !this.#options.hasCommit());
    this.#steps.push({ place: this.#next, txId, files: [], bytes: this.#put(this.#next, txId, [], undefined) });
    this.#next++;
    await this.#saveHead();
  }

  #put(place: number, txId: string, files: readonly FileChange[], versions: GraphVersions | undefined): number {
    const step = this.#packr.pack({ place, txId, files });
    this.#pack?.put(keyOfStep(place), step);
    const rows = versions === undefined ? undefined : this.#packr.pack(versions);
    if (rows !== undefined) this.#pack?.put(keyOfVersions(place), rows);
    return step.length + (rows?.length ?? 0);
  }

  /** `besideCode`: also of files that services are read from. */
  async #keepTexts(paths: readonly WorkspacePath[], besideCode: boolean): Promise<void> {
    const { host, root, table } = this.#options;
    for (const path of paths) {
      const { contentHash: hash = '', sizeBytes = 0 } = table.get(path)?.record ?? {};
      if (!decides(path) && !(besideCode && isServiceFile(path) && sizeBytes <= MAX_TEXT_BYTES)) continue;
      if (hash === '' || this.#pack?.has(keyOfText(hash)) !== false) continue;
      const bytes = await host.read(absoluteOf(root, path)).catch(() => undefined);
      // Written to since it was indexed: the next transaction has it.
      if (bytes !== undefined && hashOf(bytes) === hash) this.#pack.put(keyOfText(hash), bytes);
    }
  }

  async #saveHead(): Promise<void> {
    const head: Head = { kept: this.#steps.map(({ place }) => place), last: this.#next - 1, horizon: this.#horizon, compactedAt: this.#compactedAt };
    this.#pack?.put(HEAD, this.#packr.pack(head));
    await this.#pack?.flush();
  }

  #liveKeys(): ReadonlySet<string> {
    const keys = new Set([HEAD]);
    const texts = new Set<string>();
    const noteText = (path: WorkspacePath, version: FileVersion | null): void => {
      if (version !== null && (decides(path) || isServiceFile(path))) texts.add(keyOfText(version.contentHash));
    };
    for (const { files, place } of this.#steps) {
      keys.add(keyOfStep(place)).add(keyOfVersions(place));
      for (const { after, before, path } of files) for (const version of [before, after]) noteText(path, version);
    }
    for (const tracked of this.#options.table.values()) noteText(tracked.record.path, this.#versionOf(tracked));
    return new Set([...keys, ...texts]);
  }

  async #load(): Promise<void> {
    const { disk, packPath } = this.#options;
    const opened = await PackFile.open({ path: packPath, version: VERSION, disk });
    if (!opened.ok) return;
    this.#pack = opened.value;
    const head = await this.#read<Head>(HEAD);
    const kept = new Set(head?.kept);
    const last = head?.last ?? -1;
    this.#horizon = head?.horizon ?? 0;
    this.#compactedAt = head?.compactedAt ?? 0;
    const steps: Step[] = [];
    for (const key of this.#pack.keys()) {
      const place = placeOf(key);
      if (place === undefined || (place <= last && !kept.has(place))) continue;
      const record = await this.#read<Omit<Step, 'bytes'>>(key);
      if (record !== undefined) steps.push({ ...record, bytes: await this.#bytesAt(place) });
    }
    this.#steps = steps.sort((a, b) => a.place - b.place);
    this.#next = Math.max(last, this.#steps.at(-1)?.place ?? -1) + 1;
    // A record that was lost leaves a gap that nothing can fill: history begins behind it.
    const gap = this.#steps.findLastIndex(({ place }, at) => place > Math.max(last, this.#horizon) && this.#steps[at - 1]?.place !== place - 1);
    if (gap > 0) {
      this.#horizon = this.#steps[gap]?.place ?? this.#next;
      this.#steps = this.#steps.slice(gap);
    }
    this.#sinceCompaction = this.#steps.filter(({ place }) => place > last).length;
    opened.value.releaseImage();
  }

  async #bytesAt(place: number): Promise<number> {
    let bytes = 0;
    for (const key of [keyOfStep(place), keyOfVersions(place)]) if (this.#pack?.has(key) === true) bytes += (await this.#pack.get(key))?.length ?? 0;
    return bytes;
  }

  async #read<T>(key: string): Promise<T | undefined> {
    if (this.#pack?.has(key) !== true) return undefined;
    const bytes = await this.#pack.get(key);
    return bytes === undefined ? undefined : (this.#packr.unpack(bytes) as T);
  }
}

/** Whether others are read by what the file says. */
function decides(path: WorkspacePath): boolean {
  return isManifest(path) || changesRules(path);
}

function keyOfStep(place: number): string {
  return `step:${place}`;
}

function keyOfVersions(place: number): string {
  return `versions:${place}`;
}

function keyOfText(contentHash: string): string {
  return `text:${contentHash}`;
}

function placeOf(key: string): number | undefined {
  return key.startsWith('step:') ? Number(key.slice('step:'.length)) : undefined;
}
