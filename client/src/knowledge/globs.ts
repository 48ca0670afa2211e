/** Patterns as people type and read them: the client proposes and splits; whether a pattern is sound the server says. */

/** Splits at commas that are not inside braces. */
export function splitPatterns(text: string): string[] {
  const patterns: string[] = [];
  let depth = 0;
  let current = '';
  for (const character of text) {
    if (character === ',' && depth === 0) {
      patterns.push(current);
      current = '';
      continue;
    }
    if (character === '{') depth++;
    else if (character === '}') depth = Math.max(0, depth - 1);
    current += character;
  }
  return [...patterns, current].map(pattern => pattern.trim()).filter(pattern => pattern !== '');
}

export interface Selected {
  /** Relative to the workspace folder, with `/`; `''` for the folder itself. */
  readonly path: string;
  readonly isFolder: boolean;
}

/** Fewest files of one folder and extension that become one pattern. */
const ALIKE = 3;

/** Patterns for a selection in the Explorer: folders with all below them; several files of one kind in a folder together, others by name. */
export function proposePatterns(selection: readonly Selected[]): string[] {
  const folders = selection.filter(each => each.isFolder).map(({ path }) => (path === '' ? '**' : `${escapeGlob(path)}/**`));
  const groups = new Map<string, string[]>();
  for (const { path } of selection.filter(each => !each.isFolder)) {
    const kind = kindOf(path);
    groups.set(kind, [...(groups.get(kind) ?? []), path]);
  }
  const files = [...groups].flatMap(([kind, paths]) => (paths.length >= ALIKE ? [kind] : paths.map(escapeGlob)));
  return [...new Set([...folders, ...files])];
}

/** A name for what is selected: that of the only thing, else of the folder around all. */
export function proposeName(selection: readonly Selected[]): string {
  const [only] = selection;
  const path = only !== undefined && selection.length === 1 ? only.path : commonFolder(selection.map(each => each.path));
  const base = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '');
  return base
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[\s._-]+/)
    .filter(word => word !== '')
    .map(word => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join(' ');
}

function commonFolder(paths: readonly string[]): string {
  const [first = [], ...others] = paths.map(path => path.split('/').slice(0, -1));
  const differs = first.findIndex((segment, at) => others.some(other => other[at] !== segment));
  return first.slice(0, differs < 0 ? first.length : differs).join('/');
}

/** The pattern of all files of a folder with the extension of one of them. */
function kindOf(path: string): string {
  const slash = path.lastIndexOf('/');
  const dot = path.indexOf('.', slash + 2);
  const folder = slash < 0 ? '' : `${escapeGlob(path.slice(0, slash))}/`;
  return dot < 0 ? escapeGlob(path) : `${folder}*${escapeGlob(path.slice(dot))}`;
}

/** A path as a pattern that means itself. */
export function escapeGlob(path: string): string {
  return path.replace(/[[\]{}*?]/g, '[$&]').replace(/^!/, '[]!]');
}
