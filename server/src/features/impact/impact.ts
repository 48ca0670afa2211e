import { z } from 'zod';
import type { LinkFilter } from '../../algorithms/rows';
import type { CancellationToken } from '../../base/cancellation';
import type { WorkspacePath } from '../../base/path';
import { err, ok, type Result } from '../../base/result';
import { runSteps, type Steps } from '../../base/steps';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { paramRef, phrase } from '../../model/hints';
import { NO_NODE, type StableId } from '../../model/ids';
import { RELATIONS } from '../../model/relations';
import type { ChangeSet } from '../../workspace/changes';
import type { Snapshot, Workspace } from '../../workspace/snapshot';
import { atomOfFilesShape, atomsOfFiles } from '../knowledge/atomsOfFiles';
import { type ChangeReport, changeReportShape, codeChanged } from '../shared/changedCode';
import { changesOf } from '../shared/changeSource';
import { coverageOf, coverageShape } from '../shared/coverage';
import { type FeatureFailure, invalid, notFound } from '../shared/failure';
import { feature } from '../shared/feature';
import { answerFresh, type Draft, type Stamped } from '../shared/fresh';
import { dependencyLinks, REVERSE_NAMES } from '../shared/links';
import { withMembers } from '../shared/members';
import { choice, integer, relations, text, texts } from '../shared/params';
import { kindOf } from '../shared/rows';
import { kindShape, object, optional, relationShape, riskShape, type Shaped, shape, stamped } from '../shared/shape';
import { workspacePath } from '../shared/spelling';
import { pathOfTarget, pathsLike, resolveTarget } from '../shared/target';
import { lineOf, pathTo, relationCodesOf, relationOf, type Walk, walkFrom } from '../shared/walk';
import { withMentions } from '../testSelection/reach/mentionedMembers';
import { MAX_TEST_DISTANCE, pathToTest, type ReachedTest, type TestReach, testsReaching, withoutTests } from '../testSelection/reach/reachedTests';
import { changesWith, changesWithShape } from './changesWith';
import { closenessAmong, closestFirst } from './closeness';
import { countsOf, dependentsIn, filesOf, type Parts, testParts } from './impactParts';
import { codeOf, knowledgeAround, knowledgeRowShape } from './knowledgeAround';
import { reachSize } from './reachSize';
import { changesInYear, riskOf, riskPartsShape } from './risk';

/** One of `target`, `files` and `since`. */
export const impactParams = shape(() =>
  object({
    target: optional(text()),
    files: optional(texts()),
    /** What changed since a revision, a range of commits, a time or a transaction; `''` and `HEAD` mean what is not committed. */
    since: optional(text()),
    /** 1 to 6. */
    maxDepth: optional(integer()),
    /** Walks only these; all dependency relations when absent or empty. */
    relations: optional(relations()),
    /** Most rows of each list, 200 when absent; counts are of all. */
    limit: optional(integer()),
    /** How the lists of dependents that are neither `impacted` nor pages are ordered within a depth: by path, or those that are closest to the change first. */
    order: optional(choice(['path', 'closeness'])),
    /** Rank of the first row of `impacted`. */
    offset: optional(integer()),
  }),
);
export type ImpactParams = Shaped<typeof impactParams>;

/** Something that a change may break, and why. */
export const impactedShape = shape(() =>
  object({
    id: z.string(),
    kind: kindShape(),
    path: z.string(),
    startLine: z.number(),
    isTest: z.boolean(),
    depth: z.number(),
    /** How it depends on the last node but one of `via`. */
    relation: relationShape(),
    /** Line of that use in `path`, 0 when unknown. */
    line: z.number(),
    /** Product of the confidences along `via`. */
    confidence: z.number(),
    /** Evidence: the changed node first, this node last. */
    via: z.array(z.string()),
    /** Tests only: no way to it is certain in each step. */
    possible: optional(z.literal(true)),
  }),
);
export type Impacted = Shaped<typeof impactedShape>;

export const impactCountsShape = shape(() =>
  object({
    impacted: z.number(),
    /** Dependents that are no tests, one hop away and further. */
    direct: z.number(),
    transitive: z.number(),
    maybe: z.number(),
    directTests: z.number(),
    transitiveTests: z.number(),
    /** How many of these tests are only possible: some step on every way to them is weaker than a fact. */
    possibleTests: z.number(),
    /** Files, other than tests, that hold something impacted. */
    files: z.number(),
  }),
);

