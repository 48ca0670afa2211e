import { execFileSync } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { IgnoreRules } from '../../../server/src/code/files/ignoreRules';
import { pathsOf, scanned } from './scanning';
import { tempFolder } from './tempFolder';

describe('nested ignore files', () => {
  const cases: readonly { readonly says: string; readonly files: Readonly<Record<string, string>>; readonly left: readonly string[] }[] = [
    { says: "a parent's rule holds below", files: { '.gitignore': '*.log', 'a/b/x.log': '', 'a/b/x.ts': '' }, left: ['a/b/x.ts'] },
    {
      says: 'a nested rule does not hold above or beside',
      files: { 'a/.gitignore': 'x.ts', 'a/x.ts': '', 'a/b/x.ts': '', 'x.ts': '', 'c/x.ts': '' },
      left: ['c/x.ts', 'x.ts'],
    },
    { says: 'a nested file brings back', files: { '.gitignore': '*.log', 'a/.gitignore': '!x.log', 'a/x.log': '', 'x.log': '' }, left: ['a/x.log'] },
    { says: 'nothing comes back below an ignored folder', files: { '.gitignore': 'a/\n!a/x.ts', 'a/.gitignore': '!x.ts', 'a/x.ts': '' }, left: [] },
    {
      says: 'a folder that came back is judged anew',
      files: { '.gitignore': 'b/\n*.log', 'a/.gitignore': '!b/', 'a/b/x.ts': '', 'a/b/x.log': '', 'b/x.ts': '' },
      left: ['a/b/x.ts'],
    },
    { says: 'a folder rule spares a file of that name', files: { '.gitignore': 'x/', 'a/x': '', 'b/x/y': '' }, left: ['a/x'] },
    {
      says: 'an anchored rule',
      files: { 'a/.gitignore': '/x.ts\nb/y.ts', 'a/x.ts': '', 'a/b/x.ts': '', 'a/b/y.ts': '', 'a/c/b/y.ts': '' },
      left: ['a/b/x.ts', 'a/c/b/y.ts'],
    },
    { says: 'all but one', files: { '.gitignore': '/a/*\n!/a/keep.ts', 'a/x.ts': '', 'a/keep.ts': '' }, left: ['a/keep.ts'] },
    { says: 'odd folder names', files: { 'a[1] b!/.gitignore': 'x.ts', 'a[1] b!/x.ts': '', 'a1/x.ts': '' }, left: ['a1/x.ts'] },
    {
      says: 'line ends, marks, comments, escapes',
      files: {
        '.gitignore': '\uFEFFx.ts\r\n#y.ts\r\n\\#z.ts\r\n  \r\n\\!w.ts\r\ntrail.ts   ',
        'x.ts': '',
        'y.ts': '',
        '#z.ts': '',
        '!w.ts': '',
        'trail.ts': '',
      },
      left: ['y.ts'],
    },
  ];
  test.each(cases)('$says', async ({ files, left }) => {
    const found = await pathsOf(tempFolder(files));
    expect(found.filter(path => !path.endsWith('.gitignore'))).toEqual(left);
  });

  test('the repository above the opened folder, and its private excludes', async () => {
    const root = tempFolder({
      '.git/HEAD': 'x',
      '.git/info/exclude': 'private.ts',
      '.gitignore': '/sub/own.ts\n*.log',
      'sub/own.ts': '',
      'sub/private.ts': '',
      'sub/x.log': '',
      'sub/x.ts': '',
    });
    expect(await pathsOf(join(root, 'sub'))).toEqual(['x.ts']);
    expect(await pathsOf(join(root, 'sub'), { respectGitignore: false })).toEqual(['own.ts', 'private.ts', 'x.log', 'x.ts']);
  });

  test('a folder that is ignored from above is still indexed when it is the one opened', async () => {
    const root = tempFolder({ '.git/HEAD': 'x', '.gitignore': 'scratch', 'scratch/.gitignore': 'b.ts', 'scratch/a.ts': '', 'scratch/b.ts': '' });
    expect(await pathsOf(join(root, 'scratch'))).toEqual(['.gitignore', 'a.ts']);
  });

  test('files that git tracks are in, whatever the rules say: from the opened folder, in nested repositories, with the case of the disk', async () => {
    const root = tempFolder({
      '.gitignore': 'bin\n*.log\nscratch',
      'sub/bin/tool.ts': '',
      'sub/bin/other.ts': '',
      'sub/Kept.log': '',
      'sub/x.log': '',
      'sub/dist/a.js': '',
      'sub/.env': '',
      'scratch/a.ts': '',
      'scratch/x.log': '',
      'sub/inner/.gitignore': '*.ts',
      'sub/inner/a.ts': '',
      'sub/inner/b.ts': '',
    });
    const git = (folder: string, ...args: string[]): string => execFileSync('git', args, { cwd: join(root, folder), encoding: 'utf8' });
    git('sub/inner', 'init', '-q');
    git('sub/inner', 'add', '--force', 'a.ts');
    git('', 'init', '-q');
    git('', 'add', '--force', 'sub/bin/tool.ts', 'sub/Kept.log', 'sub/dist/a.js', 'sub/.env', 'scratch/a.ts');
    expect(await pathsOf(join(root, 'sub'))).toEqual(['Kept.log', 'bin/tool.ts', 'inner/.gitignore', 'inner/a.ts']);
    expect(await pathsOf(join(root, 'scratch'))).toEqual(['a.ts', 'x.log']);
    git('', 'mv', '--force', 'sub/Kept.log', 'sub/kept.LOG');
    git('', 'update-index', '--assume-unchanged', 'sub/bin/tool.ts');
    renameSync(join(root, 'sub/kept.LOG'), join(root, 'sub/KEPT.log'));
    expect(await pathsOf(join(root, 'sub'), { caseInsensitive: true })).toEqual(['KEPT.log', 'bin/tool.ts', 'inner/.gitignore', 'inner/a.ts']);
  });

  test('case counts only where the file system says so', () => {
    const asked = (caseInsensitive: boolean): boolean =>
      IgnoreRules.empty(caseInsensitive)
        .with('', 'README.md', () => undefined)
        .ignores('readme.MD');
    expect([asked(true), asked(false)]).toEqual([true, false]);
  });
});

