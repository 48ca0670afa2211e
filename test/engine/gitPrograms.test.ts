import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import { ok } from '../../server/src/base/result';
import { findGit } from '../../server/src/code/files/git';
import { nodeHost } from '../../server/src/code/files/nodeHost';
import { differenceOf } from '../../server/src/engine/changes/difference';
import { versionsOf } from '../../server/src/engine/changes/revisions';
import { GIT_CALLS, type GitCall } from '../../server/src/engine/processes/git/calls';
import { type GitRepository, readRepository } from '../../server/src/engine/processes/git/repository';
import { tempFolder, writeFiles } from '../unit/files/tempFolder';

/** Every key of git's documentation whose value is a program, or leads to one, with `PROGRAM` for what leaves a mark. */
const PROGRAMS: readonly (readonly [key: string, value: string])[] = [
  ['alias.diff', '!PROGRAM'],
  ['alias.log', '!PROGRAM'],
  ['browser.mark.cmd', 'PROGRAM'],
  ['browser.mark.path', 'PROGRAM'],
  ['core.alternateRefsCommand', 'PROGRAM'],
  ['core.askPass', 'PROGRAM'],
  ['core.editor', 'PROGRAM'],
  ['core.fsmonitor', 'PROGRAM'],
  ['core.gitProxy', 'PROGRAM'],
  ['core.hooksPath', 'HOOKS'],
  ['core.pager', 'PROGRAM'],
  ['core.sshCommand', 'PROGRAM'],
  ['credential.helper', '!PROGRAM'],
  ['credential.http://127.0.0.1.helper', '!PROGRAM'],
  ['diff.external', 'PROGRAM'],
  ['diff.guitool', 'mark'],
  ['diff.mark.command', 'PROGRAM'],
  ['diff.mark.textconv', 'PROGRAM'],
  ['diff.tool', 'mark'],
  ['difftool.mark.cmd', 'PROGRAM'],
  ['difftool.mark.path', 'PROGRAM'],
  ['filter.mark.clean', 'PROGRAM'],
  ['filter.mark.process', 'PROGRAM'],
  ['filter.mark.smudge', 'PROGRAM'],
  ['gpg.openpgp.program', 'PROGRAM'],
  ['gpg.program', 'PROGRAM'],
  ['gpg.ssh.defaultKeyCommand', 'PROGRAM'],
  ['gpg.ssh.program', 'PROGRAM'],
  ['gpg.x509.program', 'PROGRAM'],
  ['guitool.mark.cmd', 'PROGRAM'],
  ['help.browser', 'mark'],
  ['hook.mark.command', 'PROGRAM'],
  ['imap.tunnel', 'PROGRAM'],
  ['include.path', 'INCLUDED'],
  ['includeIf.gitdir:/**.path', 'INCLUDED'],
  ['instaweb.browser', 'PROGRAM'],
  ['instaweb.httpd', 'PROGRAM'],
  ['interactive.diffFilter', 'PROGRAM'],
  ['man.mark.cmd', 'PROGRAM'],
  ['man.mark.path', 'PROGRAM'],
  ['merge.guitool', 'mark'],
  ['merge.mark.driver', 'PROGRAM'],
  ['merge.tool', 'mark'],
  ['mergetool.mark.cmd', 'PROGRAM'],
  ['mergetool.mark.path', 'PROGRAM'],
  ['pager.diff', 'PROGRAM'],
  ['pager.log', 'PROGRAM'],
  ['receive.procReceiveRefs', 'refs'],
  ['remote.origin.receivepack', 'PROGRAM'],
  ['remote.origin.uploadpack', 'PROGRAM'],
  ['remote.origin.url', 'ext::PROGRAM'],
  ['remote.origin.vcs', 'ext'],
  ['sendemail.ccCmd', 'PROGRAM'],
  ['sendemail.headerCmd', 'PROGRAM'],
  ['sendemail.sendmailCmd', 'PROGRAM'],
  ['sendemail.smtpServer', 'PROGRAM'],
  ['sendemail.toCmd', 'PROGRAM'],
  ['sequence.editor', 'PROGRAM'],
  ['submodule.sub.update', '!PROGRAM'],
  ['tar.tar.command', 'PROGRAM'],
  ['trailer.mark.cmd', 'PROGRAM'],
  ['trailer.mark.command', 'PROGRAM'],
  ['uploadpack.packObjectsHook', 'PROGRAM'],
  ['web.browser', 'mark'],
];

