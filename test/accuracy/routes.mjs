/**
 * Compares the endpoints that are read from code with the routes that the frameworks themselves told when the applications ran.
 *
 * `npm run accuracy -- --routes --corpora FOLDER [--repos a,b] [--results FILE] [--show]`
 *
 * What the frameworks told is kept in `test/accuracy/truth/routes`: for each application its commit, what was asked (`url_map`, `app.routes`, `chi.Walk`), and its
 * routes with the file and function of the handler where the framework knows them. Routes that come with the framework or a library (static files, pages of
 * documentation, an admin site) are listed as `outside` and count neither way. The corpora are clones of the applications at these commits, named like
 * the files. Nothing is installed or run: Lattice is the built one in `dist`. `--show` lists what is missing and what is wrong.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { argv, env, execPath, exit, stderr, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { removeFolder } from '../helpers/removeFolder.mjs';
import { routeFigures } from './routeFigures.mjs';
import { percent } from './truth.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values: options } = parseArgs({
  args: argv.slice(2),
  options: {
    routes: { type: 'boolean' },
    corpora: { type: 'string' },
    repos: { type: 'string' },
    results: { type: 'string' },
    show: { type: 'boolean', default: false },
  },
});
if (options.corpora === undefined) {
  stderr.write('accuracy --routes: pass --corpora FOLDER (clones of the applications)\n');
  exit(2);
}
const dist = resolve(env['LATTICE_DIST'] ?? join(root, 'dist'));
const truthFolder = join(root, 'test', 'accuracy', 'truth', 'routes');
const results = options.results !== undefined && existsSync(options.results) ? JSON.parse(readFileSync(options.results, 'utf8')) : {};
const names = readdirSync(truthFolder).map(file => file.replace(/\.json$/, ''));
for (const name of names.filter(each => options.repos === undefined || options.repos.split(',').includes(each))) {
  const truth = JSON.parse(readFileSync(join(truthFolder, `${name}.json`), 'utf8'));
  const folder = join(resolve(options.corpora), name);
  const commit = spawnSync('git', ['-C', folder, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).stdout.trim();
  if (commit !== truth.commit) throw new Error(`${name}: the truth is of ${truth.commit}, and the clone is at ${commit === '' ? 'no commit' : commit}`);
  const { missing, wrong, wrongHandlers, ...figures } = routeFigures(truth, endpointsOf(folder));
  results.routes = { ...results.routes, [name]: { repository: truth.repository, commit, framework: truth.framework, ...figures } };
  if (options.results !== undefined) writeFileSync(options.results, `${JSON.stringify(results, undefined, 1)}\n`);
  const { routes, found, told, right, handlers, rightHandlers } = figures;
  stdout.write(`${name} (${truth.framework}): ${found} of ${routes} routes, precision ${percent(right / told)}, handlers ${rightHandlers} of ${handlers}\n`);
  if (!options.show) continue;
  for (const [title, rows] of Object.entries({ missing, wrong, 'wrong handler': wrongHandlers })) for (const row of rows) stdout.write(`  ${title}: ${row}\n`);
}

/** What code serves: endpoints that only a contract lists are left out. */
function endpointsOf(workspace) {
  const home = mkdtempSync(join(tmpdir(), 'lattice-routes-home-'));
  try {
    const run = (...args) => {
      const done = spawnSync(execPath, [join(dist, 'cli.js'), ...args, '--workspace', workspace], {
        env: { ...env, LATTICE_HOME: home },
        encoding: 'utf8',
        maxBuffer: 1 << 30,
      });
      if (done.status !== 0) throw new Error(`lattice ${args[0]} of ${workspace} ended with ${done.status}: ${done.stderr.slice(-400)}`);
      return done.stdout;
    };
    run('index', '--json');
    const rows = run('export', '--format', 'jsonl', '--min-confidence', '0')
      .split('\n')
      .filter(line => line.startsWith('{'))
      .map(line => JSON.parse(line));
    const inCode = new Set(
      rows.filter(({ relation, source }) => relation === 'EXPOSES_ENDPOINT' && source.startsWith('contract::derived/')).map(({ target }) => target),
    );
    return rows
      .filter(({ type, id }) => type === 'node' && id.startsWith('endpoint::'))
      .map(({ id, ...node }) => ({ id, handler: node.handler_symbol ?? node.attributes?.handler_symbol ?? '' }))
      .filter(({ id, handler }) => handler !== '' || inCode.has(id))
      .map(({ id, handler }) => {
        const [, , method, ...path] = id.split('::');
        return { method, path: path.join('::'), handler };
      });
  } finally {
    removeFolder(home);
  }
}
