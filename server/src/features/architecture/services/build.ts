import type { CancellationToken } from '../../../base/cancellation';
import { ok, type Result } from '../../../base/result';
import type { GraphView } from '../../../code/graph/graphView';
import { KINDS, type Kind } from '../../../model/kinds';
import { RELATIONS } from '../../../model/relations';
import type { Stamp, Workspace } from '../../../workspace/snapshot';
import type { FeatureFailure } from '../../shared/failure';
import { readServices } from './reading';

export interface BuildParams {
  /** Only when the service map names this project; `''` for any. */
  readonly projectName: string;
  /** False takes a model that is younger than five minutes. */
  readonly force: boolean;
  /** JSON object by name of a service, merged over what code shows; `''` for none. */
  readonly interfaces: string;
}

export interface BuildAnswer {
  readonly success: boolean;
  readonly nodeCount: number;
  readonly edgeCount: number;
  readonly nodeTypes: Readonly<Record<string, number>>;
  readonly edgeTypes: Readonly<Record<string, number>>;
  readonly communityCount: number;
  readonly buildTimeMs: number;
  readonly services: readonly string[];
  readonly errors: readonly string[];
  /** Symbols that were matched to domain entities. */
  readonly matched: readonly { readonly entity: string; readonly symbol: string }[];
  readonly stamp: Stamp;
}

const YOUNG_MS = 300_000;
const EVERY_KIND = new Uint8Array(256).fill(1);
const SERVICE_RELATIONS = Uint8Array.from({ length: 256 }, (_, code) => (RELATIONS[code]?.layer === 'services' ? 1 : 0));

/** Builds the services layer anew and counts what the graph holds with it. */
export async function buildServices(
  workspace: Workspace,
  { force, interfaces, projectName }: BuildParams,
  token: CancellationToken,
): Promise<Result<BuildAnswer, FeatureFailure>> {
  const built = workspace.services?.built;
  const isYoung = built !== undefined && workspace.records.now() - built.at < YOUNG_MS;
  const read = await readServices(workspace, token, { anew: force || !isYoung, interfaces });
  if (!read.ok) return read;
  const { model, snapshot, stamp } = read.value;
  const { graph } = snapshot;
  const errors = (model?.problems ?? []).map(({ file, line, message }) => `${file}${line > 0 ? `:${line}` : ''}: ${message}`);
  const isOther = model !== undefined && projectName !== '' && model.projectName !== projectName;
  const failed = model !== undefined && model.services.length === 0 && model.problems.some(({ file }) => file === '');
  return ok({
    success: !failed && !isOther,
    ...countsOf(graph),
    communityCount: graph.knownCommunities === undefined && !graph.hasQuickCommunities ? 0 : graph.describedCommunities().length,
    buildTimeMs: workspace.services?.built?.durationMs ?? 0,
    services: isOther ? [] : (model?.services ?? []).map(({ name }) => name),
    errors: isOther ? [...errors, `The service map is for the project ${model.projectName}, not ${projectName}.`] : errors,
    matched: (model?.entities ?? []).flatMap(({ implementations, name }) => implementations.map(symbol => ({ entity: name, symbol }))),
    stamp,
  });
}

const KINDS_OF_LAYER: ReadonlySet<Kind> = new Set(KINDS.flatMap(({ layer, name }) => (layer === 'services' ? [name] : [])));

type Counts = Pick<BuildAnswer, 'nodeCount' | 'edgeCount' | 'nodeTypes' | 'edgeTypes'>;

/** Of the graphs that are still there. */
const COUNTED = new WeakMap<GraphView, Counts>();

/** Nodes by type and edges by relation, of code and services. */
function countsOf(graph: GraphView): Counts {
  const known = COUNTED.get(graph) ?? { nodeCount: graph.nodeCount, edgeCount: graph.edgeCount, ...byKind(graph) };
  COUNTED.set(graph, known);
  return known;
}

function byKind(graph: GraphView): Pick<Counts, 'nodeTypes' | 'edgeTypes'> {
  const { relations, symbolsByKind } = graph.tally();
  const nodeTypes: Record<string, number> = { file: graph.fileCount, symbol: Object.values(symbolsByKind).reduce((sum, count) => sum + count, 0) };
  const edgeTypes: Record<string, number> = Object.fromEntries(relations.map(({ facts, maybes, relation }) => [relation, facts + maybes]));
  const add = (relation: string): void => {
    edgeTypes[relation] = (edgeTypes[relation] ?? 0) + 1;
  };
  for (const node of graph.nodesAbove(KINDS_OF_LAYER)) {
    const kind = graph.kindOf(node);
    nodeTypes[kind] = (nodeTypes[kind] ?? 0) + 1;
    for (const { relation } of graph.out(node, undefined, EVERY_KIND)) add(relation);
    for (const { relation, source } of graph.in(node, undefined, SERVICE_RELATIONS)) if (!KINDS_OF_LAYER.has(graph.kindOf(source))) add(relation);
  }
  return { nodeTypes, edgeTypes };
}
