/**
 * Writing a file of a workspace that the user asked for. A repository can hold links, so that what looks like a place in it is one outside:
 * every step of the way is looked at, and a link that leads out of the workspace, or to nothing, is refused.
 */

/** `node:fs/promises`, as far as it is needed: this file imports nothing. */
interface Files {
  lstat(path: string): Promise<{ isSymbolicLink(): boolean; isDirectory(): boolean; isFile(): boolean; readonly mode: number }>;
  realpath(path: string): Promise<string>;
  mkdir(path: string): Promise<unknown>;
  writeFile(path: string, text: string, options: { readonly flag: 'wx'; readonly mode: number }): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  rm(path: string, options: { readonly force: true }): Promise<void>;
}

/** `node:path`. */
interface Paths {
  join(folder: string, name: string): string;
  relative(from: string, to: string): string;
  isAbsolute(path: string): boolean;
}

export interface WorkspaceDisk {
  readonly files: Files;
  readonly paths: Paths;
  /** Something that no file name has had yet. */
  newName(): string;
}

/** A place inside a workspace, or why there is none. */
export type SafePlace = { readonly path: string } | { readonly problem: string };

/** Where a file of a workspace really is. `path` is relative, with `/`. */
export async function safePlace({ files, paths }: WorkspaceDisk, root: string, path: string): Promise<SafePlace> {
  const names = path.split('/');
  if (names.some(name => name === '' || name === '.' || name === '..' || /[\\:\0]/.test(name))) return { problem: `${path} is not a path in the workspace.` };
  const top = await files.realpath(root);
  let at = top;
  for (const [step, name] of names.entries()) {
    const shown = names.slice(0, step + 1).join('/');
    at = paths.join(at, name);
    let kind = await kindOf(files, at);
    if (kind === 'link') {
      const real = await files.realpath(at).catch(() => undefined);
      if (real === undefined) return { problem: `${shown} is a symbolic link to a location that does not exist.` };
      const way = paths.relative(top, real);
      if (way === '..' || /^\.\.[\\/]/.test(way) || paths.isAbsolute(way))
        return { problem: `${shown} is a symbolic link to a location outside the workspace.` };
      at = real;
      kind = await kindOf(files, at);
    }
    const wanted = step === names.length - 1 ? 'file' : 'folder';
    if (kind !== 'missing' && kind !== wanted) return { problem: `${shown} is not a ${wanted}.` };
  }
  return { path: at };
}

/**
 * Writes a file of the workspace as a whole, with the folders above it: others find the old content or the new.
 * Nothing is written when the place is refused; rejects when the disk does.
 */
export async function writeWorkspaceFile(disk: WorkspaceDisk, root: string, path: string, text: string): Promise<SafePlace> {
  const { files, newName } = disk;
  const names = path.split('/');
  // From the top: each folder is made in one that was looked at, with all above it.
  for (let count = 1; count < names.length; count++) {
    const folder = await safePlace(disk, root, `${names.slice(0, count).join('/')}/${newName()}`);
    if ('problem' in folder) return folder;
    const above = disk.paths.join(folder.path, '..');
    if ((await kindOf(files, above)) === 'missing') await files.mkdir(above);
  }
  const place = await safePlace(disk, root, path);
  if ('problem' in place) return place;
  const mode = await files.lstat(place.path).then(
    stats => stats.mode & 0o777,
    () => 0o666,
  );
  const temporary = `${place.path}.${newName()}.new`;
  try {
    await files.writeFile(temporary, text, { flag: 'wx', mode });
    // Replaces what lies there by then, also a link.
    await files.rename(temporary, place.path);
  } catch (error) {
    await files.rm(temporary, { force: true });
    throw error;
  }
  return place;
}

async function kindOf(files: Files, path: string): Promise<'link' | 'folder' | 'file' | 'other' | 'missing'> {
  try {
    const stats = await files.lstat(path);
    if (stats.isSymbolicLink()) return 'link';
    if (stats.isDirectory()) return 'folder';
    return stats.isFile() ? 'file' : 'other';
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT') return 'missing';
    throw error;
  }
}
