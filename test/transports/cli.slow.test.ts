import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { finished, lattice, newPlace, type Place, start } from './bundles';

let place: Place;
beforeAll(() => {
  place = newPlace();
});
afterAll(() => place.remove());

interface Row {
  readonly type: string;
  readonly id: string;
  readonly source: string;
  readonly target: string;
  readonly relation: string;
  readonly confidence: number;
  readonly file: string;
}

const rowsOf = (out: string): Row[] =>
  out
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as Row);

test('index exits 0 when the index is on disk, and the next process starts from it', async () => {
  const cold = await lattice(place, 'index', '--json');
  expect(cold.err).toBe('');
  expect(cold.exit).toBe(0);
  const first = JSON.parse(cold.out);
  expect(first).toMatchObject({ ok: true, root: place.workspace });
  expect(first.files).toBeGreaterThan(10);
  expect(first.edges).toBeGreaterThan(50);
  const again = JSON.parse((await lattice(place, 'index', '--json')).out);
  expect(again).toMatchObject({ files: first.files, edges: first.edges, filesParsed: 0 });
});

test('index, search, explain, impact, slice, neighbors and status answer about the sample', async () => {
  const found = JSON.parse((await lattice(place, 'search', 'write', 'invoice', '--json')).out);
  expect(found.ok).toBe(true);
  expect(JSON.stringify(found.data.results)).toContain('worker/bookshop/invoices.py::write_invoice');
  for (const words of [
    ['explain', 'write_invoice'],
    ['impact', 'worker/bookshop/invoices.py::Document::render'],
    ['slice', 'write_invoice'],
    ['neighbors', 'worker/bookshop/invoices.py'],
  ]) {
    const answer = await lattice(place, ...words);
    expect(answer.err, words.join(' ')).toBe('');
    expect(answer.exit).toBe(0);
    expect(answer.out).toContain('invoice');
    expect(answer.out).not.toContain('\u001B');
    const json = await lattice(place, ...words, '--json');
    expect(JSON.parse(json.out)).toMatchObject({ ok: true, stamp: { pendingFiles: 0 } });
  }
  // It tells of a start that goes on for some seconds as it is.
  await expect
    .poll(async () => JSON.parse((await lattice(place, 'status', '--json')).out))
    .toMatchObject({ ok: true, health: { progress: { phase: 'ready' }, dataFolder: place.home } });
});

test('export writes nodes, and edges between them, in the agreed shape', async () => {
  const { out, exit } = await lattice(place, 'export', '--workspace', place.workspace, '--format', 'jsonl', '--min-confidence', '0.5');
  expect(exit).toBe(0);
  const rows = rowsOf(out);
  const nodes = rows.filter(row => row.type === 'node');
  const edges = rows.filter(row => row.type === 'edge');
  expect(Object.keys(nodes.find(row => row.id === 'worker/bookshop/invoices.py::Invoice') ?? {})).toEqual(
    expect.arrayContaining(['type', 'id', 'nodeType', 'kind', 'name', 'file', 'startLine', 'endLine']),
  );
  const known = new Set(nodes.map(row => row.id));
  for (const edge of edges) expect([known.has(edge.source), known.has(edge.target), edge.confidence >= 0.5], JSON.stringify(edge)).toEqual([true, true, true]);
  expect(edges).toContainEqual(
    expect.objectContaining({ relation: 'INHERITS', source: 'worker/bookshop/invoices.py::Invoice', target: 'worker/bookshop/invoices.py::Document' }),
  );
  const call = edges.find(
    edge => edge.source === 'worker/bookshop/invoices.py::write_invoice' && edge.target === 'worker/bookshop/invoices.py::Document::render',
  );
  expect(call).toMatchObject({ relation: 'CALLS', line: 30, provenance: expect.any(String) });
});

