import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import { type Asking, Checkout } from './checkout';
import { closeAll, IDENTITY, open, type Repository, repository } from './repository';

afterEach(closeAll);

const WAIT = { timeout: 60_000, interval: 100 };

/** A repository whose owner watches it, as an editor's or an agent's does. */
async function watched(files: Readonly<Record<string, string>>): Promise<{ readonly made: Repository; readonly asking: Asking }> {
  const made = repository();
  made.commit(files);
  const asking = await made.checkout.open({ longLived: true, watch: 'files' });
  await expect.poll(async () => (await asking.health()).watcherState, WAIT).toBe('idle');
  return { made, asking };
}

/** The answer of `diff_since` once the index knows the commit as a transaction. */
async function since(asking: Asking, commit: string): Promise<Readonly<Record<string, unknown>>> {
  await expect.poll(async () => (await asking.call('graph_health', {})).envelope.stamp?.head, WAIT).toBe(commit.slice(0, 12));
  const { envelope } = await asking.call('diff_since', { since: `commit:${commit}` });
  if (!envelope.ok) throw new Error(envelope.summary);
  return envelope.data ?? {};
}

test('a commit without edits is a transaction without files, and can be asked since', async () => {
  const { asking, made } = await watched({ 'a.ts': 'export function a() {}\n' });
  const before = await asking.health();
  made.git('commit', '-q', '--allow-empty', '-m', 'nothing');
  const head = made.git('rev-parse', 'HEAD');
  expect(await since(asking, head)).toMatchObject({ added: [], removed: [], modified: [] });
  await expect.poll(async () => (await asking.health()).txCount, WAIT).toBe(before.txCount + 1);
  made.checkout.write({ 'a.ts': 'export function a() {\n  return 2;\n}\n' });
  await expect.poll(async () => ((await since(asking, head))['modified'] as readonly unknown[]).length, WAIT).toBe(2);
});

test('a branch switch of 300 files is one transaction', async () => {
  const files = (text: string) => Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`src/f${n}.ts`, `export const f${n} = ${text};\n`]));
  const { asking, made } = await watched(files('1'));
  made.git('checkout', '-q', '-b', 'other');
  made.commit(files('2'));
  await since(asking, made.git('rev-parse', 'HEAD'));
  const settled = async (): Promise<void> => expect.poll(async () => (await asking.health()).pendingFiles, WAIT).toBe(0);
  await settled();
  const before = Date.now();
  made.git('checkout', '-q', 'main');
  await since(asking, made.git('rev-parse', 'HEAD'));
  const ofFiles = async (): Promise<readonly number[]> => {
    const points = await asking.gateway.query('points', {}, asking.caller('editor'), neverCancelled);
    if (!points.ok) throw new Error(points.error.message);
    const { transactions } = points.value as { readonly transactions: readonly { readonly at: number; readonly files: number }[] };
    return transactions.filter(({ at, files: count }) => at >= before && count > 0).map(({ files: count }) => count);
  };
  await expect.poll(ofFiles, WAIT).toEqual([300]);
  await settled();
  expect(await ofFiles()).toEqual([300]);
});

test('after a rebase and a pull the index is at the new commit', async () => {
  const { asking, made } = await watched({ 'a.ts': 'export const a = 1;\n' });
  made.git('checkout', '-q', '-b', 'side');
  made.commit({ 'side.ts': 'export function aside() {}\n' });
  made.git('checkout', '-q', 'main');
  made.commit({ 'main.ts': 'export function ahead() {}\n' });
  made.git('checkout', '-q', 'side');
  made.git('rebase', '-q', 'main');
  await since(asking, made.git('rev-parse', 'HEAD'));
  expect([await asking.has('main.ts::ahead'), await asking.has('side.ts::aside')]).toEqual([true, true]);

  const elsewhere = new Checkout({});
  open.push(elsewhere);
  execFileSync('git', [...IDENTITY, 'clone', '-q', made.checkout.root, elsewhere.root], { stdio: 'ignore' });
  elsewhere.write({ 'pulled.ts': 'export function pulled() {}\n' });
  execFileSync('git', [...IDENTITY, 'add', '-A'], { cwd: elsewhere.root });
  execFileSync('git', [...IDENTITY, 'commit', '-q', '-m', 'elsewhere'], { cwd: elsewhere.root });
  made.git('pull', '-q', '--ff-only', elsewhere.root, 'side');
  await since(asking, made.git('rev-parse', 'HEAD'));
  expect(await asking.has('pulled.ts::pulled')).toBe(true);
});

test('a linked worktree sees its own commits, and not those of the other', async () => {
  const { made } = await watched({ 'a.ts': 'export const a = 1;\n' });
  const linked = join(made.checkout.base, 'linked');
  made.git('worktree', 'add', '-q', '-b', 'feature', linked);
  const asking = await made.checkout.open({ root: linked, longLived: true, watch: 'files' });
  made.checkout.write({ 'new.ts': 'export function fresh() {}\n' }, linked);
  execFileSync('git', [...IDENTITY, 'add', '-A'], { cwd: linked });
  execFileSync('git', [...IDENTITY, 'commit', '-q', '-m', 'in the worktree'], { cwd: linked });
  await since(asking, execFileSync('git', ['rev-parse', 'HEAD'], { cwd: linked, encoding: 'utf8' }).trim());
  expect(await asking.has('new.ts::fresh')).toBe(true);
  made.commit({ 'other.ts': 'export function other() {}\n' });
  expect((await asking.call('graph_health', {})).envelope.stamp?.head).toBe(
    execFileSync('git', ['rev-parse', 'HEAD'], { cwd: linked, encoding: 'utf8' }).trim().slice(0, 12),
  );
});
