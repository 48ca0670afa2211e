import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findGit } from '../../server/src/code/files/git';
import { nodeHost } from '../../server/src/code/files/nodeHost';
import { HeadWatch } from '../../server/src/engine/watching/headWatch';
import { removeFolder } from '../helpers/removeFolder.mjs';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'lattice-head-')));
  mkdirSync(join(root, '.git', 'refs', 'heads'), { recursive: true });
  writeFileSync(join(root, '.git', 'HEAD'), 'ref: refs/heads/main\n');
});
afterEach(() => removeFolder(root));

const commit = (digit: string): void => writeFileSync(join(root, '.git', 'refs', 'heads', 'main'), `${digit.repeat(40)}\n`);

test('HEAD is read as a short commit, and a move is told once', async () => {
  const watch = new HeadWatch(await findGit(root, nodeHost), nodeHost);
  expect(await watch.refresh()).toBe(false);
  expect(watch.short).toBe('');
  commit('a');
  expect(await watch.refresh()).toBe(true);
  expect(await watch.refresh()).toBe(false);
  expect(watch.short).toBe('aaaaaaaaaaaa');
  expect(watch.head.branch).toBe('main');
  commit('b');
  expect((await Promise.all([watch.refresh(), watch.refresh(), watch.refresh()])).filter(Boolean)).toHaveLength(1);
  // Who asks after a move does not get the answer of a look that began before it.
  const early = watch.refresh();
  commit('c');
  const late = watch.refresh();
  expect([await early, await late].filter(Boolean)).toHaveLength(1);
  expect(watch.short).toBe('cccccccccccc');
});

test('Without git there is no commit and nothing to watch', async () => {
  const watch = new HeadWatch(undefined, nodeHost);
  watch.watch(() => expect.unreachable());
  expect(await watch.refresh()).toBe(false);
  expect(watch.short).toBe('');
});
