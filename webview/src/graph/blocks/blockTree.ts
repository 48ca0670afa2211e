/**
 * What an overview shows: blocks, and frames that hold others, with the links between those of one frame in one direction.
 * Plain data; knows nothing of places on the screen.
 */
import type { SceneDto, SceneEdgeDto, SceneGroupDto, SceneNodeDto } from '../../../../server/protocol/features';

export interface Block {
  readonly id: string;
  readonly node: SceneNodeDto | undefined;
  /** An opened group with what is in it. */
  readonly frame: { readonly group: SceneGroupDto; readonly level: Level } | undefined;
  /** Lines of code that it stands for. */
  readonly lines: number;
  readonly layer: number | undefined;
}

/** The blocks of one frame, or of the whole. */
export interface Level {
  readonly blocks: readonly Block[];
  readonly links: readonly BlockLink[];
}

/** Everything that leads from one block of a level, or what is in it, to another. */
export interface BlockLink {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  /** Uses, heaviest first. */
  readonly edges: readonly SceneEdgeDto[];
  readonly count: number;
  readonly confidence: number;
  /** Drawn always; the others when one of their ends is pointed at. */
  readonly isMain: boolean;
  /** It goes against the direction of the picture, and closes a cycle of imports that load each other. */
  readonly isCycle: boolean;
  /** Part of such a cycle. */
  readonly isInCycle: boolean;
  /** Uses that break an architecture rule. */
  readonly violations: number;
}

type Sum = Omit<BlockLink, 'isMain' | 'isCycle' | 'isInCycle'> & { readonly loads: number };

export function blockTree(scene: SceneDto): Level {
  const parentOf = new Map<string, string | undefined>([...scene.groups, ...scene.nodes].map(({ id, parent }) => [id, parent]));
  const chains = new Map<string, readonly string[]>();
  const chainOf = (id: string): readonly string[] => {
    let chain = chains.get(id);
    if (chain === undefined) {
      const parent = parentOf.get(id);
      chain = [...(parent === undefined || !parentOf.has(parent) ? [] : chainOf(parent)), id];
      chains.set(id, chain);
    }
    return chain;
  };
  const sums = new Map<string, Map<string, Sum>>();
  for (const edge of scene.edges) {
    const [from, to] = [chainOf(edge.source), chainOf(edge.target)];
    let at = 0;
    while (at < from.length && from[at] === to[at]) at++;
    const [source, target] = [from[at], to[at]];
    // Between a frame and something in it there is nothing to draw.
    if (source === undefined || target === undefined) continue;
    const level = sums.get(from[at - 1] ?? '') ?? new Map<string, Sum>();
    sums.set(from[at - 1] ?? '', level);
    const id = `${source}→${target}`;
    const known = level.get(id) ?? { id, source, target, edges: [], count: 0, confidence: 0, loads: 0, violations: 0 };
    level.set(id, {
      ...known,
      edges: [...known.edges, edge],
      count: known.count + edge.count,
      confidence: Math.max(known.confidence, edge.confidence),
      loads: known.loads + (edge.loads ?? 0),
      violations: known.violations + (edge.violations ?? 0),
    });
  }
  return levelOf(undefined, scene, sums);
}

function levelOf(parent: string | undefined, scene: SceneDto, sums: ReadonlyMap<string, ReadonlyMap<string, Sum>>): Level {
  const known = new Set(scene.groups.map(group => group.id));
  const isHere = (own: string | undefined): boolean => (own !== undefined && known.has(own) ? own : undefined) === parent;
  const frames = scene.groups
    .filter(group => isHere(group.parent))
    .map((group): Block => {
      const level = levelOf(group.id, scene, sums);
      const layers = new Set(level.blocks.map(block => block.layer));
      const lines = level.blocks.reduce((sum, block) => sum + block.lines, 0);
      return { id: group.id, node: undefined, frame: { group, level }, lines, layer: layers.size === 1 ? [...layers][0] : undefined };
    })
    .filter(({ frame }) => frame !== undefined && frame.level.blocks.length > 0);
  const nodes = scene.nodes
    .filter(node => isHere(node.parent))
    .map((node): Block => ({ id: node.id, node, frame: undefined, lines: node.lines ?? 0, layer: node.layer }));
  const blocks = [...frames, ...nodes];
  const here = new Set(blocks.map(block => block.id));
  const links = [...(sums.get(parent ?? '')?.values() ?? [])].filter(({ source, target }) => here.has(source) && here.has(target));
  return { blocks, links: directed(blocks, links) };
}

/** Links heaviest first, with what each means to the picture. */
function directed(blocks: readonly Block[], sums: readonly Sum[]): BlockLink[] {
  const placeOf = orderOf(blocks, sums);
  const groups = cycleGroups(
    blocks,
    sums.filter(link => link.loads > 0),
  );
  const isBack = ({ source, target }: Sum): boolean => (placeOf.get(source) ?? 0) > (placeOf.get(target) ?? 0);
  const sorted = sums.toSorted((a, b) => b.count - a.count || (a.id < b.id ? -1 : 1));
  const inCycle = ({ loads, source, target }: Sum): boolean => loads > 0 && groups.get(source) === groups.get(target);
  const main = mainOf(
    blocks.length,
    sorted.filter(link => !isBack(link)),
  );
  const breaking = new Set(sorted.filter(link => link.violations > 0).slice(0, MAX_VIOLATIONS));
  const red = new Set(sorted.filter(link => isBack(link) && inCycle(link)).slice(0, MAX_CYCLES));
  return sorted.map(({ loads: _loads, ...link }, place) => {
    const own = sorted[place];
    const isCycle = own !== undefined && red.has(own);
    return {
      ...link,
      isMain: isCycle || (own !== undefined && breaking.has(own)) || (own !== undefined && (main.has(own) || trafficOf(own) !== '')),
      isCycle,
      isInCycle: own !== undefined && inCycle(own),
    };
  });
}

