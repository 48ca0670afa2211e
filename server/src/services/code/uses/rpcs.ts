/** Servers of remote procedures that code registers, clients of them that it makes, and what it calls on those. */

import type { CallTerm, Term } from '../../../model/digest';
import { SERVICE_CONFIDENCE } from '../../../model/evidence';
import type { RpcHandler, RpcUse, UrlTemplate } from '../../surface';
import type { RouteCollector } from '../collector';
import type { ArgumentSelector, LanguageTables, RpcRow } from '../framework';
import { calleeOf } from '../questions';
import type { Scope } from '../units';
import { urlOf } from '../urls';
import type { Piece, Value } from '../values';
import type { Visit } from '../visits';

/** `paths` are the things outside the workspace that the call may call. */
export function readRpcs(collector: RouteCollector, visit: Visit, tables: LanguageTables, paths: readonly string[]): void {
  if (visit.decorated !== undefined) return;
  const found = tables.rpcs.map(row => fromOutside(collector, visit, row, paths)).find(use => use !== undefined);
  const use = found ?? added(collector, visit) ?? spelled(collector, visit, tables);
  if (use !== undefined) collector.rpcs.push(use);
  else collector.rpcs.push(...calledOn(collector, visit, tables));
}

/** Paths of packages and modules that hold what is generated of contracts. */
const GENERATED = /grpc|pb\b|proto|_pb|gen|api|stub/i;
/** The same where nothing but the name of a type tells: `ApiClient` is none. */
const STUBS = /grpc|pb\b|_pb|proto|stub/i;
/** Types that are generated for clients: `OrderServiceClient`, `OrderServiceBlockingStub`, `OrderServiceStub`. */
const CLIENT_TYPE = /^(\w+?)(?:Blocking|Future|Async|Coroutine)?(?:V2)?(?:Stub|Client)$/;

/** `client.PlaceOrder(…)` on a client that is known by what makes it or by its type. Whether there is such a procedure only contracts tell. */
function calledOn(collector: RouteCollector, visit: Visit, tables: LanguageTables): readonly RpcUse[] {
  const callee = calleeOf(visit.call);
  if (tables.rpcs.length === 0 || callee === 0 || callee.kind !== 'member') return [];
  const services = new Set(collector.evaluator.values(callee.owner, visit.scope).flatMap(value => clientOf(value, tables)));
  return [...services].map(service => ({
    ...useOf(collector, visit, { side: 'client', pattern: /^/ }, service),
    procedure: callee.name,
    isSpelled: true,
  }));
}

/** Service whose client something is: of code that is generated, as its path or its file tells. */
function clientOf(value: Value, tables: LanguageTables): readonly string[] {
  if (value.kind !== 'made' && value.kind !== 'instance') return [];
  const path = value.kind === 'made' ? value.path : `${value.scope.file.path}.${value.cls.name}`;
  const row = tables.rpcs.find(each => each.side === 'client' && (each.isSure === true || GENERATED.test(path)) && each.pattern.test(path));
  const service = row === undefined ? (STUBS.test(path) ? CLIENT_TYPE.exec(path.split('.').pop() ?? '')?.[1] : undefined) : row.pattern.exec(path)?.[1];
  return service === undefined ? [] : [service];
}

/** Something outside whose path says that it is generated. */
function fromOutside(collector: RouteCollector, visit: Visit, row: RpcRow, paths: readonly string[]): RpcUse | undefined {
  for (const path of paths) {
    const service = row.pattern.exec(path)?.[1];
    if (service === undefined || (row.isSure !== true && !GENERATED.test(path))) continue;
    return useOf(collector, visit, row, service);
  }
  return undefined;
}

/**
 * Generated code that lies in the workspace, or is made when it is built: what is called is spelled like a client or a server.
 * Whether there is such a service only contracts tell.
 */
