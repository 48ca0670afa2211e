import {
  type Disposable,
  EventEmitter,
  type FileChangeEvent,
  FilePermission,
  type FileStat,
  FileSystemError,
  type FileSystemProvider,
  FileType,
  Uri,
  workspace,
} from 'vscode';
import type { KnowledgeConflictDto } from '../../../../server/protocol/knowledgeSync';
import type { LatticeServer } from '../../languageClient/latticeServer';

const SCHEME = 'lattice-knowledge-merge';

export interface MergeUris {
  readonly base: Uri;
  readonly local: Uri;
  readonly file: Uri;
  /** Saving it resolves the conflict. */
  readonly merged: Uri;
}

interface Merge {
  readonly folder: Uri;
  readonly answer: KnowledgeConflictDto;
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
    this.registration = workspace.registerFileSystemProvider(SCHEME, this, { isCaseSensitive: true });
  }

  begin(folder: Uri, answer: KnowledgeConflictDto): MergeUris {
    const key = String(this.next++);
    this.merges.set(key, { folder, answer, merged: answer.local, mtime: Date.now() });
    const name = answer.conflict.name.replace(/[\\/?#%]/g, ' ');
    const uri = (side: string): Uri => Uri.from({ scheme: SCHEME, path: `/${key}/${side}/${name}.md` });
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
    const { conflict, fileHash, version } = merge.answer;
    try {
      await this.server.ask('resolveKnowledge', { id: conflict.id, text, version, fileHash }, merge.folder);
    } catch (error) {
      throw FileSystemError.Unavailable(error instanceof Error ? error.message : String(error));
    }
    merge.merged = text;
    merge.mtime = Date.now();
  }

  watch(): Disposable {
    return { dispose: () => undefined };
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

  private find(uri: Uri): { readonly merge: Merge; readonly side: string } {
    const [, key = '', side = ''] = uri.path.split('/');
    const merge = this.merges.get(key);
    if (merge === undefined) throw FileSystemError.FileNotFound(uri);
    return { merge, side };
  }
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