/** Requests and events of a line between services in words; `''` for a line of code alone. */
export function trafficOf({ edges }: Pick<BlockLink, 'edges'>): string {
  const sum = (relation: string): number =>
    edges.reduce((total, edge) => total + edge.links.reduce((own, link) => own + (link.relation === relation ? link.count : 0), 0), 0);
  const parts = TRAFFIC.flatMap(([relation, noun]) => {
    const counted = sum(relation);
    return counted === 0 ? [] : [`${counted} ${noun}${counted === 1 ? '' : 's'}`];
  });
  return parts.length > 0 ? parts.join(', ') : sum('USES_STORE') > 0 ? 'store' : '';
}

const TRAFFIC = [
  ['SERVICE_CALLS', 'call'],
  ['PUBLISHES_EVENT', 'event'],
] as const;

/** Against the direction more lines than these are shown when their ends are pointed at only. */
const MAX_CYCLES = 12;
/** Lines that break rules: more are shown when their ends are pointed at only. */
const MAX_VIOLATIONS = 24;
/** Lines that are drawn always, on average per block. */
const PER_BLOCK = 1.4;

/** The heaviest links, without those that heavier ones imply: what uses the user of something needs no line to it. */
function mainOf(blocks: number, links: readonly Sum[]): ReadonlySet<Sum> {
  const kept = new Set<Sum>();
  const next = new Map<string, string[]>();
  const leads = (from: string, to: string): boolean => {
    const seen = new Set([from]);
    const open = [from];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (const other of next.get(at) ?? []) {
        if (other === to) return true;
        if (!seen.has(other)) {
          seen.add(other);
          open.push(other);
        }
      }
    }
    return false;
  };
  for (const link of links) {
    if (kept.size >= Math.max(6, blocks * PER_BLOCK)) break;
    if (leads(link.source, link.target)) continue;
    kept.add(link);
    next.set(link.source, [...(next.get(link.source) ?? []), link.target]);
  }
  return kept;
}

/**
 * A place for every block, users before what they use, so that little weight goes against it (the heuristic of Eades, Lin and Smyth 1993, by uses).
 * Blocks of earlier layers come before those of later ones.
 */
function orderOf(blocks: readonly Block[], links: readonly Sum[]): ReadonlyMap<string, number> {
  const left: string[] = [];
  const right: string[] = [];
  const rest = new Map(blocks.map(block => [block.id, block]));
  const balance = (id: string): { readonly out: number; readonly in: number } => {
    let [out, into] = [0, 0];
    for (const link of links) {
      if (link.source === id && rest.has(link.target)) out += link.count;
      if (link.target === id && rest.has(link.source)) into += link.count;
    }
    return { out, in: into };
  };
  while (rest.size > 0) {
    const figures = [...rest.keys()].map(id => ({ id, ...balance(id) }));
    const sinks = figures.filter(figure => figure.out === 0 && figure.in > 0);
    const sources = figures.filter(figure => figure.in === 0);
    const next =
      sinks.length > 0 ? sinks : sources.length > 0 ? sources : [figures.reduce((best, one) => (one.out - one.in > best.out - best.in ? one : best))];
    for (const { id } of next) {
      rest.delete(id);
      if (sinks.length > 0) right.unshift(id);
      else left.push(id);
    }
  }
  const layerOf = new Map(blocks.map(block => [block.id, block.layer ?? Number.POSITIVE_INFINITY]));
  const hasLayers = blocks.some(block => block.layer !== undefined);
  const ordered = [...left, ...right];
  if (hasLayers) ordered.sort((a, b) => compareLayers(layerOf.get(a) ?? 0, layerOf.get(b) ?? 0));
  return new Map(ordered.map((id, place) => [id, place]));
}

function compareLayers(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

/** A number for each block, the same for those that lead to each other. */
function cycleGroups(blocks: readonly Block[], links: readonly Pick<Sum, 'source' | 'target'>[]): ReadonlyMap<string, number> {
  const reach = new Map(blocks.map(({ id }) => [id, reached(id, links)]));
  const groups = new Map<string, number>();
  for (const [place, { id }] of blocks.entries()) {
    if (groups.has(id)) continue;
    groups.set(id, place);
    for (const other of reach.get(id) ?? []) if (reach.get(other)?.has(id) === true) groups.set(other, place);
  }
  return groups;
}

function reached(from: string, links: readonly Pick<Sum, 'source' | 'target'>[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const open = [from];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const { source, target } of links) {
      if (source !== at || seen.has(target)) continue;
      seen.add(target);
      open.push(target);
    }
  }
  return seen;
}
