/** Queues, exchanges and topics that are values: what made one tells its name. */
import type { CallTerm, Term } from '../../../model/digest';
import type { RouteCollector } from '../collector';
import { type EventRow, RECEIVER } from '../framework';
import { own } from '../own';
import { calleeOf } from '../questions';
import type { Scope } from '../units';
import type { Origin, Piece } from '../values';

interface Carried {
  /** The call that made it. */
  readonly call: CallTerm;
  /** Empty where the broker names it. */
  readonly names: readonly { readonly pieces: readonly Piece[]; readonly via: Origin | undefined }[];
  /** Keys that it is bound by. */
  readonly keys: readonly (readonly Piece[])[];
}

/** What a term may stand for: `exchange` of `exchange = channel.declare_exchange('orders')`. */
export function carriedBy(collector: RouteCollector, term: Term, scope: Scope, carriers: EventRow['carriers']): readonly Carried[] {
  if (carriers === undefined) return [];
  return collector.evaluator.values(term, scope).flatMap((value): readonly Carried[] => {
    if (value.kind === 'list') return value.items.flatMap(item => carriedBy(collector, item, value.scope, carriers));
    if (value.kind !== 'made' || value.call === undefined || value.scope === undefined) return [];
    const { call, scope: inner } = value;
    const carrier = own(carriers, value.path);
    if (carrier === undefined) return [];
    if (carrier.name === RECEIVER) return carriedBy(collector, receiverOf(call), inner, carriers);
    const { evaluator } = collector;
    return [
      { call, names: evaluator.originsAt(call, carrier.name, inner), keys: carrier.key === undefined ? [] : evaluator.textsAt(call, carrier.key, inner) },
    ];
  });
}

/** What a method is called on. */
export function receiverOf(call: CallTerm): Term {
  const callee = calleeOf(call);
  return callee !== 0 && callee.kind === 'member' ? callee.owner : 0;
}
