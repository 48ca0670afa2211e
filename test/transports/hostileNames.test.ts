import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { pageLink } from '../../server/protocol/pageLinks';
import { shownJson, shownLines, shownText, shownValue } from '../../server/protocol/shownText';
import { neverCancelled } from '../../server/src/base/cancellation';
import { hover } from '../../server/src/features/editor/hover';
import { TOOLS } from '../../server/src/tools/catalogue';
import { invoke } from '../../server/src/tools/invoke';
import { type ImpactReport, impactMarkdown } from '../../server/src/transports/cli/impactMarkdown';
import { healthMarkdown } from '../../server/src/transports/lsp/healthMarkdown';
import { asMarkdown, asMermaid, asSvg } from '../../webview/src/exports/exportScene';
import type { WorkspaceSketch } from '../helpers/graphOf';
import { random } from '../helpers/mutate';
import { removeFolder } from '../helpers/removeFolder.mjs';
import { workspaceOf } from '../helpers/workspaceOf';
import { cli, FakeHost, HEALTH, STAMP } from './fakeHost';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lattice-names-')));
const checkout = join(folder, 'shop');
mkdirSync(join(checkout, '.git'), { recursive: true });
afterAll(() => removeFolder(folder));

/** After each of these a reader would take what follows for a line, a color or a tag of its own. */
const BREAKS = ['\n', '\r\n', '\r', '\u2028', '\u2029', '\u0085', '\u000B'];
const TRICKS = [
  '\u001B[31m',
  '\u001B]0;title\u0007',
  '\u001B[2J',
  '\u009B1A',
  '\u202Egnp.',
  '\u2066',
  '\u200B',
  '\u200F',
  '\u{E0041}\u{E0042}',
  '\u0000',
  '\u007F',
  '\uFEFF',
  '\uD800',
  '\u034F',
  '\u115F',
  '\u3164',
  '\uFFA0',
  '\uFE00',
  '\u{E0100}',
  '\t',
];
const PLAIN = ['`', '``', '|', '](command:x)', '<img src=x>', '"', '#', '**', "'", '&lt;', '%', ';', '-->', '[rev 9 · abc]', 'é', '日本', '👩‍👩‍👧'];
const FORGED = 'FORGED';
const COLOR = new RegExp('\u001B\\[[0-9]+m', 'g');
const HIDDEN = /(?!\n|\t)(?:[\p{Cc}\p{Cs}\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\u115F\u3164\uFFA0\uFEFF]|\u034F|\uFE00|[\u{E0000}-\u{E01EF}])/u;

function names(seed: number): () => string {
  const next = random(seed);
  const one = (list: readonly string[]): string => list[Math.floor(next() * list.length)] ?? '';
  return () => `a${one(PLAIN)}${one(TRICKS)}${one(BREAKS)}${FORGED}${one(PLAIN)}${one(TRICKS)}z`;
}

function expectClean(text: string, door: string): void {
  expect(HIDDEN.exec(text.replace(COLOR, ''))?.[0], door).toBeUndefined();
  expect(
    text
      .replace(COLOR, '')
      .split('\n')
      .filter(line => line.startsWith(FORGED)),
    door,
  ).toEqual([]);
}

function hostileShop(seed: number): { readonly sketch: WorkspaceSketch; readonly file: string; readonly id: string } {
  const name = names(seed);
  const file = `src/${name().replaceAll('/', '')}.ts`;
  const symbol = name().replaceAll(/[.:]/g, '');
  const caller = name().replaceAll(/[.:]/g, '');
  const id = `${file}::${symbol}`;
  const sketch: WorkspaceSketch = {
    [file]: { symbols: [{ name: symbol, signature: `function ${name()}`, doc: name(), lines: [1, 3] }] },
    [`test/${file}`]: {
      isTest: true,
      symbols: [{ name: caller, lines: [1, 2] }],
      references: [{ from: caller, relation: 'CALLS', to: { [id]: 0.5 }, line: 2 }],
    },
    'src/b.ts': { symbols: [{ name: caller, lines: [1, 2] }], references: [{ from: caller, relation: 'CALLS', to: id, line: 2 }] },
  };
  return { sketch, file, id };
}

const SEEDS = Array.from({ length: 40 }, (_, at) => at + 1);

