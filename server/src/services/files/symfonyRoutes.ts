/** Routes of Symfony that stand in YAML: `config/routes.yaml`, `config/routes/*.yaml`, files that they take in, routes of bundles. */
import { dirname, isWithin, join, type WorkspacePath } from '../../base/path';
import { joinPaths } from '../code/values';
import { SYMFONY_ROUTES } from '../serviceFile';
import { isRecord, KeyLines, readData, recordIn, textIn, textOf, textsOf } from './data';

/** A route as it is written, with all prefixes. */
export interface FileRoute {
  readonly file: WorkspacePath;
  /** 1-based. */
  readonly line: number;
  readonly path: string;
  /** Upper case, `[]` for any. */
  readonly methods: readonly string[];
  /** Class with its namespace, and its method; `''` for a class that is called. */
  readonly className: string;
  readonly method: string;
}

export interface SymfonyRoutes {
  readonly routes: readonly FileRoute[];
  /** Prefixes of the routes that attributes in the files of a folder say. */
  readonly prefixes: readonly { readonly folder: WorkspacePath; readonly prefix: string }[];
}

/** Files that are loaded in one environment only, for tools of developers. */
const ENVIRONMENT = /(?:^|\/)(?:dev|test)\/|[_.](?:dev|test)\.ya?ml$/;

const MAX_ROUTES = 5000;
const MAX_DEPTH = 6;

interface Import {
  readonly from: WorkspacePath;
  readonly prefixes: readonly string[];
  /** A file of routes, or a folder of classes. */
  readonly to: WorkspacePath;
}

export function readSymfonyRoutes(texts: ReadonlyMap<WorkspacePath, string>): SymfonyRoutes {
  const files = [...texts].filter(([path]) => SYMFONY_ROUTES.test(path) && !ENVIRONMENT.test(path));
  const imports: Import[] = [];
  const written: FileRoute[] = [];
  for (const [file, text] of files) {
    const lines = new KeyLines(text);
    for (const [name, entry] of Object.entries(readData(text, false).documents.find(isRecord) ?? {})) {
      const line = lines.next(name);
      if (!isRecord(entry) || name.startsWith('when@') || written.length >= MAX_ROUTES) continue;
      const resource = textOf(entry['resource']) || textIn(entry['resource'], 'path');
      const to = resource === '' ? undefined : targetOf(file, resource, texts);
      if (to !== undefined) imports.push({ from: file, prefixes: pathsIn(entry['prefix']), to });
      if (resource === '') written.push(...routesOf(file, line, entry));
    }
  }
  const prefixesOf = (path: WorkspacePath, depth = 0): readonly string[] => {
    const taken = depth === MAX_DEPTH ? [] : imports.filter(({ from, to }) => to === path && from !== path);
    const found = taken.flatMap(({ from, prefixes }) => prefixesOf(from, depth + 1).flatMap(above => prefixes.map(prefix => below(above, prefix))));
    return found.length === 0 ? [''] : [...new Set(found)];
  };
  return {
    routes: written.flatMap(route => prefixesOf(route.file).map(prefix => ({ ...route, path: joinPaths(prefix, route.path) }))),
    prefixes: imports.flatMap(({ from, prefixes, to }) =>
      /\.ya?ml$/.test(to) ? [] : prefixesOf(from).flatMap(above => prefixes.map(prefix => ({ folder: to, prefix: below(above, prefix) }))),
    ),
  };
}

/** Prefix of what the attributes of a file say: of the nearest folder that is taken in. */
export function symfonyPrefixes({ prefixes }: SymfonyRoutes, file: WorkspacePath): readonly string[] {
  const around = prefixes.filter(({ folder }) => isWithin(file, folder));
  const nearest = Math.max(...around.map(({ folder }) => folder.length));
  const found = around.filter(({ folder }) => folder.length === nearest).map(({ prefix }) => prefix);
  return found.length === 0 ? [''] : [...new Set(found)];
}

/** File or folder of a resource: beside the file, or of a bundle (`@ShopBundle/Resources/config/routes.yaml`). */
function targetOf(file: WorkspacePath, resource: string, texts: ReadonlyMap<WorkspacePath, string>): WorkspacePath | undefined {
  const plain = resource.replace(/^%kernel\.project_dir%\//, `${'../'.repeat(file.slice(rootOf(file).length).split('/').length - 1)}`).replace(/\/?\**$/, '');
  if (!plain.startsWith('@')) return join(dirname(file), plain);
  const [bundle = '', ...rest] = plain.slice(1).split('/');
  const inside = rest.join('/');
  const candidates = [...texts.keys()].filter(path => path === inside || path.endsWith(`/${inside}`));
  return candidates.find(path => path.replaceAll('/', '').includes(bundle.replace(/Bundle$/, '')));
}

/** Folder of the application. */
function rootOf(file: WorkspacePath): string {
  return file.replace(/(?:app\/)?config\/.*$/, '');
}

function routesOf(file: WorkspacePath, line: number, entry: Readonly<Record<string, unknown>>): FileRoute[] {
  const [className = '', method = ''] = (textOf(entry['controller']) || textIn(recordIn(entry, 'defaults'), '_controller')).split(/::?/);
  const methods = (textsOf(entry['methods']).length > 0 ? textsOf(entry['methods']) : textOf(entry['methods']).split('|'))
    .map(name => name.trim().toUpperCase())
    .filter(name => name !== '');
  const paths = pathsIn(entry['path'] ?? entry['pattern']).filter(path => path !== '');
  // Bundle notation and redirections name no class of the workspace.
  return paths.map(path => ({ file, line, path, methods, className: className.replace(/^\\/, ''), method }));
}

/** One path, or one by language. */
function pathsIn(value: unknown): readonly string[] {
  const paths = isRecord(value) ? Object.values(value).map(textOf) : [textOf(value)];
  return paths.length === 0 ? [''] : paths;
}

function below(above: string, prefix: string): string {
  return prefix === '' || prefix === '/' ? above : joinPaths(above, prefix);
}
