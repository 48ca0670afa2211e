import { afterEach, expect, test } from 'vitest';
import { closeAll } from '../../engine/repository';
import { ask, branch, MONEY } from './shopBranch';

afterEach(closeAll);

test('a checkpoint keeps the state with its uncommitted changes under a name, which moves when it is taken again', async () => {
  const made = branch();
  const asking = await made.checkout.open();
  made.checkout.write({ 'src/money.ts': MONEY.replace('return add(1, 2)', 'return add(2, 2)') });
  await asking.settled('search_code', { query: 'add' });
  const first = await ask(asking, 'markCheckpoint', { name: ' before the change ' });
  expect(first).toEqual({ name: 'before the change', word: expect.stringMatching(/^tx::/) });
  expect((await ask(asking, 'points', {})).checkpoints.map(({ name }) => name)).toEqual(['before the change']);
  expect((await ask(asking, 'branchImpact', { from: first.word })).symbols).toEqual([]);

  made.checkout.write({ 'src/money.ts': MONEY.replace('return add(1, 2)', 'return add(3, 3)') });
  await asking.settled('search_code', { query: 'add' });
  expect((await ask(asking, 'branchImpact', { from: first.word })).symbols).toMatchObject([{ id: 'src/money.ts::Till::open', change: 'body' }]);
  const second = await ask(asking, 'markCheckpoint', { name: 'before the change' });
  expect(second.word).not.toBe(first.word);
  expect((await ask(asking, 'points', {})).checkpoints.map(({ word }) => word)).toEqual([second.word]);
});

test('a checkpoint has a name of 1 to 120 characters', async () => {
  const asking = await branch().checkout.open();
  for (const name of ['', '  ', 'x'.repeat(121)]) await expect(ask(asking, 'markCheckpoint', { name })).rejects.toThrow('VALIDATION_ERROR');
});

test('once history is cleared, its checkpoints are gone and uncommitted states cannot be compared with', async () => {
  const made = branch();
  made.checkout.write({ 'src/money.ts': MONEY.replace('return add(1, 2)', 'return add(2, 2)') });
  const asking = await made.checkout.open();
  const { word } = await ask(asking, 'markCheckpoint', { name: 'start' });
  made.checkout.write({ 'src/new.ts': 'export const fresh = () => 1;\n' });
  await asking.settled('search_code', { query: 'fresh' });
  expect(await ask(asking, 'clearHistory', {})).toEqual({ cleared: true });
  expect((await ask(asking, 'points', {})).checkpoints).toEqual([]);
  await expect(ask(asking, 'branchImpact', { from: word })).rejects.toThrow('HISTORY_PRUNED');
});
