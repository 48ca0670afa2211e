/** RabbitMQ in Spring: queues and exchanges that are beans with the bindings between them, and bindings that stand in an annotation. */
import { type CallTerm, type DigestClass, type DigestFunction, type Term, termName } from '../../../model/digest';
import type { RouteCollector } from '../collector';
import type { ArgumentSelector } from '../framework';
import { selfScope } from '../questions';
import type { Scope } from '../units';
import { literalOf } from '../values';
import type { Visit } from '../visits';

export interface QueueBound {
  readonly queues: readonly string[];
  readonly exchange: string;
  readonly key: string;
}

/** `BindingBuilder.bind(queue()).to(exchange()).with(key)`; to an exchange that hands on everything, without a key. */
export function bindingOfBeans(collector: RouteCollector, { call, scope }: Visit): QueueBound | undefined {
  const last = termName(call.callee);
  if (last !== 'with' && last !== 'to') return undefined;
  const to = last === 'to' ? call : ownerOf(call);
  const bind = to === undefined ? undefined : ownerOf(to);
  if (to === undefined || bind === undefined || termName(to.callee) !== 'to' || termName(bind.callee) !== 'bind') return undefined;
  if (bind.callee === 0 || bind.callee.kind !== 'member' || termName(bind.callee.owner) !== 'BindingBuilder') return undefined;
  const exchanges = beansOf(collector, to.args[0] ?? 0, scope);
  const takesAll = exchanges.some(({ maker }) => /fanout/i.test(maker));
  const key = last === 'with' ? wordAt(collector, call, 0, scope) : '';
  const exchange = exchanges[0]?.name ?? '';
  if (exchange === '' || (last === 'to' && !takesAll)) return undefined;
  return { queues: beansOf(collector, bind.args[0] ?? 0, scope).map(({ name }) => name), exchange, key };
}

/** `@RabbitListener(bindings = @QueueBinding(value = @Queue("q"), exchange = @Exchange("x"), key = "k"))` */
export function bindingsOfListener(collector: RouteCollector, { call, decorated, scope }: Visit): readonly QueueBound[] {
  const given = decorated === undefined || termName(call.callee) !== 'RabbitListener' ? undefined : collector.evaluator.argument(call, 'bindings', scope)?.term;
  if (given === undefined || given === 0) return [];
  return (given.kind === 'list' ? given.items : [given]).flatMap(binding => {
    if (binding === 0 || binding.kind !== 'call') return [];
    const part = (name: string, where: ArgumentSelector): string => {
      const found = collector.evaluator.argument(binding, name, scope)?.term ?? 0;
      return found !== 0 && found.kind === 'call' ? wordAt(collector, found, where, scope) : '';
    };
    const queue = part('value', [0, 'value', 'name']);
    return [{ queues: queue === '' ? [] : [queue], exchange: part('exchange', [0, 'value', 'name']), key: wordAt(collector, binding, 'key', scope) }];
  });
}

function ownerOf({ callee }: CallTerm): CallTerm | undefined {
  const owner = callee !== 0 && callee.kind === 'member' ? callee.owner : 0;
  return owner !== 0 && owner.kind === 'call' ? owner : undefined;
}

function wordAt(collector: RouteCollector, call: CallTerm, where: ArgumentSelector, scope: Scope): string {
  return collector.evaluator.textsAt(call, where, scope).flatMap(pieces => literalOf(pieces) ?? [])[0] ?? '';
}

/** The key under which messages that a queue gives up go on: `QueueBuilder.durable("later").deadLetterRoutingKey("orders")`, `.withArgument("x-dead-letter-routing-key", "orders")`. */
export function deadLetterOf(collector: RouteCollector, { call, scope }: Visit): string | undefined {
  const { args, callee } = call;
  if (callee === 0 || callee.kind !== 'member') return undefined;
  const [first = 0] = args;
  const isArgument = callee.name === 'withArgument' && first !== 0 && first.kind === 'text' && first.text === 'x-dead-letter-routing-key';
  if (!isArgument && callee.name !== 'deadLetterRoutingKey') return undefined;
  const isQueue = collector.evaluator.values(callee.owner, scope).some(value => value.kind === 'made' && value.path.startsWith(QUEUE_BUILDER));
  return (isQueue ? wordAt(collector, call, isArgument ? 1 : 0, scope) : '') || undefined;
}

const QUEUE_BUILDER = 'org.springframework.amqp.core.QueueBuilder';

interface Bean {
  readonly name: string;
  /** What made it: `TopicExchange`, `ExchangeBuilder.fanoutExchange`. */
  readonly maker: string;
}

/** The queue or exchange that a term is: what a method gives, or a parameter that gets the bean that is called so, or the only one of its type. */
function beansOf(collector: RouteCollector, term: Term, scope: Scope): readonly Bean[] {
  const made = collector.evaluator.values(term, scope).flatMap((value): Bean[] => {
    const first = value.kind === 'made' ? firstOf(value.call) : undefined;
    const name = first === undefined || value.kind !== 'made' ? '' : wordAt(collector, first, 0, value.scope ?? scope);
    return first === undefined || name === '' || value.kind !== 'made' ? [] : [{ name, maker: `${value.path} ${termName(first.callee)}` }];
  });
  if (made.length > 0 || term === 0 || term.kind !== 'name') return made;
  const self = selfScope(scope);
  const bean = self?.cls === undefined ? undefined : beanOf(self.cls, term.name, parameterType(scope, term.name));
  return bean === undefined ? [] : resultOf(collector, bean, scope);
}

/** `QueueBuilder.durable("q").deadLetterExchange("x").build()`: the call that has the name. */
function firstOf(call: CallTerm | undefined): CallTerm | undefined {
  for (let at = call; at !== undefined; ) {
    const owner = ownerOf(at);
    if (owner === undefined) return at;
    at = owner;
  }
  return undefined;
}

function parameterType(scope: Scope, name: string): string {
  const parameter = scope.fn?.parameters.find(each => each.name === name);
  return termName(parameter?.type ?? 0);
}

function beanOf(cls: DigestClass, name: string, type: string): DigestFunction | undefined {
  const beans = cls.body.flatMap(step => (step.kind === 'fn' && step.fn.parameters.length === 0 ? [step.fn] : []));
  const ofType = type === '' ? [] : beans.filter(fn => termName(fn.result ?? 0) === type);
  return beans.find(fn => fn.name === name) ?? (ofType.length === 1 ? ofType[0] : undefined);
}

function resultOf(collector: RouteCollector, bean: DigestFunction, scope: Scope): readonly Bean[] {
  const inner = collector.units.scopeOfFunction(bean, selfScope(scope) ?? scope);
  return bean.body.flatMap(step =>
    step.kind === 'return' && !(step.value !== 0 && step.value.kind === 'name') ? [...beansOf(collector, step.value, inner)] : [],
  );
}
