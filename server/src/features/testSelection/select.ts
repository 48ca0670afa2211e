import { z } from 'zod';
import { type CancellationToken, throwIfCancelled } from '../../base/cancellation';
import { basename, dirname, extname, type WorkspacePath } from '../../base/path';
import { err, ok, type Result } from '../../base/result';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { TEST_CONFIDENCE } from '../../model/evidence';
import { NO_NODE, type StableId } from '../../model/ids';
import { languageOfExtension } from '../../model/languages';
import { KIND_GROUPS } from '../../model/nodes';
import { marksPackage } from '../../model/toolchains';
import type { ChangeSet } from '../../workspace/changes';
import type { Workspace } from '../../workspace/snapshot';
import { type ChangedCode, changeReportShape, codeChanged } from '../shared/changedCode';
import { changesOf } from '../shared/changeSource';
import { type RanBy, ranByShape, testsOfCoverage } from '../shared/coverage';
import { type FeatureFailure, fromEngine, notFound } from '../shared/failure';
import { feature } from '../shared/feature';
import type { Stamped } from '../shared/fresh';
import { withMembers } from '../shared/members';
import { flag, integer, number, text, texts } from '../shared/params';
import { object, optional, type Shaped, shape, stamped } from '../shared/shape';
import { workspacePath } from '../shared/spelling';
import { pathsLike } from '../shared/target';
import { namesake, sourcesByStem } from './categorize';
import { commandsOf } from './commands';
import { FRAMEWORK_NAMES } from './frameworks';
import { CATEGORIES, type Category, categoriesOf, type TestFile, testFilesOf } from './inventory';
import { type CaseReach, caseReach, leadsTo, wayTo } from './reach/caseReach';
import { withMentions } from './reach/mentionedMembers';
import { Mentions } from './reach/mentions';
import { isLiteralMember } from './reach/nodeFlags';
import { isTestSupport, MAX_TEST_DISTANCE, pathToTest, testsIn, testsReaching } from './reach/reachedTests';
import { ReadTexts } from './reach/readTexts';
import { allCasesOf, filesStoppedAtLoad, filesThatRerun, idsToRun } from './runScope';

/** `files`, or `since`; what is not committed when neither is given. */
export const selectParams = shape(() =>
  object({
    files: optional(texts()),
    since: optional(text()),
    includeTransitive: optional(flag()),
    /** 1 to 10; as far as references lead when absent. */
    depth: optional(integer()),
    categories: optional(texts()),
    /** 0 to 1, 0 when absent: of the product of the confidences on the way. */
    minConfidence: optional(number()),
    maxTests: optional(integer()),
  }),
);
export type SelectParams = Shaped<typeof selectParams>;
type SelectedTest = Shaped<typeof selectedTestShape>;

export const selectedTestShape = shape(() =>
  object({
    id: z.string(),
    file: z.string(),
    framework: z.enum(FRAMEWORK_NAMES),
    category: z.enum(CATEGORIES),
    /** Product of the confidences on the way × 0.85 per step; 1 for a test that changed itself. */
    score: z.number(),
    /** What changed first, the test last. */
    via: z.array(z.string()),
    /**
     * No reference leads here: code on the way `mentions` the name of what changed, or the file of the test `imports` its file in the end. Or the test need not
     * run the change: a file of tests runs it when it `loads`, and a failure there ends the run; or the file `reruns` cases that it imports.
     * Or a coverage report says that it `ran` the change, and nothing else does.
     */
    reason: optional(z.enum(['mentions', 'imports', 'loads', 'reruns', 'ran'])),
    /** The coverage report by which the test ran what changed. */
    coverage: optional(ranByShape()),
    /** Chosen only because something without symbols changed in its package. */
    fallback: optional(z.literal(true)),
  }),
);

export const selectAnswerShape = shape(() =>
  object({
    since: z.string(),
    changes: changeReportShape(),
    /** Best first. */
    tests: z.array(selectedTestShape()),
    counts: object({
      unit: z.number(),
      integration: z.number(),
      e2e: z.number(),
      performance: z.number(),
      unknown: z.number(),
      direct: z.number(),
      transitive: z.number(),
      fallback: z.number(),
    }),
    /** Changed functions, methods and classes that no test reaches. */
    uncovered: z.array(z.string()),
    fallback: z.boolean(),
    /** There were more than `maxTests`. */
    truncated: z.boolean(),
    /** All that were found. */
    total: z.number(),
    /** What runs them, one line per framework and folder. */
    commands: z.array(z.string()),
  }),
);
export type SelectAnswer = Shaped<typeof selectAnswerShape>;

