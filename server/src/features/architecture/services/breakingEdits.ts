import { type BrokenEndpoint, brokenEndpoints } from '../../../services/brokenEndpoints';
import type { EventSide, ServiceEvent } from '../../../services/model';
import type { Place } from '../../../services/surface';
import type { UnsavedModel } from '../../../workspace/services';
import { at, MAX_RELATED, type ServiceProblem } from './problems';

/** Callers that a message names; the others are counted. */
const MAX_NAMED = 3;

/** What unsaved text would break for other services: endpoints that they call and events that they consume, at the places that are being edited. */
export async function breakingEdits(unsaved: UnsavedModel): Promise<ServiceProblem[]> {
  const { edits, saved, typed } = unsaved;
  const edited = new Set(edits.map(({ file }) => file));
  const broken = await brokenEndpoints({ before: saved, after: typed, lineOfUnchanged: ({ file, line }) => (edited.has(file) ? undefined : line) });
  return [...broken.map(endpoint => endpointProblem(endpoint, unsaved)), ...lostPublishers(unsaved)];
}

function endpointProblem({ calls, fresh, lost, old, required }: BrokenEndpoint, unsaved: UnsavedModel): ServiceProblem {
  const { method, path, service } = old;
  const callers = namesOf(calls.map(({ request }) => request.source));
  const name = `${method} ${path}`;
  const isDeclared = unsaved.typed.endpoints.some(endpoint => endpoint.service === service && endpoint.id === old.id);
  const change =
    fresh === undefined
      ? isDeclared
        ? `no code in ${service} handles ${name} any more`
        : `${service} no longer serves ${name}`
      : [
          ...(required.length === 0 ? [] : [`${name} of ${service} requires ${listOf(required)}`]),
          ...(lost.length === 0 ? [] : [`${name} of ${service} no longer returns ${listOf(lost)}`]),
        ].join(', and ');
  const places = fresh === undefined ? [old.handlerPlace, old.place] : [fresh.place, fresh.handlerPlace];
  return {
    code: 'breaking-edit',
    severity: 'warning',
    message: `If this change is saved, ${change}. Called by ${callers}.`,
    service,
    ...at(editedPlace(places, unsaved, fresh === undefined)),
    related: calls.slice(0, MAX_RELATED).map(({ line, request: { place, source } }) => ({ name: `call by ${source}`, file: place.file, line })),
  };
}

/** Events that other services consume and that nobody publishes any more. */
function lostPublishers(unsaved: UnsavedModel): ServiceProblem[] {
  const { saved, typed } = unsaved;
  const served = (sides: readonly EventSide[]): readonly EventSide[] => sides.filter(({ service }) => service !== '');
  const now = new Map(typed.events.map(event => [event.id, event]));
  return saved.events.flatMap((event: ServiceEvent): ServiceProblem[] => {
    const [publisher] = served(event.publishers);
    const left = now.get(event.id);
    const consumers = served(left?.consumers ?? []).filter(({ service }) => service !== publisher?.service);
    if (publisher === undefined || left === undefined || consumers.length === 0 || served(left.publishers).length > 0) return [];
    return [
      {
        code: 'breaking-edit',
        severity: 'warning',
        message: `If this change is saved, no service publishes the event ${event.name} any more. Consumed by ${namesOf(consumers.map(({ service }) => service))}.`,
        service: publisher.service,
        ...at(editedPlace([publisher.place], unsaved, true)),
        related: consumers.slice(0, MAX_RELATED).map(({ place, service }) => ({ name: `consumer in ${service}`, ...at(place) })),
      },
    ];
  });
}

/** Where the change is being made: the first of some places that is in unsaved text, else the first line that was changed. */
function editedPlace(places: readonly (Place | undefined)[], { edits, lineOf }: UnsavedModel, isSaved: boolean): Place | undefined {
  const place = places.find(one => edits.some(({ file }) => file === one?.file));
  if (place === undefined) return edits[0] ?? places.find(one => one !== undefined);
  return isSaved ? { file: place.file, line: lineOf(place.file, place.line) } : place;
}

function namesOf(services: readonly string[]): string {
  const names = [...new Set(services)].sort();
  const more = names.length - MAX_NAMED;
  return more > 0 ? `${names.slice(0, MAX_NAMED).join(', ')} and ${more} more` : names.join(', ');
}

function listOf(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
