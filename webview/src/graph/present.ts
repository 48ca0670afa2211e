import type { SceneDto, SceneEdgeDto, SceneNodeDto } from '../../../server/protocol/features';
import { COMPARED } from '../../../server/protocol/graphView';
import { shownText } from '../../../server/protocol/shownText';
import { lettersOf, sharesWithGroups } from './areas';
import { certaintyClasses } from './certainty';
import { type Drawing, type DrawnEdge, type DrawnNode, looks, sizeOf, titleWidth } from './drawing';
import type { LayoutMemory, LayoutRequest, LayoutResult } from './layout/layoutTypes';

export interface HiddenNodes {
  readonly hidden: readonly string[];
  /** Groups that are shown as one node though the scene opens them. */
  readonly collapsed: readonly string[];
}

/** A scene without what the reader has hidden, and with closed groups as single nodes. */
export function visibleScene(scene: SceneDto, { hidden, collapsed }: HiddenNodes): SceneDto {
  const gone = new Set(hidden);
  const closed = new Set(collapsed.filter(id => scene.groups.some(group => group.id === id)));
  if (gone.size === 0 && closed.size === 0) return scene;
  const holder = new Map<string, string>();
  const closedAround = (parent: string | undefined): string | undefined => {
    let found: string | undefined;
    for (let at = parent; at !== undefined; at = scene.groups.find(group => group.id === at)?.parent) if (closed.has(at)) found = at;
    return found;
  };
  const inside = new Map<string, SceneNodeDto[]>();
  const nodes: SceneNodeDto[] = [];
  for (const node of scene.nodes) {
    if (gone.has(node.id)) continue;
    const open = placesOf([node]).filter(place => closedAround(place.parent) === undefined);
    const [first] = open;
    // What is left of two places is its only one.
    if (first !== undefined) nodes.push(open.length > 1 || node.again === undefined ? node : first);
    for (const place of placesOf([node])) {
      const group = closedAround(place.parent);
      if (group === undefined) continue;
      if (first === undefined && !holder.has(node.id)) holder.set(node.id, group);
      inside.set(group, [...(inside.get(group) ?? []), place]);
    }
  }
  for (const [id, members] of inside) nodes.push(groupNode(scene, id, members));
  const shown = new Set(nodes.map(node => node.id));
  const groups = scene.groups.filter(group => closedAround(group.id) === undefined);
  return { ...scene, nodes, edges: mergedEdges(scene.edges, holder, shown), groups, ...knownOf(scene, inside) };
}

/** Nodes as often as they stand in a picture, each of its second places after its first. */
export function placesOf(nodes: readonly SceneNodeDto[]): readonly SceneNodeDto[] {
  return nodes.flatMap(({ again, ...first }) => (again === undefined ? [first] : [first, { ...first, ...again }]));
}

/** What is known of the members of closed groups is known of the groups. */
function knownOf({ areas, atom }: SceneDto, members: ReadonlyMap<string, readonly SceneNodeDto[]>): Pick<SceneDto, 'areas' | 'atom'> {
  const covered = new Set(atom?.nodes);
  const groups = [...members].filter(([, nodes]) => nodes.some(node => covered.has(node.id))).map(([id]) => id);
  return {
    ...(areas === undefined ? {} : { areas: sharesWithGroups(areas, members) }),
    ...(atom === undefined ? {} : { atom: { ...atom, nodes: [...atom.nodes, ...groups] } }),
  };
}

function groupNode(scene: SceneDto, id: string, members: readonly SceneNodeDto[]): SceneNodeDto {
  const group = scene.groups.find(known => known.id === id);
  const [nearest] = members.toSorted((a, b) => Math.abs(a.column) - Math.abs(b.column));
  return {
    id,
    label: group?.label ?? id,
    kind: group?.kind ?? 'folder',
    role: members.some(member => member.role === 'start') ? 'start' : 'box',
    path: '',
    line: 0,
    language: '',
    isTest: members.every(member => member.isTest),
    column: nearest?.column ?? 0,
    lane: 'main',
    confidence: Math.max(...members.map(member => member.confidence)),
    weight: 0,
    signature: '',
    summary: '',
    size: members.length,
    reach: [],
    ...(group?.parent === undefined ? {} : { parent: group.parent }),
  };
}

function mergedEdges(edges: readonly SceneEdgeDto[], holder: ReadonlyMap<string, string>, shown: ReadonlySet<string>): SceneEdgeDto[] {
  const merged = new Map<string, SceneEdgeDto>();
  for (const edge of edges) {
    const source = holder.get(edge.source) ?? edge.source;
    const target = holder.get(edge.target) ?? edge.target;
    if (source === target || !shown.has(source) || !shown.has(target)) continue;
    const key = `${source}→${target}`;
    const known = merged.get(key);
    merged.set(key, {
      source,
      target,
      links: known?.links ?? edge.links,
      count: (known?.count ?? 0) + edge.count,
      confidence: Math.max(known?.confidence ?? 0, edge.confidence),
    });
  }
  return [...merged.values()];
}

/** Before the name of what an agent is working on, as the Explorer marks its file. */
export const CLAIM_SIGN = '●';

/** Who is working on a node, a line each. */
export function claimWords({ claimed = [] }: SceneNodeDto): string[] {
  return claimed.map(text => `Claimed by ${shownText(text)}`);
}

/** Hidden neighbors, and the number of nodes a box stands for, as the reader sees them. */
export function textOf(node: SceneNodeDto): string {
  if (node.role === 'bundle') return shownText(node.label);
  const label = `${node.claimed === undefined ? '' : `${CLAIM_SIGN} `}${shownText(node.label)}`;
  if (node.role === 'box' || (node.size > 1 && node.kind !== 'file')) return `${label}\n${sizeText(node)}`;
  const left = missing(node, 'in');
  const right = missing(node, 'out');
  return `${left > 0 ? `‹${left} ` : ''}${label}${right > 0 ? ` ${right}›` : ''}`;
}

