import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { replaceFile } from '../atomicFile';
import { StoreDatabase } from '../database';
import type { Disk } from '../disk';
import { firstRecordOf, readMeta } from '../journal/apply';
import { decodeSnapshot, encodeSnapshot, type Snapshot } from '../snapshots';

const NAME = /^rescued-[0-9a-z]+\.view$/;

/** The folder may still be in the process of being removed: what is written meanwhile may be removed too. A full disk may have room again. */
const RESCUE_ATTEMPTS = 40;
const VERIFY_AFTER_MS = 250;

/**
 * Keeps what an owner holds in memory in the folder that now stands where its own was, for the next process that opens the project. Resolves when it has
 * stayed there for a moment. Rejects as the disk does, when nothing helps.
 */
export async function rescueView(disk: Disk, folder: string, ownerId: string, snapshot: Snapshot): Promise<void> {
  const content = encodeSnapshot(snapshot);
  const path = join(folder, `rescued-${ownerId}.view`);
  for (let attempt = 1; ; attempt++) {
    try {
      await disk.makeFolder(folder);
      await replaceFile(disk, path, content);
      const written = await disk.identity(folder);
      await after(VERIFY_AFTER_MS);
      const isKept = (await disk.identity(folder)) === written && (await disk.stat(path)) !== undefined;
      if (isKept || attempt === RESCUE_ATTEMPTS) return;
    } catch (error) {
      if (attempt === RESCUE_ATTEMPTS) throw error;
      await after(VERIFY_AFTER_MS);
    }
  }
}

export interface Rescue {
  /** The view to go on with. */
  readonly database: StoreDatabase;
  readonly messages: readonly string[];
  /** Files whose content `database` has. */
  readonly rescued: readonly string[];
  /** Files that were left alone. What became of their newest transaction says whether another owner had gone on from there. */
  readonly left: readonly { readonly path: string; readonly transaction: string | undefined }[];
}

/** What a folder says of itself. */
export interface History {
  /** As `birthOf` gives it; `undefined` when there is no record. */
  readonly birth: string | undefined;
  /** Number of the last record; 0 when there is none. */
  readonly last: number;
}

interface Found {
  readonly path: string;
  readonly view: StoreDatabase;
  readonly lastSeq: number;
}

/** The views that owners left whose data folder was removed or replaced under them. */
export class RescuedViews {
  constructor(
    private readonly disk: Disk,
    private readonly folder: string,
    private readonly sqlWasm: Uint8Array,
  ) {}

  /**
   * `sound`, or the newest rescued view that goes on from where folder and `sound` end: those of a folder that is empty, or of one that is a copy of
   * what was there before, also one whose journal no view was made of yet. What belongs to another history stays where it is and is named.
   */
  async newerThan(sound: StoreDatabase, onDisk: () => History): Promise<Rescue> {
    const found = await this.#find();
    if (found.length === 0) return { database: sound, messages: [], rescued: [], left: [] };
    const { birth, last } = onDisk();
    const fits = found.filter(({ lastSeq, view }) => (last === 0 || firstRecordOf(view) === birth) && lastSeq >= last);
    const newest = fits.reduce<Found | undefined>((best, each) => (best === undefined || each.lastSeq > best.lastSeq ? each : best), undefined);
    const contained = found.filter(each => newest !== undefined && firstRecordOf(each.view) === firstRecordOf(newest.view) && each.lastSeq <= newest.lastSeq);
    const left = found.filter(each => !contained.includes(each)).map(({ path, view }) => ({ path, transaction: newestTransaction(view) }));
    const messages: string[] = [];
    // Where the folder had all of it, nobody need be told.
    const isMore = newest !== undefined && (last === 0 || newest.lastSeq > last);
    if (isMore) messages.push('The data folder of this project was removed or replaced while Lattice was running; it was restored from memory.');
    if (newest !== undefined) sound.close();
    for (const { view } of found) if (view !== newest?.view) view.close();
    return { database: newest?.view ?? sound, messages, rescued: contained.map(({ path }) => path), left };
  }

  async #find(): Promise<readonly Found[]> {
    const found: Found[] = [];
    for (const name of (await this.disk.list(this.folder)).filter(each => NAME.test(each))) {
      const path = join(this.folder, name);
      const snapshot = decodeSnapshot((await this.disk.read(path)) ?? new Uint8Array());
      if ('problem' in snapshot) continue;
      const view = await StoreDatabase.create(this.sqlWasm, snapshot.content);
      found.push({ path, view, lastSeq: readMeta(view, 'last_seq') });
    }
    return found;
  }
}

function newestTransaction(view: StoreDatabase): string | undefined {
  const row = view.first('SELECT id FROM graph_tx ORDER BY seq DESC LIMIT 1');
  return row === undefined ? undefined : String(row['id']);
}

export function replacedFolderMessage(path: string): string {
  return `The data folder of this project was replaced by another while Lattice was running; the previous data is kept as ${path}.`;
}
