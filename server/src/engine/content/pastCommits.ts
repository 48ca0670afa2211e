import { neverCancelled } from '../../base/cancellation';
import type { GitPlace } from '../../code/files/git';
import { readRepository } from '../processes/git/repository';

/** Commits that are read, newest first; a project with more is searched by its newest ones. */
const MAX_COMMITS = 8_000;
/** A commit that changed more files says little of each. */
const MAX_FILES = 30;
/** Subjects kept of one file, newest first. */
const MAX_SUBJECTS = 60;
const MAX_SUBJECT_LENGTH = 200;

const START = '\u0001';

/**
 * Subjects of the commits that changed each file below `folder`, newest first, up to and with `commit`; `undefined` when git cannot tell.
 *
 * Runs git itself, once per commit that HEAD comes to: packed histories are not read in any other way.
 * A renamed file keeps the subjects of its earlier names when the rename changed nothing else.
 */
export async function subjectsByFile(folder: string, place: GitPlace, commit: string): Promise<ReadonlyMap<string, readonly string[]> | undefined> {
  const log = await readRepository(folder, place, neverCancelled, git => git.ask('history', ['-n', `${MAX_COMMITS}`, commit, '--', '.']));
  return log.ok ? subjectsIn(log.value.toString('utf8')) : undefined;
}

/** From the output of `git log --name-status` with a start mark before each subject. */
export function subjectsIn(log: string): ReadonlyMap<string, readonly string[]> {
  const subjects = new Map<string, string[]>();
  const nowCalled = new Map<string, string>();
  for (const entry of log.split(START).slice(1)) {
    const [subject = '', ...rest] = entry.split('\n');
    const changes = rest.filter(line => line.includes('\t')).map(line => line.split('\t'));
    for (const change of changes) {
      const path = change.at(-1) ?? '';
      const current = nowCalled.get(path) ?? path;
      if (change.length === 3) nowCalled.set(change[1] ?? '', current);
      if (changes.length > MAX_FILES) continue;
      const known = subjects.get(current);
      if (known === undefined) subjects.set(current, [subject.slice(0, MAX_SUBJECT_LENGTH)]);
      else if (known.length < MAX_SUBJECTS) known.push(subject.slice(0, MAX_SUBJECT_LENGTH));
    }
  }
  return subjects;
}
