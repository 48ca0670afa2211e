import type { NotificationMethod } from './method';

/** Values of the rows of SETTINGS by their full key (`lattice.hover.enable`); a missing key means its default. */
export type SettingValues = Readonly<Record<string, unknown>>;

/** What applies to one workspace folder. */
export interface FolderSettings {
  readonly uri: string;
  /** Rows with scope `resource`, as they apply in this folder. */
  readonly settings: SettingValues;
  /** Glob patterns of the editor's `files.exclude` and `search.exclude` that are switched on. */
  readonly exclude: readonly string[];
}

/** Everything the server needs to know of the editor's configuration; always sent whole. */
export interface ClientSettings {
  /** Rows with scope `window`, `machine` or `application`. */
  readonly settings: SettingValues;
  readonly folders: readonly FolderSettings[];
  /** False in Restricted Mode: nothing of the workspace may be executed, files are only parsed. */
  readonly trusted: boolean;
}

/** `initializationOptions` of the `initialize` request. */
export interface InitializationOptions extends ClientSettings {
  /** Absolute path of the folder that holds the bundles (`mcp.js`, `cli.js`), for the launcher. */
  readonly bundleFolder: string;
  /** Absolute path of the editor's own runtime, which runs as Node with `ELECTRON_RUN_AS_NODE=1`. */
  readonly editorRuntime: string;
  readonly extensionVersion: string;
  /** Commands that this client knows; answers name no others. */
  readonly commands: readonly string[];
}

/** Client to server, after any of `lattice.*`, `files.exclude`, `search.exclude` or the list of folders changed. */
export const settingsChanged: NotificationMethod<ClientSettings> = { method: 'lattice/settingsChanged' };
