/** Where programs keep their code, apart from folders with a manifest each. */
import { dirname, type WorkspacePath } from '../../base/path';
import type { ServiceFile } from '../serviceFile';
import type { CodeSurface } from '../surface';
import { isSupportFolder } from './folders';

/** Folders in which the program of `cmd/orders` keeps its code, under its name. */
const TWIN_FOLDERS: readonly string[] = ['internal', 'pkg', 'app', 'services'];

/** Folders that hold the other half of what a folder holds: `internal/orders` and `services/orders` that of `cmd/orders`, and the reverse. */
export function twinsOf(root: WorkspacePath): readonly WorkspacePath[] {
  const { base, kind = '', name } = /^(?<base>(?:.*\/)?)(?<kind>[^/]+)\/(?<name>[^/]+)$/.exec(root)?.groups ?? {};
  const others = kind === 'cmd' ? TWIN_FOLDERS : TWIN_FOLDERS.includes(kind) ? ['cmd'] : [];
  return others.map(other => `${base}${other}/${name}`);
}

/** Files of one folder without a build of its own that each serve and begin to listen: `services/movies.py`, `services/users.py`. */
export function programFiles({ routes, starts }: CodeSurface, files: readonly ServiceFile[]): readonly WorkspacePath[] {
  const serving = new Set(routes.map(({ place }) => place.file));
  const built = new Set(files.flatMap(({ docker, manifest, path }) => ((docker ?? manifest) === undefined ? [] : [dirname(path)])));
  const folders = new Map<WorkspacePath, Set<WorkspacePath>>();
  for (const { file } of starts) {
    const folder = dirname(file);
    if (serving.has(file) && !isSupportFolder(folder) && !built.has(folder)) folders.set(folder, (folders.get(folder) ?? new Set()).add(file));
  }
  return [...folders.values()].flatMap(found => (found.size < 2 ? [] : [...found].sort()));
}
