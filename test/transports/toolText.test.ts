import { expect, test } from 'vitest';
import { hintForTerminal, textForTerminal } from '../../server/src/transports/cli/toolText';

test.each([
  ["Left out to fit 1200 tokens: raw. Ask with profile 'debug' for all.", 'Left out to fit 1200 tokens: raw. Add --profile debug for all.'],
  [
    'The whole source needs about 900 tokens: ask with maxTokens 900 or a wider profile.',
    'The whole source needs about 900 tokens: add --max-tokens 900 or --profile debug.',
  ],
  ['No test within 3 steps, 1 test within 6: ask with maxDepth 6.', 'No test within 3 steps, 1 test within 6: add --max-depth 6.'],
  ['Try search_code with other words.', 'Try lattice search with other words.'],
  ['Call code_explain again with a valid depth.', 'Call lattice explain again with a valid depth.'],
])('the hint %j reads %j on the command line', (hint, said) => {
  expect(hintForTerminal(hint)).toBe(said);
});

test('only the closing lines of an answer are put in other words', () => {
  const hint = 'Try search_code with other words.';
  const code = "  More: cursor=1 ask with profile 'debug'";
  expect(textForTerminal(`f\n${code}\na\nMore: cursor=12ab\n${hint}\n[rev 1]\n`, hint).split('\n')).toEqual([
    'f',
    code,
    'a',
    'More: add --cursor 12ab',
    'Try lattice search with other words.',
    '[rev 1]',
  ]);
});
