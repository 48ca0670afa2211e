import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CancellationSource, Cancelled, neverCancelled } from '../../server/src/base/cancellation';
import { GitObjects, type ObjectsRun } from '../../server/src/engine/processes/git/objects';
import { findProgram } from '../../server/src/engine/processes/git/program';
import { tempFolder } from '../unit/files/tempFolder';

const HASH = 'a'.repeat(40);

/**
 * Stands for `git cat-file --batch` and leaves a line for each start. For `give SIZE` it says that many bytes, one at a time up to 20; `die` ends it in the middle
 * of an object, `sleep` never answers.
 */
function standIn(more: Partial<ObjectsRun> = {}): { readonly run: ObjectsRun; readonly starts: () => number; readonly hasEnded: () => boolean } {
  const folder = tempFolder();
  const starts = join(folder, 'starts');
  const ended = join(folder, 'ended');
  const script = `
    process.on('exit', () => require('fs').writeFileSync(${JSON.stringify(ended)}, ''));
    require('fs').appendFileSync(${JSON.stringify(starts)}, 'started\\n');
    const say = text => text.length > 20 ? process.stdout.write(text) : [...text].forEach(letter => process.stdout.write(letter));
    require('readline').createInterface({ input: process.stdin }).on('line', line => {
      const [word, size] = line.split(' ');
      if (word === 'give') say('${HASH} blob ' + size + '\\n' + 'x'.repeat(Number(size)) + '\\n');
      else if (word === 'die') process.stdout.write('${HASH} blob 10\\nxxx', () => { console.error('fatal: it broke'); process.exit(1); });
      else if (word !== 'sleep') say(line + ' missing\\n');
    });`;
  return {
    run: { program: process.execPath, folder, args: ['-e', script], env: process.env, ...more },
    starts: () => readFileSync(starts, 'utf8').split('\n').length - 1,
    hasEnded: () => existsSync(ended),
  };
}

const sizes = (answer: Awaited<ReturnType<GitObjects['read']>>): unknown =>
  answer.ok ? Object.fromEntries([...answer.value].map(([name, { bytes }]) => [name, Buffer.from(bytes).toString('utf8').length])) : answer.error;

test('questions are answered in turn by one process, whatever the portions in which it speaks', async () => {
  const { run, starts } = standIn();
  const objects = new GitObjects(run, neverCancelled);
  const answers = await Promise.all([['give 3', 'other', 'give 0'], [], ['give 100000', 'give 7']].map(names => objects.read(names)));
  expect(answers.map(sizes)).toEqual([{ 'give 3': 3, 'give 0': 0 }, {}, { 'give 100000': 100_000, 'give 7': 7 }]);
  expect(starts()).toBe(1);
  await objects.close();
  expect(sizes(await objects.read(['give 1']))).toEqual({ 'give 1': 1 });
  expect(starts()).toBe(2);
  await objects.close();
});

test('a process that is asked nothing for a while ends, and the next question starts another one', async () => {
  const { hasEnded, run, starts } = standIn({ idleMs: 50 });
  const objects = new GitObjects(run, neverCancelled);
  expect(sizes(await objects.read(['give 1']))).toEqual({ 'give 1': 1 });
  await expect.poll(hasEnded, { timeout: 30_000, interval: 20 }).toBe(true);
  expect(sizes(await objects.read(['give 2']))).toEqual({ 'give 2': 2 });
  expect(starts()).toBe(2);
  await objects.close();
});

test('what ends, says too much or takes too long fails its question alone', async () => {
  const { run, starts } = standIn({ maxBytes: 1000, timeoutMs: 2000 });
  const objects = new GitObjects(run, neverCancelled);
  expect(sizes(await objects.read(['give 1', 'die']))).toEqual({ code: 'GIT', message: 'fatal: it broke' });
  expect(sizes(await objects.read(['give 600']))).toEqual({ 'give 600': 600 });
  expect(sizes(await objects.read(['give 600', 'give 601']))).toMatchObject({ code: 'UNAVAILABLE' });
  expect(sizes(await objects.read(['sleep']))).toMatchObject({ code: 'UNAVAILABLE', message: expect.stringContaining('too long') });
  expect(sizes(await objects.read(['give 2']))).toEqual({ 'give 2': 2 });
  expect(starts()).toBe(4);
  await objects.close();
});

test('a cancelled question rejects, and so do those behind it', async () => {
  const { run } = standIn();
  const source = new CancellationSource();
  const objects = new GitObjects(run, source.token);
  expect(sizes(await objects.read(['give 1']))).toEqual({ 'give 1': 1 });
  const [first, second] = [objects.read(['sleep']), objects.read(['give 1'])];
  const rejected = Promise.all([expect(first).rejects.toBeInstanceOf(Cancelled), expect(second).rejects.toBeInstanceOf(Cancelled)]);
  source.cancel();
  await rejected;
  await objects.close();
});

test('git itself: a commit by any of its names, contents, and what is not there', async () => {
  const root = tempFolder({ 'a.txt': 'one\n', 'empty.txt': '' });
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'core.autocrlf=false', ...args], {
      cwd: root,
      encoding: 'utf8',
    }).trim();
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'one');
  const program = await findProgram('git');
  const objects = new GitObjects({ program: program ?? '', folder: root, args: ['cat-file', '--batch'], env: process.env }, neverCancelled);
  const found = await objects.read(['HEAD^{commit}', 'HEAD:a.txt', 'HEAD:empty.txt', 'HEAD:b.txt', 'v1', 'HEAD^{tree}']);
  if (!found.ok) throw new Error(found.error.message);
  expect([...found.value].map(([name, { hash, kind, bytes }]) => [name, hash, kind, bytes.length])).toEqual([
    ['HEAD^{commit}', git('rev-parse', 'HEAD'), 'commit', Number(git('cat-file', '-s', 'HEAD'))],
    ['HEAD:a.txt', git('rev-parse', 'HEAD:a.txt'), 'blob', 4],
    ['HEAD:empty.txt', git('rev-parse', 'HEAD:empty.txt'), 'blob', 0],
    ['HEAD^{tree}', git('rev-parse', 'HEAD^{tree}'), 'tree', Number(git('cat-file', '-s', 'HEAD^{tree}'))],
  ]);
  await objects.close();
});
