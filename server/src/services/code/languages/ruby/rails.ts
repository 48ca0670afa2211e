/** Routes of Rails: `config/routes.rb` with resources, namespaces, scopes, concerns, files drawn by others. */

import { dirname } from '../../../../base/path';
import type { GraphView, NodeHandle } from '../../../../code/graph/graphView';
import { type CallTerm, type DigestFunction, type Step, type Term, termName } from '../../../../model/digest';
import { SERVICE_CONFIDENCE } from '../../../../model/evidence';
import { relationMask } from '../../../../model/relations';
import { type Reader, type RouteCollector } from '../../collector';
import { COMPUTED } from '../../computed';
import type { Handler } from '../../handlers';
import { own } from '../../own';
import type { FileUnit, Scope } from '../../units';
import { joinPaths, pathOf } from '../../values';
import { classParts, plural, singular } from './inflection';

const VERBS: Readonly<Record<string, string>> = { get: 'GET', post: 'POST', put: 'PUT', patch: 'PATCH', delete: 'DELETE' };
const ACTIONS: readonly (readonly [action: string, method: string, onMember: boolean, tail: string])[] = [
  ['index', 'GET', false, ''],
  ['new', 'GET', false, '/new'],
  ['create', 'POST', false, ''],
  ['show', 'GET', true, ''],
  ['edit', 'GET', true, '/edit'],
  ['update', 'PATCH', true, ''],
  ['update', 'PUT', true, ''],
  ['destroy', 'DELETE', true, ''],
];
const MAX_DEPTH = 24;

interface Context {
  readonly prefix: string;
  /** Modules of controllers, with a slash behind each. */
  readonly module: string;
  readonly controller: string;
  /** Within `resources`: path of the collection, of one of it, of what is nested in one. */
  readonly resource: { readonly collection: string; readonly member: string; readonly nested: string } | undefined;
  /** Where routes of a bare `get :x` stand. */
  readonly on: 'member' | 'collection' | undefined;
  readonly isApi: boolean;
}

export const railsReader: Reader = {
  read(collector) {
    const files = [...collector.units.files.values()].filter(file => file.language === 'ruby');
    for (const file of files) {
      const drawn = drawBlocks(file.scope.steps);
      if (drawn.length === 0) continue;
      const walker = new Walker(collector, file, files);
      const start = { prefix: '', module: '', controller: '', resource: undefined, on: undefined, isApi: isApiOnly(collector, file) };
      for (const block of drawn) walker.walk(block.body, collector.units.scopeOfFunction(block, file.scope), start);
    }
  },
};

/** `Rails.application.routes.draw do … end`, of engines too. */
function drawBlocks(steps: readonly Step[]): DigestFunction[] {
  return steps.flatMap(step => {
    const term = step.kind === 'do' || step.kind === 'return' ? step.value : 0;
    if (
      term === 0 ||
      term.kind !== 'call' ||
      term.callee === 0 ||
      term.callee.kind !== 'member' ||
      term.callee.name !== 'draw' ||
      lastOf(term.callee.owner) !== 'routes'
    )
      return [];
    const block = term.args.at(-1);
    return block !== undefined && block !== 0 && block.kind === 'function' ? [block.fn] : [];
  });
}

function lastOf(term: Term): string {
  return term !== 0 && term.kind === 'call' ? termName(term.callee) : termName(term);
}

/** Applications without views have no forms: `config.api_only = true`. */
function isApiOnly(collector: RouteCollector, file: FileUnit): boolean {
  const folder = dirname(file.path);
  const application = collector.units.files.get(`${folder}/application.rb`);
  const inside = (steps: readonly Step[]): boolean =>
    steps.some(step =>
      step.kind === 'class'
        ? inside(step.cls.body)
        : step.kind === 'set' && step.target !== 0 && step.target.kind === 'member' && step.target.name === 'api_only',
    );
  return application !== undefined && inside(application.scope.steps);
}

class Walker {
  readonly #concerns = new Map<string, { readonly fn: DigestFunction; readonly scope: Scope }>();
  #depth = 0;

  constructor(
    private readonly collector: RouteCollector,
    private readonly file: FileUnit,
    private readonly files: readonly FileUnit[],
  ) {}

