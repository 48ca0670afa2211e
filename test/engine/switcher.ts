/**
 * Opens two folders in turn, asks, and closes each before the next but one, as a session does that switches its workspace: `switcher.cjs A B DATA DIST COUNT`.
 * Writes one line of JSON with what the process holds after each tenth. Run by tests as a bundle, with `--expose-gc`.
 */
import { neverCancelled } from '../../server/src/base/cancellation';
import { openWorkspace } from '../../server/src/main/compose';
import type { Gateway } from '../../server/src/session/gateway';

const [, , first = '', second = '', dataFolder = '', distFolder = '', count = '0'] = process.argv;
const caller = { agentId: undefined, sessionId: 'switcher', kind: 'agent' } as const;

async function opened(root: string): Promise<Gateway> {
  const found = await openWorkspace({ root, dataFolder, distFolder, longLived: true, watch: 'files' });
  if (!found.ok) throw new Error(found.error.message);
  await found.value.ready(neverCancelled);
  const answer = await found.value.callTool({ name: 'search_code', input: { query: 'total' }, caller, idempotencyKey: '' }, neverCancelled);
  if (!answer.envelope.ok) throw new Error(answer.envelope.summary);
  return found.value;
}

void (async () => {
  let current = await opened(first);
  for (let at = 1; at <= Number(count); at++) {
    const next = await opened(at % 2 === 0 ? first : second);
    await current.close();
    current = next;
    if (at % Math.ceil(Number(count) / 10) !== 0) continue;
    for (let pass = 0; pass < 4; pass++) {
      globalThis.gc?.();
      await new Promise(resolve => setImmediate(resolve));
    }
    const { arrayBuffers, external, heapUsed, rss } = process.memoryUsage();
    const timers = process.getActiveResourcesInfo().filter(name => name === 'Timeout').length;
    process.stdout.write(`${JSON.stringify({ at, heapUsed, external, arrayBuffers, rss, timers, handles: process.getActiveResourcesInfo().length })}\n`);
  }
  await current.close();
})();
