import { expect, test } from 'vitest';
import { Refresher } from '../../../client/src/refresher';
import { deferred } from '../../../server/src/base/deferred';

test('what changes while it is being asked is asked again, one question at a time', async () => {
  const answers = [deferred<void>(), deferred<void>()];
  let asked = 0;
  const refresher = new Refresher(() => answers[asked++]?.promise ?? Promise.resolve());
  const first = refresher.refresh();
  expect([asked, refresher.isAsking, refresher.isStale]).toEqual([1, true, false]);
  const second = refresher.refresh();
  expect(asked).toBe(1);
  answers[0]?.resolve();
  await Promise.resolve();
  answers[1]?.resolve();
  await Promise.all([first, second]);
  expect([asked, refresher.isAsking, refresher.isStale]).toEqual([2, false, false]);
});

test('a question that fails leaves the view stale, and the next one is asked', async () => {
  let asked = 0;
  const refresher = new Refresher(() => (asked++ === 0 ? Promise.reject(new Error('no server')) : Promise.resolve()));
  await expect(refresher.refresh()).rejects.toThrow('no server');
  expect([refresher.isStale, refresher.isAsking]).toEqual([true, false]);
  await refresher.refresh();
  expect([asked, refresher.isStale]).toEqual([2, false]);
});
