import type { WorkspacePath } from '../../base/path';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { KIND_GROUPS } from '../../model/nodes';
import type { NamedCase, UsedFramework } from './frameworks';
import type { TestFile } from './inventory';
import { knownTests, typeAround } from './reach/cases';

/** A command that runs tests. */
export interface TestCommand {
  /** Without the files: what is approved. */
  readonly base: readonly string[];
  readonly argv: readonly string[];
  /** Folder that it runs in, inside the workspace. */
  readonly folder: WorkspacePath;
  readonly framework: string;
  /** The files of tests that it runs. */
  readonly files: readonly WorkspacePath[];
  /** For a person to read and type. */
  readonly text: string;
}

/** With more files than this, the command to read runs all tests of the folder: nobody types that many. */
const MAX_NAMED = 50;

const CLASSES: ReadonlySet<string> = new Set(KIND_GROUPS.CLASS);

/**
 * One command per framework and folder, in the order of the files. Files of no framework with a command are left out.
 * `casesOf` gives the cases to run of a file; those of whole files, and more than a person would read, are run by file.
 */
export function commandsFor(
  files: readonly TestFile[],
  baseOf: (used: UsedFramework) => readonly string[] | undefined = used => used.row.command ?? used.row.typed,
  casesOf: (file: TestFile) => readonly Omit<NamedCase, 'path'>[] = () => [],
): readonly TestCommand[] {
  const groups = new Map<
    string,
    { readonly used: UsedFramework; readonly files: WorkspacePath[]; readonly paths: WorkspacePath[]; readonly cases: NamedCase[]; isWhole: boolean }
  >();
  for (const file of files) {
    const { path, used } = file;
    if (used === undefined) continue;
    const key = `${used.row.id} ${used.folder}`;
    const group = groups.get(key) ?? { used, files: [], paths: [], cases: [], isWhole: false };
    groups.set(key, group);
    const inside = used.folder === '' ? path : path.slice(used.folder.length + 1);
    // Naming cases is work, and nobody reads the names then.
    const isUnnamed = group.isWhole || group.cases.length > MAX_NAMED;
    const cases = isUnnamed ? [] : casesOf(file).map(each => ({ ...each, path: inside }));
    group.files.push(path);
    group.paths.push(inside);
    group.cases.push(...cases);
    if (!isUnnamed) group.isWhole = cases.length === 0;
  }
  return [...groups.values()].flatMap(({ used, files, paths, cases, isWhole }) => {
    const base = baseOf(used);
    if (base === undefined) return [];
    const named = isWhole || cases.length > MAX_NAMED ? undefined : used.row.argumentsForCases?.(cases);
    const argv = [...base, ...(named ?? used.row.argumentsFor?.(paths) ?? paths)];
    const text = (paths.length > MAX_NAMED ? base : argv).map(quoted).join(' ');
    return [{ base, argv, folder: used.folder, framework: used.row.id, files, text: used.folder === '' ? text : `cd ${quoted(used.folder)} && ${text}` }];
  });
}

/** What the runner of a case calls it, or the tests that run it where it has no name for it. */
export function caseNames(graph: GraphView, node: NodeHandle): readonly Omit<NamedCase, 'path'>[] {
  return knownTests(graph, node).map(test => namedCase(graph, test));
}

function namedCase(graph: GraphView, node: NodeHandle): Omit<NamedCase, 'path'> {
  const symbols: NodeHandle[] = [];
  for (let at: NodeHandle | undefined = node; at !== undefined && graph.node(at).nodeType === 'symbol'; at = graph.parentOf(at)) symbols.unshift(at);
  const type = typeAround(graph, symbols[0] ?? node);
  if (type !== undefined && !symbols.includes(type)) symbols.unshift(type);
  const classes = symbols.filter(symbol => CLASSES.has(graph.kindOf(symbol)));
  const isBlock = classes.length > 0 && graph.kindOf(node) === 'function';
  const names = (of: readonly NodeHandle[]): string[] => of.map(symbol => graph.node(symbol).name);
  const isGroup = symbols.length > 0 && !graph.runsAsTest(node) && classes.length === 0;
  return { names: names(symbols), line: graph.node(node).startLine, ...(isBlock ? { blockOf: names(classes) } : {}), ...(isGroup ? { isGroup } : {}) };
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Commands that run the cases alone, where their runner can. */
export function commandsOf(graph: GraphView, kept: readonly { readonly node: NodeHandle; readonly file: TestFile }[]): readonly string[] {
  const cases = new Map<TestFile, NodeHandle[]>();
  // A class stands for cases that it inherits, a file for all of its cases: the file is run as a whole.
  const isWhole = (node: NodeHandle): boolean => graph.fileNodeOf(node) === node || (CLASSES.has(graph.kindOf(node)) && !graph.runsAsTest(node));
  const whole = new Set(kept.flatMap(({ node, file }) => (isWhole(node) ? [file] : [])));
  for (const { node, file } of kept) {
    const known = cases.get(file) ?? [];
    cases.set(file, known);
    if (!whole.has(file)) known.push(node);
  }
  const casesOf = (file: TestFile): Omit<NamedCase, 'path'>[] => (cases.get(file) ?? []).flatMap(node => caseNames(graph, node));
  return commandsFor([...cases.keys()], undefined, casesOf).map(command => command.text);
}
