/**
 * Measures resolution against the ground truth of an evaluation kit and writes `docs/accuracy.md`.
 *
 * `npm run accuracy -- --kit FOLDER --corpora FOLDER [--work FOLDER] [--repos a,b] [--suites pycg,swarm-js,cats-java] [--results FILE] [--print]`
 *
 * The kit holds compiler-derived edges of public repositories and call-graph micro-benchmarks (its own README says from where); the corpora are clones
 * of these repositories. Lattice is the built one in `dist`, asked through its command line. `--results` keeps what was measured and takes what is not
 * measured in this run from it, so that languages can be measured one by one.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { argv, env, execPath, exit, stderr, stdout } from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { removeFolder } from '../helpers/removeFolder.mjs';
import { accuracyPage } from './page.mjs';

if (argv.includes('--mutations')) {
  await import('./mutations.mjs');
  exit(0);
}
if (argv.includes('--syntax')) {
  await import('./syntax.mjs');
  exit(0);
}
if (argv.includes('--routes')) {
  await import('./routes.mjs');
  exit(0);
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values: options } = parseArgs({
  args: argv.slice(2),
  options: {
    kit: { type: 'string' },
    corpora: { type: 'string' },
    work: { type: 'string' },
    repos: { type: 'string' },
    suites: { type: 'string' },
    results: { type: 'string' },
    print: { type: 'boolean', default: false },
  },
});
if (options.kit === undefined || options.corpora === undefined) {
  stderr.write('accuracy: pass --kit FOLDER (the evaluation kit) and --corpora FOLDER (clones of its repositories)\n');
  exit(2);
}
const dist = resolve(env['LATTICE_DIST'] ?? join(root, 'dist'));
const cli = join(dist, 'cli.js');
if (!existsSync(cli)) {
  stderr.write(`accuracy: no cli.js in ${dist}; run \`npm run build\` first\n`);
  exit(2);
}
const kit = resolve(options.kit);
const work = resolve(options.work ?? mkdtempSync(join(tmpdir(), 'lattice-accuracy-')));
env['EVAL_CORPORA'] = resolve(options.corpora);
env['EVAL_WORK'] = work;
env['LATTICE_DIST'] = dist;

/** Relations that the kit scores, by the names it has for them. */
const KINDS = { calls: 'calls', instantiates: 'calls', imports: 'imports', inherits: 'inherits', implements: 'inherits' };

/** Lower bounds of the bins of confidence, highest first. */
const BINS = [0.95, 0.9, 0.8, 0.5, 0.3, 0];

const load = path => import(pathToFileURL(join(kit, path)).href);
const { readGz, splitOf, normSym, lastSeg, symCompatible } = await load('lib/common.mjs');
const { scoreGraph, scoreSnippet, merge } = await load('lib/score.mjs');
const { readSnippet, SUITES } = await load('lib/micro.mjs');
const { scoreRuntime, runtimeNames } = await load('lib/runtime.mjs');
const prepare = await load('prepare.mjs');

const results = {
  graph: {},
  runtime: {},
  suites: {},
  ...(options.results !== undefined && existsSync(options.results) ? JSON.parse(readFileSync(options.results, 'utf8')) : {}),
};
const chosen = (text, all) => (text === undefined ? all : all.filter(name => text.split(',').includes(name)));

for (const name of chosen(options.repos, prepare.graphNames())) {
  const truth = readGz(join(kit, 'data', 'graph', `${name}.json.gz`));
  const edges = indexed(prepare.graphWorkspace(name, truth));
  // The truth covers the part of the files that the kit gives out.
  const isCovered = file => splitOf(truth.splitPolicy, truth.repo, file) === 'dev';
  const scored = scoreGraph(
    truth,
    edges.filter(edge => edge.confidence >= 0.5),
    isCovered,
  );
  results.graph[name] = {
    repo: truth.repo,
    commit: truth.commit,
    language: truth.language,
    oracle: truth.oracle,
    calls: figures(scored.calls),
    strict: figures(scored.callsStrict),
    imports: figures(scored.imports),
    inherits: figures(scored.inherits),
    bins: bins(truth, edges, isCovered),
  };
  stderr.write(`${name}: calls ${percent(scored.calls.precision)} / ${percent(scored.calls.recall)}\n`);
}

for (const name of chosen(options.repos, runtimeNames())) {
  const truth = readGz(join(kit, 'data', 'runtime', `${name}.json.gz`));
  const edges = indexed(prepare.runtimeWorkspace(name, truth));
  const isCovered = file => splitOf(truth.splitPolicy, truth.repo, file) === 'dev';
  const { direct } = scoreRuntime(truth, edges, isCovered).byGroup;
  results.runtime[name] = { repo: truth.repo, commit: truth.commit, language: truth.language, ...direct, bins: ranBins(truth, edges, isCovered) };
  stderr.write(`${name} at run time: ${percent(direct.asserted / direct.truth)}\n`);
}

const manifest = JSON.parse(readFileSync(join(kit, 'data', 'micro', 'manifest.json'), 'utf8'));
for (const suite of chosen(options.suites, Object.keys(SUITES))) {
  const folder = prepare.microWorkspace(suite, manifest.suites[suite].commit);
  const sum = { truth: 0, hit: 0, predicted: 0, correct: 0 };
  for (const snippet of manifest.snippets.filter(row => row.suite === suite && existsSync(join(folder, row.dir)))) {
    const scored = scoreSnippet(
      readSnippet(suite, join(folder, snippet.dir)),
      indexed(join(folder, snippet.dir)).filter(edge => edge.confidence >= 0.5),
      SUITES[suite].recallOnly,
    );
    for (const key of Object.keys(sum)) sum[key] += scored[key];
  }
  results.suites[suite] = {
    repo: SUITES[suite].repo,
    language: SUITES[suite].language,
    recallOnly: SUITES[suite].recallOnly,
    ...figures(merge(sum.hit, sum.truth, sum.correct, sum.predicted)),
  };
  stderr.write(`${suite}: ${percent(results.suites[suite].precision)} / ${percent(results.suites[suite].recall)}\n`);
}

