import { kindsOf } from '../../../algorithms/rows';
import type { Steps } from '../../../base/steps';
import type { GraphEdge, GraphView, NodeHandle } from '../../../code/graph/graphView';
import { findKind, KINDS, type Kind } from '../../../model/kinds';
import { KIND_GROUPS, NODE_TYPES, SYMBOL_KINDS } from '../../../model/nodes';
import { parseRelation, RELATIONS, type Relation, relationCode } from '../../../model/relations';
import { kindOf } from '../../shared/rows';
import { AGGREGATES, type Expression, type LinkPattern, type MatchClause, type NodePattern, type Pattern, PatternProblem, type PatternQuery } from './syntax';
import { type Binding, compareValues, nodeProperty, type Scope, shown, valueOf } from './values';

export interface PatternRows {
  readonly columns: readonly string[];
  readonly records: readonly Readonly<Record<string, unknown>>[];
}

/** Rows at once, at most. */
const MAX_ROWS = 100_000;
const STEPS_PER_YIELD = 5_000;

/** Rows under way, with the links each has used in its clause: a link is taken once. */
interface Underway {
  readonly row: Binding;
  readonly used: readonly GraphEdge[];
}

/** Answers a query in short steps. `maxSteps` bounds the nodes and links looked at; over it the query fails with `TIMEOUT`. */
export function* answerSteps(scope: Scope, query: PatternQuery, maxSteps: number): Steps<PatternRows> {
  const walk = new Matching(scope, maxSteps);
  let rows: readonly Binding[] = [{}];
  for (const clause of query.matches) rows = yield* walk.clause(clause, rows);
  return projected(scope, query, rows);
}

class Matching {
  #steps = 0;

  constructor(
    private readonly scope: Scope,
    private readonly maxSteps: number,
  ) {}

  *clause(clause: MatchClause, rows: readonly Binding[]): Steps<readonly Binding[]> {
    const known = equalities(clause.where);
    const found: Binding[] = [];
    for (const before of rows) {
      let partials: readonly Underway[] = [{ row: before, used: [] }];
      for (const pattern of clause.patterns) partials = yield* this.#pattern(anchored(pattern, before, known), partials);
      const { where } = clause;
      const kept = partials.map(partial => partial.row).filter(row => where === undefined || valueOf(this.scope, row, where) === true);
      for (const row of kept) found.push(row);
      if (kept.length === 0 && clause.optional) found.push({ ...unbound(clause), ...before });
      this.#bound(found.length);
    }
    return found;
  }

  *#pattern({ nodes, links }: Pattern, partials: readonly Underway[]): Steps<readonly Underway[]> {
    const [first] = nodes;
    if (first === undefined) return partials;
    let rows: Underway[] = [];
    for (const { row, used } of partials) {
      for (const node of this.#starts(first, row)) {
        if (this.#step()) yield;
        if (this.#fits(first, node, row)) rows.push({ row: { ...row, [first.variable]: { node } }, used });
      }
      this.#bound(rows.length);
    }
    for (const [at, link] of links.entries()) {
      const from = nodes[at];
      const to = nodes[at + 1];
      if (from === undefined || to === undefined) break;
      const next: Underway[] = [];
      for (const partial of rows) {
        yield* this.#follow(link, from, to, partial, next);
        this.#bound(next.length);
      }
      rows = next;
    }
    return rows;
  }

  /** Nodes that a pattern may begin with: the bound one, those of a known id, path or name, else all. */
  #starts(pattern: NodePattern, row: Binding): Iterable<NodeHandle> {
    const { graph } = this.scope;
    const bound = row[pattern.variable];
    if (bound === null) return [];
    if (bound !== undefined) return 'node' in bound ? [bound.node] : [];
    const wanted = (name: string): unknown => {
      const property = pattern.properties.find(([key]) => key === name);
      return property === undefined ? undefined : valueOf(this.scope, row, property[1]);
    };
    const id = wanted('id');
    if (typeof id === 'string') return [graph.find(id)].filter(node => node !== undefined);
    const kinds = pattern.labels.map(label => new Set<string>(labelled(label)));
    const above = aboveOf(graph, kinds[0]);
    const name = wanted('name');
    if (typeof name === 'string') return [...graph.named(name), ...[...above].filter(node => graph.node(node).name === name)];
    if (kinds.some(names => names.size === 1 && names.has('file'))) return graph.files();
    return kinds[0] !== undefined && [...kinds[0]].every(kind => isKindAbove(kind)) ? above : both(graph.nodes(), above);
  }

  *#follow(link: LinkPattern, from: NodePattern, to: NodePattern, { row, used }: Underway, found: Underway[]): Steps<void> {
    const start = row[from.variable];
    if (start === undefined || start === null || !('node' in start)) return;
    const [low, high] = link.hops;
    const stack: { node: NodeHandle; path: readonly GraphEdge[] }[] = [{ node: start.node, path: [] }];
    for (let at = stack.shift(); at !== undefined; at = stack.shift()) {
      if (at.path.length >= low && this.#fits(to, at.node, row)) {
        const [edge] = at.path;
        const bound = link.isVariable || edge === undefined ? { edges: at.path } : { edge };
        found.push({ row: { ...row, [link.variable]: bound, [to.variable]: { node: at.node } }, used: [...used, ...at.path] });
      }
      if (at.path.length === high) continue;
      for (const { edge, other } of linksFrom(this.scope.graph, at.node, link)) {
        if (this.#step()) yield;
        if (used.some(one => isSameEdge(one, edge)) || at.path.some(one => isSameEdge(one, edge))) continue;
        stack.push({ node: other, path: [...at.path, edge] });
      }
      this.#bound(stack.length + found.length);
    }
  }

