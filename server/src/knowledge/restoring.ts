import type { RecordDraft, Records, Row } from '../model/records';
import { drafts } from './tables';
import type { Atom, Molecule } from './types';
import { entityAt } from './versions';
import { atomOf, moleculeOf } from './view';

/** A person restores, on behalf of no task. */
const TASK = 'manual';

/**
 * What brings atoms and molecules back to what they were then, each that differs in a version of its own: whoever knows one that came since is told of the
 * conflict, and no version is lost. The changelog has no versions; its rows are put back as they are.
 */
export function restoreKnowledge(now: Records, then: Pick<Records, 'query' | 'projectId'>): readonly RecordDraft[] {
  const updatedAt = new Date(now.now()).toISOString();
  const molecules = changesOf(now, updatedAt, read(now, 'graph_molecules', moleculeOf), read(then, 'graph_molecules', moleculeOf));
  const atoms = changesOf(now, updatedAt, read(now, 'graph_atoms', atomOf), read(then, 'graph_atoms', atomOf));
  // Molecules go last: by then none of them has a member.
  return [
    ...molecules.written.map(drafts.putMolecule),
    ...atoms.written.map(drafts.putAtom),
    ...atoms.removed.map(drafts.removeAtom),
    ...molecules.removed.map(id => drafts.removeMolecule({ id, cascade: false, lastTaskId: TASK, updatedAt })),
  ];
}

function read<T>(from: Pick<Records, 'query' | 'projectId'>, table: string, of: (row: Row) => T): readonly T[] {
  return from.query(`SELECT * FROM ${table} WHERE project_id = ? ORDER BY created_at, id`, [from.projectId]).map(of);
}

function changesOf<T extends Atom | Molecule>(
  records: Records,
  updatedAt: string,
  present: readonly T[],
  past: readonly T[],
): { readonly written: readonly T[]; readonly removed: readonly string[] } {
  const before = new Map(present.map(entity => [entity.id, entity]));
  const wanted = new Set(past.map(({ id }) => id));
  const written = past.flatMap(entity => {
    const is = before.get(entity.id);
    if (is !== undefined && sayOf(is) === sayOf(entity)) return [];
    const last = is?.version ?? entityAt(records, entity.id)?.version ?? 0;
    return { ...entity, version: is === undefined ? Math.max(last, entity.version) + 1 : last + 1, lastTaskId: TASK, updatedAt };
  });
  return { written, removed: present.filter(({ id }) => !wanted.has(id)).map(({ id }) => id) };
}

/** Everything but the bookkeeping of each write. */
function sayOf(entity: Atom | Molecule): string {
  return JSON.stringify({ ...entity, version: 0, lastTaskId: '', updatedAt: '' });
}
