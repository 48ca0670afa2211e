import { basename } from '../../base/path';
import { eachInSteps, type Steps } from '../../base/steps';
import { compareText } from '../../base/text';
import type { GraphNode, GraphView, NodeHandle } from '../../code/graph/graphView';
import { NO_NODE } from '../../model/ids';
import type { SymbolKind } from '../../model/nodes';

/** Which node of a newer view is which of an older one. */
export interface Pairing {
  readonly before: GraphView;
  readonly after: GraphView;
  /** By handle of the older view; absent for what is gone. */
  readonly successors: Partners;
  /** By handle of the newer view; absent for what is new. */
  readonly predecessors: Partners;
  /**
   * The nodes of each view of which something may differ, in the order of the view: all of a file count, its references among them. Every other node has itself
   * as its partner, with the same links, of which only the other end may differ.
   */
  readonly own: { readonly before: readonly NodeHandle[]; readonly after: readonly NodeHandle[] };
  /** Whether a node of the older view is in a file that reads the same in both, in the same place: its partner differs in nothing but its links. */
  isUntouched(old: NodeHandle): boolean;
}

/** Nodes of another view by those of one. */
export type Partners = Pick<ReadonlyMap<NodeHandle, NodeHandle>, 'get' | 'has'>;

/** Text of a symbol in one of the views; `undefined` where it cannot be read. */
export type ReadSymbol = (node: GraphNode) => Promise<string | undefined>;

/** Share of the symbols of a file that another must hold unchanged to be the same file under a new name. */
const SAME_FILE_SHARE = 0.5;
/** Symbols whose texts are compared to find renamed ones. */
const MAX_COMPARED = 400;
/** A shorter text is like many others. */
const MIN_TEXT_LENGTH = 24;
/** Values have too little text of their own to tell one from another. */
const RENAMED_KINDS: ReadonlySet<SymbolKind | undefined> = new Set<SymbolKind>([
  'function',
  'method',
  'constructor',
  'class',
  'interface',
  'struct',
  'trait',
  'enum',
  'type',
]);

/**
 * Pairs the nodes of two views: by id; symbols of one name in one place by their text, then by their signature, for their numbers shift; files with the same content
 * or most of the same symbols; symbols with the same text elsewhere.
 */
export function* pairNodes(before: GraphView, after: GraphView): Steps<Pairing> {
  const pairs = new Pairs(before, after);
  const numbered: NodeHandle[] = [];
  yield* eachInSteps(pairs.own.before, node => {
    const same = after.find(before.idOf(node));
    if (same === undefined || pairs.isUntouched(node) || !isNumbered(before, after, node, same)) {
      if (same !== undefined) pairs.add(node, same);
    } else numbered.push(node);
  });
  pairNumbered(pairs, unitOf);
  pairNumbered(pairs, signedUnit);
  for (const node of numbered) {
    const same = after.find(before.idOf(node));
    if (same !== undefined) pairs.add(node, same);
  }
  yield undefined;
  pairFiles(pairs);
  yield undefined;
  pairMoved(pairs);
  return pairs;
}

const NUMBER = /#\d+(?=::|$)/;
const NUMBERS = /#\d+(?=::|$)/g;

/** Several symbols have its name in its place, or that of a symbol around it, and it reads otherwise: its number may be that of another one now. */
function isNumbered(before: GraphView, after: GraphView, node: NodeHandle, same: NodeHandle): boolean {
  const id = before.idOf(node);
  if (!id.includes('::') || before.node(node).contentHash === after.node(same).contentHash) return false;
  return NUMBER.test(id) || before.find(`${id}#2`) !== undefined || after.find(`${id}#2`) !== undefined;
}

/** In the order in which they stand, those that are the same by `unit`: that read the same, or are declared the same. */
function pairNumbered(pairs: Pairs, unit: (view: GraphView, node: NodeHandle) => string): void {
  const keyOf = (view: GraphView, node: NodeHandle): string => `${view.idOf(node).replaceAll(NUMBERS, '')} ${unit(view, node)}`;
  const waiting = new Map<string, NodeHandle[]>();
  for (const node of pairs.unpaired('after')) {
    const key = keyOf(pairs.after, node);
    const list = waiting.get(key);
    if (list === undefined) waiting.set(key, [node]);
    else list.push(node);
  }
  const found: Pair[] = [];
  for (const node of pairs.unpaired('before')) {
    const next = waiting.get(keyOf(pairs.before, node))?.shift();
    if (next !== undefined) found.push([node, next]);
  }
  pairs.addAll(found);
}

