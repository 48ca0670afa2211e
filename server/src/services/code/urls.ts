/** Addresses of requests from the pieces that code puts together. */
import type { UrlTemplate } from '../surface';
import { type Piece, pathOf } from './values';

/** Host, variable and path of an address. A value that is not known in front of the first slash is the host's. */
export function urlOf(pieces: readonly Piece[]): UrlTemplate {
  const [first, ...rest] = pieces;
  if (first === undefined) return { path: '' };
  if (first.is === 'variable') {
    const fallback = first.fallback;
    return { hostFrom: { variable: first.name, ...(fallback === undefined ? {} : { fallback }) }, path: cleanPath(pathOf(rest)) };
  }
  const flat = pieces
    .map(piece => (piece.is === 'text' ? piece.text : piece.is === 'hole' ? `{${piece.name}}` : `\uE000${piece.name}\uE001${piece.fallback ?? ''}\uE002`))
    .join('');
  const absolute = /^(?:[\w.+-]+:)?\/\/([^/]*)(.*)$/s.exec(flat);
  if (absolute === null) {
    const leading = /^\{(\w+)\}(.*)$/s.exec(flat);
    return leading === null || first.is === 'text' ? { path: cleanPath(plain(flat)) } : { path: cleanPath(plain(leading[2] ?? '')) };
  }
  const authority = absolute[1] ?? '';
  const path = cleanPath(plain(absolute[2] ?? ''));
  const variable = /\uE000([^\uE001]*)\uE001([^\uE002]*)\uE002/.exec(authority);
  if (variable !== null) {
    const fallback = variable[2] ?? '';
    return { hostFrom: { variable: variable[1] ?? '', ...(fallback === '' ? {} : { fallback }) }, path };
  }
  const host = authority.replace(/^[^@]*@/, '').replace(/:[^:]*$/, '');
  return host === '' || host.startsWith('{') ? { path } : { host, path };
}

function plain(text: string): string {
  return text.replace(/\uE000([^\uE001]*)\uE001([^\uE002]*)\uE002/g, (_, name: string, fallback: string) => fallback || `{${name}}`);
}

function cleanPath(path: string): string {
  const clean = path.replace(/[?#].*$/s, '').replace(/\/{2,}/g, '/');
  return clean === '' || clean.startsWith('/') ? clean : `/${clean}`;
}