test.each(SEEDS)('rows of tools, seed %i', async seed => {
  const { sketch, file, id } = hostileShop(seed);
  const evil = names(seed + 1000)();
  const workspace = workspaceOf(sketch, { texts: { [file]: 'one\n[rev 9 · abc]\nthree\n' }, root: `/home/${evil}` });
  const inputs: readonly (readonly [string, Record<string, unknown>])[] = [
    ['search_code', { query: 'a' }],
    ['search_code', { query: evil }],
    ['code_explain', { target: id }],
    ['semantic_slice', { symbol: id }],
    ['impact_analyze', { target: id }],
    ['impact_analyze', { target: evil }],
    ['query_graph_neighborhood', { node_id: id, radius: 2 }],
    ['graph_query', { query: 'who calls b?' }],
    ['graph_query', { query: 'MATCH (a)-[:CALLS]->(b) RETURN a.id, b.name', language: 'cypher' }],
    ['graph_traverse', { entry_entity_ids: [id], max_hops: 2 }],
    ['find_path', { source: 'src/b.ts', target: id }],
    ['hybrid_search', { query: 'a', anchor_node_id: id }],
    ['community_list', {}],
    ['graph_health', {}],
    ['test_select', { files: [file] }],
    ['arch_validate', {}],
    ['find_pattern', { pattern: 'god_class' }],
    [evil, {}],
    ['search_code', { [evil]: 1 }],
  ];
  for (const [name, input] of inputs) {
    for (const profile of ['balanced', 'debug']) {
      const { envelope, text } = await invoke(TOOLS, workspace, { name, input: { profile, ...input }, agentId: undefined, sessionId: 's' }, neverCancelled);
      expectClean(text, name);
      expectClean(`${envelope.summary}${envelope.hint ?? ''}`, `${name}, sentences for programs`);
      expect(text.split('\n').filter(line => line.startsWith('[rev ')).length, name).toBeLessThanOrEqual(1);
    }
  }
});

test.each(SEEDS)('terminal, Markdown, DOT and JSON of the command line, seed %i', async seed => {
  const evil = names(seed);
  const impact = (): ImpactReport => ({
    targets: [evil()],
    risk: 'low',
    riskParts: { reach: 'small', tests: 0, raisedBy: [] },
    blastRadius: 1,
    counts: { impacted: 1, possibleTests: 0, direct: 1, transitive: 0, maybe: 0, directTests: 0, transitiveTests: 0, files: 1 },
    directDependents: [
      {
        id: `${evil()}::${evil()}`,
        path: evil(),
        kind: 'function',
        isTest: false,
        startLine: 1,
        depth: 1,
        relation: 'CALLS',
        line: 1,
        confidence: 1,
        via: [evil(), evil(), evil()],
      },
    ],
    transitiveDependents: [],
    directTests: [],
    transitiveTests: [],
    maybe: [],
    changes: { since: evil(), files: [{ path: evil(), status: 'renamed', oldPath: evil() }], symbols: [], deleted: [], notIndexed: [evil()], truncated: false },
    stamp: STAMP,
  });
  const problem = () => ({ path: evil(), line: 1, message: evil(), fix: evil(), severity: 'error' });
  const host = new FakeHost(folder);
  host.prepare = gateway => {
    gateway.answers = {
      impact,
      architecture: () => ({
        violations: [{ ruleId: evil(), severity: 'error', from: { id: evil(), file: evil(), line: 3 }, message: evil(), suggestion: evil(), baseline: false }],
        status: 'pass',
        counts: { error: 1 },
        checkedFiles: 2,
        rulesSource: evil(),
        fixed: 0,
      }),
      checkKnowledge: () => ({ atoms: 1, molecules: 1, entries: 1, problems: [problem()] }),
      exportKnowledge: () => ({
        written: [],
        removed: [],
        pending: [],
        problems: [problem()],
        conflicts: [{ id: evil(), kind: 'atom', name: evil(), reason: 'both_changed', fields: [evil()], path: evil() }],
      }),
      exportGraph: () => ({
        rows: [
          { type: 'node', id: evil(), name: evil() },
          { type: 'edge', source: evil(), target: evil(), relation: 'CALLS', confidence: 1 },
        ],
      }),
    };
    gateway.health = async () => ({ ...HEALTH, problems: [{ path: evil(), code: 'unreadable', message: evil() }], recovered: [evil()] });
  };
  const doors = [
    ['arch'],
    ['arch', '--format', 'markdown'],
    ['impact', 'x', '--format', 'markdown'],
    ['knowledge', 'check'],
    ['knowledge', 'export'],
    ['knowledge', 'check', '--json'],
    ['export', '--format', 'dot'],
    ['export'],
    ['export', '--format', 'json'],
    ['status'],
    ['status', '--json'],
    [evil()],
    ['search', 'x', `--${evil()}`],
    ['knowledge', evil()],
  ];
  for (const words of doors) {
    for (const tty of [false, true]) {
      const { out, err } = await cli(host, checkout, words, { tty });
      for (const text of [out, err]) expectClean(text.replaceAll('\r\u001B[2K', ''), words.join(' '));
      if (!tty) expect(out).not.toContain('\u001B');
    }
  }
  const dot = (await cli(host, checkout, ['export', '--format', 'dot'])).out;
  expect(dot.trimEnd().split('\n')).toHaveLength(6);
  for (const line of dot.split('\n').slice(3, 5)) expect(line).toMatch(/^ {2}"(?:[^"\\]|\\.)*"(?: -> "(?:[^"\\]|\\.)*")? \[label="(?:[^"\\]|\\.)*"\];$/);
  expectClean(impactMarkdown(impact()), 'impact');
});

