import { FileType, type QuickPickItem, Range, SnippetString, type TextEditor, Uri, window, workspace } from 'vscode';
import { counted } from '../../../server/protocol/figures';
import { relativeAndExactDate } from '../dates';
import { folderUriFor, type LatticeServer } from '../languageClient/latticeServer';
import { showWarning } from '../messages';
import { Refusal } from '../refusal';
import { indexedFolders } from '../settings';
import type { MarkdownDocuments } from '../views/markdownDocuments';
import { askPatterns } from './askPatterns';
import { ATOM_TEMPLATES, type AtomTemplate, headingsOf, snippetOf } from './atomTemplates';
import { proposeName, proposePatterns, type Selected } from './globs';
import type { KnowledgeDocuments } from './knowledgeDocuments';
import type { AtomNode, KnowledgeNode, MoleculeNode } from './knowledgeNodes';
import { type EntityRef, type EntityType, type KnowledgeStore, typeOf } from './knowledgeStore';
import type { KnowledgeVersions } from './knowledgeVersions';

export interface KnowledgeParts {
  readonly server: LatticeServer;
  readonly store: KnowledgeStore;
  readonly documents: KnowledgeDocuments;
  readonly pages: MarkdownDocuments;
  readonly versions: KnowledgeVersions;
}

const NAME_LENGTH = 255;

/** Makes a molecule and opens its text. */
export async function newMolecule({ store, documents }: KnowledgeParts, argument: unknown): Promise<void> {
  const folder = await folderOf(argument);
  const name = folder && (await askName('New Molecule', 'Name of the molecule, such as API Layer', ''));
  if (folder === undefined || name === undefined) return;
  const id = await store.create(folder, 'molecule', { name });
  await documents.open({ id, folder });
}

/** Makes an atom from what it is called on (a molecule, a gap, files of the Explorer, a hover) and a template, and opens its text to be filled in. */
export async function newAtom({ server, store, documents }: KnowledgeParts, argument: unknown, more: unknown): Promise<void> {
  const folder = await folderOf(argument);
  if (folder === undefined) return;
  const selection = await selectionOf(folder, argument, more);
  const title = 'New Atom';
  const paths = await askPatterns(server, folder, `${title}: Files`, proposePatterns(selection));
  if (paths === undefined) return;
  const name = await askName(title, 'Name of the atom, such as Checkout Page', proposeName(selection));
  const template = name === undefined ? undefined : await askTemplate(title);
  if (name === undefined || template === undefined) return;
  const node = nodeOf(argument);
  const moleculeId = node?.type === 'molecule' ? node.row.id : undefined;
  const knowledge = headingsOf(template);
  const id = await store.create(folder, 'atom', {
    name,
    paths,
    ...(moleculeId === undefined ? {} : { moleculeId }),
    ...(knowledge === '' ? {} : { knowledge }),
  });
  const editor = await documents.open({ id, folder });
  if (knowledge !== '') await fillIn(editor, template);
}

async function askTemplate(title: string): Promise<AtomTemplate | undefined> {
  const rows = ATOM_TEMPLATES.map(template => ({ label: `$(${template.icon}) ${template.label}`, detail: template.detail, template }));
  const options = { title, placeHolder: 'Select a template', matchOnDetail: true, ignoreFocusOut: true };
  return (await window.showQuickPick(rows, options))?.template;
}

/** Puts what to write below each heading, selected one after the other with Tab. */
async function fillIn(editor: TextEditor, template: AtomTemplate): Promise<void> {
  const { document } = editor;
  const whole = document.validateRange(new Range(0, 0, document.lineCount, 0));
  await editor.insertSnippet(new SnippetString(snippetOf(template)), whole);
}

export async function editKnowledge({ documents, server }: KnowledgeParts, argument: unknown): Promise<void> {
  const ref = refOf(argument) ?? (await pickEntity(server, 'Edit Knowledge', 'Select an atom or molecule to edit'));
  if (ref !== undefined) await documents.open(ref);
}

/** Adds a paragraph below what is there, with date. */
export async function appendKnowledge({ store, server }: KnowledgeParts, argument: unknown): Promise<void> {
  const ref = refOf(argument) ?? (await pickEntity(server, 'Append to Knowledge', 'Select an atom or molecule to append to'));
  const text = ref && (await window.showInputBox({ title: 'Append to Knowledge', prompt: 'Markdown text to append', ignoreFocusOut: true }));
  if (ref === undefined || text === undefined || text.trim() === '') return;
  const { version } = await store.get(ref);
  await store.update(ref, version, { knowledge: text, knowledgeMode: 'append' });
}

