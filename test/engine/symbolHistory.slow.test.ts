import { afterEach, expect, test } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import { closeAll, repository } from './repository';

afterEach(closeAll);

test('code_explain tells which commits changed a symbol, through a rename of its file, and the hover when', async () => {
  const made = repository();
  const one = (text: string): string => `export function f() {\n  return '${text}';\n}\n\nexport function other() {\n  return 1;\n}\n`;
  const first = made.commit({ 'old.ts': one('one') });
  const second = made.commit({ 'new.ts': one('one') }, ['old.ts']);
  const third = made.commit({ 'new.ts': one('three') });
  made.commit({ 'new.ts': `// A line above.\n${one('three')}` });
  const asking = await made.checkout.open();
  await expect
    .poll(async () => (await asking.call('code_explain', { target: 'new.ts::f', history: true })).envelope.data?.['historyTotal'])
    .toBeTypeOf('number');
  const { envelope, text } = await asking.call('code_explain', { target: 'new.ts::f', history: true });
  const rows = envelope.data?.['history'] as readonly { readonly gitCommit: string; readonly author: string; readonly validFrom: number }[];
  expect(rows.map(row => row.gitCommit).filter(hash => hash !== second)).toEqual([third, first]);
  expect(rows[0]).toMatchObject({ author: 'T', validFrom: Date.parse('2026-01-03T12:00:00Z'), subject: 'more' });
  expect(text).toContain(`${third.slice(0, 10)} 2026-01-03 more (T)`);
  expect((await asking.call('code_explain', { target: 'new.ts::f' })).envelope.data).not.toHaveProperty('history');
  const hover = await asking.gateway.query('hover', { path: 'new.ts', line: 2, column: 16 }, asking.caller('editor'), neverCancelled);
  expect(hover).toMatchObject({ ok: true, value: { lines: expect.arrayContaining([expect.stringMatching(/^Changed \d+ months? ago/)]) } });
});
