import type { ProxyRoute } from '../serviceFile';
import { withDefaultsOf } from './compose';
import { type Data, isRecord, keptValue, lineAt, listIn, recordIn, textIn, textOf } from './data';

/** Most values of one file. */
const MAX_ENTRIES = 2000;

/** Keys of nested data, joined by dots, with values that are no secrets. */
export function flattened(documents: readonly unknown[]): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  let count = 0;
  const visit = (value: unknown, key: string, depth: number): void => {
    if (count >= MAX_ENTRIES || depth > 12) return;
    if (isRecord(value)) {
      for (const [name, inner] of Object.entries(value)) visit(inner, key === '' ? name : `${key}.${name}`, depth + 1);
    } else if (Array.isArray(value)) {
      value.forEach((inner, at) => visit(inner, `${key}[${at}]`, depth + 1));
    } else {
      const kept = keptValue(key, textOf(value));
      if (key === '' || kept === undefined || kept === '' || Object.hasOwn(found, key)) return;
      found[key] = springDefaults(kept);
      count++;
    }
  };
  for (const document of documents) visit(document, '', 0);
  return found;
}

/** `${NAME:default}` of Spring and `${NAME:-default}` of shells as their default, where there is one. */
export function springDefaults(value: string): string {
  return withDefaultsOf(value).replace(/\$\{[^}:$]+:(?<fallback>[^}]*)\}/g, '$<fallback>');
}

