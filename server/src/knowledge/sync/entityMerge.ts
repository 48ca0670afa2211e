import { entityIssues } from './checks';
import { changedFields, type MergedField, type Related, type SharedEntity } from './sharedState';
import { mergeKnowledge } from './textMerge';

export type Merged =
  | { readonly entity: SharedEntity }
  | {
      /** Fields that both sides changed in ways that do not fit together. */
      readonly conflicts: readonly MergedField[];
    };

/**
 * One entity out of two that were changed independently since `base`; without one, both count as new. All canonical.
 * Fields of local bookkeeping are those of `left`.
 */
export function mergeEntities(base: SharedEntity | undefined, left: SharedEntity, right: SharedEntity): Merged {
  const from = base ?? { ...left, name: '', moleculeId: null, paths: [], related: [], knowledge: '' };
  const merged = {
    name: oneOf(from.name, left.name, right.name),
    moleculeId: oneOf(from.moleculeId, left.moleculeId, right.moleculeId),
    paths: mergePaths(from.paths, left.paths, right.paths),
    related: mergeRelated(from.related, left.related, right.related),
    knowledge: mergeKnowledge(from.knowledge, left.knowledge, right.knowledge),
  };
  const conflicts = (Object.keys(merged) as MergedField[]).filter(field => merged[field] === undefined);
  if (conflicts.length > 0) return { conflicts };
  const entity = { ...left, ...(merged as Pick<SharedEntity, MergedField>) };
  const broken = new Set<MergedField>(entityIssues(entity).flatMap(({ field }) => (field === 'createdByTaskId' ? [] : [field])));
  if (broken.size === 0) return { entity };
  const touched = changedFields(left, right).filter(field => broken.has(field));
  return { conflicts: touched.length > 0 ? touched : [...broken] };
}

/** The side that changed wins; `undefined` when both did, differently. */
function oneOf<T>(base: T, left: T, right: T): T | undefined {
  if (left === right || right === base) return left;
  return left === base ? right : undefined;
}

/** Three-way merge of sets: what is left of the base in its order, then what the left added, then what the right added. `undefined` when nothing is left. */
function mergePaths(base: readonly string[], left: readonly string[], right: readonly string[]): readonly string[] | undefined {
  if (sameList(left, right) || sameList(right, base)) return left;
  if (sameList(left, base)) return right;
  const kept = base.filter(path => left.includes(path) && right.includes(path));
  const added = [...left, ...right].filter(path => !base.includes(path));
  const merged = [...new Set([...kept, ...added])];
  return merged.length === 0 ? undefined : merged;
}

function mergeRelated(base: readonly Related[], left: readonly Related[], right: readonly Related[]): readonly Related[] | undefined {
  if (sameList(left, right) || sameList(right, base)) return left;
  if (sameList(left, base)) return right;
  const [inBase, inLeft, inRight] = [reasons(base), reasons(left), reasons(right)];
  const merged: Related[] = [];
  for (const id of new Set([...base, ...left, ...right].map(related => related.id))) {
    const [b, l, r] = [inBase.get(id), inLeft.get(id), inRight.get(id)];
    const isBoth = l !== r && l !== b && r !== b;
    if (isBoth) return undefined;
    const reason = l === b ? r : l;
    if (reason !== undefined) merged.push({ id, reason });
  }
  return merged;
}

function reasons(related: readonly Related[]): ReadonlyMap<string, string> {
  return new Map(related.map(({ id, reason }) => [id, reason]));
}

function sameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
