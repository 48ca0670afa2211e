import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import type { Relation } from '../../model/relations';
import { byRank } from '../shared/rows';
import { byName } from '../shared/target';
import type { TraverseDirection } from './traverse';

/** How a question is answered. */
export type Route = 'vector_only' | 'keyword_boost' | 'graph_only' | 'hybrid';

export interface Routing {
  readonly route: Route;
  /** 0 to 1. */
  readonly complexity: number;
  /** What the question names, in its order. */
  readonly entities: readonly NodeHandle[];
  /** Names in code spelling that the graph does not have. */
  readonly unknown: readonly string[];
  /** Names that several things have: all of them are `entities`. */
  readonly shared: readonly string[];
  readonly relations: readonly Relation[];
  readonly direction: TraverseDirection;
  readonly hops: number;
}

/** Wordings of relations, with what they walk along; an empty list is any dependency. `weak` ones are common in other questions: they count beside a name only. */
const WORDINGS: readonly { readonly pattern: RegExp; readonly relations: readonly Relation[]; readonly weak?: boolean }[] = [
  { pattern: /\bcall(?:s|ed|ers?|ees?|ing)?\b/i, relations: ['CALLS'] },
  { pattern: /\bimport(?:s|ed|ing)?\b/i, relations: ['IMPORTS'] },
  { pattern: /\bimplement(?:s|ed|ing|ations?|ers?)?\b/i, relations: ['IMPLEMENTS', 'INHERITS', 'OVERRIDES'] },
  { pattern: /\b(?:extend(?:s|ed|ing)?|inherit(?:s|ed|ing)?|subclass(?:es)?)\b/i, relations: ['INHERITS', 'IMPLEMENTS'] },
  { pattern: /\b(?:instantiat(?:es?|ed|ing)|construct(?:s|ed))\b/i, relations: ['INSTANTIATES'] },
  { pattern: /\b(?:raise[sd]?|raising|throws?|thrown|throwing)\b/i, relations: ['RAISES'], weak: true },
  { pattern: /\b(?:catch(?:es|ing)?|caught)\b/i, relations: ['CATCHES'], weak: true },
  { pattern: /\b(?:cover(?:s|ed|ing)?|tested|tests? (?:for|of|that)|(?:what|which) tests?)\b/i, relations: ['TESTS'], weak: true },
  { pattern: /\b(?:reads?|reading)\b/i, relations: ['READS_FROM', 'USES_CONSTANT'], weak: true },
  { pattern: /\b(?:assign(?:s|ed|ing)?|writes?|written|sets|mutates?|mutated)\b/i, relations: ['ASSIGNS_TO'], weak: true },
  { pattern: /\b(?:depend(?:s|ed|ents?|encies|ing)?(?: on)?|impacts?|affects?|uses?|used|using|reports? to|supplie[sd]|supply)\b/i, relations: [] },
];

/** The one asked about is what the others lead to: "who calls X", "what depends on X", "X is used by", "callers of X". */
const INWARD =
  /\b(?:callers?|dependents?|implementers?|implementations?|subclasses|users?)\b|\b(?:called|used|imported|implemented|extended|instantiated|raised|thrown|caught|covered|tested|read|written|assigned)\s+by\b|\btests? (?:for|of|that)\b|\b(?:who|what|which|where)\b(?:\s+\w+)?\s+(?:calls?|uses?|imports?|implements?|extends?|inherits?|instantiates?|depends?|impacts?|affects?|raises?|throws?|catch(?:es)?|covers?|tests?|reads?|assigns?|writes?|sets|mutates?)\b|\bwhere\b.*\bused\b/i;
const OUTWARD =
  /\b(?:does|do|did|can|will)\b.*\b(?:call|use|import|implement|extend|depend|inherit|instantiate|affect|impact|raise|throw|catch|cover|test|read|assign|write|mutate)\b|\bcallees\b|\bdependencies of\b/i;
const PASSIVE =
  /\b(?:is|are|was)\b.*\b(?:called|used|imported|implemented|extended|instantiated|raised|thrown|caught|covered|tested|read|written|assigned|set|mutated)\b/i;

const CHAIN = /\b(?:through|indirect(?:ly)?|transitive(?:ly)?|between|via|chain)\b|\bif\b.*\bchang/i;
const AGGREGATE = /\b(?:how many|count|most|least|all|every|compare[ds]?|comparison|versus|vs|more than|fewer|largest|average|total)\b/i;
const TIME = /\b(?:when|since|before|after|until|last|recent(?:ly)?|yesterday|today|week|month|year|history)\b/i;
const LONG_QUESTION = 30;

