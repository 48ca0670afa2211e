import { expect, test } from 'vitest';
import { closingLines, partsOf } from '../../server/protocol/answerParts';
import { answerText } from '../../server/src/tools/answerText';
import type { Envelope } from '../../server/src/tools/envelope';
import type { Stamp } from '../../server/src/workspace/snapshot';

const stamp: Stamp = { revision: 12, head: 'a1b2c3d4e5f6', pendingFiles: 1 };
/** Rows that read like the lines after them. */
const ROWS = ['src/a.ts:3 pay', '  More: cursor=99', 'Use a larger profile.'];

function answerOf(more: Partial<Envelope>): { readonly envelope: Envelope; readonly text: string } {
  const envelope: Envelope = { ok: true, summary: 'Two\nrows.', profile: 'balanced', _tokenEstimate: 1, ...more };
  return { envelope, text: answerText({ render: () => ROWS.join('\n') } as never, envelope, {}, 1000) };
}

test.each<[string, Partial<Envelope>, readonly string[]]>([
  ['nothing', {}, []],
  ['a stamp', { stamp }, ['stamp']],
  ['a page and a hint', { stamp, data: { nextCursor: 'x1' }, hint: 'Use a larger profile.' }, ['more', 'hint', 'stamp']],
  ['files that changed', { stamp: { ...stamp, stale: ['a\nb.ts' as never] } }, ['stale', 'stamp']],
])('the text of an answer with %s after its rows is taken apart by what its envelope says', (_name, more, kinds) => {
  const answer = answerOf(more);
  const { summary, rows, closing } = partsOf(answer);
  expect([summary, rows, closing.map(({ kind }) => kind)]).toEqual(['Two\\nrows.', ROWS, kinds]);
  expect(closing).toEqual(closingLines(answer.envelope));
  expect([summary, ...rows, ...closing.map(({ text }) => text)].join('\n')).toBe(answer.text);
});
