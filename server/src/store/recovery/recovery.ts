import { join } from 'node:path';
import { err, ok, type Result } from '../../base/result';
import type { Migration, RecordKind } from '../../model/records';
import { replaceFile, setAside, TEMPORARY_ENDING, unusedDamagedPath } from '../atomicFile';
import { StoreDatabase } from '../database';
import type { ProjectFolder } from '../dataFolder';
import { type Disk, storeFailure } from '../disk';
import { readAcknowledged } from '../journal/acknowledged';
import { applyRecords, baseOf, firstRecordFor, firstRecordOf, retryUnapplied } from '../journal/apply';
import { type JournalContent, journalAfter, type NumberRange, readSegments, type SegmentFile, type SegmentReading } from '../journal/reading';
import { readSegmentName } from '../journal/segmentNames';
import { migrate } from '../migrations';
import { readSnapshot, snapshotGenerations, snapshotName } from '../snapshots';
import { type History, RescuedViews, replacedFolderMessage } from './rescuedViews';

export interface RecoveryOptions {
  readonly disk: Disk;
  readonly project: ProjectFolder;
  readonly sqlWasm: Uint8Array;
  readonly kinds: ReadonlyMap<string, RecordKind>;
  readonly migrations: readonly Migration[];
}

export interface Recovered {
  readonly database: StoreDatabase;
  /** What was found damaged, one sentence each. */
  readonly messages: readonly string[];
  /** Confirmed records may be lost: what relies on them compares all files by hash. */
  readonly needsHashCheck: boolean;
  readonly nextEpoch: number;
  readonly nextGeneration: number;
  /** Number of the last record that was written, whether it is still there or not. */
  readonly lastSeq: number;
  /** Bytes of journal that no snapshot contains yet. */
  readonly replayedBytes: number;
  /** Files with the view of an owner whose folder was taken away, now part of this view: they go once it is saved. */
  readonly rescued: readonly string[];
}

/**
 * Brings the view to the state of the last acknowledged write: newest snapshot that is sound, else the older one, else an empty view;
 * then every journal record it does not contain. Nothing is deleted and no segment is changed, since an owner that was superseded may have it open:
 * what is damaged is copied or set aside, and named.
 */
export async function recover(options: RecoveryOptions): Promise<Result<Recovered>> {
  try {
    return await new Recovery(options).run();
  } catch (error) {
    return err(storeFailure(error, 'open its store'));
  }
}

/** Ends a sentence about a loss, which is kept as it is and shown at every door: all of it can be done on the command line. */
const RESTORE_ADVICE =
  'Run lattice doctor --repair to recover what is readable in damaged files. To go back to the latest backup, which lattice doctor lists, run lattice tool graph_restore.';

class Recovery {
  readonly #options: RecoveryOptions;
  readonly #messages: string[] = [];
  #needsHashCheck = false;

  constructor(options: RecoveryOptions) {
    this.#options = options;
  }

  async run(): Promise<Result<Recovered>> {
    const { disk, project, kinds, migrations, sqlWasm } = this.#options;
    await this.#dropUnfinished();
    const generations = await snapshotGenerations(disk, project.view);
    const sound = (await this.#newestSound(generations)) ?? (await StoreDatabase.create(sqlWasm));
    const acknowledged = await readAcknowledged(disk, project.acknowledged);
    const files = await readSegments(disk, project.journal);
    const rescue = new RescuedViews(disk, project.view, sqlWasm);
    const { database, left, messages, rescued } = await rescue.newerThan(sound, () => historyIn(sound, files));
    this.#messages.push(...messages);
    const migrated = migrate(database, migrations);
    if (!migrated.ok) {
      database.close();
      return migrated;
    }
    retryUnapplied(database, kinds);
    if (generations.length === 0 && files.length === 0 && rescued.length === 0) await this.#lookForBackups();
    const journal = journalAfter(baseOf(database, acknowledged), files);
    for (const { records, segment } of journal.runs) this.#messages.push(...applyRecords(database, kinds, segment, records));
    await this.#reportLosses(journal);
    const isContained = (id: string | undefined): boolean => id !== undefined && database.first('SELECT 1 FROM graph_tx WHERE id = ?', [id]) !== undefined;
    const contained = left.filter(({ transaction }) => isContained(transaction)).map(({ path }) => path);
    this.#messages.push(...left.filter(({ path }) => !contained.includes(path)).map(({ path }) => replacedFolderMessage(path)));
    database.run("UPDATE graph_tx SET status = 'aborted' WHERE status = 'open'");
    const replayed = new Set(journal.runs.map(({ segment }) => segment));
    return ok({
      database,
      messages: this.#messages,
      needsHashCheck: this.#needsHashCheck,
      nextEpoch: Math.max(0, ...files.map(({ epoch }) => epoch), lastKnownEpoch(database)) + 1,
      nextGeneration: (generations[0] ?? 0) + 1,
      lastSeq: journal.lastSeq,
      replayedBytes: journal.segments.reduce((sum, { name, sizeBytes }) => sum + (replayed.has(name) ? sizeBytes : 0), 0),
      rescued: [...rescued, ...contained],
    });
  }

  async #dropUnfinished(): Promise<void> {
    const { disk, project } = this.#options;
    for (const name of await disk.list(project.view)) if (name.endsWith(TEMPORARY_ENDING)) await disk.remove(join(project.view, name));
  }

