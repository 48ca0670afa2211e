import { cycles, stronglyConnected } from '../../algorithms/components';
import { accepts, kindsOf, type LinkFilter, type Rows } from '../../algorithms/rows';
import { compareText } from '../../base/text';
import type { GraphView, HalfAdjacency, NodeHandle } from '../../code/graph/graphView';
import { encodeConfidence, FACT_CONFIDENCE } from '../../model/evidence';
import { NO_NODE, nodeHandle, type StableId } from '../../model/ids';
import { findKind, kindRow, type Layer } from '../../model/kinds';
import { isOwnBookkeeping, RELATIONS, type Relation, relationCode, relationsIn } from '../../model/relations';

const isDependency = (relation: Relation): boolean => RELATIONS[relationCode[relation]]?.dependency === true;

/** Relations along which a change of code travels, by code. */
const DEPENDENCY_CODES = RELATIONS.flatMap((row, code) => (row.layer === 'code' && isDependency(row.name) ? [code] : []));

/** Links that a walk of dependence takes. */
export interface DependencyLinks extends LinkFilter {
  /** Whether files that only name what changed, in a list of imports or exports, depend on it too. */
  readonly withNamers: boolean;
}

/** Links of dependence, facts only or whatever the confidence, limited to some relations when these are given. */
export function dependencyLinks(certainty: 'facts' | 'all', relations: readonly Relation[] = []): DependencyLinks {
  const codes = relations.length === 0 ? DEPENDENCY_CODES : relations.map(relation => relationCode[relation]);
  return { kinds: kindsOf(codes), minConfidence: certainty === 'facts' ? encodeConfidence(FACT_CONFIDENCE) : 0, withNamers: relations.length === 0 };
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

/** Whether a relation only says what is inside what. */
export function isStructure(relation: Relation): boolean {
  return relation === 'DEFINES_SYMBOL' || relation === 'CONTAINS';
}

/** `called_by` for CALLS: the name of a relation seen from its target. */
export function reverseName(relation: Relation): string {
  return RELATIONS[relationCode[relation]]?.reverse ?? `${relation.toLowerCase()}_by`;
}

/** Names under which impact lists who depends, one per relation between pieces of code; containment and what is said beside imports are none of them. */
export const REVERSE_NAMES: readonly string[] = RELATIONS.filter(row => row.layer === 'code' && !isStructure(row.name) && row.name !== 'IMPORTS_TYPES').map(
  row => row.reverse,
);

/** Step weights of personalized PageRank by relation code. */
export const STEP_WEIGHTS: Readonly<Float64Array> = Float64Array.from({ length: 256 }, (_, code) => RELATIONS[code]?.rank ?? 0);

/** Imports that are gone at run time: all that a file imports of another is types (`import type`, `TYPE_CHECKING`, names that no value is used of). */
export class ErasedImports {
  readonly #pairs = new Set<number>();
  readonly #size: number;

  constructor(graph: GraphView) {
    const { forward } = graph.adjacency;
    this.#size = graph.adjacency.size;
    for (const file of graph.files()) {
      const end = forward.ends[file] ?? 0;
      for (let link = forward.starts[file] ?? 0; link < end; link++) {
        if (forward.relations[link] === relationCode.IMPORTS_TYPES) this.#pairs.add(file * this.#size + (forward.targets[link] ?? 0));
      }
    }
  }

  has(source: NodeHandle, target: NodeHandle): boolean {
    return this.#pairs.has(source * this.#size + target);
  }
}

/** Which imports make a cycle: those that load something at run time, or all that are written. */
export type ImportsCounted = 'loading' | 'all';

/** Groups of files that import each other, largest first, then by first path. */
export function importCycles(graph: GraphView, counted: ImportsCounted = 'loading'): StableId[][] {
  const inside = new Uint8Array(graph.adjacency.size);
  for (const file of graph.files()) inside[file] = 1;
  const groups = cycles(stronglyConnected(importRows(graph, counted), inside, EVERY));
  return groups
    .map(group => group.map(file => graph.idOf(nodeHandle(file))).sort(compareText))
    .sort((a, b) => b.length - a.length || compareText(a[0] ?? '', b[0] ?? ''));
}

const EVERY: LinkFilter = { kinds: new Uint8Array(256).fill(1), minConfidence: 0 };

function importRows(graph: GraphView, counted: ImportsCounted): Rows {
  const { forward, size } = graph.adjacency;
  const erased = counted === 'all' ? undefined : new ErasedImports(graph);
  const starts = new Int32Array(size);
  const ends = new Int32Array(size);
  const targets: number[] = [];
  for (const file of graph.files()) {
    starts[file] = targets.length;
    const end = forward.ends[file] ?? 0;
    for (let link = forward.starts[file] ?? 0; link < end; link++) {
      const target = forward.targets[link] ?? NO_NODE;
      if (forward.relations[link] === relationCode.IMPORTS && erased?.has(file, target) !== true) targets.push(target);
    }
    ends[file] = targets.length;
  }
  return { starts, ends, targets: Int32Array.from(targets), relations: new Uint8Array(targets.length), confidences: new Uint8Array(targets.length) };
}
