import { neverCancelled } from '../../base/cancellation';
import { deferred } from '../../base/deferred';
import { Emitter } from '../../base/emitter';
import type { WorkspacePath } from '../../base/path';
import { type Failure, ok, type Result } from '../../base/result';
import type { Turn } from '../../base/yield';
import type { GraphView } from '../../code/graph/graphView';
import type { LayerStack } from '../../layers/layerStack';
import type { Snapshot } from '../../workspace/snapshot';
import type { IndexState } from '../indexing/indexState';
import type { Unsaved } from '../indexing/unsaved';
import type { Freshness } from '../watching/freshness';
import type { HeadWatch } from '../watching/headWatch';

export interface SnapshotsOptions {
  readonly state: IndexState;
  readonly layers: LayerStack;
  readonly unsaved: Unsaved;
  readonly headWatch: HeadWatch;
  readonly freshness: Pick<Freshness, 'pendingPaths'>;
  readonly onPublish: (graph: GraphView) => void;
}

/** What readers see: the last revision of the index under the layers as they are, with the unsaved text of a window for that window. */
export class Snapshots {
  readonly #options: SnapshotsOptions;
  readonly #revision = new Emitter<{ readonly revision: number; readonly changed: readonly WorkspacePath[] }>();
  readonly #first = deferred<Result<void, Failure>>();
  /** Of the index; undefined before the first one. */
  #codeRevision: number | undefined;

  readonly onRevision = this.#revision.event;
  /** Resolves with the first revision, or with why there is none. */
  readonly first = this.#first.promise;

  constructor(options: SnapshotsOptions) {
    this.#options = options;
  }

  get hasAny(): boolean {
    return this.#codeRevision !== undefined;
  }

  /** Makes the state of the index what is seen from now on; the first time when the layers above it have been read. */
  async publish(changed: readonly WorkspacePath[], turn: Turn): Promise<void> {
    const { layers, state } = this.#options;
    const { published } = state;
    if (published === undefined) return;
    if (!this.hasAny) await layers.prepare(published.graph, () => turn.check(neverCancelled));
    this.#codeRevision = published.graph.revision;
    this.#first.resolve(ok(undefined));
    this.#tell(changed);
    this.#options.onPublish(published.graph);
  }

  /** What people and agents wrote is a revision like any other. */
  layersChanged(): void {
    this.#tell([]);
  }

  /** There will be no first revision. */
  fail(failure: Result<void, Failure>): void {
    this.#first.resolve(failure);
  }

  /** `viewer` names an editor session whose unsaved documents count. */
  current(viewer: string | undefined): Snapshot | undefined {
    const { headWatch, layers, state, unsaved } = this.#options;
    const { published } = state;
    if (this.#codeRevision === undefined || published === undefined) return undefined;
    const unsavedFiles = viewer === undefined ? unsaved.countDiffering(state.table) : 0;
    const typed = viewer === undefined ? [] : unsaved.stalePaths(viewer);
    const pending = this.#options.freshness.pendingPaths;
    const stale = new Set([...pending, ...typed]);
    const seen = viewer === undefined ? published : (unsaved.fresh(viewer, published) ?? unsaved.newest(viewer) ?? published);
    const revision = this.#codeRevision + layers.revision;
    const stamp = {
      revision,
      head: headWatch.short,
      pendingFiles: pending.size,
      ...(unsavedFiles > 0 ? { unsavedFiles } : {}),
      ...(typed.length > 0 ? { staleFiles: typed.length } : {}),
    };
    return { revision, graph: layers.over(seen.graph), search: seen.search, stamp, ...(stale.size > 0 ? { stale } : {}) };
  }

  dispose(): void {
    this.#options.layers.dispose();
    this.#revision.dispose();
  }

  #tell(changed: readonly WorkspacePath[]): void {
    if (this.#codeRevision !== undefined) this.#revision.fire({ revision: this.#codeRevision + this.#options.layers.revision, changed });
  }
}
