import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Refresher } from '../../../client/src/refresher';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** A view whose questions are answered by hand. */
function view(restMs = 0) {
  const questions: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = [];
  const said: string[] = [];
  const state = { isSeen: true };
  const refresher = new Refresher({
    ask: () => new Promise((resolve, reject) => void questions.push({ resolve, reject })),
    isWanted: () => state.isSeen,
    failed: message => said.push(message),
    restMs,
  });
  const settled = async (): Promise<void> => {
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  };
  return { refresher, state, questions, said, settled };
}

test('what changes while it is being asked is asked again, one question at a time', async () => {
  const { refresher, questions, settled } = view();
  const first = refresher.refresh();
  expect([questions.length, refresher.isAsking, refresher.isStale]).toEqual([1, true, false]);
  const second = refresher.refresh();
  expect(questions).toHaveLength(1);
  questions[0]?.resolve();
  await settled();
  questions[1]?.resolve();
  await Promise.all([first, second]);
  expect([questions.length, refresher.isAsking, refresher.isStale]).toEqual([2, false, false]);
});

test('a question that fails leaves the view stale, and the next one is asked', async () => {
  const { refresher, questions } = view();
  const refused = refresher.refresh();
  questions[0]?.reject(new Error('no server'));
  await expect(refused).rejects.toThrow('no server');
  expect([refresher.isStale, refresher.isAsking]).toEqual([true, false]);
  const answered = refresher.refresh();
  questions[1]?.resolve();
  await answered;
  expect([questions.length, refresher.isStale]).toEqual([2, false]);
});

test('a view that nobody sees is not asked for until somebody does', async () => {
  const { refresher, state, questions, settled } = view();
  state.isSeen = false;
  refresher.changed();
  expect(questions).toHaveLength(0);
  state.isSeen = true;
  refresher.refreshIfWanted();
  questions[0]?.resolve();
  await settled();
  refresher.refreshIfWanted();
  expect(questions).toHaveLength(1);
});

test('a change during a question without a rest is asked when it is answered', async () => {
  const { refresher, questions, settled } = view();
  refresher.changed();
  refresher.changed();
  expect(questions).toHaveLength(1);
  questions[0]?.resolve();
  await settled();
  expect(questions).toHaveLength(2);
});

test('a refresh during a question that nobody asked for ends with the question after it', async () => {
  const { refresher, questions, settled } = view();
  refresher.changed();
  let isDone = false;
  const refreshed = refresher.refresh().then(() => {
    isDone = true;
  });
  questions[0]?.resolve();
  await settled();
  expect([questions.length, isDone]).toEqual([2, false]);
  questions[1]?.resolve();
  await refreshed;
  expect([questions.length, refresher.isAsking]).toEqual([2, false]);
});

test('between questions that nobody asked for there is a rest, which a change that must be seen at once ends', async () => {
  const { refresher, questions, settled } = view(5000);
  refresher.changed();
  questions[0]?.resolve();
  await settled();
  refresher.changed();
  vi.advanceTimersByTime(4999);
  expect(questions).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(questions).toHaveLength(2);
  questions[1]?.resolve();
  await settled();
  refresher.changed(true);
  expect(questions).toHaveLength(3);
  questions[2]?.resolve();
  await settled();
  refresher.changed();
  refresher.dispose();
  vi.advanceTimersByTime(60_000);
  expect(questions).toHaveLength(3);
});

test('a failure is said, and asked about again only after a change', async () => {
  const { refresher, questions, said, settled } = view();
  refresher.changed();
  questions[0]?.reject(new Error('no server'));
  await settled();
  expect([questions.length, said]).toEqual([1, ['Could not be refreshed: no server']]);
  refresher.changed();
  expect(questions).toHaveLength(2);
});
