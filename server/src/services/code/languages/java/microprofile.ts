/** MicroProfile and Quarkus: channels of messages, clients of JAX-RS, and stubs of remote procedures that are injected. */

import { type CallTerm, type DigestClass, type Step, type Term, termName } from '../../../../model/digest';
import { SERVICE_CONFIDENCE } from '../../../../model/evidence';
import type { Reader, RouteCollector } from '../../collector';
import { COMPUTED } from '../../computed';
import type { Scope } from '../../units';
import { callOf } from '../../uses';
import { joined, literalOf, type Piece } from '../../values';
import type { Visit } from '../../visits';
import { annotation } from './annotations';

const MESSAGING = 'org.eclipse.microprofile.reactive.messaging.';
/** What is injected for a channel: something to send with, or the messages that come. */
const SENDS = /^(?:Mutiny)?Emitter$/;
const RECEIVES = /^(?:Multi|Publisher|PublisherBuilder|Flowable|Flux)$/;
/** Where configuration names the topic, queue or exchange that a channel is connected to. */
const NAMES = ['topic', 'address', 'queue.name', 'exchange.name', 'subject'];
const STUBS = ['io.quarkus.grpc.GrpcClient', 'net.devh.boot.grpc.client.inject.GrpcClient'];
/** `OrderServiceGrpc.OrderServiceBlockingStub`, `MutinyOrderServiceGrpc.MutinyOrderServiceStub`, or the interface `OrderService` itself. */
const STUB = /^(?:Mutiny)?(\w+?)(?:Blocking|Future|Coroutine)?(?:V2)?(?:Stub)?$/;

export const microprofileReader: Reader = {
  read(collector) {
    for (const file of collector.units.files.values()) {
      if (!/\.(?:java|kt)$/.test(file.path)) continue;
      for (const step of file.scope.steps) if (step.kind === 'class') readClass(collector, step.cls, file.scope);
    }
    for (const visit of collector.visits) if (/\.(?:java|kt)$/.test(visit.scope.file.path)) readRequest(collector, visit);
  },
};

interface Injected {
  readonly decorators: readonly Term[] | undefined;
  readonly type: Term | undefined;
}

function readClass(collector: RouteCollector, cls: DigestClass, scope: Scope): void {
  const inside = collector.units.scopeOfClass(cls, scope);
  for (const step of cls.body) {
    if (step.kind === 'class') readClass(collector, step.cls, inside);
    if (step.kind === 'fn') {
      const { symbol } = collector.handlerOfFunction(step.fn, scope.file);
      const incoming = annotation(step.fn.decorators, `${MESSAGING}Incoming`, scope);
      const outgoing = annotation(step.fn.decorators, `${MESSAGING}Outgoing`, scope);
      if (incoming !== undefined) addChannel(collector, incoming, inside, 'consume', symbol);
      if (outgoing !== undefined) addChannel(collector, outgoing, inside, 'publish', symbol);
    }
    for (const each of injectedBy(step)) readInjected(collector, each, inside);
  }
}

function injectedBy(step: Step): readonly Injected[] {
  if (step.kind === 'let') return [{ decorators: step.decorators, type: step.type }];
  return step.kind === 'fn' ? step.fn.parameters.map(({ decorators, type }) => ({ decorators, type })) : [];
}

function readInjected(collector: RouteCollector, { decorators, type }: Injected, scope: Scope): void {
  const channel = annotation(decorators, `${MESSAGING}Channel`, scope);
  const given = termName(type ?? 0);
  const direction = SENDS.test(given) ? 'publish' : RECEIVES.test(given) ? 'consume' : undefined;
  if (channel !== undefined && direction !== undefined) addChannel(collector, channel, scope, direction, collector.symbolAround(scope, channel.position));
  const [client] = STUBS.flatMap(path => annotation(decorators, path, scope) ?? []);
  const service = client === undefined ? undefined : STUB.exec(given)?.[1];
  if (client === undefined || service === undefined || /^(?:Managed)?Channel$/.test(given)) return;
  collector.rpcs.push({
    side: 'client',
    service,
    framework: 'grpc',
    confidence: SERVICE_CONFIDENCE.procedure,
    place: collector.placeOf(scope.file, client.position),
    symbol: collector.symbolAround(scope, client.position),
    isSpelled: true,
  });
}