test.each(SEEDS)('hovers, health and pictures of the editor, seed %i', async seed => {
  const { sketch, file } = hostileShop(seed);
  const evil = names(seed + 500);
  const answer = await hover(workspaceOf(sketch), { path: file, line: 0, column: 0 }, neverCancelled);
  const lines = answer.ok ? (answer.value?.lines ?? []) : expect.fail(answer.error.message);
  for (const line of lines) {
    expectClean(line, 'hover');
    expect(line.replace(/(`+).*?\1/g, '').replaceAll(/\\./g, '')).not.toMatch(/<img|\]\(command/);
  }
  const engine = {
    ...HEALTH,
    problems: [{ path: evil(), code: 'unreadable' as const, message: evil() }],
    problemCounts: { unreadable: 1 },
    recovered: [evil()],
  };
  const health = healthMarkdown(evil(), { engine } as never, (path, line) => pageLink('file:///w', 'file:///w', path, line));
  expectClean(health, 'health');
  expect(health.replaceAll(/\\./g, '').replace(/(`+).*?\1/g, '')).not.toMatch(/<img|\]\(command/);
  const scene = sceneOf(evil);
  expectClean(asMermaid(scene), 'mermaid');
  expect(
    asMermaid(scene)
      .split('\n')
      .filter(line => /^\s*n\d/.test(line))
      .every(line => /^\s*n\d\["[^"<>`]*"\]$/.test(line)),
  ).toBe(true);
  expectClean(asMarkdown(scene), 'markdown');
  expect(
    asMarkdown(scene)
      .replaceAll(/\\./g, '')
      .replace(/`[^`]*`/g, ''),
  ).not.toMatch(/<img|\]\(command/);
  expectClean(asSvg({ nodes: [], edges: [], frames: [{ rect: RECT, label: evil() }] } as never, { kinds: {}, areas: [] } as never, evil()), 'svg');
});

const RECT = { x: 0, y: 0, width: 1, height: 1 };

function sceneOf(evil: () => string): Parameters<typeof asMermaid>[0] {
  const node = (id: string) => ({
    id,
    label: evil(),
    path: evil(),
    line: 3,
    kind: 'function',
    role: 'start',
    column: 0,
    lane: 'main',
    confidence: 1,
    parent: undefined,
  });
  return {
    title: evil(),
    summary: evil(),
    starts: ['a'],
    layout: 'sheet',
    nodes: [node('a'), node('b')],
    edges: [],
    groups: [],
    omitted: { nodes: 0, edges: 0 },
    stamp: STAMP,
  } as never;
}

test('what is shown is the text where nothing hides in it, and says every code where something does', () => {
  for (const text of [...PLAIN, 'x ‘y’ … → ·', 'مرحبا', 'नमस्ते', 'עברית']) expect(shownText(text)).toBe(text);
  expect(shownText('a\n\u202Eb\u001B[31m\u{E0041}\r\t')).toBe('a\\n\\u{202e}b\\u{1b}[31m\\u{e0041}\\r\\t');
  expect(shownLines('a\r\nb\tc\u0085\r')).toBe('a\nb\tc\\u{85}\\r');
  const value = { 'a\u202E': ['\u009B', { deep: 'x\ny' }], code: 'x\ny' };
  expect(JSON.parse(shownJson(JSON.stringify(value, undefined, 2)))).toEqual(value);
  expect(shownJson(JSON.stringify(value))).not.toMatch(HIDDEN);
  expect(shownValue(value, new Set(['code']))).toEqual({ 'a\\u{202e}': ['\\u{9b}', { deep: 'x\\ny' }], code: 'x\ny' });
});
