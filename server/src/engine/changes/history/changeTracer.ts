import type { CancellationToken } from '../../../base/cancellation';
import type { Turn } from '../../../base/yield';
import type { GitPlace } from '../../../code/files/git';
import type { GraphView } from '../../../code/graph/graphView';
import type { Disk } from '../../../store/disk';
import { PackFile } from '../../../store/packs';
import type { PastChanges } from '../../../workspace/pastChanges';
import { type ChangeColumns, changesIn, joined, packed, unpacked } from './changeColumns';
import { MAX_COMMITS, traceChanges } from './traceChanges';

export interface ChangeTracerOptions {
  readonly root: string;
  readonly git: GitPlace | undefined;
  /** The commit that HEAD is at. */
  readonly commit: () => string | undefined;
  readonly graph: () => GraphView | undefined;
  readonly disk: Disk;
  readonly packPath: string;
  /** A superseded owner must not touch the files of its successor. */
  readonly mayWrite: () => boolean;
}

/** Raised when the columns or what they mean change: older packs are then started afresh. */
const VERSION = '2';
const KEY = 'changes';

/** Keeps what past commits changed in step with HEAD, on disk and at hand. Without git there is nothing. */
export class ChangeTracer {
  readonly #options: ChangeTracerOptions;
  #columns: ChangeColumns | undefined;
  #changes: PastChanges | undefined;
  #unreadable: string | undefined;
  #pack: PackFile | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(options: ChangeTracerOptions) {
    this.#options = options;
  }

  /** Up to where HEAD is, or was a moment ago. */
  get changes(): PastChanges | undefined {
    return this.#changes;
  }

  /** Whether it goes up to HEAD, not yet, or git cannot tell. */
  get state(): 'current' | 'pending' | 'unreadable' {
    const commit = this.#options.commit();
    if (commit === undefined || commit === this.#columns?.head) return 'current';
    return commit === this.#unreadable ? 'unreadable' : 'pending';
  }

  /** Takes over what an earlier process saved; before the first answer, so that answers do not depend on when they are asked for. */
  async restore(): Promise<void> {
    const { disk, git, packPath } = this.#options;
    if (git === undefined) return;
    const opened = await PackFile.open({ path: packPath, version: VERSION, disk });
    if (!opened.ok) return;
    this.#pack = opened.value;
    const bytes = await opened.value.get(KEY);
    opened.value.releaseImage();
    const columns = bytes === undefined ? undefined : unpacked(bytes);
    if (columns !== undefined) this.#take(columns);
  }

  /** Goes on to where HEAD is now. Durable when it resolves. Rejects with `Cancelled`. */
  complete(turn: Turn, token: CancellationToken): Promise<void> {
    this.#running = this.#complete(turn, token);
    return this.#running;
  }

  async close(): Promise<void> {
    await this.#running.catch(() => undefined);
    await this.#pack?.close();
  }

  async #complete(turn: Turn, token: CancellationToken): Promise<void> {
    const { commit: head, git: place, graph, mayWrite, root } = this.#options;
    const commit = head();
    const view = graph();
    if (place === undefined || commit === undefined || view === undefined || this.state !== 'pending') return;
    const traced = await traceChanges({ folder: root, place, head: commit, graph: view, before: this.#columns, turn }, token);
    if (!traced.ok) {
      this.#unreadable = commit;
      return;
    }
    await turn.check(token);
    const columns = joined(commit, traced.value.later, traced.value.before, MAX_COMMITS);
    this.#take(columns);
    if (!mayWrite()) return;
    this.#pack?.put(KEY, packed(columns));
    await this.#pack?.flush();
    await this.#pack?.compact(new Set([KEY]));
    this.#pack?.releaseImage();
  }

  #take(columns: ChangeColumns): void {
    this.#columns = columns;
    this.#changes = changesIn(columns);
  }
}
