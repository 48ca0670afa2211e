import { createHash } from 'node:crypto';
import { posix, win32 } from 'node:path';
import { err, ok, type Result } from '../base/result';
import { replaceFile } from './atomicFile';
import { type Disk, storeFailure } from './disk';
import { inOrder } from './journal/segmentNames';

/** What decides where data goes; `main` gives the real values. */
export interface DataHost {
  readonly platform: NodeJS.Platform;
  /** Home folder of the user. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A project is the git common directory, else the folder's real path. It owns the journal and the facts. */
export interface ProjectFolder {
  readonly folder: string;
  readonly journal: string;
  readonly view: string;
  readonly factsPack: string;
  readonly backups: string;
  /** Says how far the acknowledgements go. */
  readonly acknowledged: string;
  readonly description: string;
}

/** A checkout is a real path. It owns a graph. */
export interface CheckoutFolder {
  readonly folder: string;
  readonly graphPack: string;
  /** Vectors of the search index. */
  readonly vectorPack: string;
  readonly pastChangesPack: string;
  readonly servicesPack: string;
  /** What each transaction changed. */
  readonly versionsPack: string;
  readonly description: string;
}

/** One project or checkout on disk, for `gc` and health. */
export interface DataEntry {
  readonly kind: 'project' | 'checkout';
  readonly folder: string;
  /** Where the user's files are, or were. */
  readonly path: string;
  readonly sizeBytes: number;
  /** The folder at `path` is gone; for a project: all of its known folders. */
  readonly vanished: boolean;
}

/** Per-user data folder: `LATTICE_HOME`, else the platform's convention. */
export function dataRoot(host: DataHost): string {
  const { join, isAbsolute } = pathsOf(host.platform);
  const chosen = host.env['LATTICE_HOME'];
  if (chosen !== undefined && chosen !== '') return isAbsolute(chosen) ? chosen : join(host.home, chosen);
  if (host.platform === 'win32') return join(host.env['LOCALAPPDATA'] ?? join(host.home, 'AppData', 'Local'), 'Lattice');
  if (host.platform === 'darwin') return join(host.home, 'Library', 'Application Support', 'Lattice');
  const shared = host.env['XDG_DATA_HOME'];
  return join(shared !== undefined && isAbsolute(shared) ? shared : join(host.home, '.local', 'share'), 'lattice');
}

/** Paths of a project's data, by the identity of its repository or folder. Makes nothing. */
export function projectFolder(root: string, identity: string): ProjectFolder {
  const { join } = pathsLike(root);
  const folder = join(root, 'projects', nameOf(identity));
  return {
    folder,
    journal: join(folder, 'journal'),
    view: join(folder, 'view'),
    factsPack: join(folder, 'facts.pack'),
    backups: join(folder, 'backups'),
    acknowledged: join(folder, 'acknowledged'),
    description: join(folder, 'project.json'),
  };
}

/** Paths of a checkout's data in that of its project. Makes nothing. */
export function checkoutFolder(project: ProjectFolder, realPath: string): CheckoutFolder {
  const { join } = pathsLike(project.folder);
  const folder = join(project.folder, 'checkouts', nameOf(realPath));
  return {
    folder,
    graphPack: join(folder, 'graph.pack'),
    vectorPack: join(folder, 'vectors.pack'),
    pastChangesPack: join(folder, 'changes.pack'),
    servicesPack: join(folder, 'services.pack'),
    versionsPack: join(folder, 'versions.pack'),
    description: join(folder, 'checkout.json'),
  };
}

/** Makes the folders and says in `project.json` whose they are. */
export async function prepareProject(disk: Disk, project: ProjectFolder, identity: string, paths: readonly string[]): Promise<Result<void>> {
  return prepare(disk, [project.folder, project.journal, project.view], project.description, { identity, paths });
}

/** Makes the folder of a checkout and notes whose it is. Fails when the disk does. */
export async function prepareCheckout(disk: Disk, checkout: CheckoutFolder, realPath: string): Promise<Result<void>> {
  return prepare(disk, [checkout.folder], checkout.description, { identity: realPath, paths: [realPath] });
}

/** Every project and checkout in the data folder. Rejects as the disk does. */
export async function listData(disk: Disk, root: string): Promise<readonly DataEntry[]> {
  const { join } = pathsLike(root);
  const entries: DataEntry[] = [];
  for (const name of await disk.list(join(root, 'projects'))) {
    const folder = join(root, 'projects', name);
    const checkouts: DataEntry[] = [];
    for (const checkout of await disk.list(join(folder, 'checkouts'))) {
      checkouts.push(await entryOf(disk, 'checkout', join(folder, 'checkouts', checkout), 'checkout.json'));
    }
    const project = await entryOf(disk, 'project', folder, 'project.json');
    entries.push({ ...project, vanished: project.vanished && checkouts.every(checkout => checkout.vanished) }, ...checkouts);
  }
  return entries;
}

/** Deletes data for good, whatever is in it. */
export async function removeData(disk: Disk, entry: DataEntry): Promise<Result<void>> {
  try {
    return ok(await disk.remove(entry.folder));
  } catch (error) {
    return err(storeFailure(error, `remove ${entry.folder}`));
  }
}

/** The highest generation that wrote a segment of this project; 0 when there is none. A new owner takes a higher one, also when the lock's own files are gone. */
export async function highestGeneration(disk: Disk, project: Pick<ProjectFolder, 'journal'>): Promise<number> {
  return Math.max(0, ...inOrder(await disk.list(project.journal)).map(({ generation }) => generation));
}

/** Bytes of all files below a folder or of one file; 0 when there is none. */
export async function sizeOf(disk: Disk, path: string): Promise<number> {
  const found = await disk.stat(path);
  if (found === undefined) return 0;
  if (!found.isFolder) return found.sizeBytes;
  const { join } = pathsLike(path);
  let total = 0;
  for (const name of await disk.list(path)) total += await sizeOf(disk, join(path, name));
  return total;
}

interface Description {
  readonly identity: string;
  readonly paths: readonly string[];
}

async function prepare(disk: Disk, folders: readonly string[], description: string, content: Description): Promise<Result<void>> {
  try {
    for (const folder of folders) await disk.makeFolder(folder);
    const known = await describedAt(disk, description);
    const paths = [...new Set([...(known?.paths ?? []), ...content.paths])].sort();
    const text = `${JSON.stringify({ identity: content.identity, paths }, null, 2)}\n`;
    const before = await disk.read(description);
    if (before === undefined || Buffer.from(before).toString('utf8') !== text) await replaceFile(disk, description, [Buffer.from(text)]);
    return ok(undefined);
  } catch (error) {
    return err(storeFailure(error, 'prepare its data folder'));
  }
}

async function entryOf(disk: Disk, kind: DataEntry['kind'], folder: string, descriptionName: string): Promise<DataEntry> {
  const description = await describedAt(disk, pathsLike(folder).join(folder, descriptionName));
  const sizeBytes = await sizeOf(disk, folder);
  if (description === undefined) return { kind, folder, path: '', sizeBytes, vanished: true };
  let vanished = true;
  for (const path of description.paths) if ((await disk.stat(path)) !== undefined) vanished = false;
  return { kind, folder, path: description.paths[0] ?? description.identity, sizeBytes, vanished };
}

/** `undefined` when the file is missing or not what Lattice writes. */
async function describedAt(disk: Disk, path: string): Promise<Description | undefined> {
  const bytes = await disk.read(path);
  if (bytes === undefined) return undefined;
  try {
    const found: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    if (typeof found !== 'object' || found === null || !('identity' in found) || !('paths' in found) || !Array.isArray(found.paths)) return undefined;
    return { identity: String(found.identity), paths: found.paths.map(String) };
  } catch {
    return undefined;
  }
}

/** 20 hex digits: short enough for Windows' path limit, long enough that two projects never meet. */
function nameOf(identity: string): string {
  return createHash('sha256').update(identity).digest('hex').slice(0, 20);
}

function pathsOf(platform: NodeJS.Platform): typeof posix {
  return platform === 'win32' ? win32 : posix;
}

/** The path rules of the platform that wrote `path`. */
function pathsLike(path: string): typeof posix {
  return path.startsWith('/') ? posix : win32;
}
