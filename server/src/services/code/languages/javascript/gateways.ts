/** Gateways in code: http-proxy-middleware, express-http-proxy, @fastify/http-proxy, http-proxy. */

import { type CallTerm, type Term, termName } from '../../../../model/digest';
import type { Forwarding } from '../../../surface';
import type { Reader, RouteCollector } from '../../collector';
import { COMPUTED } from '../../computed';
import type { ArgumentSelector } from '../../framework';
import { own } from '../../own';
import { calleeOf } from '../../questions';
import type { Scope } from '../../units';
import { callOf } from '../../uses';
import { joined, joinPaths, literalOf, type Piece, pathOf, prefixesOf, type Value } from '../../values';
import type { Visit } from '../../visits';

/** What makes a handler that hands requests on. */
interface ProxyMaker {
  readonly name: string;
  readonly target: ArgumentSelector;
  /** Where the paths stand that it takes, whatever it is mounted on. */
  readonly paths?: ArgumentSelector;
  /** Where it is said what path is called. */
  readonly rewrite: string;
  /** Whether the path that it is mounted on is taken off: some versions of the library do. */
  readonly takesOff: 'always' | 'maybe';
}

const MIDDLEWARE: ProxyMaker = { name: 'http-proxy-middleware', target: 'target', paths: ['pathFilter', 0], rewrite: 'pathRewrite', takesOff: 'maybe' };

const MAKERS: Readonly<Record<string, ProxyMaker>> = {
  'http-proxy-middleware': MIDDLEWARE,
  'http-proxy-middleware.createProxyMiddleware': MIDDLEWARE,
  'http-proxy-middleware.legacyCreateProxyMiddleware': MIDDLEWARE,
  'express-http-proxy': { name: 'express-http-proxy', target: 0, rewrite: 'proxyReqPathResolver', takesOff: 'always' },
};

/** Plugins of Fastify that hand on what is below a prefix. */
const PLUGINS: ReadonlySet<string> = new Set(['@fastify/http-proxy', 'fastify-http-proxy', '@fastify/http-proxy.fastifyHttpProxy']);

/** Servers whose methods hand one request on. */
const SERVERS = /^http-proxy\.(?:createProxy(?:Server)?|createServer|ProxyServer)$/;

/** Methods of applications and routers that take a handler for a path, with the method of HTTP; '' takes what is below the path. */
const MOUNTS: Readonly<Record<string, string>> = { use: '', all: 'ANY', get: 'GET', post: 'POST', put: 'PUT', patch: 'PATCH', delete: 'DELETE' };

type Made = Extract<Value, { kind: 'made' }> & { readonly call: CallTerm; readonly scope: Scope };

export const proxyReader: Reader = {
  read(collector) {
    const makers = collector.visits.filter(visit => makerOf(collector, visit) !== undefined);
    /** Calls of makers whose result is mounted. */
    const mounted = new Set<CallTerm>();
    for (const visit of collector.visits) {
      if (makers.length > 0) readMount(collector, visit, mounted);
      readPlugin(collector, visit);
      readServer(collector, visit);
    }
    for (const visit of makers) {
      const maker = makerOf(collector, visit);
      if (maker !== undefined && !mounted.has(visit.call)) readUnmounted(collector, visit, maker);
    }
  },
};

function makerOf(collector: RouteCollector, { call, decorated, scope }: Visit): ProxyMaker | undefined {
  if (decorated !== undefined) return undefined;
  for (const value of collector.evaluator.values(calleeOf(call), scope)) {
    const maker = value.kind === 'outside' ? own(MAKERS, value.path) : undefined;
    if (maker !== undefined) return maker;
  }
  return undefined;
}

/** `app.use('/orders', createProxyMiddleware({ target, pathRewrite: { '^/orders': '' } }))` */
function readMount(collector: RouteCollector, { call, decorated, scope }: Visit, mounted: Set<CallTerm>): void {
  const callee = calleeOf(call);
  const method = callee !== 0 && callee.kind === 'member' ? own(MOUNTS, callee.name) : undefined;
  if (decorated !== undefined || callee === 0 || callee.kind !== 'member' || method === undefined) return;
  const { evaluator } = collector;
  evaluator.eachUse(call, scope, () => {
    const [first = 0] = call.args;
    const fronts = evaluator.values(callee.owner, scope).flatMap(value => (value.kind === 'router' ? prefixesOf(value.router).map(pathOf) : []));
    for (const term of call.args) {
      for (const made of madeBy(collector, term, scope)) {
        mounted.add(made.call);
        const paths = term === first ? [''] : evaluator.texts(first, scope).map(pathOf);
        for (const front of fronts.length === 0 ? [''] : fronts)
          for (const path of paths) readMade(collector, { call, scope }, { made, term, method, path: joinPaths(front, path) });
      }
    }
  });
}

