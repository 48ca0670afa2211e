import { z } from 'zod';
import { pageRank } from '../../algorithms/pageRank';
import { reach } from '../../algorithms/reach';
import type { CancellationToken } from '../../base/cancellation';
import { ok, type Result } from '../../base/result';
import { runSteps, type Steps } from '../../base/steps';
import type { GraphEdge, GraphNode, GraphView, NodeHandle } from '../../code/graph/graphView';
import { decodeConfidence, encodeConfidence, FACT_CONFIDENCE } from '../../model/evidence';
import { headOf } from '../../model/ids';
import type { AttributeValues } from '../../model/kinds';
import { KIND_GROUPS } from '../../model/nodes';
import { RELATIONS, type Relation, relationCode } from '../../model/relations';
import type { Snapshot, Workspace } from '../../workspace/snapshot';
import { testsInOrder } from '../impact/impact';
import { usersOf } from '../impact/impactFigures';
import { usesOf } from '../impact/uses';
import { atomsOfFiles } from '../knowledge/atomsOfFiles';
import type { FeatureFailure } from '../shared/failure';
import { feature } from '../shared/feature';
import { answerFresh, type Draft, type Stamped } from '../shared/fresh';
import { dependencyLinks, reverseName, STEP_WEIGHTS } from '../shared/links';
import { membersOf, withMembers } from '../shared/members';
import { flag, integer, text } from '../shared/params';
import { kindOf, rowOf, sentenceOf, symbolRowShape } from '../shared/rows';
import { attributesShape, kindShape, modifierShape, object, optional, type Shaped, shape, stamped, unresolvedCountsShape, unset } from '../shared/shape';
import { pathOfTarget, resolveTarget, type Target } from '../shared/target';
import { type Direction, lineOf, relationOf, type Walk, walkFrom } from '../shared/walk';
import { withMentions } from '../testSelection/reach/mentionedMembers';
import { historyEpisodeShape, historyEpisodes, historyOf, recordedEdgeShape, recordedVersionShape, symbolHistoryShape } from './symbolHistory';

export const explainParams = shape(() =>
  object({
    target: text(),
    /** Most neighbors per side. */
    limit: optional(integer()),
    /** Hops, 1 to 3. */
    depth: optional(integer()),
    /** Which commits changed it, too. */
    history: optional(flag()),
    /** Since when it is as it is, too, as far as that was recorded. */
    validity: optional(flag()),
    /** Most of these; 10 when absent. */
    historyLimit: optional(integer()),
  }),
);
export type ExplainParams = Shaped<typeof explainParams>;

export const neighborShape = shape(() =>
  object({
    id: z.string(),
    name: z.string(),
    kind: kindShape(),
    /** `calls` for what the target uses, `called_by` for who uses it. */
    rel: z.string(),
    /** First line of the use, in the file of whichever end uses the other; 0 when unknown. */
    line: z.number(),
    confidence: z.number(),
    depth: z.number(),
    /** Nearness to the target by personalized PageRank. */
    pprScore: z.number(),
    signature: z.string(),
  }),
);
export type Neighbor = Shaped<typeof neighborShape>;

export const linkShape = shape(() =>
  object({
    /** `touches` for what the target points at, `touched_by` for what points at it. */
    rel: z.string(),
    id: z.string(),
    name: z.string(),
    kind: kindShape(),
  }),
);
export type Link = Shaped<typeof linkShape>;

