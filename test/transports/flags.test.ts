import { expect, test } from 'vitest';
import { type Flag, parseArguments } from '../../server/src/transports/cli/flags';
import { flagsOfTool, inputFromFlags } from '../../server/src/transports/cli/toolFlags';
import { nearest } from '../../server/src/transports/suggest';
import { TOOLS } from './fakeHost';

const FLAGS: readonly Flag[] = [
  { name: 'workspace', kind: 'string', value: 'DIR', short: 'w', help: '' },
  { name: 'json', kind: 'boolean', help: '' },
  { name: 'limit', kind: 'integer', help: '' },
  { name: 'cut', kind: 'number', help: '' },
  { name: 'kinds', kind: 'list', help: '' },
  { name: 'format', kind: 'string', choices: ['jsonl', 'json'], help: '' },
  { name: 'input', kind: 'json', help: '' },
];

function parse(line: string): unknown {
  const parsed = parseArguments(line === '' ? [] : line.split(' '), FLAGS);
  return parsed.ok ? { ...Object.fromEntries(parsed.value.flags), _: parsed.value.positionals } : parsed.error.message;
}

test.each([
  ['', { _: [] }],
  ['a b', { _: ['a', 'b'] }],
  ['--workspace /x a', { workspace: '/x', _: ['a'] }],
  ['-w /x', { workspace: '/x', _: [] }],
  ['--workspace=/x=y', { workspace: '/x=y', _: [] }],
  ['--json', { json: true, _: [] }],
  ['--no-json', { json: false, _: [] }],
  ['--limit 3 --cut .5', { limit: 3, cut: 0.5, _: [] }],
  ['--cut -1', { cut: -1, _: [] }],
  ['--kinds a,b --kinds c', { kinds: ['a', 'b', 'c'], _: [] }],
  ['-- --json -x', { _: ['--json', '-x'] }],
  ['-', { _: ['-'] }],
  ['--input {"a":1}', { input: { a: 1 }, _: [] }],
])('reads %j', (line, expected) => {
  expect(parse(line)).toEqual(expected);
});

test.each([
  ['--jsn', 'Unknown flag --jsn. Did you mean --json?'],
  ['--zzzzzzzz', 'Unknown flag --zzzzzzzz.'],
  ['-q', 'Unknown flag -q.'],
  ['--limit', '--limit requires a value: --limit VALUE'],
  ['--limit 1.5', '--limit must be a whole number, not "1.5".'],
  ['--limit=', '--limit must be a whole number, not "".'],
  ['--cut half', '--cut must be a number, not "half".'],
  ['--json=yes', '--json does not take a value.'],
  ['--format xml', '--format must be one of jsonl, json, not "xml".'],
  ['--format jsonk', '--format must be one of jsonl, json, not "jsonk". Did you mean jsonl?'],
  ['--input 3', '--input must be a JSON object.'],
  ['--input []', '--input must be a JSON object.'],
  ['--input {', '--input must be a JSON object.'],
])('refuses %j', (line, message) => {
  expect(parse(line)).toBe(message);
});

test("a tool's inputs become flags, and flags become its input again", () => {
  const tool = TOOLS[0];
  if (tool === undefined) throw new Error('no tool');
  const flags = flagsOfTool(tool, ['query']);
  expect(flags.map(flag => [flag.name, flag.kind])).toEqual([
    ['k', 'integer'],
    ['min-score', 'number'],
    ['relations', 'list'],
    ['include-tests', 'boolean'],
    ['profile', 'string'],
  ]);
  const parsed = parseArguments(['--min-score', '2', '--relations', 'CALLS,IMPORTS', '--no-include-tests', '--profile', 'debug'], flags);
  expect(parsed.ok && inputFromFlags(tool, parsed.value.flags)).toEqual({
    minScore: 2,
    relations: ['CALLS', 'IMPORTS'],
    includeTests: false,
    profile: 'debug',
  });
});

test.each([
  ['serch', 'search'],
  ['expl', 'explain'],
  ['IMPACT', 'impact'],
  ['xyzzy', undefined],
])('%s is nearest to %s', (word, expected) => {
  expect(nearest(word, ['index', 'search', 'explain', 'impact', 'export'])).toBe(expected);
});
