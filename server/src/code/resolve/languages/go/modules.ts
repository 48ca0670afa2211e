import { basename, dirname, join } from '../../../../base/path';
import type { Manifests } from '../../modules/manifests';

/** Where a `go.mod` says the name of its module. */
export const MODULE_NAME = /^\s*module\s+(\S+)/m;

/** A Go module: the folder of a `go.mod` and what it says. */
export interface GoModule {
  readonly folder: string;
  readonly path: string;
  /** Module paths that stand for folders of the project, longest first. */
  readonly replaced: readonly { readonly path: string; readonly folder: string }[];
}

const KNOWN = new WeakMap<Manifests, readonly GoModule[]>();

/** Modules of the project, innermost folders first. */
export function modulesOf(manifests: Manifests): readonly GoModule[] {
  const known = KNOWN.get(manifests);
  if (known !== undefined) return known;
  const modules: GoModule[] = [];
  for (const [path, text] of manifests.texts) if (basename(path) === 'go.mod') modules.push(readModule(dirname(path), text));
  modules.sort((left, right) => right.folder.length - left.folder.length || (left.folder < right.folder ? -1 : 1));
  KNOWN.set(manifests, modules);
  return modules;
}

export function moduleAround(path: string, manifests: Manifests): GoModule | undefined {
  return modulesOf(manifests).find(module => isInside(path, module.folder));
}

/** Import path of a folder: that of its module and the way down. Without a `go.mod` the way from the workspace, or from `src` as in a GOPATH. */
export function importPathOf(folder: string, manifests: Manifests): string {
  const module = moduleAround(`${folder}/x`, manifests);
  if (module === undefined) return folder.replace(/^(?:.*\/)?src\/(?=[^/]+\.[^/]+\/)/, '');
  const below = module.folder === '' ? folder : folder.slice(module.folder.length + 1);
  return below === '' ? module.path : `${module.path}/${below}`;
}

/** Import path as the module of a file understands it: `replace` directives may lead to a folder of the project. */
export function replacedPath(path: string, specifier: string, manifests: Manifests): string {
  const found = moduleAround(path, manifests)?.replaced.find(entry => specifier === entry.path || specifier.startsWith(`${entry.path}/`));
  if (found === undefined) return specifier;
  const folder = join(found.folder, `.${specifier.slice(found.path.length)}`);
  return folder === undefined ? specifier : importPathOf(folder, manifests);
}

/** Where no `go.mod` says what the project is called, `host/owner/name/rest` may be its own `rest`. */
export function unrootedPath(specifier: string, manifests: Manifests): string | undefined {
  if (modulesOf(manifests).length > 0) return undefined;
  const segments = specifier.split('/');
  return segments.length >= 3 && segments[0]?.includes('.') === true ? segments.slice(3).join('/') : undefined;
}

/** What is read of a `go.mod`; of a `go.work` it is the text. */
export function goManifestMeaning(path: string, text: string): string {
  return basename(path) === 'go.mod' ? JSON.stringify([readModule(dirname(path), text), MODULE_NAME.exec(text)?.[1]]) : text;
}

function isInside(path: string, folder: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`);
}

function readModule(folder: string, text: string): GoModule {
  const bare = text.replace(/\/\/.*$/gm, '');
  const path = /^\s*module\s+"?([^\s"]+)"?/m.exec(bare)?.[1] ?? folder;
  const replaced: { path: string; folder: string }[] = [];
  for (const match of bare.matchAll(/^\s*(?:replace\s+)?"?([^\s"(]+)"?(?:\s+v\S+)?\s*=>\s*"?(\.{1,2}(?:\/[^\s"]*)?)"?/gm)) {
    const target = join(folder, match[2] ?? '');
    if (target !== undefined) replaced.push({ path: match[1] ?? '', folder: target });
  }
  replaced.sort((left, right) => right.path.length - left.path.length);
  return { folder, path, replaced };
}
