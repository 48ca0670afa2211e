import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { CancellationSource } from '../../server/src/base/cancellation';
import { err } from '../../server/src/base/result';
import { runCli } from '../../server/src/transports/commandLine';
import { removeFolder } from '../helpers/removeFolder.mjs';
import { answerOf, cli, FakeHost, fakeIo, HEALTH, refusalOf, STAMP } from './fakeHost';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lattice-cli-')));
const checkout = join(folder, 'shop');
mkdirSync(join(checkout, '.git'), { recursive: true });
mkdirSync(join(checkout, 'src'));
writeFileSync(join(checkout, 'src', 'index.ts'), '');
mkdirSync(join(folder, 'plain'));
for (const name of ['webview.js', 'webview.css']) writeFileSync(join(folder, name), name === 'webview.js' ? 'render("</script><!--");' : 'p{}');
afterAll(() => removeFolder(folder));

let host: FakeHost;
beforeEach(() => {
  host = new FakeHost(folder);
});

test.each([[[]], [['help']], [['--help']]])('%j prints every command and the exit codes', async words => {
  const { exit, out } = await cli(host, checkout, words);
  expect(exit).toBe(0);
  for (const name of ['index', 'status', 'search', 'explain', 'impact', 'slice', 'neighbors', 'export', 'report', 'mcp', 'doctor', 'gc', 'reset'])
    expect(out).toMatch(new RegExp(`^  ${name} `, 'm'));
  expect(out).toContain('130 interrupted');
  expect(out).not.toContain(' start ');
});

test.each([
  ['help', 'search'],
  ['search', '--help'],
  ['search', '-h'],
])('%s %s tells when, what comes back, flags and examples', async (...words) => {
  const { exit, out } = await cli(host, checkout, words);
  expect(exit).toBe(0);
  for (const part of [
    'Does search_code.',
    'Usage: lattice search WORDS…',
    'When to use: ',
    'Output: ',
    '--k N',
    '(default: 10)',
    '--relations A,B',
    '--workspace, -w DIR',
    'Examples:',
  ])
    expect(out).toContain(part);
});

test('the version is printed alone', async () => {
  expect((await cli(host, checkout, ['--version'])).out).toBe('1.2.3\n');
  expect(JSON.parse((await cli(host, checkout, ['version', '--json'])).out)).toEqual({ version: '1.2.3' });
});

test.each([
  [['serch', 'x'], 'Unknown command "serch". Did you mean search?'],
  [['help', 'indx'], 'Unknown command "indx". Did you mean index?'],
  [['search'], 'lattice search requires WORDS: Search terms. Quotes are not required.'],
  [['search', 'x', '--kk', '3'], 'Unknown flag --kk. Did you mean --k?'],
  [['search', 'x', '--profle', 'debug'], 'Unknown flag --profle. Did you mean --profile?'],
  [['explain', 'a', 'b'], 'Unexpected argument for lattice explain: "b".'],
  [['tool', 'search_code', '{}'], 'Unexpected argument for lattice tool: "{}". Pass a JSON object with --input.'],
  [['export', '--min-confidence', '2'], '--min-confidence must be between 0 and 1.'],
  [['export', '--format', 'xml'], '--format must be one of jsonl, json, dot, not "xml".'],
  [['tool', 'serch_code'], 'Unknown tool serch_code. Did you mean search_code?'],
  [['reset'], `This deletes the index of ${checkout}.`],
])('wrong usage %j is told on stderr and ends with 2', async (words, message) => {
  const { exit, out, err } = await cli(host, checkout, words);
  expect(exit).toBe(2);
  expect(out).toBe('');
  expect(err.split('\n')[0]).toBe(`error: ${message}`);
  expect(host.opened).toEqual([]);
});

test('with --json a failure is an envelope on stdout', async () => {
  const { exit, out, err } = await cli(host, checkout, ['serch', '--json']);
  expect(exit).toBe(2);
  expect(err).toBe('');
  expect(JSON.parse(out)).toMatchObject({ ok: false, errorCode: 'USAGE', hint: 'Run `lattice help` for a list of commands.' });
});