function addChannel(collector: RouteCollector, at: CallTerm, scope: Scope, direction: 'publish' | 'consume', symbol: string | undefined): void {
  const channels = collector.evaluator.textsAt(at, ['value', 0], scope).flatMap(pieces => literalOf(pieces) ?? []);
  if (channels.length === 0) return collector.skip(COMPUTED.event, scope.file, at.position);
  for (const channel of channels) {
    const side = direction === 'publish' ? 'outgoing' : 'incoming';
    const keys = NAMES.map(name => `mp.messaging.${side}.${channel}.${name}`);
    const name = keys.map(key => collector.configuration.valueFor(scope.file.path, key)).find(value => value !== undefined && value !== '') ?? channel;
    collector.events.push({
      direction,
      name,
      channel: name,
      aliases: [],
      symbol,
      framework: 'microprofile',
      confidence: SERVICE_CONFIDENCE.event,
      place: collector.placeOf(scope.file, at.position),
    });
  }
}

const VERBS: ReadonlySet<string> = new Set(['get', 'post', 'put', 'delete', 'head', 'options', 'patch']);
const TARGET = /ClientBuilder\b|(?:^|\.)WebTarget\b|javax?\.ws\.rs\.client\.|jakarta\.ws\.rs\.client\./;

/** `client.target("http://orders").path("orders/{id}").request().get(…)` */
function readRequest(collector: RouteCollector, { call, scope }: Visit): void {
  if (call.callee === 0 || call.callee.kind !== 'member') return;
  const named = call.callee.name === 'method' ? collector.evaluator.textsAt(call, 0, scope).flatMap(pieces => literalOf(pieces) ?? [])[0] : undefined;
  const method = named ?? (VERBS.has(call.callee.name) ? call.callee.name : undefined);
  const target = method === undefined ? undefined : requestedOf(collector, call.callee.owner, scope, 6);
  if (method === undefined || target === undefined) return;
  const isTarget = collector.evaluator.values(target, scope).some(value => (value.kind === 'made' || value.kind === 'outside') && TARGET.test(value.path));
  const url = isTarget ? addressOf(collector, target, scope, 12) : [];
  if (url.length > 0) collector.calls.push(callOf(collector, call, scope, 'jax-rs-client', method.toUpperCase(), joined(url)));
}

/** What `request()` is called on, before what says how it is sent: `.request().accept(…).rx().get()`, `builder.get()`. */
function requestedOf(collector: RouteCollector, term: Term, scope: Scope, depth: number): Term | undefined {
  const held = term !== 0 && term.kind === 'name' ? collector.evaluator.declared(term, scope).term : term;
  if (depth === 0 || held === 0 || held.kind !== 'call' || held.callee === 0 || held.callee.kind !== 'member') return undefined;
  return held.callee.name === 'request' ? held.callee.owner : requestedOf(collector, held.callee.owner, scope, depth - 1);
}

/** Address of a target, through the variables and fields that hold a part of it. */
function addressOf(collector: RouteCollector, term: Term, scope: Scope, depth: number): readonly Piece[] {
  if (depth === 0 || term === 0) return [];
  if (term.kind !== 'call') {
    for (const value of collector.evaluator.values(term, scope))
      if (value.kind === 'made' && value.call !== undefined && value.scope !== undefined) return addressOf(collector, value.call, value.scope, depth - 1);
    return [];
  }
  if (term.callee === 0 || term.callee.kind !== 'member') return [];
  const [given] = collector.evaluator.textsAt(term, 0, scope);
  if (term.callee.name === 'target') return given ?? [];
  const before = addressOf(collector, term.callee.owner, scope, depth - 1);
  return term.callee.name === 'path' && given !== undefined ? [...before, { is: 'text', text: '/' }, ...given] : before;
}
