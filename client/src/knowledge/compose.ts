/**
 * Door of knowledge in the editor: the view, its commands, documents for editing, and the question after a rename.
 * Does not know how knowledge is stored or matched; it asks the server and is told when somebody has written.
 */
import { commands, type Disposable, type LogOutputChannel, type Uri } from 'vscode';
import { guarded } from '../commands/registry';
import type { LatticeServer } from '../languageClient/latticeServer';
import type { MarkdownDocuments } from '../views/markdownDocuments';
import { followRenames } from './followRenames';
import {
  appendKnowledge,
  deleteKnowledge,
  editKnowledge,
  editPatterns,
  type KnowledgeParts,
  logChange,
  moveAtom,
  moveTo,
  newAtom,
  newMolecule,
  renameKnowledge,
  showChangelog,
  showVersions,
} from './knowledgeCommands';
import { KnowledgeDocuments } from './knowledgeDocuments';
import { KnowledgeStore } from './knowledgeStore';
import { KnowledgeVersions } from './knowledgeVersions';
import { KnowledgeView } from './knowledgeView';

export interface KnowledgeOptions {
  readonly server: LatticeServer;
  readonly pages: MarkdownDocuments;
  readonly log: LogOutputChannel;
  /** An atom was selected in the view. */
  readonly selected: (atom: string, folder: Uri) => void;
}

/** Builds the parts; all end with what is returned. */
export function composeKnowledge({ server, pages, log, selected }: KnowledgeOptions): Disposable[] {
  const store = new KnowledgeStore(server);
  const documents = new KnowledgeDocuments(store, server);
  const view = new KnowledgeView({
    server,
    move: (atom, moleculeId) => moveTo(store, atom, moleculeId),
    selected: ({ row, folder }) => selected(row.id, folder),
  });
  const versions = new KnowledgeVersions(store, server);
  const parts: KnowledgeParts = { server, store, documents, pages, versions };
  const table: Readonly<Record<string, (argument: unknown, more: unknown) => unknown>> = {
    'lattice.refreshKnowledge': () => view.refresh(),
    'lattice.newMolecule': argument => newMolecule(parts, argument),
    'lattice.newAtom': (argument, more) => newAtom(parts, argument, more),
    'lattice.editKnowledge': argument => editKnowledge(parts, argument),
    'lattice.appendKnowledge': argument => appendKnowledge(parts, argument),
    'lattice.renameKnowledge': argument => renameKnowledge(parts, argument),
    'lattice.moveAtom': (argument, more) => moveAtom(parts, argument, more),
    'lattice.editPatterns': argument => editPatterns(parts, argument),
    'lattice.logKnowledgeChange': argument => logChange(parts, argument),
    'lattice.showKnowledgeChangelog': argument => showChangelog(parts, argument),
    'lattice.showKnowledgeVersions': argument => showVersions(parts, argument),
    'lattice.restoreKnowledge': argument => versions.restoreDeleted(argument),
    'lattice.deleteKnowledge': argument => deleteKnowledge(parts, argument),
  };
  const registered = Object.entries(table).map(([id, run]) =>
    commands.registerCommand(id, (argument: unknown, more: unknown) => guarded(log, id, () => run(argument, more))),
  );
  return [documents, versions, view, ...registered, followRenames({ server, store, log })];
}
