import { type Disposable, EventEmitter, FileDecoration, type FileDecorationProvider, type Uri, window } from 'vscode';
import type { ClaimRow } from '../../../server/protocol/features';
import { uriOf } from '../answers';
import type { LatticeServer } from '../languageClient/latticeServer';
import { indexedFolders } from '../settings';

/** Marks files in the Explorer that agents work on, or on something in them. */
export class ClaimDecorations implements FileDecorationProvider, Disposable {
  private readonly changed = new EventEmitter<undefined>();
  private readonly subscriptions: Disposable[];
  private claims: ReadonlyMap<string, readonly ClaimRow[]> = new Map();
  private asking: Promise<void> | undefined;
  private isStale = true;
  readonly onDidChangeFileDecorations = this.changed.event;

  constructor(private readonly server: LatticeServer) {
    this.subscriptions = [
      server.onRecords(({ areas }) => {
        if (!areas.includes('memory')) return;
        this.isStale = true;
        this.look();
      }),
      server.onDidChange(() => this.look()),
      window.registerFileDecorationProvider(this),
    ];
  }

  provideFileDecoration(uri: Uri): FileDecoration | undefined {
    const held = this.claims.get(uri.toString());
    if (held === undefined) return undefined;
    // Not a dot: on a tab that would be taken for unsaved changes.
    return new FileDecoration('@', held.map(({ agentId, intent }) => `Claimed by ${agentId}: ${intent}`).join('\n'));
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.changed.dispose();
  }

  private look(): void {
    if (!this.isStale || this.asking !== undefined || this.server.folders.length === 0) return;
    this.isStale = false;
    this.asking = this.ask()
      // Without an answer nothing is marked; the next change asks again.
      .catch(() => void (this.isStale = true))
      .finally(() => {
        this.asking = undefined;
      });
  }

  private async ask(): Promise<void> {
    const claims = new Map<string, ClaimRow[]>();
    for (const { uri } of indexedFolders()) {
      for (const claim of (await this.server.ask('claims', {}, uri)).claims) {
        if (claim.claimType !== 'file' && claim.claimType !== 'function') continue;
        const file = uriOf(uri, claim.targetId.split('::', 1)[0] ?? '').toString();
        claims.set(file, [...(claims.get(file) ?? []), claim]);
      }
    }
    this.claims = claims;
    this.changed.fire(undefined);
    if (this.isStale) await this.ask();
  }
}
