import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { transportHost } from '../../server/src/main/transportHost';
import { commandsOf } from '../../server/src/transports/commandLine';
import { removeFolder } from '../helpers/removeFolder.mjs';
import { cli, FakeHost } from './fakeHost';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lattice-usage-')));
mkdirSync(join(folder, '.git'));
afterAll(() => removeFolder(folder));

/** The real catalogue over workspaces that only remember that they were opened. */
const { refusalOf, selectTools, tools } = transportHost(folder);
let host: FakeHost;
beforeEach(() => {
  host = Object.assign(new FakeHost(folder), { tools, refusalOf, selectTools });
});

/** Wrong words for each command that takes any. */
const WRONG: Readonly<Record<string, readonly (readonly string[])[]>> = {
  index: [['a', 'b'], ['--no-such-flag']],
  status: [['extra']],
  context: [[], ['pay', '--profile', 'nothing']],
  search: [[], ['pay', '--chunk-type', 'nothing'], ['pay', '--k', '0']],
  explain: [[], ['pay', '--depth', '9']],
  slice: [[], ['pay', '--context', 'most']],
  neighbors: [[], ['pay', '--radius', '9'], ['pay', '--filter-edge-types', 'nothing'], ['pay', '--filter-node-types', 'nothing']],
  pattern: [[], ['MATCH', '(a', 'RETURN'], ['hub', '--min-severity', 'most']],
  place: [[], ['--mode', 'rules', '--limit', '99']],
  impact: [[], ['pay', '--since', 'HEAD'], ['pay', '--max-depth', '9'], ['pay', '--depth', '9', '--format', 'markdown'], ['pay', '--relations', 'nothing']],
  diff: [
    ['a', 'b', 'c'],
    ['--include', 'nothing'],
    ['--fail-on', 'everything'],
    ['--format', 'xml'],
  ],
  arch: [
    ['--min-severity', 'most'],
    ['--fail-on', 'most'],
  ],
  export: [
    ['--format', 'svg'],
    ['--min-confidence', '2'],
  ],
  knowledge: [[], ['push']],
  services: [['nothing', 'else'], ['show'], ['flow'], ['flow', 'a', 'b'], ['check', '--fail-on', 'most'], ['list', '--format', 'xml']],
  report: [['extra'], ['--out']],
  mcp: [['--tools', 'nothing'], ['here'], ['--http', 'host:99999'], ['--http', '--root', '.'], ['--root', 'missing']],
  doctor: [['extra']],
  gc: [['extra']],
  reset: [[]],
  tool: [['nothing'], ['search_code'], ['search_code', '--input', '{"query":"a","k":0}'], ['search_code', '--input', '[]']],
  start: [['a', 'b']],
};

test('every command is tried with wrong words', () => {
  expect(Object.keys(WRONG).sort()).toEqual(
    commandsOf(host)
      .map(command => command.name)
      .sort(),
  );
});

test.each(Object.entries(WRONG).flatMap(([name, tries]) => tries.map(words => [name, ...words].join(' '))))(
  'lattice %s is a usage error before anything is opened',
  async line => {
    const plain = await cli(host, folder, line.split(' '));
    expect(plain).toMatchObject({ exit: 2, out: '' });
    expect(plain.err).toContain('error:');
    const json = await cli(host, folder, [...line.split(' '), '--json']);
    expect(json.exit).toBe(2);
    expect(JSON.parse(json.out)).toMatchObject({ ok: false, errorCode: expect.stringMatching(/^(?:USAGE|VALIDATION_ERROR)$/) });
    expect(host.opened).toEqual([]);
  },
);

/** What is said of wrong words: flags and arguments are called what a person types, not what the parameters of the tool are called. */
const SAID: readonly (readonly [line: readonly string[], message: string])[] = [
  [['impact'], 'lattice impact requires exactly one of TARGET, --files and --since.'],
  [['impact', 'pay', '--since', 'HEAD'], 'lattice impact requires exactly one of TARGET, --files and --since.'],
  [['impact', 'pay', '--max-depth', '9'], '--max-depth must be at most 6.'],
  [['impact', '--files', ''], '--files is empty.'],
  [['search', ''], 'lattice search requires WORDS.'],
  [['search', 'pay', '--k', '0'], '--k must be at least 1.'],
  [['search', 'pay', '--max-tokens', '3'], '--max-tokens must be at least 50.'],
  [['search', 'pay', '--profile', 'most'], '--profile must be one of compact, balanced, debug, not "most".'],
  [['slice'], 'lattice slice requires TARGET, --file or --query.'],
  [['place'], 'lattice place requires WORDS or --mode rules.'],
  [['place', '--mode', 'place'], 'lattice place requires WORDS or --mode rules.'],
  [['explain', 'pay', '--history-limit', '999'], '--history-limit must be at most 100.'],
  [['services', 'nothing', 'else'], 'Unknown action "nothing". Use list, show, flow, map, check.'],
  [['services', 'show'], 'lattice services show requires NAME: the name of a service.'],
  [['knowledge', 'push'], 'Unknown action "push". Use export, import, check.'],
  [['--nothing', 'status'], 'Unknown flag --nothing.'],
];

