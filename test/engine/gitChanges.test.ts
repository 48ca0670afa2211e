import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import { findGit } from '../../server/src/code/files/git';
import { nodeHost } from '../../server/src/code/files/nodeHost';
import { changesSince, type TransactionLog } from '../../server/src/engine/changes/changes';
import { readStateName } from '../../server/src/engine/changes/stateNames';
import { codeText } from '../../server/src/engine/parse/codeText';
import type { Parsing } from '../../server/src/engine/parse/parsing';
import { languageRow } from '../../server/src/model/languages';
import type { GraphTx } from '../../server/src/store/transactions';
import { FactsReader } from '../helpers/extract';
import { removeFolder } from '../helpers/removeFolder.mjs';
import { tempFolder, writeFiles } from '../unit/files/tempFolder';

const IDENTITY = ['-c', 'user.name=T', '-c', 'user.email=t@example.invalid', '-c', 'commit.gpgsign=false', '-c', 'core.autocrlf=false'];
const MONEY = 'export function add() {\n  return 1;\n}\n\nexport function times() {\n  return 2;\n}\n';
const FILES = {
  'src/money.ts': MONEY,
  'src/old name.ts': 'export function kept() {\n  return 1;\n}\n'.repeat(3),
  'src/gone.ts': 'export const gone = 1;\n',
  'été.md': 'one\n',
};
const TX: GraphTx = {
  id: '11111111-2222-3333-4444-555555555555',
  projectId: '',
  checkout: '',
  seq: 1,
  type: 'file_change',
  agentId: null,
  sessionId: null,
  gitCommit: null,
  gitBranch: null,
  gitDirty: null,
  timestamp: Date.parse('2026-01-01'),
  mode: 'incremental',
  nodeCount: 0,
  edgeCount: 0,
  filesParsed: 1,
  durationMs: 1,
  status: 'committed',
};

async function parsing(): Promise<Parsing> {
  const reader = await FactsReader.create();
  const nothing = { contentHash: '', sizeBytes: 0, isBinary: false, isGenerated: false, isMinified: false, packed: undefined, problem: undefined };
  return {
    concurrency: 1,
    run: async ({ absolutePath, codeOnly, language, path, text = readFileSync(absolutePath, 'utf8') }) => {
      if (codeOnly !== true) return { ...nothing, facts: await reader.factsOfFile(path, text) };
      const { names, table } = await reader.table(language ?? 'typescript', text);
      return { ...nothing, facts: undefined, code: codeText(table, names, languageRow(language ?? 'typescript'), text) };
    },
    decode: () => undefined,
  };
}

function logOf(...rows: readonly GraphTx[]): TransactionLog {
  return {
    find: id => rows.find(tx => tx.id === id),
    list: ({ agentId }) => rows.filter(tx => agentId === undefined || tx.agentId === agentId),
    filesAffected: id => [`${id.slice(0, 1)}.ts`],
  };
}

