import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeHost } from '../../../server/src/code/files/nodeHost';
import { tempFolder } from './tempFolder';

const MIB = 1 << 20;

test.each([0, 1, 5000, 5 * MIB])('a file of %d bytes is read whole, or its beginning', async size => {
  const path = join(tempFolder({}), 'file');
  const content = Buffer.alloc(size, 'abc');
  writeFileSync(path, content);
  expect(Buffer.from(await nodeHost.read(path)).equals(content)).toBe(true);
  expect(Buffer.from(await nodeHost.read(path, 3)).toString()).toBe(content.subarray(0, 3).toString());
});

test.runIf(process.platform === 'linux')('a file that the system makes as it is read is read, though it says that it is empty', async () => {
  expect(Buffer.from(await nodeHost.read('/proc/self/status')).toString()).toContain('Pid:');
});

test.runIf(process.platform !== 'win32')('a file too large for memory is refused before any of it is read', async () => {
  const path = join(tempFolder({}), 'huge');
  writeFileSync(path, '');
  truncateSync(path, 2 ** 33);
  await expect(nodeHost.read(path)).rejects.toMatchObject({ code: 'EFBIG' });
  expect((await nodeHost.read(path, 10)).length).toBe(10);
});
