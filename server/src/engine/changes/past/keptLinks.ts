import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { Packr } from 'msgpackr';
import { type CancellationToken, neverCancelled } from '../../../base/cancellation';
import type { WorkspacePath } from '../../../base/path';
import type { Turn } from '../../../base/yield';
import { columnOf, type FileLinks, GRAPH_FORMAT, type LinkColumns, packLinks, type TextColumn, textsOf, unpackLinks } from '../../../code/graph/graphColumns';
import { isManifest, type ResolverResult } from '../../../code/resolve/resolver';
import type { NodeHandle, NodeIds } from '../../../model/ids';
import type { FileResolution } from '../../../model/resolution';
import type { PackFile } from '../../../store/packs';
import type { IndexState } from '../../indexing/indexState';
import type { KnownResolutions, KnownResult, ResolveUpdate } from '../../indexing/resolving';
import { LinkHashes } from './linkHashes';

/** Raised whenever the records below change. */
const KEPT_FORMAT = 1;
/** Quick rather than small: nobody waits for the disk, but somebody for this. */
const COMPRESSION = { level: 1 } as const;
const HASH_DIGITS = 16;
/** Records read from the pack at once. */
const READ_AT_ONCE = 256;

/** A file of a state as far as the references of the state depend on it. */
interface StateFile {
  readonly path: WorkspacePath;
  readonly contentHash: string;
  readonly language: string | undefined;
  readonly isTest: boolean;
  readonly hasFacts: boolean;
}

/** Where the references of one file lead, with the ids of the nodes. */
interface KeptFile extends LinkColumns {
  readonly symbols: number;
  readonly ids: TextColumn;
}

/**
 * Where the references of past states lead, kept beside the facts: of each state the hash of the references of each file, and the references themselves by their
 * hash. References are a function of all files of a state, so a state that was once resolved need not be resolved again, whatever the current code is: files
 * whose references have the hash that they have in the current code are taken from there, others from the pack, and what is in neither is resolved by itself.
 */
export class KeptLinks {
  readonly #hashes: LinkHashes;
  readonly #packr = new Packr({ moreTypes: true, useRecords: false });
  readonly #version: string;
  #bytesKept = 0;

  constructor(
    private readonly pack: Pick<PackFile, 'get' | 'has' | 'put'> | undefined,
    private readonly ids: NodeIds,
    /** Of what reads and resolves files. */
    version: string,
  ) {
    this.#hashes = new LinkHashes(ids);
    this.#version = [version, GRAPH_FORMAT, KEPT_FORMAT].join('.');
  }

  /** What of this process has been kept. */
  get bytesKept(): number {
    return this.#bytesKept;
  }

  /** What is known of the states that an index becomes. */
  over(index: IndexState): KnownResolutions {
    return {
      after: (change, turn, token) => this.#after(index, change, turn, token),
      keep: (change, result, turn) => this.#keep(index, change, result, turn).then(() => undefined),
    };
  }

  /** Keeps what an index becomes, and makes use of nothing. Gives the key of each state. */
  keeping(index: IndexState, onKept: (key: string) => void): KnownResolutions {
    return {
      after: async () => undefined,
      keep: async (change, result, turn) => {
        const key = await this.#keep(index, change, result, turn);
        if (key !== undefined) onKept(key);
      },
    };
  }

  /** Hashes what an index has, which the first question about a past state would have to wait for. Throws `Cancelled`. */
  async prepare(index: IndexState, turn: Turn, token: CancellationToken): Promise<void> {
    for (const entry of index.graph.entries()) {
      this.#hashes.of(entry);
      await turn.check(token);
    }
  }

  /** Whether the state is kept that was noted by this name. */
  async has(name: string): Promise<boolean> {
    const key = await this.#keyNoted(name);
    return key !== undefined && this.pack?.has(key) === true;
  }

  note(name: string, key: string): void {
    this.#put(this.#keyOfName(name), Buffer.from(key, 'latin1'));
  }

