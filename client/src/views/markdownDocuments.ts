import { commands, type Disposable, EventEmitter, Uri, window, workspace } from 'vscode';

const SCHEME = 'lattice';
/** Oldest texts are dropped beyond this number; an open preview keeps what it shows. */
const KEPT = 50;

/** Read-only Markdown pages of Lattice (explanations, health), shown in the editor's own Markdown preview. */
export class MarkdownDocuments implements Disposable {
  private readonly texts = new Map<string, string>();
  private readonly changed = new EventEmitter<Uri>();
  private readonly provider = workspace.registerTextDocumentContentProvider(SCHEME, {
    onDidChange: this.changed.event,
    provideTextDocumentContent: uri => this.texts.get(uri.path) ?? 'This page is from an earlier session. Run the command again to update it.',
  });

  /** Shows `markdown` under a title; the same title shows anew in the same place. */
  async show(title: string, markdown: string): Promise<void> {
    const uri = uriOf(title);
    this.texts.delete(uri.path);
    this.texts.set(uri.path, markdown);
    for (const oldest of [...this.texts.keys()].slice(0, -KEPT)) this.texts.delete(oldest);
    this.changed.fire(uri);
    try {
      await commands.executeCommand('markdown.showPreview', uri);
    } catch {
      // The Markdown extension of the editor is switched off.
      await window.showTextDocument(uri, { preview: true });
    }
  }

  /** Shows `markdown` where this title is shown, and does not bring it to the front. */
  update(title: string, markdown: string): void {
    const uri = uriOf(title);
    if ((this.texts.get(uri.path) ?? markdown) === markdown) return;
    this.texts.set(uri.path, markdown);
    this.changed.fire(uri);
  }

  dispose(): void {
    this.provider.dispose();
    this.changed.dispose();
  }
}

function uriOf(title: string): Uri {
  return Uri.from({ scheme: SCHEME, path: `/${title.replaceAll('/', '∕')}.md` });
}