/** Adds symbols that read the same but for their name, in the same place. */
export async function pairRenamed(pairing: Pairing, readBefore: ReadSymbol, readAfter: ReadSymbol): Promise<void> {
  const pairs = pairing as Pairs;
  const named = (side: 'before' | 'after'): NodeHandle[] => pairs.unpaired(side).filter(node => RENAMED_KINDS.has(pairs[side].node(node).kind));
  const placeOfOld = (node: NodeHandle): NodeHandle | undefined => pairs.successors.get(holderOf(pairs.before, node) ?? NO_NODE);
  const placeOfFresh = (node: NodeHandle): NodeHandle | undefined => holderOf(pairs.after, node);
  const [allGone, allFresh] = [named('before'), named('after')];
  const places = new Set(allGone.map(placeOfOld));
  const fresh = allFresh.filter(node => places.has(placeOfFresh(node)));
  const sharedPlaces = new Set(fresh.map(placeOfFresh));
  const gone = allGone.filter(node => sharedPlaces.has(placeOfOld(node)));
  if (fresh.length === 0 || gone.length + fresh.length > MAX_COMPARED) return;
  const keysOf = async (view: GraphView, nodes: readonly NodeHandle[], placeOf: typeof placeOfOld, read: ReadSymbol): Promise<Map<NodeHandle, string>> => {
    const keys = new Map<NodeHandle, string>();
    for (const node of nodes) {
      const { kind, name } = view.node(node);
      const text = await read(view.node(node));
      if (text !== undefined && text.length >= MIN_TEXT_LENGTH) keys.set(node, `${placeOf(node)} ${kind} ${nameless(text, name)}`);
    }
    return keys;
  };
  const before = await keysOf(pairs.before, gone, placeOfOld, readBefore);
  const after = await keysOf(pairs.after, fresh, placeOfFresh, readAfter);
  pairs.addUnique(
    [...before.keys()],
    [...after.keys()],
    node => before.get(node),
    node => after.get(node),
  );
}

function holderOf(view: GraphView, node: NodeHandle): NodeHandle | undefined {
  return view.parentOf(node) ?? view.fileNodeOf(node);
}

function nameless(text: string, name: string): string {
  return text.split(name).join('\u0000').replaceAll(/\s+/g, ' ');
}

type Pair = readonly [old: NodeHandle, fresh: NodeHandle];

class Pairs implements Pairing {
  readonly successors: PartnerMap;
  readonly predecessors: PartnerMap;
  readonly own: Pairing['own'];
  readonly #shared: SharedFiles;
  readonly #untouched: ReadonlySet<NodeHandle>;