test('the workspace is the named folder, else the checkout around the current folder, else that folder', async () => {
  await cli(host, join(checkout, 'src'), ['index']);
  await cli(host, join(folder, 'plain'), ['index']);
  await cli(host, folder, ['index', 'shop']);
  await cli(host, folder, ['index', '--workspace', join(folder, 'plain')]);
  expect(host.opened.map(request => request.root)).toEqual([checkout, join(folder, 'plain'), checkout, join(folder, 'plain')]);
  expect(host.opened[0]).toMatchObject({ longLived: false, watch: 'none' });
});

test('a folder that is not there ends with 3', async () => {
  const { exit, err } = await cli(host, folder, ['status', '--workspace', 'nowhere']);
  expect(exit).toBe(3);
  expect(err).toContain(`The folder ${join(folder, 'nowhere')} does not exist.`);
});

test('a workspace that cannot be opened ends with 3', async () => {
  host.openFailure = { code: 'UNAVAILABLE', message: 'Another version owns it.' };
  const { exit, out } = await cli(host, checkout, ['search', 'x', '--json']);
  expect(exit).toBe(3);
  expect(JSON.parse(out)).toMatchObject({ ok: false, errorCode: 'UNAVAILABLE', summary: 'Another version owns it.' });
});

test('index reports what was indexed and leaves the workspace', async () => {
  host.prepare = gateway => {
    gateway.answers = { indexStatus: () => ({ stamp: { revision: 7, head: '' }, files: 3, nodes: 15, edges: 20 }) };
  };
  const { exit, out } = await cli(host, checkout, ['index', '--json']);
  expect(exit).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ ok: true, root: checkout, files: 3, symbols: 12, edges: 20, durationMs: 1234, filesParsed: 2, revision: 7 });
  expect(host.gateway.closed).toBe(true);
});

test('index tells when answers could be given and what followed in the background', async () => {
  const { out } = await cli(host, checkout, ['index']);
  expect(out).toContain('Indexed in 1.23 s, plus 2.50 s for file contents and Git history');
  const { out: json } = await cli(host, checkout, ['index', '--json']);
  expect(JSON.parse(json)).toMatchObject({ durationMs: 1234, backgroundMs: 2500 });
});

test('index waits for the end and ends with 3 when it fails', async () => {
  host.prepare = gateway => {
    gateway.indexing();
    setImmediate(() => gateway.index({ phase: 'failed', done: 0, total: 0, problem: 'no space left' }));
  };
  const { exit, err } = await cli(host, checkout, ['index']);
  expect(exit).toBe(3);
  expect(err).toContain('error: no space left');
  expect(host.gateway.closed).toBe(true);
});

test('progress is a redrawn bar on a terminal, one line per phase of long work elsewhere, nothing with --json', async () => {
  host.prepare = gateway => {
    gateway.indexing();
    setImmediate(() => {
      gateway.index({ phase: 'scanning', done: 10, total: 0 });
      gateway.index({ phase: 'parsing', done: 1, total: 4 });
      gateway.index({ phase: 'parsing', done: 2, total: 4 });
      gateway.index({ phase: 'ready', done: 0, total: 0 });
    });
  };
  let time = 0;
  const hourly = (): number => (time += 3_600_000);
  expect((await cli(host, checkout, ['index'], { now: hourly })).err).toBe('Scanning files\nParsing (4)\nReady\n');
  expect((await cli(host, checkout, ['index'])).err).toBe('');
  const bar = await cli(host, checkout, ['index'], { tty: true });
  expect(bar.err).toContain('\r\u001B[2KParsing');
  expect(bar.err).toContain('25%  1 / 4');
  expect(bar.err.endsWith('\r\u001B[2K')).toBe(true);
  expect((await cli(host, checkout, ['index', '--json'])).err).toBe('');
});

test('index beside a running owner waits until that has compared the folder', async () => {
  const asked: string[] = [];
  host.prepare = gateway => {
    gateway.health = async () => ({ ...HEALTH, role: 'guest' });
    gateway.answers = {
      catchUp: () => asked.push('catchUp') && { status: 'UP_TO_DATE' },
      indexStatus: () => asked.push('indexStatus') && { stamp: STAMP, files: 3, nodes: 15, edges: 20 },
    };
  };
  expect((await cli(host, checkout, ['index'])).exit).toBe(0);
  expect(asked).toEqual(['catchUp', 'indexStatus']);
});

