import { basename, dirname, type WorkspacePath } from '../../base/path';
import { runAtOnce } from '../../base/steps';
import type { GraphView } from '../../code/graph/graphView';
import { LANGUAGES } from '../../model/languages';
import { globPattern } from '../shared/globs';
import { linksAlong } from './codeMap';
import { checkRules } from './ruleChecks';
import { readRules } from './ruleFile';
import { DEFAULT_EDGES } from './rules';

/** A folder with fewer files is no layer, unless fewer than two folders have as many. */
const MIN_FILES = 5;
/** Then these are enough. */
const MIN_FILES_OF_FEW = 2;
/** Share of the files that a single folder must hold to be the source root. */
const MAIN_SHARE = 0.8;
/** Names of folders that hold sources, beside those of languages: for these half of the files is enough. */
const SOURCE_FOLDER = /^(?:src|lib|app|source|sources|server)$/;
const HALF = 0.5;

export interface ProposedLayer {
  readonly id: string;
  readonly folder: WorkspacePath;
  readonly files: number;
  readonly mayDependOn: readonly string[];
  /** Patterns of the tests among its files. */
  readonly exclude: readonly string[];
}

/** How tests are named and placed: what a rule file leaves out, as far as it fits. */
const TEST_PATTERNS = [
  '**/*.test.*',
  '**/*.spec.*',
  '**/*_test.*',
  '**/test_*',
  '**/*Test.*',
  '**/*Tests.*',
  '**/__tests__/**',
  '**/tests/**',
  '**/test/**',
  '**/testdata/**',
];

/** Layers as the folders suggest them: each with all that its files depend on today, tests apart. */
export function proposeLayers(graph: GraphView): readonly ProposedLayer[] {
  const indexed = [...graph.files()].filter(file => graph.node(file).language !== undefined);
  const files = indexed.filter(file => !graph.isTest(file)).map(file => graph.idOf(file));
  const exclude = testPatterns(
    indexed.filter(file => graph.isTest(file)).map(file => graph.idOf(file)),
    files,
  );
  const globs = exclude.map(globPattern);
  const { counts, folders, root } = layerFolders(files);
  const links = new Map<string, number>();
  for (const link of runAtOnce(linksAlong(graph, DEFAULT_EDGES))) {
    const { sourceFile, targetFile } = link;
    if (targetFile === undefined || [sourceFile, targetFile].some(file => globs.some(glob => glob.test(graph.idOf(file))))) continue;
    const from = childOf(root, graph.idOf(sourceFile));
    const to = childOf(root, graph.idOf(targetFile));
    if (from !== undefined && to !== undefined && from !== to) links.set(`${from} ${to}`, (links.get(`${from} ${to}`) ?? 0) + 1);
  }
  const count = (from: string, to: string): number => links.get(`${from} ${to}`) ?? 0;
  return folders.map(folder => ({
    id: basename(folder),
    folder,
    files: counts.get(folder) ?? 0,
    mayDependOn: folders.filter(other => other !== folder && count(folder, other) > 0).map(basename),
    exclude: exclude.filter((_, at) => indexed.some(file => isWithin(folder, graph.idOf(file)) && globs[at]?.test(graph.idOf(file)) === true)),
  }));
}

interface LayerFolders {
  readonly root: WorkspacePath;
  /** Files by folder of the root. */
  readonly counts: ReadonlyMap<WorkspacePath, number>;
  readonly folders: readonly WorkspacePath[];
}

/** Folders that are large enough for layers; where there are fewer than two, those inside of the only one. A single layer would say nothing: none then. */
function layerFolders(files: readonly WorkspacePath[]): LayerFolders {
  const at = (root: WorkspacePath, least: number): LayerFolders => {
    const counts = countsIn(root, files);
    const large = [...counts].filter(([, count]) => count >= least).map(([folder]) => folder);
    return { root, counts, folders: large.sort() };
  };
  const root = sourceRoot(files);
  const found = at(root, MIN_FILES);
  if (found.folders.length > 1) return found;
  const [only = root] = found.folders;
  const tried = [at(root, MIN_FILES_OF_FEW), at(only, MIN_FILES_OF_FEW)];
  return tried.find(({ folders }) => folders.length > 1) ?? { ...found, folders: [] };
}

