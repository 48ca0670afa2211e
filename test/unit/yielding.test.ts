import { expect, test } from 'vitest';
import { yieldTurn } from '../../server/src/main/platform';

test('of several loops that yield, one continues in each turn of the event loop', async () => {
  const order: string[] = [];
  const loop = async (name: string): Promise<void> => {
    for (let round = 0; round < 3; round++) {
      await yieldTurn();
      order.push(name);
    }
  };
  let isOver = false;
  const eachTurn = (): void => {
    order.push('|');
    if (!isOver) setImmediate(eachTurn);
  };
  const loops = Promise.all(['a', 'b', 'c'].map(loop));
  setImmediate(eachTurn);
  await loops;
  isOver = true;
  const turns = order.join('').split('|');
  expect(turns.filter(turn => turn.length > 1)).toEqual([]);
  expect(turns.join('')).toBe('abcabcabc');
});