  #fits(pattern: NodePattern, node: NodeHandle, row: Binding): boolean {
    const bound = row[pattern.variable];
    if (bound !== undefined && (bound === null || !('node' in bound) || bound.node !== node)) return false;
    const { graph } = this.scope;
    if (!graph.isLive(node)) return false;
    if (pattern.labels.length > 0) {
      const known = graph.node(node);
      const kind = kindOf(known);
      if (!pattern.labels.every(label => labelled(label).some(one => one === kind || one === known.nodeType))) return false;
    }
    return pattern.properties.every(([name, value]) => nodeProperty(graph, node, name) === valueOf(this.scope, row, value));
  }

  /** True when it is time to yield. */
  #step(): boolean {
    this.#steps++;
    if (this.#steps > this.maxSteps) {
      throw new PatternProblem('TIMEOUT', 'The query exceeded its timeout.');
    }
    return this.#steps % STEPS_PER_YIELD === 0;
  }

  #bound(rows: number): void {
    if (rows > MAX_ROWS) throw new PatternProblem('TIMEOUT', `The query produces more than ${MAX_ROWS} intermediate rows.`);
  }
}

function isSameEdge(a: GraphEdge, b: GraphEdge): boolean {
  return a.source === b.source && a.target === b.target && a.relation === b.relation;
}

/** Nodes above the code that a pattern with these kinds may begin with; communities and transactions only where they are named. */
function aboveOf(graph: GraphView, kinds: ReadonlySet<string> | undefined): Iterable<NodeHandle> {
  if (kinds === undefined) return graph.nodesAbove();
  const named = KINDS.flatMap(({ layer, name }) => (layer !== 'code' && kinds.has(name) ? [name] : []));
  return named.length === 0 ? [] : graph.nodesAbove(new Set<Kind>(named));
}

function isKindAbove(name: string): boolean {
  const row = findKind(name);
  return row !== undefined && row.layer !== 'code';
}

function* both(first: Iterable<NodeHandle>, second: Iterable<NodeHandle>): Iterable<NodeHandle> {
  yield* first;
  yield* second;
}

function labelled(label: string): readonly string[] {
  const group = KIND_GROUPS[label.toUpperCase() as keyof typeof KIND_GROUPS];
  if (group !== undefined) return group;
  const name = label.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
  if ([...NODE_TYPES, ...SYMBOL_KINDS].some(known => known === name)) return [name];
  throw new PatternProblem('VALIDATION_ERROR', `Unknown label: ${label}. Use ${[...NODE_TYPES, ...SYMBOL_KINDS].join(', ')}.`);
}

function linksFrom(graph: GraphView, node: NodeHandle, link: LinkPattern): { readonly edge: GraphEdge; readonly other: NodeHandle }[] {
  const parsed = link.types.map(type => {
    const relation = parseRelation(type);
    if (relation === undefined) throw new PatternProblem('VALIDATION_ERROR', `Unknown relation: ${type}. Use ${RELATIONS.map(row => row.name).join(', ')}.`);
    return relation;
  });
  const takes = (relation: Relation, turned: boolean): boolean =>
    parsed.length === 0
      ? link.direction === 'both' || (link.direction === 'in') === turned
      : parsed.some(
          one =>
            relationCode[one.relation] === relationCode[relation] && (link.direction === 'both' || ((link.direction === 'in') !== one.reversed) === turned),
        );
  const kinds = parsed.length === 0 ? undefined : kindsOf(parsed.map(one => relationCode[one.relation]));
  return [
    ...graph.out(node, undefined, kinds).flatMap(edge => (takes(edge.relation, false) ? [{ edge, other: edge.target }] : [])),
    ...graph.in(node, undefined, kinds).flatMap(edge => (takes(edge.relation, true) ? [{ edge, other: edge.source }] : [])),
  ];
}

/** Properties that WHERE fixes for a variable, by variable. */
function equalities(where: Expression | undefined): ReadonlyMap<string, readonly (readonly [string, Expression])[]> {
  const known = new Map<string, (readonly [string, Expression])[]>();
  const look = (of: Expression | undefined): void => {
    if (of?.kind === 'and') {
      look(of.left);
      look(of.right);
    }
    if (of?.kind !== 'compare' || of.operator !== '=') return;
    const { left, right } = of;
    if (left.kind !== 'property' || (right.kind !== 'literal' && right.kind !== 'parameter')) return;
    known.set(left.of, [...(known.get(left.of) ?? []), [left.name, right]]);
  };
  look(where);
  return known;
}

