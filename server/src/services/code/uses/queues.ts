/** Queues of RabbitMQ: what they are bound to, also where the broker names them. */
import { type CallTerm, type Term, termName } from '../../../model/digest';
import { type QueueBound, wordOfBinding } from '../../surface';
import type { RouteCollector } from '../collector';
import { type ArgumentSelector, type EventRow, type QueueBinding, RECEIVER } from '../framework';
import type { Scope } from '../units';
import { literalOf } from '../values';
import { carriedBy, receiverOf } from './carriers';

const DECLARES = /^(?:(?:queue_?declare(?:async|passive)?)|assertQueue)$/i;

interface Queue {
  readonly names: readonly string[];
  /** The call that declares it, where it is called by what that gives. */
  readonly declared: CallTerm | undefined;
}

type Bound = Pick<QueueBound, 'exchange' | 'key'>;

export class Queues {
  readonly #byCall = new Map<CallTerm, Bound[]>();

  constructor(private readonly collector: RouteCollector) {}

  /** `channel.QueueBind(queue, key, exchange)` */
  bind(call: CallTerm, scope: Scope, { exchange, key, queue }: QueueBinding, carriers: EventRow['carriers']): void {
    const bound = { exchange: this.#wordAt(call, exchange, scope) || this.#carriedAt(call, exchange, scope, carriers), key: this.#wordAt(call, key, scope) };
    if (bound.exchange === '') return;
    const { declared, names } = this.#queueAt(call, queue, scope, carriers);
    this.add(names, bound, call, scope);
    if (declared !== undefined) this.#byCall.set(declared, [...(this.#byCall.get(declared) ?? []), bound]);
  }

  /** Notes what queues are bound to, for those who consume from them by name. */
  add(queues: readonly string[], { exchange, key }: Bound, call: CallTerm, scope: Scope): void {
    const place = this.collector.placeOf(scope.file, call.position);
    for (const queue of queues) this.collector.bindings.push({ queue, exchange, key, place });
  }

  /** Names for what is consumed from a queue whose own name is not written where it is consumed: what it is bound to, else how it was declared. */
  consumed(call: CallTerm, where: ArgumentSelector, scope: Scope, carriers: EventRow['carriers']): readonly string[] {
    const { declared, names } = this.#queueAt(call, where, scope, carriers);
    const bound = declared === undefined ? [] : (this.#byCall.get(declared) ?? []);
    return names.length > 0 ? names : [...new Set(bound.map(wordOfBinding))];
  }

  #wordAt(call: CallTerm, where: ArgumentSelector, scope: Scope): string {
    return this.collector.evaluator.textsAt(call, where, scope).flatMap(pieces => literalOf(pieces) ?? [])[0] ?? '';
  }

  /** The name of an exchange that is a value. */
  #carriedAt(call: CallTerm, where: ArgumentSelector, scope: Scope, carriers: EventRow['carriers']): string {
    const at = this.collector.evaluator.argument(call, where, scope);
    const carried = at === undefined ? [] : carriedBy(this.collector, at.term, at.scope, carriers);
    return carried.flatMap(({ names }) => names.flatMap(({ pieces }) => literalOf(pieces) ?? []))[0] ?? '';
  }

  #queueAt(call: CallTerm, where: ArgumentSelector, scope: Scope, carriers: EventRow['carriers']): Queue {
    const at = where === RECEIVER ? { term: receiverOf(call), scope } : this.collector.evaluator.argument(call, where, scope);
    if (at === undefined) return { names: [], declared: undefined };
    const [carried] = carriedBy(this.collector, at.term, at.scope, carriers);
    if (carried !== undefined)
      return { names: carried.names.flatMap(({ pieces }) => literalOf(pieces) ?? []).filter(name => name !== ''), declared: carried.call };
    const names = this.collector.evaluator.texts(at.term, at.scope).flatMap(pieces => literalOf(pieces) ?? []);
    const found = names.length > 0 ? undefined : this.#declaring(at.term, at.scope, 5);
    const own = found === undefined ? [] : [this.#wordAt(found.call, ['queue', 0], found.scope)];
    return { names: [...names, ...own].filter(name => name !== ''), declared: found?.call };
  }

  /** The call that made what a name of a queue is taken from: `q.Name`, `result.method.queue`. */
  #declaring(term: Term, scope: Scope, depth: number): { readonly call: CallTerm; readonly scope: Scope } | undefined {
    if (term === 0 || depth === 0) return undefined;
    if (term.kind === 'member') return this.#declaring(term.owner, scope, depth - 1);
    const held = this.collector.evaluator.declared(term, scope);
    if (held.term !== 0 && held.term.kind === 'member') return this.#declaring(held.term, held.scope, depth - 1);
    for (const value of this.collector.evaluator.values(term, scope)) {
      if (value.kind === 'made' && value.call !== undefined && value.scope !== undefined && DECLARES.test(termName(value.call.callee)))
        return { call: value.call, scope: value.scope };
    }
    return undefined;
  }
}
