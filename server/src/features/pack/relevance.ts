import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { FACT_CONFIDENCE } from '../../model/evidence';
import type { StableId } from '../../model/ids';
import { type Kind, kindRow } from '../../model/kinds';
import type { Relation } from '../../model/relations';
import type { SearchHit } from '../../search/searchView';

/** Why a symbol is in a pack: the task spells its name, or the endpoint or event that it serves; the words of the task, its file, past commits with a subject like it, a call from or to a symbol that matched, links from several that matched. */
export type Reason =
  | { readonly kind: 'named' }
  | { readonly kind: 'serves' }
  | { readonly kind: 'words' }
  | { readonly kind: 'file' }
  | { readonly kind: 'past_commits' }
  | { readonly kind: 'linked' }
  | { readonly kind: 'calls' | 'called_by' | 'implements'; readonly other: NodeHandle };

export interface RankedSymbol {
  readonly node: NodeHandle;
  /** 0 to 1, over the best of the pack. */
  readonly score: number;
  /** Strongest first. */
  readonly reasons: readonly Reason[];
}

/** Hits whose callers, callees and implementations are looked at, and files whose other symbols are. */
const NEAR_HITS = 20;
const NEAR_FILES = 12;
/** What a neighbor gets of a hit's score, over the square root of how many neighbors of that kind there are: what calls the hit, and what it calls or what implements it. A change reaches what it calls more often than its callers. */
const CALLER_SHARE = 0.19;
const CALL_SHARE = 0.375;
/** What a symbol gets for being near to the best hits over all links, and how many count that nothing else leads to. */
const LINKED_SHARE = 0.25;
const MAX_LINKED = 100;
/** What a symbol gets for a name that the task spells, over the square root of how many hits have it. */
const NAMED_SHARE = 0.2;
/** What a symbol gets for an endpoint or event that the task spells, over the square root of how many do. */
const SERVED_SHARE = 0.8;
/** What a symbol gets of its file's score: when it is a hit itself, and when it is not. */
const FILE_SHARE = 0.2;
const FILE_ONLY = 0.15;
/** What a symbol gets for past commits like the task, and how many count that nothing else leads to. */
const PAST_SHARE = 0.3;
const MAX_PAST = 60;
/** A file counts as its best hit, and each further one by so much less; a hit of the file itself counts for so much. */
const MORE_HITS = 0.25;
const FILE_HIT = 0.6;
/** What is neither called nor a type (constants, variables, fields) says less for its length. */
const OTHER_WEIGHT = 0.9;
/** What a further symbol of a file counts, over the one before, and the least that the file comes down to. */
const NEXT_OF_FILE = 0.9;
const MIN_OF_FILE = 0.7;
const FULL_WEIGHT: ReadonlySet<Kind> = new Set(['function', 'method', 'constructor', 'class', 'interface', 'type', 'struct', 'trait', 'enum']);

/** What a task says beside its words. */
export interface TaskSigns {
  /** Names of symbols that it spells. */
  readonly names: ReadonlySet<string>;
  /** Symbols changed by commits like it, 0 to 1. */
  readonly past?: ReadonlyMap<StableId, number> | undefined;
  /** Symbols that serve what it spells. */
  readonly served?: ReadonlySet<StableId>;
  /** Nodes near to the best hits, 0 to 1, best first. */
  readonly linked?: ReadonlyMap<NodeHandle, number>;
}

/**
 * Symbols by how likely a task needs their source, best first: what its words find, lifted by the other hits of the same file, and what calls or is
 * called by a hit, stands beside hits, is spelled out (`names`, `served`), was changed by commits like the task (`past`) or is near to the best hits (`linked`). Tests and what is declared elsewhere (externals) are left out.
 */
