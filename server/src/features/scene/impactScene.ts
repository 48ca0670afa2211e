import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { FACT_CONFIDENCE } from '../../model/evidence';
import { SEPARATOR } from '../../model/ids';
import { RELATIONS } from '../../model/relations';
import type { ImpactAnswer, Impacted } from '../impact/impact';
import type { DrawnScene } from './columnScene';
import type { Expansions } from './expansions';
import { Neighbours } from './neighbours';
import { symbolProjection } from './projections';
import type { SceneFilter } from './sceneFilter';
import { framesOf, type Group, type Groups, withoutSmallGroups } from './sceneGroups';
import { counted, nodeDto, standIn } from './sceneNodes';
import type { SceneDto, SceneEdgeDto, SceneNodeDto } from './sceneShapes';

export interface ImpactOptions {
  readonly graph: GraphView;
  readonly answer: ImpactAnswer;
  readonly filter: SceneFilter;
  readonly groups: Groups;
  readonly expansions: Expansions;
  readonly edgeBudget: number;
  /** Steps that dependents were looked for in. */
  readonly maxDepth: number;
}

/** Nodes of one distance before anything is expanded, and what one expansion adds. */
const PER_DISTANCE = 24;

/** What a change may break, in columns by distance. The way from the change to a node is always whole. */
export class ImpactScene {
  readonly #graph: GraphView;
  readonly #starts: readonly NodeHandle[];
  readonly #neighbours: Neighbours;
  readonly #rows = new Map<string, Impacted>();
  readonly #shown = new Map<NodeHandle, Impacted | undefined>();
  readonly #edges = new Map<string, SceneEdgeDto>();

