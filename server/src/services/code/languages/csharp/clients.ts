/** Requests of `HttpClient` with the base address of its registration, Refit interfaces, invocations through Dapr, messages of buses that are told by their type. */

import type { CallTerm, DigestClass, Term } from '../../../../model/digest';
import { lastName, methodNames, type Reader, type RouteCollector } from '../../collector';
import { COMPUTED } from '../../computed';
import { selfScope } from '../../questions';
import type { Scope } from '../../units';
import { callOf } from '../../uses';
import { joined, type Piece, type Value } from '../../values';
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
const CLIENT = /(?:^|\.)(?:HttpClient|IHttpClientFactory\.CreateClient)$/;
const REFIT: Readonly<Record<string, string>> = { Get: 'GET', Post: 'POST', Put: 'PUT', Patch: 'PATCH', Delete: 'DELETE' };
/** Things that publish a message that is told by its type. */
const BUS =
  /(?:^|\.)(?:I?(?:Publish|Send)Endpoint(?:Provider)?|I?Bus(?:Control)?|IMessageSession|IMessageBus|I?(?:Integration)?EventBus\w*|I(?:Event|Message)Publisher|IIntegrationEventService|I\w*IntegrationEventService)$/;
const PUBLISHES = /^(?:Publish|Send|PublishAsync|SendAsync|PublishThroughEventBusAsync|AddAndSaveEventAsync|SaveEventAndCatalogContextChangesAsync)$/;
const CONSUMES = /^(?:IConsumer|IHandleMessages|IIntegrationEventHandler|IMessageHandler|IEventHandler)$/;

interface Registered {
  readonly byType: ReadonlyMap<string, readonly Piece[]>;
  readonly byName: ReadonlyMap<string, readonly Piece[]>;
}

export const httpClientReader: Reader = {
  read(collector) {
    const visits = collector.visits.filter(({ scope }) => scope.file.language === 'csharp');
    if (visits.length === 0) return;
    const registered = registrations(collector, visits);
    for (const visit of visits) {
      readRequest(collector, visit, registered);
      readMessage(collector, visit);
    }
    for (const file of collector.units.files.values()) {
      if (file.language !== 'csharp') continue;
      for (const { c, scope } of classesIn(collector, file.scope)) {
        readRefit(collector, c, scope, registered);
        readConsumer(collector, c, scope);
      }
    }
  },
};

/** `AddHttpClient<T>(c => c.BaseAddress = …)`, `AddHttpClient("name", …)`, `AddRefitClient<T>().ConfigureHttpClient(…)`, `AddGrpcClient<T>(…)` */
function registrations(collector: RouteCollector, visits: readonly Visit[]): Registered {
  const byType = new Map<string, readonly Piece[]>();
  const byName = new Map<string, readonly Piece[]>();
  for (const { call, scope } of visits) {
    const name = lastName(call.f);
    if (!/^(?:AddHttpClient|AddRefitClient|AddGrpcClient|ConfigureHttpClient)$/.test(name)) continue;
    const made = name === 'ConfigureHttpClient' ? innerCall(call, /^Add(?:HttpClient|RefitClient)$/) : call;
    if (made === undefined) continue;
    const base = addressIn(collector, call, scope);
    const types = made.f !== 0 && made.f.k === '<' ? made.f.a : [];
    if (name === 'AddGrpcClient') addStub(collector, call, scope, types[0], base);
    if (base === undefined) continue;
    if (name !== 'AddGrpcClient') collector.calls.push(callOf(collector, call, scope, 'http-client', 'ANY', base));
    for (const type of types) byType.set(lastName(type), base);
    const named = collector.evaluator.textsAt(made, 0, scope)[0];
    if (named !== undefined) byName.set(wordOf(named), base);
  }
  return { byType, byName };
}

/** The call that a chain goes on from. */
function innerCall(call: CallTerm, name: RegExp): CallTerm | undefined {
  let at: Term = call;
  while (at !== 0 && at.k === 'call') {
    if (name.test(lastName(at.f))) return at;
    const f: Term = at.f !== 0 && at.f.k === '<' ? at.f.of : at.f;
    at = f !== 0 && f.k === 'm' ? f.of : 0;
  }
  return undefined;
}

/** What a function among the arguments sets as the address. */
function addressIn(collector: RouteCollector, call: CallTerm, scope: Scope): readonly Piece[] | undefined {
  for (const argument of call.a) {
    const fn = argument !== 0 && argument.k === 'f' ? argument.fn : undefined;
    if (fn === undefined) continue;
    const inner = collector.units.scopeOfFunction(fn, scope);
    for (const step of fn.b) {
      if (step.s !== 'set' || step.to === 0 || step.to.k !== 'm' || !/^(?:BaseAddress|Address)$/.test(step.to.v)) continue;
      const [first] = collector.evaluator.texts(step.x, inner);
      if (first !== undefined) return first;
    }
  }
  return undefined;
}

