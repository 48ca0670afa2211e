import { type Reach, reach } from '../algorithms/reach';
import type { LinkFilter } from '../algorithms/rows';
import type { CancellationToken } from '../base/cancellation';
import type { WorkspacePath } from '../base/path';
import { type Result, err, ok } from '../base/result';
import type { GraphView, NodeHandle } from '../code/graph/graphView';
import { decodeConfidence, FACT_CONFIDENCE } from '../model/evidence';
import type { StableId } from '../model/ids';
import { RELATIONS, type Relation } from '../model/relations';
import type { Snapshot, Workspace } from '../workspace/snapshot';
import { type FeatureFailure, invalid, notFound } from './failure';
import { type Draft, type Stamped, answerFresh } from './fresh';
import { dependencyLinks, reverseName } from './links';
import { type RowKind, compareText, kindOf } from './rows';
import { pathOfTarget, resolveTarget, workspacePath } from './target';

export interface ImpactParams {
  readonly target?: string;
  readonly files?: readonly string[];
  /** 1 to 6. */
  readonly maxDepth?: number;
  /** Walks only these; all dependency relations when absent. */
  readonly relations?: readonly Relation[];
}

/** Something that a change may break, and why. */
export interface Impacted {
  readonly id: StableId;
  readonly kind: RowKind;
  readonly path: WorkspacePath;
  readonly startLine: number;
  readonly isTest: boolean;
  readonly depth: number;
  /** How it depends on the last node but one of `via`: `CALLS`, `IMPORTS`… */
  readonly relation: Relation;
  /** Line of that use in `path`, 0 when unknown. */
  readonly line: number;
  /** Product of the confidences along `via`. */
  readonly confidence: number;
  /** Evidence: the changed node first, this node last. */
  readonly via: readonly StableId[];
}

export interface ImpactAnswer {
  /** What was taken as changed. */
  readonly targets: readonly StableId[];
  readonly candidates: readonly StableId[];
  readonly guessed: boolean;
  /** Facts: every step is at least `FACT_CONFIDENCE`. By depth, then confidence, then id. */
  readonly impacted: readonly Impacted[];
  /** Reached only over at least one weaker step. */
  readonly maybe: readonly Impacted[];
  /** Tests among `impacted` whose file imports a changed file, and the others. */
  readonly directTests: readonly Impacted[];
  readonly transitiveTests: readonly Impacted[];
  /** Files, other than tests, that hold something impacted, with the least depth. */
  readonly impactedFiles: readonly { readonly path: WorkspacePath; readonly depth: number }[];
  readonly byRelation: Readonly<Record<string, readonly StableId[]>>;
  /** Impacted files and tests. */
  readonly blastRadius: number;
  readonly risk: 'low' | 'medium' | 'high';
}

/** What depends on a symbol or on files, directly or not (graph spec section 10). */
export async function impact(workspace: Workspace, params: ImpactParams, token: CancellationToken): Promise<Result<Stamped<ImpactAnswer>, FeatureFailure>> {
  if ((params.target === undefined) === (params.files === undefined))
    return err(invalid('target', 'Give either target or files.', 'Name a symbol as target, or changed files as files.'));
  const known = params.target === undefined ? [] : [pathOfTarget(workspace, params.target)].filter(path => path !== undefined);
  return answerFresh(workspace, known, token, snapshot => {
    const seeds = seedsOf(snapshot, workspace, params);
    return seeds.ok ? ok(draftOf(snapshot.graph, seeds.value, params)) : seeds;
  });
}

/** Impact of one node without looking at the disk, for hovers and reports. */
export function impactOf(graph: GraphView, node: NodeHandle, maxDepth: number): ImpactAnswer {
  return draftOf(graph, { nodes: [node], candidates: [], guessed: false }, { maxDepth }).value;
}

interface Seeds {
  readonly nodes: readonly NodeHandle[];
  readonly candidates: readonly StableId[];
  readonly guessed: boolean;
}

