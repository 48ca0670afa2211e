/**
 * What is handed out, each from a production build:
 *   node test/tidy/package.mjs vsix     the extension (`npm run package`), also when nothing is named
 *   node test/tidy/package.mjs npm      the package with the command `lattice` (`npm run package:npm`)
 *   node test/tidy/package.mjs mcpb     the MCP bundle that desktop clients install (`npm run package:mcpb`)
 *   node test/tidy/package.mjs bundles  the build alone: what npm runs before it packs, where it may run scripts
 */
import { spawnSync } from 'node:child_process';
import { createWriteStream, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import yazl from 'yazl';
import { removeFolder } from '../helpers/removeFolder.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

function run(args) {
  const status = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1;
  if (status !== 0) process.exit(status);
}

function bundles() {
  removeFolder(join(root, 'dist'));
  run(['esbuild.mjs', '--production']);
}

/** The page of the extension: the README without pictures and links into the repository, which the VSIX does not hold. */
function vsix() {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
    .split('\n')
    .filter(line => !line.trim().startsWith('!['))
    .join('\n')
    .replace(/\[([^\]]+)\]\((?!https?:|#)[^)]+\)/g, '$1');
  writeFileSync(join(root, 'dist', 'readme.md'), readme);
  run([
    join('node_modules', '@vscode', 'vsce', 'vsce'),
    'package',
    '--no-dependencies',
    '--allow-missing-repository',
    '--skip-license',
    '--readme-path',
    'dist/readme.md',
    '--out',
    `${manifest.name}-${manifest.version}.vsix`,
  ]);
}

/** Runs no scripts: the build has just been made. */
function npmPackage() {
  const npm = process.env.npm_execpath;
  if (npm === undefined) throw new Error('Start this through npm: npm run package:npm.');
  run([npm, 'pack', '--ignore-scripts']);
}

/** A zip of what the package on npm holds, with the manifest that desktop clients read. */
async function mcpb() {
  const zip = new yazl.ZipFile();
  const put = path => zip.addFile(join(root, path), path);
  zip.addFile(join(root, 'media', 'mcpb', 'manifest.json'), 'manifest.json');
  for (const path of ['LICENSE', 'media/icon.png']) put(path);
  const code = ['cli.js', 'mcp.js', 'parseWorker.js', 'vectorWorker.js', 'serviceFileWorker.js', 'webview.js', 'webview.css'];
  for (const name of [...code, 'sql-wasm.wasm', 'web-tree-sitter.wasm']) put(`dist/${name}`);
  for (const name of readdirSync(join(root, 'dist', 'grammars')).sort()) put(`dist/grammars/${name}`);
  zip.end();
  const file = `lattice-${manifest.version}.mcpb`;
  await pipeline(zip.outputStream, createWriteStream(join(root, file)));
  console.log(file);
}

const KINDS = { vsix, npm: npmPackage, mcpb, bundles: () => undefined };
const make = KINDS[process.argv[2] ?? 'vsix'];
if (make === undefined) throw new Error(`Name what to make: ${Object.keys(KINDS).join(', ')}.`);
bundles();
await make();
