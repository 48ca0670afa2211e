import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CancellationSource, neverCancelled } from '../../../server/src/base/cancellation';
import { byCodePoint, type FileHost } from '../../../server/src/code/files/host';
import { nodeHost } from '../../../server/src/code/files/nodeHost';
import { changesRules, inspectPaths, scan } from '../../../server/src/code/files/scan';
import { faultyHost, optionsFor, pathsOf, scanned } from './scanning';
import { tempFolder, writeFiles } from './tempFolder';

describe('what a scan finds', () => {
  test('every text file, in code-point order, whatever its language', async () => {
    const root = tempFolder({
      'b.ts': '',
      'a/z.py': 'x = 1',
      'a.md': '# A',
      'B.rs': 'fn main() {}',
      'é.txt': '',
      '\u{1F600}.txt': '',
      '\uFF21.txt': '',
      empty: '',
    });
    expect(await pathsOf(root)).toEqual(['B.rs', 'a.md', 'a/z.py', 'b.ts', 'empty', 'é.txt', '\uFF21.txt', '\u{1F600}.txt']);
  });

  test('order does not depend on UTF-16', () => {
    expect(['\u{1F600}', '\uFF21', 'a', ''].sort(byCodePoint)).toEqual(['', 'a', '\uFF21', '\u{1F600}']);
  });

  test('describes a file', async () => {
    const root = tempFolder({ 'src/a.test.ts': 'x' });
    const [file] = (await scanned(root)).files;
    expect(file).toMatchObject({
      path: 'src/a.test.ts',
      absolutePath: join(root, 'src/a.test.ts'),
      sizeBytes: 1,
      language: 'typescript',
      content: 'read',
      isTest: true,
    });
    expect(file?.mtimeMs).toBeGreaterThan(0);
  });

  test('keeps large and binary files by name', async () => {
    const root = tempFolder({ 'big.py': 'x'.repeat(2049), 'logo.png': 'x', 'just.py': 'x'.repeat(2048) });
    const found = (await scanned(root, { maxFileSizeKb: 2 })).files.map(file => [file.path, file.content]);
    expect(found).toEqual([
      ['big.py', 'tooLarge'],
      ['just.py', 'read'],
      ['logo.png', 'binary'],
    ]);
  });

  test('files with secrets are left out, even if a pattern includes them', async () => {
    const root = tempFolder({ '.env': 'KEY=1', '.env.example': 'KEY=', id_rsa: 'x', 'certs/server.pem': 'x', 'a.ts': '' });
    const result = await scanned(root, { ignorePatterns: ['!.env'] });
    expect(result.files.map(file => file.path)).toEqual(['.env.example', 'a.ts']);
    expect(result.skipped.secret).toBe(3);
  });

  test('skips what tools make, keeps folders that are merely called so', async () => {
    const root = tempFolder({
      'node_modules/a/index.js': '',
      'dist/a.js': '',
      '.lattice/x.json': '',
      'py/__pycache__/a.py': '',
      'env/pyvenv.cfg': '',
      'env/lib/site.py': '',
      'rust/Cargo.toml': '',
      'rust/target/a.rs': '',
      'go/vendor/modules.txt': '',
      'go/vendor/x/a.go': '',
      'build/tool.ts': '',
      'lib/a.ts': '',
      'vendor/own.ts': '',
      'js/package.json': '',
      'js/build/out.js': '',
      'js/lib/a.js': '',
    });
    expect(await pathsOf(root)).toEqual(['build/tool.ts', 'js/lib/a.js', 'js/package.json', 'lib/a.ts', 'rust/Cargo.toml', 'vendor/own.ts']);
  });

  test('indexes a build folder that git tracks', async () => {
    const root = tempFolder({ '.git/HEAD': 'ref: refs/heads/main', 'package.json': '{}', 'build/tool.ts': '' });
    expect(await pathsOf(root)).toEqual(['build/tool.ts', 'package.json']);
  });

  test("obeys the editor's globs and the user's patterns, which can bring back a built-in skip", async () => {
    const root = tempFolder({ 'a.gen.ts': '', 'doc/x.md': '', 'doc/y.ts': '', 'dist/keep.ts': '', 'a.ts': '', 'tmp/a.ts': '' });
    const found = await pathsOf(root, { excludeGlobs: ['**/*.gen.{ts,js}', 'doc/**'], ignorePatterns: ['tmp/', '!dist/'] });
    expect(found).toEqual(['a.ts', 'dist/keep.ts']);
  });

  test('several roots do not mix', async () => {
    const root = tempFolder({ 'one/.gitignore': '*.md', 'one/a.md': '', 'one/a.ts': '', 'two/a.md': '', 'two/b.ts': '' });
    expect(await Promise.all([pathsOf(join(root, 'one')), pathsOf(join(root, 'two'))])).toEqual([
      ['.gitignore', 'a.ts'],
      ['a.md', 'b.ts'],
    ]);
  });

  test('leaves out another worktree of the same repository, keeps other repositories', async () => {
    const root = tempFolder({
      '.git/HEAD': 'ref: refs/heads/main',
      '.git/worktrees/w/HEAD': 'ref: refs/heads/w',
      '.git/worktrees/w/commondir': '../..',
      '.gitignore': '*.log',
      'trees/w/.git': 'gitdir: ../../.git/worktrees/w',
      'trees/w/a.ts': '',
      'other/.git/HEAD': 'ref: refs/heads/main',
      'other/a.log': '',
      'a.log': '',
      'a.ts': '',
    });
    expect(await pathsOf(root)).toEqual(['.gitignore', 'a.ts', 'other/a.log']);
  });
});

