/** Requests of `HttpClient` with the base address of its registration, Refit interfaces, invocations through Dapr, messages of buses that are told by their type. */

import { type CallTerm, type DigestClass, type Term, termName } from '../../../../model/digest';
import { SERVICE_CONFIDENCE } from '../../../../model/evidence';
import { methodNames, type Reader, type RouteCollector } from '../../collector';
import { COMPUTED } from '../../computed';
import { own } from '../../own';
import { selfScope } from '../../questions';
import type { Scope } from '../../units';
import { callOf } from '../../uses';
import { joined, type Piece, type Value, wordOf } from '../../values';
import type { Visit } from '../../visits';
import { classesIn } from './controllers';

const REQUESTS: Readonly<Record<string, string>> = {
  GetAsync: 'GET',
  GetStringAsync: 'GET',
  GetStreamAsync: 'GET',
  GetByteArrayAsync: 'GET',
  GetFromJsonAsync: 'GET',
  GetFromJsonAsAsyncEnumerable: 'GET',
  PostAsync: 'POST',
  PostAsJsonAsync: 'POST',
  PutAsync: 'PUT',
  PutAsJsonAsync: 'PUT',
  PatchAsync: 'PATCH',
  PatchAsJsonAsync: 'PATCH',
  DeleteAsync: 'DELETE',
  DeleteFromJsonAsync: 'DELETE',
};
const CLIENT = /(?:^|\.)(?:HttpClient|IHttpClientFactory\.CreateClient|DaprClient\.CreateInvokeHttpClient)$/;
const REFIT: Readonly<Record<string, string>> = { Get: 'GET', Post: 'POST', Put: 'PUT', Patch: 'PATCH', Delete: 'DELETE' };
/** Things that publish a message that is told by its type. */
const BUS =
  /(?:^|\.)(?:I?(?:Publish|Send)Endpoint(?:Provider)?|I?Bus(?:Control)?|IMessageSession|IMessageBus|I?(?:Integration)?EventBus\w*|I(?:Event|Message)Publisher|IIntegrationEventService|I\w*IntegrationEventService)$/;
const PUBLISHES = /^(?:Publish|Send|PublishAsync|SendAsync|PublishThroughEventBusAsync|AddAndSaveEventAsync|SaveEventAndCatalogContextChangesAsync)$/;
const FRAMEWORK = 'message-bus';
const CONSUMES = /^(?:IConsumer|IHandleMessages|IIntegrationEventHandler|IMessageHandler|IEventHandler)$/;

interface Registered {
  readonly byType: ReadonlyMap<string, readonly Piece[]>;
  readonly byName: ReadonlyMap<string, readonly Piece[]>;
}

export const httpClientReader: Reader = {
  read(collector) {
    const visits = collector.visits.filter(({ scope }) => scope.file.language === 'csharp');
    const registered = registrations(collector, visits);
    for (const visit of visits) {
      readRequest(collector, visit, registered);
    }
    for (const file of collector.units.files.values()) {
      if (file.language !== 'csharp') continue;
      for (const { cls, scope } of classesIn(collector, file.scope)) {
        readRefit(collector, cls, scope, registered);
        readConsumer(collector, cls, scope);
      }
    }
    const consumed = new Set(collector.events.flatMap(({ direction, framework, name }) => (direction === 'consume' && framework === FRAMEWORK ? [name] : [])));
    for (const visit of visits) readMessage(collector, visit, consumed);
  },
};

/** `AddHttpClient<T>(c => c.BaseAddress = …)`, `AddHttpClient("name", …)`, `AddRefitClient<T>().ConfigureHttpClient(…)`, `AddGrpcClient<T>(…)` */
function registrations(collector: RouteCollector, visits: readonly Visit[]): Registered {
  const byType = new Map<string, readonly Piece[]>();
  const byName = new Map<string, readonly Piece[]>();
  for (const { call, scope } of visits) {
    const name = termName(call.callee);
    if (name === 'For') noteInterface(collector, call, scope, byType);
    if (!/^(?:AddHttpClient|AddRefitClient|AddGrpcClient|ConfigureHttpClient)$/.test(name)) continue;
    const made = name === 'ConfigureHttpClient' ? innerCall(call, /^Add(?:HttpClient|RefitClient)$/) : call;
    if (made === undefined) continue;
    const base = addressIn(collector, call, scope);
    const types = made.callee !== 0 && made.callee.kind === 'generic' ? made.callee.args : [];
    if (name === 'AddGrpcClient') addStub(collector, call, scope, types[0], base);
    if (base === undefined) continue;
    if (name !== 'AddGrpcClient') collector.calls.push(callOf(collector, call, scope, 'http-client', 'ANY', base));
    for (const type of types) byType.set(termName(type), base);
    const named = collector.evaluator.textsAt(made, 0, scope)[0];
    if (named !== undefined) byName.set(wordsOf(named), base);
  }
  return { byType, byName };
}

