import { compareText } from '../../../base/text';
import { type Endpoint, type Entity, endpointKey, type ServiceEvent, type ServiceModel } from '../../../services/model';
import type { Place } from '../../../services/surface';
import { INTERFACES, type InterfaceChange } from '../linkChanges';

interface Offered {
  readonly row: Omit<InterfaceChange, 'change'>;
  /** The same thing in another state. */
  readonly key: string;
  /** The same without the name of the service. */
  readonly keyWithin: string;
  /** What code answers is another thing than what only a contract promises. */
  readonly isHandled: boolean;
}

/**
 * Endpoints that came or went, events that a service began or ceased to publish or consume, and domain entities; in order of kind, service and name. An endpoint that has lost its handler counts as
 * removed even if a contract still promises it. The name of a parameter of a path, and a new name of the service as a whole, change nothing. `within`: whether a file is asked about.
 */
export function interfaceChanges(before: ServiceModel, after: ServiceModel, within: (path: string) => boolean): InterfaceChange[] {
  const [old, now] = [offeredIn(before), offeredIn(after)];
  const renamed = (model: ServiceModel, other: ServiceModel): ReadonlySet<string> => {
    const names = new Set(other.services.map(({ name }) => name));
    return new Set(model.services.map(({ name }) => name).filter(name => !names.has(name)));
  };
  const added = lacking(now, old, { own: renamed(after, before), others: renamed(before, after) });
  const removed = lacking(old, now, { own: renamed(before, after), others: renamed(after, before) });
  const rows = [
    ...added.map((row): InterfaceChange => ({ ...row, change: 'added' })),
    ...removed.map((row): InterfaceChange => ({ ...row, change: 'removed' })),
  ].filter(({ path }) => within(path));
  const order = (row: InterfaceChange): string => `${INTERFACES.indexOf(row.kind)} ${row.service} ${row.name} ${row.role ?? ''} ${row.change}`;
  return rows.sort((a, b) => compareText(order(a), order(b)));
}

/** What others do not have, neither under the same service nor under one that exists on one side only. */
function lacking(
  offered: readonly Offered[],
  others: readonly Offered[],
  lone: { readonly own: ReadonlySet<string>; readonly others: ReadonlySet<string> },
): Offered['row'][] {
  const keys = new Map(others.map(other => [other.key, other]));
  const elsewhere = new Set(others.filter(({ row }) => lone.others.has(row.service)).map(({ keyWithin }) => keyWithin));
  return offered.flatMap(({ isHandled, key, keyWithin, row }) => {
    const same = keys.get(key);
    if (same !== undefined && (same.isHandled || !isHandled)) return [];
    return lone.own.has(row.service) && elsewhere.has(keyWithin) ? [] : [row];
  });
}

function offeredIn({ endpoints, entities, events }: ServiceModel): Offered[] {
  return [...endpoints.map(endpointOffered), ...events.flatMap(eventOffered), ...entities.map(entityOffered)];
}

function endpointOffered(endpoint: Endpoint): Offered {
  const { handlerPlace, id, method, path, place, service } = endpoint;
  const row = { kind: 'endpoint', id, name: `${method} ${path}`, service, ...at(handlerPlace ?? place) } as const;
  return { row, key: `endpoint ${endpointKey(endpoint)}`, keyWithin: endpointKey({ ...endpoint, service: '' }), isHandled: handlerPlace !== undefined };
}

function eventOffered({ consumers, id, name, publishers }: ServiceEvent): Offered[] {
  const sides = [...publishers.map(side => ({ side, role: 'publishes' as const })), ...consumers.map(side => ({ side, role: 'consumes' as const }))];
  const found = new Map<string, Offered>();
  for (const { role, side } of sides) {
    const row = { kind: 'event', id, name, service: side.service, role, ...at(side.place) } as const;
    const [key, keyWithin] = [`event ${side.service} ${role} ${name}`, `event ${role} ${name}`];
    if (!found.has(key)) found.set(key, { row, key, keyWithin, isHandled: true });
  }
  return [...found.values()];
}

function entityOffered({ name, owner, place }: Entity): Offered {
  const row = { kind: 'domain_entity', id: `domain_entity::${name}`, name, service: owner, ...at(place) } as const;
  return { row, key: `entity ${name}`, keyWithin: `entity ${name}`, isHandled: true };
}

function at(place: Place | undefined): Pick<InterfaceChange, 'path' | 'line'> {
  return { path: place?.file ?? '', line: place?.line ?? 0 };
}
