import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Sharing, temporaryFolder } from './sharing';

/** Git without the user's own configuration. */
function git(folder: string, ...words: string[]): string {
  const identity = { GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.com', GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.com' };
  const env = { ...process.env, ...identity, GIT_CONFIG_GLOBAL: join(folder, 'none'), GIT_CONFIG_NOSYSTEM: '1' };
  return execFileSync('git', words, { cwd: folder, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

function commit(folder: string, message: string): void {
  git(folder, 'add', '-A');
  git(folder, 'commit', '-qm', message);
}

/** A machine that shares what it knows and fetches what others shared. */
async function publish(machine: Sharing): Promise<void> {
  await machine.export();
  commit(machine.root, 'knowledge');
  git(machine.root, 'push', '-q', 'origin', 'main');
}

async function clone(origin: string, machine: string): Promise<Sharing> {
  const folder = temporaryFolder();
  git(folder, 'clone', '-q', origin, 'shop');
  git(join(folder, 'shop'), 'checkout', '-qB', 'main');
  return Sharing.begin(join(folder, 'shop'), machine);
}

async function twoClones(): Promise<{ readonly ada: Sharing; readonly bob: Sharing; readonly checkout: string; readonly api: string }> {
  const origin = temporaryFolder();
  git(origin, 'init', '-q', '--bare', '--initial-branch=main');
  const ada = await clone(origin, 'a');
  const api = await ada.create({ entityType: 'molecule', name: 'API Layer', knowledge: 'Rules of the API' });
  const checkout = await ada.create({ name: 'Checkout', moleculeId: api, knowledge: 'first line\n\nmiddle\n\nlast line' });
  await ada.log(checkout, 'began');
  await publish(ada);
  const bob = await clone(origin, 'b');
  await bob.import();
  expect(bob.all()).toEqual(ada.all());
  return { ada, bob, checkout, api };
}

test('two clones edited in parallel and merged through git end with the knowledge of both', async () => {
  const { ada, bob, checkout, api } = await twoClones();
  await ada.update(checkout, { knowledge: 'FIRST LINE\n\nmiddle\n\nlast line' });
  await ada.log(checkout, 'by ada');
  const adaOnly = await ada.create({ name: 'Cart', moleculeId: api });
  await bob.update(checkout, { name: 'Till', knowledge: 'first line\n\nmiddle\n\nLAST LINE' });
  await bob.log(checkout, 'by bob');
  const bobOnly = await bob.create({ name: 'Search', related: [{ id: checkout, reason: 'links to it' }] });
  await publish(ada);

  await bob.export();
  commit(bob.root, 'mine');
  git(bob.root, 'pull', '-q', '--no-rebase', '--no-edit');
  await bob.update(api, { knowledge: 'Rules of the API, by bob' });
  expect((await bob.import()).conflicts).toEqual([]);
  await publish(bob);

  await ada.update(api, { name: 'API' });
  git(ada.root, 'pull', '-q', '--no-edit');
  expect((await ada.import()).conflicts).toEqual([]);
  await publish(ada);
  git(bob.root, 'pull', '-q', '--no-edit');
  await bob.import();

  expect(ada.row(checkout)).toMatchObject({ name: 'Till', knowledge: 'FIRST LINE\n\nmiddle\n\nLAST LINE' });
  expect(ada.row(api)).toMatchObject({ name: 'API', knowledge: 'Rules of the API, by bob' });
  expect(ada.summaries(checkout).sort()).toEqual(['began', 'by ada', 'by bob']);
  expect([ada.find(bobOnly)?.name, bob.find(adaOnly)?.name]).toEqual(['Search', 'Cart']);
  expect(bob.all()).toEqual(ada.all());
  expect(bob.summaries(checkout)).toEqual(ada.summaries(checkout));
  expect(bob.files()).toEqual(ada.files());
  expect((await bob.export()).written).toEqual([]);
});

test('what git could not merge is not read, and both sides come out of the conflict', async () => {
  const { ada, bob, checkout } = await twoClones();
  await ada.update(checkout, { knowledge: 'first line\n\nADA\n\nlast line' });
  await publish(ada);
  await bob.update(checkout, { knowledge: 'first line\n\nBOB\n\nlast line' });
  await bob.export();
  commit(bob.root, 'mine');
  expect(() => git(bob.root, 'pull', '-q', '--no-rebase', '--no-edit')).toThrow();
  const { problems = [] } = await bob.import();
  expect(problems[0]).toMatchObject({ line: 14, message: 'Git conflict marker.' });
  expect(bob.row(checkout).knowledge).toBe('first line\n\nBOB\n\nlast line');
  git(bob.root, 'checkout', '-q', '--theirs', '.lattice');
  commit(bob.root, 'take theirs');
  await bob.import();
  expect(bob.row(checkout).knowledge).toBe('first line\n\nADA\n\nlast line');
  expect(git(bob.root, 'show', 'HEAD^1:.lattice/knowledge/' + bob.fileOf(checkout))).toContain('BOB');
});

test('both changed one line before they exchanged anything: neither is lost', async () => {
  const { ada, bob, checkout } = await twoClones();
  await ada.update(checkout, { knowledge: 'first line\n\nADA\n\nlast line' });
  await publish(ada);
  await bob.update(checkout, { knowledge: 'first line\n\nBOB\n\nlast line' });
  git(bob.root, 'pull', '-q', '--no-edit');
  expect((await bob.import()).conflicts).toMatchObject([{ id: checkout, reason: 'both_changed', fields: ['knowledge'] }]);
  await bob.export();
  expect(git(bob.root, 'status', '--porcelain')).toBe('');
  expect([bob.row(checkout).knowledge.includes('BOB'), bob.read(bob.fileOf(checkout)).includes('ADA')]).toEqual([true, true]);
});

test('knowledge follows the branch, and nothing is lost on the way', async () => {
  const { ada, checkout, api } = await twoClones();
  const onMain = ada.all();
  git(ada.root, 'checkout', '-qb', 'rework');
  await ada.update(checkout, { name: 'Checkout 2', knowledge: 'all new' });
  await ada.remove(api);
  const cart = await ada.create({ name: 'Cart' });
  await ada.log(cart, 'on the branch');
  await ada.export();
  commit(ada.root, 'rework');
  const onBranch = ada.all();

  git(ada.root, 'checkout', '-q', 'main');
  await ada.import();
  expect(ada.all()).toEqual(onMain);
  expect(ada.row(checkout)).toMatchObject({ moleculeId: api });
  expect((await ada.export()).written).toEqual([]);

  const unshared = await ada.create({ name: 'Not shared yet' });
  git(ada.root, 'checkout', '-q', 'rework');
  await ada.import();
  expect(ada.find(unshared)?.name).toBe('Not shared yet');
  await ada.remove(unshared);
  expect(ada.all()).toEqual(onBranch);
  expect(ada.summaries(cart)).toEqual(['on the branch']);
  expect(git(ada.root, 'status', '--porcelain')).toBe('');
});
