import { reach } from '../../algorithms/reach';
import type { CancellationToken } from '../../base/cancellation';
import { basename, type WorkspacePath } from '../../base/path';
import { ok, type Result } from '../../base/result';
import type { GraphNode, GraphView, NodeHandle } from '../../code/graph/graphView';
import type { StableId } from '../../model/ids';
import { kindRow } from '../../model/kinds';
import type { SearchHit } from '../../search/searchView';
import type { Snapshot, Workspace } from '../../workspace/snapshot';
import { type AtomOfFiles, atomsOfFiles } from '../knowledge/atomsOfFiles';
import type { FeatureFailure } from '../shared/failure';
import { answerFresh, type Draft, type Stamped, searchLacks } from '../shared/fresh';
import { dependencyLinks } from '../shared/links';
import { byRank, rowOf, type SymbolRow, sentenceOf } from '../shared/rows';
import { linkedToHits } from './linkedCode';
import { namesInTask } from './namesInTask';
import { servedInTask, servicesOf } from './packServices';
import { changedByTasksLike } from './pastTasks';
import { directNeighbors, isSymbol, type RankedSymbol, rankSymbols, spreadOverFiles } from './relevance';

export interface PackParams {
  /** What is to be done, in words. */
  readonly task: string;
  /** Most symbols with their source, 1 to 100. */
  readonly limit?: number;
}

/** A symbol that the task is likely to need. */
export interface PackSymbol extends SymbolRow {
  /** 0 to 1, over the best. */
  readonly score: number;
  /** Why it is here, strongest first: `words`, `named`, `serves` (an endpoint or event that the task spells), `file`, `past_commits`, `linked` (near to several that the words found, and nothing else), `calls NAME`, `called_by NAME`, `implements NAME`. */
  readonly why: readonly string[];
  readonly signature: string;
  readonly sentence: string;
  /** Signatures of its members, one a line with its number; empty for what has none. */
  readonly outline: readonly string[];
  /** Whole source, verbatim. */
  readonly code: string;
  /** Lines of what is declared inside and has a body of some lines, in order, none inside another. */
  readonly inner: readonly Lines[];
  /** Others of the pack that it calls, creates, implements or overrides, or that do so with it. */
  readonly linkedTo: readonly StableId[];
}

/** 1-based, inclusive. */
export interface Lines {
  readonly startLine: number;
  readonly endLine: number;
}

export interface PackTest {
  readonly file: WorkspacePath;
  /** A case in it that reaches the symbols, when one is known. */
  readonly id: StableId;
  /** Steps from the nearest symbol of the pack; 0 for a test that only the words or its name lead to. */
  readonly depth: number;
}

/** What a task needs, most useful first, within the budget that was asked for. */
export interface PackAnswer {
  readonly task: string;
  /** Where to begin: the best function or file; `undefined` in an empty workspace. */
  readonly entryPoint: StableId | undefined;
  /** Whether the words found anything; without it the most central code is told. */
  readonly isFound: boolean;
  /** Best first. One may lie inside another. */
  readonly symbols: readonly PackSymbol[];
  /** Closest first. */
  readonly tests: readonly PackTest[];
  /** Atoms that cover the files of the symbols. */
  readonly atoms: readonly AtomOfFiles[];
  /** What other services have to do with the symbols, in lines. */
  readonly services: readonly string[];
}

const HITS = 100;
const DEFAULT_SYMBOLS = 60;
/** Lines from which something has a body to speak of. */
const BODY_LINES = 4;
/** Symbols whose tests are looked for, and how many steps away. */
const TEST_SEEDS = 12;
const TEST_DEPTH = 3;
const MAX_TESTS = 30;
/** What a test file counts for: by steps from the best symbol, less where so many tests reach it that one says little; by name; by its own words. */
const STEP_DECAY = 0.6;
const MANY_TESTS = 20;
const NAMESAKE = 1.5;
const WORDS_SHARE = 0.5;