export async function renameKnowledge({ store }: KnowledgeParts, argument: unknown): Promise<void> {
  const node = entityNode(argument);
  const name = node && (await askName(`Rename ${node.row.name}`, 'New name', node.row.name));
  if (node !== undefined && name !== undefined && name !== node.row.name) await store.update(idOf(node), node.row.version, { name });
}

/** Moves an atom, or several, to a molecule that the user picks. */
export async function moveAtom({ store, server }: KnowledgeParts, argument: unknown, more: unknown): Promise<void> {
  const atoms = (Array.isArray(more) ? more : [argument]).map(nodeOf).filter(node => node?.type === 'atom');
  const [first] = atoms;
  if (first === undefined) return;
  const { molecules } = await server.ask('knowledgeTree', {}, first.folder);
  const rows: (QuickPickItem & { readonly id: string | null })[] = [
    ...molecules.map(({ id, name, atoms: members }) => ({ id, label: `$(library) ${name}`, description: counted(members.length, 'atom') })),
    { id: null, label: '$(inbox) No molecule' },
  ];
  const chosen = await window.showQuickPick(rows, {
    title: `Move ${atoms.length === 1 ? first.row.name : counted(atoms.length, 'atom')}`,
    placeHolder: 'Select a molecule',
  });
  if (chosen === undefined) return;
  for (const atom of atoms) if (atom.row.moleculeId !== chosen.id) await moveTo(store, atom, chosen.id);
}

export async function moveTo(store: KnowledgeStore, atom: AtomNode, moleculeId: string | null): Promise<void> {
  await store.update(idOf(atom), atom.row.version, { moleculeId });
}

export async function editPatterns({ server, store }: KnowledgeParts, argument: unknown): Promise<void> {
  const node = nodeOf(argument);
  if (node?.type !== 'atom') return;
  const paths = await askPatterns(server, node.folder, `Edit Patterns of ${node.row.name}`, node.row.paths);
  if (paths !== undefined) await store.update(idOf(node), node.row.version, { paths });
}

/** Adds an entry to the history. */
export async function logChange({ server, store }: KnowledgeParts, argument: unknown): Promise<void> {
  const ref = refOf(argument) ?? (await pickEntity(server, 'Add Knowledge Changelog Entry', 'Select an atom or molecule'));
  const summary = ref && (await window.showInputBox({ title: 'Add Knowledge Changelog Entry', prompt: 'What changed, and why?', ignoreFocusOut: true }));
  if (ref !== undefined && summary !== undefined && summary.trim() !== '') await store.log(ref, summary);
}

const MAX_ENTRIES = 100;

export async function showChangelog({ server, store, pages }: KnowledgeParts, argument: unknown): Promise<void> {
  const ref = refOf(argument) ?? (await pickEntity(server, 'Show Knowledge Changelog', 'Select an atom or molecule'));
  if (ref === undefined) return;
  const { name } = await store.get(ref);
  const { entries, total } = await server.ask('knowledgeChangelog', { parentType: typeOf(ref.id), parentId: ref.id, limit: MAX_ENTRIES }, ref.folder);
  const lines = entries.map(({ createdAt, summary, taskId }) => `- **${relativeAndExactDate(createdAt)}** ${plain(summary)} *(${plain(taskId)})*`);
  const rest = total > entries.length ? [`\n${total - entries.length} older entries are not shown.`] : [];
  await pages.show(`Changelog of ${name}`, [`# ${plain(name)}`, '', ...(lines.length === 0 ? ['There are no entries yet.'] : lines), ...rest].join('\n'));
}

export async function showVersions({ server, versions }: KnowledgeParts, argument: unknown): Promise<void> {
  const ref = refOf(argument) ?? (await pickEntity(server, 'Show Knowledge Versions', 'Select an atom or molecule'));
  if (ref !== undefined) await versions.show(ref);
}

/** Asks what becomes of the atoms of a molecule, and names them. */
export async function deleteKnowledge({ store }: KnowledgeParts, argument: unknown): Promise<void> {
  const node = entityNode(argument);
  if (node === undefined) return;
  const { name, version } = node.row;
  if (node.type === 'atom' || node.row.atoms.length === 0) {
    const chosen = await showWarning(
      `Are you sure you want to delete ${name}?`,
      { modal: true, detail: 'You can restore its text for some time with Restore Deleted Knowledge. Its changelog is deleted permanently.' },
      'Delete',
    );
    if (chosen !== undefined) await store.delete(idOf(node), version, false);
    return;
  }
  const names = node.row.atoms.map(atom => `• ${atom.name}`);
  const shown = names.length > 20 ? [...names.slice(0, 20), `and ${names.length - 20} more`] : names;
  const [keep, all] = ['Delete Molecule Only', 'Delete Molecule and Atoms'];
  const detail = `It contains ${counted(names.length, 'atom')}:\n${shown.join('\n')}`;
  const chosen = await showWarning(`Are you sure you want to delete ${name}?`, { modal: true, detail }, keep, all);
  if (chosen !== undefined) await store.delete(idOf(node), version, chosen === all);
}

