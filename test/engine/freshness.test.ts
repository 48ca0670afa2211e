import { mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { nodeHost } from '../../server/src/code/files/nodeHost';
import { Freshness, type FreshnessOptions } from '../../server/src/engine/watching/freshness';
import { systemClock } from '../../server/src/main/platform';
import { removeFolder } from '../helpers/removeFolder.mjs';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'lattice-freshness-')));
afterEach(() => removeFolder(root));

test('an answer goes on without a file that takes long, what is written about the file waits for it', async () => {
  writeFileSync(join(root, 'a.ts'), 'export const a = 1;');
  let finish: () => void = () => undefined;
  const indexing = new Promise<void>(resolve => {
    finish = resolve;
  });
  const outdated = { signature: { size: 0, mtimeMs: 0, ctimeMs: 0, inode: 0 } };
  const freshness = new Freshness({
    root,
    host: nodeHost,
    clock: systemClock,
    table: { get: (path: string) => (path === 'a.ts' ? outdated : undefined) },
    batcher: { pendingChanges: 0, pendingPaths: new Set<string>(), flush: async () => undefined },
    headWatch: { refresh: async () => false },
    folders: { look: async () => [] },
    revision: () => undefined,
    isIgnored: () => false,
    precise: { hasChanged: async () => false, paths: [] },
    reindex: () => indexing,
    onHeadMoved: () => undefined,
  } as unknown as FreshnessOptions);
  let isWritten = false;
  const write = freshness.check(['a.ts'], 60_000).then(() => {
    isWritten = true;
  });
  await freshness.check(['a.ts']);
  expect([isWritten, [...freshness.stale]]).toEqual([false, ['a.ts']]);
  finish();
  await write;
  expect([...freshness.stale]).toEqual([]);
});
