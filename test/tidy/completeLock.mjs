/**
 * Completes package-lock.json after `npm install`: a registry that carries the packages of one platform only leaves the optional packages of the
 * others out of the lock, and `npm ci` then refuses it everywhere. Adds an entry (version, platform) for each one that is missing.
 *   node test/tidy/completeLock.mjs
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const place = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'package-lock.json');
const lock = JSON.parse(readFileSync(place, 'utf8'));
const SYSTEMS = ['android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'aix', 'win32'];
const PROCESSORS = ['arm64', 'x64', 'ia32', 'arm', 'ppc64', 'riscv64', 'loong64', 'mips64el', 's390x', 'wasm32'];

/** Where npm would look for `name` from inside the package at `from`. */
function isPresent(from, name) {
  for (let folder = from; ; folder = folder.replace(/\/?node_modules\/(?:@[^/]+\/)?[^/]+$/, '')) {
    if (lock.packages[`${folder === '' ? '' : `${folder}/`}node_modules/${name}`] !== undefined) return true;
    if (folder === '') return false;
  }
}

/** Platform of a package by its name: `@scope/thing-linux-arm64-musl`. */
function platformOf(name) {
  const words = name.split('/').at(-1).split(/[-.]/);
  const system = SYSTEMS.find(word => words.includes(word));
  const processor = PROCESSORS.find(word =>
    words.some(part => part === word || (word === 'ppc64' && part === 'ppc64le') || (word === 'arm' && part.startsWith('arm') && part !== 'arm64')),
  );
  const libc = words.includes('musl') || words.includes('musleabihf') ? 'musl' : words.includes('gnu') || words.includes('gnueabihf') ? 'glibc' : undefined;
  return {
    ...(processor === undefined ? {} : { cpu: [processor === 'ppc64' ? 'ppc64' : processor] }),
    ...(system === undefined ? {} : { os: [system] }),
    ...(libc === undefined ? {} : { libc: [libc] }),
  };
}

let added = 0;
for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (isPresent(path, name) || !/^\d/.test(version)) continue;
    lock.packages[`node_modules/${name}`] = { version, ...(entry.dev === true ? { dev: true } : {}), optional: true, ...platformOf(name) };
    added++;
  }
}
if (added > 0) {
  lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  writeFileSync(place, `${JSON.stringify(lock, undefined, 2)}\n`);
}
console.log(`${added} optional packages of other platforms added to the lock`);
