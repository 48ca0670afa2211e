import { headOf, SEPARATOR, type StableId } from '../model/ids';
import type { RecordDraft, Records } from '../model/records';
import type { Episode } from './entities';
import { type EpisodeFilter, MemoryView } from './view';

/** Code that was named in memory and is called otherwise since: a file with all that is in it, or one symbol with its members. */
export interface Move {
  readonly from: StableId;
  readonly to: StableId;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Renames of code that memory names, in the order in which they were seen. */
export class Moves {
  readonly #all: Move[] = [];

  constructor(rows: Iterable<Move>) {
    for (const row of rows) this.add(row);
  }

  get isEmpty(): boolean {
    return this.#all.length === 0;
  }

  add(move: Move): void {
    this.#all.push(move);
  }

  /** What code that was named at a time has been called since, oldest first; without the name it had then. */
  laterNames(id: StableId, since: number): readonly StableId[] {
    const names: StableId[] = [];
    let name = id;
    for (const { at, from, to } of this.#all) {
      const next = at < since ? undefined : replaced(name, from, to);
      if (next === undefined) continue;
      name = next;
      names.push(name);
    }
    return names;
  }

  /** The newest name that is there, of code that was named at a time; the name of then when none is. */
  placeOf(id: StableId, since: number, isThere: (id: StableId) => boolean): StableId {
    return this.isEmpty ? id : (this.laterNames(id, since).findLast(isThere) ?? id);
  }

  /** Every other name that code may have been remembered by. */
  formerNames(id: StableId): readonly StableId[] {
    const names = new Set([id]);
    for (const { from, to } of [...this.#all].reverse()) {
      const former = [...names].map(name => replaced(name, to, from)).filter(name => name !== undefined);
      for (const name of former) names.add(name);
    }
    names.delete(id);
    return [...names];
  }
}

/** An id whose beginning, up to a whole segment, is replaced by another. */
function replaced(id: StableId, from: StableId, to: StableId): StableId | undefined {
  if (id === from) return to;
  return id.startsWith(`${from}${SEPARATOR}`) ? `${to}${id.slice(from.length)}` : undefined;
}

/** The moves of a project, in step with its records. */
export function movesOf(records: Records): Moves {
  return records.companion(makeMoves).moves;
}

function makeMoves(records: Records): { readonly moves: Moves; dispose(): void } {
  const rows = records.query('SELECT from_id, to_id, at FROM code_moves WHERE project_id = ? ORDER BY seq', [records.projectId]);
  const moves = new Moves(rows.map(row => ({ from: String(row['from_id']), to: String(row['to_id']), at: Number(row['at']) })));
  const note = ({ kind, payload }: RecordDraft): void => {
    if (kind === 'memory.moved') moves.add(payload as Move);
  };
  const listening = records.onApplied(drafts => drafts.forEach(note));
  return { moves, dispose: () => listening.dispose() };
}

/** Episodes about code, newest first, also those that named it by what it was called then. */
export function episodesAbout(
  records: Records,
  ids: readonly StableId[],
  filter: Omit<EpisodeFilter, 'entities'>,
  limit: number,
  isThere: (id: StableId) => boolean,
): readonly Episode[] {
  const moves = movesOf(records);
  const view = new MemoryView(records);
  const former = moves.isEmpty ? [] : ids.flatMap(id => moves.formerNames(id));
  if (former.length === 0) return view.episodes({ ...filter, entities: ids }, limit);
  return view
    .episodes({ ...filter, entities: [...ids, ...former] }, limit * FORMER_FETCH)
    .filter(({ entities, timestamp }) => entities.some(entity => ids.includes(moves.placeOf(entity, timestamp, isThere))))
    .slice(0, limit);
}

/** Episodes looked at for one that is shown: a former name may be that of other code by now. */
const FORMER_FETCH = 4;

/** Files and symbols that memory names, each once: what is followed when it is renamed. */
export function codeNamed(records: Pick<Records, 'projectId' | 'query'>): readonly StableId[] {
  const rows = records.query(
    `SELECT DISTINCT entity_id AS id FROM episode_entities WHERE project_id = ?1
     UNION SELECT value AS id FROM learnings, json_each(learnings.entities) WHERE project_id = ?1 AND superseded_by IS NULL`,
    [records.projectId],
  );
  return rows.map(row => String(row['id'])).filter(id => headOf(id) !== '');
}
