/** Controllers of ASP.NET: templates of attributes with their tokens, conventional routes, FastEndpoints. */

import { dirname } from '../../../../base/path';
import { type CallTerm, type DigestClass, type DigestFunction, type Term, termName } from '../../../../model/digest';
import { SERVICE_CONFIDENCE } from '../../../../model/evidence';
import { methodNames, type Reader, type RouteCollector } from '../../collector';
import { COMPUTED } from '../../computed';
import { own } from '../../own';
import type { Scope } from '../../units';
import { joinPaths, pathOf } from '../../values';
import { withoutConstraints } from './paths';

const VERBS: Readonly<Record<string, string>> = { HttpGet: 'GET', HttpPost: 'POST', HttpPut: 'PUT', HttpPatch: 'PATCH', HttpDelete: 'DELETE' };
const FAST = new Map([
  ['Get', 'GET'],
  ['Post', 'POST'],
  ['Put', 'PUT'],
  ['Patch', 'PATCH'],
  ['Delete', 'DELETE'],
]);
/** Results of methods that are actions where routes are conventional. */
const RESULT =
  /^(?:I?ActionResult|ViewResult|JsonResult|ContentResult|PartialViewResult|RedirectResult|RedirectToActionResult|FileResult|IHttpActionResult|HttpResponseMessage)$/;

export const controllerReader: Reader = {
  read(collector) {
    const projects = conventionalProjects(collector);
    for (const file of collector.units.files.values()) {
      if (file.language !== 'csharp') continue;
      for (const { cls, scope } of classesIn(collector, file.scope)) {
        if (cls.isInterface === true) continue;
        if (isController(cls))
          readController(
            collector,
            cls,
            scope,
            projects.some(folder => file.path.startsWith(folder)),
          );
        else readFastEndpoint(collector, cls, scope);
      }
    }
  },
};

export function classesIn(collector: RouteCollector, scope: Scope): readonly { readonly cls: DigestClass; readonly scope: Scope }[] {
  return scope.steps.flatMap(step =>
    step.kind === 'class' ? [{ cls: step.cls, scope }, ...classesIn(collector, collector.units.scopeOfClass(step.cls, scope))] : [],
  );
}

/** Folders of projects that map controllers by `{controller}/{action}`. */
function conventionalProjects(collector: RouteCollector): string[] {
  const folders = collector.visits
    .filter(
      ({ call, scope }) =>
        scope.file.language === 'csharp' && /^(?:MapControllerRoute|MapDefaultControllerRoute|UseMvcWithDefaultRoute|MapRoute)$/.test(termName(call.callee)),
    )
    .map(({ scope }) => dirname(scope.file.path).replace(/(?:^|\/)(?:Extensions|Startup|Infrastructure|App_Start)$/, ''));
  return [...new Set(folders.map(folder => (folder === '' ? '' : `${folder}/`)))];
}

function isController(cls: DigestClass): boolean {
  const isMarked = (cls.decorators ?? []).some(term => /^(?:ApiController|Controller)$/.test(attributeName(term)));
  return isMarked || cls.name.endsWith('Controller') || cls.bases.some(base => /^(?:Controller|ControllerBase|ApiController)$/.test(termName(base)));
}

function attributeName(term: Term): string {
  return term !== 0 && term.kind === 'call' ? termName(term.callee).replace(/Attribute$/, '') : '';
}

interface Held {
  readonly call: CallTerm;
  readonly scope: Scope;
}

function attributes(of: readonly Term[] | undefined, scope: Scope, name: RegExp): Held[] {
  return (of ?? []).flatMap(term => (term !== 0 && term.kind === 'call' && name.test(attributeName(term)) ? [{ call: term, scope }] : []));
}

function readController(collector: RouteCollector, cls: DigestClass, scope: Scope, isConventional: boolean): void {
  const line = [{ cls, scope }, ...basesOf(collector, cls, scope, 4)];
  const routes = line.map(each => attributes(each.cls.decorators, each.scope, /^(?:Route|RoutePrefix)$/)).find(found => found.length > 0) ?? [];
  const prefixes = routes.flatMap(each => templatesOf(collector, each));
  const area = line.flatMap(each => attributes(each.cls.decorators, each.scope, /^Area$/)).flatMap(each => templatesOf(collector, each))[0] ?? '';
  const seen = new Set<string>();
  for (const each of line) {
    for (const step of each.cls.body) {
      if (step.kind !== 'fn' || step.fn.name === 'constructor') continue;
      const key = `${step.fn.name}/${step.fn.parameters.length}`;
      if (each.cls !== cls && seen.has(key)) continue;
      seen.add(key);
      readAction(collector, { cls, fn: step.fn, scope: each.scope, prefixes, area, isConventional });
    }
  }
}

interface Action {
  readonly cls: DigestClass;
  readonly fn: DigestFunction;
  readonly scope: Scope;
  readonly prefixes: readonly string[];
  readonly area: string;
  readonly isConventional: boolean;
}

