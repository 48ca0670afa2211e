import { accepts, kindsOf, type LinkFilter, type Rows } from '../../algorithms/rows';
import type { NodeHandle } from '../../code/graph/graphView';
import { encodeConfidence, FACT_CONFIDENCE } from '../../model/evidence';
import { RELATIONS, type Relation, relationCode, relationsIn } from '../../model/relations';

const isDependency = (relation: Relation): boolean => RELATIONS[relationCode[relation]]?.dependency === true;

/** Relations along which a change travels, by code. */
const DEPENDENCY_CODES = RELATIONS.flatMap((row, code) => (isDependency(row.name) ? [code] : []));

/** Links of dependence, facts only or whatever the confidence, limited to some relations when these are given. */
export function dependencyLinks(certainty: 'facts' | 'all', relations: readonly Relation[] = []): LinkFilter {
  const codes = relations.length === 0 ? DEPENDENCY_CODES : relations.map(relation => relationCode[relation]);
  return { kinds: kindsOf(codes), minConfidence: certainty === 'facts' ? encodeConfidence(FACT_CONFIDENCE) : 0 };
}

/** Every link of the code, or those of some relations. */
export function anyLinks(relations: readonly Relation[] = []): LinkFilter {
  return { kinds: kindsOf((relations.length === 0 ? relationsIn('code') : relations).map(relation => relationCode[relation])), minConfidence: 0 };
}

/** Links in the row of a node, without making edges of them; those whose other end is `wanted`. */
export function countLinks(rows: Rows, live: Uint8Array, node: NodeHandle, filter: LinkFilter, wanted: (other: NodeHandle) => boolean = () => true): number {
  let found = 0;
  const end = rows.ends[node] ?? 0;
  for (let link = rows.starts[node] ?? 0; link < end; link++) {
    const other = rows.targets[link] ?? 0;
    if (live[other] === 1 && accepts(rows, link, filter) && wanted(other)) found++;
  }
  return found;
}

export function isStructure(relation: Relation): boolean {
  return relation === 'DEFINES_SYMBOL' || relation === 'CONTAINS';
}

/** `called_by` for CALLS: the name of a relation seen from its target. */
export function reverseName(relation: Relation): string {
  return RELATIONS[relationCode[relation]]?.reverse ?? `${relation.toLowerCase()}_by`;
}

/** Names under which impact lists who depends, one per relation between pieces of code; containment is none of them. */
export const REVERSE_NAMES: readonly string[] = RELATIONS.filter(row => row.layer === 'code' && !isStructure(row.name)).map(row => row.reverse);

/** Step weights of personalised PageRank by relation code (graph spec section 7). */
export const STEP_WEIGHTS: Readonly<Float64Array> = Float64Array.from({ length: 256 }, (_, code) => RELATIONS[code]?.rank ?? 0);
