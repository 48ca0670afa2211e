import { beforeEach, expect, test, vi } from 'vitest';
import type { LatticeServer } from '../../../client/src/languageClient/latticeServer';
import { REASON_WORDS } from '../../../client/src/tests/reasonWords';
import { Address, editor, person, settings } from '../../helpers/editorStandIn';

vi.mock('vscode', async () => (await import('../../helpers/editorStandIn')).editor);
const { allowTests, approveBeforeRun, approveTestCommand } = await import('../../../client/src/commands/approveTestCommand');

const VITEST = ['npx', 'vitest', 'run'];
const PYTEST = ['pytest', '-q'];

function serverWith(...commands: readonly (readonly [readonly string[], boolean])[]): LatticeServer {
  return { ask: async () => ({ commands: commands.map(([command, approved]) => ({ command, approved })) }) } as unknown as LatticeServer;
}

beforeEach(() => {
  person.will();
  settings.clear();
  editor.workspace.isTrusted = true;
  editor.workspace.workspaceFolders = [{ name: 'shop', uri: Address.file('/shop'), index: 0 }];
});

test('the only command is named in the question, and approved with it', async () => {
  person.will('Allow');
  expect(await allowTests(serverWith([PYTEST, false]))).toBe(true);
  expect(person.asked[0]).toMatchObject({ text: 'Do you want to run tests with "pytest -q"?', options: { modal: true } });
  expect(Object.fromEntries(settings)).toEqual({ 'lattice.tests.allowRun': true, 'lattice.tests.approved': [JSON.stringify(PYTEST)] });
});

test('of several commands none is approved by allowing tests; who leaves the question allows nothing', async () => {
  const server = serverWith([PYTEST, false], [VITEST, false]);
  person.will(undefined);
  expect(await allowTests(server)).toBe(false);
  expect(settings.size).toBe(0);
  person.will('Allow');
  expect(await allowTests(server)).toBe(true);
  expect(person.asked[0]?.options.detail).toContain('Each command must be approved before its first run.');
  expect(Object.fromEntries(settings)).toEqual({ 'lattice.tests.allowRun': true });
});

test('what is approved already is not offered, and nothing is approved twice', async () => {
  settings.set('lattice.tests.allowRun', true);
  settings.set('lattice.tests.approved', [JSON.stringify(VITEST)]);
  person.will('pytest -q', 'Approve');
  expect(await approveTestCommand({ server: serverWith([PYTEST, false], [VITEST, true]) })).toBe(true);
  expect(person.asked[0]?.rows.map(({ label }) => label)).toEqual(['pytest -q']);
  person.will('Approve');
  expect(await approveBeforeRun(PYTEST)).toBe(true);
  expect(settings.get('lattice.tests.approved')).toEqual([VITEST, PYTEST].map(command => JSON.stringify(command)));
  person.will();
  expect(await approveTestCommand({ server: serverWith([PYTEST, true]) })).toBe(false);
  expect(person.asked.map(({ text }) => text)).toEqual(['All test commands are already approved.']);
});

test('in a workspace that is not trusted nothing is asked, and without tests it is said', async () => {
  await expect(allowTests(serverWith())).rejects.toThrow('No tests of a supported framework were found in this workspace.');
  editor.workspace.isTrusted = false;
  await expect(allowTests(serverWith([PYTEST, false]))).rejects.toThrow('Trust the workspace first.');
  expect(person.asked).toEqual([]);
});

test('a test that only may run the change says so, and one that does says how', () => {
  const possible = Object.entries(REASON_WORDS).filter(([, words]) => words.startsWith('possible: '));
  expect(possible.map(([reason]) => reason)).toEqual(['mentions', 'imports']);
  expect(REASON_WORDS.ran).toBe('ran the change (coverage)');
});