function seedsOf(snapshot: Snapshot, workspace: Workspace, params: ImpactParams): Result<Seeds, FeatureFailure> {
  if (params.target !== undefined) {
    const target = resolveTarget(snapshot, workspace, params.target);
    return target.ok ? ok({ nodes: [target.value.node], candidates: target.value.candidates, guessed: target.value.guessed }) : target;
  }
  const nodes: NodeHandle[] = [];
  for (const file of params.files ?? []) {
    const path = workspacePath(workspace, file.replace(/^file::/, ''));
    if (!path.ok) return path;
    const node = snapshot.graph.fileOf(path.value);
    if (node === undefined) return err(notFound(file, snapshot.search.suggest(path.value, 5)));
    nodes.push(node);
  }
  return nodes.length > 0 ? ok({ nodes, candidates: [], guessed: false }) : err(invalid('files', 'files is empty.'));
}

const MAX_DEPTH = 6;

function draftOf(graph: GraphView, seeds: Seeds, params: ImpactParams): Draft<ImpactAnswer> {
  const changed = new Set(seeds.nodes.flatMap(node => withMembers(graph, node)));
  const maxDepth = Math.min(MAX_DEPTH, Math.max(1, params.maxDepth ?? 3));
  const walk = (certainty: 'facts' | 'all'): Walk => {
    const filter = dependencyLinks(certainty, params.relations);
    return { filter, reached: reach([graph.adjacency.backward], graph.adjacency.live, changed, maxDepth, filter) };
  };
  const facts = walk('facts');
  const all = walk('all');
  const impacted = describe(graph, changed, facts, () => true);
  const maybe = describe(graph, changed, all, node => facts.reached.depths[node] === -1);
  const tests = testsAmong(impacted);
  const changedFiles = new Set([...changed].map(node => graph.node(node).path));
  const isDirect = (test: Impacted): boolean => importsAny(graph, test.path, changedFiles);
  const impactedFiles = filesOf(impacted.filter(row => !row.isTest));
  const blastRadius = impactedFiles.length + tests.length;
  const value: ImpactAnswer = {
    targets: seeds.nodes.map(node => graph.idOf(node)),
    candidates: seeds.candidates,
    guessed: seeds.guessed,
    impacted,
    maybe,
    directTests: tests.filter(isDirect),
    transitiveTests: tests.filter(test => !isDirect(test)),
    impactedFiles,
    byRelation: relationLists(impacted),
    blastRadius,
    risk: blastRadius > 50 ? 'high' : blastRadius > 10 ? 'medium' : 'low',
  };
  const unresolved = seeds.nodes.reduce((sum, node) => sum + graph.countsOf(node).unresolved, 0);
  return { value, touched: [...changedFiles, ...impacted.map(row => row.path)], unresolved };
}

/** A file with its symbols, a container with its members: who uses a member depends on the whole. */
function withMembers(graph: GraphView, node: NodeHandle): NodeHandle[] {
  if (graph.node(node).nodeType === 'file') return [node, ...graph.symbolsOf(node)];
  const all = [node];
  for (let at = 0; at < all.length; at++) all.push(...graph.childrenOf(all[at] ?? node));
  return all;
}

interface Walk {
  readonly filter: LinkFilter;
  readonly reached: Reach;
}

function describe(graph: GraphView, changed: ReadonlySet<NodeHandle>, walk: Walk, keep: (node: NodeHandle) => boolean): Impacted[] {
  const steps = new Map<NodeHandle, Step>();
  const rows: Impacted[] = [];
  for (const node of walk.reached.nodes) {
    if (changed.has(node) || !keep(node)) continue;
    const via = evidence(graph, walk, node, steps);
    const last = via[via.length - 1];
    if (last === undefined) continue;
    const shown = graph.node(node);
    rows.push({
      id: shown.id,
      kind: kindOf(shown),
      path: shown.path,
      startLine: shown.startLine,
      isTest: shown.isTest,
      depth: walk.reached.depths[node] ?? 0,
      relation: last.relation,
      line: lineOf(graph, node, last),
      confidence: Math.round(via.reduce((product, step) => product * step.confidence, 1) * 1000) / 1000,
      via: [graph.idOf(via[0]?.towards ?? node), ...via.map(step => graph.idOf(step.node))],
    });
  }
  return rows.sort((a, b) => a.depth - b.depth || b.confidence - a.confidence || compareText(a.id, b.id));
}

