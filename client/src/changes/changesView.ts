import { commands, type Disposable, type Memento, type Uri, window, workspace } from 'vscode';
import type { BranchImpactParams } from '../../../server/protocol/features';
import { refusedFor } from '../../../server/protocol/refusals';
import type { LatticeServer } from '../languageClient/latticeServer';
import { Refusal } from '../refusal';
import { indexedFolders } from '../settings';
import { shownRows } from '../shownRows';
import { ViewRefresher } from '../viewRefresher';
import { ChangesTree, type FolderChanges, type Grouping, summaryOf } from './changesTree';

/** Shortest time between two questions that the index causes, in milliseconds: two whole graphs are compared. */
const REST_MS = 3000;
const GROUPING = 'lattice.changesGrouping';
const START = 'lattice.changesStart';

/** A state to compare with: what the server takes for it, and what people call it. */
export interface Start {
  readonly word: string;
  readonly label: string;
}

/** The view "Impact of My Branch" in Source Control: asked for when it comes into view, and again when code or HEAD has changed. */
export class ChangesView implements Disposable {
  private readonly tree = new ChangesTree();
  private readonly view = window.createTreeView('lattice.changes', { treeDataProvider: shownRows(this.tree), showCollapseAll: true });
  private readonly refresher: ViewRefresher;
  private readonly subscriptions: readonly Disposable[];
  private shown: readonly FolderChanges[] = [];

  constructor(
    private readonly server: LatticeServer,
    private readonly storage: Memento,
  ) {
    this.refresher = new ViewRefresher(this.view, server, {
      ask: () => this.ask(),
      isWanted: () => this.view.visible && server.isReady,
      restMs: REST_MS,
    });
    const stale = (): void => this.refresher.changed();
    this.subscriptions = [
      server.onRevision(stale),
      // Unsaved text is no revision of the index.
      workspace.onDidChangeTextDocument(({ contentChanges, document }) => {
        if (contentChanges.length > 0 && document.uri.scheme === 'file') stale();
      }),
      this.refresher,
    ];
    void commands.executeCommand('setContext', 'lattice.changesGrouping', this.grouping);
    this.describe();
  }

  get folders(): readonly FolderChanges[] {
    return this.shown;
  }

  get grouping(): Grouping {
    return this.storage.get<Grouping>(GROUPING, 'reach');
  }

  async group(grouping: Grouping): Promise<void> {
    await this.storage.update(GROUPING, grouping);
    await commands.executeCommand('setContext', 'lattice.changesGrouping', grouping);
    this.tree.show(this.shown, grouping);
  }

  /** `undefined` for where the branch began. */
  get start(): Start | undefined {
    return this.storage.get<Start>(START);
  }

  /** Compares with another state from now on. */
  async startAt(start: Start | undefined): Promise<void> {
    await this.storage.update(START, start);
    this.describe();
    await commands.executeCommand('lattice.changes.focus');
    await this.refresh();
  }

  /** What is asked for a folder. */
  get question(): BranchImpactParams {
    const { start } = this;
    return start === undefined ? {} : { from: start.word };
  }

  async refresh(): Promise<void> {
    await this.refresher.refresh();
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.view.dispose();
    this.tree.dispose();
  }

  private describe(): void {
    const { start } = this;
    this.view.title = start === undefined ? 'Impact of My Branch' : 'Changes';
    this.view.description = start === undefined ? '' : `since ${start.label}`;
  }

  private async ask(): Promise<void> {
    const folders = indexedFolders();
    const answers = await window.withProgress({ location: { viewId: 'lattice.changes' } }, () =>
      Promise.all(folders.map(({ name, uri }) => this.askFolder(name, uri))),
    );
    this.shown = answers.map(({ changes }) => changes);
    this.tree.show(this.shown, this.grouping);
    const [only] = this.shown;
    const isAlone = this.shown.length === 1;
    const noGit = isAlone && answers[0]?.noGit === true;
    this.view.message =
      !isAlone || noGit || this.tree.isEmpty
        ? noGit || only?.problem === undefined
          ? ''
          : only.problem
        : only?.answer === undefined
          ? ''
          : summaryOf(only.answer);
    await commands.executeCommand(
      'setContext',
      'lattice.changesState',
      noGit ? 'noGit' : !this.tree.isEmpty ? 'some' : only?.problem === undefined ? 'none' : 'failed',
    );
  }

  private async askFolder(name: string, folder: Uri): Promise<{ readonly changes: FolderChanges; readonly noGit: boolean }> {
    try {
      const answer = await this.server.ask('branchImpact', this.question, folder);
      return { changes: { folder, name, answer, problem: undefined }, noGit: false };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { changes: { folder, name, answer: undefined, problem: error.message }, noGit: refusedFor('noGit', error.data) !== undefined };
    }
  }
}
