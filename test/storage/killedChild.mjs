import { writeSync } from 'node:fs';
import { nodeDisk } from '../../server/src/store/disk';
import { PackFile } from '../../server/src/store/packs';
import { ProjectStore } from '../../server/src/store/projectStore';
import { killedProject, killedStoreOptions } from './killedStore';

/** Writes notes and pack records as fast as it can until it is killed, and prints the number of each once it is acknowledged. */
async function writeUntilKilled(folder, sqlWasm) {
  const disk = nodeDisk();
  const opened = await ProjectStore.open(killedStoreOptions(folder, sqlWasm));
  const pack = await PackFile.open({ path: killedProject(folder).factsPack, version: '1', disk });
  if (!opened.ok || !pack.ok) throw new Error('the store could not be opened');
  const store = opened.value;
  const life = process.pid;
  for (let n = 0; ; n++) {
    const texts = Array.from({ length: 1 + (n % 4) }, (_, at) => `${life}-${n}-${at}`);
    pack.value.put(`k${life}-${n}`, Buffer.from('x'.repeat(n % 50)));
    const [flushed, ...outcomes] = await Promise.all([pack.value.flush(), ...texts.map(text => store.append({ kind: 'note', payload: { text } }))]);
    for (const [at, outcome] of outcomes.entries()) if (outcome.ok) writeSync(1, `note ${texts[at]}\n`);
    if (flushed.ok) writeSync(1, `pack k${life}-${n}\n`);
    if (n % 7 === 6) void store.snapshot();
    if (n % 40 === 39) await pack.value.compact(new Set(pack.value.keys()));
  }
}

const [folder, sqlWasm] = process.argv.slice(2);
if (folder !== undefined && sqlWasm !== undefined) void writeUntilKilled(folder, sqlWasm);
