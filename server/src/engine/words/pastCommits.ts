import { execFile } from 'node:child_process';
import { resolve } from 'node:path';

/** Commits that are read, newest first, and how long that may take; a project with more is searched by its newest ones. */
const MOST_COMMITS = 8_000;
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_MS = 15_000;
/** A commit that changed more files says little of each. */
const MOST_FILES = 30;
/** Subjects kept of one file, newest first. */
const MOST_SUBJECTS = 60;
const MOST_SUBJECT_LENGTH = 200;

const START = '\u0001';

/**
 * Subjects of the commits that changed each file below `folder`, newest first, up to and with `commit`; `undefined` when git cannot tell.
 *
 * Runs git itself, once per commit that HEAD comes to: packed histories are not read in any other way. It runs without a shell, writes nothing,
 * asks nobody, and reaches no network (no lazy fetch); settings of the repository that would start programs are overruled.
 * A renamed file keeps the subjects of its earlier names when the rename changed nothing else.
 */
export function subjectsByFile(folder: string, commit: string): Promise<ReadonlyMap<string, readonly string[]> | undefined> {
  const safety = ['-c', 'core.quotepath=off', '-c', 'log.showSignature=false', '-c', 'core.fsmonitor=false', '-c', 'protocol.allow=never'];
  const limits = ['-n', `${MOST_COMMITS}`, '--no-merges', '-M100%', '--relative', '--name-status'];
  const form = ['--no-ext-diff', '--no-textconv', '--no-color', '--no-mailmap', '--no-notes', '--no-decorate', '--encoding=UTF-8', `--format=${START}%s`];
  const options = { cwd: resolve(folder), env: gitEnvironment(), maxBuffer: MOST_BYTES, timeout: MOST_MS, windowsHide: true };
  return new Promise(done => {
    execFile('git', ['--no-pager', ...safety, 'log', ...limits, ...form, commit, '--', '.'], options, (error, output) => {
      done(error === null ? subjectsIn(output) : undefined);
    });
  });
}

/** What the environment says of another repository does not hold here. */
function gitEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.toUpperCase().startsWith('GIT_'));
  return { ...Object.fromEntries(kept), GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', GIT_NO_LAZY_FETCH: '1', LC_ALL: 'C' };
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
      if (changes.length > MOST_FILES) continue;
      const known = subjects.get(current);
      if (known === undefined) subjects.set(current, [subject.slice(0, MOST_SUBJECT_LENGTH)]);
      else if (known.length < MOST_SUBJECTS) known.push(subject.slice(0, MOST_SUBJECT_LENGTH));
    }
  }
  return subjects;
}
