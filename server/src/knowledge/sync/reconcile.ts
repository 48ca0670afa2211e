import { mergeEntities } from './entityMerge';
import { isSame, type MergedField, type SharedEntity } from './sharedState';

/** What both sides last agreed on (B), the local row (L) and the file (F), each canonical or absent. */
export interface Sides {
  readonly base: SharedEntity | undefined;
  readonly local: SharedEntity | undefined;
  readonly file: SharedEntity | undefined;
}

export type ConflictReason = 'both_changed' | 'file_gone' | 'row_gone';

/** What is to be done about one entity, by what changed since row and file last agreed. */
export type Verdict =
  /** Row and file agree; `isNewBase` when that is not what was last agreed on. */
  | { readonly kind: 'agree'; readonly isNewBase: boolean }
  /** The file says something that the row does not: the row becomes `entity`. */
  | { readonly kind: 'import'; readonly how: 'create' | 'update' | 'merge'; readonly entity: SharedEntity }
  | { readonly kind: 'importDeletion' }
  /** The row says something that the file does not. */
  | { readonly kind: 'export' }
  | { readonly kind: 'exportDeletion' }
  /** Both are gone. */
  | { readonly kind: 'forget' }
  | { readonly kind: 'conflict'; readonly reason: ConflictReason; readonly fields: readonly MergedField[] };

export function reconcile({ base, file, local }: Sides): Verdict {
  if (local === undefined) return withoutRow(base, file);
  if (file === undefined) {
    if (base === undefined) return { kind: 'export' };
    return isSame(local, base) ? { kind: 'importDeletion' } : { kind: 'conflict', reason: 'file_gone', fields: [] };
  }
  if (isSame(local, file)) return { kind: 'agree', isNewBase: base === undefined || !isSame(base, file) };
  if (base !== undefined && isSame(file, base)) return { kind: 'export' };
  if (base !== undefined && isSame(local, base)) return { kind: 'import', how: 'update', entity: { ...local, ...mergedFields(file) } };
  const merged = mergeEntities(base, local, file);
  if ('conflicts' in merged) return { kind: 'conflict', reason: 'both_changed', fields: merged.conflicts };
  return { kind: 'import', how: 'merge', entity: merged.entity };
}

function withoutRow(base: SharedEntity | undefined, file: SharedEntity | undefined): Verdict {
  if (file === undefined) return { kind: 'forget' };
  if (base === undefined) return { kind: 'import', how: 'create', entity: file };
  return isSame(file, base) ? { kind: 'exportDeletion' } : { kind: 'conflict', reason: 'row_gone', fields: [] };
}

function mergedFields({ knowledge, moleculeId, name, paths, related }: SharedEntity): Pick<SharedEntity, MergedField> {
  return { name, moleculeId, paths, related, knowledge };
}
