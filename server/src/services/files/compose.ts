import { dirname, join, type WorkspacePath } from '../../base/path';
import type { ProxyRoute, UnitFact } from '../serviceFile';
import { type Data, isRecord, KeyLines, keptValue, listIn, recordIn, textIn, textOf, textsOf } from './data';

/** Whether a file is a Compose file, by its name. */
export function isComposeName(name: string): boolean {
  return /^(?:docker-)?compose(?:[._-][\w.-]+)?\.ya?ml$/i.test(name) || /^docker-compose.*\.ya?ml$/i.test(name);
}

export function readCompose(path: WorkspacePath, root: Data, text: string): readonly UnitFact[] {
  const lines = new KeyLines(text);
  const services = recordIn(root, 'services');
  return Object.entries(services).flatMap(([name, given]): UnitFact[] => {
    const line = lines.next(name);
    if (!isRecord(given)) return [];
    return [unitOf(path, name, given, line)];
  });
}

function unitOf(path: WorkspacePath, name: string, given: Data, line: number): UnitFact {
  const { build } = given;
  const folder = dirname(path);
  const context = typeof build === 'string' ? build : isRecord(build) ? textIn(build, 'context') || '.' : undefined;
  const root = context === undefined || /^[a-z]+:\/\//.test(context) ? undefined : join(folder, withoutVariables(context));
  const dockerfile = isRecord(build) ? textIn(build, 'dockerfile') : '';
  return {
    source: 'compose',
    name,
    line,
    image: /^\$\{?\w+\}?$/.test(textIn(given, 'image')) ? textIn(given, 'image') : imageName(textIn(given, 'image')),
    context: root,
    dockerfile: root === undefined || dockerfile === '' ? undefined : join(root, dockerfile),
    buildWords: isRecord(build) ? [...Object.values(pairsOf(build['args'])), textIn(build, 'target')].filter(word => word !== '') : [],
    env: environmentOf(given['environment']),
    envFrom: [],
    ...filesOf(folder, given),
    aliases: [
      textIn(given, 'container_name'),
      textIn(given, 'hostname'),
      ...Object.values(recordIn(given, 'networks')).flatMap(network => textsOf(recordIn({ network }, 'network')['aliases'])),
    ].filter(alias => alias !== '' && !alias.includes('$')),
    ports: listIn(given, 'ports').map(textOf),
  };
}

/** Files that an entry takes values from, and the folder of the workspace that it works in when that is mounted into it. */
function filesOf(folder: WorkspacePath, given: Data): Pick<UnitFact, 'envFiles' | 'mounted'> {
  const named = [textOf(given['env_file']), ...listIn(given, 'env_file').map(one => textOf(one) || textIn(one, 'path'))];
  const envFiles = named.flatMap(name => (name === '' ? [] : (join(folder, withDefaultsOf(name)) ?? [])));
  const mounted = mountedAt(folder, textIn(given, 'working_dir'), listIn(given, 'volumes'));
  return { ...(envFiles.length === 0 ? {} : { envFiles }), ...(mounted === undefined ? {} : { mounted }) };
}

/** `./internal:/internal` with the working directory `/internal/orders` is `internal/orders`. */
function mountedAt(folder: WorkspacePath, directory: string, volumes: readonly unknown[]): WorkspacePath | undefined {
  if (!directory.startsWith('/')) return undefined;
  for (const volume of volumes) {
    const [source = '', target = ''] = isRecord(volume) ? [textIn(volume, 'source'), textIn(volume, 'target')] : textOf(volume).split(':');
    const isAround = directory === target || directory.startsWith(`${target}/`);
    if (source.startsWith('.') && target.startsWith('/') && isAround) return join(folder, `${source}/${directory.slice(target.length)}`);
  }
  return undefined;
}

