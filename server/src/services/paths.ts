/** Parameters in all spellings: `{id}`, `{id:[0-9]+}`, `:id`, `<int:id>`, `[id]`, `[...all]`, `*rest`, `${id}`, groups of expressions. */
const PARAMETER =
  /\$\{[^{}]*\}|\{(?:[^{}]|\{[^{}]*\})*\}|<[^<>]+>|\[\[?(?:\.\.\.)?[\w-]+\]?\]|\(\?P?<\w+>(?:[^()]|\([^()]*\))*\)|:[A-Za-z_]\w*(?:\((?:[^()]|\([^()]*\))*\))?[?*+]?|(?<=\/)\*\w*/g;

/** A path whose parameters are `{}`, without a slash at its end, doubled slashes and what stands behind `?` or `#`. Always starts with `/`. */
export function plainPath(path: string): string {
  const bare = path.replace(PARAMETER, '{}').replace(/[?#].*$/, '');
  const joined = `/${bare}`.replace(/\/{2,}/g, '/');
  return joined.length > 1 ? joined.replace(/\/$/, '') : joined;
}

/** Whether a path of a request may be meant by a path of an endpoint: a value may stand where the endpoint has a parameter. */
export function fits(request: string, endpoint: string): boolean {
  return fitsPlain(plainPath(request).split('/'), plainPath(endpoint).split('/'));
}

/** The same with the segments of plain paths, for one that is compared with many. */
export function fitsPlain(given: readonly string[], wanted: readonly string[]): boolean {
  if (given.length !== wanted.length) return false;
  return wanted.every((segment, at) => segment === given[at] || segment.includes('{}') || (given[at] ?? '') === '{}');
}

/** Number of segments that are no parameters. */
export function literalSegments(path: string): number {
  return plainPath(path)
    .split('/')
    .filter(segment => segment !== '' && !segment.includes('{}')).length;
}

/** Paths under which one is known: as it is, and with and without each base path. */
export function spellings(path: string, bases: readonly string[]): readonly string[] {
  const plain = plainPath(path);
  const others = bases.flatMap(base => {
    const bare = plainPath(base);
    if (bare === '/') return [];
    const without = plain === bare ? ['/'] : plain.startsWith(`${bare}/`) ? [plain.slice(bare.length)] : [];
    return [plainPath(`${bare}${plain}`), ...without];
  });
  return [...new Set([plain, ...others])];
}

/** What stands for a method where a root field of GraphQL is asked for. */
export const GRAPHQL_METHODS: ReadonlySet<string> = new Set(['QUERY', 'MUTATION', 'SUBSCRIPTION']);

/** Hosts under which a program on a machine finds others on it. */
export function isThisMachine(host: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[?::1\]?|docker\.for\.(?:mac|win)\.(?:localhost|host\.internal)|(?:host|gateway)\.docker\.internal|host\.minikube\.internal)$/.test(
    host,
  );
}

/** Hosts that only the network around can reach: this machine, and addresses that are nobody's in public. */
export function isPrivateHost(host: string): boolean {
  return isThisMachine(host) || /^(?:10(?:\.\d+){3}|192\.168(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2})$/.test(host);
}
