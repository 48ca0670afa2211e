import type { CancellationToken } from '../base/cancellation';
import type { Disposable } from '../base/disposable';
import type { Event } from '../base/emitter';
import type { WorkspacePath } from '../base/path';
import type { Failure, Result } from '../base/result';
import type { WorkspaceSettings } from '../model/settings';
import type { Envelope } from '../tools/envelope';
import type { EngineHealth, IndexProgress } from '../workspace/snapshot';

/** Who asks: goes with every call so that parallel agents stay apart. */
export interface Caller {
  readonly agentId: string | undefined;
  readonly sessionId: string;
  /** Editor sessions see their own unsaved documents; agents see the disk. */
  readonly kind: 'editor' | 'agent' | 'cli';
  /** A person has enabled the tools for administration for this asker. */
  readonly isAdmin?: boolean;
  /** Answers may claim what they hand out to an agent that names itself. */
  readonly mayClaim?: boolean;
}

export interface ToolCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly caller: Caller;
  /** Makes a retry after the owner died harmless: the same key is carried out at most once. */
  readonly idempotencyKey: string;
}

/** An answer and its rendering for reading (Markdown or plain lines, ending with the stamp). */
export interface ToolAnswer {
  readonly envelope: Envelope;
  readonly text: string;
}

/** What an editor saw happen to a file. */
export interface FileEvent {
  readonly path: WorkspacePath;
  readonly kind: 'created' | 'changed' | 'deleted';
}

/** An open document of an editor window whose text differs from the disk; `text` undefined closes or saves it. */
export interface OverlayChange {
  readonly path: WorkspacePath;
  readonly version: number;
  readonly text: string | undefined;
}

/**
 * All a transport may know of a checkout. Owner and guest give the same; a transport cannot tell which it has.
 * When the owner dies, calls in flight are retried with their key after takeover, within 15 s of each loss; then they fail with `UNAVAILABLE`.
 */
export interface Gateway extends Disposable {
  /** Absolute root of the checkout. */
  readonly root: string;
  /** Whether the engine is in this process. It changes when an owner is superseded or ends; `guest` while none is there. */
  readonly role: 'owner' | 'guest';
  callTool(call: ToolCall, token: CancellationToken): Promise<ToolAnswer>;
  /** Runs a feature of `features/catalogue` by name: plain data in, plain data out. */
  query(feature: string, params: unknown, caller: Caller, token: CancellationToken): Promise<Result<unknown, Failure>>;
  health(): Promise<EngineHealth>;
  /** Resolves when the first revision is there (or the index failed). */
  ready(token: CancellationToken): Promise<Result<void, Failure>>;
  notifyFiles(events: readonly FileEvent[]): void;
  overlay(changes: readonly OverlayChange[], caller: Caller): void;
  /** New settings of the user; a changed ignore rule leads to an incremental rebuild. */
  configure(settings: Partial<WorkspaceSettings>): void;
  /** Hands over to a waiting guest (at most 2 s), makes everything durable and releases it. `dispose` starts the same without waiting. */
  close(): Promise<void>;
  readonly onProgress: Event<IndexProgress>;
  readonly onRevision: Event<{ readonly revision: number; readonly changed: readonly WorkspacePath[] }>;
  /** Areas of what people and agents wrote (`knowledge`, `work`) that changed, whoever wrote them. */
  readonly onRecords: Event<readonly string[]>;
}