/** Lists are ordered by depth, then confidence, then path and place in the file, tests after what they test, and hold at most `limit` rows. */
export const impactAnswerShape = shape(() =>
  object({
    /** What was taken as changed. */
    targets: z.array(z.string()),
    candidates: z.array(z.string()),
    guessed: z.boolean(),
    /** With `since`: what was found to have changed. */
    changes: optional(changeReportShape()),
    counts: impactCountsShape(),
    /** Facts, tests included, which may be further away than `maxDepth`: every step is at least `FACT_CONFIDENCE`. */
    impacted: z.array(impactedShape()),
    directDependents: z.array(impactedShape()),
    transitiveDependents: z.array(impactedShape()),
    /** Tests whose file imports or directly uses a changed file, and the others: whatever reaches the change, as `selectTests` finds them, with those that are only possible. */
    directTests: z.array(impactedShape()),
    transitiveTests: z.array(impactedShape()),
    /** Dependents, tests apart, that are reached only over at least one weaker step. */
    maybe: z.array(impactedShape()),
    /** Of `maybe`, the rows from `offset` on, when that is past the facts: a page goes through the facts, then through these. */
    maybePage: z.array(impactedShape()),
    impactedFiles: z.array(
      object({
        path: z.string(),
        depth: z.number(),
      }),
    ),
    /** A list under each reverse name, facts only; who depends in two ways is in two lists. */
    byRelation: z.record(z.string(), z.array(z.string())),
    /** Impacted files and tests. */
    blastRadius: z.number(),
    /** By `riskParts`. */
    risk: riskShape(),
    riskParts: riskPartsShape(),
    /** By the files, and the tests that certainly reach it: more than 10 are medium, more than 50 large; `unknown` when something of it is called from outside of the workspace. */
    reach: z.enum(['small', 'medium', 'large', 'unknown']),
    /** The nearest of what changed and what depends on it that something outside of the workspace calls or may call; at most five. */
    calledFromOutside: z.array(z.string()),
    /** `framework`: a framework, a library or the language calls these. `anyone`: these are public, and only tests of the workspace use them. */
    outsideUser: optional(z.enum(['framework', 'anyone'])),
    /** Atoms that cover what changed or an impacted file, those that cover most of them first; at most `limit`. */
    atoms: z.array(atomOfFilesShape()),
    /** Molecules, tasks and features that bear on what changed, then on what is impacted; never counted as dependents. At most `limit`. */
    knowledge: z.array(knowledgeRowShape()),
    /** What coverage reports say of the changed code; absent where there are none. */
    coverage: optional(coverageShape()),
    /** Symbols of other files, and other files, that past commits usually changed together with these; they need not depend on each other. Absent where there are none. */
    changesWith: optional(z.array(changesWithShape())),
  }),
);
export type ImpactAnswer = Shaped<typeof impactAnswerShape>;

/** What depends on a symbol, on files, or on what changed, directly or not. */
export async function impact(workspace: Workspace, params: ImpactParams, token: CancellationToken): Promise<Result<Stamped<ImpactAnswer>, FeatureFailure>> {
  const problem = impactStartProblem(params);
  if (problem !== undefined) return err(problem);
  if (params.since !== undefined) return impactOfChanges(workspace, params.since, params, token);
  const known = params.target === undefined ? [] : [pathOfTarget(workspace, params.target)].filter(path => path !== undefined);
  return answerFresh(workspace, known, token, async snapshot => {
    const seeds = seedsOf(snapshot, workspace, params);
    return seeds.ok
      ? ok(await withEvidence(workspace, snapshot.graph, seeds.value, await walked(workspace, snapshot.graph, seeds.value, params, token)))
      : seeds;
  });
}

/** What is wrong with where a walk is to begin, whatever the graph holds. */
export function impactStartProblem({ files, since, target }: { readonly [Key in 'target' | 'files' | 'since']?: unknown }): FeatureFailure | undefined {
  if ([target, files, since].filter(value => value !== undefined).length !== 1)
    return invalid(
      'target',
      'Specify exactly one of target, files and since.',
      phrase`Use ${paramRef('target')} for a symbol, ${paramRef('files')} for changed files, or ${paramRef('since')} for a Git revision.`,
    );
  return Array.isArray(files) && files.length === 0 ? invalid('files', phrase`${paramRef('files')} is empty.`) : undefined;
}

async function impactOfChanges(
  workspace: Workspace,
  since: string,
  params: ImpactParams,
  token: CancellationToken,
): Promise<Result<Stamped<ImpactAnswer>, FeatureFailure>> {
  const changes = await changesOf(workspace, since, token);
  return changes.ok ? impactOf(workspace, changes.value, params, token) : changes;
}

