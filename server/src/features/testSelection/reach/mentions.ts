import type { CancellationToken } from '../../../base/cancellation';
import { dirname, foldersAbove, type WorkspacePath } from '../../../base/path';
import type { GraphView, NodeHandle } from '../../../code/graph/graphView';
import { NO_NODE } from '../../../model/ids';
import { languageRow } from '../../../model/languages';
import { KIND_GROUPS } from '../../../model/nodes';
import type { ReadTexts } from './readTexts';

/** Files that are looked through, those in folders next to the change first; beyond that names lead nowhere. */
const MAX_FILES = 2000;

const MEMBERS: ReadonlySet<string> = new Set([...KIND_GROUPS.FUNCTION, 'property', 'field', 'variable', 'constant']);

/** Searches for mentions of names in the same files, again and again. */
export class Mentions {
  constructor(
    private readonly texts: ReadTexts,
    private readonly graph: GraphView,
  ) {}

  /**
   * Who may use code that no reference leads to: the innermost symbols around `.name`, or the files where there is none, in files of the same family of
   * languages. Receivers whose type is not known are the usual reason. By changed node; nodes that nobody mentions are left out.
   */
  async of(changed: readonly NodeHandle[], token: CancellationToken): Promise<ReadonlyMap<NodeHandle, readonly NodeHandle[]>> {
    const { graph } = this;
    const wanted = changed.filter(node => MEMBERS.has(graph.kindOf(node)));
    const byName = new Map<string, NodeHandle[]>();
    for (const node of wanted) {
      const name = lastName(graph.node(node).name);
      if (name !== '') byName.set(name, [...(byName.get(name) ?? []), node]);
    }
    const found = new Map<NodeHandle, Set<NodeHandle>>();
    if (byName.size === 0) return new Map();
    const names = [...byName.keys()].map(escaped).join('|');
    const mention = new RegExp(`(?:\\.|->|::)\\s*(${names})(?![\\w$])`, 'g');
    for await (const [path, text] of this.texts.of(filesNear(graph, wanted), token)) noteIn(graph, graph.fileOf(path) ?? NO_NODE, text, mention, byName, found);
    return new Map([...found].map(([node, users]) => [node, [...users]]));
  }
}

/** By graph, the files of each family of languages. */
const familiesOf = new WeakMap<GraphView, ReadonlyMap<string, readonly WorkspacePath[]>>();

/** Files that may mention nodes: those of their family of languages; of more than are looked through, the nearest. */
export function filesNear(graph: GraphView, nodes: readonly NodeHandle[]): readonly WorkspacePath[] {
  const homes = [...new Set(nodes.map(node => graph.fileNodeOf(node) ?? node))];
  const families = familiesOf.get(graph) ?? filesByFamily(graph);
  familiesOf.set(graph, families);
  const paths = [...new Set(homes.map(home => familyOf(graph, home)))].flatMap(family => families.get(family) ?? []);
  if (paths.length <= MAX_FILES) return paths;
  const around = new Set(homes.flatMap(home => foldersAbove(graph.idOf(home))));
  // By folder, how many folders around its files lie around a changed file too.
  const known = new Map<WorkspacePath, number>();
  const nearness = (folder: WorkspacePath): number => {
    let near = known.get(folder);
    if (near === undefined) known.set(folder, (near = Number(around.has(folder)) + (folder === '' ? 0 : nearness(dirname(folder)))));
    return near;
  };
  const ranked = paths.map(path => ({ path, near: nearness(dirname(path)) }));
  return ranked
    .sort((a, b) => b.near - a.near)
    .slice(0, MAX_FILES)
    .map(({ path }) => path);
}

function filesByFamily(graph: GraphView): ReadonlyMap<string, readonly WorkspacePath[]> {
  const found = new Map<string, WorkspacePath[]>();
  for (const file of graph.files()) {
    const own = familyOf(graph, file);
    const files = found.get(own);
    if (files === undefined) found.set(own, [graph.idOf(file)]);
    else files.push(graph.idOf(file));
  }
  return found;
}

/** The first groups of all matches of a pattern, with where the matches begin: lines are 1-based, columns 0-based. */
export function* namesIn(text: string, pattern: RegExp): Generator<{ readonly name: string; readonly line: number; readonly column: number }> {
  let line = 1;
  let start = 0;
  for (const match of text.matchAll(pattern)) {
    for (let end = text.indexOf('\n', start); end >= 0 && end < match.index; end = text.indexOf('\n', start)) {
      line++;
      start = end + 1;
    }
    yield { name: match[1] ?? '', line, column: match.index - start };
  }
}

function noteIn(
  graph: GraphView,
  file: NodeHandle,
  text: string,
  mention: RegExp,
  byName: ReadonlyMap<string, readonly NodeHandle[]>,
  found: Map<NodeHandle, Set<NodeHandle>>,
): void {
  for (const { column, line, name } of namesIn(text, mention)) {
    const user = graph.symbolAt(graph.idOf(file), line, column) ?? file;
    for (const node of byName.get(name) ?? []) {
      if (user === node || isInside(graph, user, node)) continue;
      const users = found.get(node) ?? new Set();
      users.add(user);
      found.set(node, users);
    }
  }
}

export function isInside(graph: GraphView, node: NodeHandle, outer: NodeHandle): boolean {
  for (let at = graph.parentOf(node); at !== undefined && graph.fileNodeOf(at) !== at; at = graph.parentOf(at)) if (at === outer) return true;
  return false;
}

/** `send` of `res.send`. */
export function lastName(name: string): string {
  return /[\w$]+$/.exec(name)?.[0] ?? '';
}

function escaped(name: string): string {
  return name.replace(/[$]/g, '\\$&');
}

function familyOf(graph: GraphView, file: NodeHandle): string {
  const { language } = graph.node(file);
  return language === undefined ? '' : languageRow(language).family;
}