export function rankSymbols(
  graph: GraphView,
  hits: readonly SearchHit[],
  { linked = new Map(), names, past = new Map(), served = new Set() }: TaskSigns,
): readonly RankedSymbol[] {
  const top = hits[0]?.score ?? 1;
  const own = new Map<NodeHandle, number>();
  for (const hit of hits) {
    const node = graph.find(hit.id);
    if (node !== undefined && !graph.isTest(node)) own.set(node, top > 0 ? hit.score / top : 0);
  }
  const files = scoreFiles(graph, own);
  const draft = new Map<NodeHandle, { score: number; reasons: Map<string, { reason: Reason; gain: number }> }>();
  const add = (node: NodeHandle, gain: number, reason: Reason): void => {
    if (!isSymbol(graph, node) || graph.isTest(node) || gain <= 0) return;
    const entry = draft.get(node) ?? { score: 0, reasons: new Map() };
    draft.set(node, entry);
    const before = entry.reasons.get(reason.kind)?.gain ?? 0;
    if (gain <= before) return;
    entry.score += gain - before;
    entry.reasons.set(reason.kind, { reason, gain });
  };
  for (const [node, score] of own) add(node, score, { kind: 'words' });
  for (const name of names) {
    const called = [...own.keys()].filter(node => isSymbol(graph, node) && graph.node(node).name === name);
    for (const node of called) add(node, NAMED_SHARE / spread(called.length), { kind: 'named' });
  }
  for (const id of served) {
    const node = graph.find(id);
    if (node !== undefined) add(node, SERVED_SHARE / spread(served.size), { kind: 'serves' });
  }
  const near = [...own].filter(([node]) => isSymbol(graph, node)).slice(0, NEAR_HITS);
  for (const [node, score] of near) addNeighbors(graph, node, score, add);
  const best = [...files].sort((a, b) => b[1] - a[1] || graph.orderOf(a[0]) - graph.orderOf(b[0])).slice(0, NEAR_FILES);
  const topFile = best[0]?.[1] ?? 1;
  for (const [file, score] of best) {
    for (const node of graph.symbolsOf(file)) add(node, (score / topFile) * (own.has(node) ? FILE_SHARE : FILE_ONLY), { kind: 'file' });
  }
  addPast(graph, past, draft, add);
  addLinked(linked, draft, add);
  const rows = [...draft].map(([node, { score, reasons }]) => ({
    node,
    score: score * (FULL_WEIGHT.has(graph.kindOf(node)) ? 1 : OTHER_WEIGHT),
    // What stands near to the best hits for a reason of its own needs no other one.
    reasons: [...reasons.values()]
      .sort((a, b) => b.gain - a.gain)
      .map(({ reason }) => reason)
      .filter(({ kind }, _, all) => kind !== 'linked' || all.length === 1),
  }));
  rows.sort((a, b) => b.score - a.score || graph.orderOf(a.node) - graph.orderOf(b.node));
  const most = rows[0]?.score ?? 1;
  return rows.map(row => ({ ...row, score: row.score / most }));
}

/**
 * The first `limit` symbols where each one of a file makes its others count less: symbols of one file are right or wrong together, and a task is more often
 * in another file than in a tenth symbol of one (after Carbonell and Goldstein 1998, maximal marginal relevance). `ranked` is best first.
 */
export function spreadOverFiles(graph: GraphView, ranked: readonly RankedSymbol[], limit: number): readonly RankedSymbol[] {
  const waiting = new Map<NodeHandle | undefined, { readonly rows: RankedSymbol[]; taken: number }>();
  for (const row of ranked) {
    const file = graph.fileNodeOf(row.node);
    const queue = waiting.get(file) ?? { rows: [], taken: 0 };
    queue.rows.push(row);
    waiting.set(file, queue);
  }
  const kept: RankedSymbol[] = [];
  while (kept.length < Math.min(limit, ranked.length)) {
    let best: { readonly rows: RankedSymbol[]; taken: number } | undefined;
    let most = -1;
    for (const queue of waiting.values()) {
      const value = (queue.rows[queue.taken]?.score ?? -1) * Math.max(MIN_OF_FILE, NEXT_OF_FILE ** queue.taken);
      if (value > most) [best, most] = [queue, value];
    }
    const row = best?.rows[best.taken];
    if (best === undefined || row === undefined) break;
    best.taken++;
    kept.push(row);
  }
  return kept;
}