test('index --full asks for a full rebuild', async () => {
  host.prepare = gateway => {
    gateway.onCall = () => answerOf({ status: 'QUEUED', txId: 'tx-1' });
    gateway.answers = { rebuildEnd: () => ({ status: 'COMMITTED', txId: 'tx-1' }) };
  };
  expect((await cli(host, checkout, ['index', '--full'])).exit).toBe(0);
  expect(host.gateway.calls[0]).toMatchObject({ name: 'graph_rebuild', input: { mode: 'full' } });
  expect(host.gateway.queries[0]).toMatchObject({ feature: 'rebuildEnd', params: { txId: 'tx-1' } });
});

test('index --full says when the rebuild did not come to its end', async () => {
  host.prepare = gateway => {
    gateway.onCall = () => answerOf({ status: 'QUEUED', txId: 'tx-1' });
    gateway.query = async () => err({ code: 'UNAVAILABLE', message: 'The rebuild tx-1 was interrupted before it was done.' });
  };
  const { exit, err: said } = await cli(host, checkout, ['index', '--full']);
  expect(exit).toBe(3);
  expect(said).toContain('interrupted');
  expect(said).toContain('Run the command again');
});

test('Ctrl-C while indexing ends with 130 and leaves the workspace', async () => {
  const source = new CancellationSource();
  host.prepare = gateway => {
    gateway.indexing();
    setImmediate(() => source.cancel());
  };
  const { exit } = await cli(host, checkout, ['index'], {}, source);
  expect(exit).toBe(130);
  expect(host.gateway.closed).toBe(true);
});

test.each([
  [['search', 'retry', 'policy', '--k', '5'], 'search_code', { query: 'retry policy', k: 5, profile: 'balanced' }],
  [['search', 'x', '--json'], 'search_code', { query: 'x' }],
  [['search', 'x', '--json', '--profile', 'debug'], 'search_code', { query: 'x', profile: 'debug' }],
  [['search', '--', '--flag-like'], 'search_code', { query: '--flag-like', profile: 'balanced' }],
  [['explain', 'src/a.ts#b'], 'code_explain', { target: 'src/a.ts#b', profile: 'balanced' }],
  [['impact', 'b'], 'impact_analyze', { target: 'b', profile: 'balanced' }],
  [['slice', 'b'], 'semantic_slice', { symbol: 'b', profile: 'balanced' }],
  [['slice', 'src/index.ts'], 'semantic_slice', { file: 'src/index.ts', profile: 'balanced' }],
  [['impact', '--target', 'b'], 'impact_analyze', { target: 'b', profile: 'balanced' }],
  [['neighbors', 'b'], 'query_graph_neighborhood', { node_id: 'b', profile: 'balanced' }],
  [['tool', 'graph_health', '--json'], 'graph_health', {}],
  [['tool', 'search_code', '--json', '--input', '{"query":"q"}'], 'search_code', { query: 'q' }],
])('%j asks the tool', async (words, name, input) => {
  const { exit } = await cli(host, checkout, words);
  expect(exit).toBe(0);
  expect(host.gateway.calls).toHaveLength(1);
  expect(host.gateway.calls[0]).toMatchObject({ name, caller: { kind: 'cli' } });
  expect(host.gateway.calls[0]?.input).toEqual(input);
});

test('an answer is printed as text, with --json as its envelope', async () => {
  expect((await cli(host, checkout, ['search', 'a'])).out).toBe('Found 1.\nsrc/a.ts:3 function a\nrevision 7\n');
  expect(JSON.parse((await cli(host, checkout, ['search', 'a', '--json'])).out)).toEqual(answerOf({ tool: 'search_code', input: { query: 'a' } }).envelope);
});

test('colors appear on a terminal only, and never with NO_COLOR', async () => {
  expect((await cli(host, checkout, ['search', 'a'], { tty: true })).out).toContain('\u001B[36msrc/a.ts:3\u001B[0m');
  for (const options of [{}, { tty: true, env: { NO_COLOR: '1' } }, { tty: true, env: { TERM: 'dumb' } }]) {
    const { out } = await cli(host, checkout, ['search', 'a'], options);
    expect(out).not.toContain('\u001B');
  }
});

