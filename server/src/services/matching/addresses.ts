import { basename, isWithin, type WorkspacePath } from '../../base/path';
import { isSupportFolder, plainName } from '../discovery/folders';
import { alike } from '../discovery/units';
import type { DataStore, Service } from '../model';
import type { ProxyRoute, ServiceFile } from '../serviceFile';
import type { UrlTemplate } from '../surface';

/** Where an address leads to: a service, or nothing that is known. */
export class Addresses {
  readonly #byName = new Map<string, string>();
  readonly #byPort = new Map<string, string | undefined>();
  readonly #stores = new Map<string, string>();
  readonly #values = new Map<string, ReadonlyMap<string, string>>();
  readonly #settings = new Map<string, readonly Readonly<Record<string, string>>[]>();
  readonly #shared: ReadonlyMap<string, string>;

  constructor(services: readonly Service[], stores: readonly DataStore[], files: readonly ServiceFile[]) {
    // Names win over aliases of others.
    for (const { aliases, name } of services) for (const alias of aliases) if (plainName(alias).length > 1) this.#byName.set(plainName(alias), name);
    for (const { name } of services) this.#byName.set(plainName(name), name);
    for (const { aliases, name } of stores) for (const one of [name, ...aliases]) this.#stores.set(plainName(one), name);
    const maps = this.#mergedMaps(files);
    this.#shared = relaxed(files.filter(({ path }) => !isSupportFolder(path)).flatMap(file => [file.config ?? {}, ...Object.values(file.configMaps ?? {})]));
    for (const service of services) {
      const settings = settingsOf(service, files, maps);
      this.#settings.set(service.name, settings);
      this.#values.set(service.name, relaxed(settings));
    }
    for (const service of services) this.#notePorts(service, files);
  }

  /** Value of a variable or a key of configuration as a service has it. */
  valueOf(service: string, variable: string): string | undefined {
    const key = plainName(variable);
    return this.#values.get(service)?.get(key) ?? this.#shared.get(key);
  }

