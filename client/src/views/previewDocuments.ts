import { type Disposable, TabInputTextDiff, Uri, window, workspace } from 'vscode';

const SCHEME = 'lattice-preview';

export interface Preview {
  readonly before: Uri;
  readonly after: Uri;
  /** Closes the tab of the comparison. */
  close(): Promise<void>;
}

/** Two texts that are compared before a file is written; neither is on disk. */
export class PreviewDocuments implements Disposable {
  private readonly texts = new Map<string, string>();
  private count = 0;
  private readonly provider = workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: uri => this.texts.get(uri.toString()) ?? '',
  });

  /** `path` gives the documents their name and with it their language. */
  show(path: string, before: string, after: string): Preview {
    const number = ++this.count;
    const make = (side: string, text: string): Uri => {
      const uri = Uri.file(path).with({ scheme: SCHEME, query: `${side}-${number}` });
      this.texts.set(uri.toString(), text);
      return uri;
    };
    const uris = { before: make('before', before), after: make('after', after) };
    return { ...uris, close: () => this.close(uris.before, uris.after) };
  }

  dispose(): void {
    this.provider.dispose();
  }

  private async close(before: Uri, after: Uri): Promise<void> {
    const tabs = window.tabGroups.all
      .flatMap(group => group.tabs)
      .filter(tab => tab.input instanceof TabInputTextDiff && tab.input.modified.toString() === after.toString());
    if (tabs.length > 0) await window.tabGroups.close(tabs);
    this.texts.delete(before.toString());
    this.texts.delete(after.toString());
  }
}
