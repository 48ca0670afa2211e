import { expect, test } from 'vitest';
import { transportHost } from '../../server/src/main/transportHost';
import { hintForAgents, joinHints, paramRef, phrase, toolRef } from '../../server/src/model/hints';
import { type Envelope, hintFields } from '../../server/src/tools/envelope';
import { COMMANDS, hintForTerminal, spellingsOf, textForTerminal } from '../../server/src/transports/cli/toolText';
import { commandsOf } from '../../server/src/transports/commandLine';
import { FakeHost } from './fakeHost';

const { tools } = transportHost('/bundles');
const pattern = tools.find(tool => tool.name === 'find_pattern');
const spellings = pattern === undefined ? undefined : spellingsOf(pattern, 'pattern', 'PATTERN');

test.each([
  [
    phrase`Omitted to fit in ${1200} tokens: raw. Use ${paramRef('profile', 'debug')} for all.`,
    "Omitted to fit in 1200 tokens: raw. Use profile 'debug' for all.",
    'Omitted to fit in 1200 tokens: raw. Use --profile debug for all.',
  ],
  [
    phrase`The complete source needs about 900 tokens. Use ${paramRef('maxTokens', 900)} or a larger ${paramRef('profile')}.`,
    'The complete source needs about 900 tokens. Use maxTokens 900 or a larger profile.',
    'The complete source needs about 900 tokens. Use --max-tokens 900 or a larger --profile.',
  ],
  [phrase`Try ${toolRef('search_code')} with other keywords.`, 'Try search_code with other keywords.', 'Try lattice search with other keywords.'],
  [
    phrase`Use ${toolRef('query_container', { operation: 'search', containerType: 'task' })} to find it.`,
    'Use query_container with operation search and containerType task to find it.',
    `Use lattice tool query_container --input '{"operation":"search","containerType":"task"}' to find it.`,
  ],
  [phrase`Run ${toolRef('graph_rebuild', { mode: 'full' })}.`, 'Run graph_rebuild with mode full.', 'Run lattice index --full.'],
  [phrase`Use ${toolRef('arch_suggest', { mode: 'rules' })}.`, 'Use arch_suggest with mode rules.', 'Use lattice place --mode rules.'],
  [phrase`Read ${toolRef('code_explain', { target: 'a.ts::b' })}.`, 'Read code_explain with target a.ts::b.', 'Read lattice explain a.ts::b.'],
  [phrase`Omit ${paramRef('paths')} to search everywhere.`, 'Omit paths to search everywhere.', 'Omit --paths to search everywhere.'],
  [phrase`Use ${paramRef('pattern')} or ${paramRef('undirected', true)}.`, 'Use pattern or undirected: true.', 'Use PATTERN or undirected: true.'],
  [phrase`Set ${paramRef('profile', false)}.`, 'Set profile: false.', 'Set --no-profile.'],
  ['Use pattern, profile or search_code.', 'Use pattern, profile or search_code.', 'Use pattern, profile or search_code.'],
])('the hint %j reads %j to agents and %j on the command line', (hint, forAgents, said) => {
  expect([hintForAgents(hint), hintForTerminal(hint, spellings)]).toEqual([forAgents, said]);
});

test('without spellings, the input was JSON and parameters keep their names', () => {
  expect(hintForTerminal(phrase`Use ${paramRef('profile', 'debug')} or ${toolRef('search_code')}.`)).toBe("Use profile 'debug' or lattice search.");
});

test('hints are joined with their mentions, and texts alone stay texts', () => {
  expect(joinHints(['Not found: a.', '', phrase`Omit ${paramRef('paths')}.`])).toEqual(['Not found: a. Omit ', { parameter: 'paths' }, '.']);
  expect(joinHints(['One.', phrase`${'Two'}.`])).toBe('One. Two.');
});

test('every command that stands for a tool exists, as do the tool, its parameters and their flags', () => {
  const host = Object.assign(new FakeHost('/'), { tools });
  for (const [name, { argument, command, flags = {} }] of Object.entries(COMMANDS)) {
    const properties = Object.keys(tools.find(tool => tool.name === name)?.inputSchema.properties ?? {});
    const known = commandsOf(host).find(candidate => candidate.name === command);
    expect(known, command).toBeDefined();
    expect(properties, name).toEqual(expect.arrayContaining([...(argument === undefined ? [] : [argument]), ...Object.keys(flags)]));
    expect(known?.flags.map(flag => `--${flag.name}`)).toEqual(expect.arrayContaining(Object.values(flags)));
  }
});

test('only the closing lines of an answer are put in other words', () => {
  const hint = phrase`Try ${toolRef('search_code')} with different keywords.`;
  const rows = ["  More: cursor=1 Use profile 'debug'", hintForAgents(hint), '[rev 1]'];
  const stamp = { revision: 1, head: '', pendingFiles: 0 };
  const envelope: Envelope = { ok: true, summary: 'f', profile: 'balanced', _tokenEstimate: 1, stamp, data: { nextCursor: '12ab' }, ...hintFields(hint) };
  const text = ['f', ...rows, 'More: cursor=12ab', hintForAgents(hint), '[rev 1]'].join('\n');
  expect(textForTerminal({ envelope, text }).split('\n')).toEqual([
    'f',
    ...rows,
    'More: add --cursor 12ab',
    'Try lattice search with different keywords.',
    '[rev 1]',
  ]);
});
