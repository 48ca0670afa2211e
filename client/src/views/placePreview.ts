import { Range, type Tab, TabInputText, type Uri, ViewColumn, window } from 'vscode';
import { uriOf } from '../answers';

/** Moves faster than this show nothing on the way, in milliseconds. */
const PAUSE_MS = 120;

interface Place {
  readonly folder: Uri;
  readonly kind: string;
  readonly path: string;
  readonly nameLine: number;
}

/** Shows the place of the row that a quick pick is on, and puts the editor back as it was when nothing is chosen. */
export class PlacePreview {
  private readonly before = window.activeTextEditor;
  private readonly selection = this.before?.selection;
  private readonly visible = this.before?.visibleRanges[0];
  private readonly open = new Set(window.tabGroups.all.flatMap(group => group.tabs).map(uriOfTab));
  private pause: NodeJS.Timeout | undefined;
  private shown: Uri | undefined;
  private ended: 'chosen' | 'left' | undefined;

  show(place: Place): void {
    clearTimeout(this.pause);
    this.pause = setTimeout(() => void this.reveal(place), PAUSE_MS);
  }

  end(chosen: boolean): void {
    this.ended = chosen ? 'chosen' : 'left';
    clearTimeout(this.pause);
    if (!chosen && this.shown !== undefined) void this.restore();
  }

  private async reveal({ folder, kind, path, nameLine }: Place): Promise<void> {
    if (this.ended !== undefined || kind === 'external') return;
    const uri = uriOf(folder, path);
    this.shown = uri;
    const line = Math.max(0, nameLine - 1);
    try {
      await window.showTextDocument(uri, { preview: true, preserveFocus: true, selection: new Range(line, 0, line, 0) });
      if (this.leftMeanwhile()) await this.restore();
    } catch {
      // A file that cannot be shown as text is not previewed.
    }
  }

  private leftMeanwhile(): boolean {
    return this.ended === 'left';
  }

  private async restore(): Promise<void> {
    const { before, selection, visible } = this;
    if (before !== undefined && selection !== undefined) {
      const editor = await window.showTextDocument(before.document, { viewColumn: before.viewColumn ?? ViewColumn.Active, selection });
      if (visible !== undefined) editor.revealRange(visible);
    }
    const shown = this.shown?.toString();
    const tabs = window.tabGroups.all.flatMap(group => group.tabs).filter(tab => tab.isPreview && uriOfTab(tab) === shown && !this.open.has(shown));
    if (tabs.length > 0) await window.tabGroups.close(tabs);
  }
}

function uriOfTab(tab: Tab): string | undefined {
  return tab.input instanceof TabInputText ? tab.input.uri.toString() : undefined;
}
