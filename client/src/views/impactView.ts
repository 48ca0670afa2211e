import { commands, type Disposable, env, type QuickPickItem, window, workspace } from 'vscode';
import type { Target } from '../commands/symbolSearch';
import type { LatticeServer } from '../languageClient/latticeServer';
import { notRefreshed } from '../refresher';
import { shownRows } from '../shownRows';
import { aboutImpact, askImpact, type Impact } from './impact';
import { impactJson, impactMarkdown } from './impactExport';
import { ImpactTree, type RootNode } from './impactTree';

const HAS_IMPACT = 'lattice.hasImpact';

/** The view "Impact": what depends on the last symbol asked about, kept in step with the index while it is visible. Pinned answers stay beside it. */
export class ImpactView implements Disposable {
  private readonly tree = new ImpactTree();
  /** Empty until somebody asks for an impact: its first rows wait for nothing. */
  private readonly view = window.createTreeView('lattice.impact', { treeDataProvider: shownRows(this.tree, 0), showCollapseAll: true });
  private readonly subscriptions: Disposable[];
  private shown: Impact | undefined;
  private pinned: readonly Impact[] = [];
  /** What was asked last, answered or not: a refresh must not ask for what it replaces. */
  private wanted: Target | undefined;
  private asked = 0;
  private stale = false;

  constructor(private readonly server: LatticeServer) {
    this.subscriptions = [
      server.onRevision(() => {
        this.stale = true;
        this.refreshIfSeen();
      }),
      this.view.onDidChangeVisibility(() => this.refreshIfSeen()),
    ];
  }

  /** Asks for the impact of `target`, shows it and brings the view to the front. */
  async show(target: Target): Promise<Impact> {
    const impact = await this.ask(target);
    await commands.executeCommand('lattice.impact.focus');
    return impact;
  }

  async refresh(): Promise<void> {
    const { pinned } = this;
    const renewed = Promise.all(pinned.map(impact => askImpact(this.server, impact.target)));
    if (this.wanted !== undefined) await this.ask(this.wanted);
    const answers = await renewed;
    // Pinning and unpinning meanwhile wins.
    if (this.pinned !== pinned) return;
    this.pinned = answers;
    this.draw();
  }

  clear(): void {
    this.shown = undefined;
    this.wanted = undefined;
    this.pinned = [];
    this.asked++;
    this.draw();
  }

  /** Keeps the current impact beside those that are asked for later. */
  pin(): void {
    if (this.shown === undefined) return;
    this.pinned = [this.shown, ...this.pinned];
    this.shown = undefined;
    this.wanted = undefined;
    this.asked++;
    this.draw();
  }

  unpin(node: unknown): void {
    const { impact } = node as RootNode;
    this.pinned = this.pinned.filter(other => other !== impact);
    this.draw();
  }

  /** Gives the impact of a row, else the current one, to the clipboard or an editor. */
  async export(node: unknown): Promise<void> {
    const impact = (node as Partial<RootNode> | undefined)?.impact ?? this.shown ?? this.pinned[0];
    if (impact === undefined) return;
    const markdown = { label: '$(copy) Copy as Markdown', run: () => env.clipboard.writeText(impactMarkdown(impact)) };
    const choices: readonly (QuickPickItem & { run(): Thenable<unknown> })[] = [
      markdown,
      { label: '$(markdown) Open as Markdown', run: () => openText('markdown', impactMarkdown(impact)) },
      { label: '$(json) Open as JSON', run: () => openText('json', impactJson(impact)) },
    ];
    const chosen = await window.showQuickPick(choices, { title: `Export Impact of ${impact.target.name}` });
    await chosen?.run();
    if (chosen === markdown) void window.setStatusBarMessage(`$(copy) Copied impact of ${impact.target.name}`, 5000);
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.view.dispose();
    this.tree.dispose();
  }

  private refreshIfSeen(): void {
    if (!this.stale || !this.view.visible || (this.wanted === undefined && this.pinned.length === 0)) return;
    this.stale = false;
    this.refresh().catch((error: unknown) => {
      this.view.message = notRefreshed(error);
    });
  }

  /** A newer question wins over the answer of an older one. */
  private async ask(target: Target): Promise<Impact> {
    const number = ++this.asked;
    this.stale = false;
    this.wanted = target;
    const impact = await this.answer(target, number);
    if (number === this.asked) {
      this.shown = impact;
      this.draw();
    }
    return impact;
  }

  private async answer(target: Target, number: number): Promise<Impact> {
    try {
      return await window.withProgress({ location: { viewId: 'lattice.impact' } }, () => askImpact(this.server, target));
    } catch (error) {
      if (number === this.asked) this.wanted = this.shown?.target;
      throw error;
    }
  }

  private draw(): void {
    const { shown, pinned } = this;
    this.tree.show(shown, pinned);
    this.view.description = shown?.target.name ?? '';
    this.view.message = shown === undefined || pinned.length > 0 ? '' : aboutImpact(shown);
    void commands.executeCommand('setContext', HAS_IMPACT, shown !== undefined || pinned.length > 0);
    void commands.executeCommand('setContext', 'lattice.canPinImpact', shown !== undefined);
  }
}

async function openText(language: string, content: string): Promise<void> {
  await window.showTextDocument(await workspace.openTextDocument({ language, content }));
}
