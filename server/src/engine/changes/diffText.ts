import type { Hunk } from '../../workspace/changes';

/** One file of `git diff --raw --patch -z -U0`. */
export interface DiffEntry {
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed';
  readonly path: string;
  readonly oldPath: string | undefined;
  /** Names of the contents; all zeros for what is not stored (the working tree). */
  readonly oldBlob: string;
  readonly newBlob: string;
  /** True for files, false for submodules and links. */
  readonly isFile: boolean;
  /** `undefined` when its contents could not be compared. */
  readonly hunks: readonly Hunk[] | undefined;
}

const STATUS: Readonly<Record<string, DiffEntry['status']>> = { A: 'added', C: 'added', D: 'deleted', R: 'renamed' };
const RAW = /^:(?<oldMode>\d+) (?<newMode>\d+) (?<oldBlob>[0-9a-f]+) (?<newBlob>[0-9a-f]+) (?<status>[A-Z])\d*$/;

/** Reads the output: raw records that end with NUL, then the patch. A file with two records (an unmerged one) appears once. */
export function parseDiff(output: string): readonly DiffEntry[] {
  let at = 0;
  const next = (): string => {
    const end = output.indexOf('\0', at);
    const field = output.slice(at, end < 0 ? output.length : end);
    at = end < 0 ? output.length : end + 1;
    return field;
  };
  const entries = new Map<string, Omit<DiffEntry, 'hunks'>>();
  while (output[at] === ':') {
    const raw = RAW.exec(next())?.groups;
    if (raw === undefined) break;
    const first = next();
    const isPair = raw['status'] === 'R' || raw['status'] === 'C';
    const path = isPair ? next() : first;
    const mode = (raw['status'] === 'D' ? raw['oldMode'] : raw['newMode']) ?? '';
    entries.set(path, {
      status: STATUS[raw['status'] ?? ''] ?? 'modified',
      path,
      oldPath: raw['status'] === 'R' ? first : undefined,
      oldBlob: raw['oldBlob'] ?? '',
      newBlob: raw['newBlob'] ?? '',
      isFile: mode.startsWith('100'),
    });
  }
  const hunks = parsePatch(output.slice(at).replace(/^\0/, ''));
  return [...entries.values()].map(entry => ({ ...entry, hunks: hunks.get(entry.path) ?? [] }));
}

const HUNK = /^@@ -(?<oldStart>\d+)(?:,(?<oldCount>\d+))? \+(?<newStart>\d+)(?:,(?<newCount>\d+))? @@/;

/** Hunks of a patch without context lines, by the path of the new version, or of the old where there is none. */
function parsePatch(patch: string): ReadonlyMap<string, Hunk[]> {
  const files = new Map<string, Hunk[]>();
  const lines = patch.split('\n');
  let oldPath = '';
  let hunks: Hunk[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (line.startsWith('--- ')) oldPath = pathIn(line);
    else if (line.startsWith('+++ ')) {
      const path = pathIn(line);
      hunks = [];
      files.set(path === '' ? oldPath : path, hunks);
    } else {
      const numbers = HUNK.exec(line)?.groups;
      if (numbers === undefined) continue;
      const removed = Number(numbers['oldCount'] ?? 1);
      const added = Number(numbers['newCount'] ?? 1);
      const [removedText, afterRemoved] = taken(lines, at + 1, removed);
      const [addedText, afterAdded] = taken(lines, afterRemoved, added);
      hunks.push({ removed: range(Number(numbers['oldStart']), removed), added: range(Number(numbers['newStart']), added), removedText, addedText });
      at = afterAdded - 1;
    }
  }
  return files;
}

/** So many lines from `at` on without their sign, and where they end; `\ No newline at end of file` is passed over. */
function taken(lines: readonly string[], at: number, count: number): readonly [texts: string[], end: number] {
  const texts: string[] = [];
  let end = at;
  while (texts.length < count && end < lines.length) {
    const line = lines[end++] ?? '';
    if (!line.startsWith('\\')) texts.push(line.slice(1));
  }
  while (lines[end]?.startsWith('\\') === true) end++;
  return [texts, end];
}

function range(start: number, count: number): { readonly start: number; readonly end: number } | undefined {
  return count === 0 ? undefined : { start, end: start + count - 1 };
}

/** `--- a/x y<TAB>` gives `x y`; `/dev/null` gives `''`. */
function pathIn(line: string): string {
  const path = line.slice(4).replace(/\t$/, '');
  return path === '/dev/null' ? '' : path.slice(2);
}
