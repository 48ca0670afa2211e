import type { CancellationToken } from '../base/cancellation';
import type { WorkspacePath } from '../base/path';
import type { Turn } from '../base/yield';
import type { FileRecord } from '../model/delta';
import type { FileFacts } from '../model/facts';
import type { FileResolution } from '../model/resolution';

export interface ResolveUpdate {
  readonly upserts: readonly { readonly record: FileRecord; readonly facts: FileFacts }[];
  readonly removed: readonly WorkspacePath[];
  /** Files that say how modules are found; `text` undefined takes one away. */
  readonly manifests: readonly { readonly path: WorkspacePath; readonly text: string | undefined }[];
}

export interface ResolveOutcome {
  /** One per upsert. */
  readonly resolutions: readonly FileResolution[];
  /** Other files whose references end elsewhere now. */
  readonly relinked: readonly FileResolution[];
}

/** The engine's view of the resolver of one checkout. Reversible: going back to earlier facts gives the earlier resolutions. */
export interface Resolving {
  update(change: ResolveUpdate, turn: Turn, token: CancellationToken): Promise<ResolveOutcome>;
  isManifest(path: WorkspacePath): boolean;
}