test('a reader that stops reading ends the export without a word', async () => {
  const child = start(place, 'cli.js', ['export']);
  child.stdin.end();
  const end = finished(child);
  child.stdout.once('data', () => child.stdout.destroy());
  expect(await end).toMatchObject({ exit: 0, err: '' });
});

test('start prints a health report, writes the HTML report elsewhere, and leaves the folder as it was', async () => {
  const before = listing(place.workspace);
  const { exit, out, err } = await lattice(place, 'start');
  expect(exit, err).toBe(0);
  for (const part of ['Languages', 'Python', 'Resolution', 'Hotspots', 'If you change', 'claude mcp add lattice', 'VS Code']) expect(out).toContain(part);
  expect(listing(place.workspace)).toEqual(before);
  const path = decodeURIComponent(/file:\/\/(?<path>\S+\.html)/.exec(out)?.groups?.['path'] ?? '');
  expect(path.startsWith(join(place.home, 'reports'))).toBe(true);
  expect(readFileSync(path, 'utf8')).toContain('data-surface="report"');
});

test('a folder without files has an answer from its first question on', async () => {
  const empty = join(place.home, '..', 'empty folder');
  mkdirSync(empty);
  const answer = await lattice(place, 'search', 'anything', '--workspace', empty, '--json');
  expect(answer.exit).toBe(0);
  expect(JSON.parse(answer.out)).toMatchObject({ ok: true, data: { results: [] } });
});

test('errors have their exit codes', async () => {
  expect(await lattice(place, 'explain', 'zzqqxx', '--json')).toMatchObject({ exit: 1 });
  expect(await lattice(place, 'search')).toMatchObject({ exit: 2, out: '' });
  expect(await lattice(place, 'serch', 'x')).toMatchObject({ exit: 2, err: expect.stringContaining('Did you mean search?') });
  expect(await lattice(place, 'index', '--workspace', join(place.workspace, 'nowhere'))).toMatchObject({ exit: 3 });
});

test.runIf(process.platform !== 'win32')('Ctrl-C ends a command with 130 and leaves no process', async () => {
  const other = newPlace();
  try {
    const child = start(other, 'cli.js', ['index', '--full']);
    child.stderr.once('data', () => child.kill('SIGINT'));
    const { exit, signal } = await finished(child);
    // By the signal itself where an end in good order takes longer than some seconds.
    expect([0, 130, 'SIGINT']).toContain(exit ?? signal);
    expect(await lattice(other, 'index', '--json')).toMatchObject({ exit: 0 });
  } finally {
    other.remove();
  }
});

test('doctor finds a sound installation, gc lists what has gone, reset deletes the index only', async () => {
  const doctor = await lattice(place, 'doctor', '--json');
  expect(doctor.exit, doctor.out).toBe(0);
  expect(JSON.parse(doctor.out).findings.map((finding: { subject: string }) => finding.subject)).toEqual(
    expect.arrayContaining(['Node', 'Installation', 'Data folder', 'Grammars']),
  );

  const other = newPlace();
  const env = { ...place, workspace: other.workspace };
  await lattice(env, 'index', '--json');
  other.remove();
  const dry = JSON.parse((await lattice(place, 'gc', '--dry-run', '--json')).out);
  expect(dry.checkouts.map((checkout: { root: string }) => checkout.root)).toEqual([other.workspace]);
  const swept = JSON.parse((await lattice(place, 'gc', '--json')).out);
  expect(existsSync(swept.checkouts[0].folder)).toBe(false);

  expect((await lattice(place, 'reset')).exit).toBe(2);
  const reset = await lattice(place, 'reset', '--yes', '--json');
  expect(reset.exit, reset.out).toBe(0);
  expect(JSON.parse(reset.out).deleted).toHaveLength(1);
  expect(JSON.parse((await lattice(place, 'search', 'invoice', '--json')).out).ok).toBe(true);
});

function listing(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map(name => `${name} ${statSync(join(folder, name)).mtimeMs}`);
}
