import type { WorkspacePath } from '../../base/path';
import type { Clock } from '../../base/ports';
import type { ChangeBatcher } from '../../code/files/batcher';
import type { FileHost } from '../../code/files/host';
import { isSameSignature, statFiles } from '../../code/files/stats';
import type { FileTable } from '../indexing/fileTable';
import type { PreciseFiles } from '../precise/preciseFiles';
import type { FolderTimes } from './folderTimes';
import type { HeadWatch } from './headWatch';

export interface FreshnessOptions {
  readonly root: string;
  readonly host: FileHost;
  readonly clock: Clock;
  readonly table: FileTable;
  readonly batcher: ChangeBatcher;
  readonly headWatch: HeadWatch;
  readonly folders: FolderTimes;
  /** Another object for each revision. */
  readonly revision: () => object | undefined;
  readonly isIgnored: (path: WorkspacePath) => boolean;
  readonly precise: PreciseFiles;
  readonly reindex: (paths: readonly WorkspacePath[]) => Promise<void>;
  readonly onHeadMoved: () => void;
}

/** Most files looked at before an answer, and the longest an answer waits for them. */
const MAX_TOUCHED = 50;
const MAX_WAIT_MS = 200;
const HEAD_EVERY_MS = 100;

/** The look at the disk before an answer: what changed since the last revision is indexed first, or said to be pending. */
export class Freshness {
  readonly #stale = new Set<WorkspacePath>();
  #headSeenAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: FreshnessOptions) {}

  /** Files that an answer found changed and that are not indexed yet. */
  get stale(): ReadonlySet<WorkspacePath> {
    return this.#stale;
  }

  /** Files that differ from the index and are known to, and folders that are gone. */
  get pendingPaths(): ReadonlySet<WorkspacePath> {
    return new Set([...this.options.batcher.pendingPaths, ...this.#stale]);
  }

  /** Never rejects and never takes much longer than `MAX_WAIT_MS`; `patienceMs` waits longer for the files themselves. */
  async check(touching: readonly WorkspacePath[], patienceMs: number = MAX_WAIT_MS): Promise<void> {
    const { batcher } = this.options;
    await this.lookAtHead();
    const pending = batcher.pendingChanges > 0 ? batcher.flush() : Promise.resolve();
    const looked = touching.slice(0, MAX_TOUCHED);
    const changed = await this.#changed(looked);
    // What could not be indexed and now is as it was (a folder that came back) waits for nothing any more.
    for (const path of looked) this.#stale.delete(path);
    for (const path of changed) this.#stale.add(path);
    const reindexed = changed.length === 0 ? Promise.resolve() : this.options.reindex(changed).then(() => changed.forEach(path => this.#stale.delete(path)));
    await Promise.all([bounded(pending, MAX_WAIT_MS), bounded(reindexed, patienceMs)]);
  }

  /** Answers look at HEAD ten times a second at most; `now` looks in any case. */
  async lookAtHead(now = false): Promise<void> {
    const { clock, headWatch, onHeadMoved } = this.options;
    const at = clock.monotonic();
    if (!now && at - this.#headSeenAt < HEAD_EVERY_MS) return;
    this.#headSeenAt = at;
    if (await headWatch.refresh()) onHeadMoved();
  }

  async #changed(touching: readonly WorkspacePath[]): Promise<WorkspacePath[]> {
    const { folders, host, isIgnored, precise, revision, root, table } = this.options;
    const outcomes = await statFiles(root, touching, host);
    const changed = touching.filter((path, at) => {
      const tracked = table.get(path);
      const outcome = outcomes[at];
      if (tracked === undefined || outcome === undefined || outcome.state === 'unknown') return false;
      return outcome.state === 'gone' || !isSameSignature(outcome.signature, tracked.signature);
    });
    const key = revision();
    const cameOrWent = key === undefined ? [] : await folders.look(key, table, touching, isIgnored);
    const indexes = key !== undefined && (await precise.hasChanged()) ? precise.paths : [];
    return [...new Set([...changed, ...cameOrWent.map(change => change.path), ...indexes])];
  }
}

async function bounded(work: Promise<unknown>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>(resolve => {
    timer = setTimeout(resolve, timeoutMs);
  });
  await Promise.race([
    work.then(
      () => undefined,
      () => undefined,
    ),
    late,
  ]);
  clearTimeout(timer);
}
