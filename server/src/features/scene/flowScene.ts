import { err, ok, type Result } from '../../base/result';
import { RELATIONS, relationCode } from '../../model/relations';
import { type FlowStep, flowOf } from '../architecture/services/flow';
import { endpointCalled } from '../architecture/services/overview';
import { type FeatureFailure, notFound } from '../shared/failure';
import type { Question, Scene } from './question';
import { framesOf, serviceGroup } from './sceneGroups';
import { counted, placeholderNode } from './sceneNodes';
import type { SceneEdgeDto, SceneNodeDto } from './sceneShapes';

/** What a request to an endpoint sets off, from top to bottom: handlers, requests to other services, events and stores, in frames by service. */
export function flowScene({ expansions, graph, params, sources }: Question): Result<Scene, FeatureFailure> {
  const { target = '' } = params;
  const endpoint = sources.services === undefined ? undefined : endpointCalled(sources.services, target, undefined);
  if (sources.services === undefined || endpoint === undefined) return err(notFound(target, []));
  const steps = flowOf(sources.services, graph, endpoint);
  const nodes = steps.map(nodeOf);
  const edges = edgesOf(steps);
  const groups = new Map(steps.map(({ service }) => [serviceGroup(service).id, serviceGroup(service)]));
  const others = new Set(steps.map(({ service }) => service)).size - 1;
  return ok({
    nodes,
    edges,
    groups: framesOf(groups, nodes),
    omitted: { nodes: 0, edges: 0 },
    layout: 'blocks',
    title: `${endpoint.method} ${endpoint.path}`,
    summary: `Flow of an endpoint of ${endpoint.service}: ${counted(steps.length - 1, 'step')}, ${counted(others, 'other service')}.`,
    starts: [idOf(0)],
    expanded: expansions.keys,
  });
}

function idOf(place: number): string {
  return `flow:${place}`;
}

const KINDS: Readonly<Record<FlowStep['kind'], string>> = {
  endpoint: 'endpoint',
  handler: 'function',
  call: 'endpoint',
  publish: 'event',
  store: 'data_store',
};

function nodeOf({ depth, file, kind, line, name, service }: FlowStep, place: number): SceneNodeDto {
  const role = place === 0 ? 'start' : 'step';
  return placeholderNode({ id: idOf(place), label: name, kind: KINDS[kind], role, size: 1, path: file, line, column: depth, parent: serviceGroup(service).id });
}

const RELATION_OF: Readonly<Record<FlowStep['kind'], number>> = {
  endpoint: relationCode.SERVICE_CALLS,
  call: relationCode.SERVICE_CALLS,
  handler: relationCode.HANDLES_ENDPOINT,
  publish: relationCode.PUBLISHES_EVENT,
  store: relationCode.USES_STORE,
};

/** Each step hangs on the nearest one before it that is further out; effects of an endpoint on its handler. */
function edgesOf(steps: readonly FlowStep[]): SceneEdgeDto[] {
  return steps.flatMap(({ depth, kind, line }, place): SceneEdgeDto[] => {
    const before = steps.slice(0, place).findLastIndex(step => step.depth < depth);
    if (before < 0) return [];
    const relation = RELATIONS[RELATION_OF[kind]]?.name ?? '';
    return [{ source: idOf(before), target: idOf(place), links: [{ relation, count: 1, confidence: 1, provenance: '', line }], count: 1, confidence: 1 }];
  });
}