/** `RestService.For<IOrders>(address)` of Refit and `RestClient.For<IOrders>(client)` of RestEase: a client has the address that the class around sets. */
function noteInterface(collector: RouteCollector, call: CallTerm, scope: Scope, byType: Map<string, readonly Piece[]>): void {
  const { callee } = call;
  const made = callee !== 0 && callee.kind === 'generic' ? callee : undefined;
  const member = made === undefined ? 0 : made.base;
  if (made === undefined || member === 0 || member.kind !== 'member' || !/^(?:RestService|RestClient)$/.test(termName(member.owner))) return;
  const [written] = collector.evaluator.textsAt(call, 0, scope);
  const base = written ?? baseOfClass(collector, scope, { byType, byName: byType });
  for (const type of made.args) if (base.length > 0) byType.set(termName(type), base);
}

/** The call that a chain goes on from. */
function innerCall(call: CallTerm, name: RegExp): CallTerm | undefined {
  let at: Term = call;
  while (at !== 0 && at.kind === 'call') {
    if (name.test(termName(at.callee))) return at;
    const callee: Term = at.callee !== 0 && at.callee.kind === 'generic' ? at.callee.base : at.callee;
    at = callee !== 0 && callee.kind === 'member' ? callee.owner : 0;
  }
  return undefined;
}

/** What a function among the arguments sets as the address. */
function addressIn(collector: RouteCollector, call: CallTerm, scope: Scope): readonly Piece[] | undefined {
  for (const argument of call.args) {
    const fn = argument !== 0 && argument.kind === 'function' ? argument.fn : undefined;
    if (fn === undefined) continue;
    const inner = collector.units.scopeOfFunction(fn, scope);
    for (const step of fn.body) {
      if (step.kind !== 'set' || step.target === 0 || step.target.kind !== 'member' || !/^(?:BaseAddress|Address)$/.test(step.target.name)) continue;
      const [first] = collector.evaluator.texts(step.value, inner);
      if (first !== undefined) return first;
    }
  }
  return undefined;
}

function wordsOf(pieces: readonly Piece[]): string {
  return pieces.map(wordOf).join('');
}

function addStub(collector: RouteCollector, call: CallTerm, scope: Scope, type: Term | undefined, base: readonly Piece[] | undefined): void {
  if (type === undefined) return;
  const service = termName(type).replace(/Client$/, '');
  if (service === '') return;
  const made = base === undefined ? undefined : callOf(collector, call, scope, 'grpc', 'GRPC', base).url;
  collector.rpcs.push({
    side: 'client',
    service,
    framework: 'grpc',
    confidence: SERVICE_CONFIDENCE.procedure,
    place: collector.placeOf(scope.file, call.position),
    symbol: collector.symbolAround(scope, call.position),
    ...(made === undefined ? {} : { url: made }),
  });
}

function readRequest(collector: RouteCollector, { call, decorated, scope }: Visit, registered: Registered): void {
  if (decorated !== undefined) return;
  const callee = call.callee !== 0 && call.callee.kind === 'generic' ? call.callee.base : call.callee;
  const isMessage = termName(call.callee) === 'HttpRequestMessage' && call.isConstruction === true;
  const method = callee !== 0 && callee.kind === 'member' ? own(REQUESTS, callee.name) : undefined;
  if (isMessage)
    return addRequest(
      collector,
      call,
      scope,
      methodNames(call.args[0] ?? 0, scope, collector.evaluator)[0] ?? 'ANY',
      1,
      baseOfClass(collector, scope, registered),
    );
  if (callee !== 0 && callee.kind === 'member' && /^(?:InvokeMethodAsync|CreateInvokeMethodRequest)$/.test(callee.name))
    return addInvocation(collector, call, scope);
  if (callee === 0 || callee.kind !== 'member' || method === undefined) return;
  const clients = collector.evaluator
    .values(callee.owner, scope)
    .filter(value => (value.kind === 'made' || value.kind === 'outside') && CLIENT.test(value.path));
  const [client] = clients;
  if (client === undefined) return;
  addRequest(collector, call, scope, method, 0, namedBase(collector, client, registered) ?? baseOfClass(collector, scope, registered));
}