/** Routes of Traefik that entries say in their labels: what begins with a path goes to the entry. A proxy of no service of the workspace has them. */
export function readLabelRoutes(root: Data, text: string): readonly ProxyRoute[] {
  const entries = Object.entries(recordIn(root, 'services')).flatMap(([name, given]) => (isRecord(given) ? [{ name, labels: labelsOf(given) }] : []));
  const stripped = new Set(entries.flatMap(({ labels }) => Object.entries(labels).flatMap(strippedBy)));
  return entries.flatMap(({ labels, name }) =>
    Object.entries(labels).flatMap(([key, value]): ProxyRoute[] => {
      const router = /^traefik\.(?:http\.routers\.(?<name>[^.]+)\.rule|(?:[\w-]+\.)?frontend\.rule)$/i.exec(key);
      if (router === null) return [];
      const used = labels[`traefik.http.routers.${router.groups?.['name'] ?? ''}.middlewares`] ?? '';
      const line = text.slice(0, Math.max(0, text.indexOf(key))).split('\n').length;
      return pathsOfRule(value).map(({ isStripped, path }) => {
        const isTakenOff = isStripped || used.split(',').some(one => stripped.has(`${one.trim().replace(/@.*$/, '')} ${path}`));
        return { line, path, target: name, rewritten: isTakenOff ? '' : path, kind: 'traefik' };
      });
    }),
  );
}

function labelsOf(given: Data): Readonly<Record<string, string>> {
  return { ...pairsOf(given['labels']), ...pairsOf(recordIn(given, 'deploy')['labels']) };
}

/** Name of a middleware that takes prefixes off, with each of them. */
function strippedBy([key, value]: readonly [string, string]): string[] {
  const name = /^traefik\.http\.middlewares\.(?<name>[^.]+)\.stripprefix\.prefixes$/i.exec(key)?.groups?.['name'];
  return name === undefined ? [] : value.split(',').map(prefix => `${name} ${prefix.trim().replace(/\/+$/, '')}`);
}

/** ``Host(`a.example`) && PathPrefix(`/api`, `/v2`)``, `PathPrefixStrip:/api` */
function pathsOfRule(rule: string): readonly { readonly path: string; readonly isStripped: boolean }[] {
  return [...rule.matchAll(/\bPath(?:Prefix)?(?<strip>Strip)?(?:\((?<list>[^)]*)\)|:(?<old>[^;]*))/g)].flatMap(({ groups }) =>
    [...(groups?.['list'] ?? groups?.['old'] ?? '').matchAll(/\/[^\s`'",;{]*/g)].flatMap(([path]) => {
      const bare = path.replace(/\/+$/, '');
      return bare === '' ? [] : [{ path: bare, isStripped: groups?.['strip'] !== undefined }];
    }),
  );
}

/** `KEY=value` as a list, or a map. Secrets are left out. */
export function environmentOf(given: unknown): Readonly<Record<string, string>> {
  const pairs = Object.entries(pairsOf(given)).flatMap(([key, value]) => {
    const kept = keptValue(key, withDefaultsOf(value));
    return kept === undefined ? [] : [[key, kept] as const];
  });
  return Object.fromEntries(pairs);
}

function pairsOf(given: unknown): Readonly<Record<string, string>> {
  if (isRecord(given)) return Object.fromEntries(Object.entries(given).map(([key, value]) => [key, textOf(value)]));
  const pairs = textsOf(given).map(text => {
    const at = text.indexOf('=');
    return at < 0 ? ([text, ''] as const) : ([text.slice(0, at), text.slice(at + 1)] as const);
  });
  return Object.fromEntries(pairs);
}

/** `${NAME:-default}` as its default, `${NAME}` as it is. */
export function withDefaultsOf(value: string): string {
  return value.replace(/\$\{[\w.]+:?[-:](?<fallback>[^}]*)\}/g, '$<fallback>');
}

function withoutVariables(path: string): string {
  return withDefaultsOf(path).replace(/\$\{?\w+\}?\/?/g, '');
}

/** Name of an image without registry, tag and digest; its folders are kept. */
export function imageName(image: string): string {
  const bare = withDefaultsOf(image)
    .replace(/@.*$/, '')
    .replace(/\$\{?\w+\}?/g, '');
  return bare.replace(/:[^/:]*$/, '').replace(/^\/+|\/+$/g, '');
}
