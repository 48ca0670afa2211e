import type { Disposable } from '../../base/disposable';
import type { Event } from '../../base/emitter';
import type { Log } from '../../base/ports';
import { runSteps } from '../../base/steps';
import type { GraphView } from '../../code/graph/graphView';
import { renamesOf } from '../../features/compare/renames';
import { endChangedClaims } from '../../features/memory/claims';
import { anchorsOfRemovedCode, foundByContent, noteMoves, removedSince } from '../../features/memory/places';
import type { StableId } from '../../model/ids';
import type { IndexProgress, Workspace } from '../../workspace/snapshot';

/** A move comes in two parts, in any order: the old file goes, the new one is there. Revisions that may lie between. */
const MAX_SEEN = 4;

/** What the keeper looks at of an engine. */
export interface ClaimedCode {
  readonly onRevision: Event<unknown>;
  readonly onProgress: Event<IndexProgress>;
  readonly progress: IndexProgress;
  workspace(viewer: string | undefined): Workspace;
}

/** Keeps memory in step with the code of a checkout, revision by revision: ends claims whose code has changed, follows renames. Also what happened while nobody looked. */
export class MemoryKeeper implements Disposable {
  readonly #listening: readonly Disposable[];
  /** The look that goes on; one more follows when something happened meanwhile. */
  #running: Promise<void> | undefined;
  #again = false;
  #phase: IndexProgress['phase'] | undefined;
  #closed = false;
  /** The code as it was looked at, oldest first. */
  #seen: readonly GraphView[] = [];

  constructor(
    private readonly code: ClaimedCode,
    private readonly log: Log,
  ) {
    this.#listening = [code.onRevision(() => this.#look()), code.onProgress(({ phase }) => this.#enter(phase))];
  }

  /** Reports of what goes on behind a readable index come by the thousand and say nothing new of the code. */
  #enter(phase: IndexProgress['phase']): void {
    if (phase === this.#phase) return;
    this.#phase = phase;
    this.#look();
  }

  /** Resolves when all that happened so far was looked at. */
  async settled(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  /** Resolves when nothing is being written any more. What was not looked at yet, the next owner sees. */
  async close(): Promise<void> {
    this.dispose();
    await this.settled();
  }

  dispose(): void {
    this.#closed = true;
    for (const listener of this.#listening) listener.dispose();
  }

  /** A graph that is still being read lacks files that are there. */
  #look(): void {
    if (this.#closed || this.code.progress.phase !== 'ready') return;
    if (this.#running !== undefined) {
      this.#again = true;
      return;
    }
    this.#again = false;
    this.#running = this.#keep().finally(() => {
      this.#running = undefined;
      if (this.#again) this.#look();
    });
  }

  async #keep(): Promise<void> {
    try {
      const workspace = this.code.workspace(undefined);
      const ended = await endChangedClaims(workspace);
      if (!ended.ok) this.log.write('warn', `Claims on changed code could not be ended: ${ended.error.message}`);
      await this.#follow(workspace);
    } catch (error) {
      this.log.write('error', `updating memory after a change of the code: ${String(error)}`);
    }
  }

  async #follow(workspace: Workspace): Promise<void> {
    const { records } = workspace;
    const graph = workspace.current()?.graph;
    if (graph === undefined || graph === this.#seen.at(-1)) return;
    const renames = new Map<StableId, StableId>();
    for (const before of this.#seen) {
      const gone = removedSince(before, graph, records).filter(id => !renames.has(id));
      for (const [from, to] of await renamesOf(before, graph, gone, steps => runSteps(steps, () => workspace.pause?.()))) renames.set(from, to);
    }
    await noteMoves(workspace, this.#seen.length > 0 ? renames : foundByContent(graph, anchorsOfRemovedCode(graph, records)));
    this.#seen = [...this.#seen, graph].slice(-MAX_SEEN);
  }
}
