import { louvainSteps } from '../../../algorithms/louvain';
import { seeded, shuffled } from '../../../algorithms/random';
import { kindsOf } from '../../../algorithms/rows';
import { simpleGraphSteps } from '../../../algorithms/simpleGraph';
import type { CancellationToken } from '../../../base/cancellation';
import { ok, type Result } from '../../../base/result';
import type { GraphView, NodeHandle } from '../../../code/graph/graphView';
import { type NodeColumn, nodeColumn } from '../../../model/ids';
import { RELATIONS, relationCode } from '../../../model/relations';
import { NO_SERVICES, type ServiceModel } from '../../../services/model';
import type { Stamp, Workspace } from '../../../workspace/snapshot';
import type { FeatureFailure } from '../../shared/failure';
import { inSteps } from '../../shared/steps';
import { serviceOfNodes } from './crossImpact';
import { readServices } from './reading';

export interface Boundaries {
  readonly communities: number;
  readonly services: number;
  /** Share of files that lie where their imports say, 0 to 1; 1 without files. */
  readonly alignment: number;
  readonly misplaced: readonly { readonly file: string; readonly declared: string; readonly community: string; readonly confidence: number }[];
  readonly isolated: readonly string[];
  readonly coupling: readonly { readonly a: string; readonly b: string; readonly edges: number }[];
}

const IMPORTS = kindsOf([relationCode.IMPORTS]);
const EVERY_EDGE = Uint8Array.from({ length: 256 }, (_, code) =>
  RELATIONS[code] === undefined || RELATIONS[code]?.layer === 'memory' || code === relationCode.CONTAINS_FILE ? 0 : 1,
);
const SEED = 42;

/** Compares the services with the groups that files form by their imports. */
export async function validateBoundaries(
  workspace: Workspace,
  params: { readonly resolution: number },
  token: CancellationToken,
): Promise<Result<Boundaries & { readonly stamp: Stamp }, FeatureFailure>> {
  const read = await readServices(workspace, token);
  if (!read.ok) return read;
  const { model, snapshot, stamp } = read.value;
  if (model === undefined) return ok({ communities: 0, services: 0, alignment: 1, misplaced: [], isolated: [], coupling: [], stamp });
  const { graph } = snapshot;
  const files = nodeColumn(Int32Array.from(graph.files()));
  const { backward, forward, live } = graph.walk(IMPORTS);
  const weights = new Float64Array(256);
  weights[relationCode.IMPORTS] = 1;
  const simple = await inSteps(simpleGraphSteps([...forward, ...backward], files, live.length, weights), workspace);
  const priorities = Uint32Array.from(shuffled(files.length, seeded(SEED)));
  const { count, of } = await inSteps(louvainSteps(simple, { resolution: params.resolution, priorities }), workspace);
  const isolated = [...files].filter((_, place) => simple.starts[place] === simple.starts[place + 1]).map(file => graph.idOf(file));
  const misplaced = misplacedFiles(graph, model, files, of);
  const declared = new Set([...files].map(file => model.serviceOf(graph.idOf(file))).filter(name => name !== ''));
  return ok({
    communities: count,
    services: declared.size,
    alignment: files.length === 0 ? 1 : round((files.length - misplaced.length) / files.length),
    misplaced,
    isolated: isolated.sort(),
    coupling: couplingOf(graph, model),
    stamp,
  });
}

function misplacedFiles(graph: GraphView, model: ServiceModel, files: NodeColumn, of: Int32Array): Boundaries['misplaced'] {
  const groups = new Map<number, NodeHandle[]>();
  files.forEach((file, place) => groups.set(of[place] ?? 0, [...(groups.get(of[place] ?? 0) ?? []), file]));
  return [...groups.values()].flatMap(members => {
    const counts = new Map<string, number>();
    for (const file of members) {
      const service = model.serviceOf(graph.idOf(file));
      if (service !== '') counts.set(service, (counts.get(service) ?? 0) + 1);
    }
    const [dominant] = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    if (dominant === undefined) return [];
    const [community, size] = dominant;
    return members
      .map(file => ({ file: graph.idOf(file), declared: model.serviceOf(graph.idOf(file)) }))
      .filter(({ declared }) => declared !== '' && declared !== community)
      .map(({ declared, file }) => ({ file, declared, community, confidence: round(size / members.length) }));
  });
}

/** Edges of any relation between nodes of two services, per pair. */
function couplingOf(graph: GraphView, model: ServiceModel): Boundaries['coupling'] {
  const serviceAt = serviceOfNodes(graph, model ?? NO_SERVICES);
  const counts = new Map<string, number>();
  const visit = (node: NodeHandle): void => {
    const from = serviceAt(node);
    if (from === '') return;
    for (const { target } of graph.out(node, undefined, EVERY_EDGE)) {
      const to = serviceAt(target);
      if (to === '' || to === from) continue;
      const key = from < to ? `${from}\n${to}` : `${to}\n${from}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  };
  for (const node of graph.nodes()) visit(node);
  for (const node of graph.nodesAbove(SERVICE_KINDS)) visit(node);
  return [...counts]
    .map(([key, edges]) => {
      const [a = '', b = ''] = key.split('\n');
      return { a, b, edges };
    })
    .sort((x, y) => y.edges - x.edges || (x.a < y.a ? -1 : 1));
}

const SERVICE_KINDS = new Set(['service', 'contract', 'endpoint', 'event', 'domain_entity'] as const);

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
