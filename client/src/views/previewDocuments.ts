import { CodeLens, commands, type Disposable, EventEmitter, languages, Range, Uri, window, workspace } from 'vscode';
import { showInformation } from '../messages';

const SCHEME = 'lattice-preview';

export interface PreviewOptions {
  /** Gives the page its name and with it its language. */
  readonly path: string;
  /** Text on disk; `undefined` when there is no such file. */
  readonly before: string | undefined;
  readonly after: string;
  /** Title of the tab. */
  readonly title: string;
  /** `Create .mcp.json for Claude Code?` */
  readonly question: string;
}

export type Decision = 'write' | 'copy' | 'discard';

interface Open {
  readonly before: Uri;
  readonly after: Uri;
  readonly decide: (decision: Decision) => void;
}

/**
 * Shows what a file would become, before anything is written. The user decides above the text, in the title bar of the page or in
 * the message beside it; closing the page means no.
 */
export class PreviewDocuments implements Disposable {
  private readonly texts = new Map<string, string>();
  private readonly changed = new EventEmitter<Uri>();
  private open: Open | undefined;
  private count = 0;
  private readonly registrations: readonly Disposable[];

  constructor() {
    this.registrations = [
      languages.registerCodeLensProvider({ scheme: SCHEME }, { provideCodeLenses: document => this.lenses(document.uri) }),
      workspace.registerTextDocumentContentProvider(SCHEME, {
        onDidChange: this.changed.event,
        provideTextDocumentContent: uri => this.texts.get(uri.toString()) ?? '',
      }),
      commands.registerCommand('lattice.preview.write', () => this.open?.decide('write')),
      commands.registerCommand('lattice.preview.discard', () => this.open?.decide('discard')),
      window.tabGroups.onDidChangeTabs(({ closed }) => {
        if (closed.some(tab => this.isOpen(tab.input))) this.open?.decide('discard');
      }),
    ];
  }

  /** Resolves with what the user decides; an earlier preview is discarded. */
  async ask(options: PreviewOptions): Promise<Decision> {
    this.open?.decide('discard');
    const open = this.prepare(options);
    let decide: (decision: Decision) => void = () => undefined;
    const decision = new Promise<Decision>(resolve => {
      decide = resolve;
    });
    this.open = { ...open, decide };
    if (options.before === undefined) await window.showTextDocument(open.after, { preview: true });
    else await commands.executeCommand('vscode.diff', open.before, open.after, options.title, { preview: true });
    void showInformation(options.question, 'Write File', 'Copy Instead').then(choice => {
      // The message of an earlier preview stays on the screen and must not decide this one.
      if (choice !== undefined) decide(choice === 'Write File' ? 'write' : 'copy');
    });
    const decided = await decision;
    await this.close(open);
    return decided;
  }

  dispose(): void {
    this.open?.decide('discard');
    for (const registration of this.registrations) registration.dispose();
    this.changed.dispose();
  }

  /** The question above the text: messages go after some seconds, and reading takes longer. */
  private lenses(uri: Uri): CodeLens[] {
    if (this.open === undefined || uri.toString() !== this.open.after.toString()) return [];
    const top = new Range(0, 0, 0, 0);
    return [
      new CodeLens(top, { title: 'Preview, not saved yet', command: '' }),
      new CodeLens(top, { title: '$(check) Write File', command: 'lattice.preview.write' }),
      new CodeLens(top, { title: '$(discard) Discard', command: 'lattice.preview.discard' }),
    ];
  }

  private prepare({ path, before, after }: PreviewOptions): Pick<Open, 'before' | 'after'> {
    const number = ++this.count;
    const make = (side: string, text: string): Uri => {
      const uri = Uri.file(path).with({ scheme: SCHEME, query: `${side}-${number}` });
      this.texts.set(uri.toString(), text);
      return uri;
    };
    return { before: make('before', before ?? ''), after: make('after', after) };
  }

  private async close(open: Pick<Open, 'before' | 'after'>): Promise<void> {
    const tabs = window.tabGroups.all.flatMap(group => group.tabs).filter(tab => this.isOpen(tab.input));
    this.open = undefined;
    if (tabs.length > 0) await window.tabGroups.close(tabs);
    this.texts.delete(open.before.toString());
    this.texts.delete(open.after.toString());
  }

  /** Whether a tab shows the preview that waits for a decision: alone, or as the new side of a comparison. */
  private isOpen(input: unknown): boolean {
    if (this.open === undefined || typeof input !== 'object' || input === null) return false;
    const shown = 'modified' in input ? input.modified : 'uri' in input ? input.uri : undefined;
    return shown instanceof Uri && shown.toString() === this.open.after.toString();
  }
}
