/** Tasks of Celery: a decorated function consumes, `task.delay()` and `task.apply_async()` publish under the name of the task. */
import type { DigestFunction, Step, Term } from '../../../../model/digest';
import { lastName, type Reader, type RouteCollector } from '../../collector';
import { moduleName, type Scope } from '../../units';
import { literalOf } from '../../values';
import type { Visit } from '../../visits';

const PUBLISHES = new Set(['delay', 'apply_async']);

export const celeryReader: Reader = {
  read(collector) {
    const tasks = new Map<DigestFunction, readonly string[]>();
    for (const file of collector.units.files.values()) {
      if (file.language === 'python') note(collector, file.scope.steps, file.scope, tasks);
    }
    if (tasks.size === 0) return;
    for (const visit of collector.visits) if (visit.scope.file.language === 'python') readSend(collector, visit, tasks);
  },
};

function note(collector: RouteCollector, steps: readonly Step[], scope: Scope, tasks: Map<DigestFunction, readonly string[]>): void {
  for (const step of steps) {
    if (step.s === 'class') note(collector, step.c.b, collector.units.scopeOfClass(step.c, scope), tasks);
    if (step.s !== 'fn') continue;
    const decorator = (step.fn.d ?? []).find(term => isTask(collector, term, scope));
    if (decorator === undefined) continue;
    const names = namesOf(collector, step.fn, decorator, scope);
    tasks.set(step.fn, names);
    const [name = '', ...aliases] = names;
    const { place, symbol } = collector.handlerOfFunction(step.fn, scope.file);
    collector.events.push({ direction: 'consume', name, channel: name, aliases, symbol, framework: 'celery', confidence: 0.9, place });
  }
}

/** `@app.task`, `@app.task(name='x')`, `@shared_task` */
function isTask(collector: RouteCollector, term: Term, scope: Scope): boolean {
  const called: Term = term !== 0 && term.k === 'call' ? term.f : term;
  if (called === 0) return false;
  if (lastName(called) === 'task' && called.k === 'm') {
    return collector.evaluator
      .values(called.of, scope)
      .some(value => (value.k === 'made' || value.k === 'outside') && /^celery\.(?:app\.)?Celery$/.test(value.path));
  }
  return collector.evaluator.values(called, scope).some(value => value.k === 'outside' && /^celery\.(?:app\.)?shared_task$/.test(value.path));
}

/** The name that is given, else the module and the function, as long as it may be from wherever modules are found. */
function namesOf(collector: RouteCollector, fn: DigestFunction, decorator: Term, { file }: Scope): readonly string[] {
  const given = decorator !== 0 && decorator.k === 'call' ? collector.evaluator.textsAt(decorator, 'name', file.scope).map(literalOf)[0] : undefined;
  if (given !== undefined) return [given];
  const folders = file.path.split('/').slice(0, -1);
  const own = `${moduleName(file.path)}.${fn.v}`;
  return [own, ...folders.toReversed().map((_, at) => `${folders.slice(folders.length - 1 - at).join('.')}.${own}`)];
}

function readSend(collector: RouteCollector, { call, decorated, scope }: Visit, tasks: ReadonlyMap<DigestFunction, readonly string[]>): void {
  if (decorated !== undefined || call.f === 0 || call.f.k !== 'm' || !PUBLISHES.has(call.f.v)) return;
  for (const value of collector.evaluator.values(call.f.of, scope)) {
    const names = value.k === 'function' ? tasks.get(value.fn) : undefined;
    if (names === undefined) continue;
    const [name = '', ...aliases] = names;
    const symbol = collector.symbolAround(scope, call.p);
    const place = collector.placeOf(scope.file, call.p);
    collector.events.push({ direction: 'publish', name, channel: name, aliases, symbol, framework: 'celery', confidence: 0.9, place });
    return;
  }
}
