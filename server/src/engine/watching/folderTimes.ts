import { dirname, type WorkspacePath } from '../../base/path';
import type { Change } from '../../code/files/batcher';
import { absoluteOf, type FileHost } from '../../code/files/host';
import type { FileTable } from '../indexing/fileTable';

/** More folders than this are not looked at before an answer; then only those of the files it touches. */
const MAX_FOLDERS = 200;

/** Finds files that came or went since the last look, by the times of their folders: for the moment before a watcher has told. */
export class FolderTimes {
  readonly #times = new Map<WorkspacePath, number>();
  #folders: { readonly of: object; readonly all: ReadonlySet<WorkspacePath> } | undefined;

  constructor(
    private readonly root: string,
    private readonly host: FileHost,
  ) {}

  /** Changes in folders that changed since the last look. A folder that is seen for the first time has no changes. `revision` is another object when the table changed. */
  async look(revision: object, table: FileTable, touching: readonly WorkspacePath[], isIgnored: (path: WorkspacePath) => boolean): Promise<Change[]> {
    const folders = new Set(touching.map(dirname));
    if (this.#folders?.of !== revision) this.#folders = { of: revision, all: foldersOf(table) };
    const { all } = this.#folders;
    if (all.size <= MAX_FOLDERS) for (const folder of all) folders.add(folder);
    const changes = await Promise.all([...folders].map(folder => this.#lookInto(folder, table, isIgnored)));
    return changes.flat();
  }

  async #lookInto(folder: WorkspacePath, table: FileTable, isIgnored: (path: WorkspacePath) => boolean): Promise<Change[]> {
    const absolute = absoluteOf(this.root, folder);
    const mtimeMs = await this.host.stat(absolute).then(
      stat => stat.mtimeMs,
      () => undefined,
    );
    const before = this.#times.get(folder);
    if (mtimeMs === undefined || before === mtimeMs) return [];
    this.#times.set(folder, mtimeMs);
    if (before === undefined) return [];
    const entries = await this.host.list(absolute).catch(() => []);
    const here = new Set(entries.filter(entry => entry.kind === 'file').map(entry => (folder === '' ? entry.name : `${folder}/${entry.name}`)));
    const came = [...here].filter(path => table.get(path) === undefined && !isIgnored(path));
    const went = [...table.paths()].filter(path => dirname(path) === folder && !here.has(path));
    return [...came.map((path): Change => ({ path, kind: 'changed' })), ...went.map((path): Change => ({ path, kind: 'removed' }))];
  }
}

function foldersOf(table: FileTable): ReadonlySet<WorkspacePath> {
  const folders = new Set<WorkspacePath>(['']);
  for (const path of table.paths()) {
    if (folders.size > MAX_FOLDERS) break;
    for (let folder = dirname(path); !folders.has(folder); folder = dirname(folder)) folders.add(folder);
  }
  return folders;
}
