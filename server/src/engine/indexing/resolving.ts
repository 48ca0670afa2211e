import type { CancellationToken } from '../../base/cancellation';
import type { WorkspacePath } from '../../base/path';
import type { Turn } from '../../base/yield';
import { type Given, Resolver, type ResolverColumns, type ResolverResult, type ResolverUpdate } from '../../code/resolve/resolver';
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

/** Resolutions of past states that need not be made again. */
export interface KnownResolutions {
  /** Those of the state after a change of the index; `undefined` where nothing is known of it. Throws `Cancelled`. */
  after(change: ResolveUpdate, turn: Turn, token: CancellationToken): Promise<KnownResult | undefined>;
  keep(change: ResolveUpdate, result: ResolverResult, turn: Turn): Promise<void>;
}

export interface KnownResult {
  readonly result: Pick<ResolverResult, 'relinked' | 'resolutions'>;
  /** Files whose resolutions are not known. */
  readonly missing: ReadonlySet<WorkspacePath>;
  /** With those of the missing files; `undefined` where they are not what they were when the state was known. */
  with(missing: ResolverResult): ResolverResult | undefined;
}

/** The resolver of one checkout as the engine sees it. Reversible: going back to earlier facts gives the earlier resolutions. */
export class Resolving {
  readonly #resolver: Resolver;
  #hasPreviewed = false;

  constructor(
    ids: NodeIds,
    private readonly lent?: { readonly resolver: Resolver; readonly known: KnownResolutions },
  ) {
    this.#resolver = lent?.resolver ?? new Resolver({ ids });
  }

  /** The same resolver for changes that do not stay: `rollback` must follow, also when they fail, before anything else. */
  lend(ids: NodeIds, known: KnownResolutions): Resolving {
    return new Resolving(ids, { resolver: this.#resolver, known });
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
    return this.lent === undefined ? this.#resolver.update(asUpdate(change), turn, token) : this.#preview(this.lent.known, change, turn, token);
  }

  async #preview(known: KnownResolutions, change: ResolveUpdate, turn: Turn, token: CancellationToken): Promise<ResolverResult> {
    const update = asUpdate(change);
    const found = await known.after(change, turn, token);
    if (found?.missing.size === 0) return { ...found.result, failed: [], resolved: 0 };
    const completed = found?.with(await this.#resolver.preview(update, turn, token, found.missing));
    if (found !== undefined && completed === undefined) await this.#resolver.rollback(turn);
    const result = completed ?? (await (this.#hasPreviewed ? this.#resolver.previewNext(update, turn, token) : this.#resolver.preview(update, turn, token)));
    this.#hasPreviewed = true;
    await known.keep(change, result, turn);
    return result;
  }
}

function asUpdate(change: ResolveUpdate): ResolverUpdate {
  const upserts = change.upserts.map(({ record, facts }) => ({ path: record.path, facts, isTest: record.isTest }));
  const manifests = new Map(change.manifests.map(({ path, text }) => [path, text]));
  const precise = change.precise === undefined ? {} : { precise: change.precise };
  return { upserts, removed: change.removed, manifests, ...precise };
}
