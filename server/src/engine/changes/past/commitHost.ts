import { dirname, relativeTo, type WorkspacePath } from '../../../base/path';
import { absoluteOf, type FileHost, type FileStat, type HostEntry } from '../../../code/files/host';
import type { TreeFile } from './commitTree';

export interface CommitHostOptions {
  /** Where the commit is to appear: the root of the checkout. */
  readonly root: string;
  readonly files: readonly TreeFile[];
  /** Content by its name in git's object store; `undefined` when it is not there. */
  readonly read: (blob: string) => Promise<Uint8Array | undefined>;
}

/**
 * The tree of a commit as if it were checked out at the root: whatever reads a folder reads a commit by it, and nothing is written.
 * There is nothing outside the root, and no git directory in it. Files have neither times nor inodes.
 */
export function commitHost({ files, read, root }: CommitHostOptions): FileHost {
  // Made when the first file is asked about: hosts are made for questions that may never come.
  let made: Tree | undefined;
  const tree = (): Tree => (made ??= { byPath: new Map(files.map(file => [file.path, file])), folders: foldersOf(files) });
  const below = absoluteOf(root, '_').slice(0, -1);
  const pathOf = (absolute: string): WorkspacePath => {
    // As the paths are made that are asked for by the thousand.
    const { byPath, folders } = tree();
    const named = absolute.startsWith(below) ? absolute.slice(below.length) : undefined;
    if (named !== undefined && (byPath.has(named) || folders.has(named))) return named;
    const path = relativeTo(root, absolute, false);
    if (path === undefined) throw missing(absolute);
    return path;
  };
  const fileAt = (absolute: string): TreeFile => {
    const file = tree().byPath.get(pathOf(absolute));
    if (file?.kind !== 'file') throw missing(absolute);
    return file;
  };
  return {
    async list(folder) {
      const entries = tree().folders.get(pathOf(folder));
      if (entries === undefined) throw missing(folder);
      return [...entries.values()];
    },
    async stat(path) {
      return tree().folders.has(pathOf(path)) ? { ...WITHOUT_TIMES, kind: 'directory', sizeBytes: 0 } : statOf(fileAt(path));
    },
    async realPath(path) {
      if (!tree().folders.has(pathOf(path))) fileAt(path);
      return path;
    },
    async read(path, limitBytes) {
      const bytes = await read(fileAt(path).blob);
      if (bytes === undefined) throw missing(path);
      return limitBytes === undefined ? bytes : bytes.subarray(0, limitBytes);
    },
  };
}

interface Tree {
  readonly byPath: ReadonlyMap<WorkspacePath, TreeFile>;
  readonly folders: ReadonlyMap<WorkspacePath, ReadonlyMap<string, HostEntry>>;
}

function foldersOf(files: readonly TreeFile[]): Tree['folders'] {
  const folders = new Map<WorkspacePath, Map<string, HostEntry>>([['', new Map()]]);
  const open = (folder: WorkspacePath): Map<string, HostEntry> => {
    let entries = folders.get(folder);
    if (entries === undefined) {
      folders.set(folder, (entries = new Map()));
      const name = folder.slice(folder.lastIndexOf('/') + 1);
      open(dirname(folder)).set(name, { name, kind: 'directory' });
    }
    return entries;
  };
  for (const file of files) {
    const { kind, path } = file;
    const name = path.slice(path.lastIndexOf('/') + 1);
    open(dirname(path)).set(name, kind === 'file' ? { name, kind, stat: statOf(file) } : { name, kind });
  }
  return folders;
}

const WITHOUT_TIMES = { mtimeMs: 0, inode: 0 } as const;

function statOf({ sizeBytes }: TreeFile): FileStat {
  return { ...WITHOUT_TIMES, kind: 'file', sizeBytes };
}

function missing(path: string): Error {
  return Object.assign(new Error(`${path} is not in the commit.`), { code: 'ENOENT' });
}
