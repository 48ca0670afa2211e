import { Emitter, type Event } from '../../base/emitter';
import { relativeTo, type WorkspacePath } from '../../base/path';
import type { Change } from './batcher';
import { FolderWatch } from './folderWatch';
import { type FileProblem, faultCode } from './host';
import { nodeHost, nodeKindOf } from './nodeHost';
import { PollWatch } from './pollWatch';
import type { WatchHandle, WatchRequest } from './watchHandle';

/** Reports changes below a root for hosts without an editor. Paths of changes are workspace paths. */
export interface FileWatcher {
  /** Resolves when watching has begun. `shouldIgnore` is asked synchronously, also for folders (whose subtrees are then not watched). */
  start(root: string, shouldIgnore: (path: WorkspacePath, isFolder: boolean) => boolean): Promise<void>;
  /** Changes of one turn of the event loop come as one batch. A removed folder is one change with the folder's path. */
  readonly onEvents: Event<readonly Change[]>;
  /** Why watching is degraded or has ended; it goes on by polling where that is possible. */
  readonly onProblem: Event<FileProblem>;
  readonly mode: 'stopped' | 'events' | 'polling';
  stop(): Promise<void>;
}

export interface FileWatcherOptions {
  readonly caseInsensitive: boolean;
  readonly open?: (request: WatchRequest) => WatchHandle;
}

const POLL_INTERVAL_MS = 2000;

/** A watcher of a folder tree that reports changes as paths below its root. It is idle until it is started. */
export function createFileWatcher(options: FileWatcherOptions): FileWatcher {
  return new BatchingWatcher(options.open ?? openWatch, options.caseInsensitive);
}

class BatchingWatcher implements FileWatcher {
  readonly #events = new Emitter<readonly Change[]>();
  readonly #problems = new Emitter<FileProblem>();
  #handle: WatchHandle | undefined;
  #batch = new Map<string, Change>();
  #scheduled = false;
  #reported = new Set<string>();

  mode: 'stopped' | 'events' | 'polling' = 'stopped';
  readonly onEvents: Event<readonly Change[]> = this.#events.event;
  readonly onProblem: Event<FileProblem> = this.#problems.event;

  constructor(
    private readonly open: (request: WatchRequest) => WatchHandle,
    private readonly caseInsensitive: boolean,
  ) {}

  async start(root: string, shouldIgnore: (path: WorkspacePath, isFolder: boolean) => boolean): Promise<void> {
    if (this.mode !== 'stopped') await this.stop();
    await this.#watch(root, shouldIgnore, false);
  }

  async stop(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    this.mode = 'stopped';
    this.#batch.clear();
    this.#reported.clear();
    await handle?.close().catch(() => undefined);
  }

  #watch(root: string, shouldIgnore: (path: WorkspacePath, isFolder: boolean) => boolean, polling: boolean): Promise<void> {
    const pathOf = (absolute: string): WorkspacePath | undefined => relativeTo(root, absolute, this.caseInsensitive);
    const handle = this.open({
      root,
      polling,
      ignored: (absolute, isFolder) => {
        const path = pathOf(absolute);
        if (path === undefined) return true;
        if (path === '') return false;
        return shouldIgnore(path, isFolder ?? false);
      },
    });
    this.#handle = handle;
    this.mode = polling ? 'polling' : 'events';
    handle.onChange((kind, absolute) => {
      const path = pathOf(absolute);
      if (this.#handle === handle && path !== undefined && path !== '') this.#queue({ path, kind });
    });
    return new Promise(resolve => {
      handle.onReady(resolve);
      handle.onError(error => {
        if (this.#handle !== handle) return;
        const code = faultCode(error);
        if (!polling && (code === 'ENOSPC' || code === 'EMFILE' || code === 'ENFILE')) {
          this.#report('WATCH_LIMIT', code, limitMessage(code));
          void handle.close().catch(() => undefined);
          resolve(this.#watch(root, shouldIgnore, true));
        } else {
          this.#report('WATCH_FAILED', code, `Some changes may be detected late, because watching failed with ${code}.`);
          resolve();
        }
      });
    });
  }

  #report(code: FileProblem['code'], fault: string, message: string): void {
    if (this.#reported.has(fault)) return;
    this.#reported.add(fault);
    this.#problems.fire({ code, path: '', message });
  }

  #queue(change: Change): void {
    this.#batch.set(change.path, change);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      const batch = [...this.#batch.values()];
      this.#batch = new Map();
      if (batch.length > 0 && this.mode !== 'stopped') this.#events.fire(batch);
    });
  }
}

function limitMessage(code: string): string {
  const what =
    code === 'ENOSPC'
      ? 'The limit of file watches is reached (increase fs.inotify.max_user_watches)'
      : 'Too many files are open (increase the limit of open files)';
  return `${what}. The folder is checked every few seconds instead.`;
}

function openWatch(request: WatchRequest): WatchHandle {
  return request.polling ? new PollWatch(request, nodeHost, POLL_INTERVAL_MS) : new FolderWatch(request, { list: nodeHost.list, kindOf: nodeKindOf });
}