function spelled(collector: RouteCollector, visit: Visit, tables: LanguageTables): RpcUse | undefined {
  const path = dotted(calleeOf(visit.call));
  if (path === '') return undefined;
  for (const row of tables.rpcs) {
    const service = row.pattern.exec(path)?.[1];
    if (service !== undefined) return { ...useOf(collector, visit, row, service), isSpelled: true };
  }
  // `new shop.OrderService(address, credentials)` of a package that is loaded when the code runs.
  const name = path.split('.').pop() ?? '';
  if (tables.loadsProcedures !== true || visit.call.isConstruction !== true || visit.call.args.length < 2 || !/^[A-Z]/.test(name)) return undefined;
  return { ...useOf(collector, visit, { side: 'client', pattern: /^/, address: 0 }, name), isSpelled: true };
}

/** `server.addService(shop.OrderService.service, { create, cancel })` */
function added(collector: RouteCollector, visit: Visit): RpcUse | undefined {
  const callee = calleeOf(visit.call);
  if (callee === 0 || callee.kind !== 'member' || callee.name !== 'addService') return undefined;
  const [definition = 0, implementation = 0] = visit.call.args;
  const service =
    dotted(definition)
      .replace(/\.service$/, '')
      .replace(/ServiceService$/, 'Service')
      .split('.')
      .pop() ?? '';
  if (service === '') return undefined;
  return {
    ...useOf(collector, visit, { side: 'server', pattern: /^/ }, service),
    isSpelled: true,
    handlers: handlersIn(collector, implementation, visit.scope),
  };
}

function handlersIn(collector: RouteCollector, implementation: Term, scope: Scope): readonly RpcHandler[] {
  for (const value of collector.evaluator.values(implementation, scope)) {
    if (value.kind !== 'object') continue;
    return value.entries.flatMap(([name, term]) => {
      const { place, symbol } = collector.handlerOf(term, value.scope);
      return name === '' ? [] : [{ name, handler: symbol, place }];
    });
  }
  return [];
}

function useOf(collector: RouteCollector, { call, scope }: Visit, row: RpcRow, service: string): RpcUse {
  const url = row.address === undefined ? undefined : addressOf(collector, call, row.address, scope);
  return {
    side: row.side,
    service,
    framework: 'grpc',
    confidence: SERVICE_CONFIDENCE.procedure,
    place: collector.placeOf(scope.file, call.position),
    symbol: collector.symbolAround(scope, call.position),
    ...(url === undefined ? {} : { url }),
  };
}

/** Names joined by dots as they are written; `''` for anything else. */
function dotted(term: Term): string {
  if (term === 0) return '';
  if (term.kind === 'name') return term.name;
  if (term.kind === 'member') return `${dotted(term.owner)}.${term.name}`;
  return term.kind === 'generic' ? dotted(term.base) : '';
}

/** Address of a connection: a text, or what the call that made it was given. */
function addressOf(collector: RouteCollector, call: CallTerm, where: ArgumentSelector, scope: Scope): UrlTemplate | undefined {
  const at = collector.evaluator.argument(call, where, scope);
  for (const value of at === undefined ? [] : collector.evaluator.values(at.term, at.scope)) {
    const made = value.kind === 'made' && value.call !== undefined && value.scope !== undefined ? value : undefined;
    const texts =
      value.kind === 'text' ? [value.pieces] : made?.call === undefined || made.scope === undefined ? [] : madeTexts(collector, made.call, made.scope);
    const [first] = texts;
    if (first !== undefined)
      return urlOf(
        first[0]?.is === 'variable' || (first[0]?.is === 'text' && first[0].text.includes('://')) ? first : [{ is: 'text', text: 'grpc://' }, ...first],
      );
  }
  return undefined;
}

function madeTexts(collector: RouteCollector, call: CallTerm, scope: Scope): readonly (readonly Piece[])[] {
  return call.args.slice(0, 2).flatMap(argument => collector.evaluator.texts(argument, scope));
}
