import { basename, dirname, normalise, relativeTo, type WorkspacePath } from '../base/path';
import { err, ok, type Result } from '../base/result';
import type { GraphView, NodeHandle } from '../code/graph/graphView';
import { SEPARATOR, type StableId } from '../model/ids';
import type { SearchView } from '../search/searchView';
import type { Snapshot, Workspace } from '../workspace/snapshot';
import { type FeatureFailure, invalid, notFound, outside } from './failure';
import { byRank } from './rows';

export interface Target {
  readonly node: NodeHandle;
  /** Others that were meant as likely, at most five. */
  readonly candidates: readonly StableId[];
  /** The words named nothing exactly: this is the best search hit. */
  readonly guessed: boolean;
}

const MAX_CANDIDATES = 5;

/** A target taken apart without looking at the graph. */
interface Spelling {
  readonly text: string;
  /** File part as a workspace path, when there is one. */
  readonly path: WorkspacePath | undefined;
  /** Names after the file part, or of the whole text when there is none. */
  readonly names: readonly string[];
}

/** Workspace path of any spelling; `FORBIDDEN` when it leads out of the workspace. */
export function workspacePath(workspace: Pick<Workspace, 'root' | 'name'>, path: string): Result<WorkspacePath, FeatureFailure> {
  const isAbsolute = /^(?:[a-zA-Z]:)?[\\/]/.test(path);
  const onWindows = /^[a-zA-Z]:/.test(workspace.root);
  const inside = isAbsolute ? relativeTo(workspace.root, path, onWindows) : normalise(path);
  return inside === undefined ? err(outside(path, workspace.name)) : ok(inside);
}

/** File that a target certainly speaks of, before any look-up. */
export function pathOfTarget(workspace: Pick<Workspace, 'root' | 'name'>, target: string): WorkspacePath | undefined {
  const spelling = spell(workspace, target);
  return spelling.ok ? spelling.value.path : undefined;
}

/** Finds what is meant: id, path, `path#symbol`, `symbol::path::name`, `file::path`, name, a member that a type inherits, else the best search hit. */
export function resolveTarget(snapshot: Snapshot, workspace: Pick<Workspace, 'root' | 'name'>, target: string): Result<Target, FeatureFailure> {
  const spelling = spell(workspace, target);
  if (!spelling.ok) return spelling;
  const { graph } = snapshot;
  const { text, path, names } = spelling.value;
  const exact = graph.find(text);
  if (exact !== undefined) return ok(certain(exact));
  if (path !== undefined) {
    const named = inFile(graph, path, names);
    const owners = named.length > 0 || names.length < 2 ? [] : inFile(graph, path, names.slice(0, -1));
    const found = owners.length === 0 ? named : inheritedMembers(graph, owners, names[names.length - 1] ?? '');
    return found.length > 0
      ? ok(best(graph, found))
      : err(notFound(target, names.length > 0 ? snapshot.search.suggest(names[names.length - 1] ?? '', MAX_CANDIDATES) : pathsLike(snapshot.search, path)));
  }
  const found = byName(graph, names);
  if (found.length > 0) return ok(best(graph, found));
  const inherited = names.length < 2 ? [] : inheritedMembers(graph, byName(graph, names.slice(0, -1)), names[names.length - 1] ?? '');
  if (inherited.length > 0) return ok(best(graph, inherited));
  const hits = snapshot.search.search({ text, limit: MAX_CANDIDATES + 1, offset: 0 }).hits.map(hit => hit.id);
  const first = hits[0] === undefined ? undefined : graph.find(hits[0]);
  const suggestions = snapshot.search.suggest(text, MAX_CANDIDATES);
  if (first === undefined || !mayBeMeant(graph, first, text, suggestions)) return err(notFound(target, suggestions));
  return ok({ node: first, candidates: hits.slice(1), guessed: true });
}

/** Names looked through for files. */
const MOST_NAMES = 100;

/** Files called almost so, those of the same folder first. */
export function pathsLike(search: SearchView, path: WorkspacePath): readonly StableId[] {
  const files = search.suggest(basename(path), MOST_NAMES).filter(id => !id.includes(SEPARATOR));
  const isNear = (id: StableId): boolean => dirname(id) === dirname(path);
  return [...files.filter(isNear), ...files.filter(id => !isNear(id))].slice(0, MAX_CANDIDATES);
}

