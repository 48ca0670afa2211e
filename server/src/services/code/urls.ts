/** Addresses of requests from the pieces that code puts together. */
import { isThisMachine } from '../paths';
import type { UrlTemplate } from '../surface';
import { type Piece, pathOf } from './values';

/** Host, variable and path of an address. A value that is not known in front of the first slash is the host's. */
export function urlOf(pieces: readonly Piece[]): UrlTemplate {
  const [first, ...rest] = pieces.filter(piece => piece.is !== 'text' || piece.text !== '');
  if (first === undefined) return { path: '' };
  if (first.is === 'variable') {
    const fallback = first.fallback;
    return { hostFrom: { variable: first.name, ...(fallback === undefined ? {} : { fallback }) }, path: cleanPath(pathOf(rest).replace(/^:[^/]*/, '')) };
  }
  const flat = pieces
    .map(piece => (piece.is === 'text' ? piece.text : piece.is === 'hole' ? `{${piece.name}}` : `\uE000${piece.name}\uE001${piece.fallback ?? ''}\uE002`))
    .join('');
  const absolute = /^(?:[\w.+-]+:)?\/\/([^/]*)(.*)$/s.exec(flat);
  if (absolute === null) {
    const leading = /^\{\$?(\w+)\}(.*)$/s.exec(flat);
    if (leading === null || first.is === 'text') return { path: cleanPath(plain(flat)) };
    const variable = variableCalled(leading[1] ?? '');
    return { path: cleanPath(plain(leading[2] ?? '')), ...(variable === undefined ? {} : { hostFrom: { variable } }) };
  }
  const authority = absolute[1] ?? '';
  const path = cleanPath(plain(absolute[2] ?? ''));
  const variable = /\uE000([^\uE001]*)\uE001([^\uE002]*)\uE002/.exec(authority);
  if (variable !== null) {
    const fallback = variable[2] ?? '';
    return { hostFrom: { variable: variable[1] ?? '', ...(fallback === '' ? {} : { fallback }) }, path };
  }
  const host = authority.replace(/^[^@]*@/, '').replace(/:[^:]*$/, '');
  const port = isThisMachine(host) ? /:(\d+)$/.exec(authority)?.[1] : undefined;
  return host === '' || host.startsWith('{') ? { path } : { host, ...(port === undefined ? {} : { port }), path };
}

/** Parameters and fields that hold the address of something that they name, as variables of the environment are spelled: `catalogueUrl` is `CATALOGUE_URL`. */
function variableCalled(name: string): string | undefined {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase();
  return /^(?!(?:API|APP|BASE|BACKEND|SERVER|ROOT|SERVICE|SITE|TARGET|THIS|SELF|MY|HTTP|REQUEST)_)\w+_(?:BASE_)?(?:URL|URI|HOST|ADDRESS|ENDPOINT)$/.test(words)
    ? words
    : undefined;
}

function plain(text: string): string {
  return text.replace(/\uE000([^\uE001]*)\uE001([^\uE002]*)\uE002/g, (_, name: string, fallback: string) => fallback || `{${name}}`);
}

function cleanPath(path: string): string {
  const clean = path.replace(/[?#].*$/s, '').replace(/\/{2,}/g, '/');
  return clean === '' || clean.startsWith('/') ? clean : `/${clean}`;
}
