import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { knowledgeFiles } from '../../server/src/engine/knowledgeFiles';
import type { KnowledgeFile, KnowledgeFiles } from '../../server/src/workspace/knowledgeFiles';
import { removeFolder } from '../helpers/removeFolder.mjs';

const FOLDER = '.lattice/knowledge';
const PATH = `${FOLDER}/atoms/a.md`;

let root: string;
let files: KnowledgeFiles;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'lattice-files-')));
  files = knowledgeFiles(root, () => ({ sync: 'manual', trusted: true }));
});
afterEach(() => removeFolder(root));

async function read(): Promise<readonly KnowledgeFile[]> {
  const found = await files.read();
  if (!found.ok) throw new Error(found.error.message);
  return found.value;
}

function put(path: string, content: string | Uint8Array): void {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), content);
}

test('a file is written, read and removed, with the same hash throughout', async () => {
  expect(await read()).toEqual([]);
  const [written] = await files.change([{ path: PATH, text: 'größe\n', expected: undefined }]);
  expect(await read()).toEqual([{ path: PATH, text: 'größe\n', hash: written?.hash }]);
  expect(readdirSync(join(root, FOLDER, 'atoms'))).toEqual(['a.md']);
  expect(await files.change([{ path: PATH, text: undefined, expected: written?.hash }])).toEqual([{ path: PATH, hash: undefined }]);
  expect(await read()).toEqual([]);
});

test.each([
  ['was changed', 'newer'],
  ['has come', undefined],
])('a file that %s since it was read is left alone', async (_, first) => {
  const [before] = first === undefined ? [undefined] : await files.change([{ path: PATH, text: 'old', expected: undefined }]);
  put(PATH, 'theirs');
  for (const text of ['mine', undefined]) {
    const [outcome] = await files.change([{ path: PATH, text, expected: before?.hash }]);
    expect(outcome?.problem).toContain('was changed by another program');
  }
  expect(readFileSync(join(root, PATH), 'utf8')).toBe('theirs');
});

test.each([['src/a.ts'], [`${FOLDER}/../../src/a.ts`], [`${FOLDER}/atoms/../../../a`], [`${FOLDER}/a/b/c.md`], ['/etc/passwd'], [FOLDER]])(
  '%s is out of reach',
  async path => {
    const [outcome] = await files.change([{ path, text: 'x', expected: undefined }]);
    expect(outcome?.problem).toContain('is not a knowledge file');
    expect(readdirSync(root)).toEqual([]);
  },
);

test('what is no text of a sensible size is named and not read', async () => {
  put(`${FOLDER}/atoms/binary.md`, new Uint8Array([0xff, 0xfe, 0x00]));
  put(`${FOLDER}/atoms/huge.md`, 'x'.repeat((1 << 20) + 1));
  mkdirSync(join(root, FOLDER, 'atoms', 'folder.md'));
  put(`${FOLDER}/atoms/half.md.0123456789ab.new`, 'half of it');
  expect((await read()).map(({ path, problem, text }) => [path.split('/').at(-1), text, problem])).toEqual([
    ['binary.md', undefined, 'This file is not valid UTF-8.'],
    ['folder.md', undefined, 'This is not a file.'],
    ['huge.md', undefined, 'This file is larger than 1 MB.'],
  ]);
});

test.runIf(process.platform !== 'win32')('nothing is written through a link', async () => {
  put('outside.md', 'theirs');
  mkdirSync(join(root, FOLDER, 'atoms'), { recursive: true });
  symlinkSync(join(root, 'outside.md'), join(root, PATH));
  const [linked] = await read();
  expect(linked).toMatchObject({ text: undefined, problem: 'This is a symbolic link, which is not supported.' });
  for (const expected of [undefined, linked?.hash]) {
    const [outcome] = await files.change([{ path: PATH, text: 'mine', expected }]);
    expect(outcome?.problem).toContain('It was not changed');
  }
  expect(readFileSync(join(root, 'outside.md'), 'utf8')).toBe('theirs');
});
