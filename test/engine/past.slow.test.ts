import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import { hashText } from '../../server/src/base/hash';
import type { Answer } from '../../server/src/features/catalogue/catalogue';
import { Checkout } from './checkout';
import { closeAll, cold, exported, IDENTITY, open, type Repository, repository } from './repository';

afterEach(closeAll);

/** What makes a commit hard to read: module rules that change, names that move, files that are ignored, unreadable, broken or links. */
function tricky(): { readonly repository: Repository; readonly commits: readonly string[] } {
  const made = repository();
  const { checkout } = made;
  mkdirSync(join(checkout.root, 'app'));
  symlinkSync('../src/money.ts', join(checkout.root, 'app', 'link.ts'));
  const commits = [
    made.commit({
      '.gitignore': 'generated/\n*.local.ts\n',
      'tsconfig.json': '{"compilerOptions":{"paths":{"@m/*":["./src/*"]}}}',
      'package.json': '{"name":"shop"}',
      'src/money.ts': 'export function add(a: number) {\n  return a;\n}\nexport class Till {\n  total() {\n    return add(1);\n  }\n}\n',
      'src/use.ts': "import { add } from '@m/money';\nexport const twice = () => add(2, 'quadrille');\n",
      'generated/tracked.ts': 'export const made = 1;\n',
      'a.local.ts': 'export const mine = 1;\n',
      'build/tool.ts': "import { made } from '../generated/tracked';\nexport const built = made;\n",
      'py/pay.py': 'def pay(x):\n    return x\n\nclass Shop:\n    def run(self):\n        return pay(1)\n',
      'blob.bin': Uint8Array.from([0, 1, 2, 0, 255]),
    }),
    made.commit(
      {
        'tsconfig.json': '{"compilerOptions":{"paths":{"@m/*":["./lib/*"]}}}',
        'lib/money.ts': 'export function add(a: number, b: number) {\n  return a + b;\n}\n',
        'src/broken.ts': 'export function half( {\n  return ;\n}}}\nexport const rest = 1;\n',
        'bom.ts': `\uFEFFexport const marked = 1;\n`,
      },
      ['a.local.ts'],
    ),
    made.commit(
      {
        'lib/till.ts': "import { add } from './money';\nexport class Till {\n  total() {\n    return add(1, 2);\n  }\n}\n",
        'py/pay.py': 'from py.tax import tax\n\ndef pay(x):\n    return tax(x)\n',
        'py/tax.py': 'def tax(x):\n    return x\n',
        'odd name/été.ts': "import { add } from '../lib/money';\nadd(1, 2);\n",
      },
      ['src/money.ts', 'generated', 'build', 'app'],
    ),
  ];
  return { repository: made, commits };
}

test('the graph of a commit is the one that a cold index of it makes, to the byte', async () => {
  const { commits, repository: made } = tricky();
  const asking = await made.checkout.open();
  for (const commit of commits) {
    const expected = await cold(made.checkout.root, commit);
    expect(expected).toContain('pay.py');
    expect(await exported(asking, { asOf: commit })).toBe(expected);
  }
  expect(await exported(asking, { asOf: 'HEAD' })).toBe(await exported(asking));
  const again = made.checkout.open();
  expect(await exported(await again, { asOf: 'HEAD~2' })).toBe(await cold(made.checkout.root, commits[0] ?? ''));
});

test('a workspace below the top of the repository sees its part of a commit', async () => {
  const { commits, repository: made } = tricky();
  const asking = await made.checkout.open({ root: join(made.checkout.root, 'py') });
  expect(await exported(asking, { asOf: commits[0] })).toBe(await cold(made.checkout.root, commits[0] ?? '', 'py'));
});

