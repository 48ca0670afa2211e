/**
 * Indexes a folder and stays until it is killed: `indexer.cjs ROOT DATA DIST [KILL_AT]`. Run by tests as a bundle.
 * With KILL_AT it kills itself at that operation on the disk. A number on stdin does the same, counted from there, or when a transaction has come by then.
 */
import { createInterface } from 'node:readline';
import { neverCancelled } from '../../server/src/base/cancellation';
import { openWorkspace } from '../../server/src/main/compose';
import { countDiskOperations } from './diskOperations';

const [, , root = '', dataFolder = '', distFolder = '', killAt = ''] = process.argv;
const die = (): void => void process.kill(process.pid, 'SIGKILL');

void (async () => {
  const disk = await countDiskOperations();
  if (killAt !== '') disk.at(Number(killAt), die);
  const opened = await openWorkspace({ root, dataFolder, distFolder, longLived: true, watch: 'files' });
  if (!opened.ok) throw new Error(opened.error.message);
  const gateway = opened.value;
  const ready = await gateway.ready(neverCancelled);
  if (!ready.ok) throw new Error(ready.error.message);
  // It can be asked before it is on disk.
  while ((await gateway.health()).progress.phase !== 'ready') await new Promise(setImmediate);
  const { latestTxId } = await gateway.health();
  process.stdout.write(`operations ${disk.count}\n`);
  for await (const line of createInterface({ input: process.stdin })) {
    disk.at(disk.count + Number(line), die);
    while ((await gateway.health()).latestTxId === latestTxId) await new Promise(setImmediate);
    die();
  }
})();
