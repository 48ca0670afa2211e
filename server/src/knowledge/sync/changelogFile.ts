import { normalizeText, summaryIssues, taskIdOf } from '../rules';
import { conflictMarkerLine } from './markers';
import { problem, type SyncProblem } from './problems';
import { byCreation, type EntityKind, type SharedEntry, wellFormed } from './sharedState';

export interface ChangelogFile {
  readonly path: string;
  readonly parentId: string;
  /** Sorted, each id once. */
  readonly entries: readonly SharedEntry[];
  readonly problems: readonly SyncProblem[];
}

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const NAME = new RegExp(`/(atom|molecule)-(${UUID})\\.jsonl$`);
const ID = new RegExp(`^changelog::${UUID}$`);
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const KEYS = ['id', 'taskId', 'summary', 'createdAt'] as const;
const FIX = 'Write {"id":"changelog::uuid","taskId":"…","summary":"…","createdAt":"…"}, or remove the line.';

/** Whose changelog a file is; `undefined` for a name that is none. */
export function changelogOwner(path: string): { readonly kind: EntityKind; readonly parentId: string } | undefined {
  const found = NAME.exec(path);
  if (found === null) return undefined;
  const kind = found[1] as EntityKind;
  return { kind, parentId: `${kind}::${found[2] ?? ''}` };
}

/** Reads a changelog file. Lines twice (git keeps both sides) count once; lines in any order are fine. */
export function readChangelogFile(path: string, parentId: string, text: string): ChangelogFile {
  const marker = conflictMarkerLine(text);
  if (marker !== undefined) {
    return {
      path,
      parentId,
      entries: [],
      problems: [problem(path, marker, 'Git conflict marker.', 'Keep the lines of both sides and delete the conflict markers.')],
    };
  }
  const entries = new Map<string, SharedEntry>();
  const problems: SyncProblem[] = [];
  for (const [index, line] of text
    .replace(/^\ufeff/, '')
    .split(/\r\n?|\n/)
    .entries()) {
    if (line.trim() === '') continue;
    const entry = entryOf(line);
    if (typeof entry === 'string') {
      problems.push(problem(path, index + 1, entry, FIX));
      continue;
    }
    const known = entries.get(entry.id);
    if (known === undefined) entries.set(entry.id, entry);
    else if (JSON.stringify(known) !== JSON.stringify(entry))
      problems.push(
        problem(path, index + 1, `The entry ${entry.id} occurs twice with different content.`, 'Entries cannot be changed. Keep the original line.'),
      );
  }
  return { path, parentId, entries: [...entries.values()].sort(byCreation), problems };
}

function entryOf(line: string): SharedEntry | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return 'This line is not valid JSON.';
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'This line is not a JSON object.';
  const fields = value as Readonly<Record<string, unknown>>;
  for (const key of KEYS) if (typeof fields[key] !== 'string') return `${key} is missing or not a string.`;
  const unknown = Object.keys(fields).find(key => !(KEYS as readonly string[]).includes(key));
  if (unknown !== undefined) return `Unknown key "${unknown}".`;
  const entry = { id: String(fields['id']), taskId: String(fields['taskId']), summary: String(fields['summary']), createdAt: String(fields['createdAt']) };
  if (!ID.test(entry.id)) return `${entry.id} is not a valid entry ID.`;
  if (!TIME.test(entry.createdAt)) return `${entry.createdAt} is not a valid time. Use a time such as 2026-03-01T12:00:00.000Z.`;
  if (taskIdOf(entry.taskId) !== entry.taskId) return `${entry.taskId} is not a valid task ID.`;
  const summary = normalizeText(wellFormed(entry.summary));
  const [issue] = summaryIssues(summary);
  return issue === undefined ? { ...entry, summary } : `summary ${issue.message}.`;
}