  constructor(private readonly options: ImpactOptions) {
    const { graph, answer, filter } = options;
    this.#graph = graph;
    this.#starts = answer.targets.map(id => graph.find(id)).filter(node => node !== undefined);
    const projection = symbolProjection(graph, this.#starts);
    this.#neighbours = new Neighbours(graph, filter, projection.shownFor, projection.standsFor);
    for (const row of [...answer.impacted, ...answer.directTests, ...answer.transitiveTests, ...answer.maybe])
      if (!this.#rows.has(row.id)) this.#rows.set(row.id, row);
  }

  draw(): DrawnScene {
    const { filter, expansions } = this.options;
    for (const start of this.#starts) this.#show(start, undefined);
    const perDistance = new Map<number, number>();
    const left = new Map<number, Impacted[]>();
    const wanted = [...this.#rows.values()].filter(row => this.#isWanted(row, filter)).sort((a, b) => a.depth - b.depth);
    for (const row of wanted) {
      const taken = perDistance.get(row.depth) ?? 0;
      // Tests may be further away than what depends is looked for: they are counted, and shown when asked for.
      const limit = PER_DISTANCE * (Number(row.depth <= this.options.maxDepth) + expansions.times(`depth:${row.depth}`));
      if (taken < limit && this.#showWithWay(row)) perDistance.set(row.depth, taken + 1);
      else left.set(row.depth, [...(left.get(row.depth) ?? []), row]);
    }
    return this.#scene(left);
  }

  #isWanted(row: Impacted, filter: SceneFilter): boolean {
    const node = this.#graph.find(row.id);
    return node !== undefined && filter.node(node) && !this.#coveredBySymbols(row);
  }

  /** A file that only imports is told by its symbols when any of them is impacted as near. */
  #coveredBySymbols(row: Impacted): boolean {
    return row.kind === 'file' && this.#filesWithSymbols.has(`${row.path}\n${row.depth}`);
  }

  get #filesWithSymbols(): ReadonlySet<string> {
    this.#covered ??= new Set([...this.#rows.values()].filter(row => row.kind !== 'file').map(row => `${row.path}\n${row.depth}`));
    return this.#covered;
  }
  #covered: ReadonlySet<string> | undefined;

  #showWithWay(row: Impacted): boolean {
    for (const [place, id] of row.via.entries()) {
      const node = place === 0 ? undefined : this.#graph.find(id);
      if (node === undefined || this.#starts.includes(node) || this.#shown.has(node)) continue;
      if (!this.#show(node, this.#rows.get(id) ?? this.#onTheWay(row, place))) return false;
    }
    return true;
  }

  /** A step of the way that the answer, which is bounded, does not tell of by itself: no less sure than where the way leads. */
  #onTheWay(row: Impacted, depth: number): Impacted {
    const via = row.via.slice(0, depth + 1);
    const [id = row.id, before = ''] = via.toReversed();
    const node = this.#graph.find(id);
    const link = node === undefined ? undefined : this.#neighbours.of(node, 'out').find(({ node: other }) => this.#graph.idOf(other) === before)?.links[0];
    const relation = RELATIONS.find(known => known.name === link?.relation)?.name ?? row.relation;
    return { ...row, id, depth, via, isTest: node !== undefined && this.#graph.isTest(node), relation, line: link?.line ?? 0 };
  }

  #show(node: NodeHandle, row: Impacted | undefined): boolean {
    if (this.#shown.has(node)) return true;
    const id = this.#graph.idOf(node);
    const fresh: SceneEdgeDto[] = [];
    for (const side of ['out', 'in'] as const) {
      for (const { node: other, links, count, confidence } of this.#neighbours.of(node, side)) {
        if (!this.#shown.has(other)) continue;
        const otherId = this.#graph.idOf(other);
        const [source, target] = side === 'in' ? [otherId, id] : [id, otherId];
        fresh.push({ source, target, links, count, confidence });
      }
    }
    // The step of evidence comes first; of the others as many as the budget has left.
    const towards = this.#towards(row);
    fresh.sort((a, b) => Number(b.target === towards) - Number(a.target === towards));
    const room = this.options.edgeBudget - this.#edges.size;
    if (row !== undefined && room < 1) return false;
    for (const edge of fresh.slice(0, Math.max(0, room))) this.#edges.set(`${edge.source}→${edge.target}`, edge);
    this.#shown.set(node, row);
    return true;
  }

  /** The shown node one step nearer to the change. */
  #towards(row: Impacted | undefined): string | undefined {
    const id = row?.via.at(-2);
    if (id === undefined || row === undefined || row.via.length > 2) return id;
    return this.#starts.map(start => this.#graph.idOf(start)).find(start => id === start || id.startsWith(`${start}${SEPARATOR}`)) ?? id;
  }

  #scene(left: ReadonlyMap<number, readonly Impacted[]>): DrawnScene {
    const groups = new Map<string, Group>();
    const nodes: SceneNodeDto[] = [];
    for (const [node, row] of this.#shown) {
      const group = this.options.groups.of(node);
      if (group !== undefined) groups.set(group.id, group);
      const column = row?.depth ?? 0;
      const dto = nodeDto(this.#graph, node, {
        role: row === undefined ? 'start' : 'step',
        column,
        lane: row?.isTest === true ? 'tests' : 'main',
        confidence: row?.confidence ?? 1,
        parent: group?.id,
      });
      const towards = this.#towards(row);
      nodes.push(towards === undefined || row === undefined ? dto : { ...dto, via: { id: towards, relation: row.relation, line: row.line } });
    }
    const bundles = [...left].map(([depth, rows]) =>
      standIn({
        id: `bundle:depth:${depth}`,
        label: `${rows.length} more at distance ${depth}`,
        kind: 'bundle',
        role: 'bundle',
        size: rows.length,
        column: depth,
        confidence: rows.some(row => row.confidence >= FACT_CONFIDENCE) ? 1 : 0,
        expand: `depth:${depth}`,
      }),
    );
    nodes.push(...bundles);
    const hidden = bundles.reduce((sum, bundle) => sum + bundle.size, 0);
    const framed = withoutSmallGroups(nodes, this.options.groups);
    return { nodes: framed, edges: [...this.#edges.values()], groups: framesOf(groups, framed), omitted: { nodes: hidden, edges: 0 } };
  }
}

/** `12 dependents in 5 files, 3 tests, 2 possible. Reach: medium.` */
export function impactSummary({ counts, reach }: ImpactAnswer): string {
  const { direct, transitive, files, directTests, transitiveTests, maybe } = counts;
  if (direct + transitive + maybe + directTests + transitiveTests === 0) return 'No dependents.';
  const parts = [
    `${counted(direct + transitive, 'dependent')} in ${counted(files, 'file')}`,
    counted(directTests + transitiveTests, 'test'),
    ...(maybe > 0 ? [`${maybe} possible`] : []),
  ];
  return `${parts.join(', ')}. Reach: ${reach}.`;
}

export function impactFields(answer: ImpactAnswer): Pick<SceneDto, 'risk'> {
  return { risk: answer.risk };
}
