import type { WorkspacePath } from '../../base/path';
import type { UsedFramework } from './frameworks';
import type { TestFile } from './inventory';

/** A command that runs tests. */
export interface TestCommand {
  /** Without the files: what is approved. */
  readonly base: readonly string[];
  readonly argv: readonly string[];
  /** Folder that it runs in, inside the workspace. */
  readonly folder: WorkspacePath;
  readonly framework: string;
  /** For a person to read and type. */
  readonly text: string;
}

/** With more files than this, the command to read runs all tests of the folder: nobody types that many. */
const MOST_NAMED = 50;

/** One command per framework and folder, in the order of the files. Files of no framework with a command are left out. */
export function commandsFor(
  files: readonly TestFile[],
  baseOf: (used: UsedFramework) => readonly string[] | undefined = used => used.row.command ?? used.row.typed,
): readonly TestCommand[] {
  const groups = new Map<string, { readonly used: UsedFramework; readonly paths: WorkspacePath[] }>();
  for (const { path, used } of files) {
    if (used === undefined) continue;
    const key = `${used.row.id} ${used.folder}`;
    const group = groups.get(key) ?? { used, paths: [] };
    groups.set(key, group);
    group.paths.push(used.folder === '' ? path : path.slice(used.folder.length + 1));
  }
  return [...groups.values()].flatMap(({ used, paths }) => {
    const base = baseOf(used);
    if (base === undefined) return [];
    const argv = [...base, ...(used.row.argumentsFor?.(paths) ?? paths)];
    const text = (paths.length > MOST_NAMED ? base : argv).map(quoted).join(' ');
    return [{ base, argv, folder: used.folder, framework: used.row.id, text: used.folder === '' ? text : `cd ${quoted(used.folder)} && ${text}` }];
  });
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
