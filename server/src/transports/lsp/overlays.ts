import { readFile, stat } from 'node:fs/promises';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { isUtf16, utf16Text } from '../../base/text';
import type { Caller, OverlayChange } from '../../session/gateway';
import { Debouncer } from './debouncer';
import type { Folder, Folders } from './folders';
import { type PathStyle, uriToPath } from './uri';

/**
 * Changes of documents are gathered until the writer pauses: each time that the engine hears of them it parses the file and resolves what looks at it, there
 * and back, which takes a processor 100 ms and more for a file that much depends on. Who asks meanwhile has them sent at once. Milliseconds.
 */
const PAUSE = { quietMs: 1000, latestMs: 10_000 };
/** Larger documents are not compared with the disk when they are opened, in bytes. */
const MAX_COMPARED_BYTES = 4 * 1024 * 1024;

interface OpenDocument {
  readonly uri: string;
  readonly version: number;
  getText(): string;
}

/** Tells each folder's engine which open documents differ from the disk, and forgets them when they are saved or closed. */
export class Overlays implements Disposable {
  /** Documents the engines know to be unsaved. */
  readonly #unsaved = new Set<string>();
  readonly #pending = new Map<string, OpenDocument>();
  readonly #debouncer = new Debouncer(PAUSE, () => this.#send());
  readonly #disposables = new DisposableStore();

  constructor(
    private readonly folders: Folders,
    private readonly caller: Caller,
    private readonly style: PathStyle,
  ) {
    this.#disposables.add(this.#debouncer);
  }

  /** An opened document is unsaved only if the editor restored it so. `stillOpen` gives its present state. */
  async opened(uri: string, stillOpen: () => OpenDocument | undefined): Promise<void> {
    const path = uriToPath(uri, this.style);
    if (path === undefined || this.folders.locate(uri) === undefined) return;
    const version = stillOpen()?.version;
    const onDisk = await diskText(path);
    const document = stillOpen();
    // What was typed or saved meanwhile has been told by itself, and the text that was read may be older.
    if (document === undefined || document.version !== version || onDisk === undefined || onDisk === document.getText()) return;
    if (this.#unsaved.has(uri)) return;
    this.changed(document);
  }

  changed(document: OpenDocument): void {
    this.#pending.set(document.uri, document);
    this.#debouncer.request();
  }

  /** Saved or closed: the disk is the truth again. */
  settled(uri: string, version: number): void {
    this.#pending.delete(uri);
    if (!this.#unsaved.delete(uri)) return;
    const located = this.folders.locate(uri);
    if (located !== undefined) tell(located.folder, [{ path: located.path, version, text: undefined }], this.caller);
  }

  /** Sends at once what has been gathered, so that a question sees the text it was asked about. */
  flush(): void {
    this.#debouncer.flush();
  }

  /** Resolves when everything that was typed has been sent: when the writer pauses. */
  paused(): Promise<void> {
    return this.#debouncer.over();
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #send(): void {
    const byFolder = new Map<Folder, OverlayChange[]>();
    for (const document of this.#pending.values()) {
      const located = this.folders.locate(document.uri);
      if (located === undefined) continue;
      const changes = byFolder.get(located.folder) ?? [];
      changes.push({ path: located.path, version: document.version, text: document.getText() });
      byFolder.set(located.folder, changes);
      this.#unsaved.add(document.uri);
    }
    this.#pending.clear();
    for (const [folder, changes] of byFolder) tell(folder, changes, this.caller);
  }
}

/** A folder that is still opening hears of it once it is open. */
function tell(folder: Folder, changes: readonly OverlayChange[], caller: Caller): void {
  if (folder.gateway !== undefined) folder.gateway.overlay(changes, caller);
  else
    void folder.opening.then(opened => {
      if (opened.ok) opened.value.overlay(changes, caller);
    });
}

/** Text on disk without its byte order mark, as editors hold it; `undefined` when it cannot be read or is very large. */
async function diskText(path: string): Promise<string | undefined> {
  try {
    const stats = await stat(path);
    if (!stats.isFile() || stats.size > MAX_COMPARED_BYTES) return undefined;
    const bytes = await readFile(path);
    return isUtf16(bytes) ? utf16Text(bytes) : bytes.toString('utf8').replace(/^\uFEFF/, '');
  } catch {
    return undefined;
  }
}
