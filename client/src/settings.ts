import { type ConfigurationChangeEvent, type ConfigurationScope, type WorkspaceFolder, workspace } from 'vscode';
import type { ClientSettings, FolderSettings, SettingValues } from '../../server/protocol/initialization';
import { SETTINGS } from '../../server/protocol/settings';
import type { EmbedderChoice } from './languageClient/embedderKeys';

type Key = (typeof SETTINGS)[number]['key'];

/** Value of one setting where `scope` is; the table's default when the editor knows none. */
export function setting<T>(key: Key, scope?: ConfigurationScope): T {
  const row = SETTINGS.find(candidate => candidate.key === key);
  return workspace.getConfiguration(undefined, scope ?? null).get<T>(key, row?.default as T);
}

/** Everything the server must know of the configuration, read afresh. */
export function readSettings(): ClientSettings {
  return {
    settings: valuesOf(SETTINGS.filter(row => !isPerFolder(row.scope)).map(row => row.key)),
    folders: indexedFolders().map(folderSettings),
    trusted: workspace.isTrusted,
  };
}

/** The service for vectors, as the server hears of it. The settings belong to the machine: a workspace has no say in where a key goes. */
export function readEmbedder(): EmbedderChoice {
  return {
    embedder: setting<string>('lattice.search.embedder'),
    endpoint: setting<string>('lattice.search.embedderEndpoint'),
    keyVariable: setting<string>('lattice.search.embedderKeyVariable'),
  };
}

/** Folders on this machine; a virtual folder cannot be indexed. */
export function indexedFolders(): readonly WorkspaceFolder[] {
  return (workspace.workspaceFolders ?? []).filter(folder => folder.uri.scheme === 'file');
}

export function settingsAffected(event: ConfigurationChangeEvent): boolean {
  return ['lattice', 'files.exclude', 'search.exclude'].some(section => event.affectsConfiguration(section));
}

function folderSettings(folder: WorkspaceFolder): FolderSettings {
  const keys = SETTINGS.filter(row => isPerFolder(row.scope)).map(row => row.key);
  const excluded = ['files.exclude', 'search.exclude'].flatMap(key => switchedOn(workspace.getConfiguration(undefined, folder.uri).get(key)));
  return { uri: folder.uri.toString(), settings: valuesOf(keys, folder), exclude: [...new Set(excluded)] };
}

function isPerFolder(scope: string): boolean {
  return scope === 'resource';
}

function valuesOf(keys: readonly Key[], folder?: WorkspaceFolder): SettingValues {
  return Object.fromEntries(keys.map(key => [key, setting(key, folder?.uri)]));
}

/** Patterns set to `true`. One with a condition (`{ when: … }`) hides derived files next to their source; those are left to the server's own rules. */
function switchedOn(patterns: unknown): string[] {
  if (typeof patterns !== 'object' || patterns === null) return [];
  return Object.entries(patterns)
    .filter(([, on]) => on === true)
    .map(([pattern]) => pattern);
}
