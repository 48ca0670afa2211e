import { CancellationTokenSource, type Disposable, type QuickInputButton, type QuickPick, type QuickPickItem, type Uri, window } from 'vscode';
import type { SearchAnswer, SearchParams } from '../../../server/protocol/features';
import { shownText } from '../../../server/protocol/shownText';
import { iconOf } from '../answers';
import type { LatticeServer } from '../languageClient/latticeServer';
import { showWarning } from '../messages';
import { containerOf } from '../names';
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
  readonly hit: SearchAnswer['hits'][number] & { readonly folder: Uri };
}

/** Lets the user find one symbol. */
export async function pickSymbol(server: LatticeServer, question: string): Promise<Target | undefined> {
  const chosen = await askForSymbol(server, { title: 'Select Symbol', question, buttonsOf: () => [] });
  return chosen === undefined ? undefined : targetOfHit(chosen.hit);
}

export function targetOfHit(hit: Hit['hit']): Target {
  return { id: hit.id, name: hit.name, folder: hit.folder };
}

export interface Choice {
  readonly hit: Hit['hit'];
  readonly button: QuickInputButton | undefined;
}

export interface SearchOptions {
  readonly title: string;
  readonly question: string;
  readonly buttonsOf: (hit: Hit['hit']) => readonly QuickInputButton[];
  /** Told of the hit that the user is looking at, and at the end whether one was chosen. */
  readonly preview?: { show(hit: Hit['hit']): void; end(chosen: boolean): void };
}

/** Asks for a symbol or file with live results; `undefined` when the user leaves. */
export function askForSymbol(server: LatticeServer, options: SearchOptions): Promise<Choice | undefined> {
  const pick = window.createQuickPick<Hit>();
  pick.title = options.title;
  pick.placeholder = options.question;
  const live = new LiveSearch(server, pick, options);
  return new Promise<Choice | undefined>(resolve => {
    let choice: Choice | undefined;
    const choose = (hit: Hit['hit'], button: QuickInputButton | undefined): void => {
      choice = { hit, button };
      pick.hide();
    };
    pick.onDidChangeValue(text => live.changed(text));
    pick.onDidChangeActive(([item]) => {
      if (item !== undefined) options.preview?.show(item.hit);
    });
    pick.onDidTriggerItemButton(({ item, button }) => choose(item.hit, button));
    pick.onDidAccept(() => {
      const item = pick.selectedItems[0];
      if (item !== undefined) choose(item.hit, undefined);
    });
    pick.onDidHide(() => {
      options.preview?.end(choice !== undefined);
      resolve(choice);
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
    private readonly options: SearchOptions,
  ) {}

  changed(text: string): void {
    this.asking.cancel();
    clearTimeout(this.pause);
    const query = text.trim();
    if (query === '') {
      this.pick.title = this.options.title;
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
      // An emptied list says why only in the title: the placeholder is hidden by the text.
      this.pick.title = this.pick.items.length === 0 ? `${this.options.title} (no results)` : this.options.title;
    } catch (error) {
      if (asking.token.isCancellationRequested) return;
      this.pick.items = [];
      this.pick.hide();
      void showWarning(`Lattice: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      if (this.asking === asking) this.pick.busy = false;
    }
  }

  private async find(query: string, folder: Uri, asking: CancellationTokenSource): Promise<Hit[]> {
    const question: SearchParams = { query, limit: RESULTS };
    const answer = await this.server.ask('search', question, folder, asking.token);
    return answer.hits.map(hit => this.row({ ...hit, folder }));
  }

  private row(hit: Hit['hit']): Hit {
    const container = containerOf(hit.id);
    const folders = indexedFolders();
    const inFolder = folders.length > 1 ? `${folders.find(folder => folder.uri === hit.folder)?.name ?? ''} · ` : '';
    const place = inFolder + (hit.kind === 'file' ? hit.path : `${hit.path}:${hit.nameLine}`);
    return {
      label: shownText(hit.name),
      iconPath: iconOf(hit.kind),
      description: shownText(`${hit.kind.replaceAll('_', ' ')}${container === '' ? '' : ` in ${container}`}`),
      detail: shownText(hit.summary === '' ? place : `${place} · ${hit.summary}`),
      alwaysShow: true,
      buttons: this.options.buttonsOf(hit),
      hit,
    };
  }
}

/** Ranks are only comparable inside one folder: the best of each, then the second of each, and so on. */
function interleaved<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(list => list.length));
  return Array.from({ length: longest }, (_, rank) => lists.flatMap(list => list.slice(rank, rank + 1))).flat();
}
