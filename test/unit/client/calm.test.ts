import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Calm } from '../../../client/src/calm';
import { Lull } from '../../../server/src/transports/lsp/lull';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('of what comes quickly the first is passed at once, the last later, and each key has its own turn', () => {
  const passed: string[] = [];
  const calm = new Calm<string>(
    1000,
    value => value[0] ?? '',
    value => passed.push(value),
  );
  for (const value of ['a1', 'a2', 'b1', 'a3']) calm.add(value);
  expect(passed).toEqual(['a1', 'b1']);
  vi.advanceTimersByTime(1000);
  expect(passed).toEqual(['a1', 'b1', 'a3']);
  calm.add('b2');
  calm.add('a4');
  expect(passed).toEqual(['a1', 'b1', 'a3', 'b2']);
  vi.advanceTimersByTime(1000);
  expect(passed).toEqual(['a1', 'b1', 'a3', 'b2', 'a4']);
});

/** A key every hundred milliseconds. */
function type(lull: Lull, keys: number): void {
  for (let key = 0; key < keys; key++) {
    lull.request();
    vi.advanceTimersByTime(100);
  }
}

test('a hundred keys are one change, sent when the writer pauses and now and then before', async () => {
  let sent = 0;
  const lull = new Lull({ quietMs: 400, latestMs: 3000 }, () => sent++);
  type(lull, 100);
  expect(sent).toBe(3);
  let isOver = false;
  const waiting = lull.over().then(() => {
    isOver = true;
  });
  await Promise.resolve();
  expect(isOver).toBe(false);
  vi.advanceTimersByTime(400);
  await waiting;
  expect(sent).toBe(4);
  vi.advanceTimersByTime(10_000);
  expect(sent).toBe(4);
});

test('who asks while something is typed has it sent at once', () => {
  let sent = 0;
  const lull = new Lull({ quietMs: 400, latestMs: 3000 }, () => sent++);
  lull.flush();
  expect(sent).toBe(0);
  type(lull, 2);
  lull.flush();
  vi.advanceTimersByTime(10_000);
  expect(sent).toBe(1);
});
