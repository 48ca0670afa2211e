/** File system operations needed to create a folder. Both reject with an error that carries a POSIX `code`. */
export interface FolderMaker {
  /** One folder whose parent exists; `EEXIST` when the name is taken. */
  make(path: string): Promise<void>;
  isFolder(path: string): Promise<boolean>;
}

/**
 * Makes a folder and what is missing above it. Rejects with the system's error.
 * Node's own recursive `mkdir` never ends where a parent exists and yet nothing can be made in it (`/proc`); this tries each folder at most twice.
 */
export async function makeFolders(path: string, maker: FolderMaker): Promise<void> {
  try {
    return await maker.make(path);
  } catch (error) {
    const parent = parentOf(path);
    if (codeOf(error) !== 'ENOENT' || parent === undefined) return unlessFolder(path, maker, error);
    await makeFolders(parent, maker);
  }
  try {
    await maker.make(path);
  } catch (error) {
    await unlessFolder(path, maker, error);
  }
}

/** Another process may have made it, and an existing folder is refused with other codes than `EEXIST` on some systems. */
async function unlessFolder(path: string, maker: FolderMaker, error: unknown): Promise<void> {
  if (!(await maker.isFolder(path).catch(() => false))) throw error;
}

/** Of an absolute path in either spelling; undefined at the top. */
function parentOf(path: string): string | undefined {
  const parent = path.replace(path.startsWith('/') ? /\/+[^/]+\/*$/ : /[\\/]+[^\\/]+[\\/]*$/, '');
  return parent === '' || parent === path ? undefined : parent;
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
