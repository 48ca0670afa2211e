import type { WorkspacePath } from '../../base/path';

/** Which files the search index knows by their facts only, and up to which commit it knows the history of the others. */
export class PendingContent {
  /** The commit of the histories that are in the index. */
  commit: string | undefined;
  readonly #paths = new Set<WorkspacePath>();
  /** Those of `#paths` whose content is in the index: only their history is out of date. */
  readonly #historyOnly = new Set<WorkspacePath>();

  get size(): number {
    return this.#paths.size;
  }

  /** Files whose content is not in the index. */
  get withoutContent(): number {
    return this.#paths.size - this.#historyOnly.size;
  }

  add(paths: Iterable<WorkspacePath>): void {
    for (const path of paths) {
      this.#paths.add(path);
      this.#historyOnly.delete(path);
    }
  }

  /** Files whose commits are others now. */
  addHistory(paths: Iterable<WorkspacePath>): void {
    for (const path of paths) {
      if (this.#paths.has(path)) continue;
      this.#paths.add(path);
      this.#historyOnly.add(path);
    }
  }

  settle(paths: Iterable<WorkspacePath>): void {
    for (const path of paths) {
      this.#paths.delete(path);
      this.#historyOnly.delete(path);
    }
  }

  /** At most `count` of them. */
  some(count: number): readonly WorkspacePath[] {
    const taken: WorkspacePath[] = [];
    for (const path of this.#paths) {
      if (taken.length === count) break;
      taken.push(path);
    }
    return taken;
  }
}
