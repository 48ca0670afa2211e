import type { Disposable, TreeView } from 'vscode';
import type { LatticeServer } from './languageClient/latticeServer';
import { Refresher, type Refreshing } from './refresher';

/** Refreshes a view: when it is revealed and when the server may answer again. The view shows the message of a failure. */
export class ViewRefresher extends Refresher {
  private readonly listeners: readonly Disposable[];

  constructor(view: Pick<TreeView<unknown>, 'message' | 'onDidChangeVisibility'>, server: LatticeServer, of: Omit<Refreshing, 'failed'>) {
    super({
      ...of,
      failed: message => {
        view.message = message;
      },
    });
    const look = (): void => this.refreshIfWanted();
    this.listeners = [server.onDidChange(look), view.onDidChangeVisibility(look)];
  }

  override dispose(): void {
    for (const listener of this.listeners) listener.dispose();
    super.dispose();
  }
}
