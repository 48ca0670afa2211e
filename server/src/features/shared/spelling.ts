import { normalize, relativeTo, type WorkspacePath } from '../../base/path';
import { err, ok, type Result } from '../../base/result';
import { paramRef, phrase } from '../../model/hints';
import { SEPARATOR } from '../../model/ids';
import type { Workspace } from '../../workspace/snapshot';
import { type FeatureFailure, invalid, outside } from './failure';

/** A target taken apart without looking at the graph. */
export interface Spelling {
  readonly text: string;
  /** File part as a workspace path, when there is one. */
  readonly path: WorkspacePath | undefined;
  /** Names after the file part, or of the whole text when there is none. */
  readonly names: readonly string[];
  /** 1-based line behind the path. */
  readonly line?: number;
  /** 1-based column behind the line. */
  readonly column?: number;
}

/** Workspace path of any spelling; `FORBIDDEN` when it leads out of the workspace. */
export function workspacePath(workspace: Pick<Workspace, 'root' | 'name'>, path: string): Result<WorkspacePath, FeatureFailure> {
  const isAbsolute = /^(?:[a-zA-Z]:)?[\\/]/.test(path);
  const onWindows = /^[a-zA-Z]:/.test(workspace.root);
  const inside = isAbsolute ? relativeTo(workspace.root, path, onWindows) : normalize(path);
  return inside === undefined ? err(outside(path, workspace.name)) : ok(inside);
}

/** `VALIDATION_ERROR` for an empty target, `FORBIDDEN` for a path out of the workspace. */
export function spell(workspace: Pick<Workspace, 'root' | 'name'>, target: string): Result<Spelling, FeatureFailure> {
  const text = bareName(target.trim().replace(/^(?:file|symbol)::/, ''));
  if (text === '') return err(invalid('target', phrase`${paramRef('target')} is empty.`, 'Enter an ID, path or name.'));
  const placed = LINE.exec(text);
  const [head, rest] = placed === null ? split(text) : [placed[1] ?? '', undefined];
  const looksLikePath = /[\\/]/.test(head) || ((rest !== undefined || placed !== null) && /\.\w+$/.test(head));
  if (!looksLikePath || /\s/.test(head)) return ok({ text, path: undefined, names: namesOf(text) });
  const path = workspacePath(workspace, head);
  if (!path.ok) return path;
  const names = rest === undefined ? [] : namesOf(rest);
  const column = placed?.[3] === undefined ? {} : { column: Number(placed[3]) };
  const line = placed === null ? {} : { line: Number(placed[2]), ...column };
  return ok({ text: placed === null ? [path.value, ...(rest === undefined ? [] : [rest])].join(SEPARATOR) : text, path: path.value, names, ...line });
}

/** `src/a.ts:12`, `src/a.ts:12:3`, `src/a.ts:12-20`, `src/a.ts#L12`. */
const LINE = /^(.*?[^:#])(?::|#L)(\d+)(?::(\d+))?(?:[-:,]L?\d+)*$/;

/** Without what only a use of a name has: `add()`, `(*Till).Add`. */
function bareName(text: string): string {
  return text.replace(/\(\)$/, '').replace(/^\(\*?(\w+)\)\./, '$1.');
}

/** `path::rest` or `path#rest`; a `#` before a number is part of an id. */
function split(text: string): [string, string | undefined] {
  const at = text.indexOf(SEPARATOR);
  if (at >= 0) return [text.slice(0, at), text.slice(at + SEPARATOR.length)];
  const hash = /#(?!\d+$)/.exec(text);
  return hash === null ? [text, undefined] : [text.slice(0, hash.index), text.slice(hash.index + 1)];
}

/** The names between `::`, `.`, `#`, `->`, and between `@` where a name is before it (`Controller@action`). */
function namesOf(text: string): string[] {
  return text.split(/::|\.|->|#(?!\d)|(?<=\w)@(?=\w)/).filter(name => name !== '');
}
