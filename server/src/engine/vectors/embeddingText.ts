import type { GraphView } from '../../code/graph/graphView';
import type { StableId } from '../../model/ids';

/** What a service is told of a document: labelled statements, no source. */
export function embeddingTextOf(graph: GraphView, id: StableId): string {
  const handle = graph.find(id);
  if (handle === undefined) return id;
  const { kind, language, name, nodeType, path, signature, summary } = graph.node(handle);
  return nodeType === 'file' ? `file ${path} (${language ?? 'text'}): ${summary}` : `${name} in ${path}: ${summary}. ${kind ?? nodeType}. ${signature}`;
}
