import { realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { err, type Failure, ok, type Result } from '../../base/result';

/**
 * Absolute path of the workspace: the folder that was named, else the checkout (folder with `.git`) around the current one, else that one itself.
 * Codes: `NOT_FOUND` when the folder is missing or no folder.
 */
export function resolveWorkspace(named: string | undefined, cwd: string): Result<string, Failure> {
  if (named !== undefined) {
    const folder = isAbsolute(named) ? named : resolve(cwd, named);
    if (!isFolder(folder)) return err({ code: 'NOT_FOUND', message: exists(folder) ? `${folder} is not a folder.` : `The folder ${folder} does not exist.` });
    return ok(realpathSync(folder));
  }
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (exists(join(folder, '.git'))) return ok(folder);
    if (dirname(folder) === folder) return ok(cwd);
  }
}

function isFolder(path: string): boolean {
  return look(path)?.isDirectory() === true;
}

function exists(path: string): boolean {
  return look(path) !== undefined;
}

function look(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
