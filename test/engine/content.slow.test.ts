import { execFileSync } from 'node:child_process';
import { afterEach, expect, test } from 'vitest';
import { findGit } from '../../server/src/code/files/git';
import { nodeHost } from '../../server/src/code/files/nodeHost';
import { subjectsByFile, subjectsIn } from '../../server/src/engine/content/pastCommits';
import { IndexState } from '../../server/src/engine/indexing/indexState';
import { Checkout } from './checkout';

let checkouts: Checkout[] = [];
afterEach(async () => {
  for (const checkout of checkouts) await checkout.dispose();
  checkouts = [];
});

function make(files: Readonly<Record<string, string>>): { readonly checkout: Checkout; readonly git: (...args: string[]) => string } {
  const checkout = new Checkout(files);
  checkouts.push(checkout);
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'commit.gpgsign=false'];
  const git = (...args: string[]): string => execFileSync('git', [...who, ...args], { cwd: checkout.root, encoding: 'utf8' }).trim();
  return { checkout, git };
}

const FILES = {
  'src/price.ts': 'export function price(): number { return vat(3); }\nfunction vat(net: number): number { /* surcharge by country */ return net; }\n',
  'src/cart.ts': 'export function total(): number { return 2; }\n',
};

test('a log becomes subjects by file; an unchanged rename keeps them, a commit of very many files says nothing', () => {
  const many = Array.from({ length: 31 }, (_, at) => `M\tsrc/${at}.ts`).join('\n');
  const log = `\u0001Newest\n\nM\tsrc/new.ts\n\u0001Move\n\nR100\tsrc/old.ts\tsrc/new.ts\n\u0001Format all\n\n${many}\nM\tsrc/old.ts\n\u0001First\n\nA\tsrc/old.ts\nA\tlib/b.ts\n`;
  expect(Object.fromEntries(subjectsIn(log))).toEqual({ 'src/new.ts': ['Newest', 'Move', 'First'], 'lib/b.ts': ['First'] });
});

test('files are found by their content and by past commits as soon as the index is whole, and a new commit is taken up', async () => {
  const { checkout, git } = make(FILES);
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'Round invoices half to even');
  const first = await checkout.open();
  expect(await first.find('invoices')).toContain('src/price.ts');
  expect((await first.find('surcharge country'))[0]).toBe('src/price.ts::vat');
  await first.close();
  checkout.write({ 'src/cart.ts': 'export function total(): number { return 3; }\n' });
  git('commit', '-q', '-am', 'Apply vouchers');
  const second = await checkout.open();
  expect(await second.find('vouchers')).toContain('src/cart.ts');
  expect(await second.find('vouchers')).not.toContain('src/price.ts');
});

test('an index that ends before contents were read is durable, and the next process reads them', async () => {
  const { checkout } = make(FILES);
  const first = await checkout.open({ longLived: true });
  expect(await first.find('price')).toContain('src/price.ts::price');
  expect((await first.health()).lastIndex?.backgroundMs).toBeUndefined();
  await first.close();
  const second = await checkout.open();
  expect(await second.find('surcharge country')).toContain('src/price.ts::vat');
  expect((await second.health()).lastIndex).toMatchObject({ filesParsed: 0, backgroundMs: expect.any(Number) });
});

test('only the history below the folder counts, by paths from there; without a commit there is none', async () => {
  const { checkout, git } = make({ 'app/a.ts': 'export const a = 1;\n', 'other.ts': 'export const b = 1;\n' });
  git('init', '-q');
  const folder = `${checkout.root}/app`;
  const subjects = async (commit: string) => {
    const place = await findGit(folder, nodeHost);
    return place && subjectsByFile(folder, place, commit);
  };
  expect(await subjects('HEAD')).toBeUndefined();
  git('add', '.');
  git('commit', '-q', '-m', 'Start');
  expect(Object.fromEntries((await subjects(git('rev-parse', 'HEAD'))) ?? [])).toEqual({ 'a.ts': ['Start'] });
});

test('an edit brings the new content into search', async () => {
  const { checkout } = make(FILES);
  const asking = await checkout.open({ longLived: true, watch: 'none' });
  checkout.write({ 'src/cart.ts': 'export function total(): number { return 2; } // handles loyalty points\n' });
  await asking.settled('code_explain', { element: 'src/cart.ts::total' });
  await expect.poll(() => asking.find('loyalty points')).toContain('src/cart.ts::total');
});

test('a search says that it does without past commits when git cannot tell them', async () => {
  const { checkout, git } = make(FILES);
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'Round invoices half to even');
  const path = process.env['PATH'];
  process.env['PATH'] = '';
  try {
    const without = await checkout.open();
    expect((await without.call('search_code', { query: 'price' })).envelope.stamp?.degraded).toEqual(['history']);
    expect((await without.call('graph_health', {})).text).toContain('Git history not available');
    await without.close();
  } finally {
    process.env['PATH'] = path;
  }
  checkout.write({ 'src/cart.ts': 'export function total(): number { return 3; }\n' });
  git('commit', '-q', '-am', 'Apply vouchers');
  const asking = await checkout.open();
  const { envelope } = await asking.call('search_code', { query: 'invoices' });
  expect(envelope.stamp?.degraded).toBeUndefined();
  expect(envelope.data).toMatchObject({ results: expect.arrayContaining([expect.objectContaining({ file: 'src/price.ts' })]) });
});

test('files whose commits alone are others miss no content', () => {
  const { pendingContent } = new IndexState(0);
  pendingContent.add(['a.ts']);
  pendingContent.addHistory(['a.ts', 'b.ts']);
  expect([pendingContent.size, pendingContent.withoutContent]).toEqual([2, 1]);
  pendingContent.settle(['a.ts']);
  expect([pendingContent.size, pendingContent.withoutContent]).toEqual([1, 0]);
  pendingContent.add(['b.ts']);
  expect([pendingContent.size, pendingContent.withoutContent]).toEqual([1, 1]);
});
