import type { Snapshot, Stamp, Workspace } from '../workspace/snapshot';

/** Files named in a stamp; their rows are marked however many they are. */
const MAX_NAMED = 5;
/** Longer texts are source code or prose, never the id of something. */
const MAX_ID_LENGTH = 1_000;

/** Notes which files the snapshots that an answer is made of were behind on. */
export class StaleFiles {
  readonly #paths = new Set<string>();
  readonly #named = new Set<string>();
  readonly workspace: Workspace;

  constructor(workspace: Workspace) {
    this.workspace = Object.create(workspace, {
      snapshot: {
        value: async (...asked: Parameters<Workspace['snapshot']>) => {
          const snapshot = await workspace.snapshot(...asked);
          if (snapshot.ok) this.#note(snapshot.value);
          return snapshot;
        },
      },
      current: {
        value: () => {
          const snapshot = workspace.current();
          if (snapshot !== undefined) this.#note(snapshot);
          return snapshot;
        },
      },
    }) as Workspace;
  }

  /** The answer with `stale` in each row that names such a file or something in it, and their first files in the stamp. */
  marked(data: Readonly<Record<string, unknown>>, stamp: Stamp): { readonly data: Readonly<Record<string, unknown>>; readonly stamp: Stamp } {
    if (this.#paths.size === 0) return { data, stamp };
    const marked = Object.fromEntries(Object.entries(data).map(([key, value]) => [key, this.#markedValue(value)]));
    for (const value of Object.values(data)) if (typeof value === 'string') this.#isStale(value);
    return { data: marked, stamp: this.#named.size === 0 ? stamp : { ...stamp, stale: [...this.#named].sort().slice(0, MAX_NAMED) } };
  }

  #note({ stale }: Snapshot): void {
    for (const path of stale ?? []) this.#paths.add(path);
  }

  #markedValue(value: unknown): unknown {
    if (typeof value === 'string') this.#isStale(value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(item => this.#markedValue(item));
    const entries = Object.entries(value);
    const isStale = entries.filter(([, part]) => typeof part === 'string' && this.#isStale(part)).length > 0;
    const marked = Object.fromEntries(entries.map(([key, part]) => [key, this.#markedValue(part)]));
    return isStale ? { ...marked, stale: true } : marked;
  }

  /** Whether a text is the path of such a file or of something in a folder that is gone, the id of a symbol in one, or a line that begins with either. */
  #isStale(text: string): boolean {
    if (text === '' || text.length > MAX_ID_LENGTH) return false;
    return ['::', ':', ' '].some(end => this.#isPath(text.split(end, 1)[0] ?? ''));
  }

  #isPath(path: string): boolean {
    for (let at = path.length; at > 0; at = path.lastIndexOf('/', at - 1)) {
      if (!this.#paths.has(path.slice(0, at))) continue;
      this.#named.add(path);
      return true;
    }
    return false;
  }
}
