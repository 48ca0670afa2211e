import { expect, test } from 'vitest';
import { CancellationSource, Cancelled, neverCancelled } from '../../../server/src/base/cancellation';
import { Interner } from '../../../server/src/base/interner';
import { MAX_TURN_MS, Turn } from '../../../server/src/base/yield';

test('a loop gives up its turn only after the budget, and starts anew afterwards', async () => {
  let time = 0;
  let turns = 0;
  const turn = new Turn({ now: () => 0, monotonic: () => time }, async () => {
    turns++;
  });
  time = MAX_TURN_MS - 1;
  expect(turn.check(neverCancelled)).toBeUndefined();
  time = MAX_TURN_MS;
  await turn.check(neverCancelled);
  expect(turns).toBe(1);
  time = MAX_TURN_MS + 1;
  expect(turn.check(neverCancelled)).toBeUndefined();
});

test('a cancelled loop stops at its next step, also when it was cancelled while others ran', async () => {
  const source = new CancellationSource();
  let time = 0;
  const turn = new Turn({ now: () => 0, monotonic: () => time }, async () => source.cancel());
  time = MAX_TURN_MS;
  await expect(turn.check(source.token)).rejects.toThrow(Cancelled);
  expect(() => turn.check(source.token)).toThrow(Cancelled);
});

test('an interner gives each text one handle for good', () => {
  const interner = new Interner();
  const handles = ['a', 'b', 'a', ''].map(text => interner.intern(text));
  expect(handles).toEqual([0, 1, 0, 2]);
  expect(interner.text(1)).toBe('b');
  expect(interner.find('c')).toBeUndefined();
  expect(() => interner.text(3)).toThrow(RangeError);
});