  walk(steps: readonly Step[], scope: Scope, context: Context): void {
    if (this.#depth > MAX_DEPTH) return;
    this.#depth++;
    for (const step of steps) {
      const term = step.kind === 'do' || step.kind === 'return' || step.kind === 'set' ? step.value : step.kind === 'let' ? (step.value ?? 0) : 0;
      this.#term(term, scope, context);
    }
    this.#depth--;
  }

  #term(term: Term, scope: Scope, context: Context): void {
    if (term === 0) return;
    if (term.kind === 'other') {
      for (const each of term.parts) this.#term(each, scope, context);
      return;
    }
    if (term.kind !== 'call') return;
    const name = termName(term.callee);
    if (own(VERBS, name) !== undefined || name === 'match') return this.#verb(term, name, scope, context);
    switch (name) {
      case 'root':
        return this.#root(term, scope, context);
      case 'resources':
      case 'resource':
        return this.#resources(term, name === 'resource', scope, context);
      case 'namespace':
        return this.#namespace(term, scope, context);
      case 'scope':
        return this.#scope(term, scope, context);
      case 'controller':
        return this.#block(term, scope, { ...context, controller: this.#text(term, 0, scope) ?? context.controller });
      case 'member':
      case 'collection':
        return this.#block(term, scope, { ...context, on: name });
      case 'concern':
        return this.#concern(term, scope);
      case 'concerns':
        return this.#use(term.args, scope, context);
      case 'draw':
        return this.#draw(term, scope, context);
      case 'nested':
        return this.#block(term, scope, { ...context, prefix: context.resource?.nested ?? context.prefix, resource: undefined });
      case 'direct':
      case 'resolve':
      case 'mount':
        return;
      default:
        return this.#each(term, scope, context);
    }
  }

