import { compareText } from '../../../base/text';
import type { StableId } from '../../../model/ids';
import type { Endpoint, EventSide, ServiceModel } from '../../../services/model';
import type { Place } from '../../../services/surface';

/** What a symbol is to other services, in lines. Texts of the workspace are given to `bold` and `plain`, which escape them. */
export function serviceLines(model: ServiceModel | undefined, id: StableId, bold: (text: string) => string, plain: (text: string) => string): string[] {
  if (model === undefined) return [];
  const served = endpointsOf(model, id).map(endpoint => {
    const contract = contractOf(endpoint);
    return ['Serves ' + bold(nameOf(endpoint)), contract === '' ? '' : `contract ${plain(contract)}`, callersOf(model, endpoint, plain)];
  });
  const byId = new Map(model.endpoints.map(endpoint => [endpoint.id, endpoint]));
  const called = model.requests.flatMap(({ caller, endpoint }) => {
    const target = caller === id ? byId.get(endpoint) : undefined;
    if (target === undefined) return [];
    const { handlerPlace } = target;
    return [[`Calls ${bold(nameOf(target))} of ${bold(target.service)}`, handlerPlace === undefined ? '' : plain(`${handlerPlace.file}:${handlerPlace.line}`)]];
  });
  const eventNotes = model.events.flatMap(({ consumers, name, publishers }) => [
    ...(handles(publishers, id) ? [[`Publishes ${bold(name)}`, sidesOf('consumed', consumers, plain)]] : []),
    ...(handles(consumers, id) ? [[`Consumes ${bold(name)}`, sidesOf('published', publishers, plain)]] : []),
  ]);
  const lines = [...served, ...called, ...eventNotes].map(parts => parts.filter(part => part !== '').join(' · '));
  const unique = [...new Set(lines)];
  return unique.length <= MAX_LINES ? unique : [...unique.slice(0, MAX_LINES - 1), `and ${unique.length - MAX_LINES + 1} more endpoints, calls and events`];
}

const MAX_LINES = 3;

/** What a symbol serves and who calls it, for one line above it; `''` for one that serves nothing. */
export function servedLine(model: ServiceModel | undefined, id: StableId): string {
  return model === undefined ? '' : lineOf(model, endpointsOf(model, id));
}

/** A line of a file that other services have to do with: what is said above it, and where that leads. */
export interface NotedLine {
  /** 1-based. */
  readonly line: number;
  readonly text: string;
  readonly places: readonly Place[];
}

/** Handlers without a name, requests to other services and events of a file, by line. */
export function notedLines(model: ServiceModel, path: string): readonly NotedLine[] {
  const lines = [...unnamedIn(model, path), ...requestsIn(model, path), ...eventsIn(model, path)];
  const unique = new Map(lines.map(noted => [`${noted.line}\n${noted.text}`, noted]));
  return [...unique.values()].sort((a, b) => a.line - b.line || compareText(a.text, b.text));
}

function unnamedIn(model: ServiceModel, path: string): NotedLine[] {
  const byLine = new Map<number, Endpoint[]>();
  for (const endpoint of model.endpoints) {
    const { handler, handlerPlace } = endpoint;
    if (handler !== undefined || handlerPlace?.file !== path) continue;
    byLine.set(handlerPlace.line, [...(byLine.get(handlerPlace.line) ?? []), endpoint]);
  }
  return [...byLine].map(([line, endpoints]) => ({ line, text: lineOf(model, endpoints), places: placesOf(model, endpoints) }));
}

function requestsIn(model: ServiceModel, path: string): NotedLine[] {
  const byId = new Map(model.endpoints.map(endpoint => [endpoint.id, endpoint]));
  return model.requests.flatMap(({ endpoint, place }): NotedLine[] => {
    const target = place.file === path ? byId.get(endpoint) : undefined;
    const leads = target?.handlerPlace ?? target?.place;
    return target === undefined ? [] : [{ line: place.line, text: `calls ${nameOf(target)} · ${target.service}`, places: leads === undefined ? [] : [leads] }];
  });
}

function eventsIn({ events }: ServiceModel, path: string): NotedLine[] {
  const noted = (own: readonly EventSide[], others: readonly EventSide[], verb: string, passive: string, name: string): NotedLine[] =>
    own.flatMap(({ place }) => {
      if (place?.file !== path) return [];
      const places = others.flatMap(side => (side.service !== '' && side.place !== undefined ? [side.place] : []));
      return [{ line: place.line, text: `${verb} ${name} · ${sidesOf(passive, others, text => text)}`, places }];
    });
  return events.flatMap(({ consumers, name, publishers }) => [
    ...noted(publishers, consumers, 'publishes', 'consumed', name),
    ...noted(consumers, publishers, 'consumes', 'published', name),
  ]);
}

/** Where the endpoints of a symbol are called, else where their contract declares them. */
export function servedPlaces(model: ServiceModel | undefined, id: StableId): readonly Place[] {
  return model === undefined ? [] : placesOf(model, endpointsOf(model, id));
}

function placesOf({ requests }: ServiceModel, endpoints: readonly Endpoint[]): Place[] {
  const ids = new Set(endpoints.map(({ id }) => id));
  const callers = requests.filter(({ endpoint }) => ids.has(endpoint)).map(({ place }) => place);
  return callers.length > 0 ? callers : endpoints.flatMap(endpoint => (contractOf(endpoint) === '' || endpoint.place === undefined ? [] : [endpoint.place]));
}

function lineOf(model: ServiceModel, [first, ...others]: readonly Endpoint[]): string {
  if (first === undefined) return '';
  const contract = contractOf(first);
  const parts = [
    `${nameOf(first)}${others.length === 0 ? '' : ` and ${others.length} more`}`,
    contract === '' ? '' : `contract ${contract}`,
    callersOf(model, first, text => text),
  ];
  return parts.filter(part => part !== '').join(' · ');
}

export function endpointsOf({ endpoints }: ServiceModel, id: StableId): readonly Endpoint[] {
  return endpoints.filter(({ handler }) => handler === id);
}

function nameOf({ method, path }: Endpoint): string {
  return `${method} ${path}`;
}

/** Where a contract that somebody wrote declares it. */
function contractOf({ contracts, handlerPlace, place }: Endpoint): string {
  const isDeclared = place !== undefined && place.file !== handlerPlace?.file && contracts.some(contract => !contract.startsWith('derived/'));
  return isDeclared ? `${place.file}:${place.line}` : '';
}

function callersOf({ requests }: ServiceModel, { id }: Endpoint, plain: (text: string) => string): string {
  const sources = [...new Set(requests.flatMap(({ endpoint, source }) => (endpoint === id ? [source] : [])))];
  return sources.length === 0 ? '' : `called by ${sources.map(plain).join(', ')}`;
}

function handles(sides: readonly EventSide[], id: StableId): boolean {
  return sides.some(({ handler }) => handler === id);
}

function sidesOf(verb: string, sides: readonly EventSide[], plain: (text: string) => string): string {
  const names = [...new Set(sides.map(({ service }) => service).filter(service => service !== ''))];
  return `${verb} by ${names.length === 0 ? 'no service' : names.map(plain).join(', ')}`;
}
