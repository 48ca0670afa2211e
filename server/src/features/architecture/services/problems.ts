import type { WorkspacePath } from '../../../base/path';
import type { Endpoint, EventSide, ServiceModel } from '../../../services/model';
import { fits, plainPath } from '../../../services/paths';
import type { Place } from '../../../services/surface';
import { similarNames } from './reading';

export const SEVERITIES = ['info', 'warning', 'error'] as const;

/** Something of the services that does not fit together. */
export interface ServiceProblem {
  /** What kind it is: stable, for exceptions and filters. */
  readonly code: 'breaking-edit' | 'unreadable' | 'missing-endpoint' | 'missing-handler' | 'unpublished-event' | 'unconsumed-event' | 'call-cycle';
  readonly severity: (typeof SEVERITIES)[number];
  readonly message: string;
  /** Service that has to change, `''` for none in particular. */
  readonly service: string;
  readonly file: WorkspacePath;
  /** 1-based; 0 where the file as a whole is meant. */
  readonly line: number;
  /** Places that the message is about. */
  readonly related: readonly RelatedPlace[];
  /** What may have been meant. */
  readonly fix?: ProblemFix | undefined;
}

interface RelatedPlace {
  /** `GET /orders/{id} of orders` */
  readonly name: string;
  readonly file: WorkspacePath;
  readonly line: number;
}

/** A replacement of words in the line of a problem. */
interface ProblemFix {
  readonly from: string;
  readonly to: string;
}

/** All problems, most severe first, then by file and line. `edited` are those that unsaved text makes: what they tell of callers is not told twice. */
export function problemsOf(model: ServiceModel, edited: readonly ServiceProblem[] = []): readonly ServiceProblem[] {
  const told = new Set(edited.flatMap(({ related }) => related.map(({ file, line }) => `${file}:${line}`)));
  const untold = { ...model, unanswered: model.unanswered.filter(({ place }) => !told.has(`${place.file}:${place.line}`)) };
  const found = [...edited, ...unreadable(model), ...unanswered(model), ...lostCallers(untold), ...withoutHandler(model), ...oneSided(model), ...cycles(model)];
  return found.sort(
    (a, b) =>
      SEVERITIES.indexOf(b.severity) - SEVERITIES.indexOf(a.severity) ||
      (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1) ||
      (a.message < b.message ? -1 : 1),
  );
}

export function at(place: Place | undefined): { readonly file: string; readonly line: number } {
  return { file: place?.file ?? '', line: place?.line ?? 0 };
}

function unreadable({ problems, serviceOf }: ServiceModel): ServiceProblem[] {
  return problems.map(({ file, line, message }) => ({ code: 'unreadable', severity: 'error', message, service: serviceOf(file), file, line, related: [] }));
}

/** Requests to a service of the workspace that has no such endpoint. */
function unanswered({ endpoints, unanswered: requests }: ServiceModel): ServiceProblem[] {
  return requests.map(({ method, path, place, source, target }) => {
    const near = nearest(
      { method, path },
      endpoints.filter(({ service }) => service === target),
    );
    return {
      code: 'missing-endpoint',
      severity: 'warning',
      message: `${source} calls ${method} ${path}, which ${target} does not serve.`,
      service: source,
      ...at(place),
      related: near.map(relatedEndpoint).filter(({ file }) => file !== ''),
      fix: near.map(endpoint => respelled(path, endpoint.path)).find(fix => fix !== undefined),
    };
  });
}

/** The same at the handlers that these requests may mean: after an edit of a route, its remaining callers are shown there. */
function lostCallers({ endpoints, unanswered: requests }: ServiceModel): ServiceProblem[] {
  const found = new Map<string, ServiceProblem>();
  for (const { method, path, place, source, target } of requests) {
    const [meant] = nearest(
      { method, path },
      endpoints.filter(({ handlerPlace, service }) => service === target && handlerPlace !== undefined),
    );
    if (meant === undefined) continue;
    const message = `${source} calls ${method} ${path}, but this handler serves ${meant.method} ${meant.path}.`;
    const key = `${meant.id} ${message}`;
    const caller = { name: `call by ${source}`, ...at(place) };
    const known = found.get(key);
    const related = [...(known?.related ?? []), caller].slice(0, MAX_RELATED);
    found.set(key, { code: 'missing-endpoint', severity: 'warning', message, service: target, ...at(meant.handlerPlace), related });
  }
  return [...found.values()];
}

/** Endpoints that a request may mean: the same path with another method, or one segment spelled differently. */
function nearest({ method, path }: Pick<Endpoint, 'method' | 'path'>, endpoints: readonly Endpoint[]): readonly Endpoint[] {
  const close = endpoints.filter(endpoint => fits(path, endpoint.path) || (endpoint.method === method && respelled(path, endpoint.path) !== undefined));
  return close.slice(0, MAX_RELATED);
}

/** What is known about a problem in other places, at most. */
export const MAX_RELATED = 3;

/** The one segment in which two paths differ, if the one may be a misspelling of the other. */
function respelled(from: string, to: string): ProblemFix | undefined {
  const [given, wanted] = [plainPath(from).split('/'), plainPath(to).split('/')];
  const differing = given.flatMap((segment, place) => (segment === wanted[place] || wanted[place]?.includes('{}') === true || segment === '{}' ? [] : [place]));
  const [place = -1] = differing;
  const [own, other] = [given[place], wanted[place]];
  if (given.length !== wanted.length || differing.length !== 1 || own === undefined || other === undefined) return undefined;
  return similarNames(own, [other]).length > 0 ? { from: `/${own}`, to: `/${other}` } : undefined;
}