if (options.results !== undefined) writeFileSync(options.results, `${JSON.stringify(results, undefined, 1)}\n`);
const page = accuracyPage(results, BINS);
if (options.print) stdout.write(page);
else writeFileSync(join(root, 'docs', 'accuracy.md'), page);
if (options.work === undefined) removeFolder(work);

/** All edges of a workspace with their confidence, in the form the kit scores. */
function indexed(workspace) {
  const home = mkdtempSync(join(tmpdir(), 'lattice-accuracy-home-'));
  try {
    const run = (...args) => {
      const done = spawnSync(execPath, [cli, ...args, '--workspace', workspace], { env: { ...env, LATTICE_HOME: home }, encoding: 'utf8', maxBuffer: 1 << 30 });
      if (done.status !== 0) throw new Error(`lattice ${args[0]} of ${workspace} ended with ${done.status}: ${done.stderr.slice(-400)}`);
      return done.stdout;
    };
    run('index', '--json');
    return run('export', '--format', 'jsonl', '--min-confidence', '0').split('\n').flatMap(edgeOf);
  } finally {
    removeFolder(home);
  }
}

function edgeOf(line) {
  const row = line.startsWith('{') ? JSON.parse(line) : {};
  const kind = row.type === 'edge' ? KINDS[row.relation.toLowerCase()] : undefined;
  if (kind === undefined || row.target.startsWith('external::')) return [];
  const [sourceFile, ...source] = row.source.split('::');
  const [targetFile, ...target] = row.target.split('::');
  const nameOf = parts => (parts.length === 0 ? '<module>' : parts.map(part => part.replace(/#\d+$/, '')).join('.'));
  return [
    {
      kind,
      sourceFile,
      sourceSymbol: nameOf(source),
      targetFile,
      targetSymbol: nameOf(target),
      line: row.line,
      confidence: row.confidence,
      provenance: row.provenance,
    },
  ];
}

/** Of the calls at each level of confidence: how many the oracle can judge, and how many are right. */
function bins(truth, edges, isCovered) {
  const callsOf = callsByName(truth.calls);
  // The kit leaves out calls that its oracle could not resolve; of possible targets those are judged whose call the oracle resolved in the project.
  const isKnown = edge => edge.confidence >= 0.5 || callsOf(edge).length > 0;
  return binned(distinctCalls(edges).filter(isKnown), inBin => {
    const { predicted, correct } = scoreGraph(truth, inBin, isCovered).calls;
    return { judged: predicted, right: correct };
  });
}

/** The same by what ran: judged are the calls of functions that called something of that name. */
function ranBins(truth, edges, isCovered) {
  const callsOf = callsByName(truth.edges);
  const judged = distinctCalls(edges).filter(edge => isCovered(edge.sourceFile) && callsOf(edge).length > 0);
  return binned(judged, inBin => ({ judged: inBin.length, right: inBin.filter(edge => callsOf(edge).includes(edge.targetFile)).length }));
}

/** Rows of bins of what is asserted or possible, and of implementations that may run in place of the method called, which have a row of their own. */
function binned(edges, judge) {
  const isDispatch = edge => edge.provenance === 'dispatch';
  const row = inBin => ({ ...judge(inBin), confidences: inBin.reduce((sum, edge) => sum + edge.confidence, 0), edges: inBin.length });
  const others = edges.filter(edge => !isDispatch(edge));
  const rows = BINS.map((low, index) => others.filter(({ confidence }) => confidence >= low - 0.001 && confidence < (BINS[index - 1] ?? 2) - 0.001));
  return [...rows, edges.filter(isDispatch)].map(row);
}

/** A pair counts once, at its highest confidence. */
function distinctCalls(edges) {
  const best = new Map();
  for (const edge of edges) {
    if (edge.kind !== 'calls') continue;
    const key = `${edge.sourceFile} ${edge.sourceSymbol} ${edge.targetFile} ${edge.targetSymbol}`;
    if ((best.get(key)?.confidence ?? -1) < edge.confidence) best.set(key, edge);
  }
  return [...best.values()];
}

/** For an edge: the files of what its source really calls under the name of its target. Rows as in the kit: caller's file and symbol, two lines, target's file and symbol. */
function callsByName(rows) {
  const known = new Map();
  for (const [file, symbol, , , targetFile, target] of rows) {
    const key = `${file}\n${lastSeg(normSym(target))}`;
    known.set(key, [...(known.get(key) ?? []), { symbol: normSym(symbol), targetFile }]);
  }
  return edge => {
    const called = known.get(`${edge.sourceFile}\n${lastSeg(normSym(edge.targetSymbol))}`) ?? [];
    return called.filter(({ symbol }) => symCompatible(symbol, normSym(edge.sourceSymbol))).map(({ targetFile }) => targetFile);
  };
}

function figures({ precision, recall, f1, truth, predicted }) {
  return { precision, recall, f1, truth, predicted };
}

function percent(share) {
  return share === null || share === undefined ? '–' : (100 * share).toFixed(1);
}
