import { basename, dirname, type WorkspacePath } from '../../base/path';
import { err, ok, type Result } from '../../base/result';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { headOf, NO_NODE, SEPARATOR, type StableId } from '../../model/ids';
import { kindOfPrefix, kindRow } from '../../model/kinds';
import { KIND_GROUPS } from '../../model/nodes';
import type { SearchView } from '../../search/searchView';
import { editDistance } from '../../search/suggestions';
import type { Snapshot, Workspace } from '../../workspace/snapshot';
import { type FeatureFailure, notFound } from './failure';
import { byRank } from './rows';
import { type Spelling, spell } from './spelling';

/** The node that a name or an id means. */
export interface Target {
  readonly node: NodeHandle;
  /** Others that were meant as likely, at most five. */
  readonly candidates: readonly StableId[];
  /** There is no exact match: this is the best search result. */
  readonly guessed: boolean;
}

const MAX_CANDIDATES = 5;

/** File that a target certainly speaks of, before any look-up. */
export function pathOfTarget(workspace: Pick<Workspace, 'root' | 'name'>, target: string): WorkspacePath | undefined {
  const spelling = spell(workspace, target);
  return spelling.ok ? spelling.value.path : undefined;
}

/** Whether an id is that of something above the code, by its prefix. */
function isAbove(id: StableId): boolean {
  const kind = id.includes(SEPARATOR) ? kindOfPrefix(headOf(id)) : undefined;
  return kind !== undefined && kindRow(kind).layer !== 'code';
}

/**
 * Finds what is meant: id, path, `path#symbol`, `path:line`, `path:line:column`, `symbol::path::name`, `file::path`, name, a name behind its package or namespace,
 * a member that a type inherits, the name of something above the code, otherwise the best search result.
 */
export function resolveTarget(snapshot: Snapshot, workspace: Pick<Workspace, 'root' | 'name'>, target: string): Result<Target, FeatureFailure> {
  const spelling = spell(workspace, target);
  if (!spelling.ok) return spelling;
  const { graph } = snapshot;
  const { text, path, names } = spelling.value;
  const exact = graph.find(text);
  if (exact !== undefined) return ok(certain(exact));
  if (isAbove(text)) return err(notFound(target, []));
  if (path !== undefined) return inPath(snapshot, target, path, spelling.value);
  const found = byName(graph, names);
  if (found.length > 0) return ok(best(graph, found));
  const above = [...graph.nodesAbove()].filter(node => graph.node(node).name.toLowerCase() === text.toLowerCase());
  if (above.length > 0) return ok(best(graph, above));
  const last = names[names.length - 1] ?? '';
  const owners = names.length < 2 ? [] : byName(graph, names.slice(0, -1));
  const inherited = inheritedMembers(graph, owners, last);
  if (inherited.length > 0) return ok(best(graph, inherited));
  const qualified = byQualifiedName(graph, names);
  if (qualified.length > 0) return ok(best(graph, qualified));
  return bestHit(snapshot, target, text, owners, last);
}

/** What a path, and names or a line behind it, mean. */
function inPath(snapshot: Snapshot, target: string, path: WorkspacePath, { names, line, column }: Spelling): Result<Target, FeatureFailure> {
  const { graph, search } = snapshot;
  const named = inFile(graph, path, names);
  const last = names[names.length - 1] ?? '';
  const owners = named.length > 0 || names.length < 2 ? [] : inFile(graph, path, names.slice(0, -1));
  const found = owners.length === 0 ? named : inheritedMembers(graph, owners, last);
  const file = line === undefined ? undefined : found[0];
  if (line !== undefined && file !== undefined) return ok(certain(symbolOfLine(graph, file, line) ?? nameAt(graph, file, line, column) ?? file));
  if (found.length > 0) return ok(best(graph, found));
  const qualified = target.includes('\\') ? byQualifiedName(graph, [...path.split('/'), ...names]) : [];
  if (qualified.length > 0) return ok(best(graph, qualified));
  return err(notFound(target, names.length > 0 ? namesLike(snapshot, last, path).slice(0, MAX_CANDIDATES) : pathsLike(search, path)));
}

/** Outside of every symbol, among imports say, a column tells the name that is meant. Columns as compilers and editors show them begin at 1. */
function nameAt(graph: GraphView, file: NodeHandle, line: number, column: number | undefined): NodeHandle | undefined {
  return column === undefined ? undefined : namedAt(graph, { path: graph.idOf(file), line, column: column - 1 });
}

