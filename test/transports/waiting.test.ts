import { expect, test } from 'vitest';
import { CancellationSource, Cancelled, neverCancelled } from '../../server/src/base/cancellation';
import { untilTransaction } from '../../server/src/transports/waiting';
import type { EngineHealth } from '../../server/src/workspace/snapshot';
import { FakeGateway } from './fakeHost';

/** Whose last transaction the test names, and which counts how often it was asked. */
class Rebuilding extends FakeGateway {
  latest = 'before';
  asked = 0;

  override async health(): Promise<EngineHealth> {
    this.asked++;
    return { ...(await super.health()), latestTxId: this.latest };
  }
}

/** Lets all promises that are settled go on. */
const settled = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

test('the end of a rebuild is told by its report; nobody asks in between', async () => {
  const gateway = new Rebuilding('/w');
  gateway.indexing();
  let isOver = false;
  const waiting = untilTransaction(gateway, 'mine', neverCancelled).then(() => {
    isOver = true;
  });
  await settled();
  gateway.index({ phase: 'parsing', done: 1, total: 2 });
  await settled();
  expect(gateway.asked).toBe(1);
  gateway.index({ phase: 'ready', done: 2, total: 2 });
  await settled();
  expect(isOver).toBe(false);
  gateway.latest = 'mine';
  gateway.index({ phase: 'ready', done: 2, total: 2 });
  await waiting;
  expect(gateway.asked).toBe(3);
});

test('an index that fails ends the waiting, and so does whoever waits', async () => {
  const failing = new Rebuilding('/w');
  failing.indexing();
  const failed = untilTransaction(failing, 'mine', neverCancelled);
  failing.index({ phase: 'failed', done: 0, total: 0, problem: 'no disk' });
  await failed;
  const source = new CancellationSource();
  const given = untilTransaction(new Rebuilding('/w'), 'mine', source.token);
  source.cancel();
  await expect(given).rejects.toThrow(Cancelled);
});
