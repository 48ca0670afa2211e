import { TOOLCHAINS } from '../../model/toolchains';
import type { HostEntry } from './host';

/** Folders that are left out without a rule of the user's, as `model/toolchains` lists them. `lib` is never skipped. */
const ALWAYS: ReadonlySet<string> = new Set(TOOLCHAINS.flatMap(({ folders = [] }) => folders));
const ALWAYS_SUFFIXES = TOOLCHAINS.flatMap(({ suffixes = [] }) => suffixes);
const CONTENTS = TOOLCHAINS.flatMap(({ contents = [] }) => contents);

/** `siblings` are the entries of the folder that holds this one; `inGit` says that git's ignore rules are in force there. */
export function isSkippedFolder(name: string, siblings: readonly HostEntry[], inGit: boolean): boolean {
  if (ALWAYS.has(name) || ALWAYS_SUFFIXES.some(suffix => name.endsWith(suffix))) return true;
  if (inGit) return false;
  const beside = TOOLCHAINS.flatMap(({ outputs }) => (outputs !== undefined && Object.hasOwn(outputs, name) ? (outputs[name] ?? []) : []));
  return beside.length > 0 && siblings.some(entry => entry.kind === 'file' && beside.some(file => file.test(entry.name)));
}

/** The same question when only the name is known (a watched path): false where siblings would have to be asked. */
export function isAlwaysSkipped(name: string): boolean {
  return isSkippedFolder(name, [], true);
}

/** Whether what a folder contains says that it is an installed environment, third-party sources or a cache. */
export function isSkippedByContent(name: string, entries: readonly HostEntry[]): boolean {
  return CONTENTS.some(mark => mark.folder?.test(name) !== false && entries.some(entry => entry.name === mark.entry));
}
