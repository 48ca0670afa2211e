/** Requests, events, remote procedures and stores, from the rows of clients, events and stores. */

import type { Steps } from '../../base/steps';
import { type CallTerm, type Term, termName } from '../../model/digest';
import { SERVICE_CONFIDENCE } from '../../model/evidence';
import type { ClientCall, EventUse, Place } from '../surface';
import { methodNames, type RouteCollector } from './collector';
import { COMPUTED } from './computed';
import {
  type ArgumentSelector,
  type ClientRow,
  type EventCall,
  type EventRow,
  type Invocation,
  type InvocationRow,
  type LanguageTables,
  RECEIVER,
} from './framework';
import { readDocuments } from './languages/graphql';
import { own } from './own';
import { calleeOf, selfScope } from './questions';
import { append, type FileUnit, type Scope } from './units';
import { urlOf } from './urls';
import { carriedBy, receiverOf } from './uses/carriers';
import { Queues } from './uses/queues';
import { readRpcs } from './uses/rpcs';
import { NamedApplications, publishedTopic, subscribedTopics, throughSidecar } from './uses/sidecar';
import { bindingOfBeans, bindingsOfListener, deadLetterOf } from './uses/springRabbit';
import { joined, type Origin, type Piece, type Value } from './values';
import type { Visit } from './visits';

/** Adds them to what was collected. */
export function* readUses(collector: RouteCollector, tablesOf: (file: FileUnit) => LanguageTables | undefined): Steps<void> {
  const uses = collector;
  const applications = new NamedApplications(collector);
  const queues = new Queues(collector);
  yield* collector.eachVisit(visit => readBindings(collector, visit, tablesOf(visit.scope.file), queues));
  yield* collector.eachVisit(visit => {
    const tables = tablesOf(visit.scope.file);
    if (tables === undefined) return;
    const callees = collector.evaluator.values(calleeOf(visit.call), visit.scope);
    const paths = callees.flatMap(value => (value.kind === 'outside' ? [value.path] : []));
    const method = methodOf(visit.call);
    const rows = rowsOf(tables);
    for (const row of rows.clients.meant(paths, method?.name)) {
      const before = uses.calls.length;
      readClient(collector, visit, row, paths, uses.calls);
      const app = uses.calls.length === before ? undefined : applications.of(visit.call, visit.scope);
      if (app !== undefined) for (const made of uses.calls.splice(before)) uses.calls.push({ ...made, url: { host: app, path: made.url.path } });
    }
    for (const row of rows.invocations.meant(paths, method?.name)) {
      const rule = method === undefined ? undefined : own(row.methods, method.name);
      if (rule !== undefined && method !== undefined && receiverIs(collector, method.owner, visit.scope, row.types))
        readInvocation(collector, visit, row.name, rule, uses.calls);
    }
    for (const row of rows.events.meant(paths, method?.name)) {
      const direct = paths.map(path => own(row.calls, path)).find(each => each !== undefined);
      if (direct !== undefined) addEvent(collector, visit, row, direct, queues);
      const rule = method === undefined ? undefined : own(row.methods, method.name);
      if (rule !== undefined && method !== undefined && isMeant(collector, method, visit.scope, row)) addEvent(collector, visit, row, rule, queues);
    }
    if (tables.hasPlaceholders === true) readSpringRabbit(collector, visit, uses.events);
    for (const topic of subscribedTopics(collector, visit.call, visit.scope)) addSubscription(collector, visit, topic, uses.events);
    readRpcs(collector, visit, tables, paths);
    readDocuments(collector, visit);
    for (const path of paths) {
      const store = own(tables.stores, path);
      if (store !== undefined)
        uses.stores.push({ ...store, framework: path, confidence: SERVICE_CONFIDENCE.store, place: collector.placeOf(visit.scope.file, visit.call.position) });
    }
  });
  publishThroughSidecar(uses.calls, uses.events);
}

