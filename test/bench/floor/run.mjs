/**
 * The floor of a cold index: read + parse + one frozen reference query, on worker threads, nothing kept.
 *   node test/bench/floor/run.mjs WORKERS < LIST    LIST: one "language<TAB>absolute path" a line
 * Prints {"files","bytes","captures","wallMs","cpuMs"}.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);
const QUERIES = { typescript: 'typescript', tsx: 'typescript', javascript: 'javascript', python: 'python' };

async function work(files) {
  const { Language, Parser, Query } = require(join(dirname(require.resolve('web-tree-sitter')), 'web-tree-sitter.cjs'));
  await Parser.init();
  const dist = join(here, '..', '..', '..', 'dist', 'grammars');
  const parser = new Parser();
  const loaded = new Map();
  let captures = 0;
  let bytes = 0;
  for (const { language, path } of files) {
    if (!loaded.has(language)) {
      const grammar = await Language.load(join(dist, `${language}.wasm`));
      loaded.set(language, { grammar, query: new Query(grammar, readFileSync(join(here, `${QUERIES[language]}.scm`), 'utf8')) });
    }
    const { grammar, query } = loaded.get(language);
    const raw = readFileSync(path);
    bytes += raw.length;
    parser.setLanguage(grammar);
    const tree = parser.parse(raw.toString('utf8'));
    try {
      captures += query.captures(tree.rootNode).length;
    } finally {
      tree.delete();
    }
  }
  return { captures, bytes };
}

if (isMainThread) {
  const workers = Number(process.argv[2] ?? 2);
  const files = readFileSync(0, 'utf8')
    .split('\n')
    .filter(line => line.includes('\t'))
    .map(line => ({ language: line.slice(0, line.indexOf('\t')), path: line.slice(line.indexOf('\t') + 1) }))
    .filter(file => QUERIES[file.language] !== undefined);
  const started = performance.now();
  const results = await Promise.all(
    Array.from(
      { length: workers },
      (_, share) =>
        new Promise((resolve, reject) => {
          const worker = new Worker(fileURLToPath(import.meta.url), { workerData: files.filter((_file, index) => index % workers === share) });
          worker.once('message', resolve);
          worker.once('error', reject);
        }),
    ),
  );
  const usage = process.resourceUsage();
  console.log(
    JSON.stringify({
      files: files.length,
      bytes: results.reduce((sum, result) => sum + result.bytes, 0),
      captures: results.reduce((sum, result) => sum + result.captures, 0),
      wallMs: Math.round(performance.now() - started),
      cpuMs: Math.round((usage.userCPUTime + usage.systemCPUTime) / 1000),
    }),
  );
} else parentPort.postMessage(await work(workerData));
