import { z } from 'zod';
import type { CancellationToken } from '../../base/cancellation';
import { ok, type Result } from '../../base/result';
import { compareText } from '../../base/text';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { FACT_CONFIDENCE } from '../../model/evidence';
import type { Workspace } from '../../workspace/snapshot';
import type { FeatureFailure } from '../shared/failure';
import { feature } from '../shared/feature';
import { isStructure } from '../shared/links';
import { idParams } from '../shared/params';
import { object, type Shaped, shape } from '../shared/shape';

const placeShape = shape(() =>
  object({
    path: z.string(),
    /** 1-based. */
    line: z.number(),
    /** It may mean something else. */
    possible: z.boolean(),
  }),
);
const referencesShape = shape(() => object({ places: z.array(placeShape()) }));
export type ReferencePlace = Shaped<typeof placeShape>;

/**
 * Lines that name a symbol, tests included: certain ones first, each by path and line. A line counts once, however often it names the symbol;
 * of one user at most the first 20 lines are known.
 */
export function referencesTo(graph: GraphView, node: NodeHandle): ReferencePlace[] {
  const certain = new Set<string>();
  const places = new Map<string, ReferencePlace>();
  for (const { confidence, lines, relation, source } of graph.in(node)) {
    if (isStructure(relation)) continue;
    const file = graph.fileNodeOf(source);
    if (file === undefined) continue;
    const path = graph.idOf(file);
    for (const line of lines) {
      const key = `${path}:${line}`;
      if (confidence >= FACT_CONFIDENCE) certain.add(key);
      places.set(key, { path, line, possible: !certain.has(key) });
    }
  }
  return [...places.values()].sort((a, b) => Number(a.possible) - Number(b.possible) || compareText(a.path, b.path) || a.line - b.line);
}

async function references(
  workspace: Workspace,
  params: { readonly id: string },
  _token: CancellationToken,
): Promise<Result<{ readonly places: readonly ReferencePlace[] }, FeatureFailure>> {
  const graph = workspace.current()?.graph;
  const node = graph?.find(params.id);
  return ok({ places: graph === undefined || node === undefined ? [] : referencesTo(graph, node) });
}

export const referencesFeature = feature({
  name: 'references',
  about: 'Lines that name a symbol, certain ones first; none when it no longer exists.',
  params: idParams,
  answer: referencesShape,
  run: references,
});
