import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Debouncer } from '../../server/src/transports/lsp/debouncer';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A key every hundred milliseconds. */
function type(debouncer: Debouncer, keys: number): void {
  for (let key = 0; key < keys; key++) {
    debouncer.request();
    vi.advanceTimersByTime(100);
  }
}

test('a hundred keys are one change, sent when the writer pauses and now and then before', async () => {
  let sent = 0;
  const debouncer = new Debouncer({ quietMs: 400, latestMs: 3000 }, () => sent++);
  type(debouncer, 100);
  expect(sent).toBe(3);
  let isOver = false;
  const waiting = debouncer.over().then(() => {
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
  const debouncer = new Debouncer({ quietMs: 400, latestMs: 3000 }, () => sent++);
  debouncer.flush();
  expect(sent).toBe(0);
  type(debouncer, 2);
  debouncer.flush();
  vi.advanceTimersByTime(10_000);
  expect(sent).toBe(1);
});