/** Address of the client that a factory makes under a name, or Dapr for an application. */
function namedBase(collector: RouteCollector, client: Value, { byName, byType }: Registered): readonly Piece[] | undefined {
  if (client.kind !== 'made' || client.call === undefined || client.scope === undefined) return undefined;
  const [name] = collector.evaluator.textsAt(client.call, 0, client.scope);
  if (name !== undefined && client.path.endsWith('.CreateInvokeHttpClient')) return joined([{ is: 'text', text: 'http://' }, ...name]);
  return name === undefined ? undefined : (byName.get(wordsOf(name)) ?? byType.get(wordsOf(name)));
}

/** Address that the class around was registered with, or sets itself. */
function baseOfClass(collector: RouteCollector, scope: Scope, { byType }: Registered): readonly Piece[] {
  const around = selfScope(scope);
  if (around?.cls === undefined) return [];
  const own = byType.get(around.cls.name) ?? around.cls.bases.map(base => byType.get(termName(base))).find(base => base !== undefined);
  if (own !== undefined) return own;
  for (const step of around.cls.body) {
    if (step.kind !== 'fn') continue;
    const inner = collector.units.scopeOfFunction(step.fn, around);
    for (const each of step.fn.body) {
      if (each.kind !== 'set' || each.target === 0 || each.target.kind !== 'member' || each.target.name !== 'BaseAddress') continue;
      const [first] = collector.evaluator.texts(each.value, inner);
      if (first !== undefined) return first;
    }
  }
  return [];
}

