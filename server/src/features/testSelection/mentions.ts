import { type CancellationToken, throwIfCancelled } from '../../base/cancellation';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { NO_NODE } from '../../model/ids';
import { languageRow } from '../../model/languages';
import { KIND_GROUPS } from '../../model/nodes';
import type { Workspace } from '../../workspace/snapshot';

/** Files that are looked through; beyond that names lead nowhere. */
const MAX_FILES = 2000;
const AT_ONCE = 32;

const MEMBERS: ReadonlySet<string> = new Set([...KIND_GROUPS.FUNCTION, 'property', 'field', 'variable', 'constant']);

/** Characters of texts that are kept for the next search, all files together. */
const MAX_KEPT = 48_000_000;

/** Searches for mentions of names in the same files, again and again. */
export class Mentions {
  readonly #texts = new Map<NodeHandle, string | undefined>();
  #left = MAX_KEPT;

  constructor(
    private readonly workspace: Workspace,
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
    const mention = new RegExp(`(?:\\.|->|::)\\s*(${[...byName.keys()].map(escaped).join('|')})(?![\\w$])`, 'g');
    const families = new Set(wanted.map(node => familyOf(graph, graph.fileNodeOf(node) ?? node)));
    const files = [...graph.files()].filter(file => families.has(familyOf(graph, file))).slice(0, MAX_FILES);
    for (let at = 0; at < files.length; at += AT_ONCE) {
      throwIfCancelled(token);
      const some = files.slice(at, at + AT_ONCE);
      const texts = await Promise.all(some.map(file => this.#textOf(file)));
      for (const [row, text] of texts.entries()) if (text !== undefined) noteIn(graph, some[row] ?? NO_NODE, text, mention, byName, found);
    }
    return new Map([...found].map(([node, users]) => [node, [...users]]));
  }

  async #textOf(file: NodeHandle): Promise<string | undefined> {
    if (this.#texts.has(file)) return this.#texts.get(file);
    const read = await this.workspace.readText(this.graph.idOf(file));
    const text = read.ok ? read.value : undefined;
    this.#left -= text?.length ?? 0;
    if (this.#left >= 0) this.#texts.set(file, text);
    return text;
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
