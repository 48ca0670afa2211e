import { expect, test } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import type { ScannedFile } from '../../server/src/code/files/scan';
import { FileLoader } from '../../server/src/engine/indexing/fileLoader';
import { FileTable, type TrackedFile } from '../../server/src/engine/indexing/fileTable';
import type { ParseAnswer, ParseRequest } from '../../server/src/engine/parse/parsing';
import { tellingRare } from '../../server/src/engine/parse/rareLanguages';
import type { LanguageId } from '../../server/src/model/languages';

const KB = 1024;

function tracked(path: string, language: LanguageId, sizeBytes: number): TrackedFile {
  return {
    record: { path, language, contentHash: path, sizeBytes, isTest: false, isGenerated: false },
    signature: { sizeBytes, mtimeMs: 0, inode: 0 },
    factsKey: undefined,
    syntax: undefined,
    symbols: 0,
    isMinified: false,
    problem: undefined,
  };
}

test('A language is rare by the text of the whole workspace, not by that of one run', () => {
  const table = new FileTable();
  const run = [
    { path: 'a.py', language: 'python', sizeBytes: 300 * KB },
    { path: 'b.go', language: 'go', sizeBytes: 10 * KB },
  ] as const;
  expect([...table.rareLanguages(run)]).toEqual(['python', 'go']);
  table.set(tracked('a.py', 'python', 300 * KB));
  table.set(tracked('c.py', 'python', 300 * KB));
  expect([...table.rareLanguages(run)], 'one changed file of a large project').toEqual(['go']);
  expect([...table.rareLanguages([{ path: 'c.py', language: 'python', sizeBytes: 100 * KB }])], 'a file counts once, with its new size').toEqual(['python']);
  table.set(tracked('c.py', 'python', 600 * KB));
  table.delete('a.py');
  table.delete('a.py');
  expect(table.isRare('python')).toBe(false);
  table.set(tracked('c.py', 'python', 100 * KB));
  expect(table.isRare('python')).toBe(true);
});

test('Parse workers are told which grammars need not be fast', async () => {
  const asked: (readonly [LanguageId | undefined, boolean | undefined])[] = [];
  const answer = {
    contentHash: '',
    sizeBytes: 0,
    isBinary: false,
    isGenerated: false,
    isMinified: false,
    facts: undefined,
    packed: undefined,
    problem: undefined,
  };
  const run = async ({ language, isRare }: ParseRequest): Promise<ParseAnswer> => {
    asked.push([language, isRare]);
    return answer;
  };
  const table = new FileTable();
  const loader = new FileLoader(
    tellingRare({ concurrency: 1, decode: () => undefined, run }, language => table.isRare(language)),
    undefined,
  );
  const plain = { content: 'read', sizeBytes: 1, mtimeMs: 0, inode: 0, isTest: false, isGenerated: false, isMinified: false } as const;
  const file = (path: string, language: LanguageId): ScannedFile => ({ ...plain, path, absolutePath: `/w/${path}`, language });
  const load = { previous: () => undefined, rare: () => new Set<LanguageId>(['go']), force: false, distrustSignatures: false, onDone: () => undefined };
  await loader.load({ ...load, files: [file('a.py', 'python'), file('b.go', 'go')] }, neverCancelled);
  expect(asked.splice(0)).toEqual([
    ['python', false],
    ['go', true],
  ]);
  await loader.parseText('b.go', '/w/b.go', 'go', '', neverCancelled);
  expect(asked.splice(0), 'nothing is known of the workspace yet').toEqual([['go', false]]);
  table.set(tracked('a.py', 'python', 600 * KB));
  table.set(tracked('b.go', 'go', KB));
  await loader.warmUp(table.languages(), neverCancelled);
  expect(asked).toEqual([
    ['go', true],
    ['python', false],
  ]);
});
