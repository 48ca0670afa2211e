import { commands, type Disposable, type ViewBadge, window } from 'vscode';
import { counted } from '../../../server/protocol/figures';
import type { LatticeServer } from '../languageClient/latticeServer';
import { indexedFolders } from '../settings';
import { shownRows } from '../shownRows';
import { ViewRefresher } from '../viewRefresher';
import type { AtomNode, FolderKnowledge } from './knowledgeNodes';
import { KnowledgeTree, type TreeOptions } from './knowledgeTree';

/** Shortest time between two questions that the index causes, in milliseconds; what people and agents write is shown at once. */
const REST_MS = 3000;

/** The view "Knowledge", kept in step with what anybody writes and with the index while it is visible. */
export class KnowledgeView implements Disposable {
  private readonly tree: KnowledgeTree;
  private readonly view;
  private readonly subscriptions: readonly Disposable[];
  private readonly server: LatticeServer;
  private readonly refresher: ViewRefresher;
  /** The badge is to be right although nobody looks at the view: after the start, and after a write. */
  private isWanted = true;
  /** The index has moved since the rows were drawn: patterns may match other files. */
  private filesMayDiffer = true;

  constructor(options: TreeOptions & { readonly selected: (atom: AtomNode) => void }) {
    this.server = options.server;
    this.tree = new KnowledgeTree(options);
    this.view = window.createTreeView('lattice.knowledge', {
      treeDataProvider: shownRows(this.tree),
      dragAndDropController: this.tree,
      canSelectMany: true,
      showCollapseAll: true,
    });
    this.refresher = new ViewRefresher(this.view, this.server, {
      ask: () => this.ask(),
      isWanted: () => (this.view.visible || this.isWanted) && this.server.isSettled,
      restMs: REST_MS,
    });
    this.subscriptions = [
      this.server.onRecords(({ areas }) => {
        if (!areas.includes('knowledge')) return;
        this.isWanted = true;
        this.refresher.changed(true);
      }),
      this.server.onRevision(() => {
        this.filesMayDiffer = true;
        this.refresher.changed();
      }),
      this.refresher,
      this.view.onDidChangeSelection(({ selection: [first] }) => {
        if (first?.type === 'atom') options.selected(first);
      }),
    ];
  }

  /** Asks now, and draws all rows anew; what was being asked when something changed is asked again. */
  refresh(): Promise<void> {
    this.filesMayDiffer = true;
    return this.refresher.refresh();
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.view.dispose();
    this.tree.dispose();
  }

  private async ask(): Promise<void> {
    this.isWanted = false;
    const { filesMayDiffer } = this;
    this.filesMayDiffer = false;
    const known = await Promise.all(
      indexedFolders().map(async (folder): Promise<FolderKnowledge> => {
        const [tree, shared] = await Promise.all([
          this.server.ask('knowledgeTree', {}, folder.uri),
          this.server.ask('knowledgeConflicts', {}, folder.uri).catch(() => ({ conflicts: [] })),
        ]);
        return { folder: folder.uri, name: folder.name, tree, conflicts: shared.conflicts };
      }),
    );
    this.view.message = '';
    this.tree.show(known, filesMayDiffer);
    const hasKnowledge = known.some(({ tree }) => tree.molecules.length + tree.orphanAtoms.length > 0);
    const atoms = known.flatMap(({ tree }) => [...tree.orphanAtoms, ...tree.molecules.flatMap(molecule => molecule.atoms)]);
    this.view.description = atoms.length === 0 ? '' : counted(atoms.length, 'atom');
    this.view.badge = badgeOf(atoms.filter(atom => atom.state !== 'current').length, known.flatMap(({ conflicts }) => conflicts).length);
    await commands.executeCommand('setContext', 'lattice.hasKnowledge', hasKnowledge);
  }
}

/** Counts what needs somebody: atoms whose code has changed, and conflicts. */
function badgeOf(outdated: number, conflicts: number): ViewBadge | undefined {
  const parts = [
    ...(outdated === 0 ? [] : [`the code of ${counted(outdated, 'atom')} has changed`]),
    ...(conflicts === 0 ? [] : [counted(conflicts, 'conflict')]),
  ];
  return parts.length === 0 ? undefined : { value: outdated + conflicts, tooltip: `Knowledge: ${parts.join(', ')}` };
}
