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

const DAY_MS = 24 * 3_600_000;

/**
 * Makes the sample workspace a repository with a history of its own: two authors, five commits on `main`, four of which changed `Money.add`, and on the branch
 * `work` one that gives `totalOf` a parameter its caller does not pass. Answers with the first commit and the one that checks the currency.
 */
export function shopHistory(workspace) {
  const git = (args, env = {}) => execFileSync('git', args, { cwd: workspace, encoding: 'utf8', env: { ...process.env, ...env } }).trim();
  const change = (file, from, to) => {
    const place = join(workspace, ...file.split('/'));
    writeFileSync(place, readFileSync(place, 'utf8').replace(from, to));
  };
  const commit = (name, days, title) => {
    const when = new Date(Date.now() - days * DAY_MS).toISOString();
    const mail = `${name.toLowerCase()}@example.invalid`;
    git(['add', '.']);
    git(['-c', 'commit.gpgsign=false', 'commit', '-q', '-m', title], {
      GIT_AUTHOR_NAME: name,
      GIT_AUTHOR_EMAIL: mail,
      GIT_AUTHOR_DATE: when,
      GIT_COMMITTER_NAME: name,
      GIT_COMMITTER_EMAIL: mail,
      GIT_COMMITTER_DATE: when,
    });
    return git(['rev-parse', 'HEAD']);
  };
  const money = 'api/src/money.ts';
  const text = readFileSync(join(workspace, ...money.split('/')), 'utf8');
  const checks = /    if \(other\.currency.*\n/;
  git(['init', '-q', '-b', 'main']);
  change(money, checks, '');
  change(money, 'new Money(this.amount + other.amount, this.currency)', 'new Money(this.amount + other.amount)');
  const first = commit('Ada', 200, 'Start the shop');
  change(money, 'new Money(this.amount + other.amount)', 'new Money(other.amount + this.amount, this.currency)');
  commit('Ada', 120, 'Keep the currency of a sum');
  change('api/src/pricing.ts', '>= 5', '>= 4');
  commit('Grace', 90, 'Bulk discount from four copies on');
  change(money, 'new Money(other.amount + this.amount, this.currency)', 'new Money(Math.round(this.amount + other.amount), this.currency)');
  commit('Ada', 60, 'Round what is added');
  writeFileSync(join(workspace, ...money.split('/')), text);
  const checked = commit('Grace', 21, 'Check the currency');
  git(['checkout', '-q', '-b', 'work']);
  change('api/src/pricing.ts', 'rules: readonly PriceRule[]): Money {', 'rules: readonly PriceRule[], start: Money): Money {');
  change('api/src/pricing.ts', 'let total = Money.zero();', 'let total = start;');
  commit('Ada', 2, 'Start the total with an amount');
  return { first, checked };
}