function idOf(node: AtomNode | MoleculeNode): EntityRef {
  return { id: node.row.id, folder: node.folder };
}

function nodeOf(value: unknown): KnowledgeNode | undefined {
  return typeof value === 'object' && value !== null && 'type' in value && 'folder' in value && value.folder instanceof Uri
    ? (value as KnowledgeNode)
    : undefined;
}

function entityNode(value: unknown): AtomNode | MoleculeNode | undefined {
  const node = nodeOf(value);
  return node?.type === 'atom' || node?.type === 'molecule' ? node : undefined;
}

/** A row of the tree, or the argument of a command link; links come from text, so only folders of this window count. */
function refOf(value: unknown): EntityRef | undefined {
  const node = entityNode(value);
  if (node !== undefined) return idOf(node);
  if (typeof value !== 'object' || value === null || !('id' in value) || !('folder' in value) || typeof value.id !== 'string') return undefined;
  const { folder, id } = value;
  const known = indexedFolders().find(candidate => candidate.uri.toString() === String(folder));
  return known === undefined ? undefined : { id, folder: known.uri };
}

/** The folder that a command is about: of its argument, of the active editor, or the one that the user picks. */
async function folderOf(argument: unknown): Promise<Uri | undefined> {
  const node = nodeOf(argument);
  if (node !== undefined) return node.folder;
  const named = typeof argument === 'object' && argument !== null && 'folder' in argument ? String(argument.folder) : undefined;
  const folders = indexedFolders();
  const known = folders.find(candidate => candidate.uri.toString() === named);
  if (known !== undefined) return known.uri;
  if (argument instanceof Uri) return folderUriFor(argument);
  if (folders.length < 2) return folders[0]?.uri;
  return (await window.showWorkspaceFolderPick({ placeHolder: 'Select a folder' }))?.uri;
}

/** Files and folders that a new atom is about. */
async function selectionOf(folder: Uri, argument: unknown, more: unknown): Promise<Selected[]> {
  const node = nodeOf(argument);
  if (node?.type === 'gap') return [{ path: node.gap.folder, isFolder: true }];
  if (node?.type === 'file') return [{ path: node.path, isFolder: false }];
  if (typeof argument === 'object' && argument !== null && 'path' in argument && 'folder' in argument)
    return [{ path: String(argument.path), isFolder: false }];
  const uris = argument instanceof Uri ? (Array.isArray(more) && more.length > 0 ? more : [argument]).filter(uri => uri instanceof Uri) : [];
  const inside = uris.filter(uri => uri.path === folder.path || uri.path.startsWith(`${folder.path}/`));
  return await Promise.all(
    inside.map(async uri => {
      const stat = await workspace.fs.stat(uri);
      return { path: uri.path.slice(folder.path.length + 1), isFolder: (stat.type & FileType.Directory) !== 0 };
    }),
  );
}

async function askName(title: string, prompt: string, value: string): Promise<string | undefined> {
  const name = await window.showInputBox({
    title,
    prompt,
    value,
    ignoreFocusOut: true,
    validateInput: text => {
      if (text.trim() === '') return 'Enter a name.';
      return Array.from(text.trim()).length > NAME_LENGTH ? `The name is longer than ${NAME_LENGTH} characters.` : undefined;
    },
  });
  return name?.trim();
}

async function pickEntity(server: LatticeServer, title: string, placeHolder: string): Promise<EntityRef | undefined> {
  const rows = await Promise.all(
    indexedFolders().map(async ({ uri }) => {
      const { molecules, orphanAtoms } = await server.ask('knowledgeTree', {}, uri);
      const row = (type: EntityType, { id, name }: { readonly id: string; readonly name: string }, description: string) => ({
        label: `$(${type === 'atom' ? 'note' : 'library'}) ${name}`,
        description,
        ref: { id, folder: uri },
      });
      return [
        ...molecules.flatMap(molecule => [row('molecule', molecule, ''), ...molecule.atoms.map(atom => row('atom', atom, molecule.name))]),
        ...orphanAtoms.map(atom => row('atom', atom, '')),
      ];
    }),
  );
  if (rows.flat().length === 0) throw new Refusal('There is no knowledge yet. Create an atom first.');
  return (await window.showQuickPick(rows.flat(), { title, placeHolder, matchOnDescription: true }))?.ref;
}

/** Text of people in a page of ours: no Markdown, no links. */
function plain(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]<>#|~!&$]/g, '\\$&');
}