/** The impact of changes that are known. */
export function impactOf(
  workspace: Workspace,
  changeSet: ChangeSet,
  params: ImpactParams,
  token: CancellationToken,
): Promise<Result<Stamped<ImpactAnswer>, FeatureFailure>> {
  const paths = changeSet.files.map(file => file.path);
  const compute: Parameters<typeof answerFresh<ImpactAnswer>>[3] = async snapshot => {
    const { changed, nodes, report } = codeChanged(snapshot.graph, changeSet);
    const isTest = (node: NodeHandle): number => Number(snapshot.graph.isTest(node));
    // Stable: within code, and within tests, the order of the changes stays.
    const testsLast = nodes.toSorted((a, b) => isTest(a) - isTest(b));
    const seeds: Seeds = { nodes: testsLast, changed, candidates: [], guessed: false, changes: report };
    return ok(await withEvidence(workspace, snapshot.graph, seeds, await walked(workspace, snapshot.graph, seeds, params, token)));
  };
  return answerFresh(workspace, paths, token, compute, { isRanked: params.order === 'closeness' });
}

/** What the walks alone tell. */
type Walked = Omit<ImpactAnswer, 'risk' | 'riskParts' | 'coverage' | 'changesWith'>;

function walked(workspace: Workspace, graph: GraphView, seeds: Seeds, params: ImpactParams, token: CancellationToken): Promise<Draft<Walked>> {
  return withMentions(workspace, graph, token, () => runSteps(draftOf(graph, seeds, params, workspace), () => workspace.pause?.()));
}

/** Adds what usually changes with the seeds, which of their lines tests ran, and the risk that follows from all of it. */
async function withEvidence(workspace: Workspace, graph: GraphView, { changed, nodes }: Seeds, draft: Draft<Walked>): Promise<Draft<ImpactAnswer>> {
  const past = workspace.pastChanges?.();
  const onlyFiles = nodes.every(node => graph.fileNodeOf(node) === node);
  const company = changesWith(past, graph, changed, onlyFiles);
  const coverage = await coverageOf(workspace, graph, changed);
  const { blastRadius, counts, reach } = draft.value;
  const value: ImpactAnswer = {
    ...draft.value,
    ...riskOf({
      certain: blastRadius - counts.possibleTests,
      reach,
      tests: counts.directTests + counts.transitiveTests,
      changes: changesInYear(past, graph, changed),
      coverage,
    }),
    ...(company.length === 0 ? {} : { changesWith: company }),
    ...(coverage === undefined ? {} : { coverage }),
  };
  return { ...draft, value };
}

interface Seeds {
  /** What is named as changed. */
  readonly nodes: readonly NodeHandle[];
  /** Where the walk begins. */
  readonly changed: ReadonlySet<NodeHandle>;
  readonly candidates: readonly StableId[];
  readonly guessed: boolean;
  readonly changes?: ChangeReport;
}

function seedsOf(snapshot: Snapshot, workspace: Workspace, params: ImpactParams): Result<Seeds, FeatureFailure> {
  const { graph } = snapshot;
  if (params.target !== undefined) {
    const target = resolveTarget(snapshot, workspace, params.target);
    if (!target.ok) return target;
    const { candidates, guessed, node } = target.value;
    return ok({ ...wholes(graph, codeOf(graph, node)), nodes: [node], candidates, guessed });
  }
  const nodes: NodeHandle[] = [];
  for (const file of params.files ?? []) {
    const path = workspacePath(workspace, file.replace(/^file::/, ''));
    if (!path.ok) return path;
    const node = graph.fileOf(path.value);
    if (node === undefined) return err(notFound(file, pathsLike(snapshot.search, path.value)));
    nodes.push(node);
  }
  return ok(wholes(graph, nodes));
}

function wholes(graph: GraphView, nodes: readonly NodeHandle[]): Seeds {
  return { nodes, changed: new Set(nodes.flatMap(node => withMembers(graph, node))), candidates: [], guessed: false };
}