/** Mulberry32: the same sequence for the same seed everywhere. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

test('says what git says, for generated trees and rules', async () => {
  const names = ['a', 'b', 'c.ts', 'd.log', 'ab', 'x y'];
  const patterns = [
    'a',
    'a/',
    '/a',
    '!a',
    '!a/',
    'b/*',
    '!b/c.ts',
    '*.log',
    '!d.log',
    '**/a',
    'a/**',
    '/b/**/c.ts',
    'a/b',
    '!*/',
    '*',
    '!/b',
    '[ab]',
    'a?',
    'x y',
    'x\\ y',
    '**/b/**',
    '!**/c.ts',
    'b',
    '#c',
    '/*',
    '!/*/',
  ];
  for (let seed = 1; seed <= 60; seed++) {
    const random = randomFrom(seed);
    const files: Record<string, string> = {};
    const grow = (folder: string, depth: number): void => {
      if (random(3) > 0) files[`${folder}.gitignore`] = Array.from({ length: 1 + random(4) }, () => patterns[random(patterns.length)]).join('\n');
      for (const name of names) {
        if (random(2) === 0) continue;
        if (depth < 3 && random(2) === 0) grow(`${folder}${name}/`, depth + 1);
        else files[`${folder}${name}`] = '';
      }
    };
    grow('', 0);
    const root = tempFolder(files);
    const git = (...args: string[]): string =>
      execFileSync('git', ['-c', 'core.excludesFile=', '-c', 'core.quotePath=false', ...args], { cwd: root, encoding: 'utf8' });
    git('init', '-q');
    writeFileSync(join(root, '.git/info/exclude'), random(2) === 0 ? 'ab' : '');
    // What git tracks belongs to the project, whatever the rules say.
    const tracked = seed % 2 === 0 ? [] : Object.keys(files).filter(() => random(3) === 0);
    if (tracked.length > 0) git('add', '--force', '--', ...tracked);
    const expected = git('ls-files', '--cached', '--others', '--exclude-standard', '-z')
      .split('\0')
      .filter(path => path !== '');
    const result = await scanned(root);
    expect({ seed, files: result.files.map(file => file.path) }).toEqual({ seed, files: expected.sort() });
    const all = Object.keys(files).filter(path => !result.filter.ignores(path, false));
    expect({ seed, files: all.sort() }).toEqual({ seed, files: expected });
  }
});

describe('patterns that are left out', () => {
  const LONG = 'x'.repeat(100_000);
  const bad = [LONG, '*a*a*a*a*a*a*a*ab', `${'['.repeat(900)}`, '\\'];

  test.each(bad)('%s is reported, shortened, and does not affect other patterns', async pattern => {
    const root = tempFolder({
      '.git/HEAD': 'x',
      '.gitignore': `*.log\n${pattern}\n*.tmp`,
      [`${'a'.repeat(200)}.ts`]: '',
      'x.log': '',
      'x.tmp': '',
      'sub/.gitignore': pattern,
    });
    const { files, problems } = await scanned(root);
    expect(files.map(file => file.path)).not.toEqual(expect.arrayContaining(['x.log']));
    expect(files.map(file => file.path)).not.toEqual(expect.arrayContaining(['x.tmp']));
    expect(files).toHaveLength(3);
    for (const problem of problems) expect(problem.message.length).toBeLessThan(200);
  });

  test('each is told with its file', async () => {
    const root = tempFolder({ '.git/HEAD': 'x', 'sub/.gitignore': `${LONG}\n*a*b*c*d`, 'a.ts': '' });
    const { problems } = await scanned(root, { ignorePatterns: [LONG], excludeGlobs: [LONG] });
    expect(problems.map(({ code, path }) => [code, path])).toEqual([
      ['BAD_PATTERN', ''],
      ['BAD_PATTERN', ''],
      ['BAD_PATTERN', 'sub/.gitignore'],
      ['BAD_PATTERN', 'sub/.gitignore'],
    ]);
    expect(problems.at(-2)?.message).toBe(`The pattern ${'x'.repeat(60)}… is longer than 1000 characters and is ignored.`);
  });

  test("the editor's globs may have any number of wildcards: they become no regular expressions", async () => {
    const root = tempFolder({ [`${'a'.repeat(200)}.ts`]: '', 'abcb.ts': '' });
    const { files, problems } = await scanned(root, { excludeGlobs: ['*a*a*a*a*a*a*a*a*b', '**/*a*b*c*b*.ts'] });
    expect([files.map(file => file.path), problems]).toEqual([[`${'a'.repeat(200)}.ts`], []]);
  });

  test('a flood of patterns is cut and named', async () => {
    const root = tempFolder({
      '.git/HEAD': 'x',
      '.gitignore': Array.from({ length: 30_000 }, (_, at) => `f${at}.ts`).join('\n'),
      'f1.ts': '',
      'f29999.ts': '',
    });
    const { files, problems } = await scanned(root);
    expect(files.map(file => file.path)).toEqual(['.gitignore', 'f29999.ts']);
    expect(problems.map(problem => problem.message)).toEqual(['There are too many patterns. Those from f20000.ts on are ignored.']);
  });
});