describe('what a scan survives', () => {
  test('links: cycles, links that lead outside, dangling links and duplicates', async () => {
    const outside = tempFolder({ 'secret.ts': '' });
    const root = tempFolder({ 'a/b/c.ts': '' });
    symlinkSync(root, join(root, 'a/b/up'), 'dir');
    symlinkSync(join(root, 'self'), join(root, 'self'));
    symlinkSync(outside, join(root, 'out'), 'dir');
    symlinkSync(join(outside, 'secret.ts'), join(root, 'out.ts'));
    symlinkSync(join(root, 'nothing'), join(root, 'dangling.ts'));
    symlinkSync(join(root, 'a/b/c.ts'), join(root, 'twice.ts'));
    symlinkSync(join(root, 'a'), join(root, 'twice'), 'dir');
    const result = await scanned(root);
    expect(result.files.map(file => file.path)).toEqual(['a/b/c.ts']);
    expect(result.problems.map(problem => [problem.path, problem.code])).toEqual([
      ['a/b/up', 'LINK_CYCLE'],
      ['dangling.ts', 'LINK_DANGLING'],
      ['out', 'LINK_LEAVES_ROOT'],
      ['out.ts', 'LINK_LEAVES_ROOT'],
      ['self', 'LINK_CYCLE'],
    ]);
    expect(result.skipped.link).toBe(7);
  });

  test('a root that is itself reached through a link', async () => {
    const root = tempFolder({ 'real/a.ts': '' });
    symlinkSync(join(root, 'real'), join(root, 'link'), 'dir');
    expect(await pathsOf(join(root, 'link'))).toEqual(['a.ts']);
  });

  const faults = [
    ['folder without permission', '/locked', { code: 'EACCES', on: ['list'] }, [['locked', 'FOLDER_UNREADABLE']], ['a.ts']],
    ['folder that goes away', '/locked', { code: 'ENOENT', on: ['list'] }, [['locked', 'FILE_VANISHED']], ['a.ts']],
    ['file that goes away', '/a.ts', { code: 'ENOENT', on: ['stat'] }, [['a.ts', 'FILE_VANISHED']], ['locked/b.ts']],
    ['file not to be asked', '/a.ts', { code: 'EIO', on: ['stat'] }, [['a.ts', 'FILE_UNREADABLE']], ['locked/b.ts']],
  ] as const;
  test.each(faults)('%s', async (_, path, fault, problems, files) => {
    const root = tempFolder({ 'a.ts': '', 'locked/b.ts': '' });
    const result = await scanned(root, { host: faultyHost({ [path]: fault }) });
    expect(result.problems.map(problem => [problem.path, problem.code])).toEqual(problems);
    expect(result.files.map(file => file.path)).toEqual(files);
  });

  test('an unreadable ignore file is named and its rules do not apply', async () => {
    const root = tempFolder({ '.git/HEAD': 'x', '.gitignore': '*.md', 'a.md': '' });
    const result = await scanned(root, { host: faultyHost({ '/.gitignore': { code: 'EACCES', on: ['read'] } }) });
    expect(result.problems.map(problem => problem.code)).toEqual(['IGNORE_FILE_UNREADABLE']);
    expect(result.files.map(file => file.path)).toEqual(['.gitignore', 'a.md']);
  });

  test('a name of wrong bytes is told apart from a file that went away', async () => {
    const root = tempFolder({ 'a.ts': '' });
    const { host } = optionsFor(root);
    const result = await scanned(root, {
      host: { ...host, list: async folder => [{ name: 'b\uFFFD.ts', kind: 'file' as const }, ...(await host.list(folder))] },
    });
    expect(result.problems).toEqual([{ path: 'b\uFFFD.ts', code: 'NAME_UNUSABLE', message: 'b\uFFFD.ts was skipped, because its name is not valid UTF-8.' }]);
  });

  test('names that would not be unambiguous', async () => {
    const root = tempFolder({ 'a.ts': '' });
    const { host } = optionsFor(root);
    const odd = ['a\\b.ts', 'a::b.ts'].map(name => ({ name, kind: 'file' as const }));
    const result = await scanned(root, { host: { ...host, list: async folder => [...odd, ...(await host.list(folder))] } });
    expect(result.files.map(file => file.path)).toEqual(['a.ts']);
    expect(result.problems.map(problem => problem.code)).toEqual(['NAME_UNUSABLE', 'NAME_UNUSABLE']);
  });

  test('only the root itself can fail', async () => {
    const root = tempFolder({ 'a.ts': '' });
    const code = async (path: string, host = optionsFor(root).host): Promise<string> => {
      const result = await scan(optionsFor(path, { host }), neverCancelled);
      return result.ok ? 'ok' : result.error.code;
    };
    expect(await code(join(root, 'none'))).toBe('ROOT_MISSING');
    expect(await code(join(root, 'a.ts'))).toBe('ROOT_NOT_A_FOLDER');
    expect(await code(root, faultyHost({ [root]: { code: 'EACCES', on: ['list'] } }))).toBe('ROOT_UNREADABLE');
  });

  test('deep folders', async () => {
    const path = `${Array.from({ length: 200 }, () => 'd').join('/')}/a.ts`;
    expect(await pathsOf(tempFolder({ [path]: '' }))).toEqual([path]);
  });

  test('is cancelled', async () => {
    const source = new CancellationSource();
    source.cancel();
    await expect(scan(optionsFor(tempFolder({ 'a.ts': '' })), source.token)).rejects.toThrow('cancelled');
  });
});

