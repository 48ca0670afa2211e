import type { WorkspacePath } from '../../../base/path';
import type { Endpoint, EventSide, ServiceModel } from '../../../services/model';
import type { Place } from '../../../services/surface';

export const SEVERITIES = ['info', 'warning', 'error'] as const;

/** Something of the services that does not fit together. */
export interface ServiceProblem {
  /** What kind it is: stable, for exceptions and filters. */
  readonly code: 'unreadable' | 'missing-endpoint' | 'missing-handler' | 'unpublished-event' | 'unconsumed-event' | 'call-cycle';
  readonly severity: (typeof SEVERITIES)[number];
  readonly message: string;
  /** Service that has to change, `''` for none in particular. */
  readonly service: string;
  readonly file: WorkspacePath;
  /** 1-based; 0 where the file as a whole is meant. */
  readonly line: number;
}

/** All problems, most severe first, then by file and line. */
export function problemsOf(model: ServiceModel): readonly ServiceProblem[] {
  const found = [...unreadable(model), ...unanswered(model), ...withoutHandler(model), ...oneSided(model), ...cycles(model)];
  return found.sort(
    (a, b) =>
      SEVERITIES.indexOf(b.severity) - SEVERITIES.indexOf(a.severity) ||
      (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1) ||
      (a.message < b.message ? -1 : 1),
  );
}

function at(place: Place | undefined): { readonly file: string; readonly line: number } {
  return { file: place?.file ?? '', line: place?.line ?? 0 };
}

function unreadable({ problems, serviceOf }: ServiceModel): ServiceProblem[] {
  return problems.map(({ file, line, message }) => ({ code: 'unreadable', severity: 'error', message, service: serviceOf(file), file, line }));
}

/** Requests to a service of the workspace that has no such endpoint. */
function unanswered({ unanswered: requests }: ServiceModel): ServiceProblem[] {
  return requests.map(({ method, path, place, source, target }) => ({
    code: 'missing-endpoint',
    severity: 'warning',
    message: `${source} calls ${method} ${path}, which ${target} does not serve.`,
    service: source,
    ...at(place),
  }));
}

/** Endpoints of a contract that no code answers, of providers whose other endpoints are answered. */
function withoutHandler({ endpoints }: ServiceModel): ServiceProblem[] {
  const answering = new Set(endpoints.filter(isAnswered).map(({ service }) => service));
  return endpoints
    .filter(endpoint => endpoint.service !== '' && !isAnswered(endpoint) && answering.has(endpoint.service))
    .map(({ method, path, place, service }) => ({
      code: 'missing-handler',
      severity: 'warning',
      message: `No code of ${service} handles ${method} ${path} of its contract.`,
      service,
      ...at(place),
    }));
}

function isAnswered({ handlerPlace }: Endpoint): boolean {
  return handlerPlace !== undefined;
}

function oneSided({ events }: ServiceModel): ServiceProblem[] {
  const sides = (list: readonly EventSide[]): readonly EventSide[] => list.filter(({ service }) => service !== '');
  return events.flatMap(({ consumers, name, publishers }): ServiceProblem[] => {
    const [publisher] = sides(publishers);
    const [consumer] = sides(consumers);
    if (publisher !== undefined && consumer === undefined) {
      const message = `No service consumes the event ${name}, which ${publisher.service} publishes.`;
      return [{ code: 'unconsumed-event', severity: 'info', message, service: publisher.service, ...at(publisher.place) }];
    }
    if (consumer === undefined || publisher !== undefined) return [];
    const message = `No service publishes the event ${name}, which ${consumer.service} consumes.`;
    return [{ code: 'unpublished-event', severity: 'warning', message, service: consumer.service, ...at(consumer.place) }];
  });
}

/** Services that call each other in a circle, each circle once, by its first name. */
function cycles({ calls }: ServiceModel): ServiceProblem[] {
  const targets = new Map<string, string[]>();
  for (const { source, target } of calls) targets.set(source, [...(targets.get(source) ?? []), target].sort());
  const found: ServiceProblem[] = [];
  const seen = new Set<string>();
  for (const start of [...targets.keys()].sort()) {
    const circle = circleFrom(start, targets);
    const key = circle?.toSorted().join('\n');
    if (circle === undefined || key === undefined || seen.has(key)) continue;
    seen.add(key);
    const call = calls.find(({ source, target }) => source === start && target === circle[1 % circle.length]);
    found.push({
      code: 'call-cycle',
      severity: 'info',
      message: `These services call each other: ${[...circle, start].join(' → ')}.`,
      service: start,
      ...at(call?.places[0]),
    });
  }
  return found;
}

/** The shortest way from a service back to itself. */
function circleFrom(start: string, targets: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const before = new Map<string, string>();
  const queue = [start];
  for (const service of queue) {
    for (const target of targets.get(service) ?? []) {
      if (target === start) {
        const circle = [service];
        while (circle[0] !== start) circle.unshift(before.get(circle[0] ?? '') ?? start);
        return circle;
      }
      if (before.has(target)) continue;
      before.set(target, service);
      queue.push(target);
    }
  }
  return undefined;
}