const MAX_DEPTH = 10;
const DEFAULT_TESTS = 200;
/** For those who show how many there are. */
export const ALL_TESTS = 1_000_000;
const DECAY = 0.85;
/** Below every test that a reference leads to. */
const FALLBACK_SCORE = 0.1;
const MAX_UNCOVERED_CHECKED = 100;
const PROSE: ReadonlySet<string> = new Set(['.md', '.rst', '.adoc', '.png', '.svg', '.jpg', '.gif']);
/** Settings of hosts, editors and version control, and legal texts: what runs tests does not read them. */
const BESIDE_TESTS =
  /^(?:.*\/)?(?:\.(?:github|gitlab|circleci|vscode|idea|devcontainer|husky|changeset)\/.+|\.git(?:ignore|attributes|modules)|\.editorconfig|\.mailmap|\.gitlab-ci\.yml|CODEOWNERS|(?:LICEN[CS]E|COPYING|NOTICE|AUTHORS)(?:\.txt)?)$/;

/** The tests to run for a change, surest first. */
export async function selectTests(
  workspace: Workspace,
  params: SelectParams,
  token: CancellationToken,
): Promise<Result<Stamped<SelectAnswer>, FeatureFailure>> {
  const changes = params.files === undefined ? await changesOf(workspace, params.since ?? '', token) : wholeFiles(workspace, params.files);
  if (!changes.ok) return changes;
  const chosen = await chooseTests(workspace, changes.value, params, token);
  return chosen.ok ? ok({ ...(await answerOf(chosen.value, token)), stamp: chosen.value.stamp }) : chosen;
}

/** Tests that were chosen for a change. What they are for is not told: that takes reading them. */
interface Chosen {
  readonly changes: SelectAnswer['changes'];
  readonly graph: GraphView;
  readonly contents: ReadTexts;
  /** Best first, as many as were asked for. */
  readonly kept: readonly ChosenTest[];
  readonly total: number;
  readonly uncovered: StableId[];
  readonly commands: readonly string[];
  readonly stamp: Stamped<unknown>['stamp'];
}

interface ChosenTest extends Omit<Picked, 'inherited'> {
  readonly node: NodeHandle;
  readonly id: StableId;
  readonly file: TestFile;
}

/** The same for changes that are known; `files` says that the asker named them. */
export async function chooseTests(
  workspace: Workspace,
  changes: ChangeSet,
  params: SelectParams,
  token: CancellationToken,
): Promise<Result<Chosen, FeatureFailure>> {
  const snapshot = await workspace.snapshot(changes.files.map(file => file.path).slice(0, 50), token);
  if (!snapshot.ok) return err(fromEngine(snapshot.error));
  const { graph, stamp } = snapshot.value;
  const contents = new ReadTexts(workspace);
  const files = await testFilesOf(contents, graph, token);
  const picker: Picker = {
    graph,
    contents,
    code: codeChanged(graph, changes),
    files: new Map(files.map(file => [file.node, file])),
    minConfidence: params.minConfidence ?? 0,
    depth: params.includeTransitive === false ? 1 : params.depth === undefined ? MAX_TEST_DISTANCE : Math.min(MAX_DEPTH, Math.max(1, params.depth)),
    picked: new Map(),
  };
  pickChanged(picker);
  const { walk } = await withMentions(workspace, graph, token, () => testsReaching(graph, picker.code.changed, picker.depth), {
    readsPast: true,
    texts: contents,
  });
  pickReached(picker, walk);
  await pickRan(picker, workspace);
  await pickPossible(picker, workspace, token);
  await pickRerun(picker, workspace, token);
  await pickStopped(picker, walk, workspace, token);
  pickNamesakes(picker);
  pickFallback(picker, changes);
  const [unknown] = picker.code.report.notIndexed;
  if (params.files !== undefined && unknown !== undefined && picker.picked.size === 0 && picker.code.files.size === 0) {
    return err(notFound(unknown, pathsLike(snapshot.value.search, unknown)));
  }
  const all = await ranked(picker, params, token);
  const kept = all.slice(0, params.maxTests ?? DEFAULT_TESTS);
  const commands = commandsOf(graph, kept);
  return ok({ changes: picker.code.report, graph, contents, kept, total: all.length, uncovered: untestedIn(picker), commands, stamp });
}

