/**
 * Builds every bundle into dist/.
 *   node esbuild.mjs              development build (source maps)
 *   node esbuild.mjs --production short names, no source maps (what the VSIX ships)
 *   node esbuild.mjs --watch      rebuilds on change
 */
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { copyGrammars } from './server/grammars/verifyGrammars.mjs';
import { bundleAliases } from './test/tidy/bundleAliases.mjs';
import { resolverVersion } from './test/tidy/resolverVersion.mjs';
import { watchReport } from './test/tidy/watchReport.mjs';

const root = dirname(fileURLToPath(import.meta.url));
const dist = join(root, 'dist');
const require = createRequire(import.meta.url);
const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');
const version = JSON.stringify(require('./package.json').version);

/** @type {esbuild.BuildOptions} */
const common = {
  absWorkingDir: root,
  bundle: true,
  // Less text is less to read at each start; names stay, so that stack traces can be read.
  minifyWhitespace: true,
  minifySyntax: true,
  minifyIdentifiers: production,
  sourcemap: production ? false : 'linked',
  sourcesContent: false,
  logLevel: 'warning',
  define: { LATTICE_VERSION: version },
  legalComments: 'none',
};

/** Messages of zod in one language: the others would be an eighth of the bundle. */
const oneLocale = {
  name: 'one-locale',
  setup: build =>
    build.onResolve({ filter: /\/locales\/index\.js$/ }, ({ importer, resolveDir }) =>
      /[\\/]zod[\\/]/.test(importer) ? { path: join(resolveDir, '..', 'locales', 'en.js') } : undefined,
    ),
};

/** @type {esbuild.BuildOptions} */
const node = {
  ...common,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  outdir: 'dist',
  external: ['vscode'],
  plugins: [oneLocale],
  alias: bundleAliases,
};

/** @type {esbuild.BuildOptions} */
const page = { ...common, platform: 'browser', format: 'iife', target: 'es2022', outdir: 'dist' };

/** Gives the bundle of the layout worker as text: a page under a strict policy starts it from a blob. */
const workerText = {
  name: 'worker-text',
  setup(build) {
    const entry = join(root, 'webview', 'src', 'graph', 'layout', 'layoutWorker.ts');
    build.onResolve({ filter: /^worker:layout$/ }, () => ({ path: entry, namespace: 'worker' }));
    build.onLoad({ filter: /.*/, namespace: 'worker' }, async () => {
      const made = await esbuild.build({ ...page, entryPoints: [entry], minify: true, sourcemap: false, write: false, metafile: true });
      return { contents: made.outputFiles[0].text, loader: 'text', watchFiles: Object.keys(made.metafile.inputs).map(path => join(root, path)) };
    });
  },
};

/** The bundle of the command line holds all that `lattice mcp` needs: dist/mcp.js only starts it. */
const besideCli = {
  name: 'beside-cli',
  setup: build => build.onResolve({ filter: /^\.\/cliMain$/ }, () => ({ path: './cli.js', external: true })),
};

const builds = [
  // The language client is most of the client's code and not needed to activate: dist/client.js requires dist/protocolClient.js later.
  { ...node, entryPoints: { client: 'client/src/extension.ts' }, external: [...node.external, './protocolClient'], supported: { 'dynamic-import': false } },
  { ...node, entryPoints: { protocolClient: 'client/src/languageClient/protocolClient.ts' } },
  {
    ...node,
    entryPoints: {
      server: 'server/src/main/lspMain.ts',
      cli: 'server/src/main/cliMain.ts',
      parseWorker: 'server/src/main/workers/parseWorkerMain.ts',
      vectorWorker: 'server/src/main/workers/vectorWorkerMain.ts',
      serviceFileWorker: 'server/src/main/workers/serviceFileWorkerMain.ts',
      hook: 'server/src/main/hookMain.ts',
    },
    plugins: [oneLocale, resolverVersion(root, 'server/src/code/resolve/resolver.ts')],
  },
  { ...node, entryPoints: { mcp: 'server/src/main/mcpMain.ts' }, plugins: [oneLocale, besideCli], supported: { 'dynamic-import': false } },
  // The editor in a browser has no processes and no disk: this bundle only says so.
  { ...page, format: 'cjs', external: ['vscode'], entryPoints: { web: 'client/src/web.ts' } },
  { ...page, entryPoints: { webview: 'webview/src/main.ts' }, plugins: [workerText] },
  // The library of controls is for pages inside the editor only: the report, which is one file, does without.
  { ...page, entryPoints: { controls: 'webview/src/ui/controls/register.ts' } },
];

mkdirSync(dist, { recursive: true });
copyGrammars(dist);
copyFileSync(require.resolve('sql.js/dist/sql-wasm.wasm'), join(dist, 'sql-wasm.wasm'));

const present = builds.filter(options => Object.values(options.entryPoints).every(entry => existsSync(join(root, entry))));
if (watch) {
  const report = watchReport();
  const told = present.map(options => ({ ...options, logLevel: 'silent', plugins: [...(options.plugins ?? []), report] }));
  const contexts = await Promise.all(told.map(options => esbuild.context(options)));
  await Promise.all(contexts.map(context => context.watch()));
} else {
  await Promise.all(present.map(options => esbuild.build(options)));
}
