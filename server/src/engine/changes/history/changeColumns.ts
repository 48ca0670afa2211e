import { Packr } from 'msgpackr';
import { classify } from '../../../code/files/classify';
import { headOf, type StableId } from '../../../model/ids';
import type { PastChanges, PastCommit } from '../../../workspace/pastChanges';
import type { LoggedCommit } from './patchLog';

/** What is saved: the places of commits that changed `ids[i]` are `places[offsets[i]..offsets[i + 1]]`. */
export interface ChangeColumns {
  readonly head: string;
  /** Commits of runs that went on from an earlier one. */
  readonly added: number;
  readonly hashes: readonly string[];
  readonly times: Uint32Array;
  readonly subjects: readonly string[];
  readonly fileCounts: Uint32Array;
  /** 1 for plain merges. */
  readonly merges: Uint8Array;
  /** Symbols and files. */
  readonly ids: readonly StableId[];
  readonly offsets: Uint32Array;
  readonly places: Uint32Array;
}

/** Commits of one run with the symbols and files they changed, newest first. */
export interface TracedCommit {
  readonly commit: LoggedCommit;
  readonly changed: readonly StableId[];
}

/** `later` commits in front of those of `before`, cut to the newest `most`. */
export function joined(head: string, later: readonly TracedCommit[], before: ChangeColumns | undefined, most: number): ChangeColumns {
  const kept = Math.max(0, Math.min(before?.hashes.length ?? 0, most - later.length));
  const symbols = new Map<StableId, number[]>();
  const note = (id: StableId, place: number): void => {
    const places = symbols.get(id);
    if (places === undefined) symbols.set(id, [place]);
    else places.push(place);
  };
  for (const [place, { changed }] of later.entries()) for (const id of changed) note(id, place);
  if (before !== undefined) {
    for (const [at, id] of before.ids.entries())
      for (const place of before.places.subarray(before.offsets[at], before.offsets[at + 1])) if (place < kept) note(id, place + later.length);
  }
  const offsets = new Uint32Array(symbols.size + 1);
  const places = new Uint32Array([...symbols.values()].reduce((sum, list) => sum + list.length, 0));
  let end = 0;
  for (const [at, list] of [...symbols.values()].entries()) {
    places.set(list, end);
    end += list.length;
    offsets[at + 1] = end;
  }
  const commits = later.map(({ commit }) => commit);
  return {
    head,
    added: before === undefined ? 0 : before.added + later.length,
    hashes: [...commits.map(({ hash }) => hash), ...(before?.hashes.slice(0, kept) ?? [])],
    times: Uint32Array.from([...commits.map(({ time }) => time), ...(before?.times.subarray(0, kept) ?? [])]),
    subjects: [...commits.map(({ subject }) => subject), ...(before?.subjects.slice(0, kept) ?? [])],
    fileCounts: Uint32Array.from([...commits.map(({ files }) => files.length), ...(before?.fileCounts.subarray(0, kept) ?? [])]),
    merges: Uint8Array.from([...commits.map(({ isPlainMerge }) => Number(isPlainMerge)), ...(before?.merges.subarray(0, kept) ?? [])]),
    ids: [...symbols.keys()],
    offsets,
    places,
  };
}

export function changesIn(columns: ChangeColumns): PastChanges {
  const { fileCounts, hashes, head, ids, merges, offsets, places, subjects, times } = columns;
  const rows = new Map(ids.map((id, row) => [id, row]));
  const commits = hashes.map(
    (hash, at): PastCommit => ({ hash, time: times[at] ?? 0, subject: subjects[at] ?? '', files: fileCounts[at] ?? 0, isPlainMerge: merges[at] === 1 }),
  );
  return {
    head,
    commits,
    ids: ids.filter(id => !isFile(id)),
    files: ids.filter(id => isFile(id) && !classify(id).isGenerated),
    of(id) {
      const row = rows.get(id);
      return row === undefined ? [] : places.subarray(offsets[row], offsets[row + 1]);
    },
  };
}

/** Ids of files are paths, those of symbols begin with one. */
function isFile(id: StableId): boolean {
  return headOf(id) === id;
}

export function packed(columns: ChangeColumns): Uint8Array {
  return packr().pack(columns);
}

/** `undefined` for what is not as it was written. */
export function unpacked(bytes: Uint8Array): ChangeColumns | undefined {
  const columns = packr().unpack(bytes) as Partial<ChangeColumns>;
  const { fileCounts, hashes, ids, merges, offsets, places, subjects, times } = columns;
  const isSound =
    [fileCounts, offsets, places, times].every(array => array instanceof Uint32Array) &&
    merges instanceof Uint8Array &&
    hashes !== undefined &&
    subjects?.length === hashes.length &&
    times?.length === hashes.length &&
    ids?.length === (offsets?.length ?? 0) - 1;
  return isSound ? (columns as ChangeColumns) : undefined;
}

function packr(): Packr {
  return new Packr({ moreTypes: true, useRecords: true, sequential: false });
}