function wholeFiles(workspace: Workspace, files: readonly string[]): Result<ChangeSet, FeatureFailure> {
  const paths: WorkspacePath[] = [];
  for (const file of files) {
    const path = workspacePath(workspace, file.replace(/^file::/, ''));
    if (!path.ok) return path;
    paths.push(path.value);
  }
  return ok({ since: 'the specified files', files: paths.map(path => ({ path, status: 'modified', hunks: undefined, before: [] })), truncated: false });
}

interface Picker {
  readonly contents: ReadTexts;
  readonly graph: GraphView;
  readonly code: ChangedCode;
  readonly files: ReadonlyMap<NodeHandle, TestFile>;
  readonly minConfidence: number;
  readonly depth: number;
  readonly picked: Map<NodeHandle, Picked>;
}

interface Picked {
  readonly score: number;
  readonly depth: number;
  readonly via: readonly StableId[];
  readonly fallback?: true;
  readonly reason?: SelectedTest['reason'];
  readonly coverage?: RanBy;
  /** Of a class that inherits cases: those to run. */
  readonly inherited?: ReadonlySet<NodeHandle>;
}

const CODE: ReadonlySet<string> = new Set([...KIND_GROUPS.FUNCTION, 'class']);

function pickChanged(picker: Picker): void {
  const { graph, code, picked } = picker;
  for (const node of code.changed) if (graph.runsAsTest(node)) picked.set(node, { score: 1, depth: 0, via: [graph.idOf(node)] });
  const taken = new Set([...picked.keys()].map(node => graph.fileNodeOf(node)));
  for (const file of code.files) {
    if (!graph.isTest(file) || taken.has(file) || isTestSupport(graph, file)) continue;
    picked.set(file, { score: 1, depth: 0, via: [graph.idOf(file)] });
  }
}

/** Why tests are possible that no reference leads to. */
interface Doubt {
  readonly reason: 'mentions' | 'imports';
  readonly score: number;
  /** What changed, by where the walk began. */
  readonly from: (seed: NodeHandle) => NodeHandle;
}

/** Gives what tests were picked for that were not before. */
function pickReached(picker: Picker, walk: CaseReach, doubt?: Doubt): ReadonlySet<NodeHandle> {
  const { graph, picked, files, minConfidence } = picker;
  const origins = new Set<NodeHandle>();
  const before = new Set([...picked.keys()].map(node => graph.fileNodeOf(node)));
  for (const test of testsIn(graph, walk, node => (walk.confidences[node] ?? 0) >= minConfidence, doubt !== undefined)) {
    const { node, end } = test;
    const file = graph.fileNodeOf(node) ?? node;
    if (picked.has(node) || !files.has(file) || (file === node && before.has(file))) continue;
    const path = pathToTest(walk, test);
    const origin = doubt?.from(path[0] ?? node);
    if (origin !== undefined) origins.add(origin);
    const via = [...(origin === undefined ? [] : [origin]), ...path].map(step => graph.idOf(step));
    const depth = (walk.depths[end] ?? 0) + (doubt === undefined ? 0 : 1);
    const score = (walk.confidences[end] ?? 0) * DECAY ** depth * (doubt?.score ?? 1);
    const inherited = walk.inherited.get(node);
    const reason = doubt?.reason;
    picked.set(node, { score, depth, via: [...new Set(via)], ...(reason && { reason }), ...(inherited && { inherited }) });
  }
  return origins;
}

/** What references by name alone are worth, and being in a file that imports, by whatever way, that of the change. */
const NAMED_SCORE = 0.2;
const IMPORTING_SCORE = 0.05;

/** Rounds of looking for names: of the change, then of what mentions it and leads to no case either. */
const ROUNDS = 3;