export const explainAnswerShape = shape(() =>
  object({
    symbol: symbolRowShape(),
    /** FILE, FUNCTION, CLASS, VALUE or EXTERNAL for code, else the kind in capitals: ATOM, TASK, COMMUNITY. */
    type: z.string(),
    /** What nodes above the code say of themselves beside sentence and doc: status, tags, dates. Absent for code. */
    attributes: unset(attributesShape()),
    /** How it is tied to what is above the code (a task to the files it touches), without the atoms of code; the first few, `counts.links` counts all. */
    links: z.array(linkShape()),
    /** What its doc comment says first; `''` when it has none. */
    sentence: z.string(),
    signature: z.string(),
    doc: z.string(),
    modifiers: z.array(modifierShape()),
    complexity: z.number(),
    dependencies: z.array(neighborShape()),
    /** Without tests, unless the target is in one. */
    dependents: z.array(neighborShape()),
    counts: object({
      dependencies: z.number(),
      dependents: z.number(),
      /** What depends on it or its members directly for certain, tests apart. */
      users: z.number(),
      /** What it or its members use directly for certain, themselves left out. */
      uses: z.number(),
      /** Users and uses by a call, or by making an object. */
      callers: z.number(),
      callees: z.number(),
      maybe: z.number(),
      /** How many of the dependencies and of the dependents are only possible. */
      possibleDependencies: z.number(),
      possibleDependents: z.number(),
      /** Cases that reach it, those that are only possible included. */
      tests: z.number(),
      links: z.number(),
      references: unresolvedCountsShape(),
    }),
    members: z.array(symbolRowShape()),
    /** The first few; `counts.tests` counts all. */
    tests: z.array(z.string()),
    parent: unset(z.string()),
    /** Absent while communities are still being computed. */
    community: unset(
      object({
        id: z.number(),
        label: z.string(),
      }),
    ),
    /** Atoms that cover its file. */
    atoms: z.array(
      object({
        id: z.string(),
        name: z.string(),
      }),
    ),
    candidates: z.array(z.string()),
    guessed: z.boolean(),
    /** Where it was asked for and past commits are known. */
    history: optional(symbolHistoryShape()),
    /** Versions that the index recorded, newest first; where history or validity is asked for, and anything is recorded. */
    recorded: optional(z.array(recordedVersionShape())),
    /** Versions of its edges that the index recorded, newest first; where history is asked for, and anything is recorded. */
    recordedEdges: optional(z.array(recordedEdgeShape())),
    /** Decisions about it and edits of it, newest first; where history is asked for, and there are any. */
    episodes: optional(z.array(historyEpisodeShape())),
  }),
);
export type ExplainAnswer = Shaped<typeof explainAnswerShape>;

/** What a file or symbol is, what it uses and who uses it, nearest first. */
export async function explain(workspace: Workspace, params: ExplainParams, token: CancellationToken): Promise<Result<Stamped<ExplainAnswer>, FeatureFailure>> {
  const path = pathOfTarget(workspace, params.target);
  const compute = async (snapshot: Snapshot): Promise<Result<Draft<ExplainAnswer>, FeatureFailure>> => {
    const target = resolveTarget(snapshot, workspace, params.target);
    if (!target.ok) return target;
    const draft = await withMentions(workspace, snapshot.graph, token, () =>
      runSteps(draftOf(workspace, snapshot.graph, target.value, params), () => workspace.pause?.()),
    );
    const history =
      params.history === true ? await historyOf(workspace, snapshot.graph, target.value.node, params.historyLimit ?? DEFAULT_VERSIONS, token) : undefined;
    const recorded = params.history === true || params.validity === true ? await recordedOf(workspace, snapshot.graph, target.value.node, params) : undefined;
    const episodes = params.history === true ? await recordedEpisodesOf(workspace, snapshot.graph, target.value.node, params) : {};
    const value = { ...draft.value, ...(history === undefined ? {} : { history }), ...(recorded === undefined ? {} : { recorded }), ...episodes };
    return ok({ ...draft, value });
  };
  // Of several symbols of a name the most central one is meant.
  return answerFresh(workspace, path === undefined ? [] : [path], token, compute, { isRanked: ({ graph }) => graph.find(params.target) === undefined });
}

async function recordedOf(workspace: Workspace, graph: GraphView, node: NodeHandle, { historyLimit }: ExplainParams): Promise<ExplainAnswer['recorded']> {
  const { id, path } = graph.node(node);
  const versions = path === '' ? [] : ((await workspace.versionsOf?.(id, path)) ?? []);
  return versions.length === 0 ? undefined : versions.slice(0, historyLimit ?? DEFAULT_VERSIONS);
}

