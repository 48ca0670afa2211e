import type { ReportData, ReportNode } from '../../../server/protocol/features';
import { certaintyClasses, isPossible, POSSIBLE } from './certainty';
import { type Drawing, type DrawnEdge, type DrawnNode, looks, shortened, sizeOf } from './drawing';
import { type LayeredEdge, layered } from './layers';

/** Answers questions about the part of the graph that the page carries. */
export class GraphModel {
  readonly #out = new Map<number, number[]>();
  readonly #in = new Map<number, number[]>();
  readonly #byId = new Map<string, ReportNode>();

  constructor(readonly data: ReportData['graph']) {
    for (const node of data.nodes) this.#byId.set(node.id, node);
    for (const [index, edge] of data.edges.entries()) {
      push(this.#out, edge.source, index);
      push(this.#in, edge.target, index);
    }
  }

  node(id: string): ReportNode | undefined {
    return this.#byId.get(id);
  }

  /** Neighbors of a node (with its members) on one side, best confidence first, each with its relations. */
  around(id: string, side: 'in' | 'out'): readonly { readonly node: ReportNode; readonly relations: readonly string[]; readonly confidence: number }[] {
    const inside = new Set(this.#withMembers(id));
    const found = new Map<number, { readonly node: ReportNode; readonly relations: string[]; confidence: number }>();
    for (const index of inside) {
      for (const at of (side === 'in' ? this.#in : this.#out).get(index) ?? []) {
        const edge = this.data.edges[at];
        const other = edge === undefined ? undefined : side === 'in' ? edge.source : edge.target;
        const node = other === undefined ? undefined : this.data.nodes[other];
        if (edge === undefined || other === undefined || node === undefined || inside.has(other)) continue;
        const known = found.get(other);
        if (known === undefined) found.set(other, { node, relations: [edge.relation], confidence: edge.confidence });
        else {
          if (!known.relations.includes(edge.relation)) known.relations.push(edge.relation);
          known.confidence = Math.max(known.confidence, edge.confidence);
        }
      }
    }
    return [...found.values()].sort((a, b) => b.confidence - a.confidence || b.node.score - a.node.score || (a.node.id < b.node.id ? -1 : 1));
  }

  #withMembers(id: string): number[] {
    const members: number[] = [];
    for (const [index, node] of this.data.nodes.entries()) if (node.id === id || node.id.startsWith(`${id}::`)) members.push(index);
    return members;
  }

  /** Nodes whose name or path holds the text, exact names first. */
  search(text: string, limit: number): readonly ReportNode[] {
    const wanted = text.trim().toLowerCase();
    if (wanted === '') return [];
    const rankOf = (node: ReportNode): number => {
      const name = node.name.toLowerCase();
      if (name === wanted) return 0;
      if (name.startsWith(wanted)) return 1;
      return name.includes(wanted) ? 2 : node.id.toLowerCase().includes(wanted) ? 3 : 9;
    };
    return this.data.nodes
      .map(node => ({ node, rank: rankOf(node) }))
      .filter(row => row.rank < 9)
      .sort((a, b) => a.rank - b.rank || b.node.score - a.node.score)
      .slice(0, limit)
      .map(row => row.node);
  }
}

function push(map: Map<number, number[]>, key: number, value: number): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

const MAX_ON_A_SIDE = 14;
const COLUMN = 330;
const ROW = 46;

/** One symbol in the middle, who uses it on the left, what it uses on the right. */
export function focusScene(model: GraphModel, id: string): Drawing {
  const center = model.node(id);
  if (center === undefined) return { nodes: [], edges: [], frames: [], captions: [] };
  const nodes: DrawnNode[] = [drawn({ id, label: labelOf(center), kind: center.kind, role: 'start', isTest: center.isTest }, { x: 0, y: 0 })];
  const edges: DrawnEdge[] = [];
  for (const side of ['in', 'out'] as const) {
    const all = model.around(id, side).filter(row => !nodes.some(node => node.id === row.node.id));
    const shown = all.slice(0, MAX_ON_A_SIDE);
    const hidden = all.length - shown.length;
    const rows = shown.length + (hidden > 0 ? 1 : 0);
    const place = (row: number): { x: number; y: number } => ({ x: side === 'in' ? -COLUMN : COLUMN, y: (row - (rows - 1) / 2) * ROW });
    const join = (other: string, classes: readonly string[]): void => {
      const [source, target] = side === 'in' ? [other, id] : [id, other];
      edges.push({ id: `${source}→${target}`, source, target, classes: ['sideways', ...classes], width: 1.5 });
    };
    for (const [row, { node, confidence }] of shown.entries()) {
      nodes.push(drawn({ id: node.id, label: labelOf(node), kind: node.kind, role: 'step', isTest: node.isTest }, place(row)));
      join(node.id, certaintyClasses(confidence));
    }
    if (hidden > 0) {
      nodes.push(drawn({ id: `more:${side}`, label: `${hidden} more`, kind: 'bundle', role: 'bundle', isTest: false }, place(rows - 1)));
      join(`more:${side}`, ['to-bundle']);
    }
  }
  return { nodes, edges, frames: [], captions: [] };
}

function drawn(
  { label, ...node }: { readonly id: string; readonly label: string; readonly kind: string; readonly role: string; readonly isTest: boolean },
  position: { readonly x: number; readonly y: number },
): DrawnNode {
  const text = shortened(label);
  return { id: node.id, kind: node.kind, label: text, classes: looks(node), position, ...sizeOf(text) };
}

function labelOf(node: ReportNode): string {
  if (node.kind === 'file') return node.name;
  const segments = node.id.split('::').slice(1);
  return segments.slice(-2).join('.');
}

const MAX_GROUPS = 16;

/** Folders and what depends on what between them: the view to begin with. Small and deep folders are shown within their parents. */
export function overviewScene(model: GraphModel): Drawing {
  const groupOf = groupFolders(model.data.nodes.map(node => folderOf(node.file)));
  const group = (node: ReportNode | undefined): string => groupOf.get(folderOf(node?.file ?? '')) ?? '';
  const weight = new Map<string, number>();
  for (const node of model.data.nodes) weight.set(group(node), (weight.get(group(node)) ?? 0) + 1);
  const folders = [...weight].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([folder]) => folder);
  const pairs = new Map<string, LayeredEdge & { count: number; facts: number }>();
  for (const edge of model.data.edges) {
    const source = group(model.data.nodes[edge.source]);
    const target = group(model.data.nodes[edge.target]);
    if (source === target) continue;
    const key = `${source}→${target}`;
    const pair = pairs.get(key) ?? { source, target, count: 0, facts: 0 };
    pair.count++;
    if (!isPossible(edge.confidence)) pair.facts++;
    pairs.set(key, pair);
  }
  const edges = [...pairs.values()].sort((a, b) => b.count - a.count).slice(0, MAX_GROUPS * 3);
  const positions = layered(folders, edges, { rank: 84, sibling: 190 });
  const isTest = (folder: string): boolean => /(^|\/)(tests?|__tests__|spec)(\/|$)/.test(folder);
  return {
    nodes: folders.map(folder =>
      drawn(
        { id: `folder:${folder}`, label: folder === '' ? '(root)' : folder, kind: 'folder', role: 'box', isTest: isTest(folder) },
        positions.get(folder) ?? { x: 0, y: 0 },
      ),
    ),
    edges: edges.map(pair => ({
      id: `folder:${pair.source}→folder:${pair.target}`,
      source: `folder:${pair.source}`,
      target: `folder:${pair.target}`,
      classes: pair.facts === 0 ? [POSSIBLE] : [],
      width: 1 + Math.min(5, Math.log2(pair.count)),
    })),
    frames: [],
    captions: [],
  };
}

/** From folder to the group it is shown in: the lightest of the deepest folders join their parents until few are left. */
function groupFolders(folders: readonly string[]): ReadonlyMap<string, string> {
  const members = new Map<string, { folders: string[]; weight: number }>();
  for (const folder of folders) {
    const known = members.get(folder);
    if (known === undefined) members.set(folder, { folders: [folder], weight: 1 });
    else known.weight++;
  }
  const depth = (folder: string): number => (folder === '' ? 0 : folder.split('/').length);
  while (members.size > MAX_GROUPS) {
    const [folder, group] = [...members].sort((a, b) => depth(b[0]) - depth(a[0]) || a[1].weight - b[1].weight || (a[0] < b[0] ? -1 : 1))[0] ?? [];
    if (folder === undefined || group === undefined || folder === '') break;
    members.delete(folder);
    const parent = members.get(folderOf(folder));
    if (parent === undefined) members.set(folderOf(folder), group);
    else {
      parent.folders.push(...group.folders);
      parent.weight += group.weight;
    }
  }
  return new Map([...members].flatMap(([group, { folders: inside }]) => inside.map(folder => [folder, group] as const)));
}

export function folderOf(file: string): string {
  const slash = file.lastIndexOf('/');
  return slash < 0 ? '' : file.slice(0, slash);
}
