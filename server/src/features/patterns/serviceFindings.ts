/** How urgent findings between services are, what hangs on them, and what to heed when they are mended. */
import { compareText } from '../../base/text';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import type { ServiceModel } from '../../services/model';
import { impactOf } from '../architecture/services/crossImpact';
import { dependencyLinks } from '../shared/links';
import type { PatternContext, PatternMatch } from './pattern';

const PRIORITIES = ['P0', 'P1', 'P2', 'P3'] as const;
type Priority = (typeof PRIORITIES)[number];

/** The first row whose words are in a finding gives its priority; one without any of them is a matter of logic. */
const KEYWORDS: readonly (readonly [Priority, RegExp])[] = [
  ['P0', /\b(?:security|vulnerab\w*|data loss|crash\w*|build failures?)\b/i],
  ['P1', /\b(?:contract mismatch\w*|mismatched contracts?|broken cross-service calls?|failing tests?)\b/i],
  ['P2', /\b(?:logic|validation|error handling)\b/i],
  ['P3', /\b(?:style|docs|documentation|naming)\b/i],
];
const BASE: Readonly<Record<Priority, number>> = { P0: 1, P1: 0.75, P2: 0.5, P3: 0.25 };
/** A finding whose file reaches more nodes is one level more urgent. */
const MANY_NODES = 10;
const DEPTH = 3;
/** Findings that are looked at this closely; the others keep the priority of their words. */
const MAX_LOOKED_AT = 100;
/** Names told in a sentence. */
const MAX_NAMES = 5;
const USES = dependencyLinks('all').kinds;

/** Priority by the words of a finding. */
export function priorityOf(text: string): Priority {
  return KEYWORDS.find(([, words]) => words.test(text))?.[0] ?? 'P2';
}

/** One level up for what reaches far; what is about style stays. */
export function raisedPriority(priority: Priority, impacted: number): Priority {
  if (impacted <= MANY_NODES || priority === 'P3') return priority;
  return PRIORITIES[Math.max(0, PRIORITIES.indexOf(priority) - 1)] ?? priority;
}

/** Findings with one root as one, most urgent first, each with its priority, what to do and who owns it. */
export function prioritized(context: PatternContext, found: readonly PatternMatch[], action: string): PatternMatch[] {
  const { graph, services: model } = context;
  if (model === undefined) return [...found];
  const highest = graph.maxPageRank();
  const ranks = graph.pageRank();
  const judged = byRoot(found).map((match, at) => {
    const file = graph.fileOf(match.file);
    const words = priorityOf(match.evidence);
    const root = graph.find(match.id) ?? file;
    const rank = root === undefined || highest === 0 ? 0 : (ranks[root] ?? 0) / highest;
    const impact = file === undefined || at >= MAX_LOOKED_AT ? undefined : impactOf(graph, model, file, DEPTH);
    const priority = raisedPriority(words, impact?.total ?? 0);
    const services = (impact?.services ?? []).map(({ count, service }) => `${service} (${count})`);
    const reach = impact === undefined ? '' : ` Impact: ${impact.total} nodes${services.length === 0 ? '' : `; in other services: ${listed(services)}`}.`;
    return {
      ...match,
      priority,
      weightedSeverity: Math.round(BASE[priority] * (0.5 + 0.5 * rank) * 1000) / 1000,
      action: `${action}${reach}`,
      owningService: model.serviceOf(match.file),
      rootNode: match.id,
    };
  });
  return judged.sort((a, b) => compareText(a.priority, b.priority) || b.weightedSeverity - a.weightedSeverity || compareText(a.id, b.id));
}

/** What to heed before the findings are mended: files that depend on theirs, and what contracts promise. */
export function dependenciesWarning({ graph, services: model }: PatternContext, matches: readonly PatternMatch[]): string {
  const files = [...new Set(matches.map(({ file }) => file))];
  const lines = files.flatMap(path => {
    const file = graph.fileOf(path);
    const users = file === undefined ? [] : usersOf(graph, file);
    const used = users.length === 0 ? [] : [`- ${path} is used by ${listed(users)}.`];
    return [...used, ...(model === undefined ? [] : promises(model, path))];
  });
  return `Dependencies Warning:\n${lines.length === 0 ? '- No indexed file depends on these files, and no contract describes them.' : lines.join('\n')}`;
}

/** Files that use a file or what it declares, in order of path. */
function usersOf(graph: GraphView, file: NodeHandle): string[] {
  const users = new Set<string>();
  for (const node of [file, ...graph.symbolsOf(file)]) {
    for (const { source } of graph.in(node, undefined, USES)) {
      const user = graph.fileNodeOf(source);
      if (user !== undefined && user !== file) users.add(graph.idOf(user));
    }
  }
  return [...users].sort();
}

/** Endpoints of contracts that a file handles or declares, with who calls them. */
function promises(model: ServiceModel, path: string): string[] {
  const bound = model.endpoints.filter(({ contracts, handlerPlace, place }) => {
    const isDeclared = contracts.some(id => model.contracts.some(contract => contract.id === id && !contract.derived));
    return isDeclared && (handlerPlace?.file === path || place?.file === path);
  });
  return bound.slice(0, MAX_NAMES).map(({ contracts, id, method, path: route, request }) => {
    const callers = [...new Set(model.requests.filter(({ endpoint }) => endpoint === id).map(({ source }) => source))];
    const required = request.filter(field => field.required).map(({ name }) => name);
    const needs = required.length === 0 ? '' : `, with ${listed(required)} required`;
    return `- ${contracts[0] ?? ''} promises ${method} ${route}${needs}${callers.length === 0 ? '' : `; ${listed(callers)} ${callers.length === 1 ? 'calls' : 'call'} it`}.`;
  });
}

function byRoot(found: readonly PatternMatch[]): PatternMatch[] {
  const roots = new Map<string, PatternMatch>();
  for (const match of found) {
    const known = roots.get(match.id);
    roots.set(match.id, known === undefined ? match : { ...known, evidence: `${known.evidence}; ${match.evidence}` });
  }
  return [...roots.values()];
}

function listed(names: readonly string[]): string {
  const rest = names.length - MAX_NAMES;
  return rest <= 0 ? names.join(', ') : `${names.slice(0, MAX_NAMES).join(', ')} and ${rest} more`;
}
