import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { removeFolder } from '../helpers/removeFolder.mjs';
import { cli, FakeHost } from './fakeHost';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lattice-knowledge-')));
const checkout = join(folder, 'shop');
mkdirSync(join(checkout, '.git'), { recursive: true });
afterAll(() => removeFolder(folder));

const FILE = '.lattice/knowledge/atoms/checkout--00000000.md';
const ERROR = { path: FILE, line: 12, message: 'Git conflict marker.', fix: 'Decide for one side.', severity: 'error' };
const WARNING = { ...ERROR, line: 2, message: 'It refers to what is not there.', severity: 'warning' };
const CONFLICT = { id: 'atom::1', kind: 'atom', name: 'Checkout', reason: 'both_changed', fields: ['knowledge'], path: FILE };

let host: FakeHost;
let answer: object;
beforeEach(() => {
  host = new FakeHost(folder);
  host.prepare = gateway => {
    gateway.answers = { exportKnowledge: () => answer, importKnowledge: () => answer, checkKnowledge: () => answer };
  };
});

const run = (...words: string[]): ReturnType<typeof cli> => cli(host, checkout, ['knowledge', ...words]);

const EXPORTED = { written: [], removed: [], pending: [], conflicts: [], problems: [] };
const IMPORTED = { created: 1, updated: 3, merged: 2, removed: 0, entries: 1, conflicts: [], problems: [] };
const CHECKED = { atoms: 1, molecules: 2, entries: 1, problems: [] };

test.each<[words: string, answer: object, exit: number, stdout: string]>([
  ['check', CHECKED, 0, '1 atom, 2 molecules, 1 changelog entry: no problems found.\n'],
  [
    'check',
    { ...CHECKED, problems: [WARNING, ERROR] },
    1,
    `${FILE}:2: warning: It refers to what is not there. Decide for one side.\n${FILE}:12: error: Git conflict marker. Decide for one side.\n1 error in the knowledge files. Usable: 1 atom, 2 molecules, 1 changelog entry.\n`,
  ],
  [
    'check',
    { ...CHECKED, problems: [WARNING] },
    0,
    `${FILE}:2: warning: It refers to what is not there. Decide for one side.\n1 atom, 2 molecules, 1 changelog entry: no problems found.\n`,
  ],
  ['export', EXPORTED, 0, 'Knowledge files are up to date.\n'],
  ['export', { ...EXPORTED, written: [FILE], removed: ['x'] }, 0, '1 file written, 1 deleted.\n'],
  [
    'export',
    { ...EXPORTED, pending: ['atom::1'] },
    1,
    '1 file changed since the last import. Run lattice knowledge import first.\nKnowledge files are up to date.\n',
  ],
  [
    'export',
    { ...EXPORTED, conflicts: [CONFLICT] },
    1,
    `${FILE}: conflict: the atom Checkout was changed both here and in the file (knowledge). Resolve it in the editor. atom::1\nKnowledge files are up to date.\n`,
  ],
  ['import', IMPORTED, 0, '1 created, 3 updated (2 merged), 0 deleted, 1 changelog entry.\n'],
  [
    'import',
    { ...IMPORTED, problems: [ERROR] },
    1,
    `${FILE}:12: error: Git conflict marker. Decide for one side.\n1 created, 3 updated (2 merged), 0 deleted, 1 changelog entry.\n`,
  ],
  ['import', { created: 0 }, 0, 'Knowledge is up to date.\n'],
])('lattice knowledge %s', async (words, given, exit, out) => {
  answer = given;
  expect(await run(words)).toEqual({ exit, out, err: '' });
});

test('--json gives the answer and the same exit code', async () => {
  answer = { ...CHECKED, problems: [ERROR] };
  const { exit, out } = await run('check', '--json');
  expect([exit, JSON.parse(out)]).toEqual([1, { ok: false, ...answer }]);
});

test('many deletions want --yes', async () => {
  answer = { question: { removed: 11, total: 20, message: 'The files of 11 of 20 are gone.' } };
  expect(await run('import')).toMatchObject({
    exit: 1,
    out: '',
    err: expect.stringMatching(/The files of 11 of 20 are gone\.\n.*lattice knowledge import --yes/),
  });
  answer = IMPORTED;
  await run('import', '--yes');
  expect(host.gateways.get(checkout)?.queries.at(-1)).toMatchObject({ feature: 'importKnowledge', params: { mayRemoveMany: true } });
});

test.each([[[]], [['push']]])('%j is no action', async words => {
  expect((await run(...words)).exit).toBe(2);
});

test('a refusal is said with its hint', async () => {
  host.prepare = () => undefined;
  expect(await run('export')).toMatchObject({ exit: 1, err: expect.stringContaining('no feature exportKnowledge') });
});
