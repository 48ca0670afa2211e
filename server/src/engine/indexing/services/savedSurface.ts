import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { CodeSurface } from '../../../services/surface';
import type { Disk } from '../../../store/disk';
import { PackFile } from '../../../store/packs';

/** Where it is kept what code offers and uses, by a key that stands for all that it is read from. */
export interface SurfaceStore {
  read(key: string): Promise<CodeSurface | undefined>;
  keep(key: string, surface: CodeSurface): Promise<void>;
  close(): Promise<void>;
}

export interface SavedSurfaceOptions {
  readonly disk: Disk;
  readonly packPath: string;
  /** Version of the reader of surfaces; what another version saved is not used. */
  readonly version: string;
  /** A superseded owner must not touch the files of its successor. */
  readonly mayWrite: () => boolean;
}

const FIELDS = ['routes', 'calls', 'events', 'rpcs', 'stores', 'starts', 'skipped', 'hosted', 'bindings'] as const satisfies readonly (keyof CodeSurface)[];
const SURFACE = 'surface';

/**
 * What the code of a checkout offers and uses, kept from one process for the next, so that a start does not read all code again.
 * The first surface of a process is saved at once, later ones when it closes: they change with every edit. Never rejects: what is lost is read again.
 */
export class SavedSurface implements SurfaceStore {
  readonly #options: SavedSurfaceOptions;
  #pack: Promise<PackFile | undefined> | undefined;
  #later: { readonly key: string; readonly surface: CodeSurface } | undefined;
  #hasSaved = false;
  /** Key of what is in the pack, once it was read. */
  #savedKey: string | undefined;

  constructor(options: SavedSurfaceOptions) {
    this.#options = options;
  }

  /** What was saved with this key, which stands for all that a surface is read from. */
  async read(key: string): Promise<CodeSurface | undefined> {
    if (this.#later?.key === key) return this.#later.surface;
    if (this.#savedKey !== undefined && this.#savedKey !== key) return undefined;
    const bytes = await (await this.#opened())?.get(SURFACE);
    if (bytes === undefined) return undefined;
    const saved = savedIn(bytes);
    this.#savedKey = saved?.key;
    if (saved?.key !== key) return undefined;
    this.#hasSaved = true;
    return saved.surface;
  }

  async keep(key: string, surface: CodeSurface): Promise<void> {
    if (this.#hasSaved) this.#later = { key, surface };
    else await this.#save(key, surface);
    this.#hasSaved = true;
  }

  async close(): Promise<void> {
    if (this.#later !== undefined) await this.#save(this.#later.key, this.#later.surface);
    await (await this.#pack)?.close();
  }

  async #save(key: string, surface: CodeSurface): Promise<void> {
    const pack = await this.#opened();
    if (pack === undefined || !this.#options.mayWrite()) return;
    pack.put(SURFACE, packed(key, surface));
    this.#savedKey = key;
    await pack.flush();
    await pack.compact(new Set([SURFACE]));
    pack.releaseImage();
  }

  #opened(): Promise<PackFile | undefined> {
    const { disk, packPath: path, version } = this.#options;
    this.#pack ??= PackFile.open({ path, version, disk }).then(opened => (opened.ok ? opened.value : undefined));
    return this.#pack;
  }
}

/** Surfaces of past states, beside the facts that they are read from; those that nobody needs go with them. */
export class PackedSurfaces implements SurfaceStore {
  /** `version`: of the reader of surfaces. `live`: where that of the current code is, which a past state may be the same as. */
  constructor(
    private readonly pack: PackFile | undefined,
    private readonly version: string,
    private readonly live: Pick<SurfaceStore, 'read'>,
  ) {}

  async read(key: string): Promise<CodeSurface | undefined> {
    const bytes = await this.pack?.get(this.#keyOf(key));
    const saved = bytes === undefined ? undefined : savedIn(bytes);
    if (saved?.key === key) return saved.surface;
    const live = await this.live.read(key);
    if (live !== undefined) await this.keep(key, live);
    return live;
  }

  async keep(key: string, surface: CodeSurface): Promise<void> {
    this.pack?.put(this.#keyOf(key), packed(key, surface));
    // Nobody waits for it, and what is lost is read again.
    void this.pack?.flush();
  }

  async close(): Promise<void> {}

  /** The same, with a name for the surface that is read or kept. */
  named(name: string): SurfaceStore {
    return {
      read: async key => {
        const surface = await this.read(key);
        if (surface !== undefined) this.#note(name, key);
        return surface;
      },
      keep: async (key, surface) => {
        this.#note(name, key);
        await this.keep(key, surface);
      },
      close: () => this.close(),
    };
  }

  /** Records of the pack that the surface of a name is in; none where there is no such surface. */
  async keysOf(name: string): Promise<readonly string[]> {
    const note = this.#keyOfName(name);
    const key = await this.pack?.get(note);
    const kept = key === undefined ? undefined : this.#keyOf(Buffer.from(key).toString('latin1'));
    return kept !== undefined && this.pack?.has(kept) === true ? [note, kept] : [];
  }

  #note(name: string, key: string): void {
    this.pack?.put(this.#keyOfName(name), Buffer.from(key, 'latin1'));
  }

  #keyOf(key: string): string {
    return `surface:${this.version}:${key}`;
  }

  #keyOfName(name: string): string {
    return `surfaceOf:${this.version}:${name}`;
  }
}

function packed(key: string, surface: CodeSurface): Uint8Array {
  return deflateRawSync(JSON.stringify({ key, surface }));
}

function savedIn(bytes: Uint8Array): { readonly key: string; readonly surface: CodeSurface } | undefined {
  try {
    const value: unknown = JSON.parse(inflateRawSync(bytes).toString('utf8'));
    if (typeof value !== 'object' || value === null || !('key' in value) || !('surface' in value)) return undefined;
    const saved = value as { readonly key: string; readonly surface: CodeSurface };
    return FIELDS.every(field => Array.isArray(saved.surface?.[field])) ? saved : undefined;
  } catch {
    return undefined;
  }
}