function wordOf(pieces: readonly Piece[]): string {
  return pieces.map(piece => piece.v).join('');
}

function addStub(collector: RouteCollector, call: CallTerm, scope: Scope, type: Term | undefined, base: readonly Piece[] | undefined): void {
  if (type === undefined) return;
  const service = lastName(type).replace(/Client$/, '');
  if (service === '') return;
  const made = base === undefined ? undefined : callOf(collector, call, scope, 'grpc', 'GRPC', base).url;
  collector.rpcs.push({
    side: 'client',
    service,
    framework: 'grpc',
    confidence: 0.9,
    place: collector.placeOf(scope.file, call.p),
    symbol: collector.symbolAround(scope, call.p),
    ...(made === undefined ? {} : { url: made }),
  });
}

function readRequest(collector: RouteCollector, { call, decorated, scope }: Visit, registered: Registered): void {
  if (decorated !== undefined) return;
  const f = call.f !== 0 && call.f.k === '<' ? call.f.of : call.f;
  const isMessage = lastName(call.f) === 'HttpRequestMessage' && call.n === 1;
  const method = f !== 0 && f.k === 'm' ? REQUESTS[f.v] : undefined;
  if (isMessage)
    return addRequest(
      collector,
      call,
      scope,
      methodNames(call.a[0] ?? 0, scope, collector.evaluator)[0] ?? 'ANY',
      1,
      baseOfClass(collector, scope, registered),
    );
  if (f !== 0 && f.k === 'm' && /^(?:InvokeMethodAsync|CreateInvokeMethodRequest)$/.test(f.v)) return addInvocation(collector, call, scope);
  if (f === 0 || f.k !== 'm' || method === undefined) return;
  const clients = collector.evaluator.values(f.of, scope).filter(value => (value.k === 'made' || value.k === 'outside') && CLIENT.test(value.path));
  const [client] = clients;
  if (client === undefined) return;
  addRequest(collector, call, scope, method, 0, namedBase(collector, client, registered) ?? baseOfClass(collector, scope, registered));
}

/** Address of the client that a factory makes under a name. */
function namedBase(collector: RouteCollector, client: Value, { byName, byType }: Registered): readonly Piece[] | undefined {
  if (client.k !== 'made' || client.call === undefined || client.scope === undefined) return undefined;
  const [name] = collector.evaluator.textsAt(client.call, 0, client.scope);
  return name === undefined ? undefined : (byName.get(wordOf(name)) ?? byType.get(wordOf(name)));
}

/** Address that the class around was registered with, or sets itself. */
function baseOfClass(collector: RouteCollector, scope: Scope, { byType }: Registered): readonly Piece[] {
  const around = selfScope(scope);
  if (around?.cls === undefined) return [];
  const own = byType.get(around.cls.v) ?? around.cls.bases.map(base => byType.get(lastName(base))).find(base => base !== undefined);
  if (own !== undefined) return own;
  for (const step of around.cls.b) {
    if (step.s !== 'fn') continue;
    const inner = collector.units.scopeOfFunction(step.fn, around);
    for (const each of step.fn.b) {
      if (each.s !== 'set' || each.to === 0 || each.to.k !== 'm' || each.to.v !== 'BaseAddress') continue;
      const [first] = collector.evaluator.texts(each.x, inner);
      if (first !== undefined) return first;
    }
  }
  return [];
}