function readBindings(collector: RouteCollector, visit: Visit, tables: LanguageTables | undefined, queues: Queues): void {
  const { call, scope } = visit;
  const method = methodOf(call);
  const bean = tables?.hasPlaceholders === true ? bindingOfBeans(collector, visit) : undefined;
  if (bean !== undefined) queues.add(bean.queues, bean, call, scope);
  for (const row of tables === undefined || method === undefined ? [] : rowsOf(tables).events.meant([], method.name)) {
    const binding = own(row.bindings, method?.name ?? '');
    if (binding !== undefined && method !== undefined && receiverIs(collector, method.owner, scope, row.types)) queues.bind(call, scope, binding, row.carriers);
  }
}

/** What is posted to the topic of a sidecar is no request to a service. */
function publishThroughSidecar(calls: ClientCall[], events: EventUse[]): void {
  for (const { confidence, place, symbol, url } of calls) {
    const name = publishedTopic(url);
    if (name !== undefined) events.push({ direction: 'publish', name, channel: name, aliases: [], symbol, framework: 'dapr', confidence, place });
  }
}

function addSubscription(collector: RouteCollector, { call, scope }: Visit, name: string, events: EventUse[]): void {
  const place = collector.placeOf(scope.file, call.position);
  const symbol = collector.symbolAround(scope, call.position);
  events.push({ direction: 'consume', name, channel: name, aliases: [], symbol, framework: 'dapr', confidence: SERVICE_CONFIDENCE.event, place });
}

/** Who listens to a queue that is bound in an annotation; what a queue gives up is published again by who declares it so. */
function readSpringRabbit(collector: RouteCollector, visit: Visit, events: EventUse[]): void {
  for (const { exchange, key, queues } of bindingsOfListener(collector, visit)) addListener(collector, visit, [key, exchange, ...queues], events);
  const name = deadLetterOf(collector, visit);
  if (name === undefined) return;
  const { call, scope } = visit;
  const place = collector.placeOf(scope.file, call.position);
  const symbol = collector.symbolAround(scope, call.position);
  events.push({ direction: 'publish', name, channel: name, aliases: [], symbol, framework: 'spring-rabbit', confidence: SERVICE_CONFIDENCE.event, place });
}