  /** Conditions, constraints, and iterations around routes. */
  #each(term: CallTerm, scope: Scope, context: Context): void {
    this.#block(term, scope, context);
    if (term.callee !== 0 && term.callee.kind === 'member') this.#term(term.callee.owner, scope, context);
  }

  #block(term: CallTerm, scope: Scope, context: Context): void {
    const block = term.args.at(-1);
    if (block !== undefined && block !== 0 && block.kind === 'function')
      this.walk(block.fn.body, this.collector.units.scopeOfFunction(block.fn, scope), context);
  }

  #text(call: CallTerm, at: number | string, scope: Scope): string | undefined {
    return this.collector.evaluator.textsAt(call, at, scope).map(pathOf)[0];
  }

  #root(term: CallTerm, scope: Scope, context: Context): void {
    const to = this.#text(term, 'to', scope) ?? this.#text(term, 0, scope);
    this.#add('GET', context.prefix === '' ? '/' : context.prefix, this.#handler(to ?? '', context, term, scope), term, scope);
  }

  /** `get '/x', to: 'c#a'`, `get 'x' => 'c#a'`, `get 'c/a'`, `get :preview`, `match '/x', via: [...]` */
  #verb(term: CallTerm, name: string, scope: Scope, context: Context): void {
    const via = this.collector.evaluator.argument(term, 'via', scope);
    const methods =
      name !== 'match' ? [own(VERBS, name) ?? 'ANY'] : via === undefined ? ['ANY'] : this.collector.evaluator.texts(via.term, via.scope).map(pathOf);
    const on = this.#text(term, 'on', scope) ?? context.on;
    const controller = this.#text(term, 'controller', scope) ?? context.controller;
    const action = this.#text(term, 'action', scope);
    const given = this.#text(term, 'to', scope);
    for (const { path, to } of this.#targets(term, scope)) {
      const bare = path.replace(/^\//, '');
      const target =
        to ??
        given ??
        (action === undefined ? undefined : `${controller}#${action}`) ??
        (controller !== '' ? `${controller}#${bare}` : bare.includes('/') ? bare.replace(/\/(?=[^/]*$)/, '#') : '');
      const resource = context.resource;
      const front = resource === undefined ? context.prefix : on === 'member' ? resource.member : on === 'collection' ? resource.collection : resource.nested;
      const own = this.#text(term, 'path', scope) ?? path;
      for (const method of methods) {
        this.#add(
          method === 'all' ? 'ANY' : method.toUpperCase(),
          joinPaths(front, own),
          this.#handler(target, { ...context, controller }, term, scope),
          term,
          scope,
        );
      }
    }
  }

  /** Paths of a route with where they lead. */
  #targets(term: CallTerm, scope: Scope): { readonly path: string; readonly to: string | undefined }[] {
    return term.args.flatMap((argument): { readonly path: string; readonly to: string | undefined }[] => {
      if (argument === 0 || argument.kind === 'function' || argument.kind === 'named') return [];
      if (argument.kind === 'object') {
        return argument.entries.flatMap(([path, to]) => (path === '' ? [] : [{ path, to: this.collector.evaluator.texts(to, scope).map(pathOf)[0] ?? '' }]));
      }
      const texts = this.collector.evaluator.texts(argument, scope).map(pathOf);
      if (texts.length === 0) this.collector.skip(COMPUTED.route, scope.file, term.position);
      return texts.map(path => ({ path, to: undefined }));
    });
  }

  #namespace(term: CallTerm, scope: Scope, context: Context): void {
    const name = this.#text(term, 0, scope) ?? '';
    const path = this.#text(term, 'path', scope) ?? name;
    const module = this.#text(term, 'module', scope) ?? name;
    const front = context.resource?.nested ?? context.prefix;
    this.#block(term, scope, { ...context, prefix: joinPaths(front, path), module: `${context.module}${module}/`, resource: undefined, on: undefined });
  }

  #scope(term: CallTerm, scope: Scope, context: Context): void {
    const positional = term.args.filter(argument => argument !== 0 && argument.kind !== 'named' && argument.kind !== 'function');
    const segments = positional.flatMap(argument => this.collector.evaluator.texts(argument, scope).map(pathOf).slice(0, 1));
    const path = this.#text(term, 'path', scope);
    const module = this.#text(term, 'module', scope);
    const front = context.resource === undefined ? context.prefix : context.resource.nested;
    this.#block(term, scope, {
      ...context,
      prefix: joinPaths(front, ...segments, ...(path === undefined ? [] : [path])),
      module: module === undefined ? context.module : `${context.module}${module}/`,
      controller: this.#text(term, 'controller', scope) ?? context.controller,
      resource: undefined,
    });
  }

  #concern(term: CallTerm, scope: Scope): void {
    const name = this.#text(term, 0, scope);
    const block = term.args.at(-1);
    if (name !== undefined && block !== undefined && block !== 0 && block.kind === 'function') this.#concerns.set(name, { fn: block.fn, scope });
  }

  #use(names: readonly Term[], scope: Scope, context: Context): void {
    for (const name of names.flatMap(term => this.collector.evaluator.texts(term, scope).map(pathOf))) {
      const concern = this.#concerns.get(name);
      if (concern !== undefined) this.walk(concern.fn.body, this.collector.units.scopeOfFunction(concern.fn, concern.scope), context);
    }
  }

  /** `draw(:admin)` reads `config/routes/admin.rb`. */
  #draw(term: CallTerm, scope: Scope, context: Context): void {
    const name = this.#text(term, 0, scope);
    const other = this.files.find(file => file.path === `${dirname(this.file.path)}/routes/${name ?? ''}.rb`);
    if (other !== undefined) this.walk(other.scope.steps, other.scope, context);
  }

  #resources(term: CallTerm, isSingle: boolean, scope: Scope, context: Context): void {
    const names = term.args.flatMap(argument =>
      argument === 0 || argument.kind === 'named' || argument.kind === 'function' || argument.kind === 'object'
        ? []
        : this.collector.evaluator.texts(argument, scope).map(pathOf),
    );
    for (const name of names) this.#resource(term, name, isSingle, scope, context);
    if (names.length === 0) this.collector.skip(COMPUTED.route, scope.file, term.position);
  }

  #resource(term: CallTerm, name: string, isSingle: boolean, scope: Scope, context: Context): void {
    const front = context.resource?.nested ?? context.prefix;
    const path = this.#text(term, 'path', scope) ?? name;
    const module = this.#text(term, 'module', scope);
    const inner = { ...context, module: module === undefined ? context.module : `${context.module}${module}/` };
    const controller = this.#text(term, 'controller', scope) ?? (isSingle ? plural(name) : name);
    const parameter = this.#text(term, 'param', scope) ?? 'id';
    const collection = joinPaths(front, path);
    const isShallow = this.collector.evaluator.argument(term, 'shallow', scope) !== undefined;
    const member = isSingle ? collection : joinPaths(collection, `:${parameter}`);
    const nested = isSingle ? collection : joinPaths(collection, `:${singular(name)}_${parameter}`);
    const listed = (word: string): readonly string[] | undefined => {
      const found = this.collector.evaluator.argument(term, word, scope);
      return found === undefined ? undefined : this.collector.evaluator.texts(found.term, found.scope).map(pathOf);
    };
    const only = listed('only');
    const except = listed('except') ?? [];
    for (const [action, method, onMember, tail] of ACTIONS) {
      if ((only !== undefined && !only.includes(action)) || except.includes(action)) continue;
      if (isSingle && action === 'index') continue;
      if (context.isApi && (action === 'new' || action === 'edit')) continue;
      const at = onMember ? (isShallow && context.resource !== undefined ? joinPaths(context.prefix, path, `:${parameter}`) : member) : collection;
      this.#add(method, at + tail, this.#handler(`${controller}#${action}`, inner, term, scope), term, scope);
    }
    const within = { ...inner, controller, resource: { collection, member, nested }, on: undefined };
    this.#block(term, scope, within);
    const concerns = this.collector.evaluator.argument(term, 'concerns', scope);
    if (concerns !== undefined) this.#use([concerns.term], concerns.scope, within);
  }

  /** Method of the controller that `controller#action` names; the route itself where it is not found. */
  #handler(target: string, { module }: Context, term: CallTerm, scope: Scope): Handler {
    const place = this.collector.placeOf(scope.file, term.position);
    const [controller = '', action = ''] = target.split('#');
    if (controller === '' || action === '') return { symbol: undefined, place };
    const full = controller.startsWith('/') ? controller.slice(1) : `${module}${controller}`;
    return controllerAction(this.collector.units.graph, dirname(dirname(this.file.path)), full, action) ?? { symbol: undefined, place };
  }

  #add(method: string, path: string, handler: Handler, term: CallTerm, scope: Scope): void {
    const plain = path.replace(/\(\.:format\)$/, '');
    for (const each of optional(plain)) {
      this.collector.add({
        method,
        path: each,
        handler,
        framework: 'rails',
        confidence: SERVICE_CONFIDENCE.writtenRoute,
        place: this.collector.placeOf(scope.file, term.position),
      });
    }
  }
}