test.each(SAID)('%j says %s', async (line, message) => {
  const { err, exit, out } = await cli(host, folder, line);
  expect({ exit, out, message: /^error: (.*)$/m.exec(err)?.[1] }).toEqual({ exit: 2, out: '', message });
  expect(err).toMatch(/^hint: Run `lattice help ?\w*` for /m);
  expect(host.opened).toEqual([]);
});

test('the common flags may stand before the command', async () => {
  const { err, exit } = await cli(host, folder, ['--workspace', `${folder}/nothing`, 'status']);
  expect({ exit, err }).toMatchObject({ exit: 3, err: expect.stringContaining('does not exist.') });
  expect(JSON.parse((await cli(host, folder, ['--json', 'impact'])).out)).toMatchObject({ ok: false, errorCode: 'USAGE' });
});

test('a file in place of a folder is told from a folder that is not there', async () => {
  writeFileSync(join(folder, 'file.txt'), '');
  expect((await cli(host, folder, ['status', '-w', join(folder, 'file.txt')])).err).toContain('is not a folder.');
});

/** One wrong call for each way in which a tool can be asked wrongly in any workspace. */
const WRONG_CALLS: readonly (readonly [tool: string, input: Readonly<Record<string, unknown>>, field: string])[] = [
  ['code_explain', {}, 'target'],
  ['semantic_slice', {}, 'symbol'],
  ['impact_analyze', { files: [] }, 'files'],
  ['graph_query', { query: ' ' }, 'query'],
  ['find_pattern', { pattern: ' ' }, 'pattern'],
  ['graph_traverse', { entry_entity_ids: ['a'], relationship_types: ['nothing'] }, 'relationship_types'],
  ['graph_traverse', { entry_entity_ids: ['a'], entity_types: ['nothing'] }, 'entity_types'],
  ['find_path', { source: 'a', target: 'b', relationship_types: ['nothing'] }, 'relationship_types'],
  ['hybrid_search', { query: 'a', node_types: ['nothing'] }, 'node_types'],
  ['test_run', {}, 'tests'],
  ['query_graph', { operation: 'context' }, 'paths'],
  ['query_graph', { operation: 'get', entityType: 'atom' }, 'id'],
  ['query_graph', { operation: 'search' }, 'entityType'],
  ['manage_graph', { operation: 'create', entityType: 'atom' }, 'name'],
  ['manage_graph', { operation: 'update', entityType: 'atom', id: 'a', version: 1 }, 'lastTaskId'],
  ['manage_graph', { operation: 'delete', entityType: 'atom', id: 'a' }, 'version'],
  ['manage_graph', { operation: 'create', entityType: 'atom', name: 'a', createdByTaskId: 'manual', relatedMolecules: [] }, 'relatedMolecules'],
  ['manage_changelog', { operation: 'append', parentType: 'atom', parentId: 'a', summary: 'b' }, 'taskId'],
  ['query_container', { operation: 'get' }, 'id'],
  ['manage_container', { operation: 'update', containerType: 'task', id: 'a' }, 'version'],
  ['manage_sections', { operation: 'add', containerId: 'a' }, 'title'],
  ['manage_sections', { operation: 'reorder', containerId: 'a', id: 'b' }, 'ids'],
  ['manage_tag', { operation: 'apply', id: 'a' }, 'targetId'],
  ['manage_template', { operation: 'apply', id: 'a' }, 'targetId'],
];

test.each(WRONG_CALLS)('%s with %j names %s before anything is opened', async (tool, input, field) => {
  const { exit, out } = await cli(host, folder, ['tool', tool, '--input', JSON.stringify(input), '--json']);
  expect({ exit, ...JSON.parse(out) }).toMatchObject({ exit: 2, ok: false, errorCode: 'VALIDATION_ERROR', data: { field } });
  expect(host.opened).toEqual([]);
});

test('a query that is none is refused before anything is opened', async () => {
  const { exit, out } = await cli(host, folder, ['tool', 'graph_query', '--input', '{"query":"MATCH (a","language":"cypher"}', '--json']);
  expect({ exit, ...JSON.parse(out) }).toMatchObject({ exit: 2, errorCode: 'VALIDATION_ERROR' });
  expect(host.opened).toEqual([]);
});
