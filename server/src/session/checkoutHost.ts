import type { CancellationToken } from '../base/cancellation';
import type { Disposable } from '../base/disposable';
import type { Event } from '../base/emitter';
import type { WorkspacePath } from '../base/path';
import type { Failure, Result } from '../base/result';
import type { WorkspaceSettings } from '../model/settings';
import type { EngineHealth, IndexProgress, Workspace } from '../workspace/snapshot';
import type { FileEvent, OverlayChange } from './gateway';

/** Where file changes come from: nobody looks (`none`), a watcher of the owner (`files`), or the editor's events (`editor`). */
export type WatchMode = 'none' | 'files' | 'editor';

/** What a client wants of a checkout that it attaches to. */
export interface AttachOptions {
  readonly watch: WatchMode;
  /** Only what this client was told to set; undefined leaves the checkout as it is. */
  readonly settings: Partial<WorkspaceSettings> | undefined;
  readonly longLived: boolean;
}

/** The engines of one project, made by `main` for the process that owns it. */
export interface CheckoutHost {
  /** Opens the checkout, or joins it when it is open; it closes some time after its last client left. */
  attach(root: string, options: AttachOptions): Promise<Result<AttachedCheckout, Failure>>;
  /** The answer that an earlier owner journaled for a write, or undefined. */
  recall(idempotencyKey: string): string | undefined;
  /** Durable before it resolves. */
  remember(idempotencyKey: string, answer: string): Promise<void>;
  /** Everything acknowledged is durable when it resolves. */
  close(): Promise<void>;
}

/** One client's hold on an open checkout; `dispose` lets go of it and of the client's unsaved documents. */
export interface AttachedCheckout extends Disposable {
  readonly root: string;
  /** `viewer` names an editor session whose unsaved documents are to be seen; undefined sees the disk. */
  workspace(viewer: string | undefined): Workspace;
  /** Finds an answer. Work that nobody waits for stands back until it is there. */
  answering<T>(find: () => Promise<T>): Promise<T>;
  ready(token: CancellationToken): Promise<Result<void, Failure>>;
  health(): EngineHealth;
  notifyFiles(events: readonly FileEvent[]): void;
  overlay(viewer: string, changes: readonly OverlayChange[]): void;
  configure(settings: Partial<WorkspaceSettings>): void;
  readonly onProgress: Event<IndexProgress>;
  readonly onRevision: Event<{ readonly revision: number; readonly changed: readonly WorkspacePath[] }>;
  /** Areas of what people and agents wrote (`knowledge`, `work`) that changed, whoever wrote them. */
  readonly onRecords: Event<readonly string[]>;
}