const MAX_DEPTH = 6;
const DEFAULT_LIMIT = 200;
function* draftOf(graph: GraphView, seeds: Seeds, params: ImpactParams, workspace?: Pick<Workspace, 'records'>): Steps<Draft<Walked>> {
  const { changed } = seeds;
  const maxDepth = Math.min(MAX_DEPTH, Math.max(1, params.maxDepth ?? 3));
  const limit = params.limit ?? DEFAULT_LIMIT;
  const offset = params.offset ?? 0;
  const factLinks = dependencyLinks('facts', params.relations);
  const starts = withoutTests(graph, changed);
  const facts = walkFrom(graph, starts, 'dependents', maxDepth, factLinks);
  yield;
  const all = walkFrom(graph, starts, 'dependents', maxDepth, dependencyLinks('all', params.relations));
  yield;
  const tests = testsOf(graph, changed, params);
  yield;
  const changedFiles = filesOf(graph, changed);
  const reached = sorted(graph, facts, node => (facts.depths[node] ?? 0) > 0 && !graph.isTest(node));
  const maybe = sorted(graph, all, node => (all.depths[node] ?? 0) > 0 && facts.depths[node] === -1 && !graph.isTest(node));
  const parts: Parts = { ...dependentsIn(graph, facts.depths, reached), ...testParts(graph, tests.reach, changedFiles) };
  yield;
  const rowFor = (node: NodeHandle): Impacted => tests.rowOf(node) ?? rowOf(graph, facts, node);
  const rows = (nodes: readonly NodeHandle[]): Impacted[] => nodes.slice(0, limit).map(rowFor);
  const closeness =
    params.order === 'closeness'
      ? closenessAmong(graph, [...reached.slice(0, limit).map(rowFor), ...maybe.slice(0, limit).map(node => rowOf(graph, all, node))])
      : undefined;
  const inOrder = (list: Impacted[]): Impacted[] => (closeness === undefined ? list : closestFirst(list, closeness));
  const everything = [...reached, ...tests.certain];
  const impacted = rows(everything.slice(offset));
  const blastRadius = parts.files.length + parts.directTests.length + parts.transitiveTests.length;
  const { outside, outsideUser, reach } = reachSize(graph, blastRadius - parts.possibleTests, [...changed, ...reached]);
  const value: Walked = {
    targets: seeds.nodes.map(node => graph.idOf(node)),
    candidates: seeds.candidates,
    guessed: seeds.guessed,
    ...(seeds.changes === undefined ? {} : { changes: seeds.changes }),
    counts: {
      impacted: everything.length,
      ...countsOf(parts),
      maybe: maybe.length,
    },
    impacted,
    directDependents: inOrder(rows(parts.direct)),
    transitiveDependents: inOrder(rows(parts.transitive)),
    directTests: rows(parts.directTests),
    transitiveTests: rows(parts.transitiveTests),
    maybe: inOrder(maybe.slice(0, limit).map(node => rowOf(graph, all, node))),
    maybePage:
      offset < everything.length ? [] : maybe.slice(offset - everything.length, offset - everything.length + limit).map(node => rowOf(graph, all, node)),
    impactedFiles: parts.files.slice(0, limit).map(file => ({ path: graph.idOf(file.node), depth: file.depth })),
    byRelation: relationLists(graph, facts, everything.slice(0, limit), factLinks),
    blastRadius,
    reach,
    calledFromOutside: outside.map(node => graph.idOf(node)),
    ...(outsideUser === undefined ? {} : { outsideUser }),
    atoms: workspace === undefined ? [] : atomsOfFiles(workspace, coveredFiles(graph, changedFiles, parts)).slice(0, limit),
    knowledge:
      workspace === undefined
        ? []
        : knowledgeAround(graph, [...seeds.nodes, ...changed, ...changedFiles, ...reached, ...parts.files.map(file => file.node)]).slice(0, limit),
  };
  const unresolved = seeds.nodes.reduce((sum, node) => sum + graph.countsOf(node).unresolved, 0);
  return { value, touched: [...[...changedFiles].map(file => graph.idOf(file)), ...impacted.map(row => row.path)], unresolved };
}

/** The tests of an impact: all in order, certain ones first; `rowOf` tells how the change leads to one of them. */
interface TestRows {
  readonly reach: TestReach;
  readonly certain: readonly NodeHandle[];
  readonly rowOf: (node: NodeHandle) => Impacted | undefined;
}

/** The tests of some code as an impact lists them: those whose file imports what changed first. */
export function testsInOrder(graph: GraphView, changed: ReadonlySet<NodeHandle>): readonly NodeHandle[] {
  const { directTests, transitiveTests } = testParts(graph, testsOf(graph, changed, {}).reach, filesOf(graph, changed));
  return [...directTests, ...transitiveTests];
}

