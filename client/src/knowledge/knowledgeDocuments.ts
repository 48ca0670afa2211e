import {
  commands,
  type Disposable,
  EventEmitter,
  type FileChangeEvent,
  FileChangeType,
  FilePermission,
  type FileStat,
  FileSystemError,
  type FileSystemProvider,
  FileType,
  languages,
  TabInputWebview,
  type TextEditor,
  Uri,
  ViewColumn,
  window,
  workspace,
} from 'vscode';
import type { LatticeServer } from '../languageClient/latticeServer';
import { refusalText } from '../refusal';
import { indexedFolders } from '../settings';
import { columnBeside } from '../views/openAt';
import { type Entity, type EntityRef, type KnowledgeStore, savedIn, typeOf } from './knowledgeStore';

const SCHEME = 'lattice-knowledge';
/** What is stored now, beside a document that does not know it yet. */
const STORED_SCHEME = 'lattice-knowledge-stored';
const IN_CONFLICT = 'lattice.knowledgeConflict';

interface Loaded {
  readonly ref: EntityRef;
  /** What the text was read as; a save is made against it. */
  version: number;
  text: string;
  /** Grows with each text that was loaded or saved. */
  mtime: number;
  /** What is stored is newer and has been shown; a save may now be made against it. */
  seenVersion?: number;
}

/**
 * The knowledge of an atom or molecule as a Markdown document: opened from the store, saved with the version that was loaded.
 * When somebody else was faster, the save fails, what is stored is shown beside, and the merge is saved when the user says so.
 */
export class KnowledgeDocuments implements FileSystemProvider, Disposable {
  private readonly changes = new EventEmitter<FileChangeEvent[]>();
  readonly onDidChangeFile = this.changes.event;
  private readonly stored = new EventEmitter<Uri>();
  private readonly loaded = new Map<string, Loaded>();
  private readonly storedTexts = new Map<string, string>();
  private readonly registrations: Disposable[];

  constructor(
    private readonly store: KnowledgeStore,
    server: LatticeServer,
  ) {
    this.registrations = [
      workspace.registerFileSystemProvider(SCHEME, this, { isCaseSensitive: true }),
      workspace.registerTextDocumentContentProvider(STORED_SCHEME, {
        onDidChange: this.stored.event,
        provideTextDocumentContent: uri => this.storedTexts.get(uri.query) ?? '',
      }),
      commands.registerCommand('lattice.saveMergedKnowledge', (uri: unknown) =>
        this.saveMerged(uri instanceof Uri ? uri : window.activeTextEditor?.document.uri),
      ),
      server.onRecords(({ areas }) => {
        if (areas.includes('knowledge')) void this.refresh();
      }),
      window.onDidChangeActiveTextEditor(() => this.tellConflict()),
      workspace.onDidCloseTextDocument(document => {
        if (document.uri.scheme === SCHEME) this.loaded.delete(document.uri.toString());
      }),
    ];
  }

  /** Shows the text for editing. */
  async open(ref: EntityRef): Promise<TextEditor> {
    const entity = await this.store.get(ref);
    const document = await workspace.openTextDocument(uriOf(ref, entity.name));
    await languages.setTextDocumentLanguage(document, 'markdown');
    // A graph stays in sight: it shows the files of what is opened.
    const { activeTab, viewColumn } = window.tabGroups.activeTabGroup;
    const isPage = activeTab?.input instanceof TabInputWebview;
    return await window.showTextDocument(document, { preview: true, viewColumn: isPage ? columnBeside(viewColumn) : ViewColumn.Active });
  }

  stat(uri: Uri): Promise<FileStat> {
    return this.known(uri).then(({ mtime, text }) => ({
      type: FileType.File,
      ctime: 0,
      mtime,
      size: Buffer.byteLength(text),
      ...(workspace.isTrusted ? {} : { permissions: FilePermission.Readonly }),
    }));
  }

  async readFile(uri: Uri): Promise<Uint8Array> {
    const loaded = await this.load(uri);
    return Buffer.from(loaded.text);
  }

