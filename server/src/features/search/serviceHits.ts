import { compareText } from '../../base/text';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import type { AttributeValues, Kind } from '../../model/kinds';
import { isStopWord, tokenize } from '../../search/tokenizer';

/** Kinds of what services offer and share, as they are searched. */
export const SERVICE_KINDS: ReadonlySet<Kind> = new Set(['service', 'contract', 'endpoint', 'event', 'domain_entity', 'data_store']);

/** Attributes with words that people search for. */
const WORDED = [
  'summary',
  'description',
  'operation_id',
  'handler_symbol',
  'service_name',
  'owning_service',
  'channel',
  'domain',
  'product',
  'contract_id',
] as const;
/** How much more a word of the name counts than one of the other words. */
const NAME_SHARE = 2;

/** A node of the services that has words of a query. */
export interface ServiceHit {
  readonly node: NodeHandle;
  /** 0 to 1: share of the words of the query that it has, rare ones count more. */
  readonly score: number;
}

interface Words {
  readonly node: NodeHandle;
  readonly service: string;
  readonly name: ReadonlySet<string>;
  readonly others: ReadonlySet<string>;
}

/** Words of the nodes of a graph. */
interface ServiceWords {
  readonly nodes: readonly Words[];
  readonly counts: ReadonlyMap<string, number>;
}

const KNOWN = new WeakMap<GraphView, ServiceWords>();

/** Services, endpoints, events, contracts, entities and stores that have words of a query, best first. `service`: only what belongs to that one. */
export function serviceHits(graph: GraphView, query: string, kinds: ReadonlySet<Kind>, service: string | undefined): readonly ServiceHit[] {
  const asked = [...wordsOf(query)];
  let known = KNOWN.get(graph);
  if (known === undefined) KNOWN.set(graph, (known = wordsIn(graph)));
  const { counts, nodes } = known;
  const weights = new Map(asked.map(word => [word, Math.log(1 + nodes.length / (1 + (counts.get(word) ?? 0)))]));
  const all = NAME_SHARE * [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  return nodes
    .filter(({ node, service: own }) => kinds.has(graph.kindOf(node)) && (service === undefined || own === service))
    .map(({ name, node, others }) => {
      const found = asked.reduce((sum, word) => sum + (weights.get(word) ?? 0) * (name.has(word) ? NAME_SHARE : others.has(word) ? 1 : 0), 0);
      return { node, score: all === 0 ? 0 : found / all };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || compareText(graph.idOf(a.node), graph.idOf(b.node)));
}

function wordsIn(graph: GraphView): ServiceWords {
  const counts = new Map<string, number>();
  const nodes = Array.from(graph.nodesAbove(SERVICE_KINDS), (node): Words => {
    const { attributes = {}, name } = graph.node(node);
    const words = { node, service: serviceIn(attributes), name: wordsOf(name), others: wordsOf(WORDED.map(key => textAt(attributes, key)).join(' ')) };
    for (const word of new Set([...words.name, ...words.others])) counts.set(word, (counts.get(word) ?? 0) + 1);
    return words;
  });
  return { nodes, counts };
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(tokenize(text).filter(word => !isStopWord(word)));
}

function serviceIn(attributes: AttributeValues): string {
  return textAt(attributes, 'service_name') || textAt(attributes, 'owning_service');
}

function textAt(attributes: AttributeValues, key: string): string {
  const value = attributes[key];
  return typeof value === 'string' ? value : '';
}