function testsOf(graph: GraphView, changed: ReadonlySet<NodeHandle>, { relations: only }: ImpactParams): TestRows {
  const { walk, tests } = testsReaching(graph, changed, MAX_TEST_DISTANCE, { nodes: Number.POSITIVE_INFINITY, relations: only });
  const byNode = new Map(tests.map(test => [test.node, test]));
  const isCertain = ({ end }: ReachedTest): boolean => walk.certain[end] === 1;
  const ordered = tests.toSorted(
    (a, b) =>
      Number(isCertain(b)) - Number(isCertain(a)) ||
      (walk.depths[a.end] ?? 0) - (walk.depths[b.end] ?? 0) ||
      (walk.confidences[b.end] ?? 0) - (walk.confidences[a.end] ?? 0) ||
      graph.orderOf(a.node) - graph.orderOf(b.node),
  );
  return {
    reach: { walk, tests: ordered },
    certain: ordered.filter(isCertain).map(test => test.node),
    rowOf: handle => {
      const test = byNode.get(handle);
      if (test === undefined) return undefined;
      const way = pathToTest(walk, test);
      const relation = test.end === handle ? (RELATIONS[walk.relations[handle] ?? 0]?.name ?? 'TESTS') : 'DEFINES_SYMBOL';
      const node = graph.node(handle);
      return {
        id: node.id,
        kind: kindOf(node),
        path: node.path,
        startLine: node.startLine,
        isTest: true,
        depth: walk.depths[test.end] ?? 0,
        relation,
        line: graph.edge(handle, relation, way.at(-2) ?? handle)?.lines[0] ?? 0,
        confidence: Math.round((walk.confidences[test.end] ?? 0) * CONFIDENCE_STEPS) / CONFIDENCE_STEPS,
        via: way.map(step => graph.idOf(step)),
        ...(isCertain(test) ? {} : { possible: true as const }),
      };
    },
  };
}

function coveredFiles(graph: GraphView, changed: ReadonlySet<NodeHandle>, { files }: Parts): readonly WorkspacePath[] {
  return [...new Set([...changed, ...files.map(file => file.node)])].map(file => graph.idOf(file));
}

/** Steps of confidence that the order tells apart; with the depth and `orderOf` they make one whole number below 2^53. */
const CONFIDENCE_STEPS = 1000;
const ORDERS = 2 ** 40;

/** Nodes by depth, then confidence, then order: one number each, so that thousands are sorted in a moment. */
function sorted(graph: GraphView, walk: Walk, keep: (node: NodeHandle) => boolean): NodeHandle[] {
  const nodes = walk.nodes.filter(keep);
  const keys = Float64Array.from(nodes, (node: NodeHandle) => {
    const doubt = CONFIDENCE_STEPS - Math.round((walk.confidences[node] ?? 0) * CONFIDENCE_STEPS);
    return ((walk.depths[node] ?? 0) * (CONFIDENCE_STEPS + 1) + doubt) * ORDERS + graph.orderOf(node);
  });
  const places = new Map<number, NodeHandle>();
  for (let at = 0; at < nodes.length; at++) places.set(keys[at] ?? 0, nodes[at] ?? NO_NODE);
  return Array.from(keys.sort(), key => places.get(key) ?? NO_NODE);
}

function rowOf(graph: GraphView, walk: Walk, handle: NodeHandle): Impacted {
  const node = graph.node(handle);
  return {
    id: node.id,
    kind: kindOf(node),
    path: node.path,
    startLine: node.startLine,
    isTest: node.isTest,
    depth: walk.depths[handle] ?? 0,
    relation: relationOf(walk, handle),
    line: lineOf(graph, walk, handle, 'dependents'),
    confidence: Math.round((walk.confidences[handle] ?? 0) * CONFIDENCE_STEPS) / CONFIDENCE_STEPS,
    via: pathTo(walk, handle).map(step => graph.idOf(step)),
  };
}

function relationLists(graph: GraphView, walk: Walk, nodes: readonly NodeHandle[], filter: LinkFilter): Record<string, StableId[]> {
  const lists: Record<string, StableId[]> = Object.fromEntries(REVERSE_NAMES.map(name => [name, []]));
  for (const node of nodes) {
    const id = graph.idOf(node);
    for (const code of relationCodesOf(graph, walk, node, 'dependents', filter)) lists[RELATIONS[code]?.reverse ?? '']?.push(id);
  }
  return lists;
}

export const impactFeature = feature({
  name: 'impact',
  about: 'Direct and transitive dependents of a symbol, a file, or the changes since a Git revision.',
  params: impactParams,
  answer: stamped(impactAnswerShape),
  run: impact,
});