/** Decides the route of a question in words. `given` are ids that the caller passed. */
export function routeOf(graph: GraphView, question: string, given: readonly NodeHandle[]): Routing {
  const worded = WORDINGS.find(({ pattern }) => pattern.test(question));
  const { found, unknown, shared } = namedIn(graph, question, worded !== undefined);
  const entities = [...new Set([...given, ...found])];
  const wording = worded?.weak === true && entities.length === 0 ? undefined : worded;
  const complexity = complexityOf(question, entities.length);
  const isChain = CHAIN.test(question);
  const direction: TraverseDirection = OUTWARD.test(question) ? 'out' : INWARD.test(question) || PASSIVE.test(question) ? 'in' : 'both';
  const route =
    wording !== undefined ? (entities.length > 0 ? 'graph_only' : 'hybrid') : complexity < 0.3 ? 'vector_only' : complexity <= 0.7 ? 'keyword_boost' : 'hybrid';
  return { route, complexity, entities, unknown, shared, relations: wording?.relations ?? [], direction, hops: isChain ? 3 : 1 };
}

/** 0.25 for two entities, 0.25 for chains, 0.2 for aggregates, 0.15 for times, up to 0.15 for length. */
export function complexityOf(question: string, entities: number): number {
  const words = question.split(/\s+/).filter(word => word !== '').length;
  const parts = [
    entities >= 2 ? 0.25 : 0,
    CHAIN.test(question) ? 0.25 : 0,
    AGGREGATE.test(question) ? 0.2 : 0,
    TIME.test(question) ? 0.15 : 0,
    0.15 * Math.min(1, words / LONG_QUESTION),
  ];
  return parts.reduce((sum, part) => sum + part, 0);
}

/** Words of prose that are also likely names of symbols. */
const PROSE =
  /^(?:the|and|for|what|which|who|where|how|does|use|uses|used|call|calls|called|from|with|this|that|code|file|files|function|functions|class|classes|method|methods|all|are|is|in|on|of|to|by|it|test|tests|between|through|depend|depends|import|imports|implement|implements|change|changes|if|when|get|set|run|find|show|list|many|most|most|can|will|has|have|not)$/i;

/** Things of one name that a question may mean at once; with more, the name says nothing. */
const MAX_SHARED = 8;

/**
 * Names, ids and paths in a question; names in code spelling that nothing has are `unknown`.
 * Where the question asks for a relation, a name in code spelling or at its end that several things have means all of them (tests left out when others have it).
 */
function namedIn(graph: GraphView, question: string, asksRelation: boolean): Pick<Routing, 'unknown' | 'shared'> & { readonly found: readonly NodeHandle[] } {
  const found: NodeHandle[] = [];
  const unknown: string[] = [];
  const shared: string[] = [];
  const words = question.split(/[\s,;?!"'()]+/).filter(raw => raw !== '');
  for (const [at, raw] of words.entries()) {
    const word = raw.replace(/^`+|[`.:]+$/g, '');
    if (word.length < 2) continue;
    const isLast = asksRelation && at > 0 && at === words.length - 1;
    const node = graph.find(word) ?? uniqueNamed(graph, word);
    const isCode = raw.startsWith('`') || /[a-z][A-Z]|_|::|[\w)]\.\w|\w#\w/.test(word);
    if (node !== undefined) {
      found.push(node);
      continue;
    }
    const bearers = asksRelation && (isCode || isLast) ? bearersOf(graph, word) : [];
    if (bearers.length > 0 && bearers.length <= MAX_SHARED) {
      found.push(...bearers);
      shared.push(word);
    } else if ((isCode || (isLast && /^[A-Z]/.test(word))) && !/^\w+:\/\//.test(word) && graph.named(lastName(word)).length === 0) unknown.push(word);
  }
  return { found, unknown, shared };
}

/** Nodes of that very name, most central first; those that are no tests when there are any. */
function bearersOf(graph: GraphView, word: string): readonly NodeHandle[] {
  if (PROSE.test(word)) return [];
  const names = word.split(/::|\.|#/);
  const all = graph.named(lastName(word)).filter(node => graph.node(node).name === lastName(word));
  const members = names.length === 1 ? [] : byName(graph, names).filter(node => graph.node(node).nodeType === 'symbol');
  const isLike = (node: NodeHandle): boolean => names.slice(0, -1).every(name => graph.idOf(node).includes(name));
  const fitting = names.length === 1 ? all : members.length > 0 ? members : all.filter(isLike);
  const outside = fitting.filter(node => !graph.isTest(node));
  return [...(outside.length > 0 ? outside : fitting)].sort(byRank(graph));
}

function uniqueNamed(graph: GraphView, word: string): NodeHandle | undefined {
  const fitting = bearersOf(graph, word);
  const [first] = fitting;
  return fitting.length === 1 || (first !== undefined && new Set(fitting.map(node => graph.fileNodeOf(node))).size === 1) ? first : undefined;
}

function lastName(word: string): string {
  return word.split(/::|\.|#/).pop() ?? word;
}
