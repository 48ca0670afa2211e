import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { removeFolder } from '../helpers/removeFolder.mjs';

/**
 * Makes `workspace` a git repository with one commit while `run` works on one of its files; afterwards the file is as it was and
 * the repository is gone. `run` gets `change(from, to)`, `commit(title)` and `git(...arguments)`.
 */
export async function inRepository(workspace, file, run) {
  const place = join(workspace, ...file.split('/'));
  const text = readFileSync(place, 'utf8');
  const git = (...args) => execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.invalid', ...args], { cwd: workspace, stdio: 'ignore' });
  const commit = title => git('commit', '-q', '-a', '-m', title);
  try {
    git('init', '-q');
    git('add', '.');
    commit('one');
    await run({ change: (from, to) => writeFileSync(place, text.replace(from, to)), commit, git });
  } finally {
    writeFileSync(place, text);
    removeFolder(join(workspace, '.git'));
  }
}
