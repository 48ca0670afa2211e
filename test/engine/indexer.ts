/** Indexes a folder and stays until it is killed: `indexer.cjs ROOT DATA DIST`. Run by tests as a bundle. */
import { neverCancelled } from '../../server/src/base/cancellation';
import { openWorkspace } from '../../server/src/main/compose';

const [, , root = '', dataFolder = '', distFolder = ''] = process.argv;
void (async () => {
  const opened = await openWorkspace({ root, dataFolder, distFolder, longLived: true, watch: 'files' });
  if (!opened.ok) throw new Error(opened.error.message);
  process.stdout.write('open\n');
  opened.value.onProgress(progress => process.stdout.write(`${progress.phase}\n`));
  await opened.value.ready(neverCancelled);
  process.stdin.resume();
})();
