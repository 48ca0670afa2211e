import type { WorkspacePath } from '../../../base/path';
import type { PatchedFile } from './patchLog';

/** Follows files back through renames: each commit, newest first, says which files of today it changed. A rename alone changes nothing; a file ends where it was added. */
export class FileTracker {
  /** What they were called after the commit to come → what they are called today. */
  readonly #names: Map<string, WorkspacePath>;

  constructor(files: Iterable<WorkspacePath>) {
    this.#names = new Map([...files].map(path => [path, path]));
  }

  /** Those that a commit changed, as they are called today, in order of its files. */
  back(files: readonly PatchedFile[]): readonly WorkspacePath[] {
    const changed: WorkspacePath[] = [];
    const earlier = new Map<string, WorkspacePath>();
    for (const { changes, oldPath, path } of files) {
      const today = path === undefined ? undefined : this.#names.get(path);
      if (path === undefined || today === undefined) continue;
      if (changes.length > 0) changed.push(today);
      if (oldPath === path) continue;
      this.#names.delete(path);
      if (oldPath !== undefined) earlier.set(oldPath, today);
    }
    for (const [path, today] of earlier) this.#names.set(path, today);
    return changed;
  }
}