/** What else its history consists of: edges that came and went, and what agents and people recorded. */
async function recordedEpisodesOf(
  workspace: Workspace,
  graph: GraphView,
  node: NodeHandle,
  { historyLimit = DEFAULT_VERSIONS }: ExplainParams,
): Promise<Pick<ExplainAnswer, 'recordedEdges' | 'episodes'>> {
  const edges = ((await workspace.edgeVersionsOf?.(graph.idOf(node))) ?? []).slice(0, historyLimit);
  const episodes = historyEpisodes(workspace, graph, node, historyLimit);
  return { ...(edges.length === 0 ? {} : { recordedEdges: edges }), ...(episodes.length === 0 ? {} : { episodes }) };
}

const DEFAULT_VERSIONS = 10;

function* draftOf(workspace: Pick<Workspace, 'records'>, graph: GraphView, target: Target, params: ExplainParams): Steps<Draft<ExplainAnswer>> {
  const { node } = target;
  const shown = graph.node(node);
  const depth = Math.min(3, Math.max(1, params.depth ?? 1));
  const limit = params.limit ?? 10;
  const own = new Set(withMembers(graph, node));
  const ranks = nearness(graph, own, depth);
  yield;
  const uses = sideOf(graph, own, 'dependencies', depth, ranks, limit);
  const users = sideOf(graph, own, 'dependents', depth, ranks, limit);
  yield;
  const tests = testsInOrder(graph, own);
  yield;
  const parent = graph.parentOf(node);
  const links = linksAbove(graph, shown);
  const references = graph.countsOf(node);
  const value: ExplainAnswer = {
    symbol: rowOf(shown),
    type: typeOf(shown),
    attributes: shown.attributes === undefined ? undefined : toldBeside(shown.attributes),
    links: links.slice(0, limit),
    sentence: sentenceOf(shown),
    signature: shown.signature,
    doc: shown.doc,
    modifiers: shown.modifiers,
    complexity: shown.complexity,
    dependencies: uses.rows,
    dependents: users.rows,
    counts: {
      dependencies: uses.total,
      dependents: users.total,
      users: usersOf(graph, node),
      uses: usesOf(graph, node).certain,
      callers: users.callers,
      callees: uses.callers,
      maybe: uses.maybe + users.maybe,
      possibleDependencies: uses.maybe,
      possibleDependents: users.maybe,
      tests: tests.length,
      links: links.length,
      references,
    },
    members: membersOf(graph, node).map(child => rowOf(graph.node(child))),
    tests: tests.slice(0, limit).map(test => graph.idOf(test)),
    parent: parent === undefined ? undefined : graph.idOf(parent),
    community: communityOf(graph, node),
    atoms: shown.path === '' ? [] : atomsOfFiles(workspace, [shown.path]).map(({ id, name }) => ({ id, name })),
    candidates: target.candidates,
    guessed: target.guessed,
  };
  const touched = [shown.path, ...[...value.dependencies, ...value.dependents].map(row => headOf(row.id))];
  return { value, touched, unresolved: references.unresolved };
}

function communityOf(graph: GraphView, node: NodeHandle): ExplainAnswer['community'] {
  const id = graph.hasQuickCommunities ? (graph.communities().of[node] ?? -1) : -1;
  return id < 0 ? undefined : { id, label: graph.labelOfCommunity(id) };
}

function typeOf(node: GraphNode): ExplainAnswer['type'] {
  const kind = kindOf(node);
  if (node.nodeType !== 'symbol' && node.nodeType !== 'file') return kind.toUpperCase();
  for (const group of ['FILE', 'FUNCTION', 'CLASS'] as const) if ((KIND_GROUPS[group] as readonly string[]).includes(kind)) return group;
  return 'VALUE';
}

/** Values that are there and that neither the sentence nor the doc has told. */
function toldBeside(attributes: AttributeValues): AttributeValues {
  return Object.fromEntries(Object.entries(attributes).filter(([name, value]) => value !== null && !TOLD.has(name)));
}

const TOLD: ReadonlySet<string> = new Set(['knowledge', 'summary']);

/** Edges that are not of the code, those of the target itself first. Atoms of a file are told by themselves. */
function linksAbove(graph: GraphView, { handle, path }: GraphNode): readonly Link[] {
  const linkOf = (rel: string, other: NodeHandle): Link => {
    const node = graph.node(other);
    return { rel, id: node.id, name: node.name, kind: kindOf(node) };
  };
  const isTold = ({ relation }: GraphEdge): boolean => RELATIONS[relationCode[relation]]?.layer !== 'code' && (path === '' || relation !== 'COVERS');
  return [
    ...graph.out(handle).flatMap(edge => (isTold(edge) ? [linkOf(edge.relation.toLowerCase(), edge.target)] : [])),
    ...graph.in(handle).flatMap(edge => (isTold(edge) ? [linkOf(reverseName(edge.relation), edge.source)] : [])),
  ];
}