/** The node whose name is written at a place (1-based line, 0-based column): what a use there most likely means, or the symbol declared there. */
export function namedAt(
  graph: GraphView,
  { path, line, column }: { readonly path: WorkspacePath; readonly line: number; readonly column: number },
): NodeHandle | undefined {
  // What a type implements or a method overrides without saying so has its place at their names.
  const declared = graph.symbolAt(path, line, column);
  if (declared !== undefined && DECLARED.has(graph.kindOf(declared)) && isNamedAt(graph, declared, line, column)) return declared;
  const used = graph.targetsAt(path, line, column)[0];
  if (used !== undefined) return used.target;
  for (let node = declared; node !== undefined; node = graph.parentOf(node)) {
    if (isNamedAt(graph, node, line, column)) return node;
  }
  return undefined;
}

const DECLARED: ReadonlySet<string> = new Set([...KIND_GROUPS.CLASS, ...KIND_GROUPS.FUNCTION]);

function isNamedAt(graph: GraphView, node: NodeHandle, line: number, column: number): boolean {
  const { name, nameColumn, nameLine, nodeType } = graph.node(node);
  return nodeType === 'symbol' && nameLine === line && column >= nameColumn && column <= nameColumn + name.length;
}

/** The innermost symbol around a line; of several that begin and end alike the first. */
function symbolOfLine(graph: GraphView, file: NodeHandle, line: number): NodeHandle | undefined {
  let found: NodeHandle | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const symbol of graph.symbolsOf(file)) {
    const { startLine, endLine } = graph.node(symbol);
    if (line < startLine || line > endLine || endLine - startLine >= fewest) continue;
    found = symbol;
    fewest = endLine - startLine;
  }
  return found;
}

/** What a slip of the finger meant, else what words find; of the member of a known type only what lies in that type. */
function bestHit(snapshot: Snapshot, target: string, text: string, owners: readonly NodeHandle[], last: string): Result<Target, FeatureFailure> {
  const { graph, search } = snapshot;
  const hits = search.search({ text, limit: MAX_CANDIDATES + 1, offset: 0 }).hits.map(hit => hit.id);
  if (owners.length > 0 && !/\s/.test(text)) {
    const within = owners.map(owner => graph.idOf(owner) + SEPARATOR);
    const isWithin = (id: StableId): boolean => within.some(start => id.startsWith(start));
    const members = [...new Set([...search.suggest(last, MAX_NAMES), ...search.search({ text, limit: MAX_NAMES, offset: 0 }).hits.map(hit => hit.id)])];
    return err(notFound(target, [...members.filter(isWithin), ...owners.map(owner => graph.idOf(owner))].slice(0, MAX_CANDIDATES)));
  }
  const alike = /\s/.test(text) ? [] : namesLike(snapshot, last);
  const [nearest, ...others] = alike;
  const meant = nearest === undefined ? undefined : graph.find(nearest);
  if (meant !== undefined && isSlip(last, graph.node(meant).name)) return ok({ node: meant, candidates: others.slice(0, MAX_CANDIDATES), guessed: true });
  const first = hits[0] === undefined ? undefined : graph.find(hits[0]);
  const suggestions = alike.length > 0 ? alike.slice(0, MAX_CANDIDATES) : search.suggest(text, MAX_CANDIDATES);
  if (first === undefined || !mayBeMeant(graph, first, text, suggestions)) return err(notFound(target, suggestions));
  return ok({ node: first, candidates: hits.slice(1), guessed: true });
}

/** Names looked through for files and members. */
const MAX_NAMES = 2000;

/** Nodes with a name like the given one: those of the file first, then by how like the name is, then those that are no tests, then the most central. */
function namesLike({ graph, search }: Snapshot, name: string, path?: WorkspacePath): readonly StableId[] {
  const places = new Map<string, number>();
  const rows = search.suggest(name, MAX_NAMES).flatMap(id => {
    const node = graph.find(id);
    if (node === undefined) return [];
    const row = graph.node(node);
    const key = row.name.toLowerCase();
    const place = places.get(key) ?? places.size;
    places.set(key, place);
    return [{ id, node, isElsewhere: Number(row.path !== path), place, isTest: Number(graph.isTest(node)) }];
  });
  const rank = byRank(graph);
  return rows.sort((a, b) => a.isElsewhere - b.isElsewhere || a.place - b.place || a.isTest - b.isTest || rank(a.node, b.node)).map(({ id }) => id);
}

