import type { WorkspacePath } from '../../../base/path';
import type { StableId } from '../../../model/ids';
import type { SymbolSpan } from '../../../workspace/changes';
import type { LineChange, PatchedFile } from './patchLog';

interface Tracked {
  readonly id: StableId;
  start: number;
  end: number;
}

/**
 * Follows the lines of symbols back through history, all at once, as `git log -L` does for one range: each commit, newest first, says which symbols it
 * changed, and moves all to where they were before it. A symbol ends where a commit added all of it.
 */
export class SpanTracker {
  #files: Map<string, Tracked[]>;

  /** Symbols by file as they stand after the first commit to come; lines 1-based, both included. */
  constructor(symbols: ReadonlyMap<WorkspacePath, readonly Pick<SymbolSpan, 'id' | 'start' | 'end'>[]>) {
    this.#files = new Map([...symbols].map(([path, spans]) => [path, spans.map(({ end, id, start }) => ({ id, start, end }))]));
  }

  /** Ids of the symbols that a commit changed, in order of its files and their lines. */
  back(files: readonly PatchedFile[]): readonly StableId[] {
    const changed: StableId[] = [];
    const moved = new Map<string, Tracked[]>();
    for (const { changes, oldPath, path } of files) {
      const tracked = path === undefined ? undefined : this.#files.get(path);
      if (path === undefined || tracked === undefined) continue;
      const before = tracked.filter(symbol => {
        const isChanged = changes.some(change => touches(change, symbol));
        if (isChanged) changed.push(symbol.id);
        return !isChanged || wasThere(changes, symbol);
      });
      for (const symbol of before) step(changes, symbol);
      this.#files.delete(path);
      // A file may take the name of another that this commit moved away.
      if (oldPath !== undefined && before.length > 0) moved.set(oldPath, before);
    }
    for (const [path, tracked] of moved) this.#files.set(path, tracked);
    return changed;
  }
}

/** What was only removed lies between two lines of the new version. */
function touches({ newCount, newStart }: LineChange, { end, start }: Tracked): boolean {
  return newCount > 0 ? newStart <= end && newStart + newCount - 1 >= start : newStart >= start && newStart < end;
}

/** Whether any of its lines stood there before. */
function wasThere(changes: readonly LineChange[], { end, start }: Tracked): boolean {
  return !changes.some(({ newCount, newStart, oldCount }) => oldCount === 0 && newCount > 0 && newStart <= start && newStart + newCount - 1 >= end);
}

function step(changes: readonly LineChange[], symbol: Tracked): void {
  const start = before(changes, symbol.start, false);
  symbol.end = Math.max(start, before(changes, symbol.end, true));
  symbol.start = start;
}

/** Line of the old version that a line of the new one comes from; for a changed line the first or the last of what it replaced. */
function before(changes: readonly LineChange[], line: number, isEnd: boolean): number {
  let shift = 0;
  for (const { newCount, newStart, oldCount, oldStart } of changes) {
    const first = newCount === 0 ? newStart + 1 : newStart;
    if (line < first) break;
    if (line < first + newCount) {
      if (oldCount === 0) return isEnd ? oldStart : oldStart + 1;
      return isEnd ? oldStart + oldCount - 1 : oldStart;
    }
    shift += oldCount - newCount;
  }
  return line + shift;
}
