import { type Disposable, DisposableStore } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import { relativeTo, type WorkspacePath } from '../../base/path';
import type { Failure, Result } from '../../base/result';
import type { WorkspaceSettings } from '../../model/settings';
import type { Gateway } from '../../session/gateway';
import type { IndexProgress } from '../../workspace/snapshot';
import type { TransportHost } from '../host';
import { absolutePath, type PathStyle, pathToUri, uriToPath } from './uri';

/** One workspace folder of the window and the workspace behind it. */
export class Folder implements Disposable {
  readonly opening: Promise<Result<Gateway, Failure>>;
  gateway: Gateway | undefined;
  progress: IndexProgress = { phase: 'starting', done: 0, total: 0 };
  revision = 0;
  /** What the index held when it last became ready. */
  counts: { readonly files: number; readonly symbols: number } | undefined;

  readonly #disposables = new DisposableStore();
  readonly #changed: () => void;
  readonly #revised: (paths: readonly WorkspacePath[]) => void;
  readonly #recorded: (areas: readonly string[]) => void;
  #closed = false;

  constructor(
    readonly uri: string,
    readonly name: string,
    /** Absolute path as the editor spells it; the gateway's root is the real path. */
    readonly path: string,
    opening: Promise<Result<Gateway, Failure>>,
    private readonly style: PathStyle,
    listeners: {
      readonly changed: () => void;
      readonly revised: (paths: readonly WorkspacePath[]) => void;
      readonly recorded: (areas: readonly string[]) => void;
    },
  ) {
    this.#changed = listeners.changed;
    this.#revised = listeners.revised;
    this.#recorded = listeners.recorded;
    this.opening = opening;
    void this.#follow();
  }

  get role(): 'owner' | 'guest' {
    return this.gateway?.role ?? 'guest';
  }

  /** Workspace path of a document of this folder; `undefined` when it lies elsewhere. */
  pathOf(uri: string): WorkspacePath | undefined {
    const path = uriToPath(uri, this.style);
    return path === undefined ? undefined : relativeTo(this.path, path, this.style === 'windows');
  }

  uriOf(path: WorkspacePath): string {
    return pathToUri(absolutePath(this.path, path, this.style), this.style);
  }

  dispose(): void {
    void this.close();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#disposables.dispose();
    const opened = await this.opening;
    if (opened.ok) await opened.value.close();
  }

  async #follow(): Promise<void> {
    const opened = await this.opening;
    if (this.#closed) return;
    if (!opened.ok) {
      this.progress = { phase: 'failed', done: 0, total: 0, problem: opened.error.message };
      this.#changed();
      return;
    }
    const gateway = opened.value;
    this.gateway = gateway;
    this.#disposables.add(
      gateway.onProgress(progress => {
        const entered = progress.phase !== this.progress.phase;
        this.progress = progress;
        this.#changed();
        if (entered) void this.#refresh(gateway);
      }),
    );
    this.#disposables.add(
      gateway.onRevision(({ revision, changed }) => {
        this.revision = revision;
        this.#changed();
        this.#revised(changed);
      }),
    );
    this.#disposables.add(gateway.onRecords(areas => this.#recorded(areas)));
    this.progress = (await gateway.health()).progress;
    await this.#refresh(gateway);
    this.#changed();
  }

  async #refresh(gateway: Gateway): Promise<void> {
    const { languages, progress } = await gateway.health();
    const sum = (key: 'files' | 'symbols'): number => languages.reduce((total, row) => total + row[key], 0);
    const counts = progress.phase === 'ready' ? { files: sum('files'), symbols: sum('symbols') } : this.counts;
    if (this.#closed || (counts?.files === this.counts?.files && counts?.symbols === this.counts?.symbols)) return;
    this.counts = counts;
    this.#changed();
  }
}

export interface FolderRequest {
  readonly uri: string;
  readonly name: string;
  readonly settings: Partial<WorkspaceSettings>;
}

/** The workspace folders of the window, in its order. */
export class Folders {
  readonly #folders = new Map<string, Folder>();
  readonly #onChange = new Emitter<void>();
  readonly #onRecords = new Emitter<{ readonly folder: Folder; readonly areas: readonly string[] }>();
  readonly #onRevision = new Emitter<{ readonly folder: Folder; readonly changed: readonly WorkspacePath[] }>();

  /** Something of what `FolderStatus` says has changed. */
  readonly onChange = this.#onChange.event;
  readonly onRevision = this.#onRevision.event;
  readonly onRecords = this.#onRecords.event;

  constructor(
    private readonly host: TransportHost,
    private readonly style: PathStyle,
  ) {}

  get all(): readonly Folder[] {
    return [...this.#folders.values()];
  }

  /** Folders that are not on a disk (virtual workspaces) are left out. */
  add(request: FolderRequest): Folder | undefined {
    const path = uriToPath(request.uri, this.style);
    const known = this.#folders.get(request.uri);
    if (path === undefined || known !== undefined) return known;
    const opening = this.host.open({ root: path, longLived: true, watch: 'editor', settings: request.settings });
    const folder: Folder = new Folder(request.uri, request.name, path, opening, this.style, {
      changed: () => this.#onChange.fire(undefined),
      revised: changed => this.#onRevision.fire({ folder, changed }),
      recorded: areas => this.#onRecords.fire({ folder, areas }),
    });
    this.#folders.set(request.uri, folder);
    this.#onChange.fire(undefined);
    return folder;
  }

  async remove(uri: string): Promise<void> {
    const folder = this.#folders.get(uri);
    this.#folders.delete(uri);
    this.#onChange.fire(undefined);
    await folder?.close();
  }

  get(uri: string): Folder | undefined {
    return this.#folders.get(uri);
  }

  /** The innermost folder that holds the document, with its workspace path. */
  locate(uri: string): { readonly folder: Folder; readonly path: WorkspacePath } | undefined {
    let best: { readonly folder: Folder; readonly path: WorkspacePath } | undefined;
    for (const folder of this.#folders.values()) {
      const path = folder.pathOf(uri);
      if (path !== undefined && (best === undefined || folder.path.length > best.folder.path.length)) best = { folder, path };
    }
    return best;
  }

  /** The folder of a document or folder; the first when `uri` is absent or lies in none. */
  folderFor(uri: string | undefined): Folder | undefined {
    return (uri === undefined ? undefined : this.locate(uri)?.folder) ?? this.all[0];
  }

  async closeAll(): Promise<void> {
    const folders = this.all;
    this.#folders.clear();
    await Promise.all(folders.map(folder => folder.close()));
  }
}
