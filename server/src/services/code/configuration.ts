/**
 * Keys of configuration files: `application.properties`, and `application.yml` or `config.yaml` as far as it is nested keys with plain values;
 * servlets of `web.xml`; routes of Symfony.
 */
import type { WorkspacePath } from '../../base/path';
import { readSymfonyRoutes, type SymfonyRoutes } from '../files/symfonyRoutes';
import { type DeployedServlet, readWebXml } from './webXml';

const FILE = /^(.*?)(?:src\/main\/resources\/|config\/|resources\/)?(?:application|bootstrap|config|settings)(?:-(\w+))?\.(properties|ya?ml)$/;

export class Configuration {
  /** By the folder that they are for; the longest first. */
  readonly #servlets: DeployedServlet[] = [];
  readonly #modules: { readonly folder: string; readonly values: ReadonlyMap<string, string>; readonly isProfile: boolean }[] = [];

  readonly symfony: SymfonyRoutes;

  constructor(texts: ReadonlyMap<WorkspacePath, string>) {
    this.symfony = readSymfonyRoutes(texts);
    for (const [path, text] of texts) {
      if (path.endsWith('web.xml')) this.#servlets.push(...readWebXml(path, text));
      const match = FILE.exec(path);
      if (match === null || /(?:^|\/)(?:src\/test|target|build)\//.test(path)) continue;
      const values = match[3] === 'properties' ? readProperties(text) : readYaml(text);
      this.#modules.push({ folder: match[1] ?? '', values, isProfile: match[2] !== undefined });
    }
    this.#modules.sort((left, right) => right.folder.length - left.folder.length || Number(left.isProfile) - Number(right.isProfile));
  }

  get servlets(): readonly DeployedServlet[] {
    return this.#servlets;
  }

  /** Value of a key for a file: of its module, else of what is around it. */
  valueFor(path: WorkspacePath, key: string): string | undefined {
    const wanted = relaxed(key);
    for (const { folder, values } of this.#modules) {
      if (!path.startsWith(folder)) continue;
      const value = values.get(wanted);
      if (value !== undefined) return this.#plain(value, path, 4);
    }
    return undefined;
  }

  /** All keys for a file that begin with a prefix. */
  keysFor(path: WorkspacePath, prefix: string): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    const wanted = relaxed(prefix);
    for (const { folder, values } of this.#modules) {
      if (!path.startsWith(folder)) continue;
      for (const [key, value] of values) if (key.startsWith(wanted) && !found.has(key)) found.set(key, this.#plain(value, path, 4) ?? value);
    }
    return found;
  }

  /** Folders that have configuration. */
  get folders(): readonly string[] {
    return [...new Set(this.#modules.map(each => each.folder))];
  }

  #plain(value: string, path: WorkspacePath, depth: number): string | undefined {
    if (depth === 0) return undefined;
    return value.replace(/\$\{([^}:]*)(?::([^}]*))?\}/g, (_, key: string, fallback: string | undefined) => this.#nested(path, key, depth) ?? fallback ?? '');
  }

  #nested(path: WorkspacePath, key: string, depth: number): string | undefined {
    for (const { folder, values } of this.#modules) {
      const value = path.startsWith(folder) ? values.get(relaxed(key)) : undefined;
      if (value !== undefined) return this.#plain(value, path, depth - 1);
    }
    return undefined;
  }
}

/** `contextPath` and `context-path` are one key. */
function relaxed(key: string): string {
  return key.toLowerCase().replace(/[-_]/g, '');
}

function readProperties(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const match = /^\s*([^#!=:\s][^=:\s]*)\s*[=:]\s*(.*?)\s*$/.exec(line);
    if (match !== null) values.set(relaxed(match[1] ?? ''), match[2] ?? '');
  }
  return values;
}

const MAX_LINES = 5_000;

function readYaml(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  const path: { indent: number; key: string }[] = [];
  for (const line of text.split(/\r?\n/, MAX_LINES)) {
    const match = /^(\s*)("?[\w.$/*-]+"?)\s*:(?:\s+(.*?))?\s*$/.exec(line);
    if (match === null) continue;
    const indent = (match[1] ?? '').length;
    while ((path.at(-1)?.indent ?? -1) >= indent) path.pop();
    const key = [...path.map(each => each.key), (match[2] ?? '').replaceAll('"', '')].join('.');
    const value = (match[3] ?? '').replace(/\s+#.*$/, '').replace(/^(['"])(.*)\1$/, '$2');
    if (value === '' || value.startsWith('#')) path.push({ indent, key: (match[2] ?? '').replaceAll('"', '') });
    else if (!values.has(relaxed(key))) values.set(relaxed(key), value);
  }
  return values;
}
