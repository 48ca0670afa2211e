/** What an overview of services shows beside their code: requests and events between them, and services and stores without code. */

import { compareText } from '../../../base/text';
import type { GraphView, NodeHandle } from '../../../code/graph/graphView';
import { SHOWN_CONFIDENCE } from '../../../model/evidence';
import { relationCode } from '../../../model/relations';
import type { EventSide, ServiceModel } from '../../../services/model';
import type { Place } from '../../../services/surface';
import type { Level } from '../boxes/boxScene';
import { serviceGroup } from '../sceneGroups';

/** An end of a line: the code, or the box that stands for it where no code is shown. */
export interface MapEnd {
  readonly box: string;
  readonly node: NodeHandle | undefined;
}

/** A request or an event that goes from one service to another, or the use of a store. */
export interface MapLine {
  readonly source: MapEnd;
  readonly target: MapEnd;
  /** Number of the relation. */
  readonly relation: number;
  readonly count: number;
  /** From 0 to 1. */
  readonly confidence: number;
}

export interface ServiceMap {
  /** Boxes that no code stands in: services of configuration alone, and stores. */
  readonly boxes: readonly Level[];
  readonly lines: readonly MapLine[];
}

/** The map of a model. Lines lead from code to code where both sides are known, so that they stay when a service is opened. */
export function serviceMapOf(model: ServiceModel, graph: GraphView): ServiceMap {
  const end = (service: string, place: Place | undefined, id?: string): MapEnd => ({
    box: serviceGroup(service).id,
    node: (id === undefined ? undefined : graph.find(id)) ?? (place === undefined ? undefined : graph.fileOf(place.file)),
  });
  const used = new Set([...model.storeUses.values()].flat());
  const stores = model.stores.filter(({ name }) => used.has(name));
  const boxes: Level[] = [
    ...model.services.map(({ name }) => serviceGroup(name)),
    ...stores.map(
      ({ name, product }): Level => ({ id: storeBox(name), label: product === '' || product === name ? name : `${name} (${product})`, kind: 'data_store' }),
    ),
  ];
  return { boxes, lines: [...requestLines(model, end), ...eventLines(model, end), ...storeLines(model)] };
}

type EndOf = (service: string, place: Place | undefined, id?: string) => MapEnd;

function storeBox(name: string): string {
  return `store:${name}`;
}

/** One line per request; a call of which no request is known, such as that of a gateway, is a line between the services. */
function requestLines({ calls, endpoints, requests }: ServiceModel, end: EndOf): MapLine[] {
  const byId = new Map(endpoints.map(endpoint => [endpoint.id, endpoint]));
  const known = new Set<string>();
  const relation = relationCode.SERVICE_CALLS;
  const lines = requests.flatMap(({ caller, confidence, endpoint, place, source }): MapLine[] => {
    const target = byId.get(endpoint);
    if (target === undefined || target.service === '' || target.service === source) return [];
    known.add(`${source}\n${target.service}`);
    return [{ source: end(source, place, caller), target: end(target.service, target.handlerPlace, target.handler), relation, count: 1, confidence }];
  });
  const others = calls.filter(({ kinds, source, target }) => !known.has(`${source}\n${target}`) && kinds.some(kind => kind !== 'imports'));
  return [
    ...lines,
    ...others.map(({ confidence, places, source, target, viaEndpoints }) => {
      const count = Math.max(1, viaEndpoints.length);
      return { source: end(source, places[0]), target: end(target, undefined), relation, count, confidence };
    }),
  ];
}

/** From each publisher of an event to each service that consumes it. */
function eventLines({ events }: ServiceModel, end: EndOf): MapLine[] {
  return events.flatMap(({ consumers, publishers }) =>
    sidesOf(publishers).flatMap(from =>
      sidesOf(consumers).flatMap((to): MapLine[] =>
        from.service === to.service
          ? []
          : [
              {
                source: end(from.service, from.place, from.handler),
                target: end(to.service, to.place, to.handler),
                relation: relationCode.PUBLISHES_EVENT,
                count: 1,
                confidence: Math.min(from.confidence, to.confidence),
              },
            ],
      ),
    ),
  );
}

/** One side per service. */
function sidesOf(sides: readonly EventSide[]): EventSide[] {
  const named = sides.filter(({ service }) => service !== '').sort((a, b) => compareText(a.service, b.service));
  return [...new Map(named.map(side => [side.service, side])).values()];
}

function storeLines({ storeUses }: ServiceModel): MapLine[] {
  return [...storeUses].flatMap(([service, names]) =>
    names.map(name => ({
      source: { box: serviceGroup(service).id, node: undefined },
      target: { box: storeBox(name), node: undefined },
      relation: relationCode.USES_STORE,
      count: 1,
      confidence: SHOWN_CONFIDENCE.certain,
    })),
  );
}