/** Who listens to a queue that is bound where it is declared: the first word is the event, which others are the same. */
function addListener(collector: RouteCollector, { call, decorated, scope }: Visit, words: readonly string[], events: EventUse[]): void {
  const [name, ...aliases] = words.filter(word => /\w/.test(word.replace(/[#*]/g, '')) && !/[#*]/.test(word));
  if (name === undefined || decorated === undefined || !('fn' in decorated)) return;
  const { symbol } = collector.handlerOfFunction(decorated.fn, scope.file);
  const place = collector.placeOf(scope.file, call.position);
  const confidence = SERVICE_CONFIDENCE.event;
  events.push({ direction: 'consume', name, channel: name, aliases, hasKeys: true, symbol, framework: 'spring-rabbit', confidence, place });
}

/** `client.InvokeMethod(ctx, "orders", "items", "get")` */
function readInvocation(collector: RouteCollector, { call, decorated, scope }: Visit, framework: string, rule: Invocation, calls: ClientCall[]): void {
  const [app] = decorated === undefined ? collector.evaluator.textsAt(call, rule.app, scope) : [];
  if (app === undefined) return;
  const [path = []] = collector.evaluator.textsAt(call, rule.path, scope);
  const url = joined([{ is: 'text', text: 'http://' }, ...app, { is: 'text', text: '/' }, ...path]);
  calls.push(callOf(collector, call, scope, framework, methodIn(collector, call, scope, { at: rule.verb, otherwise: 'ANY' }), url));
}

/** Rows by what tells that one may be meant: most calls are none of any row. */
class RowIndex<Row extends { readonly calls?: object; readonly methods?: object; readonly bindings?: object }> {
  readonly #byName = new Map<string, Row[]>();

  constructor(private readonly rows: readonly Row[]) {
    for (const row of rows) {
      for (const path of Object.keys(row.calls ?? {})) append(this.#byName, path, row);
      for (const method of Object.keys({ ...row.methods, ...row.bindings })) append(this.#byName, `.${method}`, row);
    }
  }

  /** Rows for a call of one of these things outside, or of a method with this name, in the order of the table. */
  meant(paths: readonly string[], method: string | undefined): readonly Row[] {
    const ofMethod = method === undefined ? undefined : this.#byName.get(`.${method}`);
    const ofPaths = paths.flatMap(path => this.#byName.get(path) ?? []);
    if (ofPaths.length === 0) return ofMethod ?? [];
    const meant = new Set([...(ofMethod ?? []), ...ofPaths]);
    return this.rows.filter(row => meant.has(row));
  }
}

interface Rows {
  readonly clients: RowIndex<ClientRow>;
  readonly events: RowIndex<EventRow>;
  readonly invocations: RowIndex<InvocationRow>;
}

const ROWS = new Map<LanguageTables, Rows>();

function rowsOf(tables: LanguageTables): Rows {
  let rows = ROWS.get(tables);
  if (rows === undefined) {
    rows = { clients: new RowIndex(tables.clients), events: new RowIndex(tables.events), invocations: new RowIndex(tables.invocations ?? []) };
    ROWS.set(tables, rows);
  }
  return rows;
}

function methodOf(call: CallTerm): { readonly owner: Term; readonly name: string } | undefined {
  const callee = calleeOf(call);
  return callee !== 0 && callee.kind === 'member' ? callee : undefined;
}

/** Whether something is made by, or of, one of the types. What a value is made by is a path of calls: `redis.Redis.pubsub`. */
function receiverIs(collector: RouteCollector, term: Term, scope: Scope, types: readonly string[]): boolean {
  return collector.evaluator.values(term, scope).some(value => (value.kind === 'made' || value.kind === 'outside') && types.includes(value.path));
}

/** Whether a method is called on something of a row, or is one that only this row has and called on something unknown. */
function isMeant(collector: RouteCollector, { name, owner }: { readonly name: string; readonly owner: Term }, scope: Scope, row: EventRow): boolean {
  if (receiverIs(collector, owner, scope, row.types)) return true;
  return row.distinctive?.includes(name) === true && collector.evaluator.values(owner, scope).length === 0;
}

function readClient(collector: RouteCollector, visit: Visit, row: ClientRow, paths: readonly string[], calls: ClientCall[]): void {
  const { call, scope } = visit;
  for (const path of paths) {
    const rule = own(row.calls, path);
    if (rule !== undefined) return addCall(collector, visit, row.name, rule, [], calls);
  }
  const method = methodOf(call);
  const rule = method === undefined ? undefined : own(row.methods, method.name);
  if (rule === undefined || method === undefined || row.makers === undefined) return;
  for (const value of collector.evaluator.values(method.owner, scope)) {
    if (value.kind !== 'made' && value.kind !== 'outside') continue;
    const maker = row.isBuilder === true ? builderOf(row.makers, value.path) : value.path;
    const base = own(row.makers, maker);
    if (base === undefined) continue;
    return addCall(collector, visit, row.name, rule, baseOf(collector, value, base), calls);
  }
}

/** What a builder began with: `HttpRequest.newBuilder` of `HttpRequest.newBuilder.GET.timeout`. */
function builderOf(makers: NonNullable<ClientRow['makers']>, path: string): string {
  return Object.keys(makers).find(maker => path.startsWith(`${maker}.`)) ?? path;
}

function baseOf(collector: RouteCollector, value: Value, where: ArgumentSelector | null): readonly Piece[] {
  if (where === null || value.kind !== 'made' || value.call === undefined || value.scope === undefined) return [];
  return collector.evaluator.textsAt(value.call, where, value.scope)[0] ?? [];
}

type RequestRule = { readonly method: string | { readonly at: ArgumentSelector; readonly otherwise: string }; readonly url: ArgumentSelector };

function addCall(collector: RouteCollector, visit: Visit, framework: string, rule: RequestRule, base: readonly Piece[], calls: ClientCall[]): void {
  const { call, scope, decorated } = visit;
  if (decorated !== undefined) return;
  const { evaluator } = collector;
  const url = evaluator.argument(call, rule.url, scope);
  const method = typeof rule.method === 'string' ? undefined : evaluator.argument(call, rule.method.at, scope);
  const before = calls.length;
  // One caller at a time, where callers decide: each method stays with its path, each path with its host.
  // A method in options that callers give stands where they do.
  const callers = method === undefined || method.scope === scope ? [method, url].flatMap(each => (each?.scope === scope ? [each.term] : [])) : call.args;
  const isGiven = url?.scope === scope;
  if (isGiven && method !== undefined) evaluator.eachUseOf(callers, scope, site => addCallAt(collector, visit, { framework, rule, base, site }, calls));
  else if (isGiven) {
    const found: ClientCall[] = [];
    evaluator.eachUseOf(callers, scope, () => addCallAt(collector, visit, { framework, rule, base, site: undefined }, found));
    const known = new Map(found.map(made => [JSON.stringify([made.method, made.url, made.place]), made]));
    calls.push(...known.values());
  } else addCallAt(collector, visit, { framework, rule, base, site: undefined }, calls);
  if (calls.length === before && url !== undefined) collector.skip(COMPUTED.address, scope.file, call.position);
}

interface Request {
  readonly framework: string;
  readonly rule: RequestRule;
  readonly base: readonly Piece[];
  /** The call of the function around it that is looked at. */
  readonly site: Origin | undefined;
}

function addCallAt(collector: RouteCollector, { call, scope }: Visit, { base, framework, rule, site }: Request, calls: ClientCall[]): void {
  const urls = collector.evaluator.originsAt(call, rule.url, scope).slice(0, 12);
  const known = urls.length === 0 && base.length > 0 ? [{ pieces: base, via: undefined }] : urls.map(each => ({ ...each, pieces: under(base, each.pieces) }));
  for (const { pieces, via = site } of known) {
    const made = callOf(collector, call, scope, framework, methodIn(collector, call, scope, rule.method), pieces);
    calls.push(via === undefined ? made : { ...made, place: collector.placeOf(via.file, via.position), symbol: symbolOf(collector, via) });
  }
}

/** A relative address below a base. */
function under(base: readonly Piece[], url: readonly Piece[]): readonly Piece[] {
  const [first] = url;
  if (base.length === 0 || (first?.is === 'text' && /^\w+:\/\//.test(first.text)) || first?.is === 'variable') return url;
  return joined([...base, { is: 'text', text: '/' }, ...url]);
}

function methodIn(
  collector: RouteCollector,
  call: CallTerm,
  scope: Scope,
  method: string | { readonly at: ArgumentSelector; readonly otherwise: string },
): string {
  if (typeof method === 'string') return method;
  const at = collector.evaluator.argument(call, method.at, scope);
  if (at === undefined) return method.otherwise;
  // One that is given and not known may be any.
  return methodNames(at.term, at.scope, collector.evaluator)[0]?.toUpperCase() ?? 'ANY';
}

export function callOf(collector: RouteCollector, call: CallTerm, scope: Scope, framework: string, method: string, url: readonly Piece[]): ClientCall {
  const template = throughSidecar(urlOf(url));
  const place = collector.placeOf(scope.file, call.position);
  return {
    method,
    url: template,
    symbol: collector.symbolAround(scope, call.position),
    framework,
    confidence: template.host === undefined && template.hostFrom === undefined ? SERVICE_CONFIDENCE.requestWithoutHost : SERVICE_CONFIDENCE.request,
    place,
  };
}

interface EventNames {
  readonly all: readonly Named[];
  /** Names that stand elsewhere, by argument. */
  readonly others: readonly (readonly Named[])[];
  /** The exchange, where each of its keys is an event. */
  readonly exchange: Named | undefined;
}

function namesOfEvent(collector: RouteCollector, { call, scope }: Visit, { carriers }: EventRow, rule: EventCall, queues: Queues): EventNames {
  const at = (where: ArgumentSelector): NamedThing => namedAt(collector, call, where, scope, carriers);
  const { keys: bound, names: named } = rule.inKeys === true ? { keys: [], names: keysAt(collector, call, rule.name, scope) } : at(rule.name);
  const others = [...(rule.aliases ?? []).map(where => at(where).names), bound];
  const keys = others.flat().filter(({ via }) => via !== undefined);
  // An exchange that callers publish to under keys of their own: each key is an event.
  const [exchange] = named.length === 1 && named[0]?.via === undefined && keys.length > 1 ? named : [];
  const usual: readonly Named[] = rule.otherwise === undefined ? [] : [{ name: rule.otherwise, via: undefined }];
  const ways = [exchange === undefined ? named : keys, ofSubclasses(collector, call, rule.name, scope), ...others, usual];
  const consumed = (): readonly Named[] => queues.consumed(call, rule.name, scope, carriers).map(name => ({ name, via: undefined }));
  return { all: ways.find(each => each.length > 0) ?? (rule.direction === 'publish' ? [] : consumed()), others, exchange };
}

function addEvent(collector: RouteCollector, visit: Visit, row: EventRow, rule: EventCall, queues: Queues): void {
  const { events } = collector;
  const { call, decorated, scope } = visit;
  const { all, exchange, others } = namesOfEvent(collector, visit, row, rule, queues);
  if (all.length === 0) {
    // A reader of its own may have found what this sends.
    const { file, line } = collector.placeOf(scope.file, call.position);
    if (!events.some(({ place }) => place.file === file && place.line === line)) collector.skip(COMPUTED.event, scope.file, call.position);
    return;
  }
  const symbol =
    decorated !== undefined && 'fn' in decorated ? collector.handlerOfFunction(decorated.fn, scope.file).symbol : collector.symbolAround(scope, call.position);
  for (const { name, variable, via } of all) {
    const place = via === undefined ? collector.placeOf(scope.file, call.position) : collector.placeOf(via.file, via.position);
    // Of several names that one argument may have, none is another one's.
    const apart = others.filter(each => !each.some(one => one.name === name));
    const aliases = exchange === undefined ? [...new Set(apart.flatMap(each => aliasOf(each, via)))] : [];
    const { bound, from } = destinationOf(collector, row.name, { name, variable: exchange === undefined ? variable : undefined }, place);
    events.push({
      direction: rule.direction,
      name: bound ?? name,
      channel: bound ?? exchange?.name ?? name,
      ...(from === undefined ? {} : { variable: from }),
      aliases: bound === undefined ? aliases : [name, ...aliases],
      ...(row.hasKeys === true ? { hasKeys: true } : {}),
      symbol: via === undefined ? symbol : symbolOf(collector, via),
      framework: row.name,
      confidence: SERVICE_CONFIDENCE.event,
      place,
    });
  }
}

/** Where a binding of Spring Cloud Stream leads by the configuration of its module, else what tells it elsewhere; for others the variable that holds the name. */
function destinationOf(
  collector: RouteCollector,
  framework: string,
  { name, variable }: { readonly name: string; readonly variable: string | undefined },
  place: Place,
): { readonly bound?: string; readonly from?: string } {
  if (framework !== 'spring-cloud-stream') return variable === undefined ? {} : { from: variable };
  const binding = `spring.cloud.stream.bindings.${name}.destination`;
  const bound = collector.configuration.valueFor(place.file, binding);
  return bound === undefined ? { from: binding } : { bound };
}

interface Named {
  readonly name: string;
  readonly variable?: string;
  readonly via: Origin | undefined;
}

/** Names of a queue, exchange or topic with the keys that it is bound by. */
interface NamedThing {
  readonly names: readonly Named[];
  readonly keys: readonly Named[];
}

function namedAt(collector: RouteCollector, call: CallTerm, where: ArgumentSelector, scope: Scope, carriers: EventRow['carriers']): NamedThing {
  const given = where === RECEIVER ? { term: receiverOf(call), scope } : collector.evaluator.argument(call, where, scope);
  const carried = given === undefined ? [] : carriedBy(collector, given.term, given.scope, carriers);
  const all = carried.length > 0 ? carried.flatMap(({ names }) => names) : where === RECEIVER ? [] : collector.evaluator.originsAt(call, where, scope);
  // `os.Getenv("TOPIC")`, and a name where that is not set: the name is what tells.
  const literal = all.filter(({ pieces }) => pieces.some(piece => piece.is !== 'variable' || piece.fallback !== undefined));
  const names = (literal.length > 0 ? literal : all).map(({ pieces, via }) => named(pieces, via));
  const keys = carried.flatMap(each => each.keys.map(pieces => named(pieces, undefined)));
  return { names: names.filter(({ name }) => /[a-z0-9]/i.test(name)), keys: keys.filter(({ name }) => name !== '' && !/[#*]/.test(name)) };
}

function named(pieces: readonly Piece[], via: Origin | undefined): Named {
  const [only, ...others] = pieces;
  return { name: nameOf(pieces), via, ...(only?.is === 'variable' && others.length === 0 ? { variable: only.name } : {}) };
}

function keysAt(collector: RouteCollector, call: CallTerm, where: ArgumentSelector, scope: Scope): readonly Named[] {
  const at = collector.evaluator.argument(call, where, scope);
  const values = at === undefined ? [] : collector.evaluator.values(at.term, at.scope);
  return values.flatMap(value => (value.kind === 'object' ? value.entries.flatMap(([name]) => (name === '' ? [] : [{ name, via: undefined }])) : []));
}

/** `this.subject` of a base class: what its subclasses set. */
function ofSubclasses(collector: RouteCollector, call: CallTerm, where: ArgumentSelector, scope: Scope): readonly Named[] {
  const term = collector.evaluator.argument(call, where, scope)?.term ?? 0;
  const around = selfScope(scope)?.cls;
  if (around === undefined || term === 0 || term.kind !== 'member' || !/^(?:this|self)$/.test(termName(term.owner))) return [];
  return collector.units.subclassesNamed(around.name).flatMap(({ cls, file }) => {
    const values = collector.evaluator.member({ kind: 'instance', cls, scope: file.scope }, term.name, 0, file.scope);
    const set = cls.body.find(step => step.kind === 'let' && step.name === term.name);
    const position = set?.kind === 'let' ? set.position : cls.position;
    return values.flatMap(value => (value.kind === 'text' ? [named(value.pieces, { file, position })] : []));
  });
}

/** Of the names that callers give for another part of an event, the one that stands nearest to where its own name is given. */
function aliasOf(names: readonly Named[], via: Origin | undefined): readonly string[] {
  const near = names.filter(each => each.via === undefined || (via !== undefined && each.via.file === via.file));
  const distance = (each: Named): number => Math.abs((each.via?.position ?? 0) - (via?.position ?? 0));
  const [first] = via === undefined ? [] : near.filter(each => each.via !== undefined).toSorted((left, right) => distance(left) - distance(right));
  return first === undefined ? near.filter(each => each.via === undefined).map(each => each.name) : [first.name];
}

function symbolOf(collector: RouteCollector, { file, position }: Origin): string | undefined {
  const node = collector.units.symbolAt(file, position);
  return node === undefined ? undefined : collector.units.graph.idOf(node);
}

/** A name with defaults for variables; `''` when nothing of it is known. */
function nameOf(pieces: readonly Piece[]): string {
  if (pieces.every(piece => piece.is === 'hole')) return '';
  return pieces.map(piece => (piece.is === 'text' ? piece.text : piece.is === 'variable' ? (piece.fallback ?? piece.name) : `{${piece.name}}`)).join('');
}
