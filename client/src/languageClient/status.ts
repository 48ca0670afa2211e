import { commands, Disposable, type LanguageStatusItem, LanguageStatusSeverity, languages } from 'vscode';
import { EDITOR_LANGUAGES } from '../../../server/protocol/editorLanguages';
import { counted } from '../../../server/protocol/figures';
import { type FolderStatus, progressText } from '../../../server/protocol/requests';
import type { LatticeServer } from './latticeServer';

/** Shows the state of the index in the language status of supported documents. The server itself reports the progress of the first index. */
export function showStatus(server: LatticeServer): Disposable {
  const selector = EDITOR_LANGUAGES.map(language => ({ language }));
  const index = languages.createLanguageStatusItem('lattice.index', selector);
  index.name = 'Lattice Index';
  const rebuild = languages.createLanguageStatusItem('lattice.rebuild', selector);
  rebuild.name = 'Lattice Actions';
  const update = (): void => {
    describeIndex(index, server);
    describeActions(rebuild, server);
  };
  update();
  return Disposable.from(index, rebuild, server.onDidChange(update));
}

function describeIndex(item: LanguageStatusItem, server: LatticeServer): void {
  const failed = server.folders.find(folder => folder.phase === 'failed');
  const busy = server.folders.find(folder => isBusy(folder));
  item.busy = server.state === 'starting' || busy !== undefined;
  item.severity = LanguageStatusSeverity.Information;
  item.command = { title: 'Show Index Health', command: 'lattice.showHealth' };
  if (server.state === 'stopped' || failed !== undefined) {
    item.severity = LanguageStatusSeverity.Error;
    item.text = '$(error) Lattice index not available';
    item.detail = failed?.problem ?? 'The language server has stopped.';
    item.command = { title: 'Restart', command: 'lattice.restartServer' };
  } else if (server.state === 'off') {
    item.text = '$(circle-slash) Lattice disabled';
    item.detail = 'No folder is indexed';
    item.command = { title: 'Settings', command: 'workbench.action.openSettings', arguments: ['lattice.enable'] };
  } else if (busy !== undefined) {
    item.text = '$(type-hierarchy) Lattice indexing';
    item.detail = progressText(busy);
  } else {
    item.text = '$(type-hierarchy) Lattice index';
    item.detail = describeReady(server.folders);
  }
}

function describeActions(item: LanguageStatusItem, server: LatticeServer): void {
  item.text = '$(list-selection) Lattice actions';
  item.detail = server.state === 'off' ? '' : 'Search, impact, health, agents';
  item.command = { title: 'Actions', command: 'lattice.showActions' };
}

/** Keys that `when` clauses of the manifest ask for. */
export function keepContextKeys(server: LatticeServer): Disposable {
  const set = (key: string, value: unknown): void => void commands.executeCommand('setContext', `lattice.${key}`, value);
  set('languages', EDITOR_LANGUAGES);
  let ready: boolean | undefined;
  const update = (): void => {
    const now = server.folders.length > 0 && server.folders.every(folder => folder.phase === 'ready');
    if (now === ready) return;
    ready = now;
    set('ready', now);
  };
  update();
  return server.onDidChange(update);
}

function describeReady(folders: readonly FolderStatus[]): string {
  const all = folders.flatMap(folder => (folder.counts === undefined ? [] : [folder.counts]));
  if (all.length === 0) return folders.length === 0 ? 'starting' : 'up to date';
  const sum = (pick: (counts: NonNullable<FolderStatus['counts']>) => number, noun: string): string =>
    counted(
      all.reduce((total, row) => total + pick(row), 0),
      noun,
    );
  const background = folders.flatMap(folder => folder.background ?? []);
  return [`${sum(row => row.files, 'source file')}, ${sum(row => row.symbols, 'symbol')}`, ...background].join('; ');
}

function isBusy(folder: FolderStatus): boolean {
  return folder.phase !== 'ready' && folder.phase !== 'failed';
}
