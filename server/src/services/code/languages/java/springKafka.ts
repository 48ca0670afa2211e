/** Spring Kafka and Spring Cloud Stream where a message carries the name of its topic, and topics that are beans. */

import { type CallTerm, type Term, termName } from '../../../../model/digest';
import { SERVICE_CONFIDENCE } from '../../../../model/evidence';
import type { Reader, RouteCollector } from '../../collector';
import { calleeOf } from '../../questions';
import type { Scope } from '../../units';
import { literalOf } from '../../values';
import type { Visit } from '../../visits';

/** Header that says where a message goes, among bindings. */
const DESTINATION = 'spring.cloud.stream.sendto.destination';
const TEMPLATE = /^org\.springframework\.kafka\.core\.Kafka(?:Template|Operations)$/;
const NEW_TOPIC = 'org.apache.kafka.clients.admin.NewTopic';

export const springKafkaReader: Reader = {
  read(collector) {
    const topics = new Map<string, Set<string>>();
    for (const visit of collector.visits) noteTopic(collector, visit, topics);
    for (const visit of collector.visits) {
      if (visit.decorated !== undefined) continue;
      readHeader(collector, visit, topics);
      if (topics.size > 0) readSend(collector, visit, topics);
    }
  },
};

/** `TopicBuilder.name("orders")`, `new NewTopic("orders", 1, (short) 1)`, by the module that it stands in. */
function noteTopic(collector: RouteCollector, { call, scope }: Visit, topics: Map<string, Set<string>>): void {
  const callee = calleeOf(call);
  const isBuilder = termName(callee) === 'name' && callee !== 0 && callee.kind === 'member' && termName(callee.owner) === 'TopicBuilder';
  if (!isBuilder && termName(callee) !== 'NewTopic') return;
  for (const name of wordsAt(collector, call, scope)) topics.set(moduleOf(scope), (topics.get(moduleOf(scope)) ?? new Set()).add(name));
}

/** `MessageBuilder.withPayload(order).setHeader(KafkaHeaders.TOPIC, "orders")` */
function readHeader(collector: RouteCollector, visit: Visit, topics: ReadonlyMap<string, ReadonlySet<string>>): void {
  const { call, scope } = visit;
  const [header = 0, value = 0] = call.args;
  if (termName(call.callee) !== 'setHeader' || call.args.length !== 2 || header === 0) return;
  if (header.kind === 'member' && header.name === 'TOPIC' && termName(header.owner) === 'KafkaHeaders') {
    for (const name of namesOf(collector, value, scope, topics)) add(collector, visit, 'spring-kafka', name, []);
    return;
  }
  if (!collector.evaluator.texts(header, scope).some(pieces => literalOf(pieces) === DESTINATION)) return;
  for (const binding of collector.evaluator.texts(value, scope).flatMap(pieces => literalOf(pieces) ?? [])) {
    const name = collector.configuration.valueFor(scope.file.path, `spring.cloud.stream.bindings.${binding}.destination`);
    add(collector, visit, 'spring-cloud-stream', name ?? binding, name === undefined ? [] : [binding]);
  }
}

/** `kafkaTemplate.send(topic.name(), order)` with the only topic of the module. */
function readSend(collector: RouteCollector, visit: Visit, topics: ReadonlyMap<string, ReadonlySet<string>>): void {
  const { call, scope } = visit;
  const callee = calleeOf(call);
  const [first = 0] = call.args;
  if (termName(callee) !== 'send' || callee === 0 || callee.kind !== 'member' || first === 0 || first.kind !== 'call') return;
  const isTemplate = collector.evaluator.values(callee.owner, scope).some(value => value.kind === 'made' && TEMPLATE.test(value.path));
  if (isTemplate && isTopic(collector, first, scope))
    for (const name of namesOf(collector, first, scope, topics)) add(collector, visit, 'spring-kafka', name, []);
}

function namesOf(collector: RouteCollector, term: Term, scope: Scope, topics: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const written = collector.evaluator.texts(term, scope).flatMap(pieces => literalOf(pieces) ?? []);
  if (written.length > 0) return written;
  const declared = [...(topics.get(moduleOf(scope)) ?? [])];
  return declared.length === 1 && isTopic(collector, term, scope) ? declared : [];
}

/** `topic.name()` of a topic that is a bean. */
function isTopic(collector: RouteCollector, term: Term, scope: Scope): boolean {
  if (term === 0 || term.kind !== 'call' || term.callee === 0 || term.callee.kind !== 'member' || term.callee.name !== 'name') return false;
  return collector.evaluator.values(term.callee.owner, scope).some(value => value.kind === 'made' && value.path === NEW_TOPIC);
}

function wordsAt(collector: RouteCollector, call: CallTerm, scope: Scope): readonly string[] {
  return collector.evaluator.textsAt(call, 0, scope).flatMap(pieces => literalOf(pieces) ?? []);
}

/** The folder around the sources of a module. */
function moduleOf({ file }: Scope): string {
  return file.path.replace(/(?:^|\/)src\/.*$/, '');
}

function add(collector: RouteCollector, { call, scope }: Visit, framework: string, name: string, aliases: readonly string[]): void {
  const symbol = collector.symbolAround(scope, call.position);
  const place = collector.placeOf(scope.file, call.position);
  collector.events.push({ direction: 'publish', name, channel: name, aliases, symbol, framework, confidence: SERVICE_CONFIDENCE.event, place });
}