test('tools answer as of a commit, a tag, a branch, a time and a transaction, and find what is gone', async () => {
  const { commits, repository: made } = tricky();
  made.git('tag', 'v1', commits[0] ?? '');
  made.git('branch', 'old', commits[1] ?? '');
  const asking = await made.checkout.open();
  const first = commits[0]?.slice(0, 12);
  for (const asOf of [commits[0], commits[0]?.slice(0, 8), 'v1', 'HEAD~2', 'commit:v1', '2026-01-01T13:00:00Z', '2026-01-02']) {
    const { envelope, text } = await asking.call('code_explain', { target: 'src/money.ts::Till::total', asOf });
    expect(envelope, String(asOf)).toMatchObject({ ok: true, stamp: { head: first, asOf: Date.parse('2026-01-01T12:00:00Z'), pendingFiles: 0 } });
    expect(text).toContain('as of 2026-01-01 12:00');
  }
  expect((await asking.call('search_code', { query: 'tracked made', asOf: 'old' })).envelope).toMatchObject({ ok: true });
  const sliced = await asking.call('semantic_slice', { symbol: 'a.local.ts::mine', asOf: 'v1', profile: 'balanced' });
  expect(sliced.text).toContain(made.git('show', 'v1:a.local.ts').trim());
  expect((await asking.call('context_pack', { task: 'mine', asOf: 'v1' })).envelope).toMatchObject({ ok: true, data: { entryPoint: 'a.local.ts::mine' } });
  const spoken = await asking.gateway.query('search', { query: 'quadrille', asOf: commits[1] }, asking.caller(), neverCancelled);
  expect(spoken).toMatchObject({ ok: true, value: { hits: expect.arrayContaining([expect.objectContaining({ id: 'src/use.ts::twice' })]) } });
  expect(await asking.find('mine')).not.toContain('a.local.ts::mine');
  const found = await asking.gateway.query('search', { query: 'mine', asOf: 'v1' }, asking.caller(), neverCancelled);
  expect(found).toMatchObject({ ok: true, value: { hits: [{ id: 'a.local.ts::mine' }] } });

  const now = (await asking.call('code_explain', { target: 'lib/till.ts::Till' })).envelope;
  expect((await asking.call('code_explain', { target: 'lib/till.ts::Till', asOf: '2999-01-01' })).envelope).toEqual(now);
  const { latestTxId } = await asking.health();
  expect((await asking.call('code_explain', { target: 'lib/till.ts::Till', asOf: `tx::${latestTxId}` })).envelope).toMatchObject({ ok: true });

  expect((await asking.call('search_code', { query: 'add', asOf: '2020-01-01' })).envelope).toMatchObject({
    ok: true,
    data: { results: [] },
    hint: expect.stringContaining('before the first commit'),
  });
  const early = (await asking.call('code_explain', { target: 'add', asOf: '2020-01-01' })).envelope;
  expect(early).toMatchObject({ ok: false, errorCode: 'NOT_FOUND', hint: expect.stringContaining('before the first commit') });
  const elsewhere = (await asking.call('code_explain', { target: 'nobody', asOf: 'v1' })).envelope;
  expect(elsewhere).toMatchObject({ ok: false, errorCode: 'NOT_FOUND', hint: expect.stringContaining('about a past state') });
  expect((await asking.call('code_explain', { target: 'nobody' })).envelope.hint).not.toContain('past state');
  const unknown = (await asking.call('code_explain', { target: 'add', asOf: 'nowhere' })).envelope;
  expect(unknown).toMatchObject({ ok: false, errorCode: 'NOT_FOUND', data: { field: 'asOf' } });
  expect(unknown.hint).toContain(`tx::${latestTxId}`);
  for (const asOf of ['', 'HEAD~1..HEAD'])
    expect((await asking.call('code_explain', { target: 'add', asOf })).envelope).toMatchObject({ ok: false, errorCode: 'VALIDATION_ERROR' });
});

test('uncommitted changes are in no past state, and a query of a past state changes nothing', async () => {
  const { commits, repository: made } = tricky();
  const { checkout } = made;
  checkout.write({ 'new.ts': 'export const fresh = 1;\n', 'lib/money.ts': 'export function add() {}\nexport function sub() {}\n' });
  const asking = await checkout.open();
  expect(await asking.find('fresh')).toContain('new.ts::fresh');
  const before = await exported(asking);
  const revision = await asking.revision();
  expect(await exported(asking, { asOf: 'HEAD' })).toBe(await cold(checkout.root, commits[2] ?? ''));
  expect(await exported(asking)).toBe(before);
  expect(await asking.revision()).toBe(revision);
  expect(made.git('status', '--porcelain')).toBe('M lib/money.ts\n?? new.ts');
});

test('the state of a transaction has what is in no commit: edits, and files that git does not track', async () => {
  const made = repository();
  made.commit({ 'a.ts': 'export const a = 1;\n', 'b.ts': 'export const b = 1;\n' });
  const { checkout } = made;
  const asking = await checkout.open();
  const states: { readonly txId: string; readonly rows: string }[] = [];
  const note = async (): Promise<void> => {
    const begun = await asking.gateway.query('rebuild', { mode: 'incremental' }, asking.caller(), neverCancelled);
    if (!begun.ok) throw new Error(begun.error.message);
    const { txId } = begun.value as Answer<'rebuild'>;
    expect(await asking.gateway.query('rebuildEnd', { txId }, asking.caller(), neverCancelled)).toMatchObject({ ok: true });
    states.push({ txId, rows: await exported(asking) });
  };
  checkout.write({ 'new.ts': 'export const fresh = 1;\n' });
  await note();
  checkout.write({ 'a.ts': 'export const other = 1;\n' });
  await note();
  made.commit({ 'b.ts': 'export const later = 1;\n' });
  await note();
  expect(new Set(states.map(({ rows }) => rows)).size).toBe(3);
  for (const { rows, txId } of states) expect(await exported(asking, { asOf: `tx::${txId}` })).toBe(rows);
  const [first, second, third] = states.map(({ txId }) => `tx::${txId}`);
  expect((await asking.call('semantic_slice', { symbol: 'b.ts::b', asOf: first, profile: 'balanced' })).text).toContain('export const b = 1;');
  const unchanged = (await asking.call('semantic_slice', { symbol: 'b.ts::later', asOf: third, profile: 'balanced' })).text;
  expect(unchanged).toContain('export const later = 1;');
  checkout.write({ 'a.ts': 'export const newest = 1;\n' });
  await note();
  const lost = (await asking.call('semantic_slice', { symbol: 'a.ts::other', asOf: second })).envelope;
  expect(lost).toMatchObject({ ok: false, errorCode: 'UNAVAILABLE', summary: 'The source of a.ts at that time is not stored.' });
  expect(JSON.stringify(lost)).not.toContain('clone');
  const pack = (await asking.call('context_pack', { task: 'change other', asOf: second })).envelope;
  expect(pack).toMatchObject({ ok: true, summary: expect.stringContaining('Start at a.ts::other.') });
  expect(pack.stamp).not.toHaveProperty('missingFiles');
  const last = await asking.gateway.query('explain', { target: `tx::${states[2]?.txId}` }, asking.caller(), neverCancelled);
  expect(last).toMatchObject({ ok: true, value: { attributes: { gitCommit: made.git('rev-parse', 'HEAD') } } });
});