/** Those that other reasons lead to, and the best of the rest. */
function addPast(
  graph: GraphView,
  past: ReadonlyMap<StableId, number>,
  draft: ReadonlyMap<NodeHandle, unknown>,
  add: (node: NodeHandle, gain: number, reason: Reason) => void,
): void {
  const ranked = [...past].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  for (const [place, [id, score]] of ranked.entries()) {
    const node = graph.find(id);
    if (node !== undefined && (place < MAX_PAST || draft.has(node))) add(node, PAST_SHARE * score, { kind: 'past_commits' });
  }
}

/** As `addPast`, of what is near to the best hits. */
function addLinked(
  linked: ReadonlyMap<NodeHandle, number>,
  draft: ReadonlyMap<NodeHandle, unknown>,
  add: (node: NodeHandle, gain: number, reason: Reason) => void,
): void {
  for (const [place, [node, score]] of [...linked].entries()) if (place < MAX_LINKED || draft.has(node)) add(node, LINKED_SHARE * score, { kind: 'linked' });
}

function addNeighbors(graph: GraphView, node: NodeHandle, score: number, add: (node: NodeHandle, gain: number, reason: Reason) => void): void {
  const users = graph.in(node).filter(edge => edge.confidence >= FACT_CONFIDENCE);
  const gain = score / spread(users.length);
  for (const { relation, source } of users) {
    if (CALLS.has(relation)) add(source, CALLER_SHARE * gain, { kind: 'calls', other: node });
    if (EXTENDS.has(relation)) add(source, CALL_SHARE * gain, { kind: 'implements', other: node });
  }
  for (const { confidence, relation, target } of graph.out(node)) {
    if (CALLS.has(relation) && confidence >= FACT_CONFIDENCE)
      add(target, (CALL_SHARE * score) / spread(graph.in(target).length), { kind: 'called_by', other: node });
  }
}

/** What a symbol certainly calls, creates, implements or overrides, and what does so with it. */
export function directNeighbors(graph: GraphView, node: NodeHandle): ReadonlySet<NodeHandle> {
  const isDirect = ({ confidence, relation }: { readonly confidence: number; readonly relation: Relation }): boolean =>
    confidence >= FACT_CONFIDENCE && (CALLS.has(relation) || EXTENDS.has(relation));
  return new Set([
    ...graph.in(node).flatMap(edge => (isDirect(edge) ? [edge.source] : [])),
    ...graph.out(node).flatMap(edge => (isDirect(edge) ? [edge.target] : [])),
  ]);
}

const CALLS: ReadonlySet<Relation> = new Set(['CALLS', 'INSTANTIATES']);
const EXTENDS: ReadonlySet<Relation> = new Set(['IMPLEMENTS', 'INHERITS', 'OVERRIDES']);

export function isSymbol(graph: GraphView, node: NodeHandle): boolean {
  return kindRow(graph.kindOf(node)).nodeType === 'symbol';
}

/** A symbol that many use is near to none of them. */
function spread(links: number): number {
  return Math.sqrt(Math.max(1, links));
}

function scoreFiles(graph: GraphView, own: ReadonlyMap<NodeHandle, number>): Map<NodeHandle, number> {
  const scores = new Map<NodeHandle, number[]>();
  for (const [node, score] of own) {
    const file = graph.fileNodeOf(node);
    if (file === undefined) continue;
    const list = scores.get(file) ?? [];
    list.push(file === node ? FILE_HIT * score : score);
    scores.set(file, list);
  }
  const total = (list: number[]): number => list.sort((a, b) => b - a).reduce((sum, score, at) => sum + score * (at === 0 ? 1 : MORE_HITS ** at), 0);
  return new Map([...scores].map(([file, list]) => [file, total(list)]));
}
