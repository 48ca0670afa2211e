import type { ChangeKind } from './batcher';

/** What to watch. Paths are absolute; `isFolder` is `undefined` where it is not known yet. */
export interface WatchRequest {
  readonly root: string;
  readonly polling: boolean;
  ignored(path: string, isFolder: boolean | undefined): boolean;
}

/** Something that looks at the disk; `createFileWatcher` opens the real one. Paths are absolute. */
export interface WatchHandle {
  onChange(listener: (kind: ChangeKind, path: string) => void): void;
  onError(listener: (error: unknown) => void): void;
  onReady(listener: () => void): void;
  close(): Promise<void>;
}