function madeBy(collector: RouteCollector, term: Term, scope: Scope): readonly Made[] {
  if (term === 0 || term.kind === 'text' || term.kind === 'function') return [];
  return collector.evaluator.values(term, scope).flatMap(value => {
    if (value.kind === 'list') return value.items.flatMap(item => madeBy(collector, item, value.scope));
    return value.kind === 'made' && value.call !== undefined && value.scope !== undefined && own(MAKERS, value.path) !== undefined ? [value as Made] : [];
  });
}

interface Mounted {
  readonly made: Made;
  /** What is mounted, as it is written: the maker's call, or one of a function around it. */
  readonly term: Term;
  readonly method: string;
  readonly path: string;
}

function readMade(collector: RouteCollector, { call, scope }: Visit, { made, method, path, term }: Mounted): void {
  const maker = own(MAKERS, made.path);
  if (maker === undefined) return;
  const { evaluator } = collector;
  evaluator.eachUseOf(made.call.args, made.scope, site => {
    // `app.use('/orders', proxyTo(ORDERS))`: what this call of the function gives.
    const isMeant =
      site === undefined || term === 0 || term.kind !== 'call' || term === made.call || (site.position === term.position && site.file === scope.file);
    if (!isMeant) return;
    const at = { call: made.call, scope: made.scope };
    const taken = pathsTaken(collector, at, maker);
    const incoming = (taken.length === 0 ? [path] : taken.map(each => (path === '/' ? each : joinPaths(path, each)))).map(withoutWildcard);
    const [target] = evaluator.textsAt(made.call, maker.target, made.scope);
    if (target === undefined) return collector.skip(COMPUTED.address, made.scope.file, made.call.position);
    const isOne = method !== '' && !/[*(]/.test(path);
    for (const from of incoming) {
      const rewritten = rewrittenPaths(collector, at, maker, { path: from, isMountedBelow: method === '' });
      addForward(collector, { call, scope }, maker.name, method, target, { covers: isOne ? 'path' : 'below', path: from, rewritten });
    }
  });
}

/** Paths that the maker's own options say. */
function pathsTaken(collector: RouteCollector, { call, scope }: Visit, maker: ProxyMaker): readonly string[] {
  const found = maker.paths === undefined ? [] : collector.evaluator.textsAt(call, maker.paths, scope);
  return found.map(pathOf).filter(path => path.startsWith('/'));
}

interface Incoming {
  readonly path: string;
  /** It takes all below a path that may be taken off. */
  readonly isMountedBelow: boolean;
}

/** Paths that may be called in place of one, the likeliest first. */
function rewrittenPaths(collector: RouteCollector, { call, scope }: Visit, maker: ProxyMaker, { isMountedBelow, path }: Incoming): readonly string[] {
  const { evaluator } = collector;
  const takenOff = isMountedBelow ? (maker.takesOff === 'always' ? [''] : [path, '']) : [path];
  const rule = evaluator.argument(call, maker.rewrite, scope);
  if (rule === undefined) return takenOff;
  for (const value of evaluator.values(rule.term, rule.scope)) {
    if (value.kind === 'object') {
      const rewritten = value.entries.flatMap(([pattern, to]) => rewrittenBy(pattern, evaluator.texts(to, value.scope)[0], path) ?? []);
      if (rewritten.length > 0) return rewritten;
    } else if (value.kind === 'function') {
      const inner = collector.units.scopeOfFunction(value.fn, value.scope);
      const texts = value.fn.body.flatMap(step => (step.kind === 'return' ? evaluator.texts(step.value, inner) : []));
      const fronts = texts.flatMap(([front, ...rest]) =>
        front?.is === 'text' && front.text.startsWith('/') && rest.length > 0 ? [withoutWildcard(front.text)] : [],
      );
      return fronts.length > 0 ? fronts : [path];
    }
  }
  return takenOff;
}

/** `{ '^/api/orders': '/orders' }`; undefined where the pattern is of other paths. `^/` alone is of what is left behind the mount. */
export function rewrittenBy(pattern: string, to: readonly Piece[] | undefined, path: string): string | undefined {
  const from = pattern.replace(/^\^/, '').replace(/\/?(?:[$(*?.[].*)?$/, '');
  const target = withoutWildcard((literalOf(to ?? []) ?? '').replace(/\$\d.*$/, ''));
  if (from === '') return target;
  return path === from || path.startsWith(`${from}/`) ? `${target}${path.slice(from.length)}` : undefined;
}

/** `app.register(proxy, { upstream: 'http://orders', prefix: '/orders', rewritePrefix: '/v1/orders' })` */
function readPlugin(collector: RouteCollector, { call, decorated, scope }: Visit): void {
  const callee = calleeOf(call);
  if (decorated !== undefined || termName(callee) !== 'register' || callee === 0 || callee.kind !== 'member') return;
  const { evaluator } = collector;
  const [plugin = 0] = call.args;
  evaluator.eachUse(call, scope, () => {
    if (!evaluator.values(plugin, scope).some(value => value.kind === 'outside' && PLUGINS.has(value.path))) return;
    const [target] = evaluator.textsAt(call, 'upstream', scope);
    if (target === undefined) return collector.skip(COMPUTED.address, scope.file, call.position);
    const prefix = evaluator.textsAt(call, 'prefix', scope).map(pathOf)[0] ?? '';
    const rewritten = withoutWildcard(evaluator.textsAt(call, 'rewritePrefix', scope).map(pathOf)[0] ?? '');
    const fronts = evaluator.values(callee.owner, scope).flatMap(value => (value.kind === 'router' ? prefixesOf(value.router).map(pathOf) : []));
    for (const front of fronts.length === 0 ? [''] : fronts) {
      const path = withoutWildcard(joinPaths(front, prefix));
      addForward(collector, { call, scope }, 'fastify-http-proxy', '', target, { covers: 'below', path, rewritten: [rewritten] });
    }
  });
}

/** `proxy.web(req, res, { target: 'http://orders' })`, the target there or where the server is made. */
function readServer(collector: RouteCollector, { call, decorated, scope }: Visit): void {
  const callee = calleeOf(call);
  if (decorated !== undefined || callee === 0 || callee.kind !== 'member' || callee.name !== 'web') return;
  const { evaluator } = collector;
  evaluator.eachUseOf(call.args, scope, () => {
    for (const value of evaluator.values(callee.owner, scope)) {
      if (value.kind !== 'made' || !SERVERS.test(value.path)) continue;
      const made = value.call === undefined || value.scope === undefined ? [] : evaluator.textsAt(value.call, 'target', value.scope);
      const [target] = [...evaluator.textsAt(call, 'target', scope), ...made];
      if (target === undefined) collector.skip(COMPUTED.address, scope.file, call.position);
      else addForward(collector, { call, scope }, 'http-proxy', '', target, { covers: 'unknown', path: '', rewritten: [] });
    }
  });
}

/** A handler that other code calls: it is not known for which paths. */
function readUnmounted(collector: RouteCollector, { call, scope }: Visit, maker: ProxyMaker): void {
  const { evaluator } = collector;
  evaluator.eachUseOf(call.args, scope, () => {
    for (const target of evaluator.textsAt(call, maker.target, scope))
      addForward(collector, { call, scope }, maker.name, '', target, { covers: 'unknown', path: '', rewritten: [] });
  });
}

export function addForward(
  collector: RouteCollector,
  { call, scope }: Pick<Visit, 'call' | 'scope'>,
  name: string,
  method: string,
  target: readonly Piece[],
  forwards: Forwarding,
): void {
  const [first] = target;
  const isBare = first?.is === 'text' && !first.text.includes('//');
  const url: readonly Piece[] = isBare ? [{ is: 'text', text: 'http://' }, ...target] : target;
  collector.calls.push({ ...callOf(collector, call, scope, name, method === '' ? 'ANY' : method, joined(url)), forwards });
}

/** `/orders/*`, `/orders/:path*`, `/orders(.*)`, `/orders/` */
export function withoutWildcard(path: string): string {
  return path.replace(/\/?(?::\w+\*|[*({].*)$/, '').replace(/\/+$/, '');
}
