/**
 * Requests that the server of a front end hands on: `proxy` of Vite, Vue CLI, webpack, Rsbuild and Nuxt while one develops, rewrites of Next.js. What the front end asks of itself
 * leads to who they name.
 */
import type { DigestFunction, Step, Term } from '../../../../model/digest';
import type { Reader, RouteCollector } from '../../collector';
import { COMPUTED } from '../../computed';
import type { Scope } from '../../units';
import { type Piece, pathOf } from '../../values';
import { addForward, rewrittenBy, withoutWildcard } from './gateways';

/** Files that configure the server of a front end. */
const CONFIGURES = /(?:^|\/)(?:(?:vite|vue|webpack|rsbuild|rspack|craco|next|nuxt|config-overrides|dev-?server)\b[\w.-]*|config\/[\w.-]+)\.[cm]?[jt]s$/i;
/** Names of the tables of proxies, by path. */
const TABLES = /^(?:proxy|proxyTable|devProxy)$/;
const MAX_DEPTH = 40;

type ObjectTerm = Extract<Term, { kind: 'object' }>;

interface Found {
  readonly object: ObjectTerm;
  readonly scope: Scope;
  /** Where something around it stands that has a place: literals have none. */
  readonly near: number;
}

export const frontEndReader: Reader = {
  read(collector) {
    for (const file of collector.units.files.values()) {
      if (!CONFIGURES.test(file.path)) continue;
      for (const found of objectsInSteps(collector, file.scope.steps, { scope: file.scope, near: 0, depth: MAX_DEPTH })) {
        readTables(collector, found);
        readRewrite(collector, found);
      }
    }
  },
};

/** `proxy: { '/api': 'http://orders:8080' }`, `proxy: { '/api': { target, rewrite } }`, `proxy: [{ context: ['/api'], target, pathRewrite }]` */
function readTables(collector: RouteCollector, { near, object, scope }: Found): void {
  const { evaluator } = collector;
  for (const [name, term] of object.entries) {
    if (!TABLES.test(name)) continue;
    for (const table of evaluator.values(term, scope)) {
      if (table.kind === 'object') {
        for (const [path, rule] of table.entries) if (/^\^?\//.test(path)) readRule(collector, [path], rule, { scope: table.scope, near });
      } else if (table.kind === 'list') {
        for (const item of table.items) {
          const context = evaluator.entry(item, 'context', table.scope);
          const paths = context === undefined ? [] : evaluator.texts(context.term, context.scope).map(pathOf);
          if (paths.length > 0) readRule(collector, paths, item, { scope: table.scope, near });
        }
      }
    }
  }
}

function readRule(collector: RouteCollector, paths: readonly string[], rule: Term, { near, scope }: Omit<Found, 'object'>): void {
  const { evaluator } = collector;
  const entry = evaluator.entry(rule, 'target', scope);
  const [target] = entry === undefined ? evaluator.texts(rule, scope) : evaluator.texts(entry.term, entry.scope);
  const position = positionIn(rule) || near;
  if (target === undefined) {
    if (entry !== undefined) collector.skip(COMPUTED.address, scope.file, position);
    return;
  }
  for (const text of paths) {
    const path = withoutWildcard(text.replace(/^\^/, '').replace(/\/?\.[*+].*$/, ''));
    const at = { call: { kind: 'call', callee: 0, args: [], position } as const, scope };
    addForward(collector, at, 'front end', '', target, { covers: 'below', path, rewritten: rewrittenPaths(collector, rule, scope, path) });
  }
}

/** Paths that may be called in place of one, the likeliest first. */
function rewrittenPaths({ evaluator }: RouteCollector, rule: Term, scope: Scope, path: string): readonly string[] {
  const entry = evaluator.entry(rule, 'pathRewrite', scope) ?? evaluator.entry(rule, 'rewrite', scope);
  if (entry === undefined) return [path];
  for (const value of evaluator.values(entry.term, entry.scope)) {
    if (value.kind !== 'object') continue;
    const rewritten = value.entries.flatMap(([pattern, to]) => rewrittenBy(pattern, evaluator.texts(to, value.scope)[0], path) ?? []);
    if (rewritten.length > 0) return rewritten;
  }
  // A function that rewrites paths mostly takes the front off.
  return ['', path];
}

/** `{ source: '/api/:path*', destination: 'http://orders:8080/:path*' }` */
function readRewrite(collector: RouteCollector, { near, object, scope }: Found): void {
  const { evaluator } = collector;
  const textsOf = (name: string): readonly (readonly Piece[])[] => evaluator.texts(object.entries.find(([key]) => key === name)?.[1] ?? 0, scope);
  const [source] = textsOf('source').map(pathOf);
  if (source?.startsWith('/') !== true) return;
  for (const destination of textsOf('destination')) {
    const [first] = destination;
    // A path leads to a page of its own.
    if (first === undefined || (first.is === 'text' && !first.text.includes('://'))) continue;
    const isOne = withoutWildcard(source) === source.replace(/\/+$/, '');
    const address = destination.map((piece): Piece => (piece.is === 'text' ? { is: 'text', text: piece.text.replace(/\/?:\w+[*+].*$/, '') } : piece));
    const position = positionIn(object) || near;
    const at = { call: { kind: 'call', callee: 0, args: [], position } as const, scope };
    addForward(collector, at, 'nextjs', '', address, { covers: isOne ? 'path' : 'below', path: withoutWildcard(source), rewritten: [''] });
  }
}

interface Within extends Omit<Found, 'object'> {
  /** Levels that are still looked into. */
  readonly depth: number;
}

function* objectsInSteps(collector: RouteCollector, steps: readonly Step[], within: Within): Generator<Found> {
  for (const step of steps) {
    if (step.kind === 'fn') yield* objectsInFunction(collector, step.fn, within);
    else if (step.kind === 'let' || step.kind === 'export' || step.kind === 'do' || step.kind === 'return' || step.kind === 'set')
      yield* objectsIn(collector, step.value ?? 0, { ...within, near: 'position' in step ? step.position : within.near });
  }
}

function objectsInFunction(collector: RouteCollector, fn: DigestFunction, { depth, scope }: Within): Generator<Found> {
  return objectsInSteps(collector, fn.body, { scope: collector.units.scopeOfFunction(fn, scope), near: fn.position, depth: depth - 1 });
}

function* objectsIn(collector: RouteCollector, term: Term, within: Within): Generator<Found> {
  if (term === 0 || within.depth === 0) return;
  if (term.kind === 'object') yield { object: term, scope: within.scope, near: within.near };
  if (term.kind === 'function') return yield* objectsInFunction(collector, term.fn, within);
  const near = term.kind === 'call' ? term.position : within.near;
  for (const each of termsIn(term)) yield* objectsIn(collector, each, { ...within, near, depth: within.depth - 1 });
}

function termsIn(term: Exclude<Term, 0>): readonly Term[] {
  switch (term.kind) {
    case 'object':
      return term.entries.map(([, value]) => value);
    case 'list':
      return term.items;
    case 'call':
      return term.args;
    case 'named':
      return [term.value];
    case 'any':
    case 'other':
    case 'join':
      return term.parts;
    default:
      return [];
  }
}

/** Where something in a term stands; 0 where nothing in it has a place. */
function positionIn(term: Term): number {
  if (term === 0) return 0;
  if ('position' in term) return term.position;
  if (term.kind === 'function') return term.fn.position;
  for (const each of termsIn(term)) {
    const position = positionIn(each);
    if (position > 0) return position;
  }
  return 0;
}