/** Everything needed to start on a task in one answer: the code by relevance, the tests that reach it, what is known about its files. */
export async function contextPack(workspace: Workspace, params: PackParams, token: CancellationToken): Promise<Result<Stamped<PackAnswer>, FeatureFailure>> {
  const vector = await workspace.embedQuery?.(params.task);
  await workspace.takeTurn?.();
  return answerFresh(workspace, [], token, async snapshot => {
    const pause = async (): Promise<void> => workspace.pause?.();
    const { hits } = await snapshot.search.searchInSteps({ text: params.task, limit: HITS, offset: 0, vector }, pause);
    await pause();
    const changes = workspace.pastChanges?.();
    const past = changes === undefined ? undefined : await changedByTasksLike(changes, params.task, pause);
    await pause();
    const linked = await linkedToHits(snapshot.graph, hits, pause);
    return ok(await packOf(workspace, snapshot, params, { hits, linked, past }, searchLacks(workspace)));
  });
}

/** What the words of the task lead to. */
interface Found {
  readonly hits: readonly SearchHit[];
  /** Nodes near to the best of them, 0 to 1. */
  readonly linked: ReadonlyMap<NodeHandle, number>;
  /** Symbols changed by commits like the task, 0 to 1. */
  readonly past: ReadonlyMap<StableId, number> | undefined;
}

async function packOf(
  workspace: Workspace,
  { graph }: Snapshot,
  { task, limit = DEFAULT_SYMBOLS }: PackParams,
  { hits, linked, past }: Found,
  degraded: Draft<PackAnswer>['degraded'],
): Promise<Draft<PackAnswer>> {
  const model = workspace.services?.current;
  const ranked = rankSymbols(graph, hits, { linked, names: namesInTask(task), past, served: servedInTask(graph, model, task) });
  const isFound = ranked.length > 0;
  const chosen = isFound ? spreadOverFiles(graph, ranked, limit) : mostCentral(graph, limit);
  const symbols: PackSymbol[] = [];
  const inPack = new Set(chosen.map(({ node }) => node));
  for (const row of chosen) {
    const symbol = await symbolOf(workspace, graph, row, inPack);
    if (symbol !== undefined) symbols.push(symbol);
  }
  const [first] = symbols;
  const paths = [...new Set(symbols.map(({ path }) => path))];
  const value: PackAnswer = {
    task,
    entryPoint: first?.id,
    isFound,
    symbols,
    tests: testsFor(
      graph,
      hits,
      chosen.map(({ node }) => node),
    ),
    atoms: atomsOfFiles(workspace, paths),
    services: servicesOf(model, symbols),
  };
  return { value, touched: paths, ...(degraded === undefined ? {} : { degraded }) };
}

function isCallable(graph: GraphView, node: NodeHandle): boolean {
  return kindRow(graph.kindOf(node)).group === 'FUNCTION';
}

function mostCentral(graph: GraphView, limit: number): readonly RankedSymbol[] {
  const symbols = [...graph.nodes()].filter(node => isSymbol(graph, node) && !graph.isTest(node));
  return symbols
    .sort(byRank(graph))
    .slice(0, limit)
    .map(node => ({ node, score: 0, reasons: [] }));
}

/** With the source of now; without one where that of a past state is not stored; `undefined` for what is gone from its file since. */
async function symbolOf(
  workspace: Workspace,
  graph: GraphView,
  { node: handle, reasons, score }: RankedSymbol,
  inPack: ReadonlySet<NodeHandle>,
): Promise<PackSymbol | undefined> {
  const node = graph.node(handle);
  const file = graph.fileNodeOf(handle);
  const source = await workspace.readSymbol(node, file === undefined ? '' : graph.node(file).contentHash);
  if (!source.ok && source.error.code !== 'UNAVAILABLE') return undefined;
  const { code, endLine, isStale, startLine } = source.ok ? source.value : { ...node, code: '' };
  return {
    ...rowOf(node),
    startLine,
    endLine,
    ...(isStale ? { stale: true as const } : {}),
    score: Math.round(score * 1e4) / 1e4,
    why: reasons.map(reason => ('other' in reason ? `${reason.kind} ${graph.node(reason.other).name}` : reason.kind)),
    signature: node.signature,
    sentence: sentenceOf(node),
    outline: isCallable(graph, handle) ? [] : graph.childrenOf(handle).map(child => outlineRow(graph.node(child))),
    code,
    inner: bodiesInside(graph, handle),
    linkedTo: [...directNeighbors(graph, handle)].filter(other => inPack.has(other)).map(other => graph.idOf(other)),
  };
}