function countsIn(root: WorkspacePath, files: readonly WorkspacePath[]): ReadonlyMap<WorkspacePath, number> {
  const counts = new Map<WorkspacePath, number>();
  for (const file of files) {
    const folder = childOf(root, file);
    if (folder !== undefined) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return counts;
}

/** Patterns that take tests and no other file, those that take most first; tests that none takes by their paths. */
function testPatterns(tests: readonly WorkspacePath[], others: readonly WorkspacePath[]): readonly string[] {
  const fitting = TEST_PATTERNS.map(pattern => ({ pattern, glob: globPattern(pattern) })).filter(({ glob }) => !others.some(path => glob.test(path)));
  const used = fitting.filter(({ glob }) => tests.some(path => glob.test(path)));
  return [...used.map(({ pattern }) => pattern), ...tests.filter(path => !used.some(({ glob }) => glob.test(path)))];
}

function isWithin(folder: WorkspacePath, path: WorkspacePath): boolean {
  return path.startsWith(`${folder}/`);
}

/** Rules that the code follows as it is: its folders as layers, and no import cycles where there are none. */
export function proposedRules(graph: GraphView): string {
  const layers = proposeLayers(graph);
  const text = rulesText(layers, true);
  const { violations } = runAtOnce(checkRules(graph, readRules('', text), { wants: () => true, isFirst: () => false, withCommunities: false }));
  return violations.some(violation => violation.ruleId === ACYCLIC) ? rulesText(layers, false) : text;
}

const ACYCLIC = 'acyclic';

/** A rule file for these layers. */
function rulesText(layers: readonly ProposedLayer[], isAcyclic: boolean): string {
  const list = (items: readonly string[]): string => `[${items.map(item => (/^[\w-]+$/.test(item) ? item : JSON.stringify(item))).join(', ')}]`;
  const rows = layers.map(
    ({ exclude, id, folder, mayDependOn }) =>
      `  - {id: ${list([id]).slice(1, -1)}, include: [${JSON.stringify(`${folder}/**`)}], ${exclude.length === 0 ? '' : `exclude: ${list(exclude)}, `}mayDependOn: ${list(mayDependOn)}}`,
  );
  return [
    'version: 1',
    ...(rows.length === 0 ? [] : ['layers:', ...rows]),
    ...(isAcyclic ? ['rules:', `  - {id: ${ACYCLIC}, type: no-cycle, scope: file, edges: [IMPORTS]}`] : []),
    '',
  ].join('\n');
}

/** The deepest folder that still holds most files and more than one folder. */
function sourceRoot(files: readonly WorkspacePath[]): WorkspacePath {
  let root: WorkspacePath = '';
  for (;;) {
    const next = [...countsIn(root, files)].find(([child, count]) => count >= (isSourceFolder(basename(child)) ? HALF : MAIN_SHARE) * files.length)?.[0];
    if (next === undefined || !files.some(file => childOf(next, file) !== undefined)) return root;
    root = next;
  }
}

/** The folder directly under `root` that a file lies in, however deep. */
function childOf(root: WorkspacePath, file: WorkspacePath): WorkspacePath | undefined {
  const prefix = root === '' ? '' : `${root}/`;
  if (!file.startsWith(prefix)) return undefined;
  const [first] = dirname(file).slice(prefix.length).split('/');
  return dirname(file) === root || first === undefined || first === '' ? undefined : prefix + first;
}

function isSourceFolder(name: string): boolean {
  return SOURCE_FOLDER.test(name) || LANGUAGES.some(({ id }) => id === name);
}