/** Most users of lost code that are looked at in a round: what hundreds mention has a common name. */
const MAX_USERS_CHECKED = 500;

/** Steps from a change to members of objects that tests may call by their name. */
const MAX_LOOSE_STEPS = 3;

/** For changed code that no case was seen to reach: the cases behind code that mentions its name, and where there is none those whose file imports its file in the end. */
async function pickPossible(picker: Picker, workspace: Workspace, token: CancellationToken): Promise<void> {
  const { graph, code, contents, depth, minConfidence } = picker;
  if (minConfidence > NAMED_SCORE || depth === 1) return;
  const bounds = { maxDepth: depth, nodes: Number.POSITIVE_INFINITY };
  const mentions = new Mentions(contents, graph);
  const lostOf = async (nodes: readonly NodeHandle[]): Promise<NodeHandle[]> => {
    const lost: NodeHandle[] = [];
    for (const node of nodes) {
      throwIfCancelled(token);
      await workspace.pause?.();
      if (!graph.isTest(node) && !leadsTo(graph, node, other => graph.isTest(other), depth)) lost.push(node);
    }
    return lost;
  };
  const symbols = code.report.symbols.slice(0, MAX_UNCOVERED_CHECKED).flatMap(id => graph.find(id) ?? []);
  const lost = await lostOf(symbols);
  // Each with what it was looked for because of.
  const origins = new Map(lost.map(node => [node, node]));
  const found = new Set<NodeHandle>();
  let asked = lost;
  for (let round = 0; round < ROUNDS && asked.length > 0; round++) {
    const next = new Map<NodeHandle, NodeHandle>();
    const originOf = new Map<NodeHandle, NodeHandle>();
    for (const [node, users] of await mentions.of(asked, token)) {
      const from = origins.get(node) ?? node;
      for (const user of users) {
        if (!originOf.has(user)) originOf.set(user, from);
        if (!origins.has(user) && !next.has(user) && next.size < MAX_USERS_CHECKED) next.set(user, from);
      }
    }
    // One walk from all users: what they lead to is much the same, and a walk costs as much as the whole graph.
    const from = (user: NodeHandle): NodeHandle => originOf.get(user) ?? user;
    for (const origin of pickReached(picker, caseReach(graph, originOf.keys(), bounds), { reason: 'mentions', score: NAMED_SCORE, from })) found.add(origin);
    asked = await lostOf([...next.keys()]);
    for (const user of asked) origins.set(user, next.get(user) ?? user);
  }
  // Objects that functions are put onto come and go through parameters: tests that name one of those may run it, whatever else is known to.
  const near = caseReach(graph, symbols, { ...bounds, maxDepth: MAX_LOOSE_STEPS }).nodes;
  const loose = near.filter(node => !origins.has(node) && !graph.isTest(node) && isPutOnObject(graph, node));
  for (const [node, users] of await mentions.of(loose, token)) {
    const tests = users.filter(user => graph.isTest(user) && graph.fileNodeOf(user) !== user);
    pickReached(picker, caseReach(graph, tests, { ...bounds, maxDepth: 1 }), { reason: 'mentions', score: NAMED_SCORE, from: () => node });
  }
  if (minConfidence > IMPORTING_SCORE) return;
  const imported = new Set<NodeHandle>();
  for (const node of lost) {
    const file = graph.fileNodeOf(node);
    if (file === undefined || found.has(node) || imported.has(file)) continue;
    imported.add(file);
    pickReached(picker, caseReach(graph, [file], bounds), { reason: 'imports', score: IMPORTING_SCORE, from: () => node });
  }
}

/** A function that is a member of an object, not of a class. */
function isPutOnObject(graph: GraphView, node: NodeHandle): boolean {
  const parent = graph.parentOf(node);
  if (parent !== undefined && OBJECTS.has(graph.kindOf(parent))) return graph.kindOf(node) === 'function';
  return CODE.has(graph.kindOf(node)) && graph.node(node).isExported && isLiteralMember(graph, node);
}

const OBJECTS: ReadonlySet<string> = new Set(['variable', 'constant']);

