import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeFolder } from '../helpers/removeFolder.mjs';

test('a folder into which a process still writes is removed once that process is done', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lattice-remove-'));
  for (let file = 0; file < 300; file++) writeFileSync(join(folder, `before-${file}`), '');
  const writes = `const fs = require('fs'); const folder = process.argv[1]; process.stdout.write('on');
    for (let end = Date.now() + 400, file = 0; Date.now() < end; file++)
      { try { fs.writeFileSync(folder + '/' + file, ''); } catch {} Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1); }`;
  const writer = spawn(process.execPath, ['-e', writes, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(writer.stdout, 'data');
  removeFolder(folder);
  expect(existsSync(folder)).toBe(false);
  if (writer.exitCode === null) await once(writer, 'exit');
});

test('a folder that is not there is no error', () => {
  expect(() => removeFolder(join(tmpdir(), 'lattice-never-made'))).not.toThrow();
});