const INHERITS = relationMask('INHERITS');

/** Method of a controller or of what it inherits from, of the application at a root. */
function controllerAction(graph: GraphView, root: string, controller: string, action: string): Handler | undefined {
  const name = `${classParts(controller).at(-1) ?? ''}Controller`;
  const isMeant = (path: string): boolean => path.endsWith(`/${controller}_controller.rb`) || path === `${controller}_controller.rb`;
  const own = graph.named(name).filter(node => graph.kindOf(node) === 'class' && !graph.isTest(node) && isMeant(graph.node(node).path));
  const near = own.filter(node => graph.node(node).path.startsWith(root === '' ? '' : `${root}/`));
  const found = near.length > 0 ? near : own;
  // `mod/stories_controller.rb` is another one than `stories_controller.rb`.
  const exact = found.filter(node => graph.node(node).path.endsWith(`controllers/${controller}_controller.rb`));
  let classes: readonly NodeHandle[] = exact.length > 0 ? exact : found;
  for (let depth = 0; depth < 4 && classes.length > 0; depth++) {
    for (const member of classes.flatMap(node => graph.childrenOf(node))) {
      const { id, name: own, nameLine, nodeType, path } = graph.node(member);
      if (nodeType === 'symbol' && own === action) return { symbol: id, place: { file: path, line: nameLine } };
    }
    classes = classes.flatMap(node => graph.out(node, undefined, INHERITS).map(edge => edge.target));
  }
  return undefined;
}

/** `/x(/:page)` is two paths, `/x(/:length(/page/:page))` three. */
function optional(path: string): readonly string[] {
  const match = /^(.*?)\(([^()]*)\)(.*)$/.exec(path);
  if (match === null) return [path];
  const [, before = '', inside = '', after = ''] = match;
  return [...new Set([...optional(`${before}${after}`), ...optional(`${before}${inside}${after}`)])];
}
