import { type CancellationToken, throwIfCancelled } from '../../base/cancellation';
import { basename, dirname } from '../../base/path';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { FACT_CONFIDENCE } from '../../model/evidence';
import { NO_NODE, type StableId } from '../../model/ids';
import { KIND_GROUPS } from '../../model/nodes';
import { relationCode } from '../../model/relations';
import type { Workspace } from '../../workspace/snapshot';
import type { UsedFramework } from './frameworks';
import type { TestFile } from './inventory';
import { type CaseReach, LOADS } from './reach/caseReach';
import { groupsOfSharedCase } from './reach/cases';
import { isTestSupport } from './reach/reachedTests';

const CLASSES: ReadonlySet<string> = new Set(KIND_GROUPS.CLASS);

type TestFiles = ReadonlyMap<NodeHandle, TestFile>;

/** A file of tests that fails to load because of what changed. */
interface LoadFailure {
  /** The file that is loaded. */
  readonly file: NodeHandle;
  /** What it uses when it is loaded, on the way to the change. */
  readonly through: NodeHandle;
}

/**
 * Files of tests that a run does not come to when what changed fails, each with the failure at load that stops the run: all that their runner runs together
 * with the file that fails. Runners that go on with the next file are not among them.
 */
export async function filesStoppedAtLoad(
  workspace: Workspace,
  graph: GraphView,
  files: TestFiles,
  walk: CaseReach,
  token: CancellationToken,
): Promise<ReadonlyMap<NodeHandle, LoadFailure>> {
  const stopped = new Map<NodeHandle, LoadFailure>();
  const seen = new Set<UsedFramework>();
  for (const file of loadersIn(graph, walk)) {
    const used = runOf(graph, files, file);
    if (used?.row.stopsAtLoad !== true || seen.has(used)) continue;
    throwIfCancelled(token);
    const through = await usedAtLoad(workspace, graph, walk, file, used.row.group);
    if (through === undefined) continue;
    seen.add(used);
    for (const other of files.values())
      if (other.used === used && !stopped.has(other.node) && !isTestSupport(graph, other.node)) stopped.set(other.node, { file, through });
  }
  return stopped;
}

/** Files of tests that may run what changed when they are loaded, or in a group of tests. */
function loadersIn(graph: GraphView, walk: CaseReach): ReadonlySet<NodeHandle> {
  const found = new Set<NodeHandle>();
  for (const node of walk.nodes) {
    if (!graph.isTest(node) || walk.certain[node] !== 1) continue;
    const file = graph.fileNodeOf(node) ?? node;
    if (node === file ? walk.loading[node] === LOADS.certainly : !graph.runsAsTest(node)) found.add(file);
  }
  return found;
}

/** What a file certainly uses when it is loaded: what it imports, or what code outside of functions and callbacks calls. */
async function usedAtLoad(
  workspace: Workspace,
  graph: GraphView,
  walk: CaseReach,
  file: NodeHandle,
  group: RegExp | undefined,
): Promise<NodeHandle | undefined> {
  if (walk.loading[file] === LOADS.certainly) {
    const imported = graph
      .out(file)
      .find(edge => edge.relation === 'IMPORTS' && walk.loading[edge.target] === LOADS.certainly && walk.certain[edge.target] === 1);
    if (imported !== undefined) return imported.target;
  }
  const text = await workspace.readText(graph.idOf(file));
  if (!text.ok) return undefined;
  const lines = text.value.split('\n');
  for (const node of [file, ...graph.symbolsOf(file)]) {
    if (node !== file && (graph.runsAsTest(node) || !HOLDERS.has(graph.kindOf(node)))) continue;
    for (const { relation, target, confidence, lines: places } of graph.out(node)) {
      if (!RUNS.has(relation) || confidence < FACT_CONFIDENCE || walk.certain[target] !== 1 || walk.named[target] === 1) continue;
      if (places.some(line => runsAtLoad(lines, line, lastNameOf(graph, target), group))) return target;
    }
  }
  // What is decorated; bodies of classes may only hand on what runs later, as lines show.
  const from = walk.towards[file] ?? NO_NODE;
  const isWithFile = walk.loading[file] === LOADS.certainly && from !== NO_NODE && graph.fileNodeOf(from) === file;
  return isWithFile && walk.relations[file] === relationCode.DECORATES && walk.relations[from] === relationCode.DECORATES ? from : undefined;
}

const RUNS: ReadonlySet<string> = new Set(['CALLS', 'INSTANTIATES', 'DECORATES']);
/** Kinds of symbols in whose body code may stand that runs when the file is loaded: classes, and groups of tests. */
const HOLDERS: ReadonlySet<string> = new Set([...KIND_GROUPS.CLASS, ...KIND_GROUPS.FUNCTION]);

