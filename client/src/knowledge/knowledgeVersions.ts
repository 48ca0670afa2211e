import { commands, type Disposable, type QuickInputButton, type QuickPickItem, ThemeIcon, Uri, window, workspace } from 'vscode';
import type { KnowledgeVersion } from '../../../server/protocol/features';
import { relativeAndExactDate } from '../dates';
import type { LatticeServer } from '../languageClient/latticeServer';
import { Refusal } from '../refusal';
import { type Entity, type EntityRef, type KnowledgeStore, typeOf } from './knowledgeStore';
import { folderFor } from './sync/folders';

/** One version as text, for comparing: read once, since it never changes. */
const SCHEME = 'lattice-knowledge-version';
const KEPT = 50;
const RESTORE: QuickInputButton = { iconPath: new ThemeIcon('discard'), tooltip: 'Restore This Version' };

interface VersionItem extends QuickPickItem {
  readonly version: KnowledgeVersion;
}

/** What an atom or molecule was like: its versions, each compared with the one before, and written again when the user says so; what was deleted, too. */
export class KnowledgeVersions implements Disposable {
  private readonly texts = new Map<string, string>();
  private readonly registration: Disposable;

  constructor(
    private readonly store: KnowledgeStore,
    private readonly server: LatticeServer,
  ) {
    this.registration = workspace.registerTextDocumentContentProvider(SCHEME, { provideTextDocumentContent: uri => this.texts.get(uri.toString()) ?? '' });
  }

  /** Lists the versions; the one that is chosen is shown beside the one before it. */
  async show(ref: EntityRef): Promise<void> {
    const { entity, versions } = await this.store.history(ref);
    const pick = window.createQuickPick<VersionItem>();
    pick.title = `Versions of ${entity.name}`;
    pick.placeholder = 'Select a version to see its changes';
    pick.matchOnDescription = true;
    pick.matchOnDetail = true;
    pick.items = versions.map((version, at) => itemOf(version, at === 0 || !workspace.isTrusted ? [] : [RESTORE]));
    const done = new Promise<() => Promise<void>>(resolve => {
      pick.onDidAccept(() => {
        const [chosen] = pick.selectedItems;
        if (chosen !== undefined) resolve(() => this.compare(ref, entity.name, chosen.version, versions[versions.indexOf(chosen.version) + 1]));
      });
      pick.onDidTriggerItemButton(({ item }) => resolve(() => this.restore(ref, entity, item.version.version)));
      pick.onDidHide(() => resolve(async () => undefined));
    });
    pick.show();
    try {
      const act = await done;
      pick.hide();
      await act();
    } finally {
      pick.dispose();
    }
  }

  /** Lets the user bring back something that was deleted. */
  async restoreDeleted(argument: unknown): Promise<void> {
    const title = 'Restore Deleted Knowledge';
    const folder = await folderFor(argument, title);
    if (folder === undefined) return;
    const { items } = await this.server.ask('deletedKnowledge', {}, folder);
    if (items.length === 0) throw new Refusal('There is no deleted knowledge to restore.');
    const rows = items.map(item => ({
      label: `$(${item.entityType === 'atom' ? 'note' : 'library'}) ${item.name.replace(/\s+/g, ' ')}`,
      description: `deleted ${relativeAndExactDate(item.deletedAt)}`,
      item,
    }));
    const chosen = await window.showQuickPick(rows, { title, placeHolder: 'Select an atom or molecule to restore', matchOnDescription: true });
    if (chosen === undefined) return;
    const { id, name, version } = chosen.item;
    await this.store.update({ id, folder }, version, { restoreVersion: version });
    window.setStatusBarMessage(`Restored ${name}.`, 5_000);
  }

  dispose(): void {
    this.registration.dispose();
    this.texts.clear();
  }

  private async restore(ref: EntityRef, { name, version }: Entity, restoreVersion: number): Promise<void> {
    await this.store.update(ref, version, { restoreVersion });
    window.setStatusBarMessage(`Restored version ${restoreVersion} of ${name}.`, 5_000);
  }

  private async compare(ref: EntityRef, name: string, { version }: KnowledgeVersion, before: KnowledgeVersion | undefined): Promise<void> {
    const after = await this.textOf(ref, name, version);
    const title = before === undefined ? `${name}: version ${version}` : `${name}: version ${before.version} ↔ ${version}`;
    await commands.executeCommand('vscode.diff', await this.textOf(ref, name, before?.version), after, title);
  }

  /** Without a version, an empty text. */
  private async textOf(ref: EntityRef, name: string, version: number | undefined): Promise<Uri> {
    const title = name.replace(/[\s/\\?#%]+/g, ' ').trim() || typeOf(ref.id);
    const uri = Uri.from({ scheme: SCHEME, path: `/${title} v${version ?? 0}.md`, query: `${ref.id}@${ref.folder.toString()}` });
    const key = uri.toString();
    const text = this.texts.get(key) ?? (version === undefined ? '' : await this.read(ref, version));
    this.texts.delete(key);
    this.texts.set(key, text);
    for (const oldest of [...this.texts.keys()].slice(0, -KEPT)) this.texts.delete(oldest);
    return uri;
  }

  private async read(ref: EntityRef, version: number): Promise<string> {
    const entity = await this.store.get(ref, version);
    const { knowledge, name } = entity;
    const { moleculeId, paths } = 'paths' in entity ? entity : { moleculeId: null, paths: [] };
    const related = 'paths' in entity ? entity.relatedAtoms : entity.relatedMolecules;
    const molecule = moleculeId !== null ? await this.store.get({ id: moleculeId, folder: ref.folder }).catch(() => undefined) : undefined;
    const lines = [
      `name: ${name}`,
      ...(moleculeId !== null ? [`molecule: ${molecule?.name ?? moleculeId}`] : []),
      ...(paths.length === 0 ? [] : ['paths:', ...paths.map(path => `- ${path}`)]),
      ...(related.length === 0 ? [] : ['related:', ...related.map(other => `- ${other.name}: ${other.reason}`)]),
    ];
    return `${lines.join('\n')}\n\n${knowledge}\n`;
  }
}

const FIELDS: Readonly<Record<string, string>> = {
  paths: 'patterns',
  moleculeId: 'molecule',
  relatedAtoms: 'related atoms',
  relatedMolecules: 'related molecules',
};

function itemOf(version: KnowledgeVersion, buttons: readonly QuickInputButton[]): VersionItem {
  const { agentId, at, changedFields, taskId } = version;
  return {
    label: `Version ${version.version}`,
    description: changedFields.map(field => FIELDS[field] ?? field).join(', '),
    detail: [relativeAndExactDate(at), ...(agentId === null ? [] : [agentId]), ...(taskId === 'manual' ? [] : [taskId])].join(' · '),
    buttons,
    version,
  };
}
