import { expect, test } from 'vitest';
import { CancellationSource, Cancelled, neverCancelled, onCancelled, orCancelled } from '../../../server/src/base/cancellation';

test('a source tells each listener once, also those that come after it was cancelled', () => {
  const source = new CancellationSource();
  const told: string[] = [];
  onCancelled(source.token, () => told.push('first'));
  onCancelled(source.token, () => told.push('gone')).dispose();
  expect([told, source.token.isCancellationRequested]).toEqual([[], false]);
  source.cancel();
  source.cancel();
  onCancelled(source.token, () => told.push('late'));
  expect([told, source.token.isCancellationRequested]).toEqual([['first', 'late'], true]);
});

test('a wait ends as its promise does, or when its token is cancelled', async () => {
  expect(await orCancelled(Promise.resolve(1), neverCancelled)).toBe(1);
  await expect(orCancelled(Promise.reject(new Error('no')), neverCancelled)).rejects.toThrow('no');
  const source = new CancellationSource();
  const waiting = orCancelled(new Promise<never>(() => undefined), source.token);
  source.cancel();
  await expect(waiting).rejects.toBeInstanceOf(Cancelled);
  await expect(orCancelled(new Promise<never>(() => undefined), source.token)).rejects.toBeInstanceOf(Cancelled);
});

test('a wait that is over listens no more', async () => {
  let listening = 0;
  const token = {
    isCancellationRequested: false,
    onCancellationRequested: () => {
      listening++;
      return { dispose: () => void listening-- };
    },
  };
  await orCancelled(Promise.resolve(), token);
  expect(listening).toBe(0);
});
