import type { WorkspacePath } from '../../base/path';
import type { Change } from '../../code/files/batcher';
import type { RebuildRequest } from '../../workspace/snapshot';

/** Everything that can make the engine do work. Closed: each cause of work can be named, logged and timed. */
export type EngineEvent =
  /** The checkout was opened. */
  | { readonly kind: 'start' }
  /** A batch of the watcher or of the editor. */
  | { readonly kind: 'changes'; readonly changes: readonly Change[] }
  /** An answer is about to speak of these files, and they differ from the table. */
  | { readonly kind: 'touched'; readonly paths: readonly WorkspacePath[] }
  | { readonly kind: 'rebuild'; readonly txId: string; readonly request: RebuildRequest }
  /** Git moved HEAD, an ignore rule or a setting changed, or somebody asks for it: look at everything again. */
  | { readonly kind: 'rescan'; readonly cause: 'head' | 'settings' | 'asked' }
  /** Unsaved documents of an editor session changed. */
  | { readonly kind: 'unsaved'; readonly viewer: string }
  /** Content and history of some files are to be brought into the search index. */
  | { readonly kind: 'content' }
  | { readonly kind: 'save' };

/** Somebody waits for an answer while these run, so they go before what only has to happen. */
export const URGENT: ReadonlySet<EngineEvent['kind']> = new Set(['touched', 'unsaved']);
