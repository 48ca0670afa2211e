/**
 * Tasks of Celery: a decorated function consumes; `task.delay()`, signatures such as `task.s()`, and entries of a schedule (`{'task': 'orders.tasks.clean'}`)
 * publish under the name of the task.
 */

import { type DigestFunction, type Step, type Term, termName, termPosition } from '../../../../model/digest';
import { SERVICE_CONFIDENCE } from '../../../../model/evidence';
import type { StableId } from '../../../../model/ids';
import type { Place } from '../../../surface';
import { type Reader, type RouteCollector } from '../../collector';
import { moduleName, type Scope } from '../../units';
import { literalOf } from '../../values';
import type { Visit } from '../../visits';

const PUBLISHES = new Set(['delay', 'apply_async', 's', 'si', 'signature']);

export const celeryReader: Reader = {
  read(collector) {
    const tasks = new Map<DigestFunction, readonly string[]>();
    for (const file of collector.units.files.values()) {
      if (file.language === 'python') note(collector, file.scope.steps, file.scope, tasks);
    }
    if (tasks.size === 0) return;
    for (const visit of collector.visits) if (visit.scope.file.language === 'python') readSend(collector, visit, tasks);
    const byName = new Map([...tasks.values()].flatMap(names => names.map(name => [name, names] as const)));
    for (const file of collector.units.files.values()) if (file.language === 'python') readSchedules(collector, file.scope.steps, file.scope, byName);
  },
};

function note(collector: RouteCollector, steps: readonly Step[], scope: Scope, tasks: Map<DigestFunction, readonly string[]>): void {
  for (const step of steps) {
    if (step.kind === 'class') note(collector, step.cls.body, collector.units.scopeOfClass(step.cls, scope), tasks);
    if (step.kind !== 'fn') continue;
    const decorator = (step.fn.decorators ?? []).find(term => isTask(collector, term, scope));
    if (decorator === undefined) continue;
    const names = namesOf(collector, step.fn, decorator, scope);
    tasks.set(step.fn, names);
    const [name = '', ...aliases] = names;
    const { place, symbol } = collector.handlerOfFunction(step.fn, scope.file);
    collector.events.push({ direction: 'consume', name, channel: name, aliases, symbol, framework: 'celery', confidence: SERVICE_CONFIDENCE.event, place });
  }
}

/** `@app.task`, `@app.task(name='x')`, `@shared_task` */
function isTask(collector: RouteCollector, term: Term, scope: Scope): boolean {
  const called: Term = term !== 0 && term.kind === 'call' ? term.callee : term;
  if (called === 0) return false;
  if (termName(called) === 'task' && called.kind === 'member') {
    return collector.evaluator
      .values(called.owner, scope)
      .some(value => (value.kind === 'made' || value.kind === 'outside') && /^celery\.(?:app\.)?Celery$/.test(value.path));
  }
  return collector.evaluator.values(called, scope).some(value => value.kind === 'outside' && /^celery\.(?:app\.)?shared_task$/.test(value.path));
}

/** The name that is given, else the module and the function, as long as it may be from wherever modules are found. */
function namesOf(collector: RouteCollector, fn: DigestFunction, decorator: Term, { file }: Scope): readonly string[] {
  const given = decorator !== 0 && decorator.kind === 'call' ? collector.evaluator.textsAt(decorator, 'name', file.scope).map(literalOf)[0] : undefined;
  if (given !== undefined) return [given];
  const folders = file.path.split('/').slice(0, -1);
  const own = `${moduleName(file.path)}.${fn.name}`;
  return [own, ...folders.toReversed().map((_, at) => `${folders.slice(folders.length - 1 - at).join('.')}.${own}`)];
}

/** Entries of schedules, in a variable, a setting or what a function gives. */
function readSchedules(collector: RouteCollector, steps: readonly Step[], scope: Scope, byName: ReadonlyMap<string, readonly string[]>): void {
  for (const step of steps) {
    if (step.kind === 'fn') readSchedules(collector, step.fn.body, scope, byName);
    else if (step.kind === 'let' || step.kind === 'set')
      readEntries(collector, step.value ?? 0, step.kind === 'let' ? step.position : termPosition(step.target), scope, byName);
  }
}

function readEntries(collector: RouteCollector, term: Term, position: number, scope: Scope, byName: ReadonlyMap<string, readonly string[]>): void {
  if (term === 0) return;
  if (term.kind === 'list') for (const item of term.items) readEntries(collector, item, position, scope, byName);
  if (term.kind !== 'object') return;
  for (const [key, value] of term.entries) {
    const names = key === 'task' && value !== 0 && value.kind === 'text' ? byName.get(value.text) : undefined;
    if (names === undefined) readEntries(collector, value, position, scope, byName);
    else publish(collector, names, collector.placeOf(scope.file, position), collector.symbolAround(scope, position));
  }
}

function publish(collector: RouteCollector, [name = '', ...aliases]: readonly string[], place: Place, symbol: StableId | undefined): void {
  collector.events.push({ direction: 'publish', name, channel: name, aliases, symbol, framework: 'celery', confidence: SERVICE_CONFIDENCE.event, place });
}

function readSend(collector: RouteCollector, { call, decorated, scope }: Visit, tasks: ReadonlyMap<DigestFunction, readonly string[]>): void {
  if (decorated !== undefined || call.callee === 0 || call.callee.kind !== 'member' || !PUBLISHES.has(call.callee.name)) return;
  for (const value of collector.evaluator.values(call.callee.owner, scope)) {
    const names = value.kind === 'function' ? tasks.get(value.fn) : undefined;
    if (names === undefined) continue;
    publish(collector, names, collector.placeOf(scope.file, call.position), collector.symbolAround(scope, call.position));
    return;
  }
}