/** What became of a node, as its text begins: colors and borders say the same. */
export function signOf({ breaking, change }: Pick<SceneNodeDto, 'breaking' | 'change'>): string {
  if (change === undefined) return '';
  return `${breaking === true ? '!' : ''}${change === 'added' ? '+' : change === 'removed' ? '−' : '~'}`;
}

function sizeText({ kind, size }: SceneNodeDto): string {
  const noun = kind === 'folder' || kind === 'package' ? 'file' : 'member';
  return `${size} ${noun}${size === 1 ? '' : 's'}`;
}

/** Neighbors of one side that are not shown. One that is linked in two ways counts once at least, twice at most. */
export function missing(node: SceneNodeDto, side: 'in' | 'out'): number {
  return Math.max(0, ...node.reach.filter(row => row.side === side).map(row => row.total - row.shown));
}

export function layoutRequest(scene: SceneDto, ratio: number, memory: LayoutMemory | undefined): LayoutRequest {
  return {
    ratio,
    nodes: scene.nodes.map(node => ({
      id: node.id,
      ...boxOf(node),
      ...(node.parent === undefined ? {} : { parent: node.parent }),
    })),
    groups: scene.groups.map(({ id, label, parent }) => ({ id, title: titleWidth(label), ...(parent === undefined ? {} : { parent }) })),
    edges: scene.edges.map(({ source, target }) => ({ source, target })),
    ...(memory === undefined ? {} : { memory }),
  };
}

export function drawingOf(scene: SceneDto, arrangement: LayoutResult): Drawing {
  return {
    nodes: scene.nodes.map(node => ({ ...drawnNode(node, arrangement), ...areaOf(scene, node) })),
    edges: archedEdges(scene),
    frames: scene.groups.flatMap(({ id, label, kind, size }) => {
      const rect = arrangement.frames[id];
      return rect === undefined ? [] : [{ id, label: shownText(label), kind, rect, size }];
    }),
  };
}

function areaOf({ areas }: SceneDto, { id, role }: SceneNodeDto): Pick<DrawnNode, 'area'> {
  if (areas === undefined || role === 'bundle') return {};
  const share = areas.of[id];
  return { area: share === undefined ? { place: undefined, letters: '' } : { place: share.areas[0], letters: lettersOf(share) } };
}

function drawnNode(node: SceneNodeDto, arrangement: LayoutResult): DrawnNode {
  const certainty = node.role === 'step' ? certaintyClasses(node.confidence) : [];
  return {
    id: node.id,
    label: textOf(node),
    kind: node.kind,
    classes: [...looks(node), ...certainty],
    position: arrangement.positions[node.id] ?? { x: 0, y: 0 },
    weight: node.weight,
    ...boxOf(node),
  };
}

/** Classes of what became of a node. */
export function changeClasses({ breaking, change }: SceneNodeDto): string[] {
  if (change === undefined) return [];
  return [change === 'added' || change === 'removed' ? change : 'changed', ...(breaking === true ? ['breaking'] : [])];
}

/** What a view starts with is written in bold. */
function boxOf(node: SceneNodeDto): { readonly width: number; readonly height: number } {
  const { width, height } = sizeOf(textOf(node));
  return { width: node.role === 'start' ? Math.round(width * BOLD) : width, height };
}

const BOLD = 1.1;

/** Between boxes the lines that stand for most uses are in front; where there are many of them the others stay in the background. */
function archedEdges({ nodes, edges }: SceneDto): DrawnEdge[] {
  const inFront = nodes.length * IN_FRONT_PER_BOX;
  const heaviest = new Set(edges.length <= inFront ? edges : edges.toSorted((a, b) => b.count - a.count).slice(0, inFront));
  return edges.map(edge => lineOf(edge, ['arched', ...(heaviest.has(edge) ? [] : ['aside'])], Math.min(2.4, Math.log2(Math.max(1, edge.count)) * 0.3)));
}

const IN_FRONT_PER_BOX = 1.2;

function lineOf({ confidence, links, source, target }: SceneEdgeDto, classes: readonly string[], wider: number): DrawnEdge {
  return {
    id: `${source}→${target}`,
    source,
    target,
    classes: [...classes, ...certaintyClasses(confidence), ...(links.length === 0 ? ['to-bundle'] : [])],
    width: links.length === 0 ? 1.2 : 1.2 + wider,
  };
}

/** What stands in a column, for its title and for the list. */
export function columnName(column: number, isImpact: boolean, scene: Pick<SceneDto, 'nodes'>): string {
  if (scene.nodes.some(node => node.change !== undefined)) return COMPARED[column - 1] ?? '';
  if (column === 0) return isImpact ? 'Changed' : 'In focus';
  if (isImpact) return column === 1 ? 'Direct dependents' : `Distance ${column}`;
  const steps = Math.abs(column) === 1 ? '' : ` · ${Math.abs(column)} steps`;
  return column < 0 ? `Used by${steps}` : `Uses${steps}`;
}

/** From the start to a node, along the evidence; without evidence along the shown links. */
export function wayTo(scene: SceneDto, id: string): string[] {
  const byId = new Map(scene.nodes.map(node => [node.id, node]));
  const way = [id];
  for (let at = byId.get(id)?.via?.id; at !== undefined && !way.includes(at); at = byId.get(at)?.via?.id) way.push(at);
  return way.reverse();
}
