import { CancellationTokenSource, type Disposable, type QuickInputButton, type QuickPick, type QuickPickItem, type Uri, window } from 'vscode';
import type { SearchDto, SearchQuery } from '../../../server/protocol/features';
import { containerOf, iconOf } from '../answers';
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
  /** Set when it is not a symbol but what changed in git since this revision. */
  readonly since?: string;
}

interface Hit extends QuickPickItem {
  readonly hit: SearchDto['hits'][number] & { readonly folder: Uri };
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
    const question: SearchQuery = { query, limit: RESULTS };
    const answer = await this.server.ask<SearchDto>('search', question, folder, asking.token);
    return answer.hits.map(hit => this.row({ ...hit, folder }));
  }

  private row(hit: Hit['hit']): Hit {
    const container = containerOf(hit.id);
    const place = hit.kind === 'file' ? hit.path : `${hit.path}:${hit.nameLine}`;
    return {
      label: hit.name,
      iconPath: iconOf(hit.kind),
      description: `${hit.kind.replaceAll('_', ' ')}${container === '' ? '' : ` in ${container}`}`,
      detail: hit.summary === '' ? place : `${place} · ${hit.summary}`,
      alwaysShow: true,
      buttons: this.buttons,
      hit,
    };
  }
}

/** Ranks are only comparable inside one folder: the best of each, then the second of each, and so on. */
function interleaved<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(list => list.length));
  return Array.from({ length: longest }, (_, rank) => lists.flatMap(list => list.slice(rank, rank + 1))).flat();
}
