import { afterEach, expect, test } from 'vitest';
import { closeAll } from '../../engine/repository';
import { ask, branch, MONEY } from './shopBranch';

afterEach(closeAll);

test('a file is read as it was, and not outside of the workspace', async () => {
  const made = branch();
  made.commit({ 'src/money.ts': 'export const none = 0;\n' });
  const asking = await made.checkout.open();
  expect(await ask(asking, 'pastText', { path: 'src/money.ts', at: 'main' })).toEqual({ text: MONEY });
  expect(await ask(asking, 'pastText', { path: 'src/money.ts', at: 'HEAD' })).toEqual({ text: 'export const none = 0;\n' });
  expect(await ask(asking, 'pastText', { path: 'src/none.ts', at: 'main' })).toEqual({ text: null });
  expect(await ask(asking, 'pastText', { path: 'src', at: 'main' })).toEqual({ text: null });
  await expect(ask(asking, 'pastText', { path: '../money.ts', at: 'main' })).rejects.toThrow('FORBIDDEN');
  await expect(ask(asking, 'pastText', { path: 'src/money.ts', at: 'nowhere' })).rejects.toThrow('NOT_FOUND');
});