  constructor(
    readonly before: GraphView,
    readonly after: GraphView,
  ) {
    this.#shared = new SharedFiles(before, after);
    this.successors = new PartnerMap(node => this.#shared.has(before, node));
    this.predecessors = new PartnerMap(node => this.#shared.has(after, node));
    this.own = { before: this.#shared.otherNodes(before), after: this.#shared.otherNodes(after) };
    this.#untouched = untouchedFiles(before, after, this.own.before);
  }

  isUntouched(old: NodeHandle): boolean {
    const file = this.before.fileNodeOf(old);
    return file !== undefined && (this.#untouched.has(file) || this.#shared.has(this.before, file));
  }

  add(old: NodeHandle, fresh: NodeHandle): void {
    if (this.successors.has(old) || this.predecessors.has(fresh)) return;
    this.successors.add(old, fresh);
    this.predecessors.add(fresh, old);
    this.#addChildren(old, fresh);
  }

  /** Nodes of the code without a partner, externals left out. */
  unpaired(side: 'before' | 'after'): NodeHandle[] {
    const [view, known] = side === 'before' ? [this.before, this.successors] : [this.after, this.predecessors];
    return this.own[side].filter(node => !known.has(node) && view.fileNodeOf(node) !== undefined);
  }

  /** Pairs what has the same key, where nothing else on either side has it. */
  addUnique(
    old: readonly NodeHandle[],
    fresh: readonly NodeHandle[],
    keyOfOld: (node: NodeHandle) => string | undefined,
    keyOfFresh: (node: NodeHandle) => string | undefined,
  ): void {
    const [olds, news] = [only(old, keyOfOld), only(fresh, keyOfFresh)];
    const found: Pair[] = [];
    for (const [key, node] of olds) {
      const other = news.get(key);
      if (node !== undefined && other !== undefined) found.push([node, other]);
    }
    this.addAll(found);
  }

  /** In an order that is the same from either side, outer ones first: members become partners with what holds them, so that the order counts. */
  addAll(found: readonly Pair[]): void {
    const ordered = found.map(pair => ({ pair, place: this.#placeOf(pair) }));
    for (const { pair } of ordered.sort((a, b) => a.place.depth - b.place.depth || compareText(a.place.ids, b.place.ids))) this.add(...pair);
  }

  #placeOf([old, fresh]: Pair): { readonly depth: number; readonly ids: string } {
    const ids = [this.before.idOf(old), this.after.idOf(fresh)];
    return { depth: Math.min(...ids.map(id => id.split('::').length)), ids: ids.sort(compareText).join('\n') };
  }

  /** Members keep their names when what holds them moves. */
  #addChildren(old: NodeHandle, fresh: NodeHandle): void {
    if (this.before.idOf(old) === this.after.idOf(fresh)) return;
    this.addUnique(
      this.before.childrenOf(old),
      this.after.childrenOf(fresh),
      child => memberOf(this.before, child, old),
      child => memberOf(this.after, child, fresh),
    );
  }
}

/** Partners of the nodes of one view: itself for what is the same in both. */
class PartnerMap implements Partners {
  readonly #others = new Map<NodeHandle, NodeHandle>();

  constructor(private readonly isSame: (node: NodeHandle) => boolean) {}

  get(node: NodeHandle): NodeHandle | undefined {
    return this.#others.get(node) ?? (this.isSame(node) ? node : undefined);
  }

  has(node: NodeHandle): boolean {
    return this.#others.has(node) || this.isSame(node);
  }

  add(node: NodeHandle, partner: NodeHandle): void {
    this.#others.set(node, partner);
  }
}

/** Files that are one and the same in two views of one graph, with their nodes. */
class SharedFiles {
  /** 1 for files, by handle. */
  readonly #files: Uint8Array;
  readonly #areAny: boolean;

  constructor(
    private readonly before: GraphView,
    private readonly after: GraphView,
  ) {
    this.#files = new Uint8Array(before.adjacency.size);
    for (const file of before.files()) if (before.fileStateOf(file) === after.fileStateOf(file)) this.#files[file] = 1;
    this.#areAny = this.#files.includes(1);
  }

  /** Whether a node of one of the views is the same in both. Externals are where handles are. */
  has(view: GraphView, node: NodeHandle): boolean {
    const file = view.fileNodeOf(node);
    if (file !== undefined) return this.#files[file] === 1;
    return this.#areAny && this.before.adjacency.live[node] === 1 && this.after.adjacency.live[node] === 1;
  }

  /** All other nodes of one of the views, in its order. */
  otherNodes(view: GraphView): readonly NodeHandle[] {
    if (!this.#areAny) return [...view.nodes()];
    return [...view.files()].flatMap(file => (this.#files[file] === 1 ? [] : [file, ...view.symbolsOf(file)]));
  }
}

function untouchedFiles(before: GraphView, after: GraphView, nodes: readonly NodeHandle[]): ReadonlySet<NodeHandle> {
  const files = new Set<NodeHandle>();
  for (const file of nodes) {
    if (before.fileNodeOf(file) !== file) continue;
    const same = after.fileOf(before.idOf(file));
    const { contentHash } = before.node(file);
    if (same !== undefined && contentHash !== '' && contentHash === after.node(same).contentHash) files.add(file);
  }
  return files;
}

/** What a member is called in its holder, with the names between them that are no nodes. */
function memberOf(view: GraphView, member: NodeHandle, holder: NodeHandle): string {
  const [{ id, kind }, within] = [view.node(member), `${view.idOf(holder)}::`];
  return `${kind} ${id.startsWith(within) ? id.slice(within.length) : id.slice(id.lastIndexOf('::') + 2)}`;
}

/** Nodes by key; `undefined` for a key that several have. */
function only(nodes: readonly NodeHandle[], keyOf: (node: NodeHandle) => string | undefined): Map<string, NodeHandle | undefined> {
  const found = new Map<string, NodeHandle | undefined>();
  for (const node of nodes) {
    const key = keyOf(node);
    if (key !== undefined) found.set(key, found.has(key) ? undefined : node);
  }
  return found;
}

function pairFiles(pairs: Pairs): void {
  const files = (side: 'before' | 'after'): NodeHandle[] => pairs.unpaired(side).filter(node => pairs[side].fileNodeOf(node) === node);
  const hash = (view: GraphView) => (node: NodeHandle) => view.node(node).contentHash || undefined;
  const [gone, fresh] = [files('before'), files('after')];
  // Of several files with the same content (empty ones) the one with the same name is meant.
  const named = (view: GraphView) => (node: NodeHandle) => `${basename(view.idOf(node))} ${view.node(node).contentHash}`;
  pairs.addUnique(gone, fresh, named(pairs.before), named(pairs.after));
  pairs.addUnique(gone, fresh, hash(pairs.before), hash(pairs.after));
  const [old, next] = [gone.filter(file => !pairs.successors.has(file)), fresh.filter(file => !pairs.predecessors.has(file))];
  const [olds, news] = [holdersOf(pairs.before, old), holdersOf(pairs.after, next)];
  const shares = new Map<string, { readonly from: NodeHandle; readonly to: NodeHandle; count: number }>();
  for (const [unit, from] of olds) {
    const to = news.get(unit);
    if (from === undefined || to === undefined) continue;
    const share = shares.get(`${from} ${to}`);
    if (share === undefined) shares.set(`${from} ${to}`, { from, to, count: 1 });
    else share.count++;
  }
  const alike = [...shares.values()].filter(({ count, from, to }) => {
    const most = Math.max(pairs.before.symbolsOf(from).length, pairs.after.symbolsOf(to).length);
    return count >= most * SAME_FILE_SHARE;
  });
  for (const count of new Set(alike.map(share => share.count).sort((a, b) => b - a))) {
    pairs.addAll(alike.filter(share => share.count === count).map(({ from, to }): Pair => [from, to]));
  }
}

/** The file that holds a symbol; `undefined` for one that several hold. */
function holdersOf(view: GraphView, files: readonly NodeHandle[]): Map<string, NodeHandle | undefined> {
  const holders = new Map<string, NodeHandle | undefined>();
  for (const file of files) {
    for (const symbol of view.symbolsOf(file)) {
      const unit = unitOf(view, symbol);
      holders.set(unit, holders.has(unit) && holders.get(unit) !== file ? undefined : file);
    }
  }
  return holders;
}

/** Its kind and how it is declared. */
function signedUnit(view: GraphView, node: NodeHandle): string {
  const { kind, signature } = view.node(node);
  return `${kind} ${signature.replaceAll(/\s+/g, ' ')}`;
}

/** What a symbol is, wherever it stands: kind, name and text. */
function unitOf(view: GraphView, node: NodeHandle): string {
  const { contentHash, kind, name } = view.node(node);
  return `${kind} ${name} ${contentHash}`;
}

function pairMoved(pairs: Pairs): void {
  const symbols = (side: 'before' | 'after'): NodeHandle[] => pairs.unpaired(side).filter(node => pairs[side].fileNodeOf(node) !== node);
  pairs.addUnique(
    symbols('before'),
    symbols('after'),
    node => unitOf(pairs.before, node),
    node => unitOf(pairs.after, node),
  );
}
