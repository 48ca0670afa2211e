/** Which service answers the procedures of a service of Protocol Buffers: one file often describes those of a whole system, or is copied into each part of it. */
import type { WorkspacePath } from '../../base/path';
import type { StableId } from '../../model/ids';
import type { CodeReader, TypeSymbol } from '../codeReader';
import { plainName } from '../discovery/folders';
import { alike } from '../discovery/units';
import type { Service } from '../model';
import type { CodeSurface, Place } from '../surface';

export interface ProcedureSources {
  readonly services: readonly Service[];
  readonly serviceOf: (path: WorkspacePath) => string;
  readonly surface: CodeSurface;
  readonly code: CodeReader;
}

export class Procedures {
  /** Services by what they register, under the name without `Service`. */
  readonly #registered = new Map<string, Set<string>>();
  /** Types of services by the generated name that they extend; found when somebody asks, since most workspaces have no procedures. */
  #servers: ReadonlyMap<string, readonly TypeSymbol[]> | undefined;
  readonly #owners = new Map<string, string>();

  constructor(private readonly sources: ProcedureSources) {
    const { serviceOf, surface } = sources;
    for (const { place, service, side } of surface.rpcs) {
      const owner = serviceOf(place.file);
      if (side !== 'server' || owner === '') continue;
      const key = keyOf(service);
      this.#registered.set(key, (this.#registered.get(key) ?? new Set()).add(owner));
    }
  }

  /** Name of the only service that answers `shop.v1.OrderService`, `''` where several do or none is known. */
  ownerOf(full: string): string {
    let owner = this.#owners.get(full);
    if (owner === undefined) this.#owners.set(full, (owner = this.#find(full)));
    return owner;
  }

  #find(full: string): string {
    const { serviceOf, services } = this.sources;
    const name = full.split('.').pop() ?? full;
    const registered = this.#registered.get(keyOf(name));
    if (registered !== undefined) return only(registered);
    const implementing = new Set(this.#typesOf(name).map(type => serviceOf(type.path)));
    if (implementing.size > 0) return only(implementing);
    return only(new Set(services.filter(service => [service.name, ...service.aliases].some(one => alike(one, name))).map(service => service.name)));
  }

  /** The method that answers a procedure. */
  handlerOf(owner: string, full: string, procedure: string): { readonly id: StableId | undefined; readonly place: Place } | undefined {
    const { code, serviceOf, surface } = this.sources;
    const name = full.split('.').pop() ?? full;
    const wanted = plainName(procedure);
    for (const rpc of surface.rpcs) {
      if (rpc.handlers === undefined || keyOf(rpc.service) !== keyOf(name) || serviceOf(rpc.place.file) !== owner) continue;
      const given = rpc.handlers.find(one => plainName(one.name) === wanted);
      if (given !== undefined) return { id: given.handler, place: given.place };
    }
    const fitting = code.types().filter(type => alike(type.name.replace(/(?:Servicer?|Server|Impl|Handler)+$/i, ''), name.replace(/Service$/, '')));
    const registering =
      this.#registered.get(keyOf(name))?.has(owner) === true ? code.types().filter(type => /server|servicer|service|handler|grpc|api/i.test(type.name)) : [];
    let double: ReturnType<Procedures['handlerOf']>;
    for (const type of [...this.#typesOf(name), ...fitting, ...registering]) {
      if (serviceOf(type.path) !== owner || isGenerated(type.path)) continue;
      const method = type.methods.find(one => plainName(one.name) === wanted);
      if (method === undefined) continue;
      const found = { id: method.id, place: { file: type.path, line: method.line } };
      if (!isDouble(type)) return found;
      double ??= found;
    }
    return double;
  }

  /** Types that extend or implement what is generated for a server: `OrderServiceServer`, `OrderServiceServicer`, `OrderServiceImplBase`. */
  #typesOf(service: string): TypeSymbol[] {
    const servers = (this.#servers ??= this.#findServers());
    return [
      `${service}Server`,
      `Unimplemented${service}Server`,
      `${service}Servicer`,
      `${service}ImplBase`,
      `${service}CoroutineImplBase`,
      `${service}Grpc`,
      `${service}Base`,
      ...(service.endsWith('Service') ? [service] : []),
    ]
      .flatMap(base => servers.get(base) ?? [])
      .filter(type => !isGenerated(type.path));
  }

  #findServers(): ReadonlyMap<string, readonly TypeSymbol[]> {
    const { code, serviceOf } = this.sources;
    const found = new Map<string, TypeSymbol[]>();
    for (const type of code.types()) {
      if (serviceOf(type.path) === '') continue;
      for (const base of type.bases) {
        const name = base.split(/[.:]+/).pop() ?? '';
        const known = found.get(name);
        if (known === undefined) found.set(name, [type]);
        else known.push(type);
      }
    }
    return found;
  }
}

/** Whether a type stands in for another one in tests. */
export function isDouble({ name, path }: TypeSymbol): boolean {
  return /^(?:Mock|Fake|Stub)[A-Z_]|[a-z](?:Mock|Fake|Stub)$/.test(name) || /(?:^|\/)(?:mocks?|fakes?)\/|(?:^|\/)mock_[^/]*$|_mocks?\.\w+$/.test(path);
}

/** Name of a service of procedures as clients, servers and files may spell it. */
export function keyOf(service: string): string {
  const name = plainName(service.split('.').pop() ?? service);
  return name.replace(/service$/, '') || name;
}

function only(names: ReadonlySet<string>): string {
  const [name = ''] = names;
  return names.size === 1 ? name : '';
}

/** Whether a file is one that a compiler of Protocol Buffers writes. */
export function isGenerated(path: WorkspacePath): boolean {
  return /(?:[._]pb|_pb2)(?:[._]\w+)*\.\w+$|(?:^|\/)(?:genproto|generated)\//.test(path);
}
