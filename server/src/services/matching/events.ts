import type { WorkspacePath } from '../../base/path';
import { SERVICE_CONFIDENCE } from '../../model/evidence';
import { plainName } from '../discovery/folders';
import type { Contract, EventSide, Service, ServiceEvent } from '../model';
import type { SchemaField } from '../serviceFile';
import type { CodeSurface } from '../surface';
import type { Addresses } from './addresses';
import type { UsersOf } from './users';

export interface EventSources {
  readonly contracts: readonly Contract[];
  readonly services: readonly Service[];
  readonly serviceOf: (path: WorkspacePath) => string;
  readonly surface: CodeSurface;
  readonly usersOf: UsersOf;
  readonly addresses: Addresses;
  readonly asyncapi2: 'service' | 'specification';
}

interface Use {
  readonly direction: 'publish' | 'consume';
  readonly name: string;
  readonly channel: string;
  readonly aliases: readonly string[];
  readonly payload: readonly SchemaField[];
  readonly side: EventSide;
  /** Whether a contract says so. */
  readonly isDeclared: boolean;
  /** `EventUse.hasKeys` */
  readonly hasKeys: boolean;
}

/** Events of contracts and code. Uses with one name, or whose channel is the other's name or channel, are one event: both sides meet at it. */
export function matchEvents(sources: EventSources): readonly ServiceEvent[] {
  const uses = [...byChannels(declaredUses(sources)), ...codeUses(sources)];
  const groups = grouped(uses);
  const members = new Map<number, Use[]>();
  uses.forEach((use, at) => members.set(groups.rootOf(at), [...(members.get(groups.rootOf(at)) ?? []), use]));
  const taken = new Set<string>();
  return [...members.values()].map(group => eventOf(group, taken)).sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** One name is one event; so is a name that another use gives as its channel or alias. Documents name what is done, so what they say of one channel is one event too. */
function grouped(uses: readonly Use[]): Groups {
  const groups = new Groups(uses.length);
  const byName = new Map<string, number>();
  const byChannel = new Map<string, number>();
  const join = (known: Map<string, number>, word: string, at: number): void => {
    const first = known.get(word);
    if (first === undefined) known.set(word, at);
    else groups.join(first, at);
  };
  uses.forEach((use, at) => {
    join(byName, use.name.toLowerCase(), at);
    if (use.isDeclared && isDistinctive(use.channel)) join(byChannel, use.channel.toLowerCase(), at);
  });
  // A key that one side publishes with and a queue of the other is bound by.
  const byKey = new Map<string, number>();
  uses.forEach(({ aliases, direction, hasKeys }, at) => {
    if (hasKeys && direction === 'publish') for (const key of aliases.filter(isDistinctive)) join(byKey, key.toLowerCase(), at);
  });
  uses.forEach(({ aliases, direction, hasKeys }, at) => {
    for (const key of hasKeys && direction === 'consume' ? aliases : []) {
      const other = byKey.get(key.toLowerCase());
      if (other !== undefined) groups.join(other, at);
    }
  });
  uses.forEach(({ aliases, channel }, at) => {
    for (const word of [channel, ...aliases].filter(isDistinctive)) {
      const other = byName.get(word.toLowerCase());
      if (other !== undefined) groups.join(other, at);
    }
  });
  return groups;
}

/** What stands for any channel joins nothing. */
function isDistinctive(word: string): boolean {
  return /[a-z0-9]/i.test(word.replace(/\{[^}]*\}/g, ''));
}

function declaredUses({ asyncapi2, contracts, serviceOf, surface }: EventSources): Use[] {
  return contracts.flatMap(({ fact, file, id, service }) => {
    if (fact === undefined || fact.channels.length === 0) return [];
    const isReversed = fact.format.startsWith('2') && (asyncapi2 === 'specification' || isReversedByCode(fact.channels, service, { surface, serviceOf }));
    return fact.channels.map(({ channel, direction, line, name, payload }): Use => {
      const turned = direction === 'publish' ? 'consume' : 'publish';
      const side: EventSide = { service, contract: id, handler: undefined, place: { file, line }, confidence: SERVICE_CONFIDENCE.declared };
      return { direction: isReversed ? turned : direction, name, channel, aliases: [], payload, side, isDeclared: true, hasKeys: false };
    });
  });
}

/** Operations of one name that do the same on several channels are several events: each is called after its channel. */
function byChannels(uses: readonly Use[]): Use[] {
  const channels = new Map<string, Set<string>>();
  const keyOf = ({ direction, name }: Use): string => `${direction} ${name.toLowerCase()}`;
  for (const use of uses) channels.set(keyOf(use), (channels.get(keyOf(use)) ?? new Set()).add(use.channel));
  return uses.map(use => ((channels.get(keyOf(use))?.size ?? 0) < 2 ? use : { ...use, name: use.channel }));
}

