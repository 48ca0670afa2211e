import { type Memento, window } from 'vscode';
import type { PanelState } from '../../../server/protocol/graphPanel';

const KEY = 'lattice.graphViews';
/** Views kept per workspace; the oldest goes first. */
const MAX_VIEWS = 50;

interface Saved {
  readonly name: string;
  readonly state: PanelState;
}

/** Views of the graph that the user kept, in the workspace's own storage of the editor. */
export class SavedViews {
  constructor(private readonly storage: Memento) {}

  /** Asks for a name; one that is taken is replaced. `''` when the user leaves. */
  async keep(state: PanelState, suggestion: string): Promise<string> {
    const name = (await window.showInputBox({ title: 'Save View', prompt: 'Name of the view', value: suggestion }))?.trim() ?? '';
    if (name === '') return '';
    const others = this.all().filter(view => view.name !== name);
    await this.storage.update(KEY, [...others, { name, state }].slice(-MAX_VIEWS));
    return name;
  }

  /** Lets the user choose one; newest first. */
  async choose(): Promise<PanelState | undefined> {
    const rows = this.all()
      .toReversed()
      .map(({ name, state }) => ({ label: name, description: state.history[state.place]?.start ?? '', state }));
    return (await window.showQuickPick(rows, { title: 'Open Saved Graph', placeHolder: rows.length === 0 ? 'No saved views' : 'Select a view' }))?.state;
  }

  private all(): readonly Saved[] {
    return this.storage.get<readonly Saved[]>(KEY, []);
  }
}
