import { expect, test } from 'vitest';
import { FairQueue } from '../../server/src/engine/scheduling/fairQueue';
import { yieldTurn } from '../../server/src/main/platform';

test('a question behind a hundred answers is read after two of them: connections hand over one message per turn', async () => {
  const queue = new FairQueue(yieldTurn);
  let begun = 0;
  const answers = Array.from({ length: 100 }, async () => {
    await queue.enter();
    begun++;
  });
  const read = async (): Promise<number> => {
    for (let message = 0; message < 100; message++) await yieldTurn();
    return begun;
  };
  expect(await read()).toBeLessThanOrEqual(2);
  await Promise.all(answers);
  expect(begun).toBe(100);
});

test('answers begin in the order of asking, one at a time', async () => {
  const queue = new FairQueue(yieldTurn);
  const order: number[] = [];
  await Promise.all([0, 1, 2].map(at => queue.enter().then(() => order.push(at))));
  expect(order).toEqual([0, 1, 2]);
});

test('it is answering until the last answer is found or has failed', async () => {
  const queue = new FairQueue(yieldTurn);
  const first = queue.answering(async () => yieldTurn());
  const second = queue.answering(async () => Promise.reject(new Error('no')));
  expect(queue.isAnswering).toBe(true);
  await expect(second).rejects.toThrow('no');
  await first;
  expect(queue.isAnswering).toBe(false);
});
