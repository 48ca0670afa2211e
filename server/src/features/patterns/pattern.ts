/**
 * The catalogue of structural patterns: what may be wrong with the shape of code, and which well-known shapes it has.
 * This room knows no tool and no budget. Each pattern is a row: an id, what it means, what to do, and a function over the graph.
 *
 * Invariants: facts only, except where a maybe speaks for somebody (an export that may be used is not unused);
 * matches come worst first, ties in the order of nodes.
 */
import { z } from 'zod';
import type { WorkspacePath } from '../../base/path';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { FACT_CONFIDENCE } from '../../model/evidence';
import type { Relation } from '../../model/relations';
import type { PatternSettings } from '../../model/settings';
import type { ServiceModel } from '../../services/model';
import type { Severity } from '../architecture/rules';
import { object, optional, type Shaped, shape } from '../shared/shape';

export const patternMatchShape = shape(() =>
  object({
    id: z.string(),
    file: z.string(),
    /** `12-48`. */
    lines: z.string(),
    evidence: z.string(),
    /** How urgent a finding between services is; also `weightedSeverity` (0 to 1), by which those of one priority are ordered. */
    priority: optional(z.enum(['P0', 'P1', 'P2', 'P3'])),
    weightedSeverity: optional(z.number()),
    /** What to do, and what hangs on it. */
    action: optional(z.string()),
    owningService: optional(z.string()),
    /** What findings that share it are grouped by. */
    rootNode: optional(z.string()),
  }),
);
export type PatternMatch = Shaped<typeof patternMatchShape>;

/** What patterns look at. */
export interface PatternContext {
  readonly graph: GraphView;
  readonly thresholds: PatternSettings;
  /** Texts of files that may hold a match and of those that import them, when a pattern wants them. */
  readonly importers: ReadonlyMap<WorkspacePath, string>;
  /** When a pattern wants them; undefined where nothing is known of services. */
  readonly services?: ServiceModel | undefined;
}

export interface Pattern {
  readonly id: string;
  readonly title: string;
  readonly severity: Severity;
  /** What to do about it. */
  readonly fix: string;
  /** Other words for it. */
  readonly words: RegExp;
  /** Part of the graph that it needs beside code; without it, nothing can be said. */
  readonly needs?: 'services' | 'importers';
  find(context: PatternContext): PatternMatch[];
  /** Findings that other services speak against, with what they say. */
  suppressed?(context: PatternContext): PatternMatch[];
  /** What to heed when these matches are mended: the end of `fix`. */
  warning?(context: PatternContext, matches: readonly PatternMatch[]): string;
}

export function matchOf(graph: GraphView, node: NodeHandle, evidence: string): PatternMatch {
  const { id, path, startLine, endLine } = graph.node(node);
  return { id, file: path, lines: `${Math.max(1, startLine)}-${Math.max(1, endLine)}`, evidence };
}

/** Symbols of the given kinds, in order; tests left out. */
export function symbolsOf(graph: GraphView, kinds: ReadonlySet<string>): NodeHandle[] {
  return [...graph.nodes()].filter(node => {
    const kind = graph.fileNodeOf(node) === node ? undefined : graph.node(node).kind;
    return kind !== undefined && kinds.has(kind) && !graph.isTest(node);
  });
}

/** Targets of facts along a relation. */
export function targetsOf(graph: GraphView, node: NodeHandle, relation: Relation): NodeHandle[] {
  return graph.out(node).flatMap(edge => (edge.relation === relation && edge.confidence >= FACT_CONFIDENCE ? [edge.target] : []));
}

/** Worst first; ties as they came. */
export function worstFirst<T extends { readonly weight: number }>(rows: readonly T[]): T[] {
  return rows
    .map((row, place) => ({ row, place }))
    .sort((a, b) => b.row.weight - a.row.weight || a.place - b.place)
    .map(({ row }) => row);
}

export const CLASSES: ReadonlySet<string> = new Set(['class', 'struct', 'trait']);
export const CALLABLES: ReadonlySet<string> = new Set(['function', 'method', 'constructor']);