  async writeFile(uri: Uri, content: Uint8Array): Promise<void> {
    const loaded = await this.known(uri);
    const text = Buffer.from(content).toString('utf8');
    const answer = await this.store.tryUpdate(loaded.ref, loaded.version, { knowledge: text });
    const { envelope } = answer;
    if (envelope.ok) {
      loaded.version = savedIn(answer).version;
      loaded.text = text;
      loaded.mtime = Date.now();
      delete loaded.seenVersion;
      await this.tellConflict();
      this.changes.fire([{ type: FileChangeType.Changed, uri }]);
      return;
    }
    if (envelope.errorCode !== 'CONFLICT') throw FileSystemError.Unavailable(refusalText(envelope));
    await this.showConflict(uri, loaded);
    throw FileSystemError.Unavailable(
      'The content was changed elsewhere. Merge the stored version (left) into your version (right), then select Save Merged Knowledge (✓).',
    );
  }

  watch(): Disposable {
    return { dispose: () => undefined };
  }

  readDirectory(): [string, FileType][] {
    return [];
  }

  createDirectory(): void {
    throw FileSystemError.NoPermissions('Folders are not supported.');
  }

  delete(): void {
    throw FileSystemError.NoPermissions('Use the Knowledge view to delete knowledge.');
  }

  rename(): void {
    throw FileSystemError.NoPermissions('Use the Knowledge view to rename knowledge.');
  }

  dispose(): void {
    for (const registration of this.registrations) registration.dispose();
    this.changes.dispose();
    this.stored.dispose();
  }

  private async known(uri: Uri): Promise<Loaded> {
    return this.loaded.get(uri.toString()) ?? (await this.load(uri));
  }

  private async load(uri: Uri): Promise<Loaded> {
    const ref = refOf(uri);
    let entity: Entity;
    try {
      entity = await this.store.get(ref);
    } catch {
      throw FileSystemError.FileNotFound(uri);
    }
    const before = this.loaded.get(uri.toString());
    const isSame = before?.version === entity.version;
    const loaded: Loaded = { ref, version: entity.version, text: entity.knowledge, mtime: isSame ? before.mtime : Date.now() };
    this.loaded.set(uri.toString(), loaded);
    return loaded;
  }

  /** Documents without changes of their own follow the store; in the others the next save finds out. */
  private async refresh(): Promise<void> {
    for (const document of workspace.textDocuments) {
      const loaded = this.loaded.get(document.uri.toString());
      if (loaded === undefined || document.isDirty) continue;
      const entity = await this.store.get(loaded.ref).catch(() => undefined);
      if (entity === undefined) this.changes.fire([{ type: FileChangeType.Deleted, uri: document.uri }]);
      else if (entity.version !== loaded.version) {
        await this.load(document.uri);
        this.changes.fire([{ type: FileChangeType.Changed, uri: document.uri }]);
      }
    }
  }

  private async showConflict(uri: Uri, loaded: Loaded): Promise<void> {
    const entity = await this.store.get(loaded.ref);
    loaded.seenVersion = entity.version;
    const stored = uri.with({ scheme: STORED_SCHEME });
    this.storedTexts.set(stored.query, entity.knowledge);
    this.stored.fire(stored);
    await commands.executeCommand('vscode.diff', stored, uri, `${entity.name} (Stored ↔ Yours)`);
    await this.tellConflict();
  }

  private async saveMerged(uri: Uri | undefined): Promise<void> {
    const loaded = uri === undefined ? undefined : this.loaded.get(uri.toString());
    const document = workspace.textDocuments.find(candidate => candidate.uri.toString() === uri?.toString());
    if (loaded?.seenVersion === undefined || document === undefined) return;
    loaded.version = loaded.seenVersion;
    delete loaded.seenVersion;
    await document.save();
  }

  private async tellConflict(): Promise<void> {
    const uri = window.activeTextEditor?.document.uri.toString() ?? '';
    await commands.executeCommand('setContext', IN_CONFLICT, this.loaded.get(uri)?.seenVersion !== undefined);
  }
}

/** Short, since the editor shows it in messages: `lattice-knowledge:/Checkout Page.md?atom::uuid@shop`. */
function uriOf({ id, folder }: EntityRef, name: string): Uri {
  const title = name.replace(/[\s/\\?#]+/g, ' ').trim() || typeOf(id);
  const folderName = workspace.getWorkspaceFolder(folder)?.name ?? '';
  return Uri.from({ scheme: SCHEME, path: `/${title}.md`, query: `${id}@${folderName}` });
}

function refOf(uri: Uri): EntityRef {
  const [, id, folderName] = /^((?:atom|molecule)::[0-9a-f-]+)@(.*)$/.exec(uri.query) ?? [];
  const folder = indexedFolders().find(candidate => candidate.name === folderName);
  if (id === undefined || folder === undefined) throw FileSystemError.FileNotFound(uri);
  return { id, folder: folder.uri };
}
