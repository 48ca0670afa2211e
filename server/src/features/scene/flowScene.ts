import { counted } from '../../../protocol/figures';
import { err, ok, type Result } from '../../base/result';
import { SHOWN_CONFIDENCE } from '../../model/evidence';
import { RELATIONS, relationCode } from '../../model/relations';
import { type FlowStep, flowOf } from '../architecture/services/flow';
import { endpointCalled } from '../architecture/services/overview';
import { type FeatureFailure, notFound } from '../shared/failure';
import type { Question, Scene } from './question';
import { framesOf, serviceGroup } from './sceneGroups';
import { placeholderNode } from './sceneNodes';
import type { SceneEdgeDto, SceneNodeDto } from './sceneShapes';

/** What a request to an endpoint sets off, from top to bottom: handlers, the functions on the way, requests to other services, events and stores, in frames by service. */
export function flowScene({ expansions, graph, params, sources }: Question): Result<Scene, FeatureFailure> {
  const { target = '' } = params;
  const endpoint = sources.services === undefined ? undefined : endpointCalled(sources.services, target, undefined);
  if (sources.services === undefined || endpoint === undefined) return err(notFound(target, []));
  const steps = flowOf(sources.services, graph, endpoint);
  const ids = steps.map(({ id, kind, name, service }, place) => (id !== '' ? id : kind === 'store' ? `flow:${service}:${name}` : `flow:${place}`));
  const nodes = [...new Map(steps.map((step, place) => [ids[place] ?? '', nodeOf(step, ids[place] ?? '', place)])).values()];
  const edges = edgesOf(steps, ids);
  const groups = new Map(steps.filter(({ service }) => service !== '').map(({ service }) => [serviceGroup(service).id, serviceGroup(service)]));
  const others = groups.size - 1;
  return ok({
    nodes,
    edges,
    groups: framesOf(groups, nodes),
    omitted: { nodes: 0, edges: 0 },
    layout: 'blocks',
    title: `${endpoint.method} ${endpoint.path}`,
    summary: `Flow of an endpoint of ${endpoint.service}: ${counted(steps.length - 1, 'step')}, ${counted(others, 'other service')}.`,
    starts: ids.slice(0, 1),
    expanded: expansions.keys,
  });
}

const KINDS: Readonly<Record<FlowStep['kind'], string>> = {
  endpoint: 'endpoint',
  handler: 'function',
  function: 'function',
  publish: 'event',
  store: 'data_store',
};

/** Events and stores belong to nobody: what several services reach is there once. */
function nodeOf({ file, kind, line, name, service }: FlowStep, id: string, place: number): SceneNodeDto {
  const role = place === 0 ? 'start' : 'step';
  const parent = kind === 'publish' || kind === 'store' ? {} : { parent: serviceGroup(service).id };
  return placeholderNode({ id, label: name, kind: KINDS[kind], role, size: 1, path: file, line, ...parent });
}

const RELATION_OF: Readonly<Record<FlowStep['kind'], number>> = {
  endpoint: relationCode.SERVICE_CALLS,
  function: relationCode.CALLS,
  handler: relationCode.HANDLES_ENDPOINT,
  publish: relationCode.PUBLISHES_EVENT,
  store: relationCode.USES_STORE,
};

/** Each step hangs on the nearest one before it that is further out: what an endpoint sets off on its handler. */
function edgesOf(steps: readonly FlowStep[], ids: readonly string[]): SceneEdgeDto[] {
  const edges = new Map<string, SceneEdgeDto>();
  for (const [place, { depth, kind, line, possible }] of steps.entries()) {
    const before = steps.slice(0, place).findLastIndex(step => step.depth < depth);
    const [source, target] = [ids[before], ids[place]];
    if (source === undefined || target === undefined || source === target) continue;
    const relation = RELATIONS[steps[before]?.kind === 'publish' ? relationCode.CONSUMES_EVENT : RELATION_OF[kind]]?.name ?? '';
    const confidence = possible === true ? SHOWN_CONFIDENCE.possible : SHOWN_CONFIDENCE.certain;
    edges.set(`${source}\n${target}`, {
      source,
      target,
      links: [{ relation, count: 1, confidence, provenance: '', line }],
      count: 1,
      confidence,
    });
  }
  return [...edges.values()];
}
