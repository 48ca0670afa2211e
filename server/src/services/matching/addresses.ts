import { basename, isWithin, type WorkspacePath } from '../../base/path';
import { CONFIG_FOLDER } from '../discovery/configNames';
import { isSupportFolder, plainName } from '../discovery/folders';
import { alike } from '../discovery/units';
import type { DataStore, Service } from '../model';
import { isThisMachine } from '../paths';
import type { ServiceFile } from '../serviceFile';
import type { UrlTemplate } from '../surface';

/** Where an address leads to: a service, or nothing that is known. */
export class Addresses {
  readonly #byName = new Map<string, string>();
  readonly #byPort = new Map<string, string | undefined>();
  readonly #stores = new Map<string, string>();
  readonly #values = new Map<string, ReadonlyMap<string, string>>();
  readonly #settings = new Map<string, readonly Readonly<Record<string, string>>[]>();
  readonly #shared: ReadonlyMap<string, string>;
  /** See `configuredServices`. */
  readonly handed: ReadonlyMap<WorkspacePath, string>;

  constructor(services: readonly Service[], stores: readonly DataStore[], files: readonly ServiceFile[]) {
    // Names win over aliases of others.
    for (const { aliases, name } of services) for (const alias of aliases) if (plainName(alias).length > 1) this.#byName.set(plainName(alias), name);
    for (const { name } of services) this.#byName.set(plainName(name), name);
    for (const { aliases, name } of stores) for (const one of [name, ...aliases]) this.#stores.set(plainName(one), name);
    const maps = this.#mergedMaps(files);
    this.handed = configuredServices(files, services);
    this.#shared = relaxed(files.filter(({ path }) => !isSupportFolder(path)).flatMap(file => [file.config ?? {}, ...Object.values(file.configMaps ?? {})]));
    for (const service of services) {
      const settings = settingsOf(service, files, maps, this.handed);
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
  serviceOf(from: string, { host, hostFrom, port }: UrlTemplate): string | undefined {
    if (host !== undefined) return this.serviceAt(from, port === undefined ? host : `${host}:${port}`);
    if (hostFrom === undefined) return undefined;
    const value = this.valueOf(from, hostFrom.variable);
    if ((value ?? '') === '' && (hostFrom.fallback ?? '') === '') return this.serviceNamedBy(hostFrom.variable);
    return (
      (value === undefined ? undefined : this.serviceAt(from, value)) ??
      (hostFrom.fallback === undefined ? undefined : this.serviceAt(from, hostFrom.fallback)) ??
      this.#behindSharedHost(hostFrom.variable, value || (hostFrom.fallback ?? '')) ??
      // The default of developers: which service has the port, nothing tells.
      (isThisMachine(hostOf(value || (hostFrom.fallback ?? '')).split(':')[0] ?? '') ? this.serviceNamedBy(hostFrom.variable) : undefined)
    );
  }

  /** `shop.services.orders = http://api.shop.local/orders`: one host for all, and key and path name the service. */
  #behindSharedHost(variable: string, address: string): string | undefined {
    const key = /(?:^|[._-])services?[._-](?<name>[\w-]+)$/i.exec(variable)?.groups?.['name'];
    const path = /^[a-z]+:\/\/[^/]+\/(?<name>[\w-]+)/i.exec(address)?.groups?.['name'];
    const service = key === undefined ? undefined : this.#byName.get(plainName(key));
    return path === undefined || service === undefined || this.#byName.get(plainName(path)) !== service ? undefined : service;
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
    if (isThisMachine(name)) return this.#byPort.get(port);
    // `orders.shop.svc.cluster.local` is `orders`; a public name is nobody's.
    const labels = name.split('.');
    const isLocal = labels.length <= 2 || /(?:^|\.)(?:svc|local|cluster|internal|default)(?:\.|$)/.test(name);
    return isLocal ? (this.#byName.get(plainName(labels[0] ?? '')) ?? this.#byName.get(plainName(name))) : undefined;
  }

  /** Path of a base address that a variable holds. */
  basePathOf(from: string, { hostFrom }: UrlTemplate): string {
    const value = hostFrom === undefined ? undefined : this.valueOf(from, hostFrom.variable) || hostFrom.fallback;
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
      .filter(({ config, path }) => config !== undefined && ownsConfig(service, path, this.handed))
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
const ADDRESS_OF = /^(?<name>\w+?)_(?:GRPC_|HTTP_|REST_|API_|BASE_|INTERNAL_|CONTAINER_)*(?:URL|URI|ADDR|ADDRESS|HOST|HOSTNAME|ENDPOINT|ORIGIN)$/i;

/** Host and port of an address, without scheme, user and path. */
export function hostOf(address: string): string {
  return address
    .trim()
    .replace(/^(?:(?:jdbc|r2dbc):(?:\w+:)*)?[a-z][a-z0-9+.-]*:\/\//i, '')
    .replace(/^\/\//, '')
    .replace(/^[^/@]*@/, '')
    .replace(/[/?#].*$/s, '');
}

/**
 * The services that files of configuration are for which lie in the folder of another one: a configuration server (Spring Cloud Config) hands out
 * `orders.yml` and `orders-docker.yml` to the service that is called so.
 */
export function configuredServices(files: readonly ServiceFile[], services: readonly Service[]): ReadonlyMap<WorkspacePath, string> {
  const servers = services.filter(({ role }) => role === 'platform').flatMap(({ paths }) => paths.filter(path => path !== ''));
  return new Map(
    files.flatMap(({ config, path, proxies }) => {
      if ((config ?? proxies) === undefined || !CONFIG_FOLDER.test(path) || !servers.some(root => isWithin(path, root))) return [];
      const name = basename(path).replace(/\.(?:ya?ml|properties|json)$/, '');
      const called = (one: string): Service | undefined =>
        services.find(
          service => !service.paths.some(root => root !== '' && isWithin(path, root)) && [service.name, ...service.aliases].some(alias => alike(alias, one)),
        );
      const service = called(name) ?? called(name.replace(/-[a-z0-9]+$/i, ''));
      return service === undefined ? [] : [[path, service.name] as const];
    }),
  );
}

/** Whether a file of configuration is a service's: it lies in its folders, or a configuration server keeps it under its name. */
function ownsConfig(service: Service, path: WorkspacePath, handed: ReadonlyMap<WorkspacePath, string>): boolean {
  const receiver = handed.get(path);
  if (receiver !== undefined) return receiver === service.name;
  if (service.paths.some(root => root !== '' && isWithin(path, root))) return !/(?:^|\/)test\//.test(path);
  if (service.paths[0] === '' && !isSupportFolder(path)) return true;
  const name = basename(path).replace(/\.(?:ya?ml|properties|json)$/, '');
  return CONFIG_FOLDER.test(path) && [service.name, ...service.aliases].some(alias => alike(alias, name));
}

/** Service that a gateway's configuration belongs to; `''` for none. */
export function ownerOfProxies(
  { path, proxies, units }: ServiceFile,
  services: readonly Service[],
  serviceOf: (path: WorkspacePath) => string,
  handed: ReadonlyMap<WorkspacePath, string>,
): string {
  // Labels of a deployment are read by its proxy.
  if (units !== undefined && proxies?.[0]?.kind === 'traefik')
    return services.find(service => service.units.some(({ image }) => /(?:^|\/)traefik$/.test(image)))?.name ?? '';
  return handed.get(path) ?? (serviceOf(path) || (services.find(service => ownsConfig(service, path, handed))?.name ?? ''));
}

/** Route of a gateway for a path: the one with the longest beginning of it. */
export function routeFor<Route extends { readonly path: string; readonly isExact?: boolean }>(routes: readonly Route[], path: string): Route | undefined {
  const fitting = routes.filter(route => route.path === '' || path === route.path || (route.isExact !== true && path.startsWith(`${route.path}/`)));
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
  handed: ReadonlyMap<WorkspacePath, string>,
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
  const config = files.filter(file => file.config !== undefined && ownsConfig(service, file.path, handed)).map(file => file.config ?? {});
  return [...own, ...taken, ...docker, ...config];
}