function addRequest(collector: RouteCollector, call: CallTerm, scope: Scope, method: string, at: number, base: readonly Piece[]): void {
  const urls = collector.evaluator.originsAt(call, at, scope).slice(0, 12);
  if (urls.length === 0) {
    if (base.length === 0) return collector.skip(COMPUTED.address, scope.file, call.p);
    collector.calls.push(callOf(collector, call, scope, 'http-client', method, base));
  }
  for (const { of } of urls) {
    const [first] = of;
    const isAbsolute = first?.is === 'variable' || (first?.is === 'text' && /^\w[\w+]*:\/\//.test(first.v));
    const url = isAbsolute || base.length === 0 ? of : joined([...base, { is: 'text', v: '/' }, ...of]);
    collector.calls.push(callOf(collector, call, scope, 'http-client', method, url));
  }
}

/** `daprClient.InvokeMethodAsync<T>(HttpMethod.Get, "cart", "items")` */
function addInvocation(collector: RouteCollector, call: CallTerm, scope: Scope): void {
  const [first] = call.a;
  const named = first === undefined ? undefined : methodNames(first, scope, collector.evaluator)[0];
  const isMethod = named !== undefined && /^(?:GET|POST|PUT|PATCH|DELETE)$/.test(named);
  const at = isMethod ? 1 : 0;
  const [app] = collector.evaluator.textsAt(call, at, scope);
  const [path] = collector.evaluator.textsAt(call, at + 1, scope);
  if (app === undefined) return;
  const url = joined([{ is: 'text', v: 'http://' }, ...app, { is: 'text', v: '/' }, ...(path ?? [])]);
  collector.calls.push(callOf(collector, call, scope, 'dapr', isMethod ? named : 'POST', url));
}

/** `interface ICatalog { [Get("/items/{id}")] Task<Item> Get(int id); }` */
function readRefit(collector: RouteCollector, c: DigestClass, scope: Scope, { byType }: Registered): void {
  if (c.i !== 1) return;
  const base = byType.get(c.v) ?? [];
  for (const step of c.b) {
    for (const term of step.s === 'fn' ? (step.fn.d ?? []) : []) {
      const method = term !== 0 && term.k === 'call' ? REFIT[lastName(term.f)] : undefined;
      if (step.s !== 'fn' || term === 0 || term.k !== 'call' || method === undefined) continue;
      const [path] = collector.evaluator.textsAt(term, 0, scope);
      if (path === undefined) continue;
      const { symbol } = collector.handlerOfFunction(step.fn, scope.file);
      collector.calls.push({ ...callOf(collector, term, scope, 'refit', method, joined([...base, ...path])), symbol });
    }
  }
}

/** Messages by type: `bus.Publish(new OrderPlaced(…))`, `Publish<OrderPlaced>(…)`, `Subscribe<OrderPlaced, Handler>()` */
function readMessage(collector: RouteCollector, { call, decorated, scope }: Visit): void {
  const f = call.f;
  if (decorated !== undefined || f === 0) return;
  const types = f.k === '<' ? f.a : [];
  const member = f.k === '<' ? f.of : f;
  if (member === 0 || member.k !== 'm') return;
  if (/^(?:Subscribe|AddSubscription)$/.test(member.v) && types.length === 2 && lastName(types[1] ?? 0).endsWith('Handler')) {
    return addMessage(collector, scope, call.p, 'consume', lastName(types[0] ?? 0), collector.symbolAround(scope, call.p));
  }
  if (!PUBLISHES.test(member.v)) return;
  const isBus = collector.evaluator.values(member.of, scope).some(value => {
    if (value.k === 'instance') return BUS.test(value.c.v);
    return (value.k === 'made' || value.k === 'outside') && BUS.test(value.path);
  });
  if (!isBus) return;
  const name = types.length === 1 ? lastName(types[0] ?? 0) : typeOf(collector, call.a[0] ?? 0, scope);
  if (name !== '') addMessage(collector, scope, call.p, 'publish', name, collector.symbolAround(scope, call.p));
}

/** Type of what is made or converted where it stands, or where the variable is set: `new OrderPlaced()`, `order.Adapt<OrderPlaced>()`. */
function writtenType(term: Term, scope: Scope): string {
  if (term === 0) return '';
  if (term.k === 'n') {
    for (let at: Scope | undefined = scope; at !== undefined; at = at.up) {
      const set = at.names.get(term.v)?.findLast(each => each.is === 'value' && each.value !== 0 && each.value.k === 'call');
      if (set?.is === 'value') return writtenType(set.value, at);
    }
    return '';
  }
  if (term.k !== 'call') return '';
  if (term.n === 1) return lastName(term.f);
  return term.f !== 0 && term.f.k === '<' && term.f.a.length === 1 ? lastName(term.f.a[0] ?? 0) : '';
}

/** Class that a message is an instance of. */
function typeOf(collector: RouteCollector, term: Term, scope: Scope): string {
  const written = writtenType(term, scope);
  if (written !== '') return written;
  for (const value of collector.evaluator.values(term, scope)) {
    if (value.k === 'instance') return value.c.v;
    if (value.k === 'made' && value.call?.n === 1) return value.path.split('.').at(-1) ?? '';
  }
  return '';
}

function readConsumer(collector: RouteCollector, c: DigestClass, scope: Scope): void {
  if (c.i === 1) return;
  for (const base of c.bases) {
    if (base === 0 || base.k !== '<' || !CONSUMES.test(lastName(base.of))) continue;
    const handle = c.b.find(step => step.s === 'fn' && /^(?:Consume|Handle|HandleAsync)$/.test(step.fn.v));
    const { symbol } = collector.handlerOfFunction(handle?.s === 'fn' ? handle.fn : c, scope.file);
    addMessage(collector, scope, handle?.s === 'fn' ? handle.fn.p : c.p, 'consume', lastName(base.a[0] ?? 0), symbol);
  }
}

function addMessage(collector: RouteCollector, scope: Scope, p: number, direction: 'publish' | 'consume', name: string, symbol: string | undefined): void {
  if (name === '' || /^(?:T|TMessage|TEvent|IntegrationEvent|object)$/.test(name)) return;
  collector.events.push({
    direction,
    name,
    channel: name,
    aliases: [],
    symbol,
    framework: 'message-bus',
    confidence: 0.85,
    place: collector.placeOf(scope.file, p),
  });
}