function relatedEndpoint({ handlerPlace, method, path, place, service }: Endpoint): RelatedPlace {
  return { name: `${method} ${path} of ${service}`, ...at(handlerPlace ?? place) };
}

/**
 * Endpoints of a contract that no code answers, of providers whose other endpoints of the protocol are answered. Where none is, the code answers by a framework
 * that is not read.
 */
function withoutHandler({ endpoints, requests }: ServiceModel): ServiceProblem[] {
  const answering = new Map<string, Endpoint>();
  for (const endpoint of endpoints) if (isAnswered(endpoint) && !answering.has(sideOf(endpoint))) answering.set(sideOf(endpoint), endpoint);
  return endpoints
    .filter(endpoint => endpoint.service !== '' && !isAnswered(endpoint) && answering.has(sideOf(endpoint)))
    .map(endpoint => {
      const { id, method, path, place, service } = endpoint;
      const callers = requests.filter(({ endpoint }) => endpoint === id);
      const names = [...new Set(callers.map(({ source }) => source))];
      const other = answering.get(sideOf(endpoint));
      return {
        code: 'missing-handler',
        severity: 'warning',
        message: `No code in ${service} handles ${method} ${path} of its contract${names.length === 0 ? '' : `, which ${names.join(', ')} ${names.length === 1 ? 'calls' : 'call'}`}.`,
        service,
        ...at(place),
        related: [
          ...callers.slice(0, MAX_RELATED).map(caller => ({ name: `call by ${caller.source}`, ...at(caller.place) })),
          ...(other === undefined ? [] : [relatedEndpoint(other)]),
        ],
      };
    });
}

const GRAPHQL: ReadonlySet<string> = new Set(['QUERY', 'MUTATION', 'SUBSCRIPTION']);

/** A service and a protocol that it speaks. */
function sideOf({ method, service }: Endpoint): string {
  return `${service} ${GRAPHQL.has(method) ? 'graphql' : method === 'GRPC' ? 'grpc' : 'http'}`;
}

function isAnswered({ handlerPlace }: Endpoint): boolean {
  return handlerPlace !== undefined;
}

function oneSided({ events }: ServiceModel): ServiceProblem[] {
  const published = events.filter(({ publishers }) => publishers.some(({ service }) => service !== ''));
  const sides = (list: readonly EventSide[]): readonly EventSide[] => list.filter(({ service }) => service !== '');
  return events.flatMap(({ consumers, name, publishers }): ServiceProblem[] => {
    const [publisher] = sides(publishers);
    const [consumer] = sides(consumers);
    if (publisher !== undefined && consumer === undefined) {
      const message = `No service consumes the event ${name}, which ${publisher.service} publishes.`;
      return [{ code: 'unconsumed-event', severity: 'info', message, service: publisher.service, ...at(publisher.place), related: [] }];
    }
    if (consumer === undefined || publisher !== undefined) return [];
    const message = `No service publishes the event ${name}, which ${consumer.service} consumes.`;
    const similar = published.filter(event => similarNames(name, [event.name]).length > 0).slice(0, MAX_RELATED);
    const related = similar.flatMap(event => event.publishers.slice(0, 1).map(({ place }) => ({ name: `publisher of ${event.name}`, ...at(place) })));
    const [meant] = similar;
    const fix = meant === undefined ? undefined : { from: name, to: meant.name };
    return [{ code: 'unpublished-event', severity: 'warning', message, service: consumer.service, ...at(consumer.place), related, fix }];
  });
}

/** Services that call each other in a cycle, each cycle once, by its first name. An address that a service is merely given may be one that it tells others. */
function cycles(model: ServiceModel): ServiceProblem[] {
  const calls = model.calls.filter(({ kinds }) => kinds.some(kind => kind !== 'configuration'));
  const targets = new Map<string, string[]>();
  for (const { source, target } of calls) targets.set(source, [...(targets.get(source) ?? []), target].sort());
  const found: ServiceProblem[] = [];
  const seen = new Set<string>();
  for (const start of [...targets.keys()].sort()) {
    const cycle = cycleFrom(start, targets);
    const key = cycle?.toSorted().join('\n');
    if (cycle === undefined || key === undefined || seen.has(key)) continue;
    seen.add(key);
    const call = calls.find(({ source, target }) => source === start && target === cycle[1 % cycle.length]);
    found.push({
      code: 'call-cycle',
      severity: 'info',
      message: `These services call each other: ${[...cycle, start].join(' → ')}.`,
      service: start,
      ...at(call?.places[0]),
      related: [],
    });
  }
  return found;
}

/** The shortest way from a service back to itself. */
function cycleFrom(start: string, targets: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const before = new Map<string, string>();
  const queue = [start];
  for (const service of queue) {
    for (const target of targets.get(service) ?? []) {
      if (target === start) {
        const cycle = [service];
        while (cycle[0] !== start) cycle.unshift(before.get(cycle[0] ?? '') ?? start);
        return cycle;
      }
      if (before.has(target)) continue;
      before.set(target, service);
      queue.push(target);
    }
  }
  return undefined;
}