function readAction(collector: RouteCollector, action: Action): void {
  const { cls, fn, prefixes, scope } = action;
  if (attributes(fn.decorators, scope, /^NonAction$/).length > 0) return;
  const verbs = attributes(fn.decorators, scope, /^(?:Http(?:Get|Post|Put|Patch|Delete)|AcceptVerbs)$/);
  const own = attributes(fn.decorators, scope, /^Route$/);
  const words = { controller: cls.name.replace(/Controller$/, ''), action: fn.name.replace(/Async$/, ''), area: action.area };
  const emit = (method: string, prefix: string, template: string, at: CallTerm | undefined): void => {
    const isAbsolute = /^~?\//.test(template);
    const path = joinPaths(...(isAbsolute ? [template.replace(/^~/, '')] : [prefix, template]));
    const place = collector.placeOf(scope.file, at?.position ?? fn.position);
    const handler = collector.handlerOfFunction(fn, scope.file);
    collector.add({ method, path: withoutConstraints(filled(path, words)), handler, framework: 'aspnet', confidence: SERVICE_CONFIDENCE.writtenRoute, place });
  };
  if (verbs.length === 0 && own.length === 0) return readConventional(action, words, emit);
  const templates = own.flatMap(each => templatesOf(collector, each));
  // Methods without a template of their own take those of [Route].
  for (const verb of verbs.length > 0 ? verbs : [undefined]) {
    const methods = verb === undefined ? ['ANY'] : methodsOf(collector, verb);
    const given = verb === undefined || attributeName(verb.call) === 'AcceptVerbs' ? [] : templatesOf(collector, verb);
    const all = given.length > 0 ? given : templates.length > 0 ? templates : [''];
    for (const method of methods) {
      for (const template of all) {
        const isBare = prefixes.length === 0 && template === '';
        for (const prefix of prefixes.length === 0 ? [isBare ? conventional(action) : ''] : prefixes)
          emit(method, prefix, template, verb?.call ?? own[0]?.call);
      }
    }
  }
}

/** `{controller}/{action}`, or where no route is conventional that of the old Web API. */
function conventional({ area, isConventional }: Action): string {
  return `${area === '' ? '' : '[area]/'}${isConventional ? '[controller]/[action]' : 'api/[controller]'}`;
}

function readConventional(
  action: Action,
  words: { readonly action: string },
  emit: (method: string, prefix: string, template: string, at: CallTerm | undefined) => void,
): void {
  const { fn, prefixes } = action;
  const result = resultName(fn.result);
  if (!RESULT.test(result)) return;
  if (prefixes.length > 0) {
    // Without a method of its own an action answers all, as far as the class has a template.
    if (prefixes.some(prefix => prefix.includes('[action]'))) for (const prefix of prefixes) emit('ANY', prefix, '', undefined);
    return;
  }
  if (action.isConventional && words.action !== '') emit('ANY', conventional(action), '', undefined);
}

/** `Task<ActionResult<T>>` is an `ActionResult`. */
function resultName(term: Term | undefined): string {
  if (term === undefined || term === 0) return '';
  if (term.kind === 'generic' && /^(?:Task|ValueTask)$/.test(termName(term.base))) return resultName(term.args[0]);
  return termName(term);
}

function methodsOf(collector: RouteCollector, { call, scope }: Held): readonly string[] {
  const fixed = own(VERBS, attributeName(call));
  if (fixed !== undefined) return [fixed];
  const names = call.args.filter(term => term === 0 || term.kind !== 'named').flatMap(term => methodNames(term, scope, collector.evaluator));
  return names.length > 0 ? names.map(name => name.toUpperCase()) : ['ANY'];
}

function templatesOf(collector: RouteCollector, { call, scope }: Held): string[] {
  const at = collector.evaluator.argument(call, [0, 'template', 'Template'], scope);
  if (at === undefined) return [];
  const texts = collector.evaluator.texts(at.term, at.scope).map(pathOf);
  if (texts.length === 0) collector.skip(COMPUTED.route, scope.file, call.position);
  return texts;
}

function basesOf(collector: RouteCollector, cls: DigestClass, scope: Scope, depth: number): { readonly cls: DigestClass; readonly scope: Scope }[] {
  if (depth === 0) return [];
  return cls.bases.flatMap(base =>
    collector.evaluator
      .values(base, scope)
      .flatMap(value =>
        value.kind === 'class' && value.cls.isInterface !== true
          ? [{ cls: value.cls, scope: value.scope }, ...basesOf(collector, value.cls, value.scope, depth - 1)]
          : [],
      ),
  );
}

function filled(template: string, words: { readonly controller: string; readonly action: string; readonly area: string }): string {
  return template.replace(/\[(controller|action|area)\]/gi, (_, token: string) => words[token.toLowerCase() as 'controller' | 'action' | 'area']);
}

/** `class CreateOrder : Endpoint<Request> { Configure() { Post("/orders"); } HandleAsync(…) }` */
function readFastEndpoint(collector: RouteCollector, cls: DigestClass, scope: Scope): void {
  if (!cls.bases.some(base => /^Endpoint(?:WithoutRequest|WithMapping|WithMapper)?$/.test(termName(base)))) return;
  const fns = cls.body.flatMap(step => (step.kind === 'fn' ? [step.fn] : []));
  const configure = fns.find(fn => fn.name === 'Configure');
  const handle = fns.find(fn => fn.name === 'HandleAsync' || fn.name === 'ExecuteAsync') ?? configure;
  if (configure === undefined || handle === undefined) return;
  const inner = collector.units.scopeOfFunction(configure, collector.units.scopeOfClass(cls, scope));
  for (const step of configure.body) {
    if (step.kind !== 'do' || step.value === 0 || step.value.kind !== 'call') continue;
    const method = FAST.get(termName(step.value.callee));
    if (method === undefined) continue;
    for (const pieces of collector.evaluator.textsAt(step.value, 0, inner)) {
      const place = collector.placeOf(scope.file, step.value.position);
      collector.add({
        method,
        path: withoutConstraints(pathOf(pieces)),
        handler: collector.handlerOfFunction(handle, scope.file),
        framework: 'fast-endpoints',
        confidence: SERVICE_CONFIDENCE.joinedRoute,
        place,
      });
    }
  }
}