function addRequest(collector: RouteCollector, call: CallTerm, scope: Scope, method: string, at: number, base: readonly Piece[]): void {
  const urls = collector.evaluator.originsAt(call, at, scope).slice(0, 12);
  if (urls.length === 0) {
    if (base.length === 0) return collector.skip(COMPUTED.address, scope.file, call.position);
    collector.calls.push(callOf(collector, call, scope, 'http-client', method, base));
  }
  for (const { pieces } of urls) {
    const [first] = pieces;
    const isAbsolute = first?.is === 'variable' || (first?.is === 'text' && /^\w[\w+]*:\/\//.test(first.text));
    const url = isAbsolute || base.length === 0 ? pieces : joined([...base, { is: 'text', text: '/' }, ...pieces]);
    collector.calls.push(callOf(collector, call, scope, 'http-client', method, url));
  }
}

/** `daprClient.InvokeMethodAsync<T>(HttpMethod.Get, "cart", "items")` */
function addInvocation(collector: RouteCollector, call: CallTerm, scope: Scope): void {
  const [first] = call.args;
  const named = first === undefined ? undefined : methodNames(first, scope, collector.evaluator)[0];
  const isMethod = named !== undefined && /^(?:GET|POST|PUT|PATCH|DELETE)$/.test(named);
  const at = isMethod ? 1 : 0;
  const [app] = collector.evaluator.textsAt(call, at, scope);
  const [path] = collector.evaluator.textsAt(call, at + 1, scope);
  if (app === undefined) return;
  const url = joined([{ is: 'text', text: 'http://' }, ...app, { is: 'text', text: '/' }, ...(path ?? [])]);
  collector.calls.push(callOf(collector, call, scope, 'dapr', isMethod ? named : 'POST', url));
}

/** `interface ICatalog { [Get("/items/{id}")] Task<Item> Get(int id); }` */
function readRefit(collector: RouteCollector, cls: DigestClass, scope: Scope, { byType }: Registered): void {
  if (cls.isInterface !== true) return;
  const base = byType.get(cls.name) ?? [];
  for (const step of cls.body) {
    for (const term of step.kind === 'fn' ? (step.fn.decorators ?? []) : []) {
      const method = term !== 0 && term.kind === 'call' ? own(REFIT, termName(term.callee)) : undefined;
      if (step.kind !== 'fn' || term === 0 || term.kind !== 'call' || method === undefined) continue;
      const [path] = collector.evaluator.textsAt(term, 0, scope);
      if (path === undefined) continue;
      const { symbol } = collector.handlerOfFunction(step.fn, scope.file);
      collector.calls.push({ ...callOf(collector, term, scope, 'refit', method, joined([...base, ...path])), symbol });
    }
  }
}

/** Messages by type: `bus.Publish(new OrderPlaced(…))`, `Publish<OrderPlaced>(…)`, `Subscribe<OrderPlaced, Handler>()` */
function readMessage(collector: RouteCollector, { call, decorated, scope }: Visit, consumed: ReadonlySet<string>): void {
  const callee = call.callee;
  if (decorated !== undefined || callee === 0) return;
  const types = callee.kind === 'generic' ? callee.args : [];
  const member = callee.kind === 'generic' ? callee.base : callee;
  if (member === 0 || member.kind !== 'member') return;
  if (/^(?:Subscribe|AddSubscription)$/.test(member.name) && types.length === 2 && termName(types[1] ?? 0).endsWith('Handler')) {
    return addMessage(collector, scope, call.position, 'consume', termName(types[0] ?? 0), collector.symbolAround(scope, call.position));
  }
  if (!PUBLISHES.test(member.name)) return;
  const isBus = collector.evaluator.values(member.owner, scope).some(value => {
    if (value.kind === 'instance') return BUS.test(value.cls.name);
    return (value.kind === 'made' || value.kind === 'outside') && BUS.test(value.path);
  });
  // A bus of the workspace's own hands on what somebody consumes; a mediator stays in the process.
  if (!isBus && (call.args.length === 0 || /mediator|sender$/i.test(termName(member.owner)))) return;
  const names = types.length === 1 && isBus ? [termName(types[0] ?? 0)] : typesOf(collector, call.args[0] ?? 0, scope);
  for (const name of names)
    if (isBus || consumed.has(name)) addMessage(collector, scope, call.position, 'publish', name, collector.symbolAround(scope, call.position));
}

/** Names followed from one to the next until a type is written. */
const MAX_NAMES = 4;

/**
 * Types of what is made or converted where it stands, or where the variable is set: `new OrderPlaced()`, `order.Adapt<OrderPlaced>()`.
 * A variable that is set in several branches, and a choice between two, have several.
 */
function writtenTypes(term: Term, scope: Scope, depth = MAX_NAMES): readonly string[] {
  if (term === 0 || depth === 0) return [];
  if (term.kind === 'any') return [...new Set(term.parts.flatMap(part => writtenTypes(part, scope, depth - 1)))];
  if (term.kind === 'name') {
    for (let at: Scope | undefined = scope; at !== undefined; at = at.up) {
      const inside = at;
      const set = (at.names.get(term.name) ?? []).flatMap(each => (each.is === 'value' ? writtenTypes(each.value, inside, depth - 1) : []));
      if (set.length > 0) return [...new Set(set)];
    }
    return [];
  }
  if (term.kind !== 'call') return [];
  if (term.isConstruction === true) return [termName(term.callee)];
  return term.callee !== 0 && term.callee.kind === 'generic' && term.callee.args.length === 1 ? [termName(term.callee.args[0] ?? 0)] : [];
}

/** Classes that a message may be an instance of. */
function typesOf(collector: RouteCollector, term: Term, scope: Scope): readonly string[] {
  const written = writtenTypes(term, scope);
  if (written.length > 0) return written;
  for (const value of collector.evaluator.values(term, scope)) {
    if (value.kind === 'instance') return [value.cls.name];
    if (value.kind === 'made' && value.call?.isConstruction === true) return [value.path.split('.').at(-1) ?? ''];
  }
  return [];
}

function readConsumer(collector: RouteCollector, cls: DigestClass, scope: Scope): void {
  if (cls.isInterface === true) return;
  for (const base of cls.bases) {
    if (base === 0 || base.kind !== 'generic' || !CONSUMES.test(termName(base.base))) continue;
    const handle = cls.body.find(step => step.kind === 'fn' && /^(?:Consume|Handle|HandleAsync)$/.test(step.fn.name));
    const { symbol } = collector.handlerOfFunction(handle?.kind === 'fn' ? handle.fn : cls, scope.file);
    addMessage(collector, scope, handle?.kind === 'fn' ? handle.fn.position : cls.position, 'consume', termName(base.args[0] ?? 0), symbol);
  }
}

function addMessage(
  collector: RouteCollector,
  scope: Scope,
  position: number,
  direction: 'publish' | 'consume',
  name: string,
  symbol: string | undefined,
): void {
  if (name === '' || /^(?:T|TMessage|TEvent|IntegrationEvent|object)$/.test(name)) return;
  collector.events.push({
    direction,
    name,
    channel: name,
    aliases: [],
    symbol,
    framework: FRAMEWORK,
    confidence: SERVICE_CONFIDENCE.eventOfType,
    place: collector.placeOf(scope.file, position),
  });
}