  /** Variables and keys of configuration of a service as they are written. */
  settingsOf(service: string): readonly (readonly [key: string, value: string])[] {
    return (this.#settings.get(service) ?? []).flatMap(settings => Object.entries(settings));
  }

  valuesOf(service: string): ReadonlyMap<string, string> {
    return this.#values.get(service) ?? new Map();
  }

  /** Service behind a template, as a service would call it. */
  serviceOf(from: string, { host, hostFrom }: UrlTemplate): string | undefined {
    if (host !== undefined) return this.serviceAt(from, host);
    if (hostFrom === undefined) return undefined;
    const value = this.valueOf(from, hostFrom.variable);
    if ((value ?? '') === '' && (hostFrom.fallback ?? '') === '') return this.serviceNamedBy(hostFrom.variable);
    return (
      (value === undefined ? undefined : this.serviceAt(from, value)) ?? (hostFrom.fallback === undefined ? undefined : this.serviceAt(from, hostFrom.fallback))
    );
  }

  /** Service that a variable without a known value is called after: `ORDERS_ADDR`, `ORDER_SERVICE_URL`. */
  serviceNamedBy(variable: string): string | undefined {
    const stem = ADDRESS_OF.exec(variable)?.groups?.['name'];
    if (stem === undefined) return undefined;
    const name = plainName(stem);
    return this.#byName.get(name) ?? this.#byName.get(name.replace(/(?:service|svc)$/, '')) ?? this.#byName.get(`${name}service`);
  }

  /** Service at an address, with or without scheme, port and path; variables in it are looked up. */
  serviceAt(from: string, address: string): string | undefined {
    const host = hostOf(this.#filled(from, address, 3));
    if (host === '') return undefined;
    const variable = /^\$\{?(?<name>\w+)\}?(?::|$)/.exec(host)?.groups?.['name'];
    if (variable !== undefined) return this.serviceNamedBy(variable);
    const [name = '', port = ''] = host.split(':');
    if (/^(?:localhost|127\.0\.0\.1|0\.0\.0\.0|host\.docker\.internal)$/.test(name)) return this.#byPort.get(port);
    // `orders.shop.svc.cluster.local` is `orders`; a public name is nobody's.
    const labels = name.split('.');
    const isLocal = labels.length <= 2 || /(?:^|\.)(?:svc|local|cluster|internal|default)(?:\.|$)/.test(name);
    return isLocal ? (this.#byName.get(plainName(labels[0] ?? '')) ?? this.#byName.get(plainName(name))) : undefined;
  }

  /** Path of a base address that a variable holds. */
  basePathOf(from: string, { hostFrom }: UrlTemplate): string {
    const value = hostFrom === undefined ? undefined : (this.valueOf(from, hostFrom.variable) ?? hostFrom.fallback);
    const address = (value ?? '').replace(/^[a-z][a-z0-9+.-]*:\/\//i, '');
    return /^[^/]+(?<path>\/[^?#]*)/.exec(address)?.groups?.['path']?.replace(/\/+$/, '') ?? '';
  }

  /** Store at an address. */
  storeAt(address: string): string | undefined {
    const [name = ''] = hostOf(address).split(':');
    return this.#stores.get(plainName(name.split('.')[0] ?? ''));
  }

  /**
   * Configuration maps by name. Of several with one name (environments, variants of a deployment) a value counts that leads to a service of the workspace,
   * before others that of the map nearest to the root.
   */
  #mergedMaps(files: readonly ServiceFile[]): ReadonlyMap<string, Readonly<Record<string, string>>> {
    const depth = (path: WorkspacePath): number => path.split('/').length + (isSupportFolder(path) ? 100 : 0);
    const merged = new Map<string, Record<string, string>>();
    for (const { configMaps } of files.toSorted((a, b) => depth(a.path) - depth(b.path) || (a.path < b.path ? -1 : 1))) {
      for (const [name, values] of Object.entries(configMaps ?? {})) {
        const known = merged.get(name) ?? {};
        merged.set(name, known);
        for (const [key, value] of Object.entries(values)) {
          const before = known[key];
          if (before === undefined || (!this.#namesService(before) && this.#namesService(value))) known[key] = value;
        }
      }
    }
    return merged;
  }

  #namesService(address: string): boolean {
    const [name = ''] = hostOf(address).split(/[.:]/);
    return this.#byName.has(plainName(name));
  }

  #filled(from: string, address: string, depth: number): string {
    if (depth === 0 || !address.includes('$')) return address;
    return address.replace(/\$\{?(?<name>\w+)\}?/g, (whole, name: string) => {
      const value = this.valueOf(from, name);
      return value === undefined ? whole : this.#filled(from, value, depth - 1);
    });
  }

  /** A service on this machine is found by its port, as long as no other has it. */
  #notePorts(service: Service, files: readonly ServiceFile[]): void {
    const configured = files
      .filter(({ config, path }) => config !== undefined && ownsConfig(service, path))
      .map(({ config }) => config?.['server.port'] ?? config?.['PORT'] ?? '');
    const published = service.units.flatMap(unit =>
      unit.ports.map(port => port.split(':')).flatMap(parts => (parts.length > 1 ? [parts[parts.length - 2] ?? ''] : [])),
    );
    for (const port of new Set([...configured, ...published].filter(one => /^\d+$/.test(one)))) {
      this.#byPort.set(port, this.#byPort.has(port) && this.#byPort.get(port) !== service.name ? undefined : service.name);
    }
  }
}

/** Variables that say where a service is, with its name. */
const ADDRESS_OF = /^(?<name>\w+?)_(?:GRPC_|HTTP_|REST_|API_|BASE_|INTERNAL_)*(?:URL|URI|ADDR|ADDRESS|HOST|HOSTNAME|ENDPOINT)$/i;

/** Host and port of an address, without scheme, user and path. */
export function hostOf(address: string): string {
  return address
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .replace(/^\/\//, '')
    .replace(/^[^/@]*@/, '')
    .replace(/[/?#].*$/s, '');
}

/** Whether a file of configuration is a service's: it lies in its folders, or a configuration server keeps it under its name. */
export function ownsConfig(service: Service, path: WorkspacePath): boolean {
  if (service.paths.some(root => root !== '' && isWithin(path, root))) return !/(?:^|\/)test\//.test(path);
  if (service.paths[0] === '' && !isSupportFolder(path)) return true;
  const name = basename(path).replace(/\.(?:ya?ml|properties|json)$/, '');
  return /(?:^|\/)(?:config|configs|config-repo|shared|configuration)\//.test(path) && [service.name, ...service.aliases].some(alias => alike(alias, name));
}

/** Service that a gateway's configuration belongs to; `''` for none. */
export function ownerOfProxies(file: ServiceFile, services: readonly Service[], serviceOf: (path: WorkspacePath) => string): string {
  return serviceOf(file.path) || (services.find(service => ownsConfig(service, file.path))?.name ?? '');
}

/** Route of a gateway for a path: the one with the longest beginning of it. */
export function routeFor(routes: readonly ProxyRoute[], path: string): ProxyRoute | undefined {
  const fitting = routes.filter(route => route.path === '' || path === route.path || path.startsWith(`${route.path}/`));
  return fitting.sort((a, b) => b.path.length - a.path.length)[0];
}

function relaxed(maps: readonly Readonly<Record<string, string>>[]): Map<string, string> {
  const values = new Map<string, string>();
  for (const map of maps) for (const [key, value] of Object.entries(map)) if (!values.has(plainName(key))) values.set(plainName(key), value);
  return values;
}

function settingsOf(
  service: Service,
  files: readonly ServiceFile[],
  maps: ReadonlyMap<string, Readonly<Record<string, string>>>,
): readonly Readonly<Record<string, string>>[] {
  const own = service.units.map(({ env }) =>
    Object.fromEntries(
      Object.entries(env).flatMap(([key, value]) => {
        const [, map = '', name = ''] = /^configmap:(?<map>[^/]*)\/(?<name>.*)$/.exec(value) ?? [];
        const found = map === '' ? value : maps.get(map)?.[name];
        return found === undefined ? [] : [[key, found] as const];
      }),
    ),
  );
  const taken = service.units.flatMap(({ envFrom }) => envFrom.map(name => maps.get(name) ?? {}));
  const docker = files
    .filter(({ docker, path }) => docker !== undefined && service.paths.some(root => root !== '' && isWithin(path, root)))
    .map(file => file.docker?.env ?? {});
  const config = files.filter(file => file.config !== undefined && ownsConfig(service, file.path)).map(file => file.config ?? {});
  return [...own, ...taken, ...docker, ...config];
}
