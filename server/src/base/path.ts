/**
 * Workspace-relative paths: `/` between segments, no leading `./` or `/`, no `..`, no empty segment.
 * The only place that normalizes, joins or takes apart such paths; nothing here touches a disk.
 */
export type WorkspacePath = string;

/** Folder of a path, `''` for a path at the root. */
export function dirname(path: WorkspacePath): WorkspacePath {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}

/** Folders that a path lies in, the nearest first; without the root. */
export function foldersAbove(path: WorkspacePath): WorkspacePath[] {
  const folders: WorkspacePath[] = [];
  for (let folder = dirname(path); folder !== ''; folder = dirname(folder)) folders.push(folder);
  return folders;
}

/** Last segment of a path. */
export function basename(path: WorkspacePath): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Extension in lower case with its dot (`.ts`, `.d.ts` gives `.ts`), or `''`. */
export function extname(path: WorkspacePath): string {
  const name = basename(path);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot).toLowerCase();
}

/** Resolves `relative` (with `.` and `..`) against a folder. `undefined` when it leaves the workspace. */
export function join(folder: WorkspacePath, relative: string): WorkspacePath | undefined {
  const segments = folder === '' ? [] : folder.split('/');
  for (const segment of relative.replaceAll('\\', '/').split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..') {
      if (segments.pop() === undefined) return undefined;
    } else segments.push(segment);
  }
  return segments.join('/');
}

/** `path` as a workspace path when it is already relative in any spelling (`./a`, `a\\b`); `undefined` when it leaves the workspace or is absolute. */
export function normalize(path: string): WorkspacePath | undefined {
  if (/^(?:[a-zA-Z]:)?[\\/]/.test(path)) return undefined;
  return join('', path);
}

/**
 * Relative form of an absolute path inside `root`, for POSIX and Windows spellings alike; `undefined` when it is outside.
 * `caseInsensitive` compares as Windows and macOS file systems do; the result keeps the spelling of `absolute`.
 */
export function relativeTo(root: string, absolute: string, caseInsensitive: boolean): WorkspacePath | undefined {
  const tidy = (path: string): string =>
    path
      .replaceAll('\\', '/')
      .replace(/\/+$/, '')
      .replace(/^([a-zA-Z]):/, (_, drive: string) => `${drive.toLowerCase()}:`);
  const from = tidy(root);
  const to = tidy(absolute);
  const same = (a: string, b: string): boolean => (caseInsensitive ? a.toLowerCase() === b.toLowerCase() : a === b);
  if (same(from, to)) return '';
  if (!same(to.slice(0, from.length + 1), `${from}/`)) return undefined;
  return join('', to.slice(from.length + 1));
}

/** Whether a path is a folder or lies in it; everything lies in `''`. */
export function isWithin(path: WorkspacePath, folder: WorkspacePath): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}