/** What opens a function without a name: its body runs later. */
const CALLBACK = /\blambda\b|->|=>|\bfunction\b|\bproc\b|\bdef\b|\bdo\s*(?:\|[^|]*\|)?\s*$|[\w?!)]\s*\{\s*(?:\|[^|]*\|\s*)?$|\{\s*\|/;

/** Whether a line stands outside of functions and callbacks, by how the lines before it are indented; the bodies of groups of tests run at once. */
export function runsAtLoad(lines: readonly string[], line: number, name: string, group: RegExp | undefined): boolean {
  const text = lines[line - 1] ?? '';
  const end = text.indexOf(name);
  if (group?.test(text) !== true && CALLBACK.test(end < 0 ? text : text.slice(0, end))) return false;
  let indent = text.search(/\S|$/);
  for (let at = line - 2; at >= 0 && indent > 0; at--) {
    const outer = lines[at] ?? '';
    const own = outer.search(/\S/);
    if (own < 0 || own >= indent) continue;
    indent = own;
    if (CALLBACK.test(outer) && group?.test(outer) !== true) return false;
  }
  return true;
}

function lastNameOf(graph: GraphView, node: NodeHandle): string {
  const { name } = graph.node(node);
  return name === 'constructor' || name === 'initialize' || name === '__init__' ? graph.node(graph.parentOf(node) ?? node).name : name;
}

/** The runner that loads a file; files that it loads first are no tests of it. */
function runOf(graph: GraphView, files: TestFiles, loaded: NodeHandle): UsedFramework | undefined {
  const known = files.get(loaded)?.used;
  if (known !== undefined) return known;
  const path = graph.idOf(loaded);
  const folder = dirname(path);
  for (const { used, path: test } of files.values())
    if (used?.row.loadsFirst?.test(basename(path)) === true && (folder === '' || test.startsWith(`${folder}/`))) return used;
  return undefined;
}

/** Cases of a file, those in groups among them. */
export function allCasesOf(graph: GraphView, file: NodeHandle): readonly NodeHandle[] {
  return graph.symbolsOf(file).filter(symbol => graph.runsAsTest(symbol));
}

const AT_ONCE = 32;

/** Files of tests that run classes of tests again because they import them, each with one of the `cases` that it runs again. */
export async function filesThatRerun(
  workspace: Workspace,
  graph: GraphView,
  files: TestFiles,
  cases: readonly NodeHandle[],
  token: CancellationToken,
): Promise<ReadonlyMap<NodeHandle, NodeHandle>> {
  // By file, then by the name of the class.
  const classes = new Map<NodeHandle, Map<string, NodeHandle>>();
  for (const node of cases) {
    const holder = graph.kindOf(node) === 'class' ? node : graph.parentOf(node);
    const file = graph.fileNodeOf(node);
    if (holder === undefined || file === undefined || graph.kindOf(holder) !== 'class' || files.get(file)?.used?.row.runsImported === undefined) continue;
    const names = classes.get(file) ?? new Map<string, NodeHandle>();
    classes.set(file, names);
    if (!names.has(graph.node(holder).name)) names.set(graph.node(holder).name, node);
  }
  const rerun = new Map<NodeHandle, NodeHandle>();
  if (classes.size === 0) return rerun;
  const importing = [...files.values()].flatMap(file => {
    const from = graph.out(file.node).filter(edge => edge.relation === 'IMPORTS' && classes.has(edge.target));
    return from.length === 0 || file.used?.row.runsImported === undefined ? [] : [{ file, from, pattern: file.used.row.runsImported }];
  });
  for (let at = 0; at < importing.length; at += AT_ONCE) {
    throwIfCancelled(token);
    const some = importing.slice(at, at + AT_ONCE);
    const texts = await Promise.all(some.map(({ file }) => workspace.readText(file.path)));
    for (const [row, { file, from, pattern }] of some.entries()) {
      const text = texts[row];
      if (text?.ok !== true) continue;
      const imported = new Set([...text.value.matchAll(pattern)].flatMap(match => match.groups?.['names']?.split(/[^\w]+/) ?? []));
      for (const edge of from)
        for (const [name, node] of classes.get(edge.target) ?? []) if (imported.has(name) && !rerun.has(file.node)) rerun.set(file.node, node);
    }
  }
  return rerun;
}

/** What a runner knows a test by: groups for a case that they share; for a class that inherits cases, each by the name of both. */
export function idsToRun(graph: GraphView, node: NodeHandle, inherited: ReadonlySet<NodeHandle> | undefined): readonly StableId[] {
  if (inherited === undefined) return groupsOfSharedCase(graph, node).map(group => graph.idOf(group));
  return [...inherited].map(test => {
    const id = graph.idOf(test);
    let base = graph.parentOf(test);
    while (base !== undefined && !CLASSES.has(graph.kindOf(base))) base = graph.parentOf(base);
    return base === undefined ? id : `${graph.idOf(node)}${id.slice(graph.idOf(base).length)}`;
  });
}