/** Tests that ran what changed, as coverage reports say, whatever references do. */
async function pickRan({ graph, code, files, picked, minConfidence }: Picker, workspace: Workspace): Promise<void> {
  const changed = code.report.symbols.flatMap(id => graph.find(id) ?? []);
  for (const [test, { by, of }] of await testsOfCoverage(workspace, graph, changed)) {
    const confidence = by.stale ? TEST_CONFIDENCE.staleCoverage : 1;
    if (confidence < minConfidence || !files.has(graph.fileNodeOf(test) ?? test)) continue;
    const known = picked.get(test);
    const score = confidence * DECAY;
    if (known === undefined) picked.set(test, { score, depth: 1, via: [graph.idOf(of), graph.idOf(test)], reason: 'ran', coverage: by });
    else picked.set(test, { ...known, score: Math.max(known.score, score), coverage: by });
  }
}

/** What cases are worth that need not run the change to fail by it. */
const STOPPED_SCORE = 0.15;

/** Files of tests that some runners run together with classes of tests that they import. */
async function pickRerun({ graph, files, picked, minConfidence }: Picker, workspace: Workspace, token: CancellationToken): Promise<void> {
  for (const [file, node] of await filesThatRerun(workspace, graph, files, [...picked.keys()], token)) {
    const known = picked.get(node);
    if (known === undefined || picked.has(file) || known.score * DECAY < minConfidence) continue;
    picked.set(file, { score: known.score * DECAY, depth: known.depth + 1, via: [...known.via, graph.idOf(file)], reason: 'reruns' });
  }
}

/** All cases of a runner that ends its run where a file of tests fails to load, when loading one runs what changed. */
async function pickStopped({ graph, files, picked, minConfidence }: Picker, walk: CaseReach, workspace: Workspace, token: CancellationToken): Promise<void> {
  for (const [file, { file: loaded, through }] of await filesStoppedAtLoad(workspace, graph, files, walk, token)) {
    const worth = walk.confidences[through] ?? 0;
    if (picked.has(file) || worth < minConfidence || allCasesOf(graph, file).every(test => picked.has(test))) continue;
    const via = [...new Set([...wayTo(walk, through), loaded, file])].map(step => graph.idOf(step));
    picked.set(file, { score: STOPPED_SCORE * worth, depth: (walk.depths[through] ?? 0) + 2, via, reason: 'loads' });
  }
}

/** Tests called after a changed file that they do not even import, when no other test leads to the change: names alone are fragile. */
function pickNamesakes(picker: Picker): void {
  const { graph, code, files, picked, minConfidence } = picker;
  if (minConfidence > TEST_CONFIDENCE.sameStem) return;
  const byStem = sourcesByStem(graph);
  const taken = new Set([...picked.keys()].map(node => graph.fileNodeOf(node)));
  const reached = new Set([...picked.values()].map(({ via }) => graph.fileNodeOf(graph.find(via[0] ?? '') ?? NO_NODE)));
  for (const { node, path } of files.values()) {
    if (taken.has(node) || !graph.isTest(node)) continue;
    const source = namesake(path, byStem);
    const file = source === undefined ? undefined : graph.fileOf(source);
    if (file === undefined || source === undefined || !code.files.has(file) || reached.has(file) || imports(graph, node, file)) continue;
    picked.set(node, { score: TEST_CONFIDENCE.sameStem * DECAY, depth: 1, via: [source, path] });
  }
}

function imports(graph: GraphView, test: NodeHandle, file: NodeHandle): boolean {
  return graph.edge(test, 'IMPORTS', file) !== undefined;
}

/** A configuration, a lockfile or a fixture has no symbols: the tests of its nearest package may all depend on it. */
function pickFallback(picker: Picker, changes: ChangeSet): void {
  const { graph, files, picked } = picker;
  const packages = new Set([...graph.files()].flatMap(file => (marksPackage(basename(graph.idOf(file))) ? [dirname(graph.idOf(file))] : [])));
  const taken = new Set([...picked.keys()].map(node => graph.fileNodeOf(node)));
  for (const { path, before } of changes.files) {
    const node = graph.fileOf(path);
    const isCode =
      before.length > 0 || languageOfExtension(extname(path)) !== undefined || (node !== undefined && (graph.symbolsOf(node).length > 0 || files.has(node)));
    if (isCode || PROSE.has(extname(path)) || BESIDE_TESTS.test(path)) continue;
    const folder = nearest(path, packages);
    for (const test of files.values()) {
      const isInside = folder === '' || test.path.startsWith(`${folder}/`);
      if (isInside && !taken.has(test.node) && !picked.has(test.node) && test.used !== undefined)
        picked.set(test.node, { score: FALLBACK_SCORE, depth: 1, via: [path, test.path], fallback: true });
    }
  }
}

