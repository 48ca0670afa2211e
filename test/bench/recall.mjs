/**
 * `node test/bench/recall.mjs FOLDER [--episodes 500] [--queries 100]`: whether past work is recalled by the words of new work.
 * The history of the Git repository FOLDER tells: each commit is an EDIT episode, in order; the subjects of the commits after them are the questions.
 * An episode is right when it changed a file that the later commit changes. Questions without a right episode are left out.
 * Prints hit@5, precision@5 and MRR of `episode_recall` beside plain BM25 (Robertson and Spärck Jones 1976; k1 = 1.2, b = 0.75) over the same texts.
 * The repository is only read: episodes go to an empty workspace that has files of the same names.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { removeFolder } from '../helpers/removeFolder.mjs';
import { startMcpServer } from './mcpServer.mjs';

const dist = process.env.LATTICE_DIST ?? join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'dist');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { episodes: { type: 'string', default: '500' }, queries: { type: 'string', default: '100' } },
});
const repository = resolve(positionals[0] ?? '.');
const [episodes, queries] = [Number(values.episodes), Number(values.queries)];
const TOP = 5;
const MAX_FILES = 12;
const SOURCE = /\.(?:[cm]?[jt]sx?|py|go|java|rs|kt|cs|rb|php|c|cc|cpp|h|hpp)$/;

/** Commits without merges that change at most twelve files of source, oldest first. */
function commits(most) {
  const { status, stderr, stdout } = spawnSync('git', ['-C', repository, 'log', '--no-merges', `--max-count=${most * 3}`, '--name-only', '--format=%x01%s'], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(`git log of ${repository} failed: ${stderr.slice(-300)}`);
  const all = stdout
    .split('\u0001')
    .slice(1)
    .map(block => {
      const [subject, ...files] = block.split('\n').filter(line => line !== '');
      return { subject: subject ?? '', files: files.filter(file => SOURCE.test(file)) };
    });
  return all
    .filter(({ files, subject }) => subject !== '' && files.length > 0 && files.length <= MAX_FILES)
    .slice(0, most)
    .reverse();
}

const wordsOf = text => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

function bm25(texts) {
  const documents = texts.map(wordsOf);
  const mean = documents.reduce((sum, words) => sum + words.length, 0) / documents.length;
  const frequency = new Map();
  for (const words of documents) for (const word of new Set(words)) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  return query => {
    const asked = [...new Set(wordsOf(query))];
    const scores = documents.map(words => {
      let score = 0;
      for (const word of asked) {
        const count = words.filter(other => other === word).length;
        const known = frequency.get(word) ?? 0;
        const rarity = Math.log(1 + (documents.length - known + 0.5) / (known + 0.5));
        score += (rarity * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * words.length) / mean));
      }
      return score;
    });
    return scores
      .map((score, at) => ({ score, at }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || b.at - a.at)
      .map(({ at }) => at);
  };
}

/** Of the first five places of a list of episodes. */
function judged(list, right) {
  const top = list.slice(0, TOP);
  const first = list.findIndex(at => right.has(at));
  return { hit: Number(top.some(at => right.has(at))), precision: top.filter(at => right.has(at)).length / TOP, reciprocal: first < 0 ? 0 : 1 / (first + 1) };
}

function mean(rows) {
  const share = key => Math.round((1000 * rows.reduce((sum, row) => sum + row[key], 0)) / rows.length) / 1000;
  return { 'hit@5': share('hit'), 'precision@5': share('precision'), mrr: share('reciprocal') };
}

const history = commits(episodes + queries);
const past = history.slice(0, Math.max(0, history.length - queries));
const later = history.slice(past.length);
if (past.length === 0) throw new Error(`${repository} has too few commits`);
const textOf = ({ files, subject }) => `${subject}\n${files.join('\n')}`;

const home = mkdtempSync(join(tmpdir(), 'lattice-recall-home-'));
const workspace = mkdtempSync(join(tmpdir(), 'lattice-recall-'));
try {
  for (const file of new Set(history.flatMap(({ files }) => files))) {
    mkdirSync(dirname(join(workspace, file)), { recursive: true });
    writeFileSync(join(workspace, file), '');
  }
  const server = await startMcpServer({ dist, workspace, env: { ...process.env, LATTICE_HOME: home, NO_COLOR: '1' } });
  const places = new Map();
  for (const [at, commit] of past.entries()) {
    const [file = ''] = commit.files;
    const { envelope } = await server.call('episode_add', {
      type: 'EDIT',
      content: textOf(commit),
      entities: commit.files,
      metadata: { file, diffSummary: commit.subject, linesBefore: 1, linesAfter: 1, reason: commit.subject },
    });
    if (envelope.ok !== true) throw new Error(`episode_add: ${envelope.summary}`);
    places.set(envelope.data.episodeId, at);
  }
  const plain = bm25(past.map(textOf));
  const recalled = [];
  const ranked = [];
  for (const { files, subject } of later) {
    const right = new Set(past.flatMap((commit, at) => (commit.files.some(file => files.includes(file)) ? [at] : [])));
    if (right.size === 0) continue;
    const { envelope } = await server.call('episode_recall', { query: subject, limit: 20, profile: 'debug' });
    recalled.push(
      judged(
        (envelope.data?.episodes ?? []).map(({ id }) => places.get(id)),
        right,
      ),
    );
    ranked.push(judged(plain(subject).slice(0, 20), right));
  }
  const figures = { repository, episodes: past.length, queries: recalled.length, episode_recall: mean(recalled), bm25: mean(ranked) };
  process.stdout.write(`${JSON.stringify(figures, undefined, 2)}\n`);
  await server.stop();
} finally {
  removeFolder(home);
  removeFolder(workspace);
}