test.each([
  ['NOT_FOUND', 1],
  ['VALIDATION_ERROR', 2],
  ['INTERNAL', 4],
] as const)('an answer that is the error %s ends with %i', async (code, expected) => {
  host.prepare = gateway => {
    gateway.onCall = () => refusalOf(code, { suggestions: ['src/a.ts::food'] });
  };
  const plain = await cli(host, checkout, ['explain', 'foo']);
  expect(plain.exit).toBe(expected);
  expect(plain.err).toBe('error: There is no foo.\nDid you mean:\n  src/a.ts::food\nhint: Search for it.\n');
  const json = await cli(host, checkout, ['explain', 'foo', '--json']);
  expect(json.exit).toBe(expected);
  expect(JSON.parse(json.out)).toMatchObject({ ok: false, errorCode: code });
});

test('a defect ends with 4 and says that it is one', async () => {
  host.prepare = gateway => {
    gateway.onCall = () => {
      throw new TypeError('oops');
    };
  };
  const { exit, err } = await cli(host, checkout, ['search', 'a']);
  expect(exit).toBe(4);
  expect(err).toContain('Internal error: TypeError: oops');
  expect(host.gateway.closed).toBe(true);
});

const ROWS = [
  { type: 'node', id: 'a.ts', nodeType: 'file', name: 'a.ts', file: 'a.ts', startLine: 1, endLine: 9 },
  { type: 'edge', relation: 'CALLS', source: 'a.ts', target: 'b.ts', line: 3, confidence: 0.6, provenance: 'import' },
];

function exporting(gateway: { answers: Readonly<Record<string, (params: never) => unknown>> }): void {
  gateway.answers = {
    exportGraph: ({ offset }: { readonly offset: number }) => (offset === 0 ? { rows: ROWS.slice(0, 1), nextOffset: 1 } : { rows: ROWS.slice(1) }),
  };
}

test('export pages through the graph', async () => {
  host.prepare = exporting;
  const { exit, out } = await cli(host, checkout, ['export', '--format', 'jsonl', '--min-confidence', '0.5']);
  expect(exit).toBe(0);
  expect(
    out
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line)),
  ).toEqual(ROWS);
  expect(host.gateway.queries.map(query => query.params)).toEqual([0, 1].map(offset => ({ minConfidence: 0.5, limit: 5000, offset })));
});

test('export writes one JSON array, or a graph for Graphviz', async () => {
  host.prepare = exporting;
  expect(JSON.parse((await cli(host, checkout, ['export', '--format', 'json'])).out)).toEqual(ROWS);
  const { out } = await cli(host, checkout, ['export', '--format', 'dot']);
  expect(out).toContain('"a.ts" -> "b.ts" [label="CALLS", style=dashed];');
});

test('a reader that goes away ends the export quietly', async () => {
  host.prepare = exporting;
  const io = fakeIo(checkout);
  const gone = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
  });
  gone.on('error', () => undefined);
  const exit = await runCli({ words: ['export'], host, io: { ...io, stdout: gone }, now: () => 0, token: new CancellationSource().token });
  expect(exit).toBe(0);
  expect(io.text().err).toBe('');
  expect(host.gateway.closed).toBe(true);
});

test('output that cannot be written ends with a sentence that says so, not with a stack', async () => {
  host.prepare = exporting;
  const io = fakeIo(checkout);
  const full = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })),
  });
  full.on('error', () => undefined);
  const exit = await runCli({ words: ['export'], host, io: { ...io, stdout: full }, now: () => 0, token: new CancellationSource().token });
  expect(exit).toBe(1);
  expect(io.text().err).toMatch(/^error: The output could not be written: ENOSPC: no space left on device, write\.\nhint: Free some space/);
  expect(host.gateway.closed).toBe(true);
});

test('status names state, owner, languages and what was skipped', async () => {
  const { exit, out } = await cli(host, checkout, ['status']);
  expect(exit).toBe(0);
  for (const part of [
    checkout,
    'ready',
    'abcdef012345',
    'this command',
    'typescript',
    '1,200',
    '2.0%',
    '1 unreadable',
    'src/bad.ts: permission denied',
    'without symbols: 1 generated, 2 minified files',
    '3.0 MB in /data',
  ])
    expect(out).toContain(part);
  expect(JSON.parse((await cli(host, checkout, ['status', '--json'])).out)).toMatchObject({
    ok: true,
    root: checkout,
    stamp: { revision: 7 },
    health: { ownerPid: 42 },
  });
});