function repository(commits = true) {
  const root = tempFolder(FILES);
  const git = (...args: string[]): string =>
    execFileSync('git', [...IDENTITY, ...args], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  git('init', '-q', '-b', 'main');
  if (commits) {
    git('add', '.');
    git('commit', '-q', '-m', 'one');
  }
  return { root, git };
}

async function changes(root: string, since?: string, transactions = logOf()) {
  const isIgnored = (path: string): boolean => path.startsWith('.venv/');
  const git = await findGit(root, nodeHost);
  const found = await changesSince({ root, git, parsing: await parsing(), transactions, horizon: 0, isIgnored }, since, neverCancelled);
  return found.ok ? found.value : found.error;
}

function change(root: string): void {
  writeFileSync(join(root, 'src/money.ts'), 'export function add() {\n  return 10;\n}\n');
  renameSync(join(root, 'src/old name.ts'), join(root, 'src/new name.ts'));
  rmSync(join(root, 'src/gone.ts'));
}

const EXPECTED = [
  { path: 'src/gone.ts', status: 'deleted', before: [{ id: 'src/gone.ts::gone' }] },
  {
    path: 'src/money.ts',
    status: 'modified',
    hunks: [{ added: { start: 2, end: 2 }, removed: { start: 2, end: 6 }, addedText: ['  return 10;'] }],
    before: [{ id: 'src/money.ts::add', start: 1, end: 3 }, { id: 'src/money.ts::times' }],
  },
  { path: 'src/new name.ts', oldPath: 'src/old name.ts', status: 'renamed', hunks: [] },
];

test('new files that the index leaves out are no changes, tracked ones are', async () => {
  const { root, git } = repository();
  writeFiles(root, { '.venv/lib/kept.py': 'kept = 1\n' });
  git('add', '.');
  git('commit', '-q', '-m', 'two');
  writeFiles(root, { '.venv/lib/kept.py': 'kept = 2\n', '.venv/lib/fresh.py': 'fresh = 1\n', 'src/fresh.ts': 'export const fresh = 1;\n' });
  expect(await changes(root)).toMatchObject({ files: [{ path: '.venv/lib/kept.py' }, { path: 'src/fresh.ts', status: 'added' }] });
});

test('what is not committed: edits, renames, deletions and new files, with the symbols there were', async () => {
  const { root, git } = repository();
  change(root);
  git('add', '-A');
  writeFiles(root, { 'src/fresh.ts': 'export const fresh = 1;\n' });
  expect(await changes(root)).toMatchObject({
    since: 'HEAD',
    files: [{ path: 'src/fresh.ts', status: 'added', hunks: undefined }, ...EXPECTED],
  });
});

test.each(['HEAD~1', 'HEAD~1..HEAD', 'HEAD~1...main', 'HEAD~1..'])('%s gives what the last commit changed', async since => {
  const { root, git } = repository();
  change(root);
  git('add', '-A');
  git('commit', '-q', '-m', 'two');
  const found = await changes(root, since);
  expect(found).toMatchObject({ files: EXPECTED });
  if (since.includes('..')) expect(found).toMatchObject({ files: [{}, { after: [{ id: 'src/money.ts::add' }] }, {}] });
});

test('three dots count from where the branches parted', async () => {
  const { root, git } = repository();
  git('checkout', '-q', '-b', 'side');
  writeFiles(root, { 'side.ts': 'export const side = 1;\n' });
  git('add', '-A');
  git('commit', '-q', '-m', 'side');
  git('checkout', '-q', 'main');
  writeFiles(root, { 'main.ts': 'export const main = 1;\n' });
  git('add', '-A');
  git('commit', '-q', '-m', 'main');
  expect(await changes(root, 'main...side')).toMatchObject({ files: [{ path: 'side.ts', status: 'added' }] });
  expect(await changes(root, 'main..side')).toMatchObject({ files: [{ path: 'main.ts' }, { path: 'side.ts' }] });
});

test('a time means the last commit before it', async () => {
  const { root } = repository();
  writeFileSync(join(root, 'été.md'), 'two\n');
  expect(await changes(root, '2100-01-01')).toMatchObject({ files: [{ path: 'été.md', status: 'modified' }] });
  expect(await changes(root, '1980-01-01T00:00:00Z')).toMatchObject({
    files: Object.keys(FILES)
      .sort()
      .map(path => ({ path, status: 'added' })),
  });
});

test('a worktree and a folder inside the checkout are read as such', async () => {
  const { root, git } = repository();
  const other = join(root, '..', `${root.split(/[\\/]/).pop()}-other`);
  git('worktree', 'add', '-q', other);
  writeFileSync(join(other, 'src/money.ts'), MONEY.replace('return 2', 'return 3'));
  try {
    expect(await changes(other)).toMatchObject({ files: [{ path: 'src/money.ts' }] });
    expect(await changes(join(other, 'src'))).toMatchObject({ files: [{ path: 'money.ts', before: [{ id: 'money.ts::add' }, {}] }] });
    expect(await changes(root)).toMatchObject({ files: [] });
  } finally {
    removeFolder(other);
  }
});

test('a hook that points git elsewhere does not mislead', async () => {
  const { root } = repository();
  process.env['GIT_DIR'] = join(root, 'nowhere');
  try {
    expect(await changes(root)).toMatchObject({ files: [] });
  } finally {
    delete process.env['GIT_DIR'];
  }
});

test('line ends that git would convert are no change, by the configuration of the repository as by that of the user', async () => {
  for (const scope of ['--local', '--global']) {
    const home = tempFolder();
    vi.stubEnv('HOME', home);
    vi.stubEnv('XDG_CONFIG_HOME', join(home, 'config'));
    const { root, git } = repository();
    git('config', scope, 'core.autocrlf', 'true');
    writeFiles(home, { 'config/git/ignore': '*.log\n' });
    writeFiles(root, { 'src/money.ts': MONEY.replaceAll('\n', '\r\n'), 'noise.log': '' });
    expect(await changes(root), scope).toMatchObject({ files: [] });
  }
  vi.unstubAllEnvs();
});

test('the branch that one follows is a version, in a checkout with strange names, too', async () => {
  const { root, git } = repository();
  const clone = join(tempFolder(), 'clone');
  git('clone', '-q', root, clone);
  execFileSync('git', ['config', 'branch.ma"in\\.merge', 'refs/heads/x'], { cwd: clone });
  execFileSync('git', ['worktree', 'add', '-q', '-b', 'side', '../side', '--track', 'origin/main'], { cwd: clone, stdio: 'ignore' });
  for (const folder of [clone, join(clone, '..', 'side')]) {
    writeFileSync(join(folder, 'src/money.ts'), '');
    expect(await changes(folder, '@{upstream}')).toMatchObject({ files: [{ path: 'src/money.ts' }] });
  }
});

test('a repository that is shared by its format only is told so', async () => {
  const { root, git } = repository();
  git('config', 'core.repositoryformatversion', '1');
  git('config', 'extensions.objectFormat', 'sha999');
  expect(await changes(root)).toMatchObject({ code: 'GIT' });
});

test.each(['^HEAD', '--output=x', '-p', '--all', 'HEAD^@', 'HEAD^{tree}', 'HEAD\nHEAD', '../../x', 'a'.repeat(9_000), '\u202eHEAD'])(
  '%j is refused as a commit',
  async word => {
    const { git, root } = repository();
    git('update-ref', 'refs/tags/--output=x', 'HEAD');
    expect(await changes(root, word)).toMatchObject({ code: 'NOT_FOUND' });
    expect(git('status', '--porcelain')).toBe('');
  },
);

test('before the first commit everything is new', async () => {
  const { root, git } = repository(false);
  git('add', 'src/gone.ts');
  expect(await changes(root)).toMatchObject({
    files: Object.keys(FILES)
      .sort()
      .map(path => ({ path, status: 'added' })),
  });
});

test.each([
  'nope',
  'HEAD~7',
  '--output=x',
  'a\nb',
  'nope..HEAD',
  'agent:nobody',
  'commit:nope',
  'tx::11111111-2222-3333-4444-555555555556',
  '11111111-2222-3333-4444-555555555556',
])('%j is no version here', async since => {
  const { root } = repository();
  expect(await changes(root, since, logOf(TX))).toMatchObject({ code: 'NOT_FOUND', hint: expect.stringContaining(`tx::${TX.id} (2026-01-01T00:00:00.000Z)`) });
});

test('without git only the transactions can tell', async () => {
  const root = tempFolder(FILES);
  const later = { ...TX, id: '21111111-2222-3333-4444-555555555555', seq: 2, timestamp: TX.timestamp + 1000 };
  const log = logOf(later, TX);
  expect(await changes(root)).toMatchObject({ code: 'NO_GIT' });
  expect(await changes(root, TX.id, log)).toMatchObject({ files: [{ path: '2.ts', hunks: undefined }] });
  expect(await changes(root, '2026-01-01', log)).toMatchObject({ files: [{ path: '2.ts' }] });
  expect(await changes(root, '2025-12-31', log)).toMatchObject({ files: [{ path: '1.ts' }, { path: '2.ts' }] });
});

test('a transaction made at a commit without other changes is compared by git', async () => {
  const { root, git } = repository();
  const log = logOf({ ...TX, gitCommit: git('rev-parse', 'HEAD'), gitDirty: false });
  writeFileSync(join(root, 'src/money.ts'), MONEY.replace('return 2', 'return 3'));
  expect(await changes(root, TX.id, log)).toMatchObject({ files: [{ path: 'src/money.ts', hunks: [{ added: { start: 6, end: 6 } }] }] });
});

test('one version has many names: a commit, a transaction with its prefix, and the agent that made it', async () => {
  const { root, git } = repository();
  const commit = git('rev-parse', 'HEAD');
  const log = logOf({ ...TX, gitCommit: commit, gitDirty: false, agentId: 'ada' });
  writeFileSync(join(root, 'src/money.ts'), MONEY.replace('return 2', 'return 3'));
  const expected = [{ path: 'src/money.ts', status: 'modified' }];
  for (const since of [commit, commit.slice(0, 7), `commit:${commit.slice(0, 9)}`, `tx::${TX.id}`, TX.id.toUpperCase(), 'ada', 'agent:ada'])
    expect(await changes(root, since, log), since).toMatchObject({ files: expected });
  expect(await changes(root, 'ada', logOf(TX))).toMatchObject({ code: 'NOT_FOUND' });
});

test.each([
  ['2026-01-31', { kind: 'time', at: Date.UTC(2026, 0, 31) }],
  ['2026-01-31T10:00', { kind: 'time', at: Date.UTC(2026, 0, 31, 10) }],
  ['2026-01-31 10:00:30+02:00', { kind: 'time', at: Date.UTC(2026, 0, 31, 8, 0, 30) }],
  ['2026-02-14', { kind: 'time', at: Date.UTC(2026, 1, 14) }],
  ['2026-14-14', { kind: 'revision', text: '2026-14-14', isForced: false }],
  ['deadbee', { kind: 'revision', text: 'deadbee', isForced: false }],
  ['commit:2026-01-31', { kind: 'revision', text: '2026-01-31', isForced: true }],
  ['agent:a..b', { kind: 'agent', name: 'a..b' }],
  [' HEAD ', { kind: 'revision', text: 'HEAD', isForced: false }],
  ['main...', { kind: 'range', from: 'main', dots: '...', to: '' }],
])('%j is read as %j', (text, expected) => {
  expect(readStateName(text)).toMatchObject(expected);
});

test('lines in which only comments and empty lines changed are no changes, of the folder or of a range; code beside them is', async () => {
  const { root, git } = repository();
  writeFiles(root, { 'src/doc.py': "import os\n\ndef f():\n    '''Of f.'''\n    return 1\n" });
  git('add', '.');
  git('commit', '-q', '-m', 'two');
  writeFiles(root, {
    'src/doc.py': "import os\n\ndef f():\n    '''Of f,\n    and more.'''\n    return 1\n",
    'src/money.ts': `/*\n Adds\n and multiplies.\n*/\n\n${MONEY.replace('return 2;', '// more\n  return 3; // three')}`,
    'src/gone.ts': '// for now\nexport const gone = 1; // 2\n',
  });
  const expected = {
    files: [
      { path: 'src/doc.py', status: 'modified', hunks: [] },
      { path: 'src/gone.ts', hunks: [] },
      { path: 'src/money.ts', hunks: [{ removedText: ['  return 2;'], addedText: ['', '  return 3;'] }] },
    ],
  };
  expect(await changes(root)).toMatchObject(expected);
  git('commit', '-qam', 'three');
  expect(await changes(root, 'HEAD~1..HEAD')).toMatchObject(expected);
});
