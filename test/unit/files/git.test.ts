import { execFileSync } from 'node:child_process';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findGit, type GitHead, headWatchPaths, identify, isGitBusy, isOnShare, readHead } from '../../../server/src/code/files/git';
import { nodeHost } from '../../../server/src/code/files/nodeHost';
import { faultyHost } from './scanning';
import { tempFolder, writeFiles } from './tempFolder';

const IDENTITY = ['-c', 'user.name=T', '-c', 'user.email=t@example.invalid', '-c', 'commit.gpgsign=false', '-c', 'init.defaultBranch=main'];

function repository(): { readonly root: string; git(...args: string[]): string } {
  const root = tempFolder({ 'sub/a.ts': '' });
  const git = (...args: string[]): string =>
    execFileSync('git', [...IDENTITY, ...args], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  git('init', '-q');
  return { root, git };
}

async function headOf(folder: string): Promise<GitHead | undefined> {
  const place = await findGit(folder, nodeHost);
  return place === undefined ? undefined : readHead(place, nodeHost);
}

describe('git without git', () => {
  test('branch, first commit, packed refs, detached, nested branch names', async () => {
    const { root, git } = repository();
    expect(await headOf(root)).toEqual({ commit: undefined, branch: 'main' });
    git('commit', '-q', '--allow-empty', '-m', 'one');
    const first = git('rev-parse', 'HEAD');
    expect(await headOf(root)).toEqual({ commit: first, branch: 'main' });
    git('pack-refs', '--all');
    expect(await headOf(root)).toEqual({ commit: first, branch: 'main' });
    git('checkout', '-q', '-b', 'feature/x');
    git('commit', '-q', '--allow-empty', '-m', 'two');
    expect(await headOf(join(root, 'sub'))).toEqual({ commit: git('rev-parse', 'HEAD'), branch: 'feature/x' });
    git('checkout', '-q', '--detach', first);
    expect(await headOf(root)).toEqual({ commit: first, branch: undefined });
  });

  test('worktrees share a project and are checkouts of their own', async () => {
    const { root, git } = repository();
    git('commit', '-q', '--allow-empty', '-m', 'one');
    const other = join(tempFolder(), 'other');
    git('worktree', 'add', '-q', '-b', 'side', other);
    expect(await headOf(other)).toEqual({ commit: git('rev-parse', 'HEAD'), branch: 'side' });
    expect(await identify(other, nodeHost)).toEqual({ project: join(root, '.git'), checkout: other });
    expect(await identify(join(root, 'sub'), nodeHost)).toEqual({ project: join(root, '.git'), checkout: join(root, 'sub') });
    expect((await findGit(join(root, 'sub'), nodeHost))?.folderInCheckout).toBe('sub');
  });

  test.each<{ name: string; files: (git: string) => Record<string, string> }>([
    { name: 'a file that names it', files: git => ({ '.git': `gitdir: ${git}\n` }) },
    { name: 'a file that names one of its worktrees', files: git => ({ '.git': `gitdir: ${git}/worktrees/side\n` }) },
    { name: 'a git directory that shares it', files: git => ({ '.git/HEAD': 'ref: refs/heads/main\n', '.git/commondir': `${git}\n` }) },
  ])('a folder cannot make itself a checkout of another project by $name', async ({ files }) => {
    const { root, git } = repository();
    git('commit', '-q', '--allow-empty', '-m', 'one');
    git('worktree', 'add', '-q', '-b', 'side', join(tempFolder(), 'side'));
    const stranger = tempFolder(files(join(root, '.git')));
    expect(await identify(stranger, nodeHost)).toEqual({ project: stranger, checkout: stranger });
  });

  test('a submodule and a separate git directory are projects of their own', async () => {
    const { root, git } = repository();
    const inner = repository();
    inner.git('commit', '-q', '--allow-empty', '-m', 'one');
    git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', inner.root, 'inner');
    expect((await identify(join(root, 'inner'), nodeHost)).project).toBe(join(root, '.git', 'modules', 'inner'));
    const folder = tempFolder();
    git('init', '-q', '--separate-git-dir', join(folder, 'store'), join(folder, 'work'));
    expect((await identify(join(folder, 'work'), nodeHost)).project).toBe(join(folder, 'store'));
  });

  test('a folder without a repository is its own project, by its real path', async () => {
    const root = tempFolder({ 'a/': '' });
    symlinkSync(join(root, 'a'), join(root, 'link'), 'dir');
    expect(await identify(join(root, 'link'), nodeHost)).toEqual({ project: join(root, 'a'), checkout: join(root, 'a') });
    expect(await headOf(root)).toBeUndefined();
  });

  test.each([
    ['a pointer to nowhere', { '.git': 'gitdir: ../nowhere' }],
    ['a pointer that says nothing', { '.git': 'hello' }],
    ['an empty git folder', { '.git/': '' }],
  ])('%s is no repository', async (_, files) => {
    expect(await headOf(tempFolder(files))).toBeUndefined();
  });

  test.each([
    ['an empty HEAD', { '.git/HEAD': '' }, { commit: undefined, branch: undefined }],
    ['a circle of refs', { '.git/HEAD': 'ref: refs/heads/a', '.git/refs/heads/a': 'ref: refs/heads/a' }, { commit: undefined, branch: 'a' }],
    ['a ref that climbs out', { '.git/HEAD': 'ref: refs/../../x', x: 'a'.repeat(40) }, { commit: undefined, branch: 'refs/../../x' }],
    ['the refs of another form', { '.git/HEAD': 'ref: refs/heads/.invalid' }, { commit: undefined, branch: '.invalid' }],
    ['64 digits', { '.git/HEAD': 'a'.repeat(64) }, { commit: 'a'.repeat(64), branch: undefined }],
  ])('%s', async (_, files, expected) => {
    expect(await headOf(tempFolder(files))).toEqual(expected);
  });

  // Elsewhere two slashes are one, so the folder is there and is not taken all the same.
  test.runIf(process.platform !== 'win32')('a Git directory on a share of another machine is not opened', async () => {
    const { git } = repository();
    const folder = tempFolder();
    git('init', '-q', '--separate-git-dir', join(folder, 'store'), join(folder, 'work'));
    expect(await headOf(join(folder, 'work'))).toBeDefined();
    writeFileSync(join(folder, 'work', '.git'), `gitdir: /${join(folder, 'store')}\n`);
    expect(await headOf(join(folder, 'work'))).toBeUndefined();
    writeFileSync(join(folder, 'work', '.git'), `gitdir: ${join(folder, 'store')}\n`);
    writeFileSync(join(folder, 'store', 'commondir'), `/${join(folder, 'store')}\n`);
    expect(await headOf(join(folder, 'work'))).toBeUndefined();
  });

  test.each([
    ['//server/share', true],
    ['\\\\server\\share', true],
    ['/server/share', false],
    ['C:\\share', false],
    ['../share', false],
  ])('%s is a share of another machine: %s', (path, expected) => {
    expect(isOnShare(path)).toBe(expected);
  });

  test('an unreadable git folder counts as none', async () => {
    const root = tempFolder({ '.git/HEAD': 'ref: refs/heads/main' });
    expect(await findGit(root, faultyHost({ '/.git': { code: 'EACCES', on: ['stat'] } }))).toBeUndefined();
  });

  test.skipIf(process.platform === 'win32').each([
    ['HEAD', '.git/HEAD'],
    ['the branch', '.git/refs/heads/main'],
    ['the list of packed references', '.git/packed-refs'],
    ['the name of the shared folder', '.git/commondir'],
    ['the folder itself', '.git'],
  ])('a pipe without a writer or an endless device as %s does not block anything', async (_, path) => {
    for (const make of [(at: string) => execFileSync('mkfifo', [at]), (at: string) => symlinkSync('/dev/zero', at)]) {
      const root = tempFolder(path === '.git' ? {} : { '.git/refs/heads/other': '', '.git/HEAD': 'ref: refs/heads/main' });
      rmSync(join(root, path), { force: true });
      make(join(root, path));
      expect((await headOf(root))?.commit).toBeUndefined();
    }
  });

  test('knows when git is at work, and what to watch', async () => {
    const { root } = repository();
    const place = await findGit(root, nodeHost);
    if (place === undefined) throw new Error('no repository');
    expect(await isGitBusy(place, nodeHost)).toBe(false);
    writeFileSync(join(root, '.git/index.lock'), '');
    expect(await isGitBusy(place, nodeHost)).toBe(true);
    expect(headWatchPaths(place).map(path => path.slice(root.length))).toEqual(['/.git/HEAD', '/.git/logs/HEAD', '/.git/index.lock', '/.git/packed-refs']);
    const merging = tempFolder();
    writeFiles(merging, { '.git/HEAD': 'ref: refs/heads/main', '.git/MERGE_HEAD': '' });
    const other = await findGit(merging, nodeHost);
    expect(other !== undefined && (await isGitBusy(other, nodeHost))).toBe(true);
  });
});
