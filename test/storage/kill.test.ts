import { spawn } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nodeDisk } from '../../server/src/store/disk';
import { PackFile } from '../../server/src/store/packs';
import { ProjectStore } from '../../server/src/store/projectStore';
import { removeFolder } from '../helpers/removeFolder.mjs';
import { killedProject, killedStoreOptions } from './killedStore';

const KILLS = process.env['LATTICE_SOAK'] === '1' ? 500 : 6;
const SQL_WASM = createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm');

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lattice-kill-'));
  const entry = join(import.meta.dirname, 'killedChild.mjs');
  await build({ entryPoints: [entry], bundle: true, platform: 'node', format: 'cjs', outfile: join(folder, 'child.cjs'), logLevel: 'error' });
});

afterAll(() => removeFolder(folder));

/** Lines that the child printed before it was killed at the given number of lines. */
function linesUntilKilled(data: string, lines: number): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(folder, 'child.cjs'), data, SQL_WASM], { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.split('\n').length > lines) child.kill('SIGKILL');
    });
    child.on('error', reject);
    child.on('close', (_, signal) => (signal === 'SIGKILL' ? resolve(text.split('\n').slice(0, -1)) : reject(new Error(`the child ended by itself: ${text}`))));
  });
}

test(`after each of ${KILLS} kills everything acknowledged is there`, { timeout: 60_000 + KILLS * 3000 }, async () => {
  let data = '';
  let acknowledged: string[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    if (kill % 20 === 0) {
      data = join(folder, `data${kill}`);
      acknowledged = [];
    }
    acknowledged.push(...(await linesUntilKilled(data, 1 + ((kill * 37) % 90))));
    const opened = await ProjectStore.open(killedStoreOptions(data, SQL_WASM));
    const pack = await PackFile.open({ path: killedProject(data).factsPack, version: '1', disk: nodeDisk() });
    if (!opened.ok || !pack.ok) throw new Error('the store could not be opened');
    const notes = opened.value.query('SELECT text FROM note').map(row => `note ${String(row['text'])}`);
    expect(new Set(notes).size).toBe(notes.length);
    const found = new Set([...notes, ...[...pack.value.keys()].map(key => `pack ${key}`)]);
    expect(acknowledged.filter(line => !found.has(line))).toEqual([]);
    expect(opened.value.needsHashCheck).toBe(false);
    expect(await pack.value.verify()).toEqual([]);
    await pack.value.close();
    if (kill % 2 === 0) await opened.value.close();
    else await opened.value.abandon();
  }
});
