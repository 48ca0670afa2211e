import { commands, type Disposable, window } from 'vscode';
import type { Target } from '../commands/symbolSearch';
import type { LatticeServer } from '../languageClient/latticeServer';
import { askImpact, type Impact } from './impact';
import { ImpactTree } from './impactTree';

const HAS_IMPACT = 'lattice.hasImpact';

/** The view "Impact": what depends on the last symbol asked about, kept in step with the index while it is visible. */
export class ImpactView implements Disposable {
  private readonly tree = new ImpactTree();
  private readonly view = window.createTreeView('lattice.impact', { treeDataProvider: this.tree, showCollapseAll: true });
  private readonly subscriptions: Disposable[];
  private shown: Target | undefined;
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
    if (this.wanted !== undefined) await this.ask(this.wanted);
  }

  clear(): void {
    this.shown = undefined;
    this.wanted = undefined;
    this.asked++;
    this.tree.show(undefined);
    this.describe(undefined);
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.view.dispose();
    this.tree.dispose();
  }

  private refreshIfSeen(): void {
    if (!this.stale || !this.view.visible || this.wanted === undefined) return;
    this.refresh().catch((error: unknown) => {
      this.view.message = `No longer up to date: ${error instanceof Error ? error.message : String(error)}`;
    });
  }

  /** A newer question wins over the answer of an older one. */
  private async ask(target: Target): Promise<Impact> {
    const number = ++this.asked;
    this.stale = false;
    this.wanted = target;
    const impact = await this.answer(target, number);
    if (number === this.asked) {
      this.shown = target;
      this.tree.show(impact);
      this.describe(impact);
    }
    return impact;
  }

  private async answer(target: Target, number: number): Promise<Impact> {
    try {
      return await window.withProgress({ location: { viewId: 'lattice.impact' } }, () => askImpact(this.server, target));
    } catch (error) {
      if (number === this.asked) this.wanted = this.shown;
      throw error;
    }
  }

  private describe(impact: Impact | undefined): void {
    this.view.description = impact?.target.name ?? '';
    this.view.message = impact === undefined ? '' : `${impact.target.name}: ${impact.summary}`;
    void commands.executeCommand('setContext', HAS_IMPACT, impact !== undefined);
  }
}