/** Clones of real repositories, separated by commas; each is compared at 20 commits that `LATTICE_SEED` picks. */
const REAL = (process.env['LATTICE_REPOSITORIES'] ?? '').split(',').filter(path => path !== '');

test.each(REAL)('%s: the graph of random commits is the one that a cold index of them makes, to the byte', async path => {
  const made = new Checkout({});
  open.push(made);
  execFileSync('git', [...IDENTITY, 'clone', '-q', path, made.root], { stdio: 'ignore' });
  const all = execFileSync('git', ['rev-list', 'HEAD'], { cwd: made.root, encoding: 'utf8' }).trim().split('\n');
  const asking = await made.open();
  const different: string[] = [];
  for (let at = 0; at < 20; at++) {
    const commit = all[Number.parseInt(hashText(`${process.env['LATTICE_SEED'] ?? ''}${path}${at}`).slice(0, 8), 16) % all.length] ?? '';
    if ((await exported(asking, { asOf: commit })) !== (await cold(made.root, commit))) different.push(commit);
  }
  expect(different).toEqual([]);
});

test('a partial clone reports missing contents of a commit and fetches nothing', async () => {
  const { commits, repository: made } = tricky();
  made.git('config', 'uploadpack.allowFilter', 'true');
  const clone = join(made.checkout.base, 'clone');
  const source = `file://${made.checkout.root.replaceAll('\\', '/').replace(/^(?!\/)/, '/')}`;
  execFileSync('git', ['clone', '-q', '--no-local', '--filter=blob:none', source, clone], { stdio: 'ignore' });
  const asking = await made.checkout.open({ root: clone });
  const found = await asking.call('search_code', { query: 'pay', asOf: commits[0] });
  expect(found.envelope).toMatchObject({ ok: true, stamp: { missingFiles: expect.any(Number) } });
  expect(found.text).toMatch(/content of \d+ files not in this clone/);
  const explained = await asking.call('code_explain', { target: 'src/money.ts::Till', asOf: commits[0] });
  expect(explained.envelope).toMatchObject({ ok: false, errorCode: 'NOT_FOUND', hint: expect.stringMatching(/is not in this clone/) });
  const compared = await asking.gateway.query('graphDiff', { from: commits[0], to: commits[2] }, asking.caller(), neverCancelled);
  expect(compared).toMatchObject({ ok: true, value: { notes: expect.arrayContaining([expect.stringMatching(/is not in this clone/)]) } });
  expect((await asking.call('search_code', { query: 'pay', asOf: 'HEAD' })).envelope.stamp).not.toHaveProperty('missingFiles');
});

test('a state that is in memory is found again by the name of its commit without Git, until HEAD moves', async () => {
  const made = repository();
  const commits = [made.commit({ 'a.ts': 'export const a = 1;\n' }), made.commit({ 'a.ts': 'export const b = 2;\n' })];
  const asking = await made.checkout.open();
  const ask = async (asOf: string | undefined) => (await asking.call('code_explain', { target: 'a.ts', asOf })).envelope;
  const [objects, away] = [join(made.checkout.root, '.git/objects'), join(made.checkout.root, '.git/away')];
  const first = [await ask('HEAD~1'), await ask(commits[0])];
  renameSync(objects, away);
  expect([await ask('HEAD~1'), await ask(commits[0])]).toEqual(first);
  expect((await ask('HEAD^{tree}')).ok).toBe(false);
  renameSync(away, objects);
  made.commit({ 'a.ts': 'export const c = 3;\n' });
  expect(await ask('HEAD~1')).toMatchObject({ ok: true, stamp: { head: commits[1]?.slice(0, 12) } });
});