/** Words may mean any hit; one word without spaces is a name, and means only something called alike. */
function mayBeMeant(graph: GraphView, hit: NodeHandle, text: string, suggestions: readonly StableId[]): boolean {
  if (/\s/.test(text)) return true;
  const { id, name } = graph.node(hit);
  const asked = text.toLowerCase();
  const last = asked.split(/::|\.|#/).pop() ?? asked;
  const known = name.toLowerCase();
  return suggestions.includes(id) || (known.length > 2 && asked.includes(known)) || (last.length > 2 && known.includes(last));
}

function spell(workspace: Pick<Workspace, 'root' | 'name'>, target: string): Result<Spelling, FeatureFailure> {
  const text = target.trim().replace(/^(?:file|symbol)::/, '');
  if (text === '') return err(invalid('target', 'target is empty.', 'Give an id, a path, or a name.'));
  const [head, rest] = split(text);
  const looksLikePath = /[\\/]/.test(head) || (rest !== undefined && /\.\w+$/.test(head));
  if (!looksLikePath || /\s/.test(head)) return ok({ text, path: undefined, names: namesOf(text) });
  const path = workspacePath(workspace, head);
  if (!path.ok) return path;
  const names = rest === undefined ? [] : namesOf(rest);
  return ok({ text: [path.value, ...(rest === undefined ? [] : [rest])].join(SEPARATOR), path: path.value, names });
}

/** `path::rest` or `path#rest`; a `#` before a number is part of an id. */
function split(text: string): [string, string | undefined] {
  const at = text.indexOf(SEPARATOR);
  if (at >= 0) return [text.slice(0, at), text.slice(at + SEPARATOR.length)];
  const hash = /#(?!\d+$)/.exec(text);
  return hash === null ? [text, undefined] : [text.slice(0, hash.index), text.slice(hash.index + 1)];
}

function namesOf(text: string): string[] {
  return text.split(/::|\.|#(?!\d)/).filter(name => name !== '');
}

function inFile(graph: GraphView, path: WorkspacePath, names: readonly string[]): NodeHandle[] {
  const files = fileOrEnding(graph, path);
  if (names.length === 0) return files;
  const found = files.flatMap(file => graph.symbolsOf(file).filter(symbol => endsWith(graph, symbol, names)));
  const exact = found.filter(symbol => graph.idOf(symbol).endsWith(SEPARATOR + names.join(SEPARATOR)));
  return exact.length > 0 ? exact : found;
}

/** The file of that path, else files whose path ends so. */
function fileOrEnding(graph: GraphView, path: WorkspacePath): NodeHandle[] {
  const file = graph.fileOf(path);
  if (file !== undefined) return [file];
  return [...graph.files()].filter(candidate => graph.idOf(candidate).endsWith(`/${path}`));
}

function byName(graph: GraphView, names: readonly string[]): NodeHandle[] {
  const last = names[names.length - 1];
  if (last === undefined) return [];
  const files = graph.named(names.join('.')).filter(node => graph.node(node).nodeType !== 'symbol');
  return files.length > 0 ? files : graph.named(last).filter(node => endsWith(graph, node, names));
}

/** Members of that name which the types inherit, nearest ancestors first. */
function inheritedMembers(graph: GraphView, types: readonly NodeHandle[], name: string): NodeHandle[] {
  const seen = new Set(types);
  for (let ring: readonly NodeHandle[] = types; ring.length > 0; ) {
    const parents = ring
      .flatMap(type => graph.out(type).filter(edge => edge.relation === 'INHERITS' || edge.relation === 'IMPLEMENTS'))
      .map(edge => edge.target);
    ring = [...new Set(parents)].filter(parent => !seen.has(parent));
    for (const parent of ring) seen.add(parent);
    const found = ring.flatMap(parent => graph.childrenOf(parent)).filter(member => endsWith(graph, member, [name]));
    if (found.length > 0) return found;
  }
  return [];
}

/** Whether the containers of a symbol, innermost last, end with these names, as written or else in any case. */
function endsWith(graph: GraphView, symbol: NodeHandle, names: readonly string[]): boolean {
  let node: NodeHandle | undefined = symbol;
  for (let at = names.length - 1; at >= 0; at--) {
    if (node === undefined) return false;
    const segment = graph.idOf(node).split(SEPARATOR).pop() ?? '';
    const wanted = names[at]?.toLowerCase() ?? '';
    if (segment.toLowerCase() !== wanted && graph.node(node).name.toLowerCase() !== wanted) return false;
    node = graph.parentOf(node);
  }
  return true;
}

function certain(node: NodeHandle): Target {
  return { node, candidates: [], guessed: false };
}

function best(graph: GraphView, found: readonly NodeHandle[]): Target {
  if (found.length === 1) return certain(found[0] ?? 0);
  const [node = 0, ...others] = [...found].sort(byRank(graph));
  return { node, candidates: others.slice(0, MAX_CANDIDATES).map(other => graph.idOf(other)), guessed: false };
}