/** The pattern with what WHERE fixes, turned round when its other end is the better place to begin. */
function anchored({ nodes, links }: Pattern, row: Binding, known: ReturnType<typeof equalities>): Pattern {
  const enriched = nodes.map(node => ({ ...node, properties: [...node.properties, ...(known.get(node.variable) ?? [])] }));
  const weight = (node: NodePattern | undefined): number => {
    if (node === undefined) return 0;
    if (row[node.variable] !== undefined) return 3;
    return node.properties.some(([name]) => name === 'id' || name === 'name') ? 2 : node.labels.length > 0 ? 1 : 0;
  };
  if (weight(enriched[enriched.length - 1]) <= Math.max(1, weight(enriched[0]))) return { nodes: enriched, links };
  const opposite = { out: 'in', in: 'out', both: 'both' } as const;
  return { nodes: enriched.reverse(), links: [...links].reverse().map(link => ({ ...link, direction: opposite[link.direction] })) };
}

function unbound({ patterns }: MatchClause): Binding {
  const names = patterns.flatMap(({ nodes, links }) => [...nodes, ...links].map(({ variable }) => variable));
  return Object.fromEntries(names.map(name => [name, null]));
}

type Output = { readonly record: Record<string, unknown>; readonly row: Binding | undefined };

function projected(scope: Scope, query: PatternQuery, rows: readonly Binding[]): PatternRows {
  const { columns } = query;
  let outputs = columns.some(({ value }) => isAggregate(value)) ? grouped(scope, query, rows) : rows.map(row => outputOf(scope, query, row));
  if (query.distinct) {
    const seen = new Set<string>();
    outputs = outputs.filter(({ record }) => {
      const key = JSON.stringify(record);
      return !seen.has(key) && seen.add(key) !== undefined;
    });
  }
  if (query.order.length > 0) {
    const keyed = outputs.map((output, place) => ({ output, place, keys: query.order.map(({ by }) => orderKey(scope, query, output, by)) }));
    keyed.sort((a, b) => {
      for (const [at, { descending }] of query.order.entries()) {
        const difference = compareValues(a.keys[at], b.keys[at]);
        if (difference !== 0) return descending ? -difference : difference;
      }
      return a.place - b.place;
    });
    outputs = keyed.map(({ output }) => output);
  }
  const skip = wholeNumber(scope, query.skip, 'SKIP') ?? 0;
  const limit = wholeNumber(scope, query.limit, 'LIMIT');
  const records = outputs.slice(skip, limit === undefined ? undefined : skip + limit).map(({ record }) => record);
  return { columns: columns.map(({ name }) => name), records };
}

function outputOf(scope: Scope, { columns }: PatternQuery, row: Binding): Output {
  return { record: Object.fromEntries(columns.map(({ name, value }) => [name, shown(scope.graph, valueOf(scope, row, value))])), row };
}

function isAggregate(of: Expression): of is Extract<Expression, { kind: 'call' }> {
  return of.kind === 'call' && AGGREGATES.has(of.name);
}

/** One record per combination of the columns that are no aggregates. */
function grouped(scope: Scope, { columns }: PatternQuery, rows: readonly Binding[]): Output[] {
  const plain = columns.filter(({ value }) => !isAggregate(value));
  const groups = new Map<string, { readonly values: readonly unknown[]; readonly rows: Binding[] }>();
  if (plain.length === 0) groups.set('[]', { values: [], rows: [] });
  for (const row of rows) {
    const values = plain.map(({ value }) => shown(scope.graph, valueOf(scope, row, value)));
    const key = JSON.stringify(values);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { values, rows: [row] });
    else group.rows.push(row);
  }
  return [...groups.values()].map(group => ({
    record: Object.fromEntries(
      columns.map(column => [column.name, isAggregate(column.value) ? aggregate(scope, column.value, group.rows) : group.values[plain.indexOf(column)]]),
    ),
    row: undefined,
  }));
}

function aggregate(scope: Scope, { name, argument, distinct }: Extract<Expression, { kind: 'call' }>, rows: readonly Binding[]): unknown {
  if (argument === undefined) return rows.length;
  const values = rows.map(row => shown(scope.graph, valueOf(scope, row, argument))).filter(value => value !== null);
  const kept = distinct ? [...new Map(values.map(value => [JSON.stringify(value), value])).values()] : values;
  return name === 'count' ? kept.length : kept;
}

function orderKey(scope: Scope, { columns }: PatternQuery, { record, row }: Output, by: Expression): unknown {
  const text = JSON.stringify(by);
  const column = columns.find(({ name, value }) => (by.kind === 'variable' && by.name === name) || JSON.stringify(value) === text);
  if (column !== undefined) return record[column.name];
  if (row === undefined) throw new PatternProblem('VALIDATION_ERROR', 'With count or collect, ORDER BY only supports columns of RETURN.');
  return shown(scope.graph, valueOf(scope, row, by));
}

function wholeNumber(scope: Scope, of: Expression | undefined, clause: string): number | undefined {
  if (of === undefined) return undefined;
  const value = valueOf(scope, {}, of);
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value;
  throw new PatternProblem('VALIDATION_ERROR', `${clause} must be a non-negative integer.`);
}