/** Whether the code of the service does the reverse of what its document says, and nothing of what it says. */
function isReversedByCode(
  channels: NonNullable<Contract['fact']>['channels'],
  service: string,
  { serviceOf, surface }: Pick<EventSources, 'surface' | 'serviceOf'>,
): boolean {
  if (service === '') return false;
  const own = surface.events.filter(({ place }) => serviceOf(place.file) === service);
  const seen = channels.flatMap(({ channel, direction, name }) =>
    own
      .filter(event => [event.name, event.channel, ...event.aliases].some(word => word === channel || word === name))
      .map(event => event.direction === direction),
  );
  return seen.length > 0 && seen.every(isSame => !isSame);
}

function codeUses({ addresses, surface, usersOf }: EventSources): Use[] {
  return byKeys(surface.events).flatMap(({ aliases, channel, confidence, direction, hasKeys = false, name, place, symbol, variable }) =>
    usersOf(place.file, symbol).map((service): Use => {
      const side: EventSide = { service, contract: '', handler: symbol, place, confidence };
      const set = variable === undefined ? '' : (settingOf(addresses, service, variable) ?? '');
      // What a deployment sets stands before what code says where nothing is set.
      const use = { direction, payload: [], side, isDeclared: false, hasKeys };
      if (set === '' || set === name || !EVENT_NAME.test(set)) return { ...use, name, channel, aliases };
      const others = [name, ...aliases].filter(other => other !== variable);
      return { ...use, name: set, channel: channel === name ? set : channel, aliases: others };
    }),
  );
}

/** What a service is given for a variable; a binding is its own: others have one of that name too. */
function settingOf(addresses: Addresses, service: string, variable: string): string | undefined {
  return variable.startsWith('spring.cloud.stream.') ? addresses.valuesOf(service).get(plainName(variable)) : addresses.valueOf(service, variable);
}

/** A value of configuration that can be a name: no address, list or placeholder. */
const EVENT_NAME = /^[\w.:/-]*[a-z][\w.:/-]*$/i;

/** What is published to one exchange under several keys is an event for each key: the exchange only carries them. */
function byKeys(events: CodeSurface['events']): CodeSurface['events'] {
  const keys = new Map<string, Set<string>>();
  for (const { aliases, direction, name } of events) {
    const [key, ...more] = direction === 'publish' ? aliases : [];
    if (key !== undefined && more.length === 0) keys.set(name, (keys.get(name) ?? new Set()).add(key));
  }
  return events.map(event => {
    const [key] = event.aliases;
    if (event.direction !== 'publish' || key === undefined || (keys.get(event.name)?.size ?? 0) < 2) return event;
    return { ...event, name: key, channel: event.name, aliases: [] };
  });
}

function eventOf(group: readonly Use[], taken: Set<string>): ServiceEvent {
  const channels = [...new Set(group.map(use => use.channel))].filter(channel => channel !== '');
  const names = [...new Set(group.map(use => use.name))];
  // Several names that meet at one channel are what is done there; the channel is what it is about.
  const common = channels.length === 1 && names.length > 1 ? (channels[0] ?? '') : (mostCommon(group.map(use => use.name)) ?? '');
  const name = taken.has(common) ? (names.find(one => !taken.has(one)) ?? `${common} (${taken.size})`) : common;
  taken.add(name);
  const sides = (direction: Use['direction']): EventSide[] => distinct(group.filter(use => use.direction === direction).map(use => use.side));
  const words = [...new Set(group.flatMap(use => [use.name, use.channel, ...use.aliases]))];
  const channel = mostCommon(group.filter(use => use.name === name).map(use => use.channel)) || channels[0] || name;
  return {
    id: `event::${name}`,
    name,
    channel,
    aliases: words.filter(word => word !== name && word !== channel && word !== ''),
    payload: group.find(use => use.payload.length > 0)?.payload ?? [],
    publishers: sides('publish'),
    consumers: sides('consume'),
  };
}

/** Where a contract and code say the same of a service, the code's place and the contract's name are kept together. */
function distinct(sides: readonly EventSide[]): EventSide[] {
  const found = new Map<string, EventSide>();
  for (const side of sides) {
    const key = side.service === '' ? `contract ${side.contract}` : side.service;
    const known = found.get(key);
    found.set(key, known === undefined ? side : { ...known, contract: known.contract || side.contract, handler: known.handler ?? side.handler });
  }
  return [...found.values()];
}

function mostCommon(words: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}

/** Sets that are joined, by the smallest member of each. */
class Groups {
  readonly #parent: number[];

  constructor(size: number) {
    this.#parent = Array.from({ length: size }, (_, at) => at);
  }

  rootOf(member: number): number {
    let at = member;
    for (let parent = this.#parent[at] ?? at; parent !== at; parent = this.#parent[at] ?? at) at = parent;
    return at;
  }

  join(a: number, b: number): void {
    const [first, second] = [this.rootOf(a), this.rootOf(b)].sort((x, y) => x - y);
    this.#parent[second ?? 0] = first ?? 0;
  }
}
