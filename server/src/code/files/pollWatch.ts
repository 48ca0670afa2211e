import { join } from 'node:path';
import type { FileHost } from './host';
import type { WatchHandle, WatchRequest } from './watchHandle';

/** Files asked about at the same time. */
const AT_ONCE = 32;
/** Looking takes at most this share of the time. */
const SHARE = 0.1;

type Signatures = Map<string, string>;

/** Looks at all files again and again, where the system watches no more folders. Files that are there at the start are not reported. */
export class PollWatch implements WatchHandle {
  #known: Signatures | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  #onChange: (kind: 'changed' | 'removed', path: string) => void = () => undefined;
  #onReady: () => void = () => undefined;

  constructor(
    private readonly request: WatchRequest,
    private readonly host: Pick<FileHost, 'list' | 'stat'>,
    private readonly intervalMs: number,
  ) {
    setImmediate(() => void this.#poll());
  }

  onChange(listener: (kind: 'changed' | 'removed', path: string) => void): void {
    this.#onChange = listener;
  }

  /** What cannot be looked at counts as it was seen last. */
  onError(): void {}

  onReady(listener: () => void): void {
    this.#onReady = listener;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  async #poll(): Promise<void> {
    const began = performance.now();
    const before = this.#known;
    const now = await this.#look();
    if (this.#closed) return;
    this.#known = now;
    if (before === undefined) this.#onReady();
    else {
      for (const [path, signature] of now) if (before.get(path) !== signature) this.#onChange('changed', path);
      for (const path of before.keys()) if (!now.has(path)) this.#onChange('removed', path);
    }
    const tookMs = performance.now() - began;
    this.#timer = setTimeout(() => void this.#poll(), Math.max(this.intervalMs, tookMs / SHARE)).unref();
  }

  async #look(): Promise<Signatures> {
    const seen: Signatures = new Map();
    const folders = [this.request.root];
    for (let folder = folders.pop(); folder !== undefined && !this.#closed; folder = folders.pop()) {
      const files: string[] = [];
      for (const { kind, name } of await this.host.list(folder).catch(() => [])) {
        const path = join(folder, name);
        if (this.request.ignored(path, kind === 'directory')) continue;
        if (kind === 'directory') folders.push(path);
        else files.push(path);
      }
      for (let at = 0; at < files.length; at += AT_ONCE) {
        await Promise.all(files.slice(at, at + AT_ONCE).map(async path => void seen.set(path, await this.#signature(path))));
      }
    }
    return seen;
  }

  async #signature(path: string): Promise<string> {
    const { inode, mtimeMs, sizeBytes } = await this.host.stat(path).catch(() => ({ inode: 0, mtimeMs: 0, sizeBytes: 0 }));
    return `${inode} ${mtimeMs} ${sizeBytes}`;
  }
}