test.each([
  [STAMP, 'answering from the previous index while checking for changes (scanning)'],
  [{ ...STAMP, revision: 0 }, 'scanning. Run `lattice index`'],
  [undefined, 'scanning. Run `lattice index`'],
])('status of an index that is being brought up to date, with the stamp %j, says %s', async (stamp, state) => {
  host.prepare = gateway => {
    gateway.indexing();
    gateway.onCall = () => ({
      envelope: { ok: stamp !== undefined, summary: '', profile: 'compact', _tokenEstimate: 1, ...(stamp === undefined ? {} : { stamp }) },
      text: '',
    });
  };
  const { exit, out } = await cli(host, checkout, ['status']);
  expect(exit).toBe(0);
  expect(out).toContain(state);
  expect(out).toContain('not known until the folder has been compared');
  expect(out).not.toContain('up to date');
  expect(out.includes('abcdef012345')).toBe((stamp?.revision ?? 0) > 0);
});

test('the report is one page outside the workspace that nothing in its data can break', async () => {
  const evil = { name: '</script><script>alert(1)</script><!--', lines: '\u2028' };
  host.prepare = gateway => {
    gateway.answers = { report: () => evil };
  };
  const { exit, out } = await cli(host, checkout, ['report']);
  expect(exit).toBe(0);
  const path = out.trim();
  expect(path.startsWith(join(folder, 'reports'))).toBe(true);
  const html = readFileSync(path, 'utf8');
  expect(html.match(/<\/script>/g)).toHaveLength(2);
  expect(html).not.toContain('<!--');
  const json = /<script type="application\/json" id="lattice-report">(?<json>.*?)<\/script>/s.exec(html)?.groups?.['json'] ?? '';
  expect(JSON.parse(json)).toMatchObject(evil);
  expect(html).toContain(`default-src 'none'`);
  const named = await cli(host, folder, ['report', '--workspace', checkout, '--out', 'page.html', '--json']);
  expect(JSON.parse(named.out)).toMatchObject({ ok: true, path: join(folder, 'page.html') });
});

test('a report that cannot be written ends with 3', async () => {
  host.prepare = gateway => {
    gateway.answers = { report: () => ({}) };
  };
  const { exit, err } = await cli(host, checkout, ['report', '--out', join(folder, 'webview.js', 'x.html')]);
  expect(exit).toBe(3);
  expect(err).toContain('The report could not be saved to');
});

test('doctor lists findings with what to do, and --repair repairs', async () => {
  const sick = await cli(host, checkout, ['doctor']);
  expect(sick.exit).toBe(3);
  expect(sick.out).toContain('✗ Journal');
  expect(sick.out).toContain('→ Run lattice doctor --repair, then lattice index --full.');
  const cured = await cli(host, checkout, ['doctor', '--repair', '--json']);
  const findings: { subject: string; level: string }[] = JSON.parse(cured.out).findings;
  expect(findings.find(finding => finding.subject === 'Journal')?.level).toBe('ok');
  expect(findings.find(finding => finding.subject === 'Installation')?.level).toBe('error');
});

test('gc deletes the data of vanished checkouts, --dry-run only lists it', async () => {
  const dry = await cli(host, checkout, ['gc', '--dry-run']);
  expect(dry.out).toContain('/gone');
  expect(dry.out).toContain('1 checkout, 1.5 KB would be deleted.');
  expect(host.data.dropped).toEqual([]);
  expect((await cli(host, checkout, ['gc'])).exit).toBe(0);
  expect(host.data.dropped).toEqual(['/data/gone']);
});

test('reset deletes only with --yes, and what was written only with --all', async () => {
  await cli(host, checkout, ['reset', '--all']);
  expect(host.data.resets).toEqual([]);
  await cli(host, checkout, ['reset', '--yes']);
  await cli(host, checkout, ['reset', '--all', '-y']);
  expect(host.data.resets).toEqual([
    { root: checkout, all: false },
    { root: checkout, all: true },
  ]);
});