function bodiesInside(graph: GraphView, node: NodeHandle): readonly Lines[] {
  const found: Lines[] = [];
  for (const child of graph.childrenOf(node)) {
    const { endLine, startLine } = graph.node(child);
    if (endLine - startLine + 1 >= BODY_LINES) found.push({ startLine, endLine });
    else found.push(...bodiesInside(graph, child));
  }
  return found.sort((a, b) => a.startLine - b.startLine);
}

function outlineRow(node: GraphNode): string {
  return `${node.startLine} ${node.signature === '' ? `${node.kind ?? 'symbol'} ${node.name}` : node.signature}`;
}

interface TestScore {
  score: number;
  /** The case, or the file as long as none is known. */
  node: NodeHandle;
  depth: number;
}

/** Test files by closeness: those that reach the best symbols, those called after their files, those that the words themselves find. */
function testsFor(graph: GraphView, hits: readonly SearchHit[], chosen: readonly NodeHandle[]): readonly PackTest[] {
  const files = new Map<NodeHandle, TestScore>();
  const add = (node: NodeHandle, score: number, depth: number): void => {
    const file = graph.fileNodeOf(node);
    if (file === undefined) return;
    const known = files.get(file);
    if (known === undefined) files.set(file, { score, node, depth });
    else Object.assign(known, { score: known.score + score, ...(known.node === file ? { node, depth } : {}) });
  };
  const namesakes = testsByStem(graph);
  for (const [place, seed] of chosen.slice(0, TEST_SEEDS).entries()) {
    const weight = 1 / (place + 1);
    const reached = nearestTests(graph, seed);
    for (const { node, depth } of reached) add(node, (weight * STEP_DECAY ** (depth - 1)) / Math.sqrt(1 + reached.length / MANY_TESTS), depth);
    for (const test of namesakes.get(stemOf(graph.node(seed).path)) ?? []) add(test, NAMESAKE * weight, 0);
  }
  const top = hits[0]?.score ?? 1;
  for (const hit of hits) {
    const node = graph.find(hit.id);
    if (node !== undefined && graph.isTest(node)) add(node, (WORDS_SHARE * hit.score) / top, 0);
  }
  return [...files]
    .sort((a, b) => b[1].score - a[1].score || graph.orderOf(a[0]) - graph.orderOf(b[0]))
    .slice(0, MAX_TESTS)
    .map(([file, { node, depth }]) => ({ file: graph.idOf(file), id: graph.idOf(node), depth }));
}

/** The nearest node in each test file that depends on a symbol. */
function nearestTests(graph: GraphView, seed: NodeHandle): readonly { readonly node: NodeHandle; readonly depth: number }[] {
  const { adjacency } = graph;
  const near = reach([adjacency.backward], adjacency.live, [seed], TEST_DEPTH, dependencyLinks('facts'));
  const seen = new Set<NodeHandle | undefined>();
  return [...near.nodes].flatMap(node => {
    const file = graph.fileNodeOf(node);
    if (!graph.isTest(node) || seen.has(file)) return [];
    seen.add(file);
    return [{ node, depth: near.depths[node] ?? 1 }];
  });
}

function testsByStem(graph: GraphView): ReadonlyMap<string, readonly NodeHandle[]> {
  const byStem = new Map<string, NodeHandle[]>();
  for (const file of graph.files()) {
    if (!graph.isTest(file)) continue;
    const stem = stemOf(graph.idOf(file));
    byStem.set(stem, [...(byStem.get(stem) ?? []), file]);
  }
  return byStem;
}

/** What a file and its tests are called by: without extension and without what marks a test. */
function stemOf(path: WorkspacePath): string {
  return basename(path)
    .replace(/\.[^.]+$/, '')
    .replace(/[._-](?:test|tests|spec)$|^test_|^(?:Test|Tests)(?=[A-Z])|(?:Test|Tests|IT)$/g, '')
    .toLowerCase();
}
