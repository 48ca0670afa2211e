/** Events of aggregates with Eventuate: they are called after the class of the aggregate, with its package. */
import { type CallTerm, type Term, termName } from '../../../../model/digest';
import { SERVICE_CONFIDENCE } from '../../../../model/evidence';
import type { StableId } from '../../../../model/ids';
import type { Reader, RouteCollector } from '../../collector';
import { COMPUTED } from '../../computed';
import type { Scope } from '../../units';
import { literalOf } from '../../values';

const PUBLISHER = 'io.eventuate.tram.events.publisher.DomainEventPublisher';
/** Base of classes that publish what happens to one aggregate. */
const AGGREGATE = 'io.eventuate.tram.events.aggregates.AbstractAggregateDomainEventPublisher';

export const eventuateReader: Reader = {
  read(collector) {
    for (const { call, decorated, scope } of collector.visits)
      if (decorated === undefined && isPublish(collector, call, scope)) readPublish(collector, call, scope);
    for (const file of collector.units.files.values()) {
      for (const step of file.scope.steps) {
        const base =
          step.kind === 'class'
            ? step.cls.bases.find(each => each !== 0 && each.kind === 'generic' && isOutside(collector, each.base, file.scope, AGGREGATE))
            : undefined;
        if (step.kind !== 'class' || base === undefined || base === 0 || base.kind !== 'generic') continue;
        add(collector, file.scope, step.cls.position, fullName(base.args[0] ?? 0, file.scope), collector.handlerOfFunction(step.cls, file).symbol);
      }
    }
  },
};

function isPublish(collector: RouteCollector, { callee }: CallTerm, scope: Scope): boolean {
  return callee !== 0 && callee.kind === 'member' && callee.name === 'publish' && isOutside(collector, callee.owner, scope, PUBLISHER);
}

/** `publisher.publish(Order.class, id, events)`, `publisher.publish("shop.Order", id, events)` */
function readPublish(collector: RouteCollector, call: CallTerm, scope: Scope): void {
  const [aggregate = 0] = call.args;
  const written = collector.evaluator.texts(aggregate, scope).flatMap(pieces => literalOf(pieces) ?? []);
  const names = written.length > 0 ? written : [fullName(aggregate, scope)];
  for (const name of names) add(collector, scope, call.position, name, collector.symbolAround(scope, call.position));
}

function isOutside(collector: RouteCollector, term: Term, scope: Scope, path: string): boolean {
  return collector.evaluator.values(term, scope).some(value => (value.kind === 'outside' || value.kind === 'made') && value.path === path);
}

/** A class that is imported by its name or lies in the same package; `''` for anything else. */
function fullName(term: Term, { file }: Scope): string {
  const name = term !== 0 && term.kind === 'name' && /^[A-Z]/.test(term.name) ? termName(term) : '';
  const imported = (file.scope.names.get(name) ?? []).find(each => each.is === 'import');
  if (name === '' || imported?.is === 'import') return name === '' || imported?.is !== 'import' ? '' : `${imported.step.from}.${imported.step.name}`;
  return file.package === '' ? name : `${file.package}.${name}`;
}

function add(collector: RouteCollector, scope: Scope, position: number, name: string, symbol: StableId | undefined): void {
  if (name === '') return collector.skip(COMPUTED.event, scope.file, position);
  const place = collector.placeOf(scope.file, position);
  collector.events.push({
    direction: 'publish',
    name,
    channel: name,
    aliases: [],
    symbol,
    framework: 'eventuate',
    confidence: SERVICE_CONFIDENCE.eventOfType,
    place,
  });
}