/** One letter in four may be wrong, at least one. */
function isSlip(asked: string, name: string): boolean {
  const most = Math.max(1, Math.floor(asked.length / 4));
  return editDistance(asked.toLowerCase(), name.toLowerCase(), most) <= most;
}

/** Files called almost so, those of the same folder first. */
export function pathsLike(search: SearchView, path: WorkspacePath): readonly StableId[] {
  const files = search.suggest(basename(path), MAX_NAMES).filter(id => !id.includes(SEPARATOR));
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

/** Nodes that the names, outer ones first, name without a path: files, else symbols, else externals. */
export function byName(graph: GraphView, names: readonly string[]): NodeHandle[] {
  const last = names[names.length - 1];
  if (last === undefined) return [];
  const whole = graph.named(names.join('.'));
  const files = whole.filter(node => graph.node(node).nodeType === 'file');
  if (files.length > 0) return files;
  const symbols = graph.named(last).filter(node => graph.node(node).nodeType === 'symbol' && endsWith(graph, node, names));
  return symbols.length > 0 ? symbols : whole.filter(node => graph.node(node).nodeType === 'external');
}

/** Files that a folder or package goes by. */
const STANDS_FOR_FOLDER = /\/(?:__init__|index|mod)$/;

/** Symbols whose file lies where the first names say (`shop.cart.Cart.add`, `core.Record`), the longest agreement first; else files (`shop.cart`). */
function byQualifiedName(graph: GraphView, names: readonly string[]): NodeHandle[] {
  const wanted = names.map(name => name.toLowerCase());
  const last = names[names.length - 1];
  if (last === undefined || names.length < 2) return [];
  const placeOf = (path: WorkspacePath): string[] =>
    path
      .toLowerCase()
      .replace(/\.\w+$/, '')
      .replace(STANDS_FOR_FOLDER, '')
      .split('/');
  let most = 0;
  let found: NodeHandle[] = [];
  for (const symbol of graph.named(last)) {
    const { nodeType, path } = graph.node(symbol);
    const place = nodeType === 'symbol' ? placeOf(path) : [];
    for (let first = 1; first < names.length; first++) {
      const common = place.length === 0 || !endsWith(graph, symbol, names.slice(first)) ? 0 : agreement(place, wanted.slice(0, first));
      const agreed = common === 0 ? 0 : common + names.length - first;
      if (agreed > most) found = [];
      if (agreed >= Math.max(most, 2) && !found.includes(symbol)) found.push(symbol);
      most = Math.max(most, agreed);
    }
  }
  if (found.length > 0) return found;
  return [...graph.files()].filter(file => placeOf(graph.idOf(file)).slice(-names.length).join('/') === wanted.join('/'));
}

/** How many of the names, from the last on, follow each other in a path; folders may follow them. */
function agreement(place: readonly string[], names: readonly string[]): number {
  const end = place.lastIndexOf(names[names.length - 1] ?? '');
  let common = 0;
  while (common <= end && common < names.length && place[end - common] === names[names.length - 1 - common]) common++;
  return common;
}

/** Members of that name which the types inherit, nearest ancestors first. */
export function inheritedMembers(graph: GraphView, types: readonly NodeHandle[], name: string): NodeHandle[] {
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

/** Whether the id of a symbol ends with these names, as written or else in any case. Ids name the type of a member that is declared outside it, too. */
function endsWith(graph: GraphView, symbol: NodeHandle, names: readonly string[]): boolean {
  const segments = graph.idOf(symbol).split(SEPARATOR).slice(1);
  if (segments.length < names.length) return false;
  const isSo = (segment: string, wanted: string): boolean => segment === wanted || segment.replace(/#\d+$/, '') === wanted;
  const last = names[names.length - 1]?.toLowerCase() ?? '';
  if (!isSo(segments[segments.length - 1]?.toLowerCase() ?? '', last) && graph.node(symbol).name.toLowerCase() !== last) return false;
  const tail = segments.slice(-names.length, -1);
  return tail.every((segment, at) => isSo(segment.toLowerCase(), names[at]?.toLowerCase() ?? ''));
}

function certain(node: NodeHandle): Target {
  return { node, candidates: [], guessed: false };
}

function best(graph: GraphView, found: readonly NodeHandle[]): Target {
  if (found.length === 1) return certain(found[0] ?? NO_NODE);
  const [node = NO_NODE, ...others] = [...found].sort(byRank(graph));
  return { node, candidates: others.slice(0, MAX_CANDIDATES).map(other => graph.idOf(other)), guessed: false };
}
