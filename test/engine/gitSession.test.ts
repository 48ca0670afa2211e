import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { CancellationSource, Cancelled, neverCancelled } from '../../server/src/base/cancellation';
import { type Failure, ok, type Result } from '../../server/src/base/result';
import { findGit, type GitPlace } from '../../server/src/code/files/git';
import { nodeHost } from '../../server/src/code/files/nodeHost';
import { blobsOf } from '../../server/src/engine/processes/git/blobs';
import { findProgram } from '../../server/src/engine/processes/git/program';
import { GitSession } from '../../server/src/engine/processes/git/session';
import { ManualTimers } from '../storage/storeHost';
import { tempFolder } from '../unit/files/tempFolder';
import { IDENTITY } from './repository';

afterEach(() => vi.unstubAllEnvs());

interface Watched {
  readonly root: string;
  readonly place: GitPlace;
  readonly blobs: readonly string[];
  /** How many processes of Git gave contents. */
  readonly starts: () => number;
}

/** A repository with ten files, and a Git on the PATH that leaves a line for each start. */
async function watched(): Promise<Watched> {
  const texts = Array.from({ length: 10 }, (_, at) => `text ${at}`);
  const base = tempFolder({ 'bin/.keep': '', ...Object.fromEntries(texts.map(text => [`work/${text}.txt`, text])) });
  const root = join(base, 'work');
  const git = (...args: string[]): string => execFileSync('git', [...IDENTITY, ...args], { cwd: root, encoding: 'utf8' }).trim();
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '-m', 'all');
  const blobs = texts.map(text => git('rev-parse', `HEAD:${text}.txt`));
  const real = await findProgram('git');
  const log = join(base, 'log');
  writeFileSync(join(base, 'bin', 'git'), `#!/bin/sh\necho "$1" >> '${log}'\nexec '${real}' "$@"\n`);
  chmodSync(join(base, 'bin', 'git'), 0o755);
  vi.stubEnv('PATH', `${join(base, 'bin')}${delimiter}${process.env['PATH']}`);
  const place = await findGit(root, nodeHost);
  if (place === undefined) throw new Error('no repository');
  const started = (): string[] => (existsSync(log) ? readFileSync(log, 'utf8').split('\n') : []);
  return { root, place, blobs, starts: () => started().filter(line => line === 'cat-file').length };
}

async function textOf(session: GitSession, { place, root }: Watched, blob: string): Promise<string> {
  const found = await session.read(root, place, neverCancelled, git => blobsOf(git, [blob]));
  return found.ok ? Buffer.from(found.value.get(blob) ?? []).toString('utf8') : found.error.message;
}

const isPosix = process.platform !== 'win32';

test.runIf(isPosix)('texts that are read one by one come from one process of Git', async () => {
  const repository = await watched();
  const timers = new ManualTimers();
  const session = new GitSession(timers);
  for (const [at, blob] of repository.blobs.entries()) expect(await textOf(session, repository, blob)).toBe(`text ${at}`);
  const [first = '', second = ''] = repository.blobs;
  expect(await Promise.all([first, second].map(blob => textOf(session, repository, blob)))).toEqual(['text 0', 'text 1']);
  expect(repository.starts()).toBe(1);
  timers.fire();
  expect(await textOf(session, repository, first)).toBe('text 0');
  expect(repository.starts()).toBe(2);
  await session.close();
  await session.close();
  expect(timers.waiting.size).toBe(0);
});

test.runIf(isPosix)('a reading that is cancelled does not end the others', async () => {
  const repository = await watched();
  const session = new GitSession(new ManualTimers());
  const source = new CancellationSource();
  const [blob = ''] = repository.blobs;
  const given = session.read(repository.root, repository.place, source.token, () => new Promise<Result<undefined, Failure>>(() => undefined));
  const other = textOf(session, repository, blob);
  source.cancel();
  await expect(given).rejects.toBeInstanceOf(Cancelled);
  expect(await other).toBe('text 0');
  await expect(session.read(repository.root, repository.place, source.token, () => Promise.resolve(ok(1)))).rejects.toBeInstanceOf(Cancelled);
  await session.close();
});

test.runIf(isPosix)('another repository takes its place, and one that cannot be read is tried again', async () => {
  const [one, two] = [await watched(), await watched()];
  const session = new GitSession(new ManualTimers());
  const held = session.read(one.root, one.place, neverCancelled, async git => {
    await textOf(session, two, two.blobs[1] ?? '');
    return blobsOf(git, [one.blobs[2] ?? '']);
  });
  expect(Buffer.from((await held.then(found => (found.ok ? found.value : new Map<string, Uint8Array>()))).get(one.blobs[2] ?? '') ?? []).toString()).toBe(
    'text 2',
  );
  vi.stubEnv('PATH', '');
  await session.close();
  expect(await textOf(session, two, two.blobs[0] ?? '')).toContain('git is not installed');
  vi.unstubAllEnvs();
  expect(await textOf(session, two, two.blobs[0] ?? '')).toBe('text 0');
  await session.close();
});

test.runIf(isPosix)('names mean what they mean when they are asked for, however the repository changed since it was opened', async () => {
  const repository = await watched();
  const { place, root } = repository;
  const git = (...args: string[]): string => execFileSync('git', [...IDENTITY, ...args], { cwd: root, encoding: 'utf8' }).trim();
  const session = new GitSession(new ManualTimers());
  const commitOf = async (name: string): Promise<string | undefined> => {
    const found = await session.read(root, place, neverCancelled, repo => repo.objects([name]));
    return found.ok ? found.value.get(name)?.hash : found.error.message;
  };
  expect(await commitOf('HEAD')).toBe(git('rev-parse', 'HEAD'));
  git('commit', '-q', '--allow-empty', '-m', 'next');
  expect(await commitOf('HEAD')).toBe(git('rev-parse', 'HEAD'));
  git('checkout', '-q', '-b', 'side', 'HEAD~1');
  expect(await commitOf('HEAD')).toBe(git('rev-parse', 'main~1'));
  expect(await commitOf('HEAD')).not.toBe(await commitOf('main'));
  git('pack-refs', '--all');
  expect(await commitOf('side')).toBe(git('rev-parse', 'main~1'));
  git('checkout', '-q', '--detach', 'main');
  expect(await commitOf('HEAD')).toBe(git('rev-parse', 'main'));
  await session.close();
});