  async #newestSound(generations: readonly number[]): Promise<StoreDatabase | undefined> {
    const { disk, project, sqlWasm } = this.#options;
    for (const generation of generations) {
      const snapshot = await readSnapshot(disk, project.view, generation);
      const opened = 'problem' in snapshot ? snapshot : await openSound(sqlWasm, snapshot.content);
      if (opened instanceof StoreDatabase) return opened;
      const aside = await setAside(disk, join(project.view, snapshotName(generation)));
      this.#messages.push(`The saved view ${snapshotName(generation)} could not be used (${opened.problem}); it was kept as ${aside}.`);
    }
    if (generations.length > 0) {
      this.#needsHashCheck = true;
      this.#messages.push('No saved view could be used; the view was rebuilt from the journal, and entries older than its first record are not in it.');
    }
    return undefined;
  }

  /** A project with backups had data. */
  async #lookForBackups(): Promise<void> {
    const { disk, project } = this.#options;
    if ((await disk.list(project.backups)).length === 0) return;
    this.#needsHashCheck = true;
    this.#messages.push(`The saved data and the journal of this project are missing. The project starts empty. ${RESTORE_ADVICE}`);
  }

  async #reportLosses({ missing, overruled, segments }: JournalContent): Promise<void> {
    for (const segment of segments) if (segment.damagedAt.length > 0 || segment.tornAt !== undefined) await this.#reportDamage(segment);
    if (overruled.length > 0) missing = [...missing, { first: overruled[0] ?? 0, last: overruled.at(-1) ?? 0 }];
    for (const range of missing) {
      this.#needsHashCheck = true;
      this.#messages.push(
        `${rangeText(range)} of the journal ${range.first === range.last ? 'is' : 'are'} missing: confirmed changes may be lost. ${RESTORE_ADVICE}`,
      );
    }
  }

  async #reportDamage({ damagedAt, isLossy, name, sizeBytes, tornAt }: SegmentReading): Promise<void> {
    const { disk, project } = this.#options;
    const at = damagedAt[0];
    if (!isLossy) {
      // What is unfinished and cost nothing is what a write leaves that did not end. What was kept aside was told of, with what it cost.
      const isKnown = (await disk.stat(`${join(project.journal, name)}.damaged-1`)) !== undefined;
      if (at !== undefined && !isKnown)
        this.#messages.push(`The journal ${name} is damaged at byte ${at}, in records that are saved elsewhere; nothing is lost.`);
      return;
    }
    this.#needsHashCheck = true;
    const aside = await this.#copyAside(name, sizeBytes);
    this.#messages.push(
      at === undefined
        ? `The journal ${name} ends in an unfinished record of ${sizeBytes - (tornAt ?? 0)} bytes: a confirmed change may be lost. The file was kept as ${aside}. ${RESTORE_ADVICE}`
        : `The journal ${name} is damaged at byte ${at}: confirmed changes may be lost there. The rest was read; the file was kept as ${aside}. ${RESTORE_ADVICE}`,
    );
  }

  /** A copy for examining the damage. The segment itself goes when saved views contain what could be read. */
  async #copyAside(name: string, sizeBytes: number): Promise<string> {
    const { disk, project } = this.#options;
    const path = join(project.journal, name);
    const first = `${path}.damaged-1`;
    if ((await disk.stat(first))?.sizeBytes === sizeBytes) return first;
    const aside = await unusedDamagedPath(disk, path);
    await replaceFile(disk, aside, [(await disk.read(path)) ?? new Uint8Array()]);
    return aside;
  }
}

function rangeText({ first, last }: NumberRange): string {
  return first === last ? `The record ${first}` : `The records ${first} to ${last}`;
}

/** Of a view and the journal together. */
function historyIn(view: StoreDatabase, files: readonly SegmentFile[]): History {
  const base = baseOf(view, undefined);
  const records = journalAfter(base, files).runs.flatMap(run => run.records);
  const [first] = records;
  const birth = (view.schemaVersion > 0 ? firstRecordOf(view) : undefined) ?? (first && firstRecordFor(first));
  return { birth, last: Math.max(base.lastSeq, records.at(-1)?.seq ?? 0) };
}

/** The checksum says that this is what was saved, and only sound views are saved: looking through all of it again would cost more than all else. */
async function openSound(sqlWasm: Uint8Array, content: Uint8Array): Promise<StoreDatabase | { readonly problem: string }> {
  try {
    const database = await StoreDatabase.create(sqlWasm, content);
    database.first('SELECT count(*) FROM sqlite_master');
    return database;
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function lastKnownEpoch(database: StoreDatabase): number {
  return Math.max(0, ...database.all('SELECT segment FROM journal_position').map(row => readSegmentName(String(row['segment']))?.epoch ?? 0));
}
