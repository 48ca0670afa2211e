/** What a question about a past commit need not do: start Git for each file, and parse what was parsed ahead. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { contentsBeforeIn, ParseAhead } from '../../server/src/engine/changes/past/parseAhead';
import { ResolveAhead } from '../../server/src/engine/changes/past/resolveAhead';
import { ParsePool } from '../../server/src/engine/parse/parsePool';
import { startTree } from '../../server/src/engine/processTree';
import type { Asking } from './checkout';
import { closeAll, cold, exported, type Repository, repository } from './repository';

vi.mock(import('../../server/src/engine/processTree'), async original => {
  const actual = await original();
  return { ...actual, startTree: vi.fn(actual.startTree) };
});

beforeEach(() => {
  vi.spyOn(ParsePool.prototype, 'run');
  vi.spyOn(ParseAhead.prototype, 'complete');
  // It reads contents as well.
  vi.spyOn(ResolveAhead.prototype, 'complete').mockResolvedValue();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await closeAll();
});

const FILES = 30;
const nameOf = (at: number): string => `src/part${at}.ts`;
const textOf = (at: number, version: number): string => `export const value${at} = ${version};\nexport function use${at}() {\n  return value${at};\n}\n`;

function manyChanged(): { readonly made: Repository; readonly first: string } {
  const made = repository();
  const versionOf = (version: number) => Object.fromEntries(Array.from({ length: FILES }, (_, at) => [nameOf(at), textOf(at, version)]));
  const others = Object.fromEntries(Array.from({ length: FILES * 4 }, (_, at) => [`lib/same${at}.ts`, `export const same${at} = 1;\n`]));
  const first = made.commit({ ...versionOf(1), ...others, 'node_modules/old.ts': 'export const ignored = 1;\n' });
  made.commit({ ...versionOf(2), 'node_modules/old.ts': 'export const ignored = 2;\n', 'new.ts': 'export const added = 1;\n' }, [nameOf(0)]);
  return { made, first };
}

const starts = (): string[] => vi.mocked(startTree).mock.calls.map(([, args]) => args[0] ?? '');
const readContents = (): number => vi.mocked(startTree).mock.calls.filter(([, args]) => args.join(' ') === 'cat-file --batch').length;
/** Paths of contents of Git that were parsed. */
const parsed = (): string[] =>
  vi.mocked(ParsePool.prototype.run).mock.calls.flatMap(([{ bytes, language, path }]) => (bytes !== undefined && language !== undefined ? [path] : []));

const explain = (asking: Asking, asOf: string) => asking.call('code_explain', { target: `${nameOf(3)}::use3`, asOf });

test('a question about a commit starts git a few times, however many files differ, and at most once where the state is at hand', async () => {
  const { first, made } = manyChanged();
  const asking = await made.checkout.open();
  vi.mocked(startTree).mockClear();
  expect((await explain(asking, 'HEAD~1')).envelope.ok).toBe(true);
  // What the repository has set was read before, unless this was the first call.
  expect(starts().slice(-2)).toEqual(['cat-file', 'ls-tree']);
  expect(starts().length).toBeLessThanOrEqual(3);
  await asking.close();

  const again = await made.checkout.open();
  vi.mocked(startTree).mockClear();
  vi.mocked(ParsePool.prototype.run).mockClear();
  expect((await explain(again, 'HEAD~1')).envelope.ok).toBe(true);
  expect(parsed()).toEqual([]);
  // Nothing searches the text of the files, so it is not read.
  expect(starts()).toEqual(['cat-file', 'ls-tree']);

  vi.mocked(startTree).mockClear();
  expect((await explain(again, first)).envelope.ok).toBe(true);
  expect([[], ['cat-file']]).toContainEqual(starts());
});

test('what the newest commits changed is parsed ahead, and is there after a restart', async () => {
  const { first, made } = manyChanged();
  const asking = await made.checkout.open({ longLived: true, watch: 'editor' });
  await vi.waitFor(() => expect(parsed()).toHaveLength(FILES), { timeout: 30_000, interval: 20 });
  expect(parsed().sort()).toEqual(Array.from({ length: FILES }, (_, at) => nameOf(at)).sort());
  // The last one has begun; it is there after a restart when it was written.
  await Promise.all(vi.mocked(ParseAhead.prototype.complete).mock.results.map(({ value }) => value));
  await asking.close();

  vi.mocked(ParsePool.prototype.run).mockClear();
  const again = await made.checkout.open();
  expect(await exported(again, { asOf: first })).toBe(await cold(made.checkout.root, first));
  expect(parsed()).toEqual([]);
  await again.close();

  vi.mocked(ParsePool.prototype.run).mockClear();
  vi.mocked(startTree).mockClear();
  const third = await made.checkout.open({ longLived: true, watch: 'editor' });
  made.commit({ [nameOf(5)]: textOf(5, 3) });
  await third.call('graph_rebuild', { mode: 'incremental' });
  await vi.waitFor(() => expect(parsed()).toEqual([nameOf(5)]), { timeout: 30_000, interval: 20 });
  // Of what was parsed before, nothing is read again.
  expect(readContents()).toBe(1);
});

test('contents before a change are read from the log of git, however paths are called', () => {
  const [zero, old, now] = ['0', 'a', 'b'].map(digit => digit.repeat(40));
  const output = `:100644 100644 ${old} ${now} M\0a b\n.ts\0:100644 000000 ${now} ${zero} D\0:odd.ts\0:000000 100644 ${zero} ${now} A\0new.ts\0`;
  expect(contentsBeforeIn(output)).toEqual([
    { blob: old, path: 'a b\n.ts' },
    { blob: now, path: ':odd.ts' },
  ]);
});
