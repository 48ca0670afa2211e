import { expect, test } from 'vitest';
import { shortest } from './shrinking';
import { numbers, randomScript } from './steps';

test('of a script that fails, only what makes it fail is left', async () => {
  const script = Array.from({ length: 50 }, (_, at) => at);
  const fails = (part: readonly number[]): Promise<boolean> => Promise.resolve(part.includes(7) && part.includes(31));
  expect(await shortest(script, fails, 500)).toEqual([7, 31]);
});

test('a script that fails only now and then is shortened too, within a number of tries', async () => {
  let tries = 0;
  const part = await shortest(
    Array.from({ length: 50 }, (_, at) => at),
    rest => Promise.resolve(++tries % 2 === 0 && rest.includes(7)),
    60,
  );
  expect(part).toContain(7);
  expect(part.length).toBeLessThan(50);
  expect(tries).toBeLessThanOrEqual(60);
});

test('a seed gives the same script again', () => {
  expect(randomScript(numbers(5), 30, true)).toEqual(randomScript(numbers(5), 30, true));
  expect(randomScript(numbers(5), 30, true)).not.toEqual(randomScript(numbers(6), 30, true));
});
