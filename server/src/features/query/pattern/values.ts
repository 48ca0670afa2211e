import { compareText } from '../../../base/text';
import type { GraphEdge, GraphView, NodeHandle } from '../../../code/graph/graphView';
import { kindRow } from '../../../model/kinds';
import { kindOf } from '../../shared/rows';
import { type Comparison, type Expression, PatternProblem } from './syntax';

/** What a variable stands for. */
export type Bound = { readonly node: NodeHandle } | { readonly edge: GraphEdge } | { readonly edges: readonly GraphEdge[] } | null;
export type Binding = Readonly<Record<string, Bound>>;

export interface Scope {
  readonly graph: GraphView;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** The value of an expression without aggregates: plain data, or what a variable stands for. */
export function valueOf(scope: Scope, row: Binding, of: Expression): unknown {
  switch (of.kind) {
    case 'literal':
      return of.value;
    case 'parameter':
      if (!Object.hasOwn(scope.parameters, of.name)) throw new PatternProblem('VALIDATION_ERROR', `The parameter $${of.name} is missing.`);
      return scope.parameters[of.name];
    case 'variable':
      return row[of.name] ?? null;
    case 'property':
      return propertyOf(scope.graph, row[of.of] ?? null, of.name);
    case 'list':
      return of.items.map(item => valueOf(scope, row, item));
    case 'call':
      return callOf(scope, row, of);
    case 'not':
      return valueOf(scope, row, of.of) !== true;
    case 'isNull':
      return (valueOf(scope, row, of.of) === null) !== of.negated;
    case 'and':
      return valueOf(scope, row, of.left) === true && valueOf(scope, row, of.right) === true;
    case 'or':
      return valueOf(scope, row, of.left) === true || valueOf(scope, row, of.right) === true;
    case 'compare':
      return holds(of.operator, shown(scope.graph, valueOf(scope, row, of.left)), shown(scope.graph, valueOf(scope, row, of.right)));
  }
}

function holds(operator: Comparison, left: unknown, right: unknown): boolean {
  if (operator === 'IN') return Array.isArray(right) && right.some(item => isSame(item, left));
  if (left === null || right === null) return false;
  if (operator === '=') return isSame(left, right);
  if (operator === '<>') return !isSame(left, right);
  if (typeof left === 'string' && typeof right === 'string') {
    if (operator === 'CONTAINS') return left.includes(right);
    if (operator === 'STARTS') return left.startsWith(right);
    if (operator === 'ENDS') return left.endsWith(right);
  } else if (typeof left !== 'number' || typeof right !== 'number') return false;
  const difference = compareValues(left, right);
  if (operator === '<') return difference < 0;
  if (operator === '>') return difference > 0;
  return operator === '<=' ? difference <= 0 : operator === '>=' && difference >= 0;
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));
}

/** Numbers before texts before the rest, null last. */
export function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const rank = (value: unknown): number => (value === null || value === undefined ? 3 : typeof value === 'number' ? 0 : typeof value === 'string' ? 1 : 2);
  return rank(a) - rank(b) || compareText(textOf(a), textOf(b));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function callOf(scope: Scope, row: Binding, { name, argument }: Extract<Expression, { kind: 'call' }>): unknown {
  const value = argument === undefined ? null : valueOf(scope, row, argument);
  if (value === null) return null;
  const { graph } = scope;
  if (name === 'id') return isNode(value) ? graph.idOf(value.node) : null;
  if (name === 'type') return isEdge(value) ? value.edge.relation.toLowerCase() : null;
  if (name === 'labels') return isNode(value) ? labelsOf(graph, value.node) : null;
  if (name === 'tolower') return typeof value === 'string' ? value.toLowerCase() : null;
  if (name === 'toupper') return typeof value === 'string' ? value.toUpperCase() : null;
  if (name === 'size' || name === 'length') return sizeOf(value);
  throw new PatternProblem('VALIDATION_ERROR', `${name} is only supported on its own in a column of RETURN.`);
}

function sizeOf(value: unknown): number | null {
  if (typeof value === 'string' || Array.isArray(value)) return value.length;
  return typeof value === 'object' && value !== null && 'edges' in value ? (value.edges as readonly unknown[]).length : null;
}

function isNode(value: unknown): value is { readonly node: NodeHandle } {
  return typeof value === 'object' && value !== null && 'node' in value;
}

function isEdge(value: unknown): value is { readonly edge: GraphEdge } {
  return typeof value === 'object' && value !== null && 'edge' in value;
}

function labelsOf(graph: GraphView, handle: NodeHandle): string[] {
  const node = graph.node(handle);
  return [...new Set([node.nodeType, kindOf(node)])];
}

function propertyOf(graph: GraphView, bound: Bound, name: string): unknown {
  if (bound === null) return null;
  if ('node' in bound) return nodeProperty(graph, bound.node, name);
  if (!('edge' in bound)) return null;
  const { relation, confidence, provenance, count, lines } = bound.edge;
  const properties: Readonly<Record<string, unknown>> = {
    type: relation.toLowerCase(),
    relation: relation.toLowerCase(),
    confidence,
    provenance,
    count,
    lines,
    line: lines[0],
    ...bound.edge.attributes,
  };
  return properties[name] ?? null;
}

/** Properties of a node by name; null for unknown ones. */
export function nodeProperty(graph: GraphView, handle: NodeHandle, name: string): unknown {
  if (name === 'id') return graph.idOf(handle);
  if (name === 'pagerank') return graph.pageRank()[handle] ?? 0;
  if (name === 'community') return graph.communities().of[handle] ?? null;
  const node = graph.node(handle);
  const { path, startLine, endLine, language, signature, doc, summary, complexity, isTest, isExported, nodeType } = node;
  const properties: Readonly<Record<string, unknown>> = {
    name: node.name,
    kind: kindOf(node),
    type: nodeType,
    path,
    file: path,
    line: startLine,
    startLine,
    endLine,
    language,
    signature,
    doc,
    summary,
    complexity,
    isTest,
    isExported,
  };
  const own = node.attributes;
  if (own !== undefined && Object.hasOwn(own, name)) return own[name];
  return Object.hasOwn(properties, name) ? (properties[name] ?? null) : null;
}

/** A value as plain data. */
export function shown(graph: GraphView, value: unknown): unknown {
  if (Array.isArray(value)) return value.map(item => shown(graph, item));
  if (isNode(value)) {
    const node = graph.node(value.node);
    const kind = kindOf(node);
    // The ID of code says its name.
    const name = kindRow(kind).layer === 'code' || node.name === '' ? {} : { name: node.name };
    return { id: node.id, kind, ...name, ...(node.startLine > 0 ? { line: node.startLine } : {}) };
  }
  if (isEdge(value)) return edgeShown(graph, value.edge);
  if (typeof value === 'object' && value !== null && 'edges' in value) return (value.edges as readonly GraphEdge[]).map(edge => edgeShown(graph, edge));
  return value ?? null;
}

function edgeShown(graph: GraphView, edge: GraphEdge): unknown {
  return { src: graph.idOf(edge.source), rel: edge.relation.toLowerCase(), tgt: graph.idOf(edge.target), confidence: edge.confidence };
}
