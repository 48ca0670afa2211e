/** Micronaut: controllers, clients written as interfaces, topics of Kafka; annotations stand on a class or on an interface that it implements. */

import type { CallTerm, DigestClass, DigestFunction } from '../../../../model/digest';
import { SERVICE_CONFIDENCE } from '../../../../model/evidence';
import { type Reader, type RouteCollector } from '../../collector';
import { COMPUTED } from '../../computed';
import type { Scope } from '../../units';
import { callOf } from '../../uses';
import { joinPaths, literalOf, type Piece, pathOf } from '../../values';
import { annotation } from './annotations';

const METHODS: Readonly<Record<string, string>> = { Get: 'GET', Post: 'POST', Put: 'PUT', Patch: 'PATCH', Delete: 'DELETE' };
const HTTP = 'io.micronaut.http.';
const KAFKA = 'io.micronaut.configuration.kafka.annotation.';
const PATH = ['value', 'uri', 'uris', 0] as const;
const MAX_BASES = 4;

export const micronautReader: Reader = {
  read(collector) {
    for (const file of collector.units.files.values()) {
      if (!/\.(?:java|kt)$/.test(file.path)) continue;
      for (const step of file.scope.steps) if (step.kind === 'class') readClass(collector, step.cls, file.scope);
    }
  },
};

interface Typed {
  readonly cls: DigestClass;
  readonly scope: Scope;
}

function readClass(collector: RouteCollector, cls: DigestClass, scope: Scope): void {
  const controller = annotation(cls.decorators, `${HTTP}annotation.Controller`, scope);
  if (controller !== undefined) readController(collector, { cls, scope }, controller);
  const client = annotation(cls.decorators, `${HTTP}client.annotation.Client`, scope);
  if (client !== undefined && cls.isInterface === true) readClient(collector, { cls, scope }, client);
  const direction = annotation(cls.decorators, `${KAFKA}KafkaClient`, scope) === undefined ? 'consume' : 'publish';
  for (const step of cls.body) if (step.kind === 'fn') readTopic(collector, step.fn, scope, direction);
}

function readController(collector: RouteCollector, own: Typed, controller: CallTerm): void {
  const prefixes = pathsOf(collector, controller, own.scope);
  const context = collector.configuration.valueFor(own.scope.file.path, 'micronaut.server.context-path') ?? '';
  for (const { fn, mapped, method, scope } of mappedIn(collector, own)) {
    const handler = collector.handlerOfFunction(fn, own.scope.file);
    const place = collector.placeOf(own.scope.file, fn.position);
    for (const prefix of prefixes) {
      for (const path of pathsOf(collector, mapped, scope)) {
        const full = joinPaths(context, prefix, path).replace(/\{\?[^}]*\}/g, '');
        collector.add({ method, path: full, handler, framework: 'micronaut', confidence: SERVICE_CONFIDENCE.writtenRoute, place });
      }
    }
  }
}

function readClient(collector: RouteCollector, own: Typed, client: CallTerm): void {
  const [id = []] = collector.evaluator.textsAt(client, ['id', 'value', 0], own.scope);
  const [below = []] = collector.evaluator.textsAt(client, 'path', own.scope);
  const name = literalOf(id);
  // A name is that of a service; a path stands for the application itself.
  const host: readonly Piece[] =
    name === undefined ? id : name.includes('://') || name === '' ? id : [{ is: 'text', text: `http://${name.replace(/^\//, '')}` }];
  for (const { fn, mapped, method, scope } of mappedIn(collector, own)) {
    const [path = ''] = pathsOf(collector, mapped, scope);
    const at = { kind: 'call' as const, callee: mapped.callee, args: [], position: fn.position };
    const url: readonly Piece[] = [...host, { is: 'text', text: joinPaths(pathOf(below), path).replace(/\{\?[^}]*\}/g, '') }];
    collector.calls.push({ ...callOf(collector, at, own.scope, 'micronaut', method, url), symbol: collector.handlerOfFunction(fn, own.scope.file).symbol });
  }
}

interface Mapped {
  /** Of the class itself, where it has it; else the class. */
  readonly fn: DigestFunction | DigestClass;
  readonly mapped: CallTerm;
  readonly method: string;
  /** Of the annotation. */
  readonly scope: Scope;
}

/** Methods with an annotation of theirs, or of the interface that they implement. */
function mappedIn(collector: RouteCollector, own: Typed): readonly Mapped[] {
  const found = new Map<string, Mapped>();
  const bodies = [own, ...basesOf(collector, own, MAX_BASES)];
  for (const { cls, scope } of bodies) {
    for (const step of cls.body) {
      if (step.kind !== 'fn') continue;
      const key = `${step.fn.name}/${step.fn.parameters.length}`;
      for (const [name, method] of Object.entries(METHODS)) {
        const mapped = annotation(step.fn.decorators, `${HTTP}annotation.${name}`, scope);
        if (mapped === undefined || found.has(key)) continue;
        const self = own.cls.body.find(each => each.kind === 'fn' && `${each.fn.name}/${each.fn.parameters.length}` === key);
        found.set(key, { fn: self?.kind === 'fn' ? self.fn : own.cls, mapped, method, scope });
      }
    }
  }
  return [...found.values()];
}

function basesOf(collector: RouteCollector, { cls, scope }: Typed, depth: number): readonly Typed[] {
  if (depth === 0) return [];
  return cls.bases
    .flatMap(base => collector.evaluator.values(base, scope))
    .flatMap(value => {
      const of = value.kind === 'class' ? { cls: value.cls, scope: value.scope } : undefined;
      return of === undefined ? [] : [of, ...basesOf(collector, of, depth - 1)];
    });
}

function readTopic(collector: RouteCollector, fn: DigestFunction, scope: Scope, direction: 'publish' | 'consume'): void {
  const topic = annotation(fn.decorators, `${KAFKA}Topic`, scope);
  if (topic === undefined) return;
  const names = collector.evaluator.textsAt(topic, ['value', 'patterns', 0], scope).flatMap(pieces => literalOf(pieces) ?? []);
  if (names.length === 0) return collector.skip(COMPUTED.event, scope.file, topic.position);
  const { symbol } = collector.handlerOfFunction(fn, scope.file);
  const place = collector.placeOf(scope.file, topic.position);
  for (const name of names)
    collector.events.push({
      direction,
      name,
      channel: name,
      aliases: [],
      symbol,
      framework: 'micronaut-kafka',
      confidence: SERVICE_CONFIDENCE.writtenRoute,
      place,
    });
}

function pathsOf(collector: RouteCollector, call: CallTerm, scope: Scope): readonly string[] {
  const at = collector.evaluator.argument(call, PATH, scope);
  if (at === undefined) return [''];
  const paths = collector.evaluator.texts(at.term, at.scope).map(pathOf);
  if (paths.length === 0) collector.skip(COMPUTED.route, scope.file, call.position);
  return paths;
}