/** `key=value` and `key: value`, line by line. */
export function readProperties(text: string): Readonly<Record<string, string>> {
  const pairs = text
    .split('\n')
    .slice(0, MAX_ENTRIES)
    .flatMap(line => {
      const match = /^\s*(?:export\s+)?(?<key>[\w.[\]-]+)\s*[=:]\s*(?<value>.*?)\s*$/.exec(line)?.groups;
      if (match === undefined || line.trimStart().startsWith('#')) return [];
      const key = match['key'] ?? '';
      const kept = keptValue(key, springDefaults((match['value'] ?? '').replace(/^["']|["']$/g, '')));
      return kept === undefined ? [] : [[key, kept] as const];
    });
  return Object.fromEntries(pairs);
}

/** Names of values that say where something is. */
const ADDRESS_NAME =
  /(?:^|_)(?:URLS?|URI|HOST(?:NAME)?S?|ADDR(?:ESS)?|ENDPOINTS?|PORT|SERVICE|SERVERS?|UPSTREAM|BACKEND|BROKERS?|TOPIC|QUEUE|EXCHANGE|CHANNEL|BASE|PREFIX|IMAGE|DOCKERFILE|CONTEXT)(?:_|$)/i;

/**
 * Values of an environment file that are addresses, or names of images and build files. Everything else may be a secret: a key of a service looks like any word.
 */
export function readEnvironment(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(readProperties(text)).filter(([key, value]) => ADDRESS_NAME.test(key) && !/[\s?&=]/.test(value)));
}

/** Routes of gateways that stand in configuration: Spring Cloud Gateway, Zuul, YARP, Ocelot, Envoy, Traefik, Kong, KrakenD. */
export function gatewayRoutes(documents: readonly unknown[], text: string): readonly ProxyRoute[] {
  return documents
    .filter(isRecord)
    .flatMap(root => [
      ...springRoutes(root, text),
      ...zuulRoutes(root, text),
      ...yarpRoutes(root, text),
      ...envoyRoutes(root, text),
      ...traefikRoutes(root, text),
      ...ocelotRoutes(root, text),
      ...kongRoutes(root, text),
      ...krakendRoutes(root, text),
    ]);
}

function springRoutes(root: Data, text: string): ProxyRoute[] {
  const gateway = recordIn(recordIn(recordIn(root, 'spring'), 'cloud'), 'gateway');
  const server = recordIn(gateway, 'server');
  const lists = [gateway, recordIn(server, 'webflux'), recordIn(server, 'webmvc'), recordIn(gateway, 'mvc')].flatMap(part => listIn(part, 'routes'));
  return lists.flatMap((route): ProxyRoute[] => {
    const uri = textIn(route, 'uri');
    const paths = listIn(route, 'predicates')
      .map(textOf)
      .flatMap(predicate => /^Path=(?<paths>.+)$/.exec(predicate)?.groups?.['paths']?.split(',') ?? []);
    const filters = listIn(route, 'filters').map(textOf);
    const strip = Number(/^StripPrefix=(?<count>\d+)/.exec(filters.find(filter => filter.startsWith('StripPrefix')) ?? '')?.groups?.['count'] ?? 0);
    const prefix = /^PrefixPath=(?<path>.+)$/.exec(filters.find(filter => filter.startsWith('PrefixPath')) ?? '')?.groups?.['path'] ?? '';
    const rewrite = /^RewritePath=\s*(?<from>[^,]+?)\s*,\s*(?<to>\S+)/.exec(filters.find(filter => filter.startsWith('RewritePath')) ?? '')?.groups;
    const line = lineOf(text, textIn(route, 'id') || uri);
    return (paths.length === 0 ? [''] : paths).flatMap(path => {
      const bare = withoutWildcard(path.trim());
      const rewritten = prefix + (rewrittenBelow(bare, rewrite) ?? stripped(bare, strip));
      return uri === '' ? [] : [{ line, path: bare, target: uri, rewritten, kind: 'spring-cloud-gateway' as const }];
    });
  });
}

/** What a beginning of paths becomes by `/orders/?(?<segment>.*), /v1/${segment}`; undefined where the pattern is of something else. */
function rewrittenBelow(path: string, rewrite: Readonly<Record<string, string>> | undefined): string | undefined {
  const plain = (pattern: string): string => pattern.replace(/\/?\??(?:\(|\$).*$/, '').replace(/\/+$/, '');
  const from = plain(rewrite?.['from'] ?? '');
  if (rewrite === undefined || !(path === from || path.startsWith(`${from}/`))) return undefined;
  return plain(rewrite['to'] ?? '') + path.slice(from.length);
}

function zuulRoutes(root: Data, text: string): ProxyRoute[] {
  const zuul = recordIn(root, 'zuul');
  const global = textIn(zuul, 'prefix');
  return Object.entries(recordIn(zuul, 'routes')).flatMap(([name, route]): ProxyRoute[] => {
    const given = typeof route === 'string' ? route : textIn(route, 'path') || `/${name}/**`;
    const target = (isRecord(route) ? textIn(route, 'serviceId') || textIn(route, 'url') : '') || name;
    const bare = withoutWildcard(given);
    const keeps = isRecord(route) && route['stripPrefix'] === false;
    return [{ line: lineOf(text, name), path: global + bare, target, rewritten: keeps ? bare : '', kind: 'zuul' }];
  });
}

function yarpRoutes(root: Data, text: string): ProxyRoute[] {
  const proxy = recordIn(root, 'ReverseProxy');
  const clusters = recordIn(proxy, 'Clusters');
  return Object.entries(recordIn(proxy, 'Routes')).flatMap(([name, route]) => {
    const cluster = recordIn(clusters, textIn(route, 'ClusterId'));
    const path = withoutWildcard(textIn(recordIn(route, 'Match'), 'Path'));
    const strip = listIn(route, 'Transforms')
      .map(one => textIn(one, 'PathRemovePrefix'))
      .find(one => one !== '');
    const pattern = listIn(route, 'Transforms')
      .map(one => textIn(one, 'PathPattern'))
      .find(one => one !== '');
    const stripped = strip === undefined || !path.startsWith(strip) ? path : path.slice(strip.length);
    const rewritten = pattern === undefined ? stripped : withoutWildcard(`/${pattern}`.replace('//', '/'));
    return Object.values(recordIn(cluster, 'Destinations')).flatMap((destination): ProxyRoute[] => {
      const target = textIn(destination, 'Address');
      return target === '' ? [] : [{ line: lineOf(text, name), path, target, rewritten, kind: 'yarp' }];
    });
  });
}

/** Envoy: routes name clusters, clusters have addresses. */
function envoyRoutes(root: Data, text: string): ProxyRoute[] {
  const resources = recordIn(root, 'static_resources');
  const addresses = new Map<string, string>();
  for (const cluster of listIn(resources, 'clusters')) {
    const address = firstDeep(cluster, 'socket_address', 10);
    addresses.set(textIn(cluster, 'name'), textIn(address, 'address'));
  }
  const found: ProxyRoute[] = [];
  const visit = (value: unknown, depth: number): void => {
    if (depth > 24 || found.length > MAX_ENTRIES) return;
    if (Array.isArray(value)) for (const inner of value) visit(inner, depth + 1);
    if (!isRecord(value)) return;
    const action = recordIn(value, 'route');
    const cluster = textIn(action, 'cluster');
    if (cluster !== '') {
      const match = recordIn(value, 'match');
      const path = (textIn(match, 'prefix') || textIn(match, 'path')).replace(/\/+$/, '');
      const rewritten = action['prefix_rewrite'] === undefined ? path : textIn(action, 'prefix_rewrite').replace(/\/+$/, '');
      found.push({ line: lineOf(text, cluster), path, target: addresses.get(cluster) || cluster, rewritten, kind: 'envoy' });
    }
    for (const inner of Object.values(value)) visit(inner, depth + 1);
  };
  visit(listIn(resources, 'listeners'), 0);
  return found;
}

function firstDeep(value: unknown, key: string, depth: number): unknown {
  if (depth === 0) return undefined;
  for (const inner of Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : []) {
    if (isRecord(inner) && inner[key] !== undefined) return inner[key];
    const found = firstDeep(inner, key, depth - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function traefikRoutes(root: Data, text: string): ProxyRoute[] {
  const http = recordIn(root, 'http');
  const services = recordIn(http, 'services');
  return Object.entries(recordIn(http, 'routers')).flatMap(([name, router]) => {
    const path = /Path(?:Prefix)?\(`(?<path>[^`]+)`/.exec(textIn(router, 'rule'))?.groups?.['path'] ?? '';
    const balancer = recordIn(recordIn(services, textIn(router, 'service')), 'loadBalancer');
    return listIn(balancer, 'servers').flatMap((server): ProxyRoute[] => {
      const target = textIn(server, 'url');
      return target === '' ? [] : [{ line: lineOf(text, name), path: path.replace(/\/+$/, ''), target, rewritten: path.replace(/\/+$/, ''), kind: 'traefik' }];
    });
  });
}

/** Ocelot: from the template of a path to that of another service, which an address or a registry names. */
function ocelotRoutes(root: Data, text: string): ProxyRoute[] {
  return [...listIn(root, 'Routes'), ...listIn(root, 'ReRoutes')].flatMap((route): ProxyRoute[] => {
    const given = textIn(route, 'UpstreamPathTemplate');
    const path = withoutRest(given);
    const rewritten = withoutRest(textIn(route, 'DownstreamPathTemplate'));
    const named = textIn(route, 'ServiceName');
    const hosts = listIn(route, 'DownstreamHostAndPorts').map(host => [textIn(host, 'Host'), textIn(host, 'Port')].filter(part => part !== '').join(':'));
    const line = lineOf(text, given);
    return (named === '' ? hosts : [named]).flatMap(target =>
      given === '' || target === '' ? [] : [{ line, path, target, rewritten, kind: 'ocelot' as const }],
    );
  });
}

/** Kong: services with the paths that lead to them, which are taken off unless they say otherwise. */
function kongRoutes(root: Data, text: string): ProxyRoute[] {
  if (textIn(root, '_format_version') === '') return [];
  return listIn(root, 'services').flatMap(service => {
    const target = textIn(service, 'url') || textIn(service, 'host');
    const base = /^[a-z]+:\/\/[^/]+(?<path>\/.*)$/.exec(textIn(service, 'url'))?.groups?.['path'] ?? textIn(service, 'path');
    const routes = listIn(service, 'routes').flatMap(route =>
      listIn(route, 'paths').map((given): ProxyRoute => {
        const path = withoutWildcard(
          textOf(given)
            .replace(/^~\^?/, '')
            .replace(/[$(].*$/, ''),
        );
        const kept = isRecord(route) && route['strip_path'] === false ? path : '';
        const behind = text.indexOf(target) + target.length;
        return { line: lineAt(text, text.indexOf(textOf(given), behind)), path, target, rewritten: `${withoutWildcard(base)}${kept}`, kind: 'kong' };
      }),
    );
    return target === '' ? [] : routes;
  });
}

/** KrakenD: endpoints with the requests that answer them. */
function krakendRoutes(root: Data, text: string): ProxyRoute[] {
  const common = listIn(root, 'host').map(textOf);
  return listIn(root, 'endpoints').flatMap(endpoint => {
    const given = textIn(endpoint, 'endpoint');
    return listIn(endpoint, 'backend').flatMap((backend): ProxyRoute[] => {
      const own = listIn(backend, 'host').map(textOf);
      const [target = ''] = own.length > 0 ? own : common;
      const rewritten = textIn(backend, 'url_pattern').replace(/[?#].*$/, '');
      return target === '' || given === ''
        ? []
        : [{ line: lineOf(text, given), path: withoutWildcard(given), target, rewritten: withoutWildcard(rewritten), kind: 'krakend' }];
    });
  });
}

/** A template without the parameter at its end that stands for what is below: `/orders/{everything}`. */
function withoutRest(template: string): string {
  return template.replace(/\/?\{\w+\}$/, '').replace(/\/+$/, '');
}

function stripped(path: string, segments: number): string {
  const parts = path.split('/').filter(part => part !== '');
  const rest = parts.slice(segments);
  return rest.length === 0 ? '' : `/${rest.join('/')}`;
}

function withoutWildcard(path: string): string {
  return path.replace(/\/?\{\*\*[^}]*\}$|\/?\*+$/g, '').replace(/\/+$/, '');
}

function lineOf(text: string, word: string): number {
  const at = word === '' ? -1 : text.indexOf(word);
  return at < 0 ? 1 : lineAt(text, at);
}