/** One link of an evidence path: `node` depends on `towards`, which is one hop nearer to the change. */
interface Step {
  readonly node: NodeHandle;
  readonly towards: NodeHandle;
  readonly relation: Relation;
  readonly confidence: number;
}

/** Steps from the change to `node`; of several nearest neighbours the surest counts, then the first by id. */
function evidence(graph: GraphView, walk: Walk, node: NodeHandle, known: Map<NodeHandle, Step>): Step[] {
  const path: Step[] = [];
  for (let at = node; (walk.reached.depths[at] ?? 0) > 0; ) {
    const step = known.get(at) ?? nearest(graph, walk, at);
    if (step === undefined) break;
    known.set(at, step);
    path.unshift(step);
    at = step.towards;
  }
  return path;
}

function nearest(graph: GraphView, { filter, reached }: Walk, node: NodeHandle): Step | undefined {
  const { forward } = graph.adjacency;
  const wanted = (reached.depths[node] ?? 0) - 1;
  let best: Step | undefined;
  const end = forward.ends[node] ?? 0;
  for (let link = forward.starts[node] ?? 0; link < end; link++) {
    const towards = forward.targets[link] ?? 0;
    const byte = forward.confidences[link] ?? 0;
    const code = forward.relations[link] ?? 0;
    if (reached.depths[towards] !== wanted || filter.kinds[code] !== 1 || byte < filter.minConfidence) continue;
    const step: Step = { node, towards, relation: RELATIONS[code]?.name ?? 'CALLS', confidence: decodeConfidence(byte) };
    if (best === undefined || isBetter(graph, step, best)) best = step;
  }
  return best;
}

function isBetter(graph: GraphView, step: Step, than: Step): boolean {
  if (step.confidence !== than.confidence) return step.confidence > than.confidence;
  return step.towards === than.towards ? step.relation < than.relation : compareText(graph.idOf(step.towards), graph.idOf(than.towards)) < 0;
}

function lineOf(graph: GraphView, node: NodeHandle, step: Step): number {
  const edges = step.relation === 'DECORATES' ? graph.in(node) : graph.out(node);
  const edge = edges.find(candidate => candidate.relation === step.relation && (candidate.target === step.towards || candidate.source === step.towards));
  return edge?.lines[0] ?? 0;
}

/** Symbols in test files; the file itself only when none of its symbols is among them. */
function testsAmong(impacted: readonly Impacted[]): Impacted[] {
  const withSymbols = new Set(impacted.filter(row => row.isTest && row.kind !== 'file').map(row => row.path));
  return impacted.filter(row => row.isTest && (row.kind !== 'file' || !withSymbols.has(row.path)));
}

function importsAny(graph: GraphView, path: WorkspacePath, changed: ReadonlySet<WorkspacePath>): boolean {
  const file = graph.fileOf(path);
  if (file === undefined) return false;
  return graph.out(file).some(edge => edge.relation === 'IMPORTS' && edge.confidence >= FACT_CONFIDENCE && changed.has(graph.idOf(edge.target)));
}

function filesOf(rows: readonly Impacted[]): { path: WorkspacePath; depth: number }[] {
  const depths = new Map<WorkspacePath, number>();
  for (const row of rows) depths.set(row.path, Math.min(row.depth, depths.get(row.path) ?? row.depth));
  return [...depths].map(([path, depth]) => ({ path, depth })).sort((a, b) => a.depth - b.depth || compareText(a.path, b.path));
}

function relationLists(impacted: readonly Impacted[]): Record<string, StableId[]> {
  const lists: Record<string, StableId[]> = {};
  for (const row of impacted) {
    const name = reverseName(row.relation);
    const list = lists[name];
    if (list === undefined) lists[name] = [row.id];
    else list.push(row.id);
  }
  return lists;
}
