import { afterEach, expect, test } from 'vitest';
import { closeAll } from '../../engine/repository';
import { ask, branch } from './shopBranch';

afterEach(closeAll);

test('what the current code can be compared with: branches, tags, commits and clean transactions, each by a word that is understood', async () => {
  const made = branch();
  const head = made.git('rev-parse', 'HEAD');
  made.git('tag', '-a', 'v1', '-m', 'one');
  const asking = await made.checkout.open();
  const { commits, head: shown, references, transactions } = await ask(asking, 'points', {});
  expect(references.map(({ kind, name }) => `${kind} ${name}`).sort()).toEqual(['branch main', 'branch work', 'tag v1']);
  expect(commits.map(({ commit, subject }) => [commit, subject])).toEqual([[head, 'more']]);
  expect(shown).toBe(head.slice(0, 12));
  expect(transactions.map(({ commit }) => commit)).toEqual([head]);
  for (const { word } of [...references, ...commits, ...transactions]) expect((await ask(asking, 'branchImpact', { from: word })).symbols).toEqual([]);
});