/** One side of the target: how many there are, and the first few. */
interface Side {
  readonly total: number;
  readonly callers: number;
  readonly maybe: number;
  readonly rows: readonly Neighbor[];
}

/** Nodes within `depth` hops on one side; nearest by PageRank first. A container counts its members' links as its own; tests of code that is no test are told apart. */
function sideOf(graph: GraphView, own: ReadonlySet<NodeHandle>, direction: Direction, depth: number, ranks: Float64Array, limit: number): Side {
  const walk = walkFrom(graph, own, direction, depth, dependencyLinks('all'));
  const inTest = [...own].some(node => graph.isTest(node));
  const nodes = [...walk.nodes].filter(node => (walk.depths[node] ?? 0) > 0 && (inTest || !graph.isTest(node)));
  const fact = encodeConfidence(FACT_CONFIDENCE);
  const before = (a: NodeHandle, b: NodeHandle): number =>
    (walk.depths[a] ?? 0) - (walk.depths[b] ?? 0) ||
    (ranks[b] ?? 0) - (ranks[a] ?? 0) ||
    (walk.links[b] ?? 0) - (walk.links[a] ?? 0) ||
    graph.orderOf(a) - graph.orderOf(b);
  return {
    total: nodes.length,
    callers: nodes.filter(node => walk.depths[node] === 1 && (walk.links[node] ?? 0) >= fact && IS_CALL.has(relationOf(walk, node))).length,
    maybe: nodes.filter(node => (walk.links[node] ?? 0) < fact).length,
    rows: nodes
      .sort(before)
      .slice(0, limit)
      .map(node => neighborOf(graph, walk, node, direction, ranks)),
  };
}

/** A class is called by those who make one of it. */
const IS_CALL: ReadonlySet<Relation> = new Set(['CALLS', 'INSTANTIATES']);

function neighborOf(graph: GraphView, walk: Walk, handle: NodeHandle, direction: Direction, ranks: Float64Array): Neighbor {
  const node = graph.node(handle);
  const relation = relationOf(walk, handle);
  return {
    id: node.id,
    name: node.name,
    kind: kindOf(node),
    rel: direction === 'dependencies' ? relation.toLowerCase() : reverseName(relation),
    line: lineOf(graph, walk, handle, direction),
    confidence: decodeConfidence(walk.links[handle] ?? 0),
    depth: walk.depths[handle] ?? 0,
    pprScore: Math.round((ranks[handle] ?? 0) * 1e4) / 1e4,
    signature: node.signature,
  };
}

/** Nodes that nearness is computed over: whole rings around the target, as many as stay below this. */
const MAX_BALL = 2000;
const MAX_RINGS = 3;

/** Personalized PageRank from the target over the rings around it. */
function nearness(graph: GraphView, own: ReadonlySet<NodeHandle>, depth: number): Float64Array {
  const { forward, backward, live } = graph.adjacency;
  const halves = [forward, backward];
  let ball = reach(halves, live, own, depth, dependencyLinks('all'));
  for (let rings = depth + 1; rings <= MAX_RINGS && ball.nodes.length < MAX_BALL; rings++) {
    const wider = reach(halves, live, own, rings, dependencyLinks('all'));
    if (wider.nodes.length > MAX_BALL) break;
    ball = wider;
  }
  const inside = new Uint8Array(live.length);
  for (const node of ball.nodes) inside[node] = 1;
  const options = { weights: STEP_WEIGHTS as Float64Array, damping: 0.85, maxIterations: 20, tolerance: 1e-6, nodes: ball.nodes };
  return pageRank(halves, inside, [...own], options);
}

export const explainFeature = feature({
  name: 'explain',
  about: 'A symbol or file with its dependencies and dependents, nearest first.',
  params: explainParams,
  answer: stamped(explainAnswerShape),
  run: explain,
});
