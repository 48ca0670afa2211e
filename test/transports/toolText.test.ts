import { expect, test } from 'vitest';
import { transportHost } from '../../server/src/main/transportHost';
import type { Envelope } from '../../server/src/tools/envelope';
import { hintForTerminal, spellingsOf, textForTerminal } from '../../server/src/transports/cli/toolText';

const { tools } = transportHost('/bundles');
const search = tools.find(tool => tool.name === 'find_pattern');
const spellings = search === undefined ? undefined : spellingsOf(search, 'pattern', 'PATTERN');

test.each([
  ["Omitted to fit in 1200 tokens: raw. Use profile 'debug' for all.", 'Omitted to fit in 1200 tokens: raw. Add --profile debug for all.'],
  [
    'The complete source needs about 900 tokens. Use maxTokens 900 or a larger profile.',
    'The complete source needs about 900 tokens. Add --max-tokens 900 or --profile debug.',
  ],
  [
    'No tests within 3 steps, but 1 test within 6. Use maxDepth 6 to list them.',
    'No tests within 3 steps, but 1 test within 6. Add --max-depth 6 to list them.',
  ],
  ['Try search_code with different keywords.', 'Try lattice search with different keywords.'],
  ['Use query_container to list features and tasks.', 'Use lattice tool query_container to list features and tasks.'],
  [
    'This is an internal error. If it happens again, run graph_rebuild with mode full.',
    'This is an internal error. If it happens again, run lattice index with --full.',
  ],
  ['No matches in these paths. Omit paths to search everywhere.', 'No matches in these paths. Omit --paths to search everywhere.'],
  ['Use pattern or use some_name.', 'Use PATTERN or use some_name.'],
])('the hint %j reads %j on the command line', (hint, said) => {
  expect(hintForTerminal(hint, tools, spellings)).toBe(said);
});

test('only the closing lines of an answer are put in other words', () => {
  const hint = 'Try search_code with different keywords.';
  const rows = ["  More: cursor=1 Use profile 'debug'", hint, '[rev 1]'];
  const stamp = { revision: 1, head: '', pendingFiles: 0 };
  const envelope: Envelope = { ok: true, summary: 'f', profile: 'balanced', _tokenEstimate: 1, stamp, data: { nextCursor: '12ab' }, hint };
  const text = ['f', ...rows, 'More: cursor=12ab', hint, '[rev 1]'].join('\n');
  expect(textForTerminal({ envelope, text }, tools).split('\n')).toEqual([
    'f',
    ...rows,
    'More: add --cursor 12ab',
    'Try lattice search with different keywords.',
    '[rev 1]',
  ]);
});
