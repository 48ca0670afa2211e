import type { WorkspacePath } from '../../base/path';
import type { Turn } from '../../base/yield';
import type { SearchHealth } from '../../workspace/snapshot';
import type { FileLoader } from '../indexing/fileLoader';
import type { IndexState } from '../indexing/indexState';
import type { ContentSource } from './contentSource';

export interface ContentIndexerOptions {
  readonly state: IndexState;
  readonly loader: FileLoader;
  readonly source: ContentSource;
  readonly commit: () => string | undefined;
  /** Has the engine's lane call `indexBatch`. */
  readonly indexBatch: () => Promise<unknown>;
  /** Makes the index durable, in the lane. */
  readonly save: () => Promise<unknown>;
}

/** Files between two chances for other work. */
const BATCH = 100;

/**
 * Brings content and history of files into the search index behind the first index and after HEAD has moved, some files at a time,
 * so that edits and questions never wait for the whole.
 */
export class ContentIndexer {
  readonly #options: ContentIndexerOptions;
  #running: Promise<void> | undefined;

  constructor(options: ContentIndexerOptions) {
    this.#options = options;
  }

  /** Resolves when nothing is missing and the index is durable; rejects when the lane is closed. */
  complete(): Promise<void> {
    this.#running ??= this.#complete().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  isComplete(): boolean {
    const { commit, source, state } = this.#options;
    return state.pendingContent.size === 0 && (state.pendingContent.commit === commit() || source.isUnreadable);
  }

  /** Up to which commit search knows the history of files: that of HEAD, an earlier one, or none because git cannot tell. */
  get history(): NonNullable<SearchHealth['history']> {
    const { source, state } = this.#options;
    if (source.isUnreadable) return 'unreadable';
    if (state.pendingContent.commit !== this.#options.commit()) return 'pending';
    return state.pendingContent.size > 0 && this.#options.commit() !== undefined ? 'pending' : 'current';
  }

  /** One batch; runs in the lane. */
  async indexBatch(turn: Turn): Promise<void> {
    const { loader, state } = this.#options;
    const paths = state.pendingContent.some(BATCH);
    const files = [];
    for (const path of paths) {
      const tracked = state.table.get(path);
      if (tracked !== undefined) files.push({ tracked, facts: await loader.factsOf(tracked) });
    }
    await state.indexContent(files, turn);
    state.pendingContent.settle(paths);
    if (state.pendingContent.size === 0) state.publishSearch();
  }

  async #complete(): Promise<void> {
    const { commit, loader, indexBatch, save, source, state } = this.#options;
    this.#distrust();
    if (this.isComplete()) return;
    while (!this.isComplete()) {
      const now = commit();
      if (now !== state.pendingContent.commit && !source.isUnreadable) {
        const isKnown = (path: WorkspacePath): boolean => state.table.get(path) !== undefined;
        const changed = await source.changedSince(state.pendingContent.commit);
        if (!source.isUnreadable) state.pendingContent.addHistory(changed.filter(isKnown));
        state.pendingContent.commit = now;
      }
      this.#distrust();
      while (state.pendingContent.size > 0) await indexBatch();
    }
    loader.release();
    await save();
  }

  /** What is indexed while git cannot tell has no history: the next process is to read it for all files. */
  #distrust(): void {
    const { source, state } = this.#options;
    if (source.isUnreadable) state.pendingContent.commit = undefined;
  }
}
