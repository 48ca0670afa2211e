/**
 * `file:` URIs and absolute paths of the three platforms, converted by rule and not by the platform that runs this code.
 * Windows spellings have a drive letter (given back in lower case, as the editor writes it) or start with two separators (UNC).
 */
export type PathStyle = 'posix' | 'windows';

export function pathStyleOf(platform: string): PathStyle {
  return platform === 'win32' ? 'windows' : 'posix';
}

/** Absolute path of a `file:` URI; `undefined` for other schemes and broken escapes. */
export function uriToPath(uri: string, style: PathStyle): string | undefined {
  const parts = /^file:\/\/(?<authority>[^/?#]*)(?<path>[^?#]*)/i.exec(uri)?.groups;
  if (parts === undefined) return undefined;
  const path = decode(parts['path'] ?? '');
  const authority = decode(parts['authority'] ?? '');
  if (path === undefined || authority === undefined || path.includes('\0')) return undefined;
  if (style === 'posix') return authority === '' || authority === 'localhost' ? path || '/' : undefined;
  if (authority !== '' && authority !== 'localhost') return `\\\\${authority}${path.replaceAll('/', '\\')}`;
  const drive = /^\/([a-zA-Z]):(?<rest>.*)$/s.exec(path);
  if (drive === null) return undefined;
  const rest = drive.groups?.['rest'] ?? '';
  return `${(drive[1] ?? '').toLowerCase()}:${rest === '' ? '\\' : rest.replaceAll('/', '\\')}`;
}

/** URI of an absolute path, escaped as the editor escapes: everything but unreserved characters and `/`. */
export function pathToUri(path: string, style: PathStyle): string {
  if (style === 'posix') return `file://${encodePath(path)}`;
  const forward = path.replaceAll('\\', '/');
  if (forward.startsWith('//')) {
    const slash = forward.indexOf('/', 2);
    const authority = slash < 0 ? forward.slice(2) : forward.slice(2, slash);
    return `file://${encodePath(authority.toLowerCase())}${slash < 0 ? '/' : encodePath(forward.slice(slash))}`;
  }
  return `file:///${encodePath(forward.replace(/^([a-zA-Z]):/, (_, drive: string) => `${drive.toLowerCase()}:`))}`;
}

/** Absolute path of a workspace path below a root. */
export function absolutePath(root: string, path: string, style: PathStyle): string {
  const separator = style === 'windows' ? '\\' : '/';
  const trimmed = root.endsWith('/') || (style === 'windows' && root.endsWith('\\')) ? root.slice(0, -1) : root;
  return path === '' ? root : `${trimmed}${separator}${style === 'windows' ? path.replaceAll('/', '\\') : path}`;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function encodePath(path: string): string {
  return path
    .split('/')
    .map(segment =>
      encodeURIComponent(segment.replace(/\p{Surrogate}/gu, '\uFFFD')).replace(
        /[!'()*]/g,
        character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
      ),
    )
    .join('/');
}