describe('after a scan', () => {
  test('inspects what a watcher named', async () => {
    const root = tempFolder({ '.gitignore': '*.log', 'a.ts': '', 'sub/.gitignore': '!x.log\ny.ts', 'sub/b.ts': '' });
    const { filter } = await scanned(root);
    writeFiles(root, { 'new/c.ts': 'c', 'new/.gitignore': 'd.ts', 'new/d.ts': '', 'sub/x.log': '', 'sub/y.ts': '', 'a.log': '', 'node_modules/m/i.js': '' });
    const result = await inspectPaths(
      optionsFor(root),
      filter,
      ['new', 'a.ts', 'sub/x.log', 'sub/y.ts', 'a.log', 'gone', 'node_modules/m/i.js', 'a.ts/none'],
      neverCancelled,
    );
    expect(result.ok && result.value.files.map(file => file.path)).toEqual(['a.ts', 'new/.gitignore', 'new/c.ts', 'sub/x.log']);
    expect(result.ok && result.value.gone).toEqual(['a.log', 'a.ts/none', 'gone', 'node_modules/m/i.js', 'sub/y.ts']);
  });

  test('a path behind a link is not indexed', async () => {
    const root = tempFolder({ 'a/b.ts': '' });
    const { filter } = await scanned(root);
    symlinkSync(join(root, 'a'), join(root, 'l'), 'dir');
    const result = await inspectPaths(optionsFor(root), filter, ['l/b.ts', 'a/b.ts'], neverCancelled);
    expect(result.ok && [result.value.files.map(file => file.path), result.value.gone]).toEqual([['a/b.ts'], ['l/b.ts']]);
  });

  test('the filter answers for paths without asking the disk', async () => {
    const root = tempFolder({ '.gitignore': 'out/', 'env/pyvenv.cfg': '', 'src/a.ts': '' });
    mkdirSync(join(root, 'out'));
    const { filter } = await scanned(root);
    const asked: [string, boolean, boolean][] = [
      ['src/a.ts', false, false],
      ['out', true, true],
      ['out/x/y.ts', false, true],
      ['env', true, true],
      ['env/a.py', false, true],
      ['node_modules', true, true],
      ['src/.env', false, true],
      ['src/new/deep/a.ts', false, false],
    ];
    for (const [path, isFolder, expected] of asked) expect([path, filter.ignores(path, isFolder)]).toEqual([path, expected]);
  });

  test('knows which files change the rules', () => {
    expect(['.gitignore', 'a/.gitignore', 'a/gitignore', 'a.ts'].map(changesRules)).toEqual([true, true, false, false]);
  });
});

test('folders that are looked at beside each other take turns', async () => {
  const root = tempFolder({});
  const folders = Array.from({ length: 16 }, (_, at) => ({ name: `f${at}`, kind: 'directory' as const }));
  const files = Array.from({ length: 1000 }, (_, at) => ({ name: `${at}.ts`, kind: 'file' as const }));
  const host: FileHost = {
    ...nodeHost,
    list: async path => (path === root ? folders : files),
    stat: async path => (path === root ? nodeHost.stat(path) : { kind: 'file', sizeBytes: 1, mtimeMs: 1, inode: 1 }),
  };
  let turns = 0;
  let isOver = false;
  const scanning = scanned(root, { host }).finally(() => (isOver = true));
  while (!isOver) {
    await new Promise(resolve => setImmediate(resolve));
    turns++;
  }
  expect((await scanning).files).toHaveLength(16_000);
  expect(turns).toBeGreaterThan(16_000 / 300);
});
