import type { CancellationToken } from '../../base/cancellation';
import type { WorkspacePath } from '../../base/path';
import type { Turn } from '../../base/yield';
import { type Given, isManifest, Resolver, type ResolverColumns, type ResolverResult, type ResolverUpdate } from '../../code/resolve/resolver';
import type { FileRecord } from '../../model/delta';
import type { FileFacts } from '../../model/facts';
import type { NodeIds } from '../../model/ids';
import type { PreciseState } from '../../model/preciseIndex';

export interface ResolveUpdate {
  /** Files without facts get a node only; imports may still end there. */
  readonly upserts: readonly { readonly record: FileRecord; readonly facts: FileFacts | undefined }[];
  readonly removed: readonly WorkspacePath[];
  /** Files that say how modules are found; `text` undefined takes one away. */
  readonly manifests: readonly { readonly path: WorkspacePath; readonly text: string | undefined }[];
  /** All that precise indexes say. */
  readonly precise?: PreciseState | undefined;
}

/** The resolver of one checkout as the engine sees it. Reversible: going back to earlier facts gives the earlier resolutions. */
export class Resolving {
  readonly #resolver: Resolver;

  constructor(
    ids: NodeIds,
    private readonly lent?: Resolver,
  ) {
    this.#resolver = lent ?? new Resolver({ ids });
  }

  /** The same resolver for one change that does not stay: `rollback` must follow, also when it fails, before anything else. */
  lend(ids: NodeIds): Resolving {
    return new Resolving(ids, this.#resolver);
  }

  rollback(turn: Turn): Promise<void> {
    return this.#resolver.rollback(turn);
  }

  /** Whether the resolver can be lent for a change of these manifests (`undefined`: gone). */
  canPreview(manifests: ReadonlyMap<WorkspacePath, string | undefined>): boolean {
    return this.#resolver.canPreview(manifests);
  }

  /** Does ahead of an update what a file needs of its own. */
  prepare(record: FileRecord, facts: FileFacts | undefined): void {
    this.#resolver.prepare({ path: record.path, facts, isTest: record.isTest });
  }

  toColumns(): ResolverColumns {
    return this.#resolver.toColumns();
  }

  /** Takes in all files with the resolutions they were given by a resolver that had these columns, instead of resolving them. */
  adopt(change: ResolveUpdate, given: Iterable<Given>, columns: ResolverColumns, turn: Turn, token: CancellationToken): Promise<void> {
    return this.#resolver.adopt(asUpdate(change), given, columns, turn, token);
  }

  update(change: ResolveUpdate, turn: Turn, token: CancellationToken): Promise<ResolverResult> {
    const update = asUpdate(change);
    return this.lent === undefined ? this.#resolver.update(update, turn, token) : this.#resolver.preview(update, turn, token);
  }

  isManifest(path: WorkspacePath): boolean {
    return isManifest(path);
  }
}

function asUpdate(change: ResolveUpdate): ResolverUpdate {
  const upserts = change.upserts.map(({ record, facts }) => ({ path: record.path, facts, isTest: record.isTest }));
  const manifests = new Map(change.manifests.map(({ path, text }) => [path, text]));
  const precise = change.precise === undefined ? {} : { precise: change.precise };
  return { upserts, removed: change.removed, manifests, ...precise };
}
