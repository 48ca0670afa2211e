import {
  Disposable,
  EventEmitter,
  type FileChangeEvent,
  FilePermission,
  type FileStat,
  FileSystemError,
  type FileSystemProvider,
  FileType,
  type Tab,
  TabInputText,
  Uri,
  window,
  workspace,
} from 'vscode';
import type { ConflictAnswer } from '../../../../server/protocol/features';
import type { LatticeServer } from '../../languageClient/latticeServer';

const SCHEME = 'lattice-knowledge-merge';
/** The tab of a merge that was saved loses its mark a moment later; it is left open when it takes longer. */
const MAX_SAVING_MS = 2_000;

export interface MergeUris {
  readonly base: Uri;
  readonly local: Uri;
  readonly file: Uri;
  /** Saving it resolves the conflict. */
  readonly merged: Uri;
}

interface Merge {
  readonly folder: Uri;
  readonly answer: ConflictAnswer;
  merged: string;
  mtime: number;
}

/** The sides of a conflict as documents, and one that ends the conflict when it is saved. */
export class MergeDocuments implements FileSystemProvider, Disposable {
  private readonly changes = new EventEmitter<FileChangeEvent[]>();
  readonly onDidChangeFile = this.changes.event;
  private readonly merges = new Map<string, Merge>();
  private readonly registration: Disposable;
  private next = 1;

  constructor(private readonly server: LatticeServer) {
    this.registration = Disposable.from(
      workspace.registerFileSystemProvider(SCHEME, this, { isCaseSensitive: true }),
      workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme === SCHEME && uri.query.endsWith('/merged')) this.merges.delete(uri.query.split('/')[0] ?? '');
      }),
    );
  }

  begin(folder: Uri, answer: ConflictAnswer): MergeUris {
    const key = String(this.next++);
    this.merges.set(key, { folder, answer, merged: undecided(answer), mtime: Date.now() });
    const name = answer.conflict.name.replace(/[\\/?#%\s]+/g, ' ').trim();
    const uri = (side: string): Uri => Uri.from({ scheme: SCHEME, path: `/${name}.md`, query: `${key}/${side}` });
    return { base: uri('base'), local: uri('local'), file: uri('file'), merged: uri('merged') };
  }

  stat(uri: Uri): FileStat {
    const { merge, side } = this.find(uri);
    const size = Buffer.byteLength(textOf(merge, side));
    return { type: FileType.File, ctime: 0, mtime: merge.mtime, size, ...(side === 'merged' ? {} : { permissions: FilePermission.Readonly }) };
  }

  readFile(uri: Uri): Uint8Array {
    const { merge, side } = this.find(uri);
    return Buffer.from(textOf(merge, side));
  }

  async writeFile(uri: Uri, content: Uint8Array): Promise<void> {
    const { merge, side } = this.find(uri);
    if (side !== 'merged') throw FileSystemError.NoPermissions(uri);
    const text = Buffer.from(content).toString('utf8');
    const { base, conflict, fileHash, version } = merge.answer;
    // The merge editor shows what both came from wherever nothing was accepted yet.
    if (text.trim() === base.trim())
      throw FileSystemError.Unavailable('The conflict is not resolved. Accept your version, accept the file, or enter the text to save.');
    try {
      await this.server.ask('resolveKnowledge', { id: conflict.id, text, version, fileHash }, merge.folder);
    } catch (error) {
      throw FileSystemError.Unavailable(error instanceof Error ? error.message : String(error));
    }
    merge.merged = text;
    merge.mtime = Date.now();
    void this.closeWhenSaved(uri);
  }

  watch(): Disposable {
    return new Disposable(() => undefined);
  }

  readDirectory(): [string, FileType][] {
    return [];
  }

  createDirectory(uri: Uri): void {
    throw FileSystemError.NoPermissions(uri);
  }

  delete(uri: Uri): void {
    throw FileSystemError.NoPermissions(uri);
  }

  rename(uri: Uri): void {
    throw FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.registration.dispose();
    this.changes.dispose();
    this.merges.clear();
  }

  /** There is nothing more to decide. The editor does not tell extensions what a merge editor shows: it is known by its name, and saved once its tab says so. */
  private async closeWhenSaved(uri: Uri): Promise<void> {
    const { activeTab } = window.tabGroups.activeTabGroup;
    if (activeTab === undefined || activeTab.input instanceof TabInputText || !activeTab.label.endsWith(uri.path.slice(1))) return;
    await untilSaved(activeTab);
    if (!activeTab.isDirty) await window.tabGroups.close(activeTab).then(undefined, () => undefined);
  }

  private find(uri: Uri): { readonly merge: Merge; readonly side: string } {
    const [key = '', side = ''] = uri.query.split('/');
    const merge = this.merges.get(key);
    if (merge === undefined) throw FileSystemError.FileNotFound(uri);
    return { merge, side };
  }
}

/** Resolves when the tab shows no unsaved changes, is closed, or `MAX_SAVING_MS` have passed. */
function untilSaved(tab: Tab): Promise<void> {
  if (!tab.isDirty) return Promise.resolve();
  return new Promise(resolve => {
    const end = (): void => {
      clearTimeout(timer);
      listening.dispose();
      resolve();
    };
    const timer = setTimeout(end, MAX_SAVING_MS);
    const listening = window.tabGroups.onDidChangeTabs(({ closed }) => {
      if (!tab.isDirty || closed.includes(tab)) end();
    });
  });
}

/** Both sides between the markers of git: the merge editor then starts with what they agree on and asks about the rest, and nothing undecided can be saved. */
function undecided({ file, local }: ConflictAnswer): string {
  return `<<<<<<< Mine\n${local}=======\n${file}>>>>>>> File\n`;
}

function textOf({ answer, merged }: Merge, side: string): string {
  switch (side) {
    case 'base':
      return answer.base;
    case 'local':
      return answer.local;
    case 'file':
      return answer.file;
    default:
      return merged;
  }
}
