/**
 * Door of the features over knowledge: what is known about code, anchored in the graph and checked when it is read.
 *
 * Does not know: tools, budgets, the editor. Knowledge is answered before the first index too; only what it says of the code then waits.
 */
import { normalize, relativeTo, type WorkspacePath } from '../../base/path';
import { headOf } from '../../model/ids';
import type { Workspace } from '../../workspace/snapshot';

/**
 * The file that a caller means: any spelling of a path, `file::path`, or the id of a symbol in it.
 * What lies outside the project stays as it was given.
 */
export function projectPath({ root }: Pick<Workspace, 'root'>, given: string): WorkspacePath {
  const path = headOf(given.trim().replace(/^(?:file|symbol)::/, '')).replaceAll('\\', '/');
  const isAbsolute = /^(?:[a-zA-Z]:)?\//.test(path);
  const inside = isAbsolute ? relativeTo(root, path, /^[a-zA-Z]:/.test(root)) : normalize(path);
  return inside === undefined || inside === '' ? given : inside;
}

/** Each meant file once, in the order in which they were given. */
export function projectPaths(workspace: Pick<Workspace, 'root'>, given: readonly string[]): readonly WorkspacePath[] {
  return [...new Set(given.filter(path => path.trim() !== '').map(path => projectPath(workspace, path)))];
}