function nearest(path: WorkspacePath, packages: ReadonlySet<WorkspacePath>): WorkspacePath {
  let folder = dirname(path);
  while (folder !== '' && !packages.has(folder)) folder = dirname(folder);
  return folder;
}

/** Best first. */
async function ranked(picker: Picker, params: SelectParams, token: CancellationToken): Promise<readonly ChosenTest[]> {
  const { contents, files, graph, picked } = picker;
  const rows = [...picked].flatMap(([node, { inherited, ...rest }]) => {
    const file = files.get(graph.fileNodeOf(node) ?? node);
    return file === undefined ? [] : idsToRun(graph, node, inherited).map(id => ({ node, id, file, ...rest }));
  });
  const ordered = rows.toSorted((a, b) => b.score - a.score || graph.orderOf(a.node) - graph.orderOf(b.node));
  // Cases that groups share lead to the same ones.
  const unique = [...new Map(ordered.toReversed().map(row => [row.id, row])).values()].toReversed();
  const wanted = new Set<string>(params.categories ?? []);
  if (wanted.size === 0) return unique;
  const categories = await categoriesOf(contents, graph, [...new Set(unique.map(({ file }) => file))], token);
  return unique.filter(({ file }) => wanted.has(categories.get(file)?.category ?? ''));
}

async function answerOf({ changes, commands, contents, graph, kept, total, uncovered }: Chosen, token: CancellationToken): Promise<SelectAnswer> {
  const known = await categoriesOf(contents, graph, [...new Set(kept.map(({ file }) => file))], token);
  const categoryOf = (file: TestFile): Category => known.get(file)?.category ?? 'unknown';
  const categories = Object.fromEntries(CATEGORIES.map(name => [name, kept.filter(({ file }) => categoryOf(file) === name).length])) as Record<
    Category,
    number
  >;
  return {
    since: changes.since,
    changes,
    tests: kept.map(({ id, coverage, file, score, via, fallback, reason }) => ({
      id,
      file: file.path,
      framework: file.framework,
      category: categoryOf(file),
      score: Math.round(score * 1000) / 1000,
      via,
      ...(reason === undefined ? {} : { reason }),
      ...(coverage === undefined ? {} : { coverage }),
      ...(fallback === undefined ? {} : { fallback }),
    })),
    counts: {
      ...categories,
      direct: kept.filter(row => row.fallback === undefined && row.depth <= 1).length,
      transitive: kept.filter(row => row.depth > 1).length,
      fallback: kept.filter(row => row.fallback === true).length,
    },
    uncovered,
    fallback: kept.some(row => row.fallback === true),
    truncated: total > kept.length,
    total,
    commands,
  };
}

function untestedIn({ graph, code, depth }: Picker): StableId[] {
  const subjects = code.report.symbols.flatMap(id => {
    const node = graph.find(id);
    return node === undefined || graph.isTest(node) || !CODE.has(graph.node(node).kind ?? '') ? [] : [node];
  });
  // A type is covered by what covers its members.
  const bounds = { nodes: Number.POSITIVE_INFINITY, until: (node: NodeHandle) => graph.runsAsTest(node) };
  const isUntested = (node: NodeHandle): boolean => testsReaching(graph, new Set(withMembers(graph, node)), depth, bounds).tests.length === 0;
  return subjects
    .slice(0, MAX_UNCOVERED_CHECKED)
    .filter(isUntested)
    .map(node => graph.idOf(node));
}

export const selectTestsFeature = feature({
  name: 'selectTests',
  about: 'Tests to run for files, or for the changes since a Git revision.',
  params: selectParams,
  answer: stamped(selectAnswerShape),
  run: selectTests,
});
