import type { CancellationToken } from '../../base/cancellation';
import { foldersAbove, type WorkspacePath } from '../../base/path';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { NO_NODE } from '../../model/ids';
import { languageRow } from '../../model/languages';
import { KIND_GROUPS } from '../../model/nodes';
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
   * `'quoted'` takes `'name'` for a mention, too.
   */
  async of(
    changed: readonly NodeHandle[],
    token: CancellationToken,
    how: 'plain' | 'quoted' = 'plain',
  ): Promise<ReadonlyMap<NodeHandle, readonly NodeHandle[]>> {
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
    const mention = new RegExp(how === 'plain' ? `(?:\\.|->|::)\\s*(${names})(?![\\w$])` : `(?:\\.\\s*|['"\`])(${names})(?![\\w$])`, 'g');
    for await (const [path, text] of this.texts.of(this.#filesNear(wanted), token)) noteIn(graph, graph.fileOf(path) ?? NO_NODE, text, mention, byName, found);
    return new Map([...found].map(([node, users]) => [node, [...users]]));
  }

  #filesNear(nodes: readonly NodeHandle[]): WorkspacePath[] {
    const { graph } = this;
    const homes = [...new Set(nodes.map(node => graph.fileNodeOf(node) ?? node))];
    const families = new Set(homes.map(home => familyOf(graph, home)));
    const paths = [...graph.files()].filter(file => families.has(familyOf(graph, file))).map(file => graph.idOf(file));
    if (paths.length <= MAX_FILES) return paths;
    const around = new Set(homes.flatMap(home => foldersAbove(graph.idOf(home))));
    // How many folders a file and one of the changed files lie in together.
    const nearness = new Map(paths.map(path => [path, foldersAbove(path).filter(folder => around.has(folder)).length]));
    return paths.sort((a, b) => (nearness.get(b) ?? 0) - (nearness.get(a) ?? 0)).slice(0, MAX_FILES);
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
  let line = 1;
  let start = 0;
  for (const match of text.matchAll(mention)) {
    for (let end = text.indexOf('\n', start); end >= 0 && end < match.index; end = text.indexOf('\n', start)) {
      line++;
      start = end + 1;
    }
    const user = graph.symbolAt(graph.idOf(file), line, match.index - start) ?? file;
    for (const node of byName.get(match[1] ?? '') ?? []) {
      if (user === node || isInside(graph, user, node)) continue;
      const users = found.get(node) ?? new Set();
      users.add(user);
      found.set(node, users);
    }
  }
}

function isInside(graph: GraphView, node: NodeHandle, outer: NodeHandle): boolean {
  for (let at = graph.parentOf(node); at !== undefined && graph.fileNodeOf(at) !== at; at = graph.parentOf(at)) if (at === outer) return true;
  return false;
}

/** `send` of `res.send`. */
function lastName(name: string): string {
  return /[\w$]+$/.exec(name)?.[0] ?? '';
}

function escaped(name: string): string {
  return name.replace(/[$]/g, '\\$&');
}

function familyOf(graph: GraphView, file: NodeHandle): string {
  const { language } = graph.node(file);
  return language === undefined ? '' : languageRow(language).family;
}
