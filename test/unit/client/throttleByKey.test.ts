import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ThrottleByKey } from '../../../client/src/throttleByKey';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('of what comes quickly the first is passed at once, the last later, and each key has its own turn', () => {
  const passed: string[] = [];
  const throttled = new ThrottleByKey<string>(
    1000,
    value => value[0] ?? '',
    value => passed.push(value),
  );
  for (const value of ['a1', 'a2', 'b1', 'a3']) throttled.add(value);
  expect(passed).toEqual(['a1', 'b1']);
  vi.advanceTimersByTime(1000);
  expect(passed).toEqual(['a1', 'b1', 'a3']);
  throttled.add('b2');
  throttled.add('a4');
  expect(passed).toEqual(['a1', 'b1', 'a3', 'b2']);
  vi.advanceTimersByTime(1000);
  expect(passed).toEqual(['a1', 'b1', 'a3', 'b2', 'a4']);
});
