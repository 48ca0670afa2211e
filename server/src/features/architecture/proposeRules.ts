import { basename, dirname, type WorkspacePath } from '../../base/path';
import { runAtOnce } from '../../base/steps';
import type { GraphView } from '../../code/graph/graphView';
import { LANGUAGES } from '../../model/languages';
import { linksAlong } from './codeMap';
import { DEFAULT_EDGES } from './rules';

/** A folder with fewer files is no layer. */
const FEWEST_FILES = 5;
/** Share of the files that a single folder must hold to be the source root. */
const MOST = 0.8;
/** Names of folders that hold sources, beside those of languages: for these half of the files is enough. */
const SOURCE_FOLDER = /^(?:src|lib|app|source|sources|server)$/;
const HALF = 0.5;

export interface ProposedLayer {
  readonly id: string;
  readonly folder: WorkspacePath;
  readonly files: number;
  readonly mayDependOn: readonly string[];
}

/** Layers as the folders suggest them: each with what most of its links to another layer lead to. */
export function proposeLayers(graph: GraphView): readonly ProposedLayer[] {
  const files = [...graph.files()].filter(file => !graph.isTest(file) && graph.node(file).language !== undefined).map(file => graph.idOf(file));
  const root = sourceRoot(files);
  const counts = new Map<WorkspacePath, number>();
  for (const file of files) {
    const folder = childOf(root, file);
    if (folder !== undefined) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const folders = [...counts]
    .filter(([, count]) => count >= FEWEST_FILES)
    .map(([folder]) => folder)
    .sort();
  const links = new Map<string, number>();
  for (const link of runAtOnce(linksAlong(graph, DEFAULT_EDGES))) {
    if (link.targetFile === undefined || graph.isTest(link.sourceFile)) continue;
    const from = childOf(root, graph.idOf(link.sourceFile));
    const to = childOf(root, graph.idOf(link.targetFile));
    if (from !== undefined && to !== undefined && from !== to) links.set(`${from} ${to}`, (links.get(`${from} ${to}`) ?? 0) + 1);
  }
  const count = (from: string, to: string): number => links.get(`${from} ${to}`) ?? 0;
  return folders.map(folder => ({
    id: basename(folder),
    folder,
    files: counts.get(folder) ?? 0,
    mayDependOn: folders.filter(other => other !== folder && count(folder, other) > 0 && count(folder, other) >= count(other, folder)).map(basename),
  }));
}

/** A rule file for these layers. */
export function rulesText(layers: readonly ProposedLayer[]): string {
  const list = (items: readonly string[]): string => `[${items.map(item => (/^[\w-]+$/.test(item) ? item : JSON.stringify(item))).join(', ')}]`;
  const rows = layers.map(
    ({ id, folder, mayDependOn }) => `  - {id: ${list([id]).slice(1, -1)}, include: ["${folder}/**"], mayDependOn: ${list(mayDependOn)}}`,
  );
  return [
    'version: 1',
    ...(rows.length === 0 ? [] : ['layers:', ...rows]),
    'rules:',
    '  - {id: acyclic, type: no-cycle, scope: file, edges: [IMPORTS]}',
    '',
  ].join('\n');
}

/** The deepest folder that still holds most files and more than one folder. */
function sourceRoot(files: readonly WorkspacePath[]): WorkspacePath {
  let root: WorkspacePath = '';
  for (;;) {
    const counts = new Map<WorkspacePath, number>();
    for (const file of files) {
      const child = childOf(root, file);
      if (child !== undefined) counts.set(child, (counts.get(child) ?? 0) + 1);
    }
    const next = [...counts].find(([child, count]) => count >= (isSourceFolder(basename(child)) ? HALF : MOST) * files.length)?.[0];
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
