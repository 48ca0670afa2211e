import { louvainSteps } from '../../../algorithms/louvain';
import { seeded, shuffled } from '../../../algorithms/random';
import { kindsOf } from '../../../algorithms/rows';
import { simpleGraphSteps } from '../../../algorithms/simpleGraph';
import type { CancellationToken } from '../../../base/cancellation';
import { ok, type Result } from '../../../base/result';
import { runSteps } from '../../../base/steps';
import type { GraphView, NodeHandle } from '../../../code/graph/graphView';
import { type NodeColumn, nodeColumn } from '../../../model/ids';
import { RELATIONS, relationCode } from '../../../model/relations';
import type { ServiceModel } from '../../../services/model';
import type { Stamp, Workspace } from '../../../workspace/snapshot';
import type { FeatureFailure } from '../../shared/failure';
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
  const known = KNOWN.get(model);
  if (known?.graph === graph && known.resolution === params.resolution) return ok({ ...known.boundaries, stamp });
  const boundaries = await boundariesOf(workspace, graph, model, params.resolution);
  KNOWN.set(model, { graph, resolution: params.resolution, boundaries });
  return ok({ ...boundaries, stamp });
}

/** The last answer for a model: it is asked again and again while files are moved one by one. */
const KNOWN = new WeakMap<ServiceModel, { readonly graph: GraphView; readonly resolution: number; readonly boundaries: Boundaries }>();

async function boundariesOf(workspace: Workspace, graph: GraphView, model: ServiceModel, resolution: number): Promise<Boundaries> {
  const files = nodeColumn(Int32Array.from(graph.files()));
  const { backward, forward, live } = graph.walk(IMPORTS);
  const weights = new Float64Array(256);
  weights[relationCode.IMPORTS] = 1;
  const simple = await runSteps(simpleGraphSteps([...forward, ...backward], files, live.length, weights), () => workspace.pause?.());
  const priorities = Uint32Array.from(shuffled(files.length, seeded(SEED)));
  const { count, of } = await runSteps(louvainSteps(simple, { resolution, priorities }), () => workspace.pause?.());
  const isolated = [...files].filter((_, place) => simple.starts[place] === simple.starts[place + 1]).map(file => graph.idOf(file));
  const misplaced = misplacedFiles(graph, model, files, of);
  const declared = new Set([...files].map(file => model.serviceOf(graph.idOf(file))).filter(name => name !== ''));
  return {
    communities: count,
    services: declared.size,
    alignment: files.length === 0 ? 1 : round((files.length - misplaced.length) / files.length),
    misplaced,
    isolated: isolated.sort(),
    coupling: couplingOf(graph, model),
  };
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
  const { forward, live } = graph.walk(EVERY_EDGE);
  const names: string[] = [''];
  const of = servicesOfNodes(graph, model, live, names);
  const counts = new Map<number, number>();
  for (const { ends, relations, starts, targets } of forward) {
    for (let node = 0; node < starts.length; node++) {
      const from = of[node] ?? 0;
      if (from === 0) continue;
      const end = ends[node] ?? 0;
      for (let link = starts[node] ?? 0; link < end; link++) {
        const to = of[targets[link] ?? 0] ?? 0;
        if (to === 0 || to === from || EVERY_EDGE[relations[link] ?? 0] !== 1) continue;
        const key = Math.min(from, to) * names.length + Math.max(from, to);
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
  }
  return [...counts]
    .map(([key, edges]) => {
      const [a = '', b = ''] = [names[Math.floor(key / names.length)] ?? '', names[key % names.length] ?? ''].sort();
      return { a, b, edges };
    })
    .sort((x, y) => y.edges - x.edges || (x.a === y.a ? (x.b < y.b ? -1 : 1) : x.a < y.a ? -1 : 1));
}

/** Number of the service of each live node, 0 for none; `names` gets their names. */
function servicesOfNodes(graph: GraphView, model: ServiceModel, live: Uint8Array, names: string[]): Int32Array {
  const numbers = new Map([['', 0]]);
  const numberOf = (name: string): number => {
    let number = numbers.get(name);
    if (number === undefined) {
      number = names.push(name) - 1;
      numbers.set(name, number);
    }
    return number;
  };
  const of = new Int32Array(live.length);
  for (const file of graph.files()) of[file] = numberOf(model.serviceOf(graph.idOf(file)));
  for (const node of graph.nodes()) of[node] = of[graph.fileNodeOf(node) ?? node] ?? 0;
  const serviceAt = serviceOfNodes(graph, model);
  for (const node of graph.nodesAbove(SERVICE_KINDS)) of[node] = numberOf(serviceAt(node));
  return of;
}

const SERVICE_KINDS = new Set(['service', 'contract', 'endpoint', 'event', 'domain_entity'] as const);

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
