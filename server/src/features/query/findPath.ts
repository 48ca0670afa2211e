import { z } from 'zod';
import { reach } from '../../algorithms/reach';
import { accepts, type LinkFilter } from '../../algorithms/rows';
import type { CancellationToken } from '../../base/cancellation';
import { ok, type Result } from '../../base/result';
import type { GraphEdge, GraphView, NodeHandle } from '../../code/graph/graphView';
import { encodeConfidence } from '../../model/evidence';
import { NO_NODE } from '../../model/ids';
import type { Workspace } from '../../workspace/snapshot';
import type { FeatureFailure } from '../shared/failure';
import { feature } from '../shared/feature';
import { answerFresh, type Stamped } from '../shared/fresh';
import { linksAround } from '../shared/links';
import { flag, number, relations, text } from '../shared/params';
import { rowOf, symbolRowShape } from '../shared/rows';
import { object, optional, type Shaped, shape, stamped } from '../shared/shape';
import { pathOfTarget, resolveTarget } from '../shared/target';
import { edgeRowOf, edgeRowShape } from './edgeRows';

export const pathParams = shape(() =>
  object({
    from: text(),
    to: text(),
    /** Along links whichever way they point; else only from source to target. */
    undirected: optional(flag()),
    relations: optional(relations()),
    /** Links less sure than this are not taken; 0 to 1. */
    minConfidence: optional(number()),
  }),
);
export type PathParams = Shaped<typeof pathParams>;

export const pathAnswerShape = shape(() =>
  object({
    from: symbolRowShape(),
    to: symbolRowShape(),
    /** From the one to the other; empty when no path leads there. */
    nodes: z.array(symbolRowShape()),
    /** The link of each step, as it points: `edges[i]` joins `nodes[i]` and `nodes[i + 1]`. */
    edges: z.array(edgeRowShape()),
    /** Product of the confidences. */
    confidence: z.number(),
    /** Others that `from` or `to` may have meant. */
    candidates: z.array(z.string()),
    /** One of the two has no exact match: it is the best search result. */
    guessed: z.boolean(),
  }),
);
export type PathAnswer = Shaped<typeof pathAnswerShape>;

/** The path of fewest links between two nodes; of several the one whose nodes come first by path and line. */
export async function findPath(workspace: Workspace, params: PathParams, token: CancellationToken): Promise<Result<Stamped<PathAnswer>, FeatureFailure>> {
  const known = [params.from, params.to].map(target => pathOfTarget(workspace, target)).filter(path => path !== undefined);
  return answerFresh(workspace, known, token, snapshot => {
    const from = resolveTarget(snapshot, workspace, params.from);
    if (!from.ok) return from;
    const to = resolveTarget(snapshot, workspace, params.to);
    if (!to.ok) return to;
    const { graph } = snapshot;
    const filter: LinkFilter = {
      ...linksAround(graph, [from.value.node, to.value.node], params.relations),
      minConfidence: encodeConfidence(params.minConfidence ?? 0),
    };
    const path = shortest(graph, from.value.node, to.value.node, params.undirected === true, filter);
    const edges = path
      .slice(1)
      .map((node, at) => linkBetween(graph, path[at] ?? node, node, filter.kinds, params))
      .filter(edge => edge !== undefined);
    const value: PathAnswer = {
      from: rowOf(graph.node(from.value.node)),
      to: rowOf(graph.node(to.value.node)),
      nodes: path.map(node => rowOf(graph.node(node))),
      edges: edges.map(edge => edgeRowOf(graph, edge)),
      confidence: Math.round(edges.reduce((product, edge) => product * edge.confidence, 1) * 1e4) / 1e4,
      candidates: [...from.value.candidates, ...to.value.candidates],
      guessed: from.value.guessed || to.value.guessed,
    };
    return ok({ value, touched: value.nodes.map(node => node.path) });
  });
}

function shortest(graph: GraphView, from: NodeHandle, to: NodeHandle, undirected: boolean, filter: LinkFilter): NodeHandle[] {
  const { forward, backward, live } = graph.walk(filter.kinds);
  const { depths } = reach(undirected ? [...forward, ...backward] : backward, live, [to], Number.POSITIVE_INFINITY, filter);
  if ((depths[from] ?? -1) < 0) return [];
  const path = [from];
  for (let node = from; node !== to; ) {
    const wanted = (depths[node] ?? 0) - 1;
    let next = NO_NODE;
    for (const rows of undirected ? [...forward, ...backward] : forward) {
      for (let link = rows.starts[node] ?? 0; link < (rows.ends[node] ?? 0); link++) {
        const target = rows.targets[link] ?? NO_NODE;
        if (depths[target] !== wanted || !accepts(rows, link, filter)) continue;
        if (next === NO_NODE || graph.orderOf(target) < graph.orderOf(next)) next = target;
      }
    }
    path.push(next);
    node = next;
  }
  return path;
}

/** The surest link between two neighbors, whichever way it is told. */
function linkBetween(graph: GraphView, a: NodeHandle, b: NodeHandle, kinds: Uint8Array, { minConfidence = 0 }: PathParams): GraphEdge | undefined {
  const isOther = (node: NodeHandle): boolean => node === b;
  const links = [...graph.out(a, isOther, kinds), ...graph.in(a, isOther, kinds)];
  const usable = links.filter(edge => edge.confidence >= minConfidence);
  return usable.sort((x, y) => y.confidence - x.confidence)[0];
}

export const findPathFeature = feature({
  name: 'findPath',
  about: 'The path with the highest confidence between two nodes.',
  params: pathParams,
  answer: stamped(pathAnswerShape),
  run: findPath,
});