  /** Records of the pack that the states noted by some names need. */
  async keysOf(names: Iterable<string>): Promise<ReadonlySet<string>> {
    const keys = new Set<string>();
    for (const name of names) {
      const key = await this.#keyNoted(name);
      const record = key === undefined ? undefined : await this.pack?.get(key);
      if (key === undefined || record === undefined) continue;
      keys.add(this.#keyOfName(name)).add(key);
      for (const hash of hashesIn(record)) if (this.pack?.has(this.#keyOfLinks(hash)) === true) keys.add(this.#keyOfLinks(hash));
    }
    return keys;
  }

  /** Of the state that was noted by this name. */
  async #keyNoted(name: string): Promise<string | undefined> {
    const key = await this.pack?.get(this.#keyOfName(name));
    return key === undefined ? undefined : Buffer.from(key).toString('latin1');
  }

  async #after(index: IndexState, change: ResolveUpdate, turn: Turn, token: CancellationToken): Promise<KnownResult | undefined> {
    const files = filesAfter(index, change);
    const key = files === undefined ? undefined : this.#keyOfState(files);
    const record = key === undefined ? undefined : await this.pack?.get(key);
    if (files === undefined || record === undefined) return undefined;
    const hashes = hashesIn(record);
    if (hashes.length !== files.length) return undefined;
    const upserted = new Set(change.upserts.map(({ record: { path } }) => path));
    const entries = entriesOf(index);
    const resolutions: FileResolution[] = [];
    const relinked: FileResolution[] = [];
    const missing = new Map<WorkspacePath, string>();
    const wanted: (readonly [path: WorkspacePath, hash: string])[] = [];
    for (const [at, { path }] of files.entries()) {
      const hash = hashes[at] ?? '';
      const entry = upserted.has(path) ? undefined : entries.get(path);
      if (entry === undefined || this.#hashes.of(entry) !== hash) wanted.push([path, hash]);
      const wait = turn.check(token);
      if (wait !== undefined) await wait;
    }
    for (let at = 0; at < wanted.length; at += READ_AT_ONCE) {
      const some = wanted.slice(at, at + READ_AT_ONCE);
      const records = await Promise.all(some.map(async ([, hash]) => this.pack?.get(this.#keyOfLinks(hash))));
      for (const [place, [path, hash]] of some.entries()) {
        const links = this.#linksIn(records[place], hash);
        if (links === undefined) missing.set(path, hash);
        else (upserted.has(path) ? resolutions : relinked).push(resolutionOf(path, links));
        const wait = turn.check(token);
        if (wait !== undefined) await wait;
      }
    }
    return {
      result: { resolutions, relinked },
      missing: new Set(missing.keys()),
      with: made => {
        if (made.failed.length > 0) return undefined;
        const all = [...made.resolutions, ...made.relinked].filter(resolution => this.#hashes.of(linksOf(resolution)) === missing.get(resolution.path));
        if (all.length !== missing.size) return undefined;
        return {
          resolutions: [...resolutions, ...made.resolutions].sort(byPath),
          relinked: [...relinked, ...made.relinked].sort(byPath),
          failed: [],
          resolved: made.resolved,
        };
      },
    };
  }

  /** What failed is not kept: it may go well another time. */
  async #keep(index: IndexState, change: ResolveUpdate, result: ResolverResult, turn: Turn): Promise<string | undefined> {
    const files = filesAfter(index, change);
    const { pack } = this;
    if (pack === undefined || files === undefined || result.failed.length > 0) return undefined;
    const hashes = new Map<WorkspacePath, string>();
    for (const resolution of [...result.resolutions, ...result.relinked]) {
      const links = linksOf(resolution);
      const hash = this.#hashes.of(links);
      hashes.set(resolution.path, hash);
      if (!pack.has(this.#keyOfLinks(hash))) this.#put(this.#keyOfLinks(hash), this.#packed(links));
      await turn.check(neverCancelled);
    }
    const entries = entriesOf(index);
    const ofFiles: string[] = [];
    for (const { path } of files) {
      const entry = entries.get(path);
      const hash = hashes.get(path) ?? (entry === undefined ? undefined : this.#hashes.of(entry));
      if (hash === undefined) return undefined;
      ofFiles.push(hash);
      await turn.check(neverCancelled);
    }
    const key = this.#keyOfState(files);
    if (!pack.has(key)) this.#put(key, deflateRawSync(Buffer.from(ofFiles.join(''), 'latin1'), COMPRESSION));
    return key;
  }

  #put(key: string, value: Uint8Array): void {
    this.#bytesKept += value.length;
    this.pack?.put(key, value);
  }

  #linksIn(bytes: Uint8Array | undefined, hash: string): FileLinks | undefined {
    const links = bytes === undefined ? undefined : this.#unpacked(bytes);
    return links !== undefined && this.#hashes.of(links) === hash ? links : undefined;
  }

  #unpacked(bytes: Uint8Array): FileLinks | undefined {
    try {
      const { ids, symbols, ...columns } = this.#packr.unpack(inflateRawSync(bytes)) as KeptFile;
      const handles = Int32Array.from(textsOf(ids), id => this.ids.intern(id));
      return unpackLinks(columns, symbols, handles);
    } catch {
      return undefined;
    }
  }

  #packed(links: FileLinks): Uint8Array {
    const numbers = new Map<NodeHandle, number>();
    const columns = packLinks(links, handle => {
      const known = numbers.get(handle);
      if (known !== undefined) return known;
      numbers.set(handle, numbers.size);
      return numbers.size - 1;
    });
    const ids = columnOf([...numbers.keys()].map(handle => this.ids.text(handle)));
    return deflateRawSync(this.#packr.pack({ ...columns, symbols: links.nodes.length, ids } satisfies KeptFile), COMPRESSION);
  }

  #keyOfLinks(hash: string): string {
    return `links:${this.#version}:${hash}`;
  }

  #keyOfName(name: string): string {
    return `resolved:${this.#version}:${name}`;
  }

  #keyOfState(files: readonly StateFile[]): string {
    const hash = createHash('sha256');
    for (const { contentHash, hasFacts, isTest, language, path } of files) hash.update(`${path}\0${contentHash}\0${language ?? ''}\0${isTest}\0${hasFacts}\n`);
    return `state:${this.#version}:${hash.digest('hex')}`;
  }
}

/** None in what is no record of a state. */
function hashesIn(record: Uint8Array): string[] {
  let text: string;
  try {
    text = inflateRawSync(record).toString('latin1');
  } catch {
    return [];
  }
  return Array.from({ length: Math.ceil(text.length / HASH_DIGITS) }, (_, at) => text.slice(at * HASH_DIGITS, (at + 1) * HASH_DIGITS));
}

/** In order of path. `undefined` where references may depend on more than that: a manifest too large to be known by its content. */
function filesAfter({ table }: IndexState, { removed, upserts }: ResolveUpdate): readonly StateFile[] | undefined {
  const files = new Map<WorkspacePath, StateFile>();
  for (const { factsKey, record } of table.values()) files.set(record.path, { ...record, hasFacts: factsKey !== undefined });
  for (const path of removed) files.delete(path);
  for (const { facts, record } of upserts) files.set(record.path, { ...record, hasFacts: facts !== undefined });
  const sorted = [...files.values()].sort(byPath);
  return sorted.some(({ contentHash, path }) => contentHash === '' && isManifest(path)) ? undefined : sorted;
}

function entriesOf({ graph }: IndexState): ReadonlyMap<WorkspacePath, FileLinks> {
  return new Map(graph.entries().map(entry => [entry.record.path, entry]));
}

function linksOf({ external, file, sites, symbolNodes, unresolved }: FileResolution): FileLinks {
  return { file, nodes: symbolNodes, sites, unresolved, external };
}

function resolutionOf(path: WorkspacePath, { external, file, nodes, sites, unresolved }: FileLinks): FileResolution {
  return { path, file, symbolNodes: nodes, sites, unresolved, external };
}

function byPath(left: { readonly path: string }, right: { readonly path: string }): number {
  return left.path < right.path ? -1 : 1;
}
