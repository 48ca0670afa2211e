import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import type { ScannedFile } from '../../server/src/code/files/scan';
import { FileLoader, keyOf, type LoadedFile } from '../../server/src/engine/indexing/fileLoader';
import { decodeFacts } from '../../server/src/engine/parse/factsCodec';
import { FileParser } from '../../server/src/engine/parse/fileParser';
import type { Parsing } from '../../server/src/engine/parse/parsing';
import { NO_TEXT, textOf } from '../../server/src/model/facts';
import type { LanguageId } from '../../server/src/model/languages';
import { PackFile } from '../../server/src/store/packs';
import { createParser } from '../helpers/extract';
import { MemoryDisk } from '../storage/memoryDisk';
import { tempFolder } from '../unit/files/tempFolder';

const version = (n: number): string => `export function version${n}(): number { return ${n}; }\n`;
const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const symbolOf = (file: LoadedFile): string => (file.facts === undefined ? 'none' : textOf(file.facts, file.facts.symbols.name[0] ?? NO_TEXT));

function scanned(root: string): ScannedFile {
  const absolutePath = join(root, 'a.ts');
  const { ino, mtimeMs, size } = statSync(absolutePath);
  const plain = { content: 'read', isTest: false, isGenerated: false, isMinified: false, language: 'typescript' } as const;
  return { ...plain, path: 'a.ts', absolutePath, sizeBytes: size, mtimeMs, inode: ino };
}

// The n-th look at the file is followed by a change of it; `cached` has facts of some of its states in the pack already.
for (const cached of [[], [0], [1], [0, 1, 2]]) {
  for (const changes of [[0], [1], [0, 1]]) {
    test(`A file that changes while it is loaded has hash and facts of the same bytes (known ${cached.join()}, changes after look ${changes.join()})`, async () => {
      const root = tempFolder({ 'a.ts': version(0) });
      const parser = new FileParser(await createParser(), 1 << 20);
      const opened = await PackFile.open({ path: '/facts.pack', version: '1', disk: new MemoryDisk() });
      if (!opened.ok) throw new Error(opened.error.message);
      const pack = opened.value;
      let looks = 0;
      let state = 0;
      let isQuiet = true;
      const parsing: Parsing = {
        concurrency: 1,
        decode: decodeFacts,
        run: async request => {
          const answer = await parser.parse(request);
          if (!isQuiet && request.text === undefined && changes.includes(looks++)) writeFileSync(join(root, 'a.ts'), version(++state));
          return { ...answer, facts: answer.packed === undefined ? undefined : decodeFacts(answer.packed) };
        },
      };
      for (const n of cached) {
        const { packed } = await parser.parse({ path: 'a.ts', absolutePath: '', language: 'typescript', text: version(n) });
        if (packed !== undefined) pack.put(keyOf(hash(version(n)), 'typescript', 'a.ts'), packed);
      }
      const loader = new FileLoader(parsing, pack);
      const load = async (previous: LoadedFile | undefined): Promise<LoadedFile> => {
        const request = {
          files: [scanned(root)],
          previous: () => previous?.tracked,
          rare: () => new Set<LanguageId>(),
          force: false,
          distrustSignatures: false,
          onDone: () => undefined,
        };
        const [file] = await loader.load(request, neverCancelled);
        if (file === undefined) throw new Error('nothing was loaded');
        return file;
      };
      isQuiet = false;
      const first = await load(undefined);
      isQuiet = true;
      expect(hash(version(Number(symbolOf(first).replace('version', ''))))).toBe(first.tracked.record.contentHash);
      expect(first.tracked.factsKey).toBe(keyOf(first.tracked.record.contentHash, 'typescript', 'a.ts'));
      const stored = await loader.factsOf(first.tracked);
      expect(stored === undefined ? '' : textOf(stored, stored.symbols.name[0] ?? NO_TEXT)).toBe(symbolOf(first));
      // The next look at the disk ends with what is there.
      const second = await load(first);
      expect(second.tracked.record.contentHash).toBe(hash(readFileSync(join(root, 'a.ts'), 'utf8')));
      expect(symbolOf(second.change === 'none' ? first : second)).toBe(`version${state}`);
    });
  }
}
