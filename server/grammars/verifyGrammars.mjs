/**
 * Takes the prebuilt grammars and the parser runtime out of their packages, checked against `grammars.lock.json`.
 * The packages' own install scripts never run; a file that is not the one locked stops the build.
 *
 * `node server/grammars/verifyGrammars.mjs` checks; with `--update` it writes the lock anew from what is installed.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const lockFile = join(here, 'grammars.lock.json');
const packages = join(here, '..', '..', 'node_modules');

/** @typedef {{ grammar?: string, package: string, version: string, file: string, sha256: string }} LockRow */

/** @returns {LockRow[]} */
function readLock() {
  return JSON.parse(readFileSync(lockFile, 'utf8'));
}

/** @param {LockRow} row */
function installed(row) {
  const version = JSON.parse(readFileSync(join(packages, row.package, 'package.json'), 'utf8')).version;
  const path = join(packages, row.package, row.file);
  return { version, path, sha256: createHash('sha256').update(readFileSync(path)).digest('hex') };
}

/**
 * Throws, naming the package, when an installed file is not the locked one.
 * @returns {{ row: LockRow, path: string }[]}
 */
export function verifyGrammars() {
  return readLock().map(row => {
    const found = installed(row);
    if (found.version !== row.version || found.sha256 !== row.sha256) {
      throw new Error(`${row.package}/${row.file} is ${found.version} ${found.sha256}, grammars.lock.json wants ${row.version} ${row.sha256}`);
    }
    return { row, path: found.path };
  });
}

/**
 * Copies grammars to `<distFolder>/grammars/<grammar>.wasm`, the lock beside them (`lattice doctor` checks against it) and the runtime to `<distFolder>/web-tree-sitter.wasm`.
 * @param {string} distFolder
 */
export function copyGrammars(distFolder) {
  mkdirSync(join(distFolder, 'grammars'), { recursive: true });
  copyFileSync(lockFile, join(distFolder, 'grammars', basename(lockFile)));
  for (const { row, path } of verifyGrammars()) {
    copyFileSync(path, row.grammar === undefined ? join(distFolder, basename(row.file)) : join(distFolder, 'grammars', `${row.grammar}.wasm`));
  }
}

function updateLock() {
  const rows = readLock().map(row => {
    const { version, sha256 } = installed(row);
    return { ...row, version, sha256 };
  });
  writeFileSync(lockFile, `${JSON.stringify(rows, undefined, 2)}\n`);
}

if (argv[1] !== undefined && import.meta.url === pathToFileURL(argv[1]).href) {
  if (argv.includes('--update')) updateLock();
  else verifyGrammars();
}
