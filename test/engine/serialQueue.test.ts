import { expect, test } from 'vitest';
import { type CancellationToken, Cancelled, throwIfCancelled } from '../../server/src/base/cancellation';
import { deferred } from '../../server/src/base/deferred';
import { EventQueue } from '../../server/src/engine/scheduling/eventQueue';
import { SerialQueue } from '../../server/src/engine/scheduling/serialQueue';

const turn = (): Promise<void> =>
  new Promise(resolve => {
    setImmediate(resolve);
  });

test('Jobs run one at a time, urgent ones before those that wait', async () => {
  const queue = new SerialQueue();
  const seen: string[] = [];
  const job = (name: string) => async (): Promise<void> => {
    seen.push(`${name}+`);
    await turn();
    seen.push(`${name}-`);
  };
  await Promise.all([queue.run(false, job('a')), queue.run(false, job('b')), queue.run(true, job('c')), queue.run(true, job('d'))]);
  expect(seen.join(' ')).toBe('a+ a- c+ c- d+ d- b+ b-');
  expect(queue.isBusy).toBe(false);
});

test('A job that fails does not stop the next', async () => {
  const queue = new SerialQueue();
  const failing = queue.run(false, () => Promise.reject(new Error('no')));
  const next = queue.run(false, () => Promise.resolve(1));
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe(1);
});

test('Closing stops the running job, and nothing begins after it', async () => {
  const queue = new SerialQueue();
  const running = queue.run(false, async token => {
    for (;;) {
      throwIfCancelled(token);
      await turn();
    }
  });
  const stopped = expect(running).rejects.toThrow(Cancelled);
  await queue.close();
  await stopped;
  await expect(queue.run(false, () => Promise.resolve(1))).rejects.toThrow(Cancelled);
});

test('work that nobody waits for is to stop as soon as anything waits behind it', async () => {
  const queue = new EventQueue(() => true);
  const begun = deferred<CancellationToken>();
  const end = deferred<void>();
  const idle = queue.runIdle(async token => {
    begun.resolve(token);
    await end.promise;
  });
  const token = await begun.promise;
  expect(token.isCancellationRequested).toBe(false);
  const other = queue.run(async () => 'done');
  expect(token.isCancellationRequested).toBe(true);
  end.resolve();
  await idle;
  expect(await other).toBe('done');
});
