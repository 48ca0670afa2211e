import type { Probe } from './projectPaths';

/** Where a specifier leads: a file, a folder that is a package by itself, something outside the project, or a path of the project that is not there. */
export type ModuleTarget = { readonly path: string } | { readonly folder: string } | 'external' | 'missing';

/**
 * Which file an import names, by the rules of one ecosystem. One finder serves all files of a family; it is made anew when a manifest changes.
 *
 * Answers rest on the specifier, on what `scope` says, on the manifests and on the paths asked of the probe.
 */
export interface ModuleFinder {
  /** `level`: leading dots of a relative import, where the language counts them. */
  resolve(from: string, specifier: string, level: number, probe: Probe): ModuleTarget;

  /**
   * What an answer rests on beside the specifier: the folder of the importing file in one of its forms (0 to `FORMS` - 1), or, for a negative
   * number, the folder that `sharedScope` gives for it.
   */
  form(from: string, specifier: string, level: number): number;

  /** Folder that decides in place of the importing file's. Asked where `form` is negative, once per folder. */
  sharedScope(folder: string): string;

  /** Reads the layout from all paths of the project, at the beginning of each update. True when imports written as before may lead elsewhere. */
  rebuild?(paths: Iterable<string>): boolean;

  /** A module inside another, by the path of that. */
  submodule?(of: string, name: string, probe: Probe): ModuleTarget | undefined;

  /** The same of a folder. */
  inFolder?(folder: string, name: string, probe: Probe): ModuleTarget | undefined;
}

/** Forms that one folder may have. */
export const FORMS = 32;
