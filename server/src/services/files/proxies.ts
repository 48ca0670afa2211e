import type { ProxyRoute } from '../serviceFile';
import { lineAt } from './data';

/** Passes of nginx: upstreams, locations, `proxy_pass` and its like. */
export function readNginx(text: string): readonly ProxyRoute[] {
  const bare = text.replace(/#[^\n]*/g, part => ' '.repeat(part.length));
  const upstreams = new Map(
    [...bare.matchAll(/\bupstream\s+(?<name>[\w.-]+)\s*\{[^}]*?\bserver\s+(?<host>[^\s;]+)/g)].map(match => [
      match.groups?.['name'] ?? '',
      match.groups?.['host'] ?? '',
    ]),
  );
  const variables = new Map(
    [...bare.matchAll(/\bset\s+\$(?<name>\w+)\s+["']?(?<value>[^"';\s]+)/g)].map(match => [match.groups?.['name'] ?? '', match.groups?.['value'] ?? '']),
  );
  return [...bare.matchAll(/\b(?:proxy_pass|grpc_pass|fastcgi_pass|uwsgi_pass)\s+(?<url>[^;\s]+)/g)].flatMap((match): ProxyRoute[] => {
    const { before, location } = around(bare, match.index);
    const url = (match.groups?.['url'] ?? '').replace(/\$(?!\{)(?<name>\w+)/g, (whole, name: string) => variables.get(name) ?? whole);
    const [, host = '', path = ''] = /^(?:[a-z]+:\/\/)?(?<host>[^/]+)(?<path>\/[^?]*)?/.exec(url) ?? [];
    if (host.startsWith('unix')) return [];
    const name = host.replace(/:\d+$/, '');
    const rewritten = rewrittenPath(before, location, path);
    return [{ line: lineAt(text, match.index), path: location, target: upstreams.get(name) ?? host, rewritten, kind: 'nginx' }];
  });
}

/** The location around a place and what stands in it before. */
function around(text: string, at: number): { readonly location: string; readonly before: string } {
  let depth = 0;
  for (let place = at; place >= 0; place--) {
    const code = text.charCodeAt(place);
    if (code === 125) depth++;
    else if (code === 123 && depth-- === 0) {
      const head = text.slice(Math.max(0, place - 300), place);
      const found = /\blocation\s+(?:(?:=|~\*?|\^~)\s+)?(?<path>[^\s{]+)\s*$/.exec(head)?.groups?.['path'];
      if (found !== undefined) return { location: plain(found), before: text.slice(place + 1, at) };
      depth = 0;
    }
  }
  return { location: '', before: '' };
}

function plain(location: string): string {
  return location
    .replace(/^\^/, '')
    .replace(/[$(*[|\\?].*$/, '')
    .replace(/\/+$/, '');
}

/** Where a path of the location goes: by `rewrite`, by the path behind the host, else as it is. */
function rewrittenPath(before: string, location: string, path: string): string {
  const rewrite = /\brewrite\s+(?<from>\S+)\s+(?<to>\S+)/.exec(before)?.groups;
  if (rewrite !== undefined) return (rewrite['to'] ?? '').replace(/\/?\$\d.*$/, '').replace(/\/+$/, '');
  if (path === '' || path.includes('$')) return location;
  return path.replace(/\/+$/, '');
}

/** `ProxyPass /orders http://order:8080/` of Apache. */
export function readApache(text: string): readonly ProxyRoute[] {
  return [...text.matchAll(/^\s*ProxyPass(?:Match)?\s+(?<path>\S+)\s+(?<url>[a-z]+:\/\/\S+)/gim)].map(match => {
    const { path = '', url = '' } = match.groups ?? {};
    const rewritten = url.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/\/+$/, '');
    return { line: lineAt(text, match.index), path: plain(path), target: url, rewritten, kind: 'apache' };
  });
}

/** `reverse_proxy /api/* api:8080` of Caddy; back ends of HAProxy. */
export function readCaddy(text: string): readonly ProxyRoute[] {
  return [...text.matchAll(/^\s*reverse_proxy\s+(?:(?<path>\/\S*)\s+)?(?<host>[\w.:/-]+)/gm)].map(match => {
    const { host = '', path = '' } = match.groups ?? {};
    return { line: lineAt(text, match.index), path: plain(path), target: host, rewritten: plain(path), kind: 'caddy' };
  });
}

export function readHaproxy(text: string): readonly ProxyRoute[] {
  return [...text.matchAll(/^\s*server\s+\S+\s+(?<host>[\w.-]+:\d+)/gm)].map(match => ({
    line: lineAt(text, match.index),
    path: '',
    target: match.groups?.['host'] ?? '',
    rewritten: '',
    kind: 'haproxy',
  }));
}
