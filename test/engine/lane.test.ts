import { expect, test } from 'vitest';
import { Cancelled, throwIfCancelled } from '../../server/src/base/cancellation';
import { Lane } from '../../server/src/engine/scheduling/lane';

const turn = (): Promise<void> =>
  new Promise(resolve => {
    setImmediate(resolve);
  });

test('Jobs run one at a time, urgent ones before those that wait', async () => {
  const lane = new Lane();
  const seen: string[] = [];
  const job = (name: string) => async (): Promise<void> => {
    seen.push(`${name}+`);
    await turn();
    seen.push(`${name}-`);
  };
  await Promise.all([lane.run(false, job('a')), lane.run(false, job('b')), lane.run(true, job('c')), lane.run(true, job('d'))]);
  expect(seen.join(' ')).toBe('a+ a- c+ c- d+ d- b+ b-');
  expect(lane.isBusy).toBe(false);
});

test('A job that fails does not stop the next', async () => {
  const lane = new Lane();
  const failing = lane.run(false, () => Promise.reject(new Error('no')));
  const next = lane.run(false, () => Promise.resolve(1));
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe(1);
});

test('Closing stops the running job, and nothing begins after it', async () => {
  const lane = new Lane();
  const running = lane.run(false, async token => {
    for (;;) {
      throwIfCancelled(token);
      await turn();
    }
  });
  const stopped = expect(running).rejects.toThrow(Cancelled);
  await lane.close();
  await stopped;
  await expect(lane.run(false, () => Promise.resolve(1))).rejects.toThrow(Cancelled);
});
