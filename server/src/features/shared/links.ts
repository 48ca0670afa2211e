import { accepts, kindsOf, type LinkFilter } from '../../algorithms/rows';
import type { GraphView, HalfAdjacency, NodeHandle } from '../../code/graph/graphView';
import { encodeConfidence, FACT_CONFIDENCE } from '../../model/evidence';
import { NO_NODE } from '../../model/ids';
import { findKind, kindRow, type Layer } from '../../model/kinds';
import { isOwnBookkeeping, RELATIONS, type Relation, relationCode, relationsIn } from '../../model/relations';

const isDependency = (relation: Relation): boolean => RELATIONS[relationCode[relation]]?.dependency === true;

/** Relations along which a change of code travels, by code. */
const DEPENDENCY_CODES = RELATIONS.flatMap((row, code) => (row.layer === 'code' && isDependency(row.name) ? [code] : []));

/** Links of dependence, facts only or whatever the confidence, limited to some relations when these are given. */
export function dependencyLinks(certainty: 'facts' | 'all', relations: readonly Relation[] = []): LinkFilter {
  const codes = relations.length === 0 ? DEPENDENCY_CODES : relations.map(relation => relationCode[relation]);
  return { kinds: kindsOf(codes), minConfidence: certainty === 'facts' ? encodeConfidence(FACT_CONFIDENCE) : 0 };
}

/** Every link of the code, or those of some relations. */
export function anyLinks(relations: readonly Relation[] = []): LinkFilter {
  return { kinds: kindsOf((relations.length === 0 ? relationsIn('code') : relations).map(relation => relationCode[relation])), minConfidence: 0 };
}

/**
 * Links that a walk takes from some nodes: those named, else all of the layers that it starts in, or whose kinds are asked for, and of the code.
 * Bookkeeping is taken when it is named, or by what it is there for: a community is walked to its members.
 */
export function linksAround(
  graph: GraphView,
  starts: Iterable<NodeHandle>,
  relations: readonly Relation[] = [],
  wanted: ReadonlySet<string> = NO_KINDS,
): LinkFilter {
  if (relations.length > 0) return anyLinks(relations);
  const begun = new Set([...starts].map(node => graph.kindOf(node)));
  const named = [...wanted].flatMap(name => findKind(name)?.name ?? []);
  const layers = new Set<Layer>(['code', ...[...begun, ...named].map(kind => kindRow(kind).layer)]);
  const taken = RELATIONS.filter(row => layers.has(row.layer) && (row.rank > 0 || [...begun].some(kind => isOwnBookkeeping(row.name, kind))));
  return anyLinks(taken.map(row => row.name));
}

const NO_KINDS: ReadonlySet<string> = new Set();

/** Links in the row of a node, without making edges of them; those whose other end is `wanted`. */
export function countLinks(
  rows: HalfAdjacency,
  live: Uint8Array,
  node: NodeHandle,
  filter: LinkFilter,
  wanted: (other: NodeHandle) => boolean = () => true,
): number {
  let found = 0;
  const end = rows.ends[node] ?? 0;
  for (let link = rows.starts[node] ?? 0; link < end; link++) {
    const other = rows.targets[link] ?? NO_NODE;
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

/** Step weights of personalised PageRank by relation code. */
export const STEP_WEIGHTS: Readonly<Float64Array> = Float64Array.from({ length: 256 }, (_, code) => RELATIONS[code]?.rank ?? 0);
