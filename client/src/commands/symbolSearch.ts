import { CancellationTokenSource, type Disposable, type QuickInputButton, type QuickPick, type QuickPickItem, type Uri, window } from 'vscode';
import { containerOf, dataOf, type GraphItem, graphItem, iconOf, rowsOf } from '../answers';
import type { LatticeServer } from '../languageClient/latticeServer';
import { indexedFolders } from '../settings';

const RESULTS = 20;
/** Typing pauses shorter than this do not ask the server. */
const PAUSE_MS = 60;

/** A symbol that a command is about. */
export interface Target {
  readonly id: string;
  readonly name: string;
  readonly folder: Uri;
}

interface Hit extends QuickPickItem {
  readonly hit: GraphItem & { readonly folder: Uri };
}

/** Lets the user find one symbol. */
export async function pickSymbol(server: LatticeServer, question: string): Promise<Target | undefined> {
  const chosen = await askForSymbol(server, question, []);
  return chosen === undefined ? undefined : targetOfHit(chosen.hit);
}

export function targetOfHit(hit: Hit['hit']): Target {
  return { id: hit.id, name: hit.name, folder: hit.folder };
}

export interface Choice {
  readonly hit: Hit['hit'];
  readonly button: QuickInputButton | undefined;
}

/** Asks for a symbol or file with live results; `undefined` when the user leaves. */
export function askForSymbol(server: LatticeServer, question: string, buttons: readonly QuickInputButton[]): Promise<Choice | undefined> {
  const pick = window.createQuickPick<Hit>();
  pick.title = 'Lattice: Search';
  pick.placeholder = question;
  const live = new LiveSearch(server, pick, buttons);
  return new Promise<Choice | undefined>(resolve => {
    pick.onDidChangeValue(text => live.changed(text));
    pick.onDidTriggerItemButton(event => {
      resolve({ hit: event.item.hit, button: event.button });
      pick.hide();
    });
    pick.onDidAccept(() => {
      const item = pick.selectedItems[0];
      if (item === undefined) return;
      resolve({ hit: item.hit, button: undefined });
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      live.dispose();
      pick.dispose();
    });
    pick.show();
  });
}

/** Keeps the list of a quick pick in step with its text; a newer text cancels the question of an older one. */
class LiveSearch implements Disposable {
  private asking = new CancellationTokenSource();
  private pause: NodeJS.Timeout | undefined;

  constructor(
    private readonly server: LatticeServer,
    private readonly pick: QuickPick<Hit>,
    private readonly buttons: readonly QuickInputButton[],
  ) {}

  changed(text: string): void {
    this.asking.cancel();
    clearTimeout(this.pause);
    const query = text.trim();
    if (query === '') {
      this.pick.items = [];
      this.pick.busy = false;
      return;
    }
    this.pick.busy = true;
    this.pause = setTimeout(() => void this.look(query), PAUSE_MS);
  }

  dispose(): void {
    this.asking.cancel();
    clearTimeout(this.pause);
  }

  private async look(query: string): Promise<void> {
    const asking = new CancellationTokenSource();
    this.asking = asking;
    try {
      const perFolder = await Promise.all(indexedFolders().map(folder => this.find(query, folder.uri, asking)));
      if (asking.token.isCancellationRequested) return;
      this.pick.items = interleaved(perFolder);
      if (this.pick.items.length === 0) this.pick.placeholder = 'Nothing found';
    } catch (error) {
      if (asking.token.isCancellationRequested) return;
      this.pick.items = [];
      this.pick.hide();
      void window.showWarningMessage(`Lattice: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      if (this.asking === asking) this.pick.busy = false;
    }
  }

  private async find(query: string, folder: Uri, asking: CancellationTokenSource): Promise<Hit[]> {
    const answer = await this.server.callTool('search_code', { query, k: RESULTS, profile: 'debug' }, { uri: folder.toString() }, asking.token);
    return rowsOf(dataOf(answer), 'results').map(row => this.hitOf(graphItem(row), folder));
  }

  private hitOf(item: GraphItem, folder: Uri): Hit {
    const container = containerOf(item.id);
    return {
      label: item.name,
      iconPath: iconOf(item.kind),
      description: [item.kind.replace('_', ' '), container === '' ? '' : `in ${container}`].filter(part => part !== '').join(' '),
      detail: item.kind === 'file' ? item.file : `${item.file}:${item.line}`,
      alwaysShow: true,
      buttons: this.buttons,
      hit: { ...item, folder },
    };
  }
}

/** Ranks are only comparable inside one folder: the best of each, then the second of each, and so on. */
function interleaved<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(list => list.length));
  return Array.from({ length: longest }, (_, rank) => lists.flatMap(list => list.slice(rank, rank + 1))).flat();
}