const HOOKS = ['post-index-change', 'fsmonitor-watchman', 'reference-transaction', 'post-checkout', 'pre-auto-gc', 'post-rewrite'];
const IDENTITY = ['-c', 'user.name=T', '-c', 'user.email=t@example.invalid', '-c', 'commit.gpgsign=false', '-c', 'core.autocrlf=false', '-c', 'gc.auto=0'];
const TEXT = 'export function add() {\n  return 1;\n}\n'.repeat(4);

afterEach(() => {
  vi.unstubAllEnvs();
});

interface Hostile {
  readonly root: string;
  readonly marks: () => readonly string[];
  /** A program that leaves a mark of this name. */
  readonly program: (name: string) => string;
  readonly git: (...args: string[]) => string;
  readonly configure: (key: string, value: string) => void;
}

/** A repository whose attributes name drivers for all files, which is a partial clone that lacks the first commit's contents, and has uncommitted edits. */
function hostile(): Hostile {
  const base = tempFolder({ 'marks/.keep': '', 'bin/.keep': '', 'hooks/.keep': '' });
  const root = join(base, 'work');
  mkdirSync(root);
  const git = (...args: string[]): string => execFileSync('git', [...IDENTITY, ...args], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const program = (name: string): string => {
    const path = join(base, 'bin', name.replaceAll(/[^\w.-]/g, '_'));
    writeFileSync(path, `#!/bin/sh\n: > '${join(base, 'marks', name.replaceAll(/[^\w.-]/g, '_'))}'\n`);
    chmodSync(path, 0o755);
    return path.replaceAll('\\', '/');
  };
  const configure = (key: string, value: string): void => {
    git('config', key, value.replace('PROGRAM', program(key)).replace('HOOKS', join(base, 'hooks')).replace('INCLUDED', join(base, 'included')));
  };
  git('init', '-q', '-b', 'main');
  writeFiles(root, {
    '.gitattributes': '* filter=mark diff=mark merge=mark\n',
    'a.ts': TEXT,
    'b.ts': TEXT.replaceAll('1', '2'),
    'kept.ts': 'export const kept = 1;\n',
  });
  git('add', '.');
  git('commit', '-q', '-m', 'one');
  writeFiles(root, { 'a.ts': `${TEXT}export const more = 1;\n`, 'c.ts': 'export const c = 1;\n' });
  git('add', '.');
  git('commit', '-q', '-m', 'two');
  writeFiles(root, { 'kept.ts': 'export const kept = 2;\n', 'new.ts': 'export const fresh = 1;\n' });
  for (const name of HOOKS) {
    for (const folder of [join(base, 'hooks'), join(root, '.git', 'hooks')]) {
      mkdirSync(folder, { recursive: true });
      renameSync(program(`hook-${name}`), join(folder, name));
    }
  }
  const included = program('included');
  writeFileSync(join(base, 'included'), `[core]\n\tfsmonitor = ${included}\n[filter "mark"]\n\tclean = ${included}\n[diff]\n\texternal = ${included}\n`);
  const lost = git('rev-parse', 'HEAD~1:a.ts').trim();
  rmSync(join(root, '.git', 'objects', lost.slice(0, 2), lost.slice(2)), { force: true });
  for (const [key, value] of Object.entries({
    'core.repositoryformatversion': '1',
    'extensions.partialClone': 'origin',
    'remote.origin.url': root,
    'remote.origin.promisor': 'true',
    'log.showSignature': 'true',
  }))
    git('config', key, value);
  return { root, program, git, configure, marks: () => readdirSync(join(base, 'marks')).filter(name => name !== '.keep') };
}

/** Makes each call of the list at least once; says which were made. */
async function everyCall(root: string): Promise<ReadonlySet<GitCall>> {
  const place = await findGit(root, nodeHost);
  if (place === undefined) throw new Error('no repository');
  const made = new Set<GitCall>(['userSettings', 'settingsOf']);
  const done = await readRepository(root, place, neverCancelled, async git => {
    const recorded: GitRepository = {
      ask: (call, details, input) => {
        made.add(call);
        return git.ask(call, details, input);
      },
      objects: names => {
        made.add('contents');
        return git.objects(names);
      },
      stream: (call, details, take, limits) => {
        made.add(call);
        return git.stream(call, details, take, limits);
      },
    };
    for (const since of [undefined, 'HEAD~1', '2020-01-01', 'HEAD~1...HEAD']) {
      const versions = await versionsOf(recorded, since);
      if (!versions.ok) throw new Error(versions.error.message);
      await differenceOf(recorded, versions.value.from, versions.value.to);
    }
    await recorded.ask('untracked', []);
    await recorded.objects(['HEAD~1:a.ts', 'HEAD:a.ts']);
    await recorded.ask('tree', ['HEAD']);
    await recorded.ask('references', ['refs/heads', 'refs/tags']);
    await recorded.ask('authors', ['HEAD']);
    await recorded.ask('firstParents', ['-n', '10', 'HEAD']);
    await recorded.ask('history', ['-n', '10', 'HEAD', '--', '.']);
    await recorded.ask('contentsBefore', ['-n', '10', 'HEAD', '--', '.']);
    await recorded.stream('patches', ['-n', '10', 'HEAD', '--', '.'], () => undefined, { maxBytes: 1 << 20, timeoutMs: 20_000 });
    return ok(undefined);
  });
  if (!done.ok) throw new Error(done.error.message);
  return made;
}

/** Portions, so that no key hides another for good. */
const PORTION = 8;

test.each(Array.from({ length: Math.ceil(PROGRAMS.length / PORTION) }, (_, at) => PROGRAMS.slice(at * PORTION, (at + 1) * PORTION)))(
  'no configuration key, hook or included file starts a program, for any query: %s …',
  async (...entries) => {
    const { root, marks, configure } = hostile();
    for (const [key, value] of entries as unknown as typeof PROGRAMS) configure(key, value);
    const made = await everyCall(root);
    expect([...made].sort()).toEqual(Object.keys(GIT_CALLS).sort());
    expect(marks()).toEqual([]);
  },
);

test('nor do all of them together', async () => {
  const { root, marks, configure } = hostile();
  for (const [key, value] of PROGRAMS) configure(key, value);
  await everyCall(root);
  expect(marks()).toEqual([]);
});

test('plain git would start them', () => {
  const { root, marks, configure } = hostile();
  const plain = (...args: string[]): void => void spawnSync('git', args, { cwd: root, stdio: 'ignore' });
  for (const key of ['filter.mark.clean', 'core.fsmonitor', 'remote.origin.uploadpack']) configure(key, 'PROGRAM');
  plain('diff', 'HEAD');
  plain('cat-file', '-p', 'HEAD~1:a.ts');
  plain('config', 'include.path', join(root, '..', 'included'));
  plain('diff', 'HEAD');
  expect(marks()).toEqual(expect.arrayContaining(['filter.mark.clean', 'core.fsmonitor', 'remote.origin.uploadpack', 'included']));
});

test('all configuration keys of this Git version that may specify programs are in the list', () => {
  const sounding =
    /cmd$|command$|program$|clean$|smudge$|textconv$|driver$|editor$|pager|askpass|helper$|hook|fsmonitor$|tunnel$|gitproxy$|pack$|browser$|httpd$|difffilter$|external$/i;
  const harmless =
    /^(?:advice\.|pack\.|core\.hookspath|diff\.<driver>\.cachetextconv|core\.fsmonitorhookversion|diff\.suppress|gc\.bigpack|fetch\.writecommit|filter\.|.*unpack|gitcvs\.dbdriver|clean\.|color\.pager|column\.clean|.*pack\.(?:allow|hide|keep))/i;
  const listed = new Set(PROGRAMS.map(([key]) => key.toLowerCase().replace(/\.(?:mark|origin|openpgp|diff|log)(?=\.|$)/, '.*')));
  const keys = execFileSync('git', ['help', '-c'], { encoding: 'utf8' }).split('\n');
  const found = keys.filter(key => sounding.test(key) && !harmless.test(key)).map(key => key.toLowerCase().replace(/<[^>]+>/, '*'));
  expect(found.filter(key => !listed.has(key) && !listed.has(key.replace('.*', '')))).toEqual([]);
});

test('a promisor remote that does not respond is never contacted, and missing contents count as entirely changed', async () => {
  const { root, configure } = hostile();
  let asked = 0;
  const silent = createServer(() => void asked++);
  await new Promise<void>(listening => silent.listen(0, '127.0.0.1', listening));
  configure('remote.origin.url', `http://127.0.0.1:${(silent.address() as AddressInfo).port}/repository.git`);
  const place = await findGit(root, nodeHost);
  const found = await readRepository(root, place ?? expect.fail(), neverCancelled, async git => differenceOf(git, 'HEAD~1', undefined));
  silent.close();
  expect(asked).toBe(0);
  expect(found).toMatchObject({
    ok: true,
    value: [
      { path: 'a.ts', hunks: undefined },
      { path: 'c.ts', hunks: [{}] },
      { path: 'kept.ts', hunks: [{}] },
    ],
  });
});

test.each([
  ['//server/share/objects', (path: string) => `${path}\n`],
  ['\\\\server\\share\\objects', (path: string) => `# a comment\n${path}\n`],
  ['"\\\\\\\\server\\\\share"', (path: string) => `${path}\n`],
  ['//server/share, which another folder names', (path: string) => `${tempFolder({ 'info/alternates': `${path}\n` })}\n`],
])('objects on another machine are not opened: %s', async (path, alternates) => {
  const { root } = hostile();
  writeFiles(root, { '.git/objects/info/alternates': alternates(path) });
  const place = await findGit(root, nodeHost);
  const found = await readRepository(root, place ?? expect.fail(), neverCancelled, async git => differenceOf(git, 'HEAD~1', undefined));
  expect(found).toMatchObject({ ok: false, error: { code: 'UNAVAILABLE', message: expect.stringContaining('on another machine') } });
});

test('objects in another folder of this machine are read', async () => {
  const { git, root } = hostile();
  const clone = join(tempFolder({}), 'clone');
  git('clone', '-q', '--shared', root, clone);
  const place = await findGit(clone, nodeHost);
  expect((await readRepository(clone, place ?? expect.fail(), neverCancelled, async each => differenceOf(each, 'HEAD~1', undefined))).ok).toBe(true);
});

test('a git program in the folder is not run', async () => {
  const { root, marks, program } = hostile();
  renameSync(program('brought'), join(root, 'git'));
  vi.stubEnv('PATH', ['', '.', `.${delimiter}${process.env['PATH']}`].join(delimiter));
  await everyCall(root);
  expect(marks()).toEqual([]);
});

test('nothing remains in the temporary folder or changes in the repository', async () => {
  const scratch = tempFolder({});
  vi.stubEnv('TMPDIR', scratch);
  const { root, git } = hostile();
  const before = git('count-objects', '-v');
  expect(tmpdir()).toBe(scratch);
  const present = readdirSync(scratch);
  await everyCall(root);
  expect(readdirSync(scratch)).toEqual(present);
  expect(git('count-objects', '-v')).toBe(before);
});
