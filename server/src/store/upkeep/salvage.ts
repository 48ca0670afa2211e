import { basename, join } from 'node:path';
import type { ProjectFolder } from '../dataFolder';
import type { Disk } from '../disk';
import { BATCH_KIND, type JournalRecord, readSegment } from '../journal/journalRecords';
import type { ProjectStore } from '../projectStore';

type Entries = readonly { readonly kind: string; readonly payload: unknown }[];

/** A write that stands in a damaged file and was never carried out. */
export interface LostWrite {
  readonly file: string;
  readonly record: JournalRecord;
}

const DAMAGED = /^journal-.*\.damaged-\d+$/;

/** Writes of people and agents in the journal files that were set aside, of which the store knows nothing: told by their transaction, which each write has one of. */
export async function lostWrites(store: ProjectStore, disk: Disk, project: ProjectFolder): Promise<readonly LostWrite[]> {
  const found = new Map<string, LostWrite>();
  for (const file of (await disk.list(project.journal)).filter(name => DAMAGED.test(name))) {
    for (const record of readSegment((await disk.read(join(project.journal, file))) ?? new Uint8Array()).records) {
      const id = transactionOf(record);
      if (id !== undefined && store.transactions.find(id) === undefined) found.set(id, { file, record });
    }
  }
  return [...found.values()].sort((a, b) => a.record.seq - b.record.seq || a.record.ts - b.record.ts);
}

/**
 * Carries lost writes out, oldest first, as new records, where that takes back nothing that was written since: no row of `versioned` tables (with columns
 * `id` and `version`) may vanish or get an older version. Gives what it did, a sentence for each file.
 */
export async function salvage(store: ProjectStore, lost: readonly LostWrite[], versioned: readonly string[]): Promise<readonly string[]> {
  const counts = new Map<string, { back: number; left: number }>();
  for (const { file, record } of lost) {
    const count = counts.get(file) ?? { back: 0, left: 0 };
    counts.set(file, count);
    const { key, kind, payload, result } = record;
    const fits = store.rehearse(payload as Entries, () => versionsOf(store, versioned)) ?? new Map<string, number>();
    const before = versionsOf(store, versioned);
    const takesBack = fits.size === 0 || [...before].some(([id, version]) => (fits.get(id) ?? 0) < version);
    const written = takesBack
      ? undefined
      : await store.append({ kind, payload, ...(key === undefined ? {} : { key }), ...(result === undefined ? {} : { result }) });
    if (written?.ok === true) count.back++;
    else count.left++;
  }
  return [...counts].map(([file, { back, left }]) =>
    left === 0
      ? `Restored from ${basename(file)}: ${back} ${back === 1 ? 'change' : 'changes'}.`
      : `Restored from ${basename(file)}: ${back} ${back === 1 ? 'change' : 'changes'}. Not restored, because the items have changed since: ${left}.`,
  );
}

/** Of the transaction that a write of people or agents carries in its record. */
function transactionOf({ kind, payload }: JournalRecord): string | undefined {
  if (kind !== BATCH_KIND || !Array.isArray(payload)) return undefined;
  const transaction = (payload as Entries).find(entry => entry.kind === 'tx.record')?.payload as { readonly id?: string } | undefined;
  return transaction?.id;
}

function versionsOf(store: ProjectStore, tables: readonly string[]): ReadonlyMap<string, number> {
  const rows = tables.flatMap(table => store.query(`SELECT id, version FROM ${table}`));
  return new Map([['', 0], ...rows.map(({ id, version }): [string, number] => [String(id), Number(version)])]);
}
