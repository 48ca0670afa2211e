import type { ReportData, ReportNode } from '../../../server/protocol/features';
import { joinedNames, namesIn } from '../../../server/protocol/qualifiedNames';
import { certaintyClasses } from './certainty';
import { type Drawing, type DrawnEdge, type DrawnNode, looks, shortened, sizeOf } from './drawing';

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
  if (center === undefined) return { nodes: [], edges: [], frames: [] };
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
  return { nodes, edges, frames: [] };
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
  return joinedNames(namesIn(node.id).slice(-2));
}

/** A symbol of a file with all that it is in; what is in no file by its own name. */
export function nameIn({ id, name }: { readonly id: string; readonly name: string }): string {
  return joinedNames(namesIn(id)) || name;
}
